/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_compare_oracle.h - a comparison as fractions of the best possible, from results of
 * `byway oracle` (byw_oracle_report.h).
 *
 * BYW_SHARE_LOADS   loads that hit, divided by the oracle's best count. The run's counters include
 *                   stores to lines in flight among the merged loads, and each policy sees its
 *                   accesses in a different order, so the share may exceed 1.
 *
 * BYW_SHARE_CYCLES  fewest cycles that the search found, divided by the run's cycles; 1: the run is
 *                   as fast.
 */
#ifndef BYW_COMPARE_ORACLE_H
#define BYW_COMPARE_ORACLE_H

#include "study/compare/byw_compare.h"

/* X(code, name in JSON, heading). */
#define BYW_SHARE_LIST(X)                                                                          \
    X(BYW_SHARE_LOADS, "found_of_best",                                                            \
      "Loads found, as a fraction of the most that hindsight could find")                          \
    X(BYW_SHARE_CYCLES, "bound_of_cycles",                                                         \
      "Fewest cycles found with advice per load, as a fraction of the run's")

enum byw_share {
#define X(code, name, heading) code,
    BYW_SHARE_LIST(X)
#undef X
        BYW_SHARE_COUNT
};

const char *byw_share_name(enum byw_share share);
const char *byw_share_heading(enum byw_share share);

/* Reads a result of `byway oracle`.  BYW_EIO, BYW_EFORMAT. */
enum byw_status byw_oracle_load(const char *path, json_t **report, struct byw_diag *diag);

/* Adds these fractions to the rows of the report's machine and workloads. */
void byw_compare_use_oracle(struct byw_compare *compare, const json_t *report);

/* _has_share: whether any row has this share. _share: that of one row; NaN if it has none. */
bool byw_compare_has_share(const struct byw_compare *compare, enum byw_share share);
double byw_compare_share(const struct byw_compare *compare, size_t row, size_t policy,
                         enum byw_share share);

#endif
