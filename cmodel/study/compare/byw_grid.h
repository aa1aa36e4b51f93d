/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_grid.h - every policy with every workload on every machine: the runs of a comparison.
 *
 * Machines, policies and workloads are given by name or path; each is run once even if named
 * repeatedly, and two with the same short name are shown with their paths. A policy that a machine
 * refuses, or a kernel that does not fit it, is a gap (byw_compare.h) and stops nothing; an unknown
 * name or a damaged file stops the whole comparison before or during the runs.
 */
#ifndef BYW_GRID_H
#define BYW_GRID_H

#include "study/compare/byw_compare.h"
#include "study/job/byw_job.h"

struct byw_grid;

enum byw_status byw_grid_create(struct byw_grid **grid, struct byw_diag *diag);
void byw_grid_free(struct byw_grid *grid);

/* Adds an item to compare; BYW_EINVAL if there are too many of a kind. */
enum byw_status byw_grid_add_machine(struct byw_grid *grid, const char *given,
                                     struct byw_diag *diag);
enum byw_status byw_grid_add_policy(struct byw_grid *grid, const char *given,
                                    struct byw_diag *diag);
/* Adds a shipped workload; each machine runs its trace with warps of the machine's width, if there
 * is one. */
enum byw_status byw_grid_add_shipped(struct byw_grid *grid, const char *name,
                                     struct byw_diag *diag);
enum byw_status byw_grid_add_trace(struct byw_grid *grid, const char *path, struct byw_diag *diag);

/* Reads all configurations and finds the shipped traces; BYW_EINVAL if no machine accepts any
 * policy. */
enum byw_status byw_grid_prepare(struct byw_grid *grid, const struct byw_places *places,
                                 const char *const *settings, size_t setting_count,
                                 struct byw_diag *diag);
/* Makes the runs that are not refused; BYW_EINVAL if everything was. */
enum byw_status byw_grid_run(struct byw_grid *grid, unsigned workers,
                             const struct byw_job_options *options, struct byw_diag *diag);

/* To be called after _run: one comparison per machine, in order; free them before the grid. */
size_t byw_grid_machines(const struct byw_grid *grid);
enum byw_status byw_grid_compare(const struct byw_grid *grid, size_t machine,
                                 struct byw_compare **compare, struct byw_diag *diag);
/* Number of refused runs, and of all runs. */
size_t byw_grid_gaps(const struct byw_grid *grid, size_t *runs);

#endif
