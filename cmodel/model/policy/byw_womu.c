/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_womu.h"

bool byw_womu_below(const struct byw_womu *womu, bool average, uint32_t cycles, uint32_t whole,
                    uint32_t limit)
{
    return byw_womu_under(womu, average, limit * whole * (average ? cycles : 1));
}
