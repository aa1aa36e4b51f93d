/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_womu.h - WOMU, the warp occupancy monitor of the two-level bypass (paper 001;
 * MECHANISMS 3.3).
 *
 * An active warp is one with a decoded next instruction.  Their number is summed up over the
 * cycles of a sampling window; the average is compared without a division.  Widths: 0..64 warps,
 * windows of up to 65535 cycles, hence 23 bits for the sum.
 */
#ifndef BYW_WOMU_H
#define BYW_WOMU_H

#include <stdbool.h>
#include <stdint.h>

struct byw_womu {
    uint32_t sum; /* active warps, over the window's cycles */
    uint32_t last; /* active warps of its last cycle */
};

static inline void byw_womu_clear(struct byw_womu *womu)
{
    womu->sum = 0;
    womu->last = 0;
}

/* A held window goes on, whose sum this was. */
static inline void byw_womu_resume(struct byw_womu *womu, uint32_t sum)
{
    womu->sum = sum;
    womu->last = 0; /* of the window's last cycle; not known yet */
}

/* `cycles` cycles of the window with this many active warps. */
static inline void byw_womu_count(struct byw_womu *womu, uint32_t warps, uint32_t cycles)
{
    womu->sum += warps * cycles;
    womu->last = warps;
}

/* Whether the occupancy, in parts of `whole` resident warps, is below `limit` / 256.  average: over
 * the window of `cycles` cycles, else that of its last cycle. */
bool byw_womu_below(const struct byw_womu *womu, bool average, uint32_t cycles, uint32_t whole,
                    uint32_t limit);

/* The same with the right side worked out: bound = limit * whole, with average times the cycles. */
static inline bool byw_womu_under(const struct byw_womu *womu, bool average, uint32_t bound)
{
    return 256 * (uint64_t)(average ? womu->sum : womu->last) < bound;
}

#endif
