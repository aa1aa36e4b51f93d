/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_rng.h"

void byw_rng_init(struct byw_rng *rng, uint64_t seed)
{
    /* Multiplying by an odd constant spreads small seeds. xorshift never leaves state 0. */
    rng->state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    if (rng->state == 0)
        rng->state = 1;
}

uint64_t byw_rng_next(struct byw_rng *rng)
{
    uint64_t x = rng->state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    rng->state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

uint32_t byw_rng_below(struct byw_rng *rng, uint32_t bound)
{
    return (uint32_t)(((byw_rng_next(rng) >> 32) * bound) >> 32);
}
