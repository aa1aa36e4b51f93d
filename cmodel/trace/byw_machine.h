/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_machine.h - a kernel's machine code as a table of numbers: the schedule that the assembler
 * gave it.
 *
 * The code is made by NVIDIA's assembler for a GPU that need not be present.  It is read for its
 * schedule and never executed.  An instruction has 16 bytes; its index is its address in its
 * section / 16.  The table covers one kernel and the functions it calls that the assembler put into
 * its section.
 *
 * Schedule, obeyed exactly by the hardware: after an instruction, its warp issues nothing for
 * `stall` cycles.  An instruction of variable latency sets one of six barriers of its warp:
 * `write_barrier` until its results are written, `read_barrier` until its operands have been read.
 * An instruction with `wait` issues once every barrier in that mask is clear.
 */
#ifndef BYW_MACHINE_H
#define BYW_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum byw_machine_op {
#define X(code, name, unit, memory) BYW_MACHINE_##code,
#include "trace/byw_machine_ops.def"
#undef X
    BYW_MACHINE_OPS
};

/* Pipes of an SM's quarter, as the documentation of NVIDIA's profiler describes them. */
#define BYW_MACHINE_UNITS(X)                                                                       \
    X(ALU, "alu") /* integer and logic, comparisons */                                             \
    X(FMA, "fma") /* float arithmetic: both halves of the FMA pipe */                              \
    X(FMA_HEAVY, "fma_heavy") /* one half of the FMA pipe, which also multiplies integers */       \
    X(FP64, "fp64")                                                                                \
    X(XU, "xu") /* transcendental functions and conversions */                                     \
    X(TENSOR, "tensor")                                                                            \
    X(LSU, "lsu") /* loads, stores, shuffles; shared by the SM */                                  \
    X(TEX, "tex")                                                                                  \
    X(TMA, "tma") /* bulk copies */                                                                \
    X(ADU, "adu") /* address divergence: indexed constants, barriers */                            \
    X(UNIFORM, "uniform") /* the warp's uniform registers */                                       \
    X(CBU, "cbu") /* branches and convergence */                                                   \
    X(ISSUE, "issue") /* no pipe */

enum byw_machine_unit {
#define X(code, name) BYW_MACHINE_UNIT_##code,
    BYW_MACHINE_UNITS(X)
#undef X
        BYW_MACHINE_UNIT_COUNT
};

enum { BYW_MACHINE_INST_BYTES = 16, BYW_MACHINE_BARRIERS = 6, BYW_MACHINE_NO_BARRIER = 7 };
#define BYW_MACHINE_NO_TARGET UINT32_MAX

/* struct byw_machine_inst.flags */
enum {
    BYW_MACHINE_PREDICATED = 1, /* executed by some lanes, or by none: @P or @!P */
    BYW_MACHINE_WARP_PREDICATE = 2, /* the predicate is the warp's, not the lanes': @UP */
    BYW_MACHINE_NEVER = 4, /* predicate @!PT: never executed */
    BYW_MACHINE_HINT = 3 << 3, /* mask; the hint of a load: BYW_SITE_* of byw_inst.h << 3 */
    BYW_MACHINE_CONDITIONAL = 1 << 5, /* a branch, call, return or exit that lanes may not take,
                                       * by its predicate or by a condition of its own */
    BYW_MACHINE_IF_DIVERGED = 1 << 6, /* a branch that is taken if lanes of the warp are missing */
    BYW_MACHINE_FOLLOWED = 1 << 7 /* a call whose function is part of the walk: it returns after
                                   * the call and calls nothing */
};
#define BYW_MACHINE_HINT_SHIFT 3

struct byw_machine_inst {
    uint8_t op; /* enum byw_machine_op */
    uint8_t stall; /* cycles, 0 to 15 */
    uint8_t yield; /* bit 45 as it stands in the word */
    uint8_t write_barrier, read_barrier; /* 0 to 5; BYW_MACHINE_NO_BARRIER: none */
    uint8_t wait; /* mask of the barriers that it waits for */
    uint8_t width; /* bytes per lane of a memory access; of DIVERGE, CONVERGE and LEAVE: number of
                    * the convergence barrier, 0 to 15; else 0 */
    uint8_t flags; /* BYW_MACHINE_PREDICATED ... */
    uint32_t line; /* number of the PTX instruction, from 1 in the module's PTX; 0: unknown */
    uint32_t source; /* line of the user's source; 0: unknown */
    uint32_t target; /* index of a branch's or call's target; BYW_MACHINE_NO_TARGET: none */
};

struct byw_machine {
    uint32_t arch; /* compute capability * 10: 80, 90 */
    uint32_t registers; /* registers per thread */
    uint32_t unknown; /* instructions of kind UNKNOWN */
    uint32_t count;
    const struct byw_machine_inst *inst;
};

/* Name of a kind ("load"), of a unit ("lsu"); unit of a kind; whether it has lanes' addresses. */
const char *byw_machine_op_name(enum byw_machine_op op);
const char *byw_machine_unit_name(enum byw_machine_unit unit);
enum byw_machine_unit byw_machine_op_unit(enum byw_machine_op op);
bool byw_machine_op_is_memory(enum byw_machine_op op);

/* Whether `width` is the number of a convergence barrier. */
bool byw_machine_op_has_barrier(enum byw_machine_op op);

/* Whether a path has a bit for the instruction: a branch or exit that a thread takes or not, or an
 * access that it makes or not. A followed call has no bit: all threads that reach it take it. */
bool byw_machine_decides(const struct byw_machine_inst *inst);

/* For each instruction: the fewest instructions executed from it until its function returns;
 * UINT32_MAX if the function does not return, calls another one or has accesses with a bit in the
 * path. */
void byw_machine_find_returns(const struct byw_machine *machine, uint32_t *left);

/* Sets BYW_MACHINE_FOLLOWED of the calls of functions that return.  False: out of memory. */
bool byw_machine_follow(struct byw_machine_inst *inst, uint32_t count);

/* Number of instructions without the padding at the end of the code (NOP, or a branch to
 * itself). */
uint32_t byw_machine_used(const struct byw_machine *machine);

/* Checks a table against the rules of this header.  Returns NULL or the fault. */
const char *byw_machine_fault(const struct byw_machine *machine);

#endif
