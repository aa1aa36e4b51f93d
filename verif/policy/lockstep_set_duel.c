/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_set_duel - byw_set_duel.v against byw_set_duel_second() and byw_set_duel_miss(): PSEL
 * and the policy of a set in every cycle. In some phases the leaders of one policy miss more often,
 * which drives PSEL to either end.
 */
#include "cosim/lock.h"
#include "record/byw_set_duel.h"

struct met {
    uint64_t top, bottom, first, second;
};

/* Draws a set, usually a leader; `percent`: share of leaders of the second policy. */
static uint32_t pick_set(struct lock *l, const struct byw_set_duel *duel, uint32_t percent)
{
    bool any = lock_chance(l, 30), second = lock_chance(l, percent);
    enum byw_set_role want = second ? BYW_SET_LEADS_SECOND : BYW_SET_LEADS_FIRST;
    uint32_t set = lock_below(l, P_SETS);

    while (!any && byw_set_duel_role(duel, set) != want)
        set = (set + 1) % P_SETS;
    return set;
}

static void one_cycle(struct lock *l, struct byw_set_duel *duel, uint32_t percent, struct met *met)
{
    uint32_t set = pick_set(l, duel, percent);
    bool miss = lock_chance(l, 80), second = byw_set_duel_second(duel, set);

    dut_put(l->dut, dut_port(l->dut, "set_i"), set);
    dut_put(l->dut, dut_port(l->dut, "miss_i"), miss);
    dut_eval(l->dut);
    lock_same(l, "second", second, dut_get(l->dut, dut_port(l->dut, "second_o")));
    lock_same(l, "psel", duel->psel, dut_get(l->dut, dut_port(l->dut, "psel_o")));
    if (miss) {
        enum byw_set_role role = byw_set_duel_role(duel, set);

        met->top += duel->psel == BYW_PSEL_MAX && role == BYW_SET_LEADS_FIRST;
        met->bottom += duel->psel == 0 && role == BYW_SET_LEADS_SECOND;
        met->first += role == BYW_SET_FOLLOWS && !second;
        met->second += role == BYW_SET_FOLLOWS && second;
        byw_set_duel_miss(duel, set);
    }
    dut_tick(l->dut);
}

static void reset(struct lock *l, struct byw_set_duel *duel)
{
    uint32_t set_bits = byw_clog2(P_SETS);

    dut_put(l->dut, dut_port(l->dut, "rst_i"), 1);
    dut_eval(l->dut);
    dut_tick(l->dut);
    dut_put(l->dut, dut_port(l->dut, "rst_i"), 0);
    byw_set_duel_init(duel, set_bits);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 200000);
    struct byw_set_duel duel;
    struct met met = {0};
    uint32_t percent = 50, left = 0;

    reset(&l, &duel);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (left-- == 0) {
            static const uint32_t percents[] = {0, 30, 45, 50, 55, 70, 100};

            left = lock_below(&l, 2000);
            percent = percents[lock_below(&l, 7)];
            if (lock_chance(&l, 5))
                reset(&l, &duel);
        }
        one_cycle(&l, &duel, percent, &met);
    }
    lock_met(&l, "PSEL never stayed at its top", met.top);
    lock_met(&l, "PSEL never stayed at 0", met.bottom);
    lock_met(&l, "no other set worked by the first policy", met.first);
    lock_met(&l, "no other set worked by the second policy", met.second);
    return lock_pass(&l, ", %" PRIu64 " at the top, %" PRIu64 " at 0", met.top, met.bottom);
}
