/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_machine_page.h - a page of kernels with source, PTX and machine code side by side.
 *
 * The cycles on it are those of the assembler's schedule: for how long the warp issues nothing
 * after the instruction.  Waiting for a barrier takes as long as memory takes; the page names what
 * is waited for.
 */
#ifndef BYW_MACHINE_PAGE_H
#define BYW_MACHINE_PAGE_H

#include <stdio.h>

#include "capture/machine/byw_cubin.h"
#include "capture/machine/byw_numbering.h"

/* A file of PTX or machine code, read. */
struct byw_machine_text {
    const char *path;
    char *text; /* the file: PTX, or a cubin */
    size_t length;
    struct byw_numbering numbered;
    struct byw_cubin cubin;
};

void byw_machine_page_begin(FILE *out, const struct byw_machine_text *text);
void byw_machine_page_kernel(FILE *out, const struct byw_machine_text *text,
                             const struct byw_cubin_code *code);
void byw_machine_page_end(FILE *out);

#endif
