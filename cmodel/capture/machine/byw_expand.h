/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_expand.h - what one PTX operation becomes: machine instructions and cycles, measured on the
 * machine code of small kernels.
 *
 * One kernel applies an operation to its own result three times, another kernel twice; the
 * difference is the cost of one operation.  The shortest path through the code is counted: rare
 * operands (subnormal numbers, 64-bit quotients that need 64 bits) take longer, in a function that
 * is called.  Cycles are those of one warp from operand to result, according to the stall counts
 * and barriers.
 */
#ifndef BYW_EXPAND_H
#define BYW_EXPAND_H

#include <stdint.h>

#include "common/byw_status.h"
#include "trace/byw_machine.h"

struct byw_expansion {
    const char *operation; /* PTX opcode */
    uint32_t instructions, cycles;
    uint32_t of_unit[BYW_MACHINE_UNIT_COUNT]; /* instructions by unit */
};

/* Measures all operations with the assembler that is found; *list: malloced. */
enum byw_status byw_expand_measure(uint32_t arch, const char *folder, struct byw_expansion **list,
                                   uint32_t *count, struct byw_diag *diag);

/* The shortest path through a kernel's code, and its cost; false: no path leads to an exit. */
bool byw_expand_walk(const struct byw_machine *machine, struct byw_expansion *cost);

#endif
