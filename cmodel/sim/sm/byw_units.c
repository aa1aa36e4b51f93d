/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_units.h"

#include <string.h>

static struct byw_unit_times times_of(const struct byw_config *c, enum byw_class cls)
{
    uint32_t collect = c->collect_int, latency = c->lat_int, interval = c->ii_sp;

    if (cls == BYW_CLASS_SFU) {
        interval = c->ii_sfu;
        collect = c->collect_sfu;
        latency = c->lat_sfu;
    } else if (cls == BYW_CLASS_DP) {
        interval = c->ii_dp;
        collect = c->collect_dp;
        latency = c->lat_dp;
    } else if (cls == BYW_CLASS_FP) {
        collect = c->collect_fp;
        latency = c->lat_fp;
    }
    return (struct byw_unit_times){
        .hold = collect,
        .interval = interval,
        .latency = c->sm_issue_unit + collect + latency + c->sm_writeback,
    };
}

void byw_units_init(struct byw_units *units, const struct byw_config *config)
{
    memset(units, 0, sizeof(*units));
    units->config = config;
    units->own = config->sm_own_units != 0;
    byw_units_launch(units, config->sm_simd);
}

void byw_units_launch(struct byw_units *units, uint32_t lanes)
{
    uint32_t passes = (lanes + units->config->sm_simd - 1) / units->config->sm_simd;

    for (uint32_t cls = 0; cls < BYW_CLASS_COUNT; cls++) {
        units->times[cls] = times_of(units->config, (enum byw_class)cls);
        units->times[cls].interval *= passes;
    }
}

void byw_units_begin(struct byw_units *units, uint64_t now)
{
    if (units->collecting == 0) {
        units->accounted = now;
        return;
    }
    if (now - units->accounted >= BYW_COLLECT_RING) {
        memset(units->leaving, 0, sizeof(units->leaving));
        units->collecting = 0;
        units->accounted = now;
    }
    while (units->accounted < now) {
        uint8_t *leaving = &units->leaving[++units->accounted % BYW_COLLECT_RING];

        units->collecting -= *leaving;
        *leaving = 0;
    }
}

/* Index of an int/float unit that is free now; sp_units if none is. */
static uint32_t free_sp(const struct byw_units *units, uint64_t now)
{
    uint32_t u = 0;

    while (u < units->config->sp_units && units->sp_free[u] > now)
        u++;
    return u;
}

/* The warps of `set` whose scheduler's own unit is free. */
static uint64_t own_unit_free(const struct byw_units *units, const struct byw_warps *warps,
                              const struct byw_sched *sched, uint64_t set, uint64_t now)
{
    for (uint32_t s = 0; s < sched->count; s++) {
        if (units->sfu_free[s] > now)
            set &= ~(warps->next[BYW_UNIT_SFU] & sched->owned[s]);
        if (units->dp_free[s] > now)
            set &= ~(warps->next[BYW_UNIT_DP] & sched->owned[s]);
        if (units->sp_free[s] > now)
            set &= ~((warps->next[BYW_UNIT_SP] | warps->next[BYW_UNIT_BRANCH]) & sched->owned[s]);
    }
    return set;
}

uint64_t byw_units_room(const struct byw_units *units, const struct byw_warps *warps,
                        const struct byw_ldst *ldst)
{
    uint64_t set = warps->ready & warps->buffered;
    uint64_t lsu = warps->next[BYW_UNIT_LSU];

    if (set == 0)
        return 0;
    if (byw_ldst_full(ldst) || warps->loads == BYW_LOAD_SLOTS)
        set &= ~lsu;
    if (warps->loads + BYW_LOADS_OF_A_CYCLE >
        BYW_LOAD_SLOTS) /* instructions that hold barriers also take load slots */
        set &= ~warps->schedule.warps;
    if (units->collecting + byw_ldst_collectors(ldst) >= units->config->sm_collectors)
        set &= lsu;
    return set;
}

uint64_t byw_units_issuable(const struct byw_units *units, const struct byw_warps *warps,
                            const struct byw_ldst *ldst, const struct byw_sched *sched,
                            uint64_t now)
{
    uint64_t set = byw_units_room(units, warps, ldst);

    if (set == 0)
        return 0;
    if (units->own)
        return own_unit_free(units, warps, sched, set, now);
    if (units->sfu_free[0] > now)
        set &= ~warps->next[BYW_UNIT_SFU];
    if (units->dp_free[0] > now)
        set &= ~warps->next[BYW_UNIT_DP];
    if (free_sp(units, now) == units->config->sp_units)
        set &= ~(warps->next[BYW_UNIT_SP] | warps->next[BYW_UNIT_BRANCH]);
    return set;
}

uint64_t byw_units_free(const struct byw_units *units, const struct byw_warps *warps, uint64_t set,
                        uint32_t s, uint64_t now)
{
    if (set == 0)
        return 0;
    if (units->sfu_free[s] > now)
        set &= ~warps->next[BYW_UNIT_SFU];
    if (units->dp_free[s] > now)
        set &= ~warps->next[BYW_UNIT_DP];
    if (units->sp_free[s] > now)
        set &= ~(warps->next[BYW_UNIT_SP] | warps->next[BYW_UNIT_BRANCH]);
    return set;
}

bool byw_units_recover(const struct byw_units *units, const struct byw_ldst *ldst)
{
    return byw_ldst_collectors(ldst) < units->config->sm_collectors;
}

uint32_t byw_units_take(struct byw_units *units, uint32_t s, enum byw_class cls, uint64_t now)
{
    const struct byw_unit_times *times = &units->times[cls];
    uint64_t *unit;

    if (cls == BYW_CLASS_SFU)
        unit = &units->sfu_free[units->own ? s : 0];
    else if (cls == BYW_CLASS_DP)
        unit = &units->dp_free[units->own ? s : 0];
    else
        unit = &units->sp_free[units->own ? s : free_sp(units, now)];
    *unit = now + times->interval;
    if (times->hold != 0) { /* otherwise its collector is free in the next cycle */
        units->collecting++;
        units->leaving[(now + times->hold) % BYW_COLLECT_RING]++;
    }
    return times->latency;
}
