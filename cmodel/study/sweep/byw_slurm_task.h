/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_slurm_task.h - the folder DIR/slurm (byw_slurm.h): its paths, and how its files are written.
 */
#ifndef BYW_SLURM_TASK_H
#define BYW_SLURM_TASK_H

#include "study/sweep/byw_slurm.h"

struct byw_slurm_task {
    char folder[BYW_PATH_ROOM], failed[BYW_PATH_ROOM], program[BYW_PATH_ROOM];
    char script[BYW_PATH_ROOM], job[BYW_PATH_ROOM], log[BYW_PATH_ROOM];
};

/* create: makes the folder, copies the program, and forgets earlier failures. */
enum byw_status byw_slurm_task_open(struct byw_slurm_task *task, const char *dir, bool create,
                                    struct byw_diag *diag);
/* Makes the path FOLDER/KINDNAME, for example FOLDER/parts-SUM or FOLDER/job.sh. */
enum byw_status byw_slurm_task_path(const struct byw_slurm_task *task, const char *kind,
                                    const char *name, char path[BYW_PATH_ROOM],
                                    struct byw_diag *diag);
/* A file that appears whole or not at all. */
enum byw_status byw_slurm_task_write(const char *path, const char *text, size_t size,
                                     bool executable, struct byw_diag *diag);
/* The number of the job that an earlier command submitted; false: none. */
bool byw_slurm_task_job(const struct byw_slurm_task *task, char *job, size_t room);
/* Quotes a word for a shell. */
void byw_slurm_task_quote(FILE *out, const char *text);

#endif
