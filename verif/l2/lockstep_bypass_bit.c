/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_bypass_bit - byw_bypass_bit.v against byw_bypass_bit(): the report of every access, over
 * an array of bits. A set is read, then a few accesses to it follow; the same set often repeats in
 * the next cycle, so that a bit is read while it is written. A line is present once an access has
 * fetched it.
 */
#include "cosim/lock.h"
#include "l2/byw_bypass_bit.h"

enum { LINES = P_SETS * P_WAYS, CASES = 16 };

struct ports {
    uint32_t rd_en, rd_set, set, way, found, load, predicted, accept, mispredict;
};

struct test {
    struct ports p;
    uint8_t bit[LINES];
    bool known[LINES];
    bool read; /* a set has been read */
    uint32_t set;
    uint32_t left, loads, predicted, brings; /* cycles of the phase; percent */
};

struct met {
    uint64_t rule[CASES]; /* accesses, by bit, found, load, predicted */
    uint64_t fresh, again, mispredicts;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rd_en = dut_port(d, "rd_en_i"),
        .rd_set = dut_port(d, "rd_set_i"),
        .set = dut_port(d, "set_i"),
        .way = dut_port(d, "way_i"),
        .found = dut_port(d, "found_i"),
        .load = dut_port(d, "load_i"),
        .predicted = dut_port(d, "predicted_i"),
        .accept = dut_port(d, "accept_i"),
        .mispredict = dut_port(d, "mispredict_o"),
    };
}

static void new_phase(struct lock *l, struct test *t)
{
    t->left = 100 + lock_below(l, 2000);
    t->loads = lock_below(l, 101);
    t->predicted = lock_below(l, 101);
    t->brings = lock_below(l, 101);
}

static void one_cycle(struct lock *l, struct test *t, struct met *met, bool *wrote)
{
    uint32_t way = lock_below(l, P_WAYS), line = t->set * P_WAYS + way, next = t->set;
    bool found = t->known[line] && !lock_chance(l, t->brings);
    bool load = lock_chance(l, t->loads), predicted = lock_chance(l, t->predicted);
    bool accept = t->read && lock_chance(l, 80), read = !t->read || lock_chance(l, 60);
    uint8_t bit = t->bit[line];
    bool mispredict = byw_bypass_bit(&bit, found, load, predicted);

    if (!lock_chance(l, 50))
        next = lock_below(l, P_SETS);
    dut_put(l->dut, t->p.rd_en, read);
    dut_put(l->dut, t->p.rd_set, next);
    dut_put(l->dut, t->p.set, t->set);
    dut_put(l->dut, t->p.way, way);
    dut_put(l->dut, t->p.found, found);
    dut_put(l->dut, t->p.load, load);
    dut_put(l->dut, t->p.predicted, predicted);
    dut_put(l->dut, t->p.accept, accept);
    dut_eval(l->dut);
    if (t->read)
        lock_same(l, "mispredict", mispredict, dut_get(l->dut, t->p.mispredict));
    dut_tick(l->dut);
    if (accept) {
        met->rule[(t->known[line] && t->bit[line]) << 3 | found << 2 | load << 1 | predicted]++;
        met->mispredicts += mispredict;
        met->fresh += read && next == t->set;
        met->again += *wrote && !read;
        t->bit[line] = bit;
        t->known[line] = true;
    }
    *wrote = accept && !read;
    if (read) {
        t->read = true;
        t->set = next;
    }
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 200000);
    struct test t = {.p = find_ports(l.dut)};
    struct met met = {.fresh = 0};
    bool wrote = false;
    uint32_t i;

    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (t.left-- == 0)
            new_phase(&l, &t);
        one_cycle(&l, &t, &met, &wrote);
    }
    for (i = 0; i < CASES; i++)
        lock_met(&l, "a row of the rule was never met", met.rule[i]);
    lock_met(&l, "no set was read while it was written", met.fresh);
    lock_met(&l, "no two accesses followed one read", met.again);
    return lock_pass(&l, ", %" PRIu64 " mispredictions, %" PRIu64 " fresh", met.mispredicts,
                     met.fresh);
}
