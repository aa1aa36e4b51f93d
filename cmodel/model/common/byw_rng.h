/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_rng.h - the only random number generator: xorshift64* (Marsaglia's shifts and a final
 * multiply).
 *
 * Period 2^64 - 1.  The same seed gives the same sequence on every machine.  Any seed is allowed.
 */
#ifndef BYW_RNG_H
#define BYW_RNG_H

#include <stdint.h>

struct byw_rng {
    uint64_t state; /* never 0 */
};

void byw_rng_init(struct byw_rng *rng, uint64_t seed);
uint64_t byw_rng_next(struct byw_rng *rng);

/* Uniform in 0 .. bound-1; bound > 0. */
uint32_t byw_rng_below(struct byw_rng *rng, uint32_t bound);

#endif
