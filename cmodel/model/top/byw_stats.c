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

void byw_stats_count_policy(struct byw_l1_stats *stats, uint32_t policy_events, uint8_t pc_counter)
{
    uint32_t value = pc_counter < BYW_PC_VALUES ? pc_counter : BYW_PC_VALUES - 1;

    stats->pc_values[value] += (policy_events & byw_pev(BYW_PEV_PC_ASK)) != 0;
    for (; policy_events != 0; policy_events &= policy_events - 1)
        stats->policy[byw_ctz64(policy_events)]++;
}

void byw_stats_add(struct byw_l1_stats *sum, const struct byw_l1_stats *part, uint64_t sign)
{
    uint32_t i;

    for (i = 0; i < BYW_EV_COUNT; i++)
        sum->ev[i] += sign * part->ev[i];
    sum->stall_cycles += sign * part->stall_cycles;
    sum->filter_on_cycles += sign * part->filter_on_cycles;
    for (i = 0; i < BYW_PEV_COUNT; i++)
        sum->policy[i] += sign * part->policy[i];
    for (i = 0; i < BYW_TL_STATES; i++)
        sum->two_level_cycles[i] += sign * part->two_level_cycles[i];
    sum->two_level_warps += sign * part->two_level_warps;
    for (i = 0; i < BYW_PC_VALUES; i++)
        sum->pc_values[i] += sign * part->pc_values[i];
    sum->parity_errors += sign * part->parity_errors;
    sum->pc_false_positives += sign * part->pc_false_positives;
    for (i = 0; i < BYW_MECH_COUNTERS; i++)
        sum->mech[i] += sign * part->mech[i];
}

uint64_t byw_stats_counter(const struct byw_l1_stats *stats, uint32_t number)
{
    if (number < BYW_COUNTER_STALL)
        return stats->ev[number];
    if (number == BYW_COUNTER_STALL)
        return stats->stall_cycles;
    if (number == BYW_COUNTER_FILTER_ON)
        return stats->filter_on_cycles;
    if (number < BYW_COUNTER_TWO_LEVEL)
        return stats->policy[number - BYW_COUNTER_POLICY];
    if (number < BYW_COUNTER_WARPS)
        return stats->two_level_cycles[number - BYW_COUNTER_TWO_LEVEL];
    if (number == BYW_COUNTER_WARPS)
        return stats->two_level_warps;
    if (number < BYW_COUNTER_PARITY)
        return stats->pc_values[number - BYW_COUNTER_PC_VALUES];
    return number == BYW_COUNTER_PARITY ? stats->parity_errors : 0;
}
