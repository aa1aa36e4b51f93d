/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_more.h - private to byw_reproduce: sources that are not runs of the sweep.
 */
#ifndef BYW_REPRODUCE_MORE_H
#define BYW_REPRODUCE_MORE_H

#include "study/papers/byw_reproduce_state.h"

/* Mpache's study of its nine kernels (byw_advise.h): for each of them, its program and "ALL".
 * variant: "mpache KEY=VALUE ...", the settings of its runs. */
enum byw_status byw_more_mpache(struct byw_reproduce *r, const struct byw_reproduce_more *more,
                                const char *variant, struct byw_diag *diag);

/* The workload of its i-th kernel; NULL after the last one. */
const char *byw_more_mpache_workload(size_t i);

/* Costs that need no run; a new reference. */
json_t *byw_more_costs(void);

#endif
