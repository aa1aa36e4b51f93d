/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_womu.h"

bool byw_womu_below(const struct byw_womu *womu, bool average, uint32_t cycles, uint32_t whole,
                    uint32_t limit)
{
    uint64_t part = average ? womu->sum : womu->last;
    uint64_t full = (uint64_t)whole * (average ? cycles : 1);

    return 256 * part < limit * full;
}
