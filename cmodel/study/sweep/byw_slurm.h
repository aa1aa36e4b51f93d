/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_slurm.h - executes the missing runs of a plan on a Slurm cluster.
 *
 * The missing runs are cut into parts, and a job array has a task for each part.  A task is this
 * program, started with the same command and `--part FILE:N`: byw_sweep_run_part().  Results go to
 * the store, which all nodes must see.  In DIR/slurm are
 *
 *     byway-SUM      a copy of the program, so that a new build does not change what runs
 *     parts-SUM      a line of run ids for each task
 *     job.sh, job    the input of sbatch, and the number of the running job
 *     task-N.log     output of the tasks
 *     failed/ID      why a run failed
 *
 * Slurm starts the tasks of a lost node again.  Runs that are missing when a job has ended (a
 * task was cancelled, killed, or out of time) are submitted again, as long as this makes
 * progress.
 */
#ifndef BYW_SLURM_H
#define BYW_SLURM_H

#include "study/sweep/byw_sweep.h"

struct byw_slurm {
    const char *arguments; /* arguments of the command, quoted for a shell, without the program's
                              name */
    const char *const *option; /* lines for sbatch, e.g. "--partition=long" */
    size_t options;
    unsigned limit; /* runs at a time; 0: no limit */
    void (*say)(const char *sentence); /* NULL, or: messages for the user while it runs */
};

/* BYW_EUNSUPPORTED: Slurm is not installed. */
enum byw_status byw_slurm_run(const struct byw_plan *plan, struct byw_store *store,
                              const struct byw_places *places, const struct byw_slurm *slurm,
                              const struct byw_job_options *how, struct byw_sweep_state *state,
                              struct byw_diag *diag);

/* A task's part, "FILE:N"; release with byw_slurm_part_free(). */
enum byw_status byw_slurm_part_read(const char *given, const char *dir, struct byw_sweep_part *part,
                                    struct byw_diag *diag);
void byw_slurm_part_free(struct byw_sweep_part *part);

#endif
