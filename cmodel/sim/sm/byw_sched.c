/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_sched.h"

#include <string.h>

void byw_sched_init(struct byw_sched *sched, const struct byw_config *config,
                    const struct byw_throttle *throttle)
{
    bool throttles = throttle != NULL && throttle->ops != NULL && throttle->ops->issues != NULL;

    memset(sched, 0, sizeof(*sched));
    sched->kind = config->sm_scheduler;
    sched->count = config->sm_schedulers;
    sched->throttle = throttle;
    sched->greedy = sched->kind == BYW_SCHED_GTO || byw_throttle_ops(config->sm_scheduler) != NULL;
    sched->limits =
        sched->kind == BYW_SCHED_TWO_LEVEL || sched->kind == BYW_SCHED_FETCH_GROUP || throttles;
    sched->active_max = config->sm_active_warps;
    for (uint32_t w = 0; w < BYW_WARP_SLOTS; w++)
        sched->owned[w % sched->count] |= (uint64_t)1 << w;
    for (uint32_t w = 0; w < BYW_WARP_SLOTS; w++)
        sched->member[w / sched->count / config->sm_group_warps] |= (uint64_t)1 << w;
    while (sched->groups < BYW_WARP_SLOTS && sched->member[sched->groups] != 0)
        sched->groups++;
}

/* The members of `set` above the bit `last`; if there are none, all of `set`. */
static uint64_t behind(uint64_t set, uint64_t last)
{
    uint64_t above = set & -(last << 1);

    return above != 0 ? above : set;
}

/* Fills the active set.  Warps at a barrier leave it, too: the warps that they wait for need their
 * places. */
static uint64_t refill_active(struct byw_sched *sched, uint32_t s, const struct byw_warps *warps)
{
    uint64_t going =
        warps->live & ~warps->ended & ~warps->on_load & ~warps->barrier & sched->owned[s];
    uint64_t active = sched->active[s] & going;
    uint64_t pending = going & ~active;

    while (pending != 0 && (uint32_t)__builtin_popcountll(active) < sched->active_max) {
        active |= pending & (~pending + 1);
        pending &= pending - 1;
    }
    sched->active[s] = active;
    return active;
}

/* The fetch group that issues now.  Skips groups in which every warp waits. */
static uint64_t current_group(struct byw_sched *sched, uint32_t s, const struct byw_warps *warps)
{
    uint64_t going = warps->live & ~warps->ended & ~warps->on_load & ~warps->barrier;

    for (uint32_t i = 0; i < sched->groups; i++) {
        if ((going & sched->owned[s] & sched->member[sched->group[s]]) != 0)
            break;
        sched->group[s] = (sched->group[s] + 1) % sched->groups;
    }
    return sched->member[sched->group[s]];
}

/* The scheduler's candidates that its order allows to issue. */
static uint64_t admitted(struct byw_sched *sched, uint32_t s, uint64_t candidates,
                         const struct byw_warps *warps)
{
    if (sched->kind == BYW_SCHED_TWO_LEVEL)
        return candidates & refill_active(sched, s, warps);
    if (candidates == 0)
        return 0;
    if (sched->kind == BYW_SCHED_FETCH_GROUP)
        return candidates & current_group(sched, s, warps);
    return candidates & sched->throttle->ops->issues(sched->throttle->self, sched->owned[s], warps);
}

uint32_t byw_sched_pick(struct byw_sched *sched, uint32_t s, uint64_t candidates,
                        const struct byw_warps *warps)
{
    uint64_t last = sched->last[s];
    uint32_t w;

    candidates &= sched->owned[s];
    if (sched->limits)
        candidates = admitted(sched, s, candidates, warps);
    if (candidates == 0)
        return BYW_WARP_SLOTS;
    if (sched->shun[s] != 0) {
        candidates =
            (candidates & ~sched->shun[s]) != 0 ? candidates & ~sched->shun[s] : candidates;
        sched->shun[s] = 0;
    }
    if (!sched->greedy)
        w = (uint32_t)__builtin_ctzll(behind(candidates, last));
    else
        w = byw_warps_oldest(warps, (candidates & last) != 0 ? last : candidates);
    sched->last[s] = (uint64_t)1 << w;
    return w;
}
