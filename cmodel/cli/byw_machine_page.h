/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_machine_page.h - the page of `byway source` (study/page/byw_source.js) for machine code that
 * has not been run: its cycles are those of the assembler's schedule, for which the warp issues
 * nothing after the instruction.  Waiting for a barrier takes as long as memory takes; the page
 * names what is waited for.
 */
#ifndef BYW_MACHINE_PAGE_H
#define BYW_MACHINE_PAGE_H

#include "capture/machine/byw_cubin.h"
#include "capture/machine/byw_numbering.h"
#include "common/byw_file.h"
#include "trace/byw_kernel_pick.h"

/* A file of PTX or machine code, read. */
struct byw_machine_text {
    const char *path;
    char *text; /* the file: PTX, or a cubin */
    size_t length;
    struct byw_numbering numbered; /* without instructions: a cubin */
    struct byw_cubin cubin;
};

/* Writes and commits the file, or discards it on failure.  pick: the kernels; NULL: all. */
enum byw_status byw_machine_page(const struct byw_machine_text *text,
                                 const struct byw_kernel_pick *pick, struct byw_file *file,
                                 struct byw_diag *diag);

#endif
