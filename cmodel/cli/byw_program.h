/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_program.h - an OpenCL or CUDA program in a temporary folder: its traces, its sources, and
 * replacements of the sources for the next capture.
 */
#ifndef BYW_PROGRAM_H
#define BYW_PROGRAM_H

#include "capture/byw_cl_sweeper.h"
#include "study/advise/byw_advise.h"
#include "study/advise/byw_advise_patch.h"
#include "study/job/byw_setup.h"

struct byw_program {
    char folder[BYW_PATH_ROOM]; /* empty: none */
    struct byw_cl_sweeper sweeper; /* removes the folder when this process ends by a signal */
    char *const *argv;
    unsigned warp;
    char source[BYW_ADVISE_TEXTS][BYW_PATH_ROOM];
    const char *sources[BYW_ADVISE_TEXTS];
    size_t source_count;
    bool cuda; /* its sources are .cu files; known after the first capture */
};

/* Captures a program into a trace, with the program's output on stderr. */
enum byw_status byw_program_run(char *const argv[], unsigned warp, const char *trace,
                                struct byw_diag *diag);

/* Creates the folder; _remove deletes it with its content. */
enum byw_status byw_program_open(struct byw_program *program, char *const argv[], unsigned warp,
                                 struct byw_diag *diag);
void byw_program_remove(struct byw_program *program);

/* Captures the program in that folder and finds its sources. trace: gets the path of the trace. */
enum byw_status byw_program_capture(struct byw_program *program, const char *name,
                                    char trace[BYW_PATH_ROOM], struct byw_diag *diag);

/* The next captures compile these texts in place of the program's sources. */
enum byw_status byw_program_replace(const struct byw_program *program,
                                    const struct byw_advise_patch *patch, struct byw_diag *diag);

/* Writes the report's advice into the sources named by the options: commits the diff, then captures
 * the changed program and simulates it. The report gets the member `patch`: the changes and their
 * gain, or the reason why it was not measured, which is also the status. */
enum byw_status byw_program_patch(struct byw_program *program, const struct byw_job *job,
                                  const struct byw_advise_options *options, json_t *report,
                                  struct byw_file **diff, struct byw_diag *diag);

#endif
