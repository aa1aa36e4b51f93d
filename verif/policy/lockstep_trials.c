/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_trials - byw_trials.v against byw_trials.c: the commands to the cache and the pulses, in
 * every cycle. Phases differ in reuse, in runs of loads of one warp, and in speed: the speed of
 * each mode is drawn anew, sometimes so that both sides are equal or exactly at the margin, so that
 * either side, or caching, wins.
 */
#include "cosim/lock.h"
#include "policy/byw_trials.h"

static const struct byw_trial_rules rules = {
    .window = P_WINDOW,
    .reuse_pct = P_REUSE_PCT,
    .confirm = P_CONFIRM,
    .windows = P_WINDOWS,
    .margin_pct = P_MARGIN_PCT,
    .overtime_pct = P_OVERTIME_PCT,
    .rest = P_REST,
    .doublings = P_DOUBLINGS,
    .line_window = P_LINE_WINDOW,
    .line_reuse_pct = P_LINE_REUSE_PCT,
    .run_pct = P_RUN_PCT,
};

struct ports {
    uint32_t rst, restart, enter, warp, load, reused, protect, stall, by_warp, events;
};

struct phase {
    uint32_t left; /* cycles left in the phase */
    uint32_t reused, follows; /* percent */
    uint32_t gap[BYW_TRIAL_MODES]; /* cycles between loads, plus jitter */
    uint32_t jitter;
};

struct met {
    uint64_t starts, protect, relieve, failed, by_warp, no_line, saturated, ties;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .restart = dut_port(d, "restart_i"),
        .enter = dut_port(d, "enter_i"),
        .warp = dut_port(d, "enter_warp_i"),
        .load = dut_port(d, "load_i"),
        .reused = dut_port(d, "reused_i"),
        .protect = dut_port(d, "protect_o"),
        .stall = dut_port(d, "stall_o"),
        .by_warp = dut_port(d, "by_warp_o"),
        .events = dut_port(d, "events_o"),
    };
}

static uint32_t near(struct lock *l, uint32_t percent)
{
    uint32_t drawn = percent + 15 - lock_below(l, 31);

    return lock_chance(l, 50) ? lock_below(l, 101) : drawn > 100 ? 100 : drawn;
}

static struct phase new_phase(struct lock *l)
{
    struct phase ph = {
        .left = 1 + lock_below(l, 40 * P_WINDOW * (P_WINDOWS + P_CONFIRM)),
        .reused = near(l, P_REUSE_PCT / 2),
        .follows = near(l, P_RUN_PCT),
        .jitter = lock_chance(l, 60) ? 0 : 3,
    };
    uint32_t longest = P_CYCLE_W < 12 && lock_chance(l, 10) ? 2 << P_CYCLE_W : 24;

    for (uint32_t mode = 0; mode < BYW_TRIAL_MODES; mode++)
        ph.gap[mode] = 1 + lock_below(l, lock_chance(l, 80) ? 6 : longest);
    if (lock_chance(l, 40))
        ph.gap[BYW_TRIAL_RELIEVE] = ph.gap[BYW_TRIAL_PROTECT];
    if (lock_chance(l, 60)) /* a trial that does not end by overtime */
        ph.gap[BYW_TRIAL_CACHE] = ph.gap[BYW_TRIAL_PROTECT] + lock_below(l, 2);
    return ph;
}

static void compare(struct lock *l, const struct ports *p, const struct byw_trials *t,
                    struct met *met)
{
    lock_same(l, "protect", t->mode == BYW_TRIAL_PROTECT, dut_get(l->dut, p->protect));
    lock_same(l, "stall", byw_trials_stall(t), dut_get(l->dut, p->stall));
    lock_same(l, "by_warp", byw_trials_by_warp(t), dut_get(l->dut, p->by_warp));
    met->by_warp += byw_trials_by_warp(t);
    met->no_line += t->mode == BYW_TRIAL_CACHE && !t->line_bypass;
    met->saturated += t->cycles == t->cycles_max;
}

