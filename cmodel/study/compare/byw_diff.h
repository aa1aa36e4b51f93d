/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_diff.h - differences between two results, or two sets of them.
 *
 * A set is a JSON file of `byway run` or `byway compare`, or the folder of a sweep. Runs are paired
 * by workload, machine and policy; if a sweep has several of one kind, also by their varied keys.
 * Numbers (byw_merge.h), whether the run was refused, and every key of the configuration are
 * compared; `sim` and `provenance` are not.
 */
#ifndef BYW_DIFF_H
#define BYW_DIFF_H

#include "study/store/byw_merge.h"

struct byw_diff_options {
    double tolerance; /* numbers that differ by less than this fraction of A's are equal */
    const char *only; /* prefix of the members to compare; NULL: all */
    bool any_policy; /* runs are paired regardless of policy */
};

/* Writes a line per difference and a total; *same: there are none. */
enum byw_status byw_diff(const char *a, const char *b, const struct byw_diff_options *options,
                         FILE *out, bool *same, struct byw_diag *diag);

#endif
