/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_stall_bypass.c - bypass instead of stalling: the bypass half of MRPB
 * (mechanisms/baselines.md 2.3).
 *
 * The load is rescued for any reason (line, MSHR, merge list, miss queue), or only if every line of
 * its set is pending, MRPB's original associativity stall.
 */
#include "policy/byw_rescue.h"

bool byw_stall_bypass(uint32_t when, const struct byw_refused *load)
{
    switch (load->reason) {
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
