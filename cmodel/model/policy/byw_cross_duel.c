/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_cross_duel.h"

#include <string.h>

#include "record/byw_events.h"

void byw_cross_duel_init(struct byw_cross_duel *duel, const struct byw_config *config)
{
    *duel = (struct byw_cross_duel){
        .interval = config->duel_interval,
        .settle = config->duel_settle,
        .hold = config->duel_hold,
        .min_loads = config->duel_min,
        .margin_pct = config->duel_margin,
        .speedup_pct = config->duel_speedup,
        .noise = config->duel_noise,
        .hysteresis = config->duel_hyst,
        .on = config->duel_init != 0,
        .votes = config->duel_hyst,
        .leader = {0, 1},
    };
}

bool byw_cross_duel_filter(const struct byw_cross_duel *duel, uint32_t sm)
{
    if (!duel->holding && sm == duel->leader[0])
        return !duel->second;
    if (!duel->holding && sm == duel->leader[1])
        return duel->second;
    return duel->on;
}

void byw_cross_duel_count(struct byw_cross_duel *duel, uint32_t sm, uint32_t events)
{
    bool counts = !duel->holding && duel->cycle >= duel->settle;
    bool missed = (events >> BYW_EV_MISS & 1) != 0 || (events >> BYW_EV_BYPASS & 1) != 0;
    enum byw_cross_side side;

    if ((events >> BYW_EV_LOAD & 1) == 0)
        return;
    if (!duel->worked[sm])
        duel->worked[sm] = true;
    if (!counts || (sm != duel->leader[0] && sm != duel->leader[1]))
        return;
    side = byw_cross_duel_filter(duel, sm) ? BYW_CROSS_FILTER : BYW_CROSS_CACHE;
    duel->loads[side]++;
    duel->hits[side] += !missed;
}

enum byw_cross_vote byw_cross_duel_vote(const struct byw_cross_duel *duel)
{
    int64_t filtered = duel->loads[BYW_CROSS_FILTER], cached = duel->loads[BYW_CROSS_CACHE];
    int64_t lost = (int64_t)duel->hits[BYW_CROSS_CACHE] - duel->hits[BYW_CROSS_FILTER];
    int64_t noise = duel->noise;

    if (filtered + cached < duel->min_loads)
        return BYW_CROSS_NONE;
    if (100 * (lost - noise) > duel->margin_pct * cached)
        return BYW_CROSS_AGAINST;
    if (100 * (filtered - cached - 2 * noise) > duel->speedup_pct * cached)
        return BYW_CROSS_FOR;
    return BYW_CROSS_AGAINST;
}

/* The next sample begins, with the two lowest-numbered SMs that worked as its leaders. */
static void begin_sample(struct byw_cross_duel *duel)
{
    uint32_t found = 0, leader[2] = {0, BYW_CROSS_NOBODY};

    for (uint32_t sm = 0; sm < BYW_CROSS_SMS && found < 2; sm++)
        if (duel->worked[sm])
            leader[found++] = sm;
    if (found != 0)
        memcpy(duel->leader, leader, sizeof(leader));
    memset(duel->worked, 0, sizeof(duel->worked));
    duel->holding = false;
    duel->second = false;
    duel->cycle = 0;
}

static void end_sample(struct byw_cross_duel *duel)
{
    duel->pending = byw_cross_duel_vote(duel);
    duel->coming = BYW_CROSS_LATE;
    memset(duel->loads, 0, sizeof(duel->loads));
    memset(duel->hits, 0, sizeof(duel->hits));
    if (duel->hold == 0) {
        begin_sample(duel);
        return;
    }
    duel->holding = true;
    duel->second = false;
    duel->cycle = 0;
}

static void take_vote(struct byw_cross_duel *duel)
{
    bool against = (duel->pending == BYW_CROSS_FOR) != duel->on;

    if (duel->pending == BYW_CROSS_NONE)
        return;
    if (!against) {
        duel->votes -= duel->votes != 0;
    } else if (duel->votes + 1 < 2 * duel->hysteresis) {
        duel->votes++;
    } else {
        duel->on = !duel->on;
        duel->votes = 0;
    }
}

/* Cycles until the half or hold ends, or until counting begins in it. */
static uint32_t left_of_phase(const struct byw_cross_duel *duel)
{
    if (duel->holding)
        return duel->hold - duel->cycle;
    if (duel->cycle < duel->settle)
        return duel->settle - duel->cycle;
    return duel->settle + duel->interval - duel->cycle;
}

uint32_t byw_cross_duel_left(const struct byw_cross_duel *duel)
{
    return duel->coming != 0 ? 1 : left_of_phase(duel);
}

/* The phase ends with this edge. */
static void next_phase(struct byw_cross_duel *duel)
{
    if (duel->holding) {
        begin_sample(duel);
    } else if (!duel->second) {
        duel->second = true;
        duel->cycle = 0;
    } else {
        end_sample(duel);
    }
}

void byw_cross_duel_tick(struct byw_cross_duel *duel, uint32_t cycles)
{
    bool votes = duel->coming == 1;
    bool ends = duel->holding && votes && duel->pending == BYW_CROSS_NONE;
    uint32_t length = duel->holding ? duel->hold : duel->settle + duel->interval;

    duel->coming -= duel->coming != 0;
    if (votes)
        take_vote(duel);
    duel->cycle += cycles;
    if (ends || duel->cycle == length)
        next_phase(duel);
}
