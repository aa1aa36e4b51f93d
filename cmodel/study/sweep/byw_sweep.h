/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sweep.h - executes the runs of a plan that a store does not have yet.
 */
#ifndef BYW_SWEEP_H
#define BYW_SWEEP_H

#include "study/store/byw_store.h"
#include "study/sweep/byw_plan.h"

/* Progress of a sweep. */
struct byw_sweep_state {
    size_t points, there, refused, failed; /* `there` includes refused runs */
    struct byw_diag failure; /* reason of the first failed run */
    double seconds; /* time of the missing runs on one processor, from byw_sweep_estimate() */
    double instructions; /* warp instructions of the missing runs, from byw_sweep_estimate() */
};

/* Counts the results of the plan that exist.  A damaged result does not count and is removed. */
enum byw_status byw_sweep_look(const struct byw_plan *plan, struct byw_store *store,
                               struct byw_sweep_state *state, struct byw_diag *diag);
/* Estimates how long the rest takes: counts the instructions of the traces, and takes the
 * simulation speed from results in the store or, if there are none, from the beginning of one of
 * the missing runs.  seconds: NULL, or receives the time of each point on one processor, 0 for
 * points with a result. */
enum byw_status byw_sweep_estimate(const struct byw_plan *plan, const struct byw_store *store,
                                   struct byw_sweep_state *state, double *seconds,
                                   struct byw_diag *diag);
/* Runs the sweep, and waits for points that other processes have claimed.  Each result is stored
 * as soon as it is complete.  A failed run stops no other: the state says how many there were.
 * order: the numbers of all points, in the order in which to start them; NULL: the plan's order.
 * BYW_ESTUCK when the stop flag was set. */
enum byw_status byw_sweep_run(const struct byw_plan *plan, struct byw_store *store,
                              const size_t *order, unsigned workers,
                              const struct byw_job_options *how, struct byw_sweep_state *state,
                              struct byw_diag *diag);

/* One task's part of a sweep (byw_slurm.h). */
struct byw_sweep_part {
    struct byw_names *id; /* run ids: the first `own` are its own, then those it may help with */
    size_t own;
    char *failures; /* folder: each failed run leaves a file, named by its id, with the message */
};

/* Executes its own runs, and then runs of other tasks, so that tasks that finish early help.  Does
 * not wait for other processes.  Skips points with a file in `failures`. */
enum byw_status byw_sweep_run_part(const struct byw_plan *plan, struct byw_store *store,
                                   const struct byw_sweep_part *part, unsigned workers,
                                   const struct byw_job_options *how, struct byw_sweep_state *state,
                                   struct byw_diag *diag);
/* Stores the result of a refused point; does nothing for other points. */
enum byw_status byw_sweep_put_refusal(const struct byw_point *point, struct byw_store *store,
                                      const struct byw_job_options *how, struct byw_diag *diag);

#endif
