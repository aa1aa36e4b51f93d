/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_numbering.h - numbers the instructions of PTX text, so that each machine instruction names
 * the PTX instruction that it was made from.
 *
 * Instructions are numbered from 1, in the order of the text, over all functions.  The numbered
 * text has a .loc with that number before each instruction in place of the original's line
 * information, whose .loc directives are kept separately as positions in the user's source. The
 * assembler generates the same machine code for both texts.  "debug" is removed from .target,
 * because code for a debugger has another schedule.
 */
#ifndef BYW_NUMBERING_H
#define BYW_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"

/* Where a PTX instruction is in the PTX text, and its place in the user's source.  Code that was
 * inlined from a header of the toolkit or the system has the place of the call. */
struct byw_numbering_place {
    uint32_t file, line; /* line 0: unknown */
    uint32_t at, length; /* bytes of the original text, up to its semicolon */
    uint32_t ptx_line; /* from 1 */
};

struct byw_numbering {
    char *text;
    size_t length;
    char target[16]; /* architecture to assemble for, as "sm_90a" */
    uint32_t count; /* instructions */
    struct byw_numbering_place *place; /* [count]: of instruction i + 1 */
    char **file; /* names by number in .file; NULL: not named */
    uint32_t files;
};

/* Numbers PTX for compute capability arch / 10 (80, 90).  PTX for a newer one is assembled for
 * `arch` if the assembler accepts it there.  Fails with BYW_EINVAL where the text is not PTX. */
enum byw_status byw_numbering_make(const char *text, size_t length, uint32_t arch,
                                   struct byw_numbering *numbered, struct byw_diag *diag);
void byw_numbering_free(struct byw_numbering *numbered);

/* Line in the user's source of PTX instruction `number`, and its file (NULL: unknown). 0: unknown.
 */
uint32_t byw_numbering_line(const struct byw_numbering *numbered, uint32_t number,
                            const char **file);

#endif
