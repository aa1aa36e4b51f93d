/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_pc_pred - byw_pc_pred.v against byw_pc_pred.c: the prediction for a PC in every cycle,
 * all counters from time to time, PSEL. Two stages as in the L1D: a set is read, then its decision
 * waits until it is accepted. With a small pool of PCs several updates meet in one counter; sets
 * often repeat, so that a hash is read while it is written. With the look stage (P_LOOK) the
 * counter is read together with the set. In some phases steps use up every update slot, so that no
 * report is trained and their queue fills.
 */
#include "cosim/lock.h"
#include "policy/byw_pc_pred.h"

enum { LINES = P_SETS * P_WAYS, POOL = 24 };

struct test {
    struct byw_pc_pred pred;
    bool line_known[LINES], miss_known[P_MSHRS], bypass_known[P_TRACKERS];
    uint32_t pc[POOL], pcs;
    uint32_t up, down; /* percent: decisions that evict; decisions that reuse, and reports */
    bool turns; /* evictions and reuses alternate, and each cycle has a report */
    bool s2_valid;
    uint32_t s2_set;
    struct byw_pc_guess s2_read; /* P_LOOK: the counter's value at that time */
    uint32_t left; /* cycles left in the phase */
};

struct met {
    uint64_t sampled, overruled, hot, bypass, top, bottom, same, fresh, waited, forgotten;
};

/* Actions of one cycle. */
struct act {
    uint32_t pc;
    struct byw_pc_guess guess;
    bool accept, asked, evict, reuse, take, miss_take, bypass_take, fill_report, bypass_report;
    uint32_t way, miss_id, bypass_id, fill_id, bypass_rsp_id;
    bool read;
    uint32_t read_set;
};

static void put(struct lock *l, const char *port, uint64_t value)
{
    dut_put(l->dut, dut_port(l->dut, port), value);
}

static uint64_t get(struct lock *l, const char *port)
{
    return dut_get(l->dut, dut_port(l->dut, port));
}

static void new_phase(struct lock *l, struct test *t)
{
    uint32_t i;

    t->left = 200 + lock_below(l, 3000);
    t->turns = lock_chance(l, 10);
    t->pcs = t->turns ? 1 : 1 + lock_below(l, POOL);
    t->up = lock_below(l, 101);
    t->down = lock_below(l, 101);
    for (i = 0; i < POOL; i++)
        t->pc[i] = byw_rng_next(&l->rng) & UINT32_MAX;
}

/* New settings, and a reset during any pulse, including an update. Resets often follow each other
 * closely, since a reset has an effect while counters are being cleared. */
static void restart(struct lock *l, struct test *t)
{
    static const uint32_t samples[] = {0, 1, 2, 32, 1000, 1024}; /* otherwise any value */
    struct byw_config c;

    byw_config_defaults(&c);
    c.pc_on = 1;
    c.pc_duel = P_SETS >= BYW_SET_DUEL_MIN_SETS && lock_chance(l, 50);
    c.pc_prior = lock_below(l, 2);
    c.pc_entries = P_ENTRIES;
    c.pc_bits = P_CTR_W;
    c.pc_shift = P_SHIFT;
    c.pc_threshold = lock_below(l, 1U << P_CTR_W);
    c.pc_init = lock_below(l, 1U << P_CTR_W);
    c.pc_sample = lock_chance(l, 50) ? samples[lock_below(l, 6)] : 1 + lock_below(l, 64);
    c.l1d_mshrs = P_MSHRS;
    c.l1d_trackers = P_TRACKERS;
    byw_pc_pred_release(&t->pred);
    *t = (struct test){.left = 0};
    if (byw_pc_pred_init(&t->pred, &c, byw_clog2(P_SETS), LINES) != BYW_OK)
        lock_fail(l, "memory", 1, 0);
    put(l, "duels_i", c.pc_duel);
    put(l, "prior_i", c.pc_prior);
    put(l, "threshold_i", c.pc_threshold);
    put(l, "initial_i", c.pc_init);
    put(l, "sample_i", c.pc_sample);
    put(l, "evict_i", lock_chance(l, 60));
    put(l, "rst_i", 1);
    dut_eval(l->dut);
    dut_tick(l->dut);
    put(l, "rst_i", 0);
    new_phase(l, t);
    if (lock_chance(l, 80))
        t->left = lock_below(l, 40);
}

