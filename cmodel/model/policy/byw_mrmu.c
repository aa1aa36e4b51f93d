/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_mrmu.h"

#include "record/byw_events.h"

void byw_mrmu_count(struct byw_mrmu *mrmu, uint32_t events, bool pending_is_miss)
{
    bool load = (events >> BYW_EV_LOAD & 1) != 0;
    bool bypass = (events >> BYW_EV_BYPASS & 1) != 0;
    bool miss = (events >> BYW_EV_MISS & 1) != 0;
    bool pending = (events >> BYW_EV_HIT_PENDING & 1) != 0;

    if (!load || bypass)
        return;
    mrmu->accesses++;
    mrmu->misses += miss || (pending && pending_is_miss);
}

enum byw_mrmu_code byw_mrmu_judge(const struct byw_mrmu *mrmu, uint32_t low, uint32_t high,
                                  uint32_t few)
{
    uint64_t misses = 256 * (uint64_t)mrmu->misses;

    if (mrmu->accesses < few)
        return BYW_MRMU_FEW;
    if (misses < (uint64_t)low * mrmu->accesses)
        return BYW_MRMU_LOW;
    return misses > (uint64_t)high * mrmu->accesses ? BYW_MRMU_HIGH : BYW_MRMU_BETWEEN;
}
