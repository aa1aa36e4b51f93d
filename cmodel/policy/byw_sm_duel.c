/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_sm_duel.h"

#include "l1d/byw_l1d.h"

void byw_sm_duel_init(struct byw_sm_duel *duel, const struct byw_config *config)
{
    *duel = (struct byw_sm_duel){
        .interval = config->duel_interval,
        .margin_pct = config->duel_margin,
        .min_accesses = config->duel_min != 0 ? config->duel_min : 1,
        .hysteresis = config->duel_hyst,
        .bypass_is_miss = config->duel_byp_miss != 0,
        .on = config->duel_init != 0,
    };
}

void byw_sm_duel_count(struct byw_sm_duel *duel, uint32_t leader, uint32_t events)
{
    bool load = (events >> BYW_EV_LOAD & 1) != 0;
    bool miss = (events >> BYW_EV_MISS & 1) != 0;
    bool bypass = (events >> BYW_EV_BYPASS & 1) != 0;

    if (!load || (bypass && !duel->bypass_is_miss))
        return;
    duel->accesses[leader]++;
    duel->misses[leader] += miss || bypass;
}

static void decide(struct byw_sm_duel *duel)
{
    int64_t a0 = duel->accesses[0], a1 = duel->accesses[1];
    int64_t m0 = duel->misses[0], m1 = duel->misses[1];
    bool vote;

    if (a0 < (int64_t)duel->min_accesses || a1 < (int64_t)duel->min_accesses)
        return;
    vote = !(100 * (m0 * a1 - m1 * a0) > (int64_t)duel->margin_pct * a0 * a1);
    if (vote == duel->on) {
        duel->votes = 0;
        return;
    }
    duel->votes++;
    if (duel->votes >= duel->hysteresis) {
        duel->on = vote;
        duel->votes = 0;
    }
}

uint64_t byw_sm_duel_tick(struct byw_sm_duel *duel, uint64_t cycles)
{
    uint32_t left = duel->interval - duel->cycle;
    uint32_t i;

    if (cycles < left) {
        duel->cycle += (uint32_t)cycles;
        return cycles;
    }
    decide(duel);
    duel->cycle = 0;
    for (i = 0; i < BYW_DUEL_LEADERS; i++)
        duel->accesses[i] = duel->misses[i] = 0;
    return left;
}
