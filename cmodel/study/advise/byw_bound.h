/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bound.h - a bound in cycles: the best advice per load (sim/sm/byw_load_advice.h) that a
 * search finds.
 *
 * Each static global load of a trace is always cached or always bypassed. The search climbs from
 * both extremes, no load and every load bypassed. Each round flips every load by itself, then the
 * flips that save cycles together, and the better halves of them; the next round starts at the
 * fastest. It ends when no single flip helps. The order is fixed, so the result depends neither on
 * the number of processes nor on interruptions.
 *
 * The result is an advice file that `byway run --advice` obeys. Its comments hold every assignment
 * tried with its cycles; a search that finds its file resumes from there. The file is written after
 * each batch of runs.
 */
#ifndef BYW_BOUND_H
#define BYW_BOUND_H

#include "study/job/byw_job.h"

struct byw_bound_options {
    const char *path; /* the advice file of the search */
    uint64_t most_runs; /* limit on all runs, including earlier ones */
    unsigned workers;
    const struct byw_job_options *how; /* progress and stop */
};

/* *json: a new reference: cycles, keep_all, bypass_all, loads, bypassed, runs, complete.
 * BYW_ESTUCK: interrupted, the file has the finished runs; BYW_EFORMAT: the file belongs to
 * another search. */
enum byw_status byw_bound_search(const struct byw_job *job, const struct byw_bound_options *options,
                                 json_t **json, struct byw_diag *diag);

#endif
