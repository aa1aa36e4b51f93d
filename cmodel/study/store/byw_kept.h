/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_kept.h - runs by content: the id of a run, and lists of runs in which those already stored in
 * a folder of results (byw_store.h) are not repeated.
 *
 * An id is a checksum of everything that determines a result: build (version and sources), every
 * key of the configuration, the trace's content, the names that the result shows, and what the
 * caller adds (its advice).
 */
#ifndef BYW_KEPT_H
#define BYW_KEPT_H

#include "study/job/byw_job.h"
#include "study/store/byw_store.h"
#include "trace/file/byw_trace_sum.h"

typedef char byw_kept_id[BYW_TRACE_SUM_ROOM];

/* Every key and its value, for byw_kept_name(); the caller frees it. NULL if memory runs out. */
char *byw_kept_config(const struct byw_config *config);

/* The id of a run; job->trace_sum must be set. more: "" or further data that determine the result.
 * False: out of memory. */
bool byw_kept_name(const struct byw_job *job, const char *config, const char *more, byw_kept_id id);

/* byw_jobs_run(), with every result taken from the folder or stored there as soon as it is made: a
 * list that is killed resumes, and several processes can share one list. store: NULL: nothing is
 * stored. */
enum byw_status byw_kept_run(struct byw_store *store, const struct byw_job *jobs,
                             const byw_kept_id *id, size_t count, unsigned workers,
                             const struct byw_job_options *how, json_t **results,
                             struct byw_diag *diag);

#endif
