/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_decode.h - one machine instruction of compute capability 8.0 to 9.0, from its two 64-bit
 * words.
 *
 * Encoding facts, found by assembling small programs and confirmed by nvdisasm (verif/machine).
 * Bits 0 to 63 are the first word, 64 to 127 the second:
 *
 *     0-8 opcode    9-11 form of the operands    12-14 predicate (7: always)    15 negated
 *     16-23 destination register    24-31 first source    32-63 second source or immediate
 *     64-71 third source
 *     105-108 stall    109 yield    110-112 write barrier    113-115 read barrier
 *     116-121 barriers to wait for    122-125 operand reuse
 *
 * Branches: bits 34-81 are the distance in words of 4 bytes from the next instruction; from 9.0 on
 * its low eight bits are 16-23.  BSSY: bits 34-63.
 */
#ifndef BYW_DECODE_H
#define BYW_DECODE_H

#include "trace/byw_machine.h"

enum byw_decode_width {
    BYW_WIDTH_NONE,
    BYW_WIDTH_SIZE, /* bits 73-75: 8, 8, 16, 16, 32, 64, 128 bits */
    BYW_WIDTH_ATOMIC, /* bits 73-75: type of an integer atomic; before 9.0 of every atomic */
    BYW_WIDTH_REAL, /* bits 73-76: type of a float atomic from 9.0 on */
    BYW_WIDTH_MATRIX /* bits 72-73: 1, 2 or 4 matrices, 4 bytes of each per lane */
};

struct byw_opcode {
    const char *name; /* mnemonic; NULL: unknown opcode */
    uint8_t kind; /* enum byw_machine_op */
    bool warp; /* its predicate applies to the whole warp */
    uint8_t width; /* enum byw_decode_width */
};

/* Entry of the table of opcodes for an instruction's first word. */
const struct byw_opcode *byw_opcode_of(uint64_t word);

/* Decodes the instruction at index `at` of a section with `count` instructions.  Its line and
 * source are 0.  An unknown opcode gives BYW_MACHINE_UNKNOWN. */
struct byw_machine_inst byw_decode(uint64_t first, uint64_t second, uint32_t at, uint32_t count,
                                   uint32_t arch);

#endif
