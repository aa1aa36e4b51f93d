/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_verdict.h - the rules by which numbers and claims are judged; pure functions.
 *
 * Noise is the standard deviation of one run (study/job/byw_repeat.h), in the unit of the value.
 * The distance of a value depends on what is expected of it:
 *
 *   above, below   distance from 1 in the paper's direction
 *   same           distance to the nearer of 0.95 and 1.05, from between them
 *   at_most        distance to 1.01, from below
 *   level          distance to the nearer of half and twice the paper's value, from between them
 *
 *   undecided    the distance is within the noise, in either direction
 *   not          it is negative by more
 *   reproduced   it is positive and more than twice the noise, and the effect is at least half of
 *                the paper's in logarithms (above, below; if the paper gives the order alone, any)
 *   partly       it is positive otherwise: sign or band are the paper's, the size or the certainty
 *                is not
 */
#ifndef BYW_VERDICT_H
#define BYW_VERDICT_H

#include <stdio.h>

#include "study/job/byw_repeat.h"
#include "study/papers/byw_papers.h"

#define BYW_VERDICT_LIST(X)                                                                        \
    X(BYW_REPRODUCED, "reproduced")                                                                \
    X(BYW_PARTLY, "partly")                                                                        \
    X(BYW_NOT, "not")                                                                              \
    X(BYW_UNDECIDED, "undecided")                                                                  \
    X(BYW_INCOMPLETE, "incomplete")

enum byw_verdict {
#define X(code, name) code,
    BYW_VERDICT_LIST(X)
#undef X
        BYW_VERDICTS
};

const char *byw_verdict_name(enum byw_verdict verdict);
/* "12 reproduced, 3 partly, 2 not, 1 undecided"; incomplete ones if there are any. */
void byw_verdict_counts(FILE *out, const size_t count[BYW_VERDICTS]);

/* What must agree with the paper's value. */
const char *byw_sense_name(enum byw_sense sense);
/* Whether a value has the expected sign or is in the expected band, ignoring noise. */
bool byw_claim_holds(const struct byw_claim_number *number, double value);
/* Our effect divided by the paper's. For a number with a reference, the effect is its logarithm,
 * so 1 means as strong, 0.5 half as strong, negative the opposite direction. For a level it is our
 * value divided by the paper's. NaN if the paper has no effect (1). */
double byw_claim_strength(const struct byw_claim_number *number, double value);

/* The noise for judging a value. 0 if it is exact (not simulated). For several runs, their
 * deviation, at least 0.25 % of the mean. For a single run, the usual values of doc/noise.md: 1 %
 * for a mean over workloads, 4 % for a single workload. */
double byw_verdict_noise(const struct byw_spread *spread, bool exact, bool average);

/* A note for readers about the noise of results with this number of runs. */
enum { BYW_ABOUT_ROOM = 256 };
void byw_verdict_about_noise(unsigned repeats, char text[BYW_ABOUT_ROOM]);

/* Judges one number by the rules above; NaN is not reproduced. */
enum byw_verdict byw_verdict_of(const struct byw_claim_number *number, double value, double noise);

/* Judges a claim by how many of its numbers have each verdict: incomplete if any is. Otherwise
 * reproduced if all are, partly if any is reproduced or partly, not if any is not, and undecided if
 * all are. */
enum byw_verdict byw_verdict_of_all(const size_t count[BYW_VERDICTS]);

#endif
