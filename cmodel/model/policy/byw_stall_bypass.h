/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_stall_bypass.h - bypass instead of stalling: the bypass half of MRPB
 * (mechanisms/baselines.md 2.3).
 *
 * A load that the L1 path refuses takes the bypass path in the same cycle.  This applies to any
 * reason (line, MSHR, merge list, miss queue), or only if every line of its set is pending, MRPB's
 * original associativity stall.  The load does not change the set.  Without a free bypass slot and
 * tracker it is refused for that reason (mechanisms/cache.md 0.1, R2).  Stores and atomics still
 * wait, as do loads that were already refused the bypass path.
 */
#ifndef BYW_STALL_BYPASS_H
#define BYW_STALL_BYPASS_H

#include "common/byw_config.h"
#include "record/byw_decision.h"

/* Whether a load refused for `reason` bypasses; when: BYW_STALL_*. */
static inline bool byw_stall_bypass(uint32_t when, uint8_t reason)
{
    switch (reason) {
    case BYW_RSFAIL_LINE:
        return when != BYW_STALL_OFF;
    case BYW_RSFAIL_MSHR:
    case BYW_RSFAIL_MERGE:
    case BYW_RSFAIL_MISS_QUEUE:
        return when == BYW_STALL_ANY;
    default:
        return false;
    }
}

#endif