/* The L1D's accepted decision on the load or store at the decision point. */
static void decide(struct lock *l, const struct test *t, struct act *a)
{
    const bool *known = &t->line_known[t->s2_set * P_WAYS];
    bool store = lock_chance(l, 10);

    a->accept = true;
    a->way = lock_below(l, P_WAYS);
    a->evict = known[a->way] && (t->turns ? l->cycle % 2 == 0 : lock_chance(l, t->up));
    if (store)
        return;
    a->reuse = !a->evict && known[a->way] && (t->turns || lock_chance(l, t->down));
    a->take = !a->reuse && lock_chance(l, 60);
    a->asked = !a->reuse && lock_chance(l, 90);
    a->miss_take = a->take;
    a->miss_id = lock_below(l, P_MSHRS);
    a->bypass_take = !a->reuse && !a->take;
    a->bypass_id = lock_below(l, P_TRACKERS);
}

/* A response to a load other than the accepted one. */
static void report(struct lock *l, const struct test *t, struct act *a)
{
    a->fill_id = lock_below(l, P_MSHRS);
    a->bypass_rsp_id = lock_below(l, P_TRACKERS);
    if (!t->turns && !lock_chance(l, t->down / 2))
        return;
    if (lock_chance(l, 50))
        a->fill_report = t->miss_known[a->fill_id] && !(a->miss_take && a->miss_id == a->fill_id);
    else
        a->bypass_report = t->bypass_known[a->bypass_rsp_id] &&
                           !(a->bypass_take && a->bypass_id == a->bypass_rsp_id);
}

static void put_act(struct lock *l, const struct test *t, const struct act *a)
{
    put(l, "set_i", t->s2_set);
    put(l, "pc_i", a->pc);
    put(l, "rd_en_i", a->read);
    put(l, "rd_set_i", a->read_set);
    put(l, "asked_i", a->asked);
    put(l, "evict_i", a->evict);
    put(l, "reuse_i", a->reuse);
    put(l, "take_i", a->take);
    put(l, "way_i", a->way);
    put(l, "miss_take_i", a->miss_take);
    put(l, "miss_id_i", a->miss_id);
    put(l, "bypass_take_i", a->bypass_take);
    put(l, "bypass_id_i", a->bypass_id);
    put(l, "fill_report_i", a->fill_report);
    put(l, "fill_id_i", a->fill_id);
    put(l, "bypass_report_i", a->bypass_report);
    put(l, "bypass_rsp_id_i", a->bypass_rsp_id);
}

static void compare(struct lock *l, const struct test *t, const struct byw_pc_guess *guess)
{
    if (P_LOOK && !t->s2_valid)
        return;
    lock_same(l, "hash", guess->hash, get(l, "hash_o"));
    lock_same(l, "counter", guess->counter, get(l, "counter_o"));
    lock_same(l, "dead", guess->dead, get(l, "dead_o"));
    lock_same(l, "hot", guess->hot, get(l, "hot_o"));
    lock_same(l, "sampled", guess->sampled, get(l, "sampled_o"));
    lock_same(l, "overruled", guess->overruled, get(l, "overruled_o"));
    lock_same(l, "bypass", byw_pc_guess_bypass(guess), get(l, "bypass_o"));
    if (P_SETS >= BYW_SET_DUEL_MIN_SETS)
        lock_same(l, "psel", t->pred.duel.psel, get(l, "psel_o"));
}

static void note(const struct test *t, const struct act *a, struct met *met)
{
    const struct byw_pc_pred *pred = &t->pred;
    uint32_t line = pred->line[t->s2_set * P_WAYS + a->way];
    uint32_t told = pred->bypass[a->bypass_rsp_id];
    bool steps = a->evict || a->reuse, reports = a->fill_report || a->bypass_report;

    if (a->fill_report)
        told = pred->miss[a->fill_id];
    met->sampled += a->asked && a->guess.sampled;
    met->overruled += a->asked && a->guess.overruled;
    met->hot += a->asked && a->guess.hot;
    met->bypass += a->asked && byw_pc_guess_bypass(&a->guess);
    met->top += a->evict && pred->table.counter[line] == pred->table.max;
    met->bottom += a->reuse && pred->table.counter[line] == 0;
    met->same += steps && reports && line == told;
    met->waited += steps && pred->waiting != 0;
    met->forgotten += reports && pred->waiting == BYW_PC_REPORTS;
    met->fresh += (a->reuse || a->take) && a->read && a->read_set == t->s2_set;
}