/* One cycle of the C side; returns its pulses. */
static uint32_t step(struct byw_trials *t, bool enters, uint8_t warp, bool load, bool reused,
                     struct met *met)
{
    uint32_t events = 0;
    bool trying = t->trying, relieving = t->mode == BYW_TRIAL_RELIEVE;
    uint32_t sum = t->sum + t->cycles;

    if (load)
        events = byw_trials_load(t, reused);
    if (enters)
        byw_trials_enter(t, warp);
    byw_trials_tick(t, 1);
    met->starts += events >> BYW_TRIAL_EV_START & 1;
    met->protect += events >> BYW_TRIAL_EV_PROTECT & 1;
    met->relieve += events >> BYW_TRIAL_EV_RELIEVE & 1;
    met->failed += trying && !t->trying && events == 0;
    met->ties +=
        trying && !t->trying && relieving && 100 * t->protecting == (100 + P_MARGIN_PCT) * sum;
    return events;
}

static void forget(struct lock *l, const struct ports *p, struct byw_trials *t, bool rst)
{
    dut_put(l->dut, p->rst, rst);
    dut_put(l->dut, p->restart, !rst);
    dut_put(l->dut, p->enter, 0);
    dut_put(l->dut, p->load, 0);
    dut_eval(l->dut);
    dut_tick(l->dut);
    dut_put(l->dut, p->rst, 0);
    dut_put(l->dut, p->restart, 0);
    if (rst)
        byw_trials_reset(t);
    else
        byw_trials_restart(t);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 400000);
    struct ports p = find_ports(l.dut);
    struct byw_trials t;
    struct phase ph = {0};
    struct met met = {0};
    uint32_t gap = 0;
    uint8_t warp = 0;

    byw_trials_init(&t, &rules, P_CYCLE_W);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        bool load, enters, reused, stays = t.mode != BYW_TRIAL_CACHE && !t.trying;

        if (l.cycle == 0 || lock_below(&l, stays ? 300 : 30000) == 0)
            forget(&l, &p, &t, l.cycle == 0 || lock_chance(&l, 50));
        if (ph.left-- == 0)
            ph = new_phase(&l);
        gap = gap == 0 ? 0 : gap - 1;
        load = t.entered != 0 && gap == 0;
        if (load)
            gap = ph.gap[t.mode] + (ph.jitter == 0 ? 0 : lock_below(&l, ph.jitter));
        enters = t.entered < BYW_TRIAL_ENTERED && lock_chance(&l, 80);
        if (!lock_chance(&l, ph.follows))
            warp = (uint8_t)lock_below(&l, 1 << P_WARP_W);
        reused = lock_chance(&l, ph.reused);
        dut_put(l.dut, p.enter, enters);
        dut_put(l.dut, p.warp, warp);
        dut_put(l.dut, p.load, load);
        dut_put(l.dut, p.reused, reused);
        dut_eval(l.dut);
        compare(&l, &p, &t, &met);
        lock_same(&l, "events", step(&t, enters, warp, load, reused, &met),
                  dut_get(l.dut, p.events));
        dut_tick(l.dut);
    }
    lock_met(&l, "a trial", met.starts);
    lock_met(&l, "protecting won", met.protect);
    lock_met(&l, "relieving won", met.relieve);
    lock_met(&l, "a trial that took too long", met.failed);
    lock_met(&l, "loads that wait by warp", met.by_warp);
    lock_met(&l, "caching without the bypass of sets all pending", met.no_line);
    if (P_CYCLE_W < 12)
        lock_met(&l, "a window of more cycles than are counted", met.saturated);
    return lock_pass(&l,
                     ", %" PRIu64 " trials: %" PRIu64 " protect, %" PRIu64 " relieve, %" PRIu64
                     " cache, %" PRIu64 " at the margin",
                     met.starts, met.protect, met.relieve, met.failed, met.ties);
}
