/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_diff.h - what two results, or two sets of them, differ in.
 *
 * A set is a JSON file of `byway run` or `byway compare`, or the folder of a sweep.  Runs belong
 * together when workload, machine and policy are the same; where a sweep has several of one such
 * kind, when their varied keys are the same, too.  Numbers (byw_merge.h), whether it was refused,
 * and every key of the configuration are compared; `sim` and `provenance` are not.
 */
#ifndef BYW_DIFF_H
#define BYW_DIFF_H

#include "study/sweep/byw_merge.h"

struct byw_diff_options {
    double tolerance; /* numbers nearer than this part of A's are equal */
    const char *only; /* prefix of the members; NULL: all */
    bool any_policy; /* runs belong together whatever their policy */
};

/* Writes a line per difference and a sum; *same: there is none. */
enum byw_status byw_diff(const char *a, const char *b, const struct byw_diff_options *options,
                         FILE *out, bool *same, struct byw_diag *diag);

#endif
