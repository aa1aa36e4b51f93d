/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_sm_duel.h"

#include <string.h>

#include "common/byw_mech.h"
#include "record/byw_events.h"

void byw_sm_duel_init(struct byw_sm_duel *duel, const struct byw_config *config)
{
    *duel = (struct byw_sm_duel){
        .interval = config->duel_interval,
        .hold = config->duel_hold,
        .margin_pct = config->duel_margin,
        .min_accesses = config->duel_min != 0 ? config->duel_min : 1,
        .hysteresis = config->duel_hyst,
        .all_follow = config->duel_follow != 0,
        .by_loads = config->duel_compare != 0,
        .bypass_is_miss = config->duel_byp_miss != 0,
        .on = config->duel_init != 0,
        .newest.on = config->duel_init != 0,
    };
    for (uint32_t i = 0; i < BYW_DUEL_LATE; i++)
        duel->late[i] = duel->newest;
}

uint32_t byw_sm_duel_role(uint32_t sm)
{
    return sm < BYW_DUEL_LEADERS ? sm : BYW_DUEL_LEADERS;
}

bool byw_sm_duel_filter(const struct byw_sm_duel *duel, uint32_t role)
{
    bool follows = role == BYW_DUEL_LEADERS || (duel->holding && duel->all_follow);

    return follows ? duel->on : role == 0;
}

bool byw_sm_duel_fixed(const struct byw_sm_duel *duel, uint32_t role)
{
    return role < BYW_DUEL_LEADERS && !(duel->all_follow && duel->hold != 0);
}

void byw_sm_duel_count(struct byw_sm_duel *duel, uint32_t leader, uint32_t events)
{
    bool load = (events >> BYW_EV_LOAD & 1) != 0;
    bool miss = (events >> BYW_EV_MISS & 1) != 0;
    bool bypass = (events >> BYW_EV_BYPASS & 1) != 0;
    bool left_out = bypass && !duel->bypass_is_miss && !duel->by_loads;

    if (!load || left_out || duel->holding)
        return;
    duel->accesses[leader]++;
    duel->misses[leader] += miss || bypass;
}

/* The vote of the sample: true for the filter. */
static bool vote(const struct byw_sm_duel *duel)
{
    int64_t a0 = duel->accesses[0], a1 = duel->accesses[1];
    int64_t m0 = duel->misses[0], m1 = duel->misses[1];
    int64_t margin = duel->margin_pct;

    if (duel->by_loads)
        return !(100 * (a1 - a0) > margin * a1);
    return !(100 * (m0 * a1 - m1 * a0) > margin * a0 * a1);
}

static void decide(struct byw_sm_duel *duel)
{
    struct byw_duel_verdict *newest = &duel->newest;

    if (duel->accesses[0] < duel->min_accesses || duel->accesses[1] < duel->min_accesses)
        return;
    duel->coming = BYW_DUEL_LATE;
    if (vote(duel) == newest->on) {
        newest->votes = 0;
    } else {
        newest->votes++;
        if (newest->votes >= duel->hysteresis)
            *newest = (struct byw_duel_verdict){.on = !newest->on, .votes = 0};
    }
    duel->late[BYW_DUEL_LATE - 1] = *newest;
}

/* Shifts the verdicts that have not taken effect yet by one clock edge. */
static void come_closer(struct byw_sm_duel *duel)
{
    duel->on = duel->late[0].on;
    duel->votes = duel->late[0].votes;
    memmove(duel->late, duel->late + 1, sizeof(duel->late) - sizeof(duel->late[0]));
    duel->coming--;
}

static uint32_t left_of_round(const struct byw_sm_duel *duel)
{
    return (duel->holding ? duel->hold : duel->interval) - duel->cycle;
}

uint32_t byw_sm_duel_left(const struct byw_sm_duel *duel)
{
    return duel->coming != 0 ? 1 : left_of_round(duel);
}

uint64_t byw_sm_duel_tick(struct byw_sm_duel *duel, uint64_t cycles)
{
    uint32_t left = left_of_round(duel);
    uint32_t i;

    if (duel->coming != 0) {
        come_closer(duel);
        cycles = 1;
    }
    if (cycles < left) {
        duel->cycle += (uint32_t)cycles;
        return cycles;
    }
    if (!duel->holding)
        decide(duel);
    duel->holding = !duel->holding && duel->hold != 0;
    duel->cycle = 0;
    for (i = 0; i < BYW_DUEL_LEADERS; i++)
        duel->accesses[i] = duel->misses[i] = 0;
    return left;
}

/* One role bit per SM.  The counters of the two leaders exist once per GPU. */
static uint64_t storage_bits(const struct byw_config *config, const uint32_t *values)
{
    (void)config;
    (void)values;
    return 1;
}

const struct byw_mech byw_mech_duel = {
    .name = "duel",
    .paper = "000",
    .sentence = "in a sample SM 0 filters and SM 1 does not; all SMs then follow the better of the "
                "two",
    .enable = "duel.enable",
    .on = "on",
    .unit = "sm_duel",
    .storage_bits = storage_bits,
};
