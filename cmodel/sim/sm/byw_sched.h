/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sched.h - the warp schedulers of one SM: which ready warp issues.
 *
 * Scheduler s owns the warp slots w with w mod schedulers = s.  In cycle t, scheduler (t + 1) mod
 * schedulers chooses first, so it gets a unit that only one scheduler can have (the order of
 * GPGPU-Sim).  Scheduling orders (mechanisms/baselines.md 2.6):
 *   gto          the warp that issued last as long as it can, then the oldest
 *   lrr          the next warp after the one that issued last
 *   two_level    lrr among at most sm.active_warps active warps; a warp that waits for a load or at
 *                a barrier is demoted, and the next one that could issue is promoted (as in
 *                GPGPU-Sim)
 *   fetch_group  lrr within a fetch group of sm.group_warps; the next group gets its turn when
 *                every warp of this one waits for a load, at a barrier or for its end (Narasiman et
 *                al., MICRO 2011)
 *   ccws, swl    gto among the warps that a throttle allows to issue (byw_throttle.h)
 */
#ifndef BYW_SCHED_H
#define BYW_SCHED_H

#include "common/byw_config.h"
#include "sim/sm/byw_throttle.h"

/* sm.scheduler */
enum {
    BYW_SCHED_GTO,
    BYW_SCHED_LRR,
    BYW_SCHED_TWO_LEVEL,
    BYW_SCHED_FETCH_GROUP,
    BYW_SCHED_CCWS,
    BYW_SCHED_SWL
};

struct byw_sched {
    uint32_t kind; /* BYW_SCHED_GTO ... */
    bool greedy; /* the last one first, then the oldest; otherwise round robin */
    bool limits; /* some candidates may be held back */
    uint32_t count; /* number of schedulers */
    uint64_t last[BYW_SCHED_MAX]; /* slot that issued last, as a bit; 0: none */
    uint64_t owned[BYW_SCHED_MAX];
    uint32_t active_max;
    const struct byw_throttle *throttle; /* the SM's; its issues() limits the candidates */
    uint32_t groups; /* fetch_group: groups per scheduler */
    uint64_t active[BYW_SCHED_MAX]; /* two_level: active warps of each scheduler */
    uint64_t member[BYW_WARP_SLOTS]; /* fetch_group: slots of the SM in each group */
    uint64_t shun[BYW_SCHED_MAX]; /* warp that gave way, as a bit; 0: none */
    uint32_t group[BYW_SCHED_MAX]; /* fetch_group: the group whose turn it is */
};

/* throttle: owned by the SM; NULL: none. */
void byw_sched_init(struct byw_sched *sched, const struct byw_config *config,
                    const struct byw_throttle *throttle);

/* The scheduler whose turn ends in cycle `now`; the next one chooses first.  Most machines have a
 * power of two of them, which saves a division. */
static inline uint32_t byw_sched_first(const struct byw_sched *sched, uint64_t now)
{
    uint32_t last = sched->count - 1;

    return (sched->count & last) == 0 ? (uint32_t)now & last : (uint32_t)(now % sched->count);
}

/* Warp w of scheduler s gives way (the yield bit of machine code): the next pick prefers others. */
static inline void byw_sched_yield(struct byw_sched *sched, uint32_t s, uint32_t w)
{
    sched->shun[s] = (uint64_t)1 << w;
}

/* The warp of scheduler s that issues, out of `candidates` (ready, buffered, unit free);
 * BYW_WARP_SLOTS if none may issue. */
uint32_t byw_sched_pick(struct byw_sched *sched, uint32_t s, uint64_t candidates,
                        const struct byw_warps *warps);

#endif
