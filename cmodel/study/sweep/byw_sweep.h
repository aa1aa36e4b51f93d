/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sweep.h - makes the runs of a plan that a store does not have yet.
 */
#ifndef BYW_SWEEP_H
#define BYW_SWEEP_H

#include "study/job/byw_store.h"
#include "study/sweep/byw_plan.h"

/* Progress of a sweep. */
struct byw_sweep_state {
    size_t points, there, refused, failed; /* includes refused runs */
    struct byw_diag failure; /* of the first failed run */
    double seconds; /* time of the missing runs on one processor; from byw_sweep_estimate() */
    double instructions; /* of them, warp instructions; likewise */
};

/* Counts the results of the plan that exist.  A damaged result is not, and is taken away. */
enum byw_status byw_sweep_look(const struct byw_plan *plan, struct byw_store *store,
                               struct byw_sweep_state *state, struct byw_diag *diag);
/* How long the rest takes: counts the instructions of the traces, and takes the pace from results
 * in the store, or else from the beginning of one of the missing runs.  seconds: NULL, or receives
 * the time of each point on one processor, 0 for points with a result. */
enum byw_status byw_sweep_estimate(const struct byw_plan *plan, const struct byw_store *store,
                                   struct byw_sweep_state *state, double *seconds,
                                   struct byw_diag *diag);
/* Runs it, and waits for points that other processes have claimed.  Each result is stored as soon
 * as it is complete.  A failed run stops no other: the state says how many there were.  order:
 * numbers of all points, in which they are begun; NULL: the plan's.  BYW_ESTUCK when the stop flag
 * was set. */
enum byw_status byw_sweep_run(const struct byw_plan *plan, struct byw_store *store,
                              const size_t *order, unsigned workers,
                              const struct byw_job_options *how, struct byw_sweep_state *state,
                              struct byw_diag *diag);

/* One task's part of a sweep (byw_slurm.h). */
struct byw_sweep_part {
    struct byw_names *id; /* of runs, the first `own` its own, then those it may help with */
    size_t own;
    char *failures; /* folder: each failed run leaves a file, named by its id, with the message */
};

/* Makes its own runs, and then runs of other tasks, so that early finishers help.  Waits for no
 * other process.  Points with a file in `failures` are skipped. */
enum byw_status byw_sweep_run_part(const struct byw_plan *plan, struct byw_store *store,
                                   const struct byw_sweep_part *part, unsigned workers,
                                   const struct byw_job_options *how, struct byw_sweep_state *state,
                                   struct byw_diag *diag);
/* The result of a point that is refused; for others nothing is done. */
enum byw_status byw_sweep_put_refusal(const struct byw_point *point, struct byw_store *store,
                                      const struct byw_job_options *how, struct byw_diag *diag);

#endif
