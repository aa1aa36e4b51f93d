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
    const char *id; /* short name: "l1_hit_distance" */
    const char *text; /* title: "L1 hit rate of loads, mean distance" */
    const char *unit; /* "%", "points", "" */
    double target; /* bound of a good value: an upper bound if at_most, otherwise a lower bound */
    bool at_most, has_target;
    double value; /* NAN: no launch counts */
    double low, high; /* 95 % confidence interval over the launches; NAN: fewer than two */
    size_t launches; /* number of launches that count */
};

enum { BYW_CORRELATE_FIGURES = 20 };

/* Computes figure[BYW_CORRELATE_FIGURES]; returns their number.  The intervals are the middle 95 %
 * of the figure over 1,000 drawings of as many launches with replacement (bootstrap), from a fixed
 * seed. */
size_t byw_correlate_score(const struct byw_correlate *c, enum byw_correlate_half half,
                           struct byw_correlate_figure *figure);

/* Value of the launch divided by that of the same launch as compiled: cycles if both have them,
 * otherwise times; NAN: not known. _timed: the ratio of times that were measured separately from
 * the cycles, from another file's row of the same launch if it exists, otherwise from this row. */
double byw_correlate_gpu_ratio(const struct byw_correlate *c, size_t i);
double byw_correlate_timed_ratio(const struct byw_correlate *c, size_t i);
double byw_correlate_own_ratio(const struct byw_correlate *c, size_t i); /* simulated */

/* Whether a variant's simulated ratio is on the GPU's side of 1. The GPU shows a side if its cycles
 * differ by more than 5 %; its times must differ to the same side by more than 3 %, or the side is
 * undecided. The simulated ratio is right if it also differs to that side by more than 3 %. NONE:
 * the GPU shows no side, something is unknown, or the row has only times of a launch that another
 * file has with its cycles. */
enum byw_correlate_side { BYW_SIDE_NONE, BYW_SIDE_RIGHT, BYW_SIDE_WRONG, BYW_SIDE_UNDECIDED };
enum byw_correlate_side byw_correlate_side(const struct byw_correlate *c, size_t i);
const char *byw_correlate_side_name(enum byw_correlate_side side); /* "" for NONE */
/* The simulated effect of a variant divided by the measured one, each the logarithm of its ratio:
 * 1: equal, 2: twice as large, negative: in the opposite direction; NAN: the GPU shows no side. */
double byw_correlate_effect(const struct byw_correlate *c, size_t i);

/* Simulated over measured cycles (or times); NAN: not known. */
double byw_correlate_cycles(const struct byw_correlate_launch *launch);
double byw_correlate_ptx_cycles(const struct byw_correlate_launch *launch); /* the same ratio,
                                                                               simulated by PTX */
/* Measured and simulated hit rate of loads in the L1, from 0 to 1; NAN: not known. */
double byw_correlate_gpu_hits(const struct byw_correlate_launch *launch);
double byw_correlate_own_hits(const struct byw_correlate_launch *launch);

/* The cause of the error in cycles, if the counters show one. */
const char *byw_correlate_reason(const struct byw_correlate_launch *launch);

/* Splits the launch's cycles among the rules of the simulator, the largest share first: the cost of
 * the launch, and the rest by what its warps waited for (by machine code: byw_stalls.h; by PTX:
 * what schedulers with warps lacked).  Returns the number of shares.  _occupancy: mean number of
 * resident warps after the launch's start-up, divided by the number that all SMs can hold; NAN: by
 * PTX. */
struct byw_correlate_spent {
    const char *rule; /* name of a rule: "DRAM", "issue" */
    double share; /* fraction of the launch's time, 0 to 1 */
};
enum { BYW_CORRELATE_RULES = 24 };
size_t byw_correlate_spent(const struct byw_correlate *c, size_t i,
                           struct byw_correlate_spent spent[BYW_CORRELATE_RULES]);
double byw_correlate_occupancy(const struct byw_correlate *c, size_t i);

#endif
