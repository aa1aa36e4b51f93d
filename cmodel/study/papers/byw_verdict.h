/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_verdict.h - the rules by which numbers and claims are judged; pure functions.
 *
 * A value is uncertain by half the width of the 95 % interval of its mean (study/job/byw_repeat.h),
 * in the unit of the value.  Its distance from the limit depends on what is expected of it:
 *
 *   above, below   distance from 1 in the paper's direction
 *   same           distance to the nearer of 0.95 and 1.05, from between them
 *   at_most        distance to 1.01, from below
 *   level          distance to the nearer of half and twice the paper's value, from between them
 *   share          the same, and within 10 points of the paper's value: for shares of 0 to 1, of
 *                  which many could not be twice the paper's
 *
 *   undecided    the distance is within the uncertainty, in either direction
 *   not          it is negative by more
 *   reproduced   it is positive by more, and the effect is between half and twice the paper's in
 *                logarithms (above, below; if the paper gives the order alone, any)
 *   partly       it is positive by more, but the effect is weaker or stronger than that
 *
 * "same" and "at most" are tests of equivalence: the whole interval must be inside the band.  The
 * assumed noise of a single run is wider than the band, so there a value inside the band is
 * "partly", never "reproduced".
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

/* How a number must compare with the paper's value, in words. */
const char *byw_sense_name(enum byw_sense sense);
/* Whether a value has the expected sign or is in the expected band, ignoring noise. */
bool byw_claim_holds(const struct byw_claim_number *number, double value);
/* Our effect divided by the paper's. For a number with a reference, the effect is its logarithm,
 * so 1 means as strong, 0.5 half as strong, negative the opposite direction. For a level it is our
 * value divided by the paper's. NaN if the paper has no effect (1). */
double byw_claim_strength(const struct byw_claim_number *number, double value);

/* How far the mean of the runs may be from the machine's: half the width of its 95 % interval. 0
 * for an exact value, which is not simulated. For several runs it is Student's interval, at least
 * 0.25 % of the mean. A single run is assumed to deviate as doc/noise.md found, by 1 % for a mean
 * over workloads and by 4 % for a single workload, so that the half width is 1.96 times that. */
struct byw_uncertainty {
    double half;
    bool assumed; /* there is a single run, whose noise is assumed */
};
struct byw_uncertainty byw_verdict_uncertainty(const struct byw_spread *spread, bool exact,
                                               bool average);

/* A note for readers about the noise of results with this number of runs. */
enum { BYW_ABOUT_ROOM = 256 };
void byw_verdict_about_noise(unsigned repeats, char text[BYW_ABOUT_ROOM]);

/* Judges one number by the rules above; NaN is not reproduced. */
enum byw_verdict byw_verdict_of(const struct byw_claim_number *number, double value,
                                struct byw_uncertainty uncertainty);
/* Why a number is only "partly" reproduced, for readers: "more than twice the paper's"; "" for
 * other verdicts. */
const char *byw_verdict_lacks(const struct byw_claim_number *number, double value,
                              enum byw_verdict verdict);

/* Judges a claim by how many of its numbers have each verdict: incomplete if any is. Otherwise
 * reproduced if all are, partly if any is reproduced or partly, not if any is not, and undecided if
 * all are. */
enum byw_verdict byw_verdict_of_all(const size_t count[BYW_VERDICTS]);

#endif
