/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_correlate_score.h - how much the simulator differs from the GPU: figures over all launches,
 * and the cause of each launch's error.
 */
#ifndef BYW_CORRELATE_SCORE_H
#define BYW_CORRELATE_SCORE_H

#include "study/correlate/byw_correlate.h"

/* Which programs: all, or every second one in alphabetical order, so that constants fitted on half
 * A can be checked on half B. */
enum byw_correlate_half { BYW_CORRELATE_ALL, BYW_CORRELATE_A, BYW_CORRELATE_B };

struct byw_correlate_figure {
    const char *id; /* "l1_hit_distance" */
    const char *text; /* "L1 hit rate of loads, mean distance" */
    const char *unit; /* "%", "points", "" */
    double target; /* bound of a good value: an upper bound if at_most, otherwise a lower bound */
    bool at_most, has_target;
    double value; /* NAN: no launch counts */
    size_t launches; /* that count */
};

enum { BYW_CORRELATE_FIGURES = 16 };

/* Computes figure[BYW_CORRELATE_FIGURES]; returns their number. */
size_t byw_correlate_score(const struct byw_correlate *c, enum byw_correlate_half half,
                           struct byw_correlate_figure *figure);

/* Value of the launch divided by that of the same launch as compiled: cycles if both have them,
 * otherwise times; NAN: not known. */
double byw_correlate_gpu_ratio(const struct byw_correlate *c, size_t i);
double byw_correlate_own_ratio(const struct byw_correlate *c, size_t i); /* simulated */

/* Simulated over measured cycles (or times); NAN: not known. */
double byw_correlate_cycles(const struct byw_correlate_launch *launch);
/* Measured and simulated hit rate of loads in the L1, from 0 to 1; NAN: not known. */
double byw_correlate_gpu_hits(const struct byw_correlate_launch *launch);
double byw_correlate_own_hits(const struct byw_correlate_launch *launch);

/* The cause of the error in cycles, if the counters show one. */
const char *byw_correlate_reason(const struct byw_correlate_launch *launch);

#endif
