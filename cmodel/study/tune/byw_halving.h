/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_halving.h - successive halving: many candidates on few workloads, few on all.
 *
 * Round r runs every remaining candidate on the first workloads of the list, and the better ones
 * continue: ceil(C / eta) of C candidates. The last round uses all workloads, and each earlier
 * round an eta-th of those of the next round, so every round costs about the same.
 */
#ifndef BYW_HALVING_H
#define BYW_HALVING_H

#include <stddef.h>

enum { BYW_HALVING_ROUNDS = 32 };

struct byw_halving_round {
    size_t candidates, workloads;
};

/* The rounds for this many candidates and workloads (both at least 1), eta >= 2; returns their
 * number. The last has at most eta candidates, unless there are too few workloads for enough
 * rounds. */
size_t byw_halving_rounds(size_t candidates, size_t workloads, unsigned eta,
                          struct byw_halving_round round[BYW_HALVING_ROUNDS]);

/* Moves the best `keep` of alive[count] to its front, best first: those with the highest
 * score[alive[i]], on ties the first. NaN is the lowest score. */
void byw_halving_keep(const double *score, size_t *alive, size_t count, size_t keep);

/* The random sequence of a seed (splitmix64). */
unsigned long long byw_halving_random(unsigned long long *state);

#endif
