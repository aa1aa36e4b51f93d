/* SPDX-License-Identifier: Apache-2.0 */
#include "study/tune/byw_halving.h"

#include <math.h>
#include <stdbool.h>

static size_t part(size_t n, unsigned eta)
{
    return (n + eta - 1) / eta;
}

size_t byw_halving_rounds(size_t candidates, size_t workloads, unsigned eta,
                          struct byw_halving_round round[BYW_HALVING_ROUNDS])
{
    size_t count = 1, left;

    for (size_t c = candidates, w = workloads; c > eta && w > 1 && count < BYW_HALVING_ROUNDS;
         c = part(c, eta), w = part(w, eta))
        count++;
    left = workloads;
    for (size_t r = count; r-- > 0; left = part(left, eta))
        round[r].workloads = left;
    left = candidates;
    for (size_t r = 0; r < count; r++, left = part(left, eta))
        round[r].candidates = left;
    return count;
}

static bool better(double a, double b)
{
    return !isnan(a) && (isnan(b) || a > b);
}

void byw_halving_keep(const double *score, size_t *alive, size_t count, size_t keep)
{
    for (size_t i = 0; i < keep && i < count; i++) {
        size_t best = i, taken;

        for (size_t j = i + 1; j < count; j++)
            if (better(score[alive[j]], score[alive[best]]))
                best = j;
        taken = alive[best];
        for (size_t j = best; j > i; j--) /* the others keep their order */
            alive[j] = alive[j - 1];
        alive[i] = taken;
    }
}

unsigned long long byw_halving_random(unsigned long long *state)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}
