/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_plan.h - the runs of a sweep: every combination of the values of one or more grids.
 *
 * A grid has axes: machines, policies, workloads and traces, and any configuration key, each with a
 * list of values.  In a file,
 *
 *     # comment
 *     machines  = fermi, gcn_apu
 *     policies  = bl, decoupled
 *     workloads = @cnf, lud
 *     traces    = my.bwt, folder
 *     l1d.mshrs = 16, 32, 64
 *     [another]
 *     ...
 *
 * a line in brackets begins another grid.  The defaults of axes without a line are all shipped
 * workloads unless there are traces, and machine and policies of byw_setup.h: BYW_OWN_... if there
 * are traces, else BYW_PAPER_....
 *
 * A point is one run.  Its id is a checksum of everything that determines its result: build
 * (version and sources), every key of the configuration, the trace's content, and the names that
 * the result shows.  A point that is in several grids is run once.
 */
#ifndef BYW_PLAN_H
#define BYW_PLAN_H

#include "study/job/byw_job.h"
#include "study/job/byw_setup.h"
#include "trace/file/byw_trace_sum.h"

struct byw_plan;

struct byw_point {
    char id[BYW_TRACE_SUM_ROOM];
    struct byw_job job;
    const char *refused; /* why the machine or policy refuses the run; NULL: not refused */
};

enum byw_status byw_plan_create(struct byw_plan **plan, struct byw_diag *diag);
void byw_plan_free(struct byw_plan *plan);

/* Adds values, separated by commas, to an axis of the last grid: "machines", "policies",
 * "workloads", "traces" or a configuration key.  where: for the sentence, "grid.ini:3" or "--set".
 */
enum byw_status byw_plan_add(struct byw_plan *plan, const char *axis, const char *values,
                             const char *where, struct byw_diag *diag);
/* Begins another grid. */
enum byw_status byw_plan_next(struct byw_plan *plan, struct byw_diag *diag);
/* Adds the grids of a file. */
enum byw_status byw_plan_read(struct byw_plan *plan, const char *path, struct byw_diag *diag);
/* Replaces an axis in every grid by these values. */
enum byw_status byw_plan_override(struct byw_plan *plan, const char *axis, const char *values,
                                  const char *where, struct byw_diag *diag);
/* Adds a trace to the last grid.  _override_traces: replaces the traces of every grid.  Paths may
 * contain commas. */
enum byw_status byw_plan_add_trace(struct byw_plan *plan, const char *path, struct byw_diag *diag);
enum byw_status byw_plan_override_traces(struct byw_plan *plan, const char *const *path,
                                         size_t count, struct byw_diag *diag);
/* The callback gets the number of points so far while _prepare lists them.  Call before
 * _prepare. */
void byw_plan_watch(struct byw_plan *plan, void (*listed)(size_t points));
/* The trace of a shipped workload is folder/NAME.bwt (warps of 64: folder/w64/NAME.bwt) if it
 * exists.  Before _prepare. */
void byw_plan_trace_folder(struct byw_plan *plan, const char *folder);
/* Finds the trace of a workload in that way; folder may be NULL. */
enum byw_status byw_plan_trace(const char *folder, const struct byw_places *places,
                               const char *workload, uint32_t lanes, char path[BYW_PATH_ROOM],
                               struct byw_diag *diag);

/* Reads configurations, finds traces and computes their checksums, and creates the points. */
enum byw_status byw_plan_prepare(struct byw_plan *plan, const struct byw_places *places,
                                 struct byw_diag *diag);
size_t byw_plan_count(const struct byw_plan *plan);
const struct byw_point *byw_plan_point(const struct byw_plan *plan, size_t i);

/* Id of the point of a grid (from 0) that runs a shipped workload; NULL: there is none.  For grids
 * of one configuration. */
const char *byw_plan_id(const struct byw_plan *plan, size_t grid, const char *workload);
/* Id of the n-th point of a grid of one configuration: first its workloads in their order, then its
 * traces; NULL: it has fewer points. */
const char *byw_plan_nth_id(const struct byw_plan *plan, size_t grid, size_t n);

#endif