/* The clock edge, in the L1D's order: decision, then response. */
static void train(struct test *t, const struct act *a)
{
    struct byw_pc_pred *pred = &t->pred;
    uint32_t base = t->s2_set * P_WAYS;

    if (a->asked)
        byw_pc_pred_accept(pred, t->s2_set, &a->guess);
    if (a->evict)
        byw_pc_pred_evict(pred, base + a->way);
    if (a->reuse)
        byw_pc_pred_reuse(pred, base + a->way, a->guess.hash);
    if (a->take) {
        pred->line[base + a->way] = a->guess.hash;
        t->line_known[base + a->way] = true;
    }
    if (a->fill_report)
        byw_pc_pred_mispredict(pred, pred->miss[a->fill_id]);
    if (a->bypass_report)
        byw_pc_pred_mispredict(pred, pred->bypass[a->bypass_rsp_id]);
    byw_pc_pred_tick(pred);
    if (a->miss_take) {
        pred->miss[a->miss_id] = a->guess.hash;
        t->miss_known[a->miss_id] = true;
    }
    if (a->bypass_take) {
        pred->bypass[a->bypass_id] = a->guess.hash;
        t->bypass_known[a->bypass_id] = true;
    }
}

static void one_cycle(struct lock *l, struct test *t, struct met *met)
{
    struct act a = {.pc = t->pc[lock_below(l, t->pcs)]};

    a.guess = P_LOOK ? t->s2_read : byw_pc_pred_read(&t->pred, a.pc);
    byw_pc_pred_follow(&t->pred, t->s2_set, &a.guess);
    if (t->s2_valid && (t->turns || lock_chance(l, 80)))
        decide(l, t, &a);
    report(l, t, &a);
    a.read = (a.accept || !t->s2_valid) && (t->turns || lock_chance(l, 85));
    a.read_set = lock_chance(l, 40) ? t->s2_set : lock_below(l, P_SETS);
    put_act(l, t, &a);
    dut_eval(l->dut);
    compare(l, t, &a.guess);
    note(t, &a, met);
    dut_tick(l->dut);
    if (a.read)
        t->s2_read = byw_pc_pred_read(&t->pred, a.pc);
    train(t, &a);
    if (a.accept)
        t->s2_valid = false;
    if (a.read) {
        t->s2_valid = true;
        t->s2_set = a.read_set;
    }
}

/* Reads every counter, through a PC whose hash is its number; no clock edge. */
static void sweep(struct lock *l, const struct test *t)
{
    uint32_t i;

    if (P_LOOK) /* a read needs a clock edge */
        return;
    for (i = 0; i < P_ENTRIES; i++) {
        struct byw_pc_guess guess = byw_pc_pred_ask(&t->pred, t->s2_set, i << P_SHIFT);

        put(l, "set_i", t->s2_set);
        put(l, "pc_i", (uint64_t)i << P_SHIFT);
        dut_eval(l->dut);
        compare(l, t, &guess);
    }
}

static int pass(struct lock *l, const struct met *met)
{
    lock_met(l, "no dead load was sampled", met->sampled);
    if (P_SETS >= BYW_SET_DUEL_MIN_SETS)
        lock_met(l, "no dead load was overruled", met->overruled);
    lock_met(l, "no load was hot", met->hot);
    lock_met(l, "no load was to bypass", met->bypass);
    lock_met(l, "no counter stayed at its top", met->top);
    lock_met(l, "no counter stayed at 0", met->bottom);
    lock_met(l, "no decision and report met in one counter", met->same);
    lock_met(l, "no report waited", met->waited);
    lock_met(l, "no report was forgotten", met->forgotten);
    lock_met(l, "no set was read while it was written", met->fresh);
    return lock_pass(l, ", %" PRIu64 " bypass, %" PRIu64 " sampled, %" PRIu64 " reports forgotten",
                     met->bypass, met->sampled, met->forgotten);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 150000);
    struct test t = {.left = 0};
    struct met met = {0};
    int result;

    restart(&l, &t);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (t.left-- == 0) {
            sweep(&l, &t);
            if (lock_chance(&l, 60))
                restart(&l, &t);
            else
                new_phase(&l, &t);
        }
        one_cycle(&l, &t, &met);
    }
    sweep(&l, &t);
    result = pass(&l, &met);
    byw_pc_pred_release(&t.pred);
    return result;
}
