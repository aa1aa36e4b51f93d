/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_l2_pc_bypass - byw_l2_pc_bypass.v against byw_l2_pc_bypass.c: the prediction for a hash
 * in every cycle, all counters from time to time. A set is read, then a few accesses to it follow;
 * the same set often repeats in the next cycle, so that a hash is read while it is written.
 * Lines are present once they were allocated.
 */
#include "cosim/lock.h"
#include "l2/byw_l2_pc_bypass.h"

enum { LINES = P_SETS * P_WAYS };

struct ports {
    uint32_t rst, threshold, store_threshold, store, initial, sample, rd_en, rd_set, set, hash,
        counter, dead, sampled, overruled, bypass, asked, reuse, take, evict, way, traced;
};

struct test {
    struct ports p;
    struct byw_l2_pc_bypass unit;
    bool known[LINES];
    bool read;
    uint32_t set;
    uint32_t hashes; /* number of values that accesses draw from */
    uint32_t left, reuses, evicts, traced; /* left: cycles left in the phase; the others: percent */
};

struct met {
    uint64_t bypass, stores, sampled, overruled, top, bottom, fresh, again, untraced;
};

struct act {
    uint16_t hash;
    uint32_t way;
    bool asked, reuse, take, evict, traced, store;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .threshold = dut_port(d, "threshold_i"),
        .store_threshold = dut_port(d, "store_threshold_i"),
        .store = dut_port(d, "store_i"),
        .initial = dut_port(d, "initial_i"),
        .sample = dut_port(d, "sample_i"),
        .rd_en = dut_port(d, "rd_en_i"),
        .rd_set = dut_port(d, "rd_set_i"),
        .set = dut_port(d, "set_i"),
        .hash = dut_port(d, "hash_i"),
        .counter = dut_port(d, "counter_o"),
        .dead = dut_port(d, "dead_o"),
        .sampled = dut_port(d, "sampled_o"),
        .overruled = dut_port(d, "overruled_o"),
        .bypass = dut_port(d, "bypass_o"),
        .asked = dut_port(d, "asked_i"),
        .reuse = dut_port(d, "reuse_i"),
        .take = dut_port(d, "take_i"),
        .evict = dut_port(d, "evict_i"),
        .way = dut_port(d, "way_i"),
        .traced = dut_port(d, "traced_i"),
    };
}

static void new_phase(struct lock *l, struct test *t)
{
    t->left = 200 + lock_below(l, 3000);
    t->hashes = 1 + lock_below(l, lock_chance(l, 50) ? P_ENTRIES : P_ENTRIES / 8 + 1);
    t->reuses = lock_below(l, 101);
    t->evicts = lock_below(l, 101);
    t->traced = lock_chance(l, 30) ? 100 : 50 + lock_below(l, 50);
}

/* New settings and a reset, with random pulses. */
static void restart(struct lock *l, struct test *t)
{
    static const uint32_t most[] = {8, 8, 100, 100, 1024};
    struct byw_config c;
    struct ports p = t->p;

    byw_config_defaults(&c);
    c.pc_entries = P_ENTRIES;
    c.pc_bits = P_CTR_W;
    c.pc_threshold = lock_below(l, 1U << P_CTR_W);
    c.l2_pc_stores = lock_below(l, 1U << P_CTR_W);
    c.pc_init = lock_below(l, 1U << P_CTR_W);
    c.pc_sample = lock_chance(l, 10) ? 0 : 1 + lock_below(l, most[lock_below(l, 5)]);
    if (lock_chance(l, 10)) { /* reached only if nearly all loads are dead */
        c.pc_sample = 1024 - lock_below(l, 2);
        c.pc_threshold = 0;
    }
    byw_l2_pc_bypass_release(&t->unit);
    *t = (struct test){.p = p};
    if (byw_l2_pc_bypass_init(&t->unit, &c, P_SETS, P_WAYS) != BYW_OK)
        lock_fail(l, "memory", 1, 0);
    dut_put(l->dut, p.threshold, c.pc_threshold);
    dut_put(l->dut, p.store_threshold, c.l2_pc_stores);
    dut_put(l->dut, p.initial, c.pc_init);
    dut_put(l->dut, p.sample, c.pc_sample);
    dut_put(l->dut, p.rst, 1);
    dut_eval(l->dut);
    dut_tick(l->dut);
    dut_put(l->dut, p.rst, 0);
    new_phase(l, t);
}

static struct act draw(struct lock *l, const struct test *t)
{
    struct act a = {.hash = (uint16_t)lock_below(l, t->hashes), .way = lock_below(l, P_WAYS)};
    bool known = t->known[t->set * P_WAYS + a.way];

    a.traced = lock_chance(l, t->traced);
    a.store = lock_chance(l, 30);
    if (!t->read || lock_chance(l, 15))
        return a;
    a.reuse = known && lock_chance(l, t->reuses);
    a.asked = !a.reuse && a.traced && lock_chance(l, 90);
    a.take = !a.reuse && lock_chance(l, 70);
    a.evict = a.take && known && lock_chance(l, t->evicts);
    return a;
}

static void compare(struct lock *l, const struct test *t, uint16_t hash,
                    const struct byw_l2_pc_guess *guess)
{
    lock_same(l, "counter", t->unit.table.counter[hash], dut_get(l->dut, t->p.counter));
    lock_same(l, "dead", guess->dead, dut_get(l->dut, t->p.dead));
    lock_same(l, "sampled", guess->sampled, dut_get(l->dut, t->p.sampled));
    lock_same(l, "overruled", guess->overruled, dut_get(l->dut, t->p.overruled));
    lock_same(l, "bypass", guess->bypass, dut_get(l->dut, t->p.bypass));
}

