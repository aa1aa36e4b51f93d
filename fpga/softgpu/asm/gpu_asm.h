/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_asm.h - the assembler of the soft GPU: text to instruction words.
 *
 * The language: one statement per line, # starts a comment.
 *   label:                    may precede a statement
 *   .reg name rN              another name for a register
 *   .equ name number          a name for a number
 *   .word number              a literal word
 *   instruction operands      fpga/softgpu/README.md; loads may carry a hint: lw.stream
 *   li d, number              any 32 bits: addi, or lui and ori
 *   mov d, a   nop            addi d, a, 0   add r0, r0, r0
 * Numbers are decimal or hexadecimal (0x), and may be negative; targets are labels.  if, else, end,
 * loop and while need no label: the assembler matches them and rejects unmatched ones.
 */
#ifndef GPU_ASM_H
#define GPU_ASM_H

#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"

enum {
    GPU_PROGRAM_MAX = 65536, /* words, because targets have 16 bits */
    GPU_DEPTH_MAX = 64, /* nesting of if and loop; the core's limit is its parameter */
};

struct gpu_program {
    uint32_t count; /* number of words */
    uint32_t depth; /* depth of the mask stack */
    uint32_t *word;
    uint32_t *line; /* source line of each word */
};

/* Assembles text[size], which need not be zero-terminated and may hold any bytes.  `name` is the
 * file name in messages.  BYW_EFORMAT with "name:line: expected ..., got ..."; BYW_ENOMEM. *program
 * is set only on success. */
enum byw_status gpu_assemble(const char *name, const char *text, size_t size,
                             struct gpu_program *program, struct byw_diag *diag);

/* gpu_assemble() for a file; BYW_EIO if it cannot be read. */
enum byw_status gpu_assemble_file(const char *path, struct gpu_program *program,
                                  struct byw_diag *diag);

void gpu_program_release(struct gpu_program *program);

#endif
