/* SPDX-License-Identifier: Apache-2.0
 *
 * MRG32k3a is two recurrences of order three, modulo two primes (L'Ecuyer, Good parameters and
 * implementations for combined multiple recursive random number generators, Operations Research 47,
 * 1999), whose steps are matrices.
 */
#include "capture/cuda/rand/byw_curand_mrg.h"

#include <string.h>

#include "capture/cuda/rand/byw_curand_shapes.h"

#define JUMP 76 /* log2 of the steps from stream to stream */

struct matrix {
    uint64_t at[3][3];
};
struct vector {
    uint64_t at[3];
};

static const uint64_t modulus[2] = {MRG_FIRST, MRG_SECOND};
static const struct matrix step[2] = {{{{0, 1, 0}, {0, 0, 1}, {MRG_FIRST - MRG_A13, MRG_A12, 0}}},
                                      {{{0, 1, 0}, {0, 0, 1}, {MRG_SECOND - MRG_A23, 0, MRG_A21}}}};

static struct matrix square(const struct matrix *a, uint64_t m)
{
    struct matrix product = {{{0}}};

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                product.at[i][j] = (product.at[i][j] + a->at[i][k] * a->at[k][j] % m) % m;
    return product;
}

static struct vector apply(const struct matrix *a, struct vector v, uint64_t m)
{
    struct vector result = {{0}};

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            result.at[i] = (result.at[i] + a->at[i][k] * v.at[k] % m) % m;
    return result;
}

static struct vector skip(int which, struct vector v, uint64_t steps)
{
    struct matrix power = step[which];

    for (; steps != 0; steps >>= 1) {
        if (steps & 1)
            v = apply(&power, v, modulus[which]);
        power = square(&power, modulus[which]);
    }
    return v;
}

/* One of the two recurrences, whose words begin at 3 * which. */
static void seed_half(int which, struct vector v, uint64_t offset, uint32_t *state)
{
    struct matrix jump = step[which];
    uint32_t first = (uint32_t)(offset % MRG_STREAMS);

    for (int i = 0; i < JUMP; i++)
        jump = square(&jump, modulus[which]);
    v = skip(which, v, offset / MRG_STREAMS);
    for (uint32_t s = 0; s < MRG_STREAMS; s++) {
        struct vector now = s < first ? apply(&step[which], v, modulus[which]) : v;

        for (uint32_t w = 0; w < 3; w++)
            state[s + (3 * (uint32_t)which + w) * MRG_STREAMS] = (uint32_t)now.at[w];
        v = apply(&jump, v, modulus[which]);
    }
}

void byw_curand_seed_mrg(uint64_t seed, uint64_t offset, uint32_t *state)
{
    uint64_t x[2] = {(uint32_t)seed ^ 0x55555555u, (uint32_t)(seed >> 32) ^ 0xaaaaaaaau};

    for (int which = 0; which < 2; which++) {
        struct vector v;

        for (int w = 0; w < 3; w++)
            v.at[w] = seed == 0 ? 12345 : x[(w + which) & 1] * 12345 % modulus[which];
        seed_half(which, v, offset, state);
    }
}
