/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_machine_page.h - the page of `byway source` (study/page/byw_source.js) for machine code that
 * has not been run. The cycles shown are the stall counts of the assembler's schedule: the warp
 * issues nothing for that long after the instruction. A wait for a scoreboard barrier has no known
 * duration; the page only names the instruction that the warp waits for.
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
    struct byw_numbering numbered; /* empty if the file is a cubin */
    struct byw_cubin cubin;
};

/* Writes and commits the file, or discards it on failure. pick: the kernels to show; NULL: all. */
enum byw_status byw_machine_page(const struct byw_machine_text *text,
                                 const struct byw_kernel_pick *pick, struct byw_file *file,
                                 struct byw_diag *diag);

#endif
