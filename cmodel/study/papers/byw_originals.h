/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_originals.h - the programs that the papers ran: which of them byway traced, from which
 * source, with which input, and the checksum of each trace (byw_originals.def).
 *
 * Neither programs nor traces are part of byway: a folder of such traces is given to
 * `byway reproduce --traces`, which compares it with this table.
 */
#ifndef BYW_ORIGINALS_H
#define BYW_ORIGINALS_H

#include <stdint.h>

#include "study/job/byw_setup.h"
#include "study/papers/byw_papers.h"

struct byw_original {
    const char *workload; /* the workload whose trace, NAME.bwt, this trace replaces */
    const char *suite, *program, *source; /* source: repository and commit */
    const char *input, *arguments;
    const char *altered; /* lines of the source that had to change; "" */
    const char *check; /* the check that the program itself makes; "": none */
    const char *part; /* the part of the run that is in the trace; "": all of it */
    const char *sum; /* byw_trace_sum() of the trace; "": there is none */
    const char *why; /* why there is no trace, or what a reader of its results must know; "" */
    uint64_t warps, lanes, accesses; /* warp and lane instructions, accesses of the trace */
    uint64_t whole; /* lane instructions of the whole run; 0: unknown */
};

size_t byw_original_count(void);
const struct byw_original *byw_original(size_t i);
/* The paper's number of dynamic instructions of a workload (figure 000-T1n); 0: it prints none. */
double byw_original_printed(const struct byw_papers *papers, const char *workload);
/* Lane instructions of the run that the trace with a checksum is a part of; 0: unknown. */
uint64_t byw_originals_whole(const struct byw_original *list, size_t count, const char *sum);

/* How a folder's traces compare with the table. */
struct byw_originals_found {
    size_t expected, equal; /* records with a trace; those whose file has the checksum */
    struct byw_names missing, differ;
};

/* Compares FOLDER/NAME.bwt with each record that has a trace; release the result. BYW_EIO,
 * BYW_ENOMEM. */
enum byw_status byw_originals_check(const struct byw_original *list, size_t count,
                                    const char *folder, struct byw_originals_found *found,
                                    struct byw_diag *diag);
void byw_originals_release(struct byw_originals_found *found);

#endif
