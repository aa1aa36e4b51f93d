/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_inputs.h - inputs of `byway reproduce` by size: traces of the shipped workloads, captured on
 * this machine into a folder and kept there.
 *
 *   test    the shipped traces, captured with the programs' option --size small
 *   small   the larger inputs of workloads/large.txt; other workloads use the shipped trace
 *   paper   traces captured with the programs' option --size paper
 */
#ifndef BYW_INPUTS_H
#define BYW_INPUTS_H

#include <signal.h>

#include "study/correlate/byw_correlate.h"
#include "study/papers/byw_reproduce.h"

enum byw_size { BYW_SIZE_TEST, BYW_SIZE_SMALL, BYW_SIZE_PAPER };

struct byw_inputs {
    enum byw_size size;
    const char *folder; /* gets NAME.bwt and, for warps of 64, w64/NAME.bwt */
    const char *programs; /* folder; NULL: workloads/ next to the running program */
    unsigned seconds; /* for one capture; 0: no limit */
    double budget; /* seconds for all of them; 0: no limit */
    void (*say)(size_t done, size_t count, const char *what);
    const volatile sig_atomic_t *stop;
};

/* Returns BYW_EINVAL if the text names no size. */
enum byw_status byw_inputs_size(const char *text, enum byw_size *size, struct byw_diag *diag);

/* Captures the traces that the runs of `reproduce` need and the folder lacks. The duration of a
 * capture is not known in advance, so all are tried with a short limit first; those that exceed it
 * are tried again with a longer one. A capture that fails or takes too long is reported on stderr
 * and leaves no trace. Returns BYW_ENOENT if a program or the runtime is missing. */
enum byw_status byw_inputs_capture(const struct byw_reproduce *reproduce,
                                   const struct byw_inputs *inputs, struct byw_diag *diag);

/* Captures the first launches of a workload for a table of hardware counters. Of the table's sizes,
 * small is that of the shipped traces, and large is that of workloads/large.txt. programs: folder;
 * NULL: workloads/ next to the running program. Returns BYW_ENOENT if the program, the runtime or
 * an input of that size is missing. */
enum byw_status byw_inputs_capture_workload(const char *programs,
                                            const struct byw_correlate_want *want,
                                            struct byw_diag *diag);

#endif
