/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_stats.h"

#include "common/byw_bits.h"

#define FAILS                                                                                      \
    (UINT32_C(1) << BYW_EV_FAIL_LINE | UINT32_C(1) << BYW_EV_FAIL_MSHR |                           \
     UINT32_C(1) << BYW_EV_FAIL_MERGE | UINT32_C(1) << BYW_EV_FAIL_MISS_QUEUE |                    \
     UINT32_C(1) << BYW_EV_FAIL_ICNT)

void byw_stats_count(struct byw_l1_stats *stats, uint32_t events)
{
    stats->stall_cycles += (events & FAILS) != 0;
    for (; events != 0; events &= events - 1)
        stats->ev[byw_ctz64(events)]++;
}
