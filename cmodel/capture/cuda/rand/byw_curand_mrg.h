/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_curand_mrg.h - the streams of MRG32k3a.
 */
#ifndef BYW_CURAND_MRG_H
#define BYW_CURAND_MRG_H

#include <stdint.h>

/* Seeds all streams of state[], which begins with the first word of every stream; streams with
 * numbers before the offset are advanced by one. */
void byw_curand_seed_mrg(uint64_t seed, uint64_t offset, uint32_t *state);

#endif
