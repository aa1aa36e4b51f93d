/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mrmu.h - MRMU, the miss rate monitor of the two-level bypass (paper 001; MECHANISMS 3.3).
 *
 * Counts the loads that the L1D serves in a sampling window and those that miss, from its event
 * pulses: stores, atomics, bypassed loads and refusals do not count; a load merged into an
 * outstanding fill is an access, and a miss only with pending_is_miss.  At most one load per cycle,
 * so both counters fit 16 bits (13 for the paper's 5000 cycles).
 *
 * The rate is compared as 256 miss < low acc, which needs no division.
 */
#ifndef BYW_MRMU_H
#define BYW_MRMU_H

#include <stdbool.h>
#include <stdint.h>

/* Verdict on a window: the paper's two-bit code, and too few accesses to have a rate. */
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

/* low, high: in 1/256; few: windows with fewer accesses are BYW_MRMU_FEW. */
enum byw_mrmu_code byw_mrmu_judge(const struct byw_mrmu *mrmu, uint32_t low, uint32_t high,
                                  uint32_t few);

#endif
