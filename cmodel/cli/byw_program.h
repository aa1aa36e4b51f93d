/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_program.h - an OpenCL or CUDA program in a folder of its own for as long as a command works
 * on it: its traces, its sources, and sources that take their place in the next capture.
 */
#ifndef BYW_PROGRAM_H
#define BYW_PROGRAM_H

#include "study/advise/byw_advise.h"
#include "study/advise/byw_advise_patch.h"
#include "study/job/byw_setup.h"

struct byw_program {
    char folder[BYW_PATH_ROOM]; /* empty: none */
    char *const *argv;
    unsigned warp;
    char source[BYW_ADVISE_TEXTS][BYW_PATH_ROOM];
    const char *sources[BYW_ADVISE_TEXTS];
    size_t source_count;
    bool cuda; /* its sources are .cu files; known after the first capture */
};

/* Makes the folder; _remove drops it with all that is in it. */
enum byw_status byw_program_open(struct byw_program *program, char *const argv[], unsigned warp,
                                 struct byw_diag *diag);
void byw_program_remove(struct byw_program *program);

/* Runs the program, what it prints on stderr; trace: path of what its kernels did.  Finds its
 * sources. */
enum byw_status byw_program_capture(struct byw_program *program, const char *name,
                                    char trace[BYW_PATH_ROOM], struct byw_diag *diag);

/* From the next capture on these texts are built instead. */
enum byw_status byw_program_replace(const struct byw_program *program,
                                    const struct byw_advise_patch *patch, struct byw_diag *diag);

/* Writes the report's advice into the sources that the options name: commits the diff, then
 * captures the changed program and simulates it.  The report gets the member `patch`: what was
 * changed and what that gains; where it was not measured, the reason, which is also the status. */
enum byw_status byw_program_patch(struct byw_program *program, const struct byw_job *job,
                                  const struct byw_advise_options *options, json_t *report,
                                  struct byw_file **diff, struct byw_diag *diag);

#endif