static void note(const struct test *t, const struct act *a, const struct byw_l2_pc_guess *guess,
                 struct met *met)
{
    const struct byw_l2_pc_line *line = &t->unit.line[t->set * P_WAYS + a->way];

    met->bypass += a->asked && guess->bypass;
    met->stores += a->asked && a->store && guess->bypass;
    met->sampled += a->asked && guess->sampled;
    met->overruled += a->asked && guess->overruled;
    met->top += a->evict && line->traced && t->unit.table.counter[line->hash] == t->unit.table.max;
    met->bottom += a->reuse && a->traced && line->traced && t->unit.table.counter[line->hash] == 0;
    met->untraced += (a->evict || (a->reuse && a->traced)) && !line->traced;
}

static void apply(struct test *t, const struct act *a, const struct byw_l2_pc_guess *guess)
{
    uint32_t line = t->set * P_WAYS + a->way;

    if (a->asked)
        byw_l2_pc_bypass_accept(&t->unit, guess);
    if (a->reuse)
        byw_l2_pc_bypass_reuse(&t->unit, line, a->traced, a->hash);
    if (a->take) {
        byw_l2_pc_bypass_take(&t->unit, line, a->evict, a->traced, a->hash);
        t->known[line] = true;
    }
}

static void one_cycle(struct lock *l, struct test *t, struct met *met)
{
    struct act a = draw(l, t);
    struct byw_l2_pc_guess guess = byw_l2_pc_bypass_ask(&t->unit, t->set, a.store, a.hash);
    bool read = !t->read || lock_chance(l, 60);
    uint32_t next = lock_chance(l, 50) ? t->set : lock_below(l, P_SETS);

    dut_put(l->dut, t->p.rd_en, read);
    dut_put(l->dut, t->p.rd_set, next);
    dut_put(l->dut, t->p.set, t->set);
    dut_put(l->dut, t->p.hash, a.hash);
    dut_put(l->dut, t->p.store, a.store);
    dut_put(l->dut, t->p.asked, a.asked);
    dut_put(l->dut, t->p.reuse, a.reuse);
    dut_put(l->dut, t->p.take, a.take);
    dut_put(l->dut, t->p.evict, a.evict);
    dut_put(l->dut, t->p.way, a.way);
    dut_put(l->dut, t->p.traced, a.traced);
    dut_eval(l->dut);
    compare(l, t, a.hash, &guess);
    note(t, &a, &guess, met);
    dut_tick(l->dut);
    apply(t, &a, &guess);
    met->fresh += a.take && read && next == t->set;
    met->again += a.take && !read;
    if (read) {
        t->read = true;
        t->set = next;
    }
}

/* Reads every counter and, if there are leaders, some sets; no clock edge. */
static void sweep(struct lock *l, const struct test *t)
{
    uint32_t i;

    for (i = 0; i < P_ENTRIES; i++) {
        uint32_t set = i * 7 % P_SETS;
        bool store = i % 3 == 0;
        struct byw_l2_pc_guess guess = byw_l2_pc_bypass_ask(&t->unit, set, store, (uint16_t)i);

        dut_put(l->dut, t->p.set, set);
        dut_put(l->dut, t->p.hash, i);
        dut_put(l->dut, t->p.store, store);
        dut_eval(l->dut);
        compare(l, t, (uint16_t)i, &guess);
    }
}

static void leaders(struct lock *l, const struct byw_l2_pc_bypass *unit)
{
    uint32_t set, count = 0;

    for (set = 0; set < P_SETS; set++)
        count += byw_l2_pc_bypass_leads(unit, set);
    lock_same(l, "leaders", P_SETS >= BYW_L2_PC_LEADING_SETS_MIN ? BYW_L2_PC_LEADERS : 0, count);
}

static int pass(struct lock *l, const struct met *met)
{
    lock_met(l, "no access was to bypass", met->bypass);
    lock_met(l, "no store was to bypass", met->stores);
    lock_met(l, "no dead access was sampled", met->sampled);
    if (P_SETS >= BYW_L2_PC_LEADING_SETS_MIN)
        lock_met(l, "no dead access was overruled", met->overruled);
    lock_met(l, "no counter stayed at its top", met->top);
    lock_met(l, "no counter stayed at 0", met->bottom);
    lock_met(l, "no line without a PC came up", met->untraced);
    lock_met(l, "no set was read while it was written", met->fresh);
    lock_met(l, "no two accesses followed one read", met->again);
    return lock_pass(l, ", %" PRIu64 " bypass, %" PRIu64 " sampled, %" PRIu64 " overruled",
                     met->bypass, met->sampled, met->overruled);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 200000);
    struct test t = {.p = find_ports(l.dut)};
    struct met met = {.bypass = 0};
    int result;

    restart(&l, &t);
    leaders(&l, &t.unit);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (t.left-- == 0) {
            sweep(&l, &t);
            if (lock_chance(&l, 30))
                restart(&l, &t);
            else
                new_phase(&l, &t);
        }
        one_cycle(&l, &t, &met);
    }
    sweep(&l, &t);
    result = pass(&l, &met);
    byw_l2_pc_bypass_release(&t.unit);
    return result;
}
