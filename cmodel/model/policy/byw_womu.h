/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_womu.h - WOMU, the warp occupancy monitor of the two-level bypass (paper 001;
 * mechanisms/two_level.md 3.3).
 *
 * An active warp is one whose next instruction is decoded.  The number of active warps is summed
 * over the cycles of a sampling window; the average is compared without a division.  Widths: 0..64
 * warps and windows of up to 65535 cycles, hence 23 bits for the sum.
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

/* Resumes a held window with this sum. */
static inline void byw_womu_resume(struct byw_womu *womu, uint32_t sum)
{
    womu->sum = sum;
    womu->last = 0; /* active warps of the last cycle are not known yet */
}

/* Counts `cycles` cycles of the window with this many active warps. */
static inline void byw_womu_count(struct byw_womu *womu, uint32_t warps, uint32_t cycles)
{
    womu->sum += warps * cycles;
    womu->last = warps;
}

/* Whether the occupancy, as a fraction of `whole` resident warps, is below `limit` / 256. average:
 * over the window of `cycles` cycles; otherwise that of its last cycle. */
bool byw_womu_below(const struct byw_womu *womu, bool average, uint32_t cycles, uint32_t whole,
                    uint32_t limit);

/* byw_womu_below() with a precomputed right side: bound = limit * whole, times the cycles if
 * `average`. */
static inline bool byw_womu_under(const struct byw_womu *womu, bool average, uint32_t bound)
{
    return 256 * (uint64_t)(average ? womu->sum : womu->last) < bound;
}

#endif
