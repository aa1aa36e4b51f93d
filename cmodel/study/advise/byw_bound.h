/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bound.h - a bound in cycles: the best advice per load (sim/sm/byw_load_advice.h) that a
 * search finds.
 *
 * Each static global load of a trace is kept or bypassed, always.  The search climbs from both
 * ends, no load and every load bypassed: in each round every load is turned over by itself; the
 * turns that save cycles are then made together, and by halves the best of them; what is fastest
 * is where the next round begins.  It ends where no single turn helps.  The order of everything is
 * fixed, so that the result depends neither on the number of processes nor on interruptions.
 *
 * The result is a file of advice that `byway run --advice` obeys.  Its comments hold every
 * assignment tried with its cycles; a search that finds its file goes on from there.  It is
 * written after each batch of runs.
 */
#ifndef BYW_BOUND_H
#define BYW_BOUND_H

#include "study/job/byw_job.h"

struct byw_bound_options {
    const char *path; /* of the file */
    uint64_t most_runs; /* in all, earlier ones included */
    unsigned workers;
    const struct byw_job_options *how; /* progress and stop */
};

/* *json: a new reference: cycles, keep_all, bypass_all, loads, bypassed, runs, complete.
 * BYW_ESTUCK: interrupted, the file has what was done; BYW_EFORMAT: the file is of another search.
 */
enum byw_status byw_bound_search(const struct byw_job *job, const struct byw_bound_options *options,
                                 json_t **json, struct byw_diag *diag);

#endif
