/* SPDX-License-Identifier: Apache-2.0
 *
 * prove_duel - byw_sm_duel.v equals byw_sm_duel.c over every possible sample of COUNT_W + 1 cycles:
 * every sequence of events of two leaders (nothing, hit, miss, bypass per cycle), from both
 * decisions, by miss rates and by loads.  In every second setting, a hold with the same pulses
 * follows each sample.  The seed chooses the settings: margin, whether a bypass counts, whether the
 * leaders follow during a hold.
 */
#include "cosim/lock.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_sm_duel.h"

enum { WINDOW = P_COUNT_W + 1, DOES = 4 };

struct ports {
    uint32_t load, miss, bypass, on, leading, votes, cycle;
};

/* Bit 0 load, 1 miss, 2 bypass. */
static const uint8_t does[DOES] = {0, 1, 3, 5};

static uint32_t events(uint32_t what)
{
    return (uint32_t)(what & 1) << BYW_EV_LOAD | (what >> 1 & 1) << BYW_EV_MISS |
           (what >> 2 & 1) << BYW_EV_BYPASS;
}

static void cycle(struct lock *l, const struct ports *p, struct byw_sm_duel *duel, uint32_t both)
{
    uint32_t what0 = does[both % DOES], what1 = does[both / DOES % DOES];

    dut_put(l->dut, p->load, (what0 & 1) | (what1 & 1) << 1);
    dut_put(l->dut, p->miss, (what0 >> 1 & 1) | (what1 >> 1 & 1) << 1);
    dut_put(l->dut, p->bypass, (what0 >> 2 & 1) | (what1 >> 2 & 1) << 1);
    dut_eval(l->dut);
    lock_same(l, "on", duel->on, dut_get(l->dut, p->on));
    lock_same(l, "leading", byw_sm_duel_filter(duel, 0) && !byw_sm_duel_filter(duel, 1),
              dut_get(l->dut, p->leading));
    lock_same(l, "votes", duel->votes, dut_get(l->dut, p->votes));
    lock_same(l, "cycle", duel->cycle, dut_get(l->dut, p->cycle));
    dut_tick(l->dut);
    byw_sm_duel_count(duel, 0, events(what0));
    byw_sm_duel_count(duel, 1, events(what1));
    byw_sm_duel_tick(duel, 1);
    l->cycle++;
}

static void start(struct lock *l, struct byw_sm_duel *duel, bool on, bool by_loads)
{
    static const uint32_t margins[] = {50, 0, 10, 33};
    struct byw_config c;

    byw_config_defaults(&c);
    c.duel_interval = WINDOW;
    c.duel_hold = l->seed % 2 == 0 ? 2 : 0;
    c.duel_follow = l->seed % 4 < 2;
    c.duel_compare = by_loads;
    c.duel_margin = margins[l->seed % 4];
    c.duel_min = 1;
    c.duel_hyst = l->seed % 4 == 3 ? 2 : 1;
    c.duel_byp_miss = l->seed % 4 < 2;
    c.duel_init = on;
    byw_sm_duel_init(duel, &c);
    dut_put(l->dut, dut_port(l->dut, "interval_i"), c.duel_interval);
    dut_put(l->dut, dut_port(l->dut, "hold_i"), c.duel_hold);
    dut_put(l->dut, dut_port(l->dut, "all_follow_i"), c.duel_follow);
    dut_put(l->dut, dut_port(l->dut, "by_loads_i"), c.duel_compare);
    dut_put(l->dut, dut_port(l->dut, "margin_i"), c.duel_margin);
    dut_put(l->dut, dut_port(l->dut, "min_accesses_i"), c.duel_min);
    dut_put(l->dut, dut_port(l->dut, "hysteresis_i"), c.duel_hyst);
    dut_put(l->dut, dut_port(l->dut, "bypass_is_miss_i"), c.duel_byp_miss);
    dut_put(l->dut, dut_port(l->dut, "initial_on_i"), on);
    dut_put(l->dut, dut_port(l->dut, "restart_i"), 0);
    dut_put(l->dut, dut_port(l->dut, "rst_i"), 1);
    dut_eval(l->dut);
    dut_tick(l->dut);
    dut_put(l->dut, dut_port(l->dut, "rst_i"), 0);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 0);
    const struct ports p = {
        .load = dut_port(l.dut, "load_i"),
        .miss = dut_port(l.dut, "miss_i"),
        .bypass = dut_port(l.dut, "bypass_i"),
        .on = dut_port(l.dut, "on_o"),
        .leading = dut_port(l.dut, "leading_o"),
        .votes = dut_port(l.dut, "votes_o"),
        .cycle = dut_port(l.dut, "cycle_o"),
    };
    uint64_t windows = UINT64_C(1) << 4 * WINDOW, n, turns[2] = {0, 0};
    struct byw_sm_duel duel;
    uint32_t way, i;

    for (way = 0; way < 4; way++) {
        start(&l, &duel, way % 2 != 0, way / 2 != 0);
        for (n = 0; n < windows; n++) {
            bool before = duel.on;

            for (i = 0; i < WINDOW + duel.hold; i++)
                cycle(&l, &p, &duel, (uint32_t)(n >> 4 * (i % WINDOW)));
            turns[before] += duel.on != before;
        }
    }
    lock_same(&l, "turns both ways", 1, turns[0] != 0 && turns[1] != 0);
    l.cycles = l.cycle;
    return lock_pass(&l, " in %" PRIu64 " windows, all there are, from both decisions", windows);
}
