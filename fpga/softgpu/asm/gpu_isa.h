/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_isa.h - the instruction set of the soft GPU as a table (gpu_isa.def), and its fields.
 */
#ifndef GPU_ISA_H
#define GPU_ISA_H

#include <stdint.h>

enum gpu_form {
    GPU_NONE,
    GPU_JUMP,
    GPU_BRANCH,
    GPU_ALU,
    GPU_IMM,
    GPU_UPPER,
    GPU_ID,
    GPU_PARAM,
    GPU_LOAD,
    GPU_STORE,
    GPU_ATOMIC,
    GPU_IF,
    GPU_ELSE,
    GPU_END,
    GPU_LOOP,
    GPU_WHILE,
};

enum {
#define ISA(name, operation, form, what) GPU_OP_##name = operation,
#include "softgpu/gpu_isa.def"
#undef ISA
};

/* The values that `id` can read, in the order of their numbers. */
#define GPU_ID_LIST(X)                                                                             \
    X(lane) /* 0 to lanes - 1 */                                                                   \
    X(warp) /* 0 to warps - 1 */                                                                   \
    X(cta) /* 0 to ctas - 1 */                                                                     \
    X(thread) /* (cta * warps + warp) * lanes + lane */                                            \
    X(lanes)                                                                                       \
    X(warps)                                                                                       \
    X(ctas)                                                                                        \
    X(threads) /* ctas * warps * lanes */

/* Hint suffixes of loads, as in lw.stream, in the order of enum byw_hint. */
#define GPU_HINT_LIST(X)                                                                           \
    X(none)                                                                                        \
    X(bypass)                                                                                      \
    X(stream)                                                                                      \
    X(cache)                                                                                       \
    X(volatile)

enum {
    GPU_REGISTERS = 32,
    GPU_PARAMS = 16,
    GPU_OFFSET_MIN = -4096, /* offsets of loads and stores */
    GPU_OFFSET_MAX = 4095,
};

struct gpu_instruction {
    const char *name;
    uint32_t operation;
    enum gpu_form form;
    const char *what;
};

/* Instruction i in the order of the table; name is NULL after the last one. */
const struct gpu_instruction *gpu_isa(uint32_t i);

/* Writes byw_gpu_isa.vh, or the table of the README, to standard output. */
void gpu_isa_print_vh(void);
void gpu_isa_print_md(void);

#endif
