/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mrmu.h - MRMU, the miss rate monitor of the two-level bypass (paper 001;
 * mechanisms/two_level.md 3.3).
 *
 * From the event pulses of the L1D, it counts the loads served in a sampling window and the misses
 * among them.  Stores, atomics, bypassed loads and reservation fails do not count.  A load merged
 * into an outstanding fill counts as an access, and as a miss only with pending_is_miss.  There is
 * at most one load per cycle, so both counters fit in 16 bits (13 for the paper's 5000 cycles).
 *
 * The rate is compared as 256 miss < low acc, which needs no division.
 */
#ifndef BYW_MRMU_H
#define BYW_MRMU_H

#include <stdbool.h>
#include <stdint.h>

/* Verdict on a window: the paper's two-bit code, or too few accesses for a rate. */
enum byw_mrmu_code {
    BYW_MRMU_LOW, /* code 0: below low */
    BYW_MRMU_HIGH, /* code 1: above high */
    BYW_MRMU_BETWEEN, /* code 2: the occupancy decides */
    BYW_MRMU_FEW
};

struct byw_mrmu {
    uint32_t accesses;
    uint32_t misses;
};

static inline void byw_mrmu_clear(struct byw_mrmu *mrmu)
{
    mrmu->accesses = 0;
    mrmu->misses = 0;
}

/* Event pulses of one cycle (record/byw_events.def). */
void byw_mrmu_count(struct byw_mrmu *mrmu, uint32_t events, bool pending_is_miss);

/* low, high: in 1/256; few: windows with fewer accesses give BYW_MRMU_FEW. */
enum byw_mrmu_code byw_mrmu_judge(const struct byw_mrmu *mrmu, uint32_t low, uint32_t high,
                                  uint32_t few);

#endif
