/* SPDX-License-Identifier: Apache-2.0
 *
 * prove_trial - byw_trial_rule.v judges as byw_trials.c does, for every input of a small width.
 */
#include "cosim/lock.h"
#include "policy/byw_trials.h"

static const struct byw_trial_rules rules = {
    .window = P_WINDOW,
    .reuse_pct = P_REUSE_PCT,
    .refused_pct = P_REFUSED_PCT,
    .windows = P_WINDOWS,
    .margin_pct = P_MARGIN_PCT,
    .overtime_pct = P_OVERTIME_PCT,
};

/* What a window asks for, and whether it is late. */
static void prove_windows(struct lock *l)
{
    uint32_t reused_i = dut_port(l->dut, "reused_i"), refused_i = dut_port(l->dut, "refused_i");
    uint32_t cycles_i = dut_port(l->dut, "cycles_i"), cached_i = dut_port(l->dut, "cached_i");
    uint32_t asks = dut_port(l->dut, "asks_o"), late = dut_port(l->dut, "late_o");
    uint32_t cycles = 1 << P_CYCLE_W;

    for (uint32_t i = 0; i < cycles * cycles * (P_WINDOW + 1); i++, l->cycle++) {
        uint32_t a = i % cycles, b = i / cycles % cycles, reused = i / cycles / cycles;

        dut_put(l->dut, reused_i, reused);
        dut_put(l->dut, refused_i, a);
        dut_put(l->dut, cycles_i, b);
        dut_put(l->dut, cached_i, a);
        dut_eval(l->dut);
        lock_same(l, "asks", byw_trial_asks(&rules, reused, a, b), dut_get(l->dut, asks));
        lock_same(l, "late", byw_trial_late(&rules, b, a), dut_get(l->dut, late));
    }
}

/* Which side wins, and whether it does over caching. */
static void prove_sides(struct lock *l)
{
    uint32_t protecting_i = dut_port(l->dut, "protecting_i");
    uint32_t relieving_i = dut_port(l->dut, "relieving_i");
    uint32_t cached_i = dut_port(l->dut, "cached_i");
    uint32_t protects_o = dut_port(l->dut, "protects_o"), wins_o = dut_port(l->dut, "wins_o");
    uint32_t cycles = 1 << P_CYCLE_W, sums = cycles * (P_WINDOWS - P_WINDOWS / 2);

    for (uint32_t i = 0; i < sums * sums * cycles; i++, l->cycle++) {
        uint32_t protecting = i % sums, relieving = i / sums % sums, cached = i / sums / sums;
        bool protects = byw_trial_protects(&rules, protecting, relieving);

        dut_put(l->dut, protecting_i, protecting);
        dut_put(l->dut, relieving_i, relieving);
        dut_put(l->dut, cached_i, cached);
        dut_eval(l->dut);
        lock_same(l, "protects", protects, dut_get(l->dut, protects_o));
        lock_same(l, "wins", byw_trial_wins(&rules, protects ? protecting : relieving, cached),
                  dut_get(l->dut, wins_o));
    }
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 0);

    prove_windows(&l);
    prove_sides(&l);
    l.cycles = l.cycle;
    return lock_pass(&l, ", all there are");
}
