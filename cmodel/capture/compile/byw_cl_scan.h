/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_scan.h - one kernel's IR read as warp instructions.
 *
 * byw_cl_scan_function() walks a kernel in IR order and says for every instruction what it stands
 * for on a GPU: nothing, a run of arithmetic, accesses, a barrier, the exit.  The instrumenter
 * takes from it where to log, byw_cl_table_build() the tables of byw_cl_code.h.
 *
 * - nothing: phi, casts between pointers and integers, bitcast, trunc, freeze; vector element
 *   moves; addresses with constant offsets (part of the access); unconditional branches (layout
 *   makes them fall through); fences (work-items run in turn); compiler markers
 * - int: integer arithmetic, comparisons, selects, extensions, other address arithmetic, work-item
 *   functions, printf
 * - fp, dp: floating arithmetic, comparisons, conversions in single, in double precision
 * - sfu: single-precision division, and square root, exponential, logarithm, power and
 *   trigonometric functions where they are LLVM intrinsics
 * - branch: conditional branches and switches
 * - load, store: global memory, one instruction per piece of an access (byw_cl_piece)
 * - atomic: on global memory; on scratchpad it is shared_load, int, shared_store
 * - shared, local: scratchpad; private arrays that optimisation left in memory
 * - const_load: __constant data and structs passed by value: constant cache, no addresses
 *
 * Of the code that stands for texture units (byw_cl_prelude.cl), only the accesses count.
 * Vector arithmetic counts once per element: the lanes of a GPU are scalar.
 */
#ifndef BYW_CL_SCAN_H
#define BYW_CL_SCAN_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"
#include "trace/byw_machine.h"

enum byw_cl_kind {
    BYW_CL_FREE, /* emits nothing */
    BYW_CL_RUN, /* a run of `length` instructions of class cls */
    BYW_CL_ACCESS, /* memory access through `pointer`, cut into pieces */
    BYW_CL_RMW, /* atomic on scratchpad: read, modify, write */
    BYW_CL_COPY, /* struct copy: loads from `source`, then stores to `pointer` */
    BYW_CL_BARRIER_NODE,
    BYW_CL_EXIT_NODE
};

struct byw_cl_node {
    LLVMValueRef inst;
    LLVMValueRef pointer, source; /* addresses; source only for copies */
    uint32_t part;
    uint32_t position; /* of its first warp instruction in the part */
    uint32_t length; /* warp instructions */
    uint32_t number; /* instruction number of the first */
    uint32_t word, source_word; /* log words of the addresses; 0: not logged */
    int32_t offset, source_offset; /* bytes from the logged address to this one */
    bool known, source_known; /* the log word is that of an earlier address of the part */
    uint32_t bytes, align;
    uint8_t kind, cls, source_cls;
    bool meets; /* the lanes of a warp meet before it, so it begins a part */
};

struct byw_cl_span {
    uint32_t first, count; /* nodes */
    uint32_t block; /* basic block number */
    uint32_t words, length;
    uint32_t barrier; /* 1 + instruction number */
    bool goes_on; /* ends at a barrier or a meeting point: the next part follows */
};

struct byw_cl_map; /* pointer -> number */

struct byw_cl_scan {
    LLVMValueRef function;
    struct byw_cl_node *node;
    struct byw_cl_span *part;
    struct byw_cl_map *map; /* instruction to its node, block to its first part */
    uint32_t nodes, parts, instructions, exit;
    bool barriers;
    bool lockstep; /* lanes meet at accesses */
    bool turns; /* lanes meet, and warps take turns, at stores that may be hazards */
    bool meets; /* the program has meeting points, or calls the prelude's */
};

/* Terminator of a part's block; meaningful if no further part follows in the block. */
static inline LLVMValueRef byw_cl_span_end(const struct byw_cl_scan *scan, uint32_t part)
{
    const struct byw_cl_span *span = &scan->part[part];

    return span->goes_on ? NULL : scan->node[span->first + span->count - 1].inst;
}

struct byw_cl_map *byw_cl_map_create(size_t room);
void byw_cl_map_free(struct byw_cl_map *map);
void byw_cl_map_set(struct byw_cl_map *map, const void *key, uint32_t value);
uint32_t byw_cl_map_get(const struct byw_cl_map *map, const void *key); /* UINT32_MAX: absent */

/* Whether a call is a barrier, by the function's (mangled) name. */
bool byw_cl_is_barrier(LLVMValueRef call);
#define BYW_CL_MEET_CALL "byw_cl_meet" /* the prelude's meeting point */
bool byw_cl_is_meeting(LLVMValueRef inst); /* whether it calls byw_cl_meet() */
/* Function that returns the address of the word BYW_CL_GIVE_UP. It is called where a work-item
 * waits for its group. */
#define BYW_CL_GIVE_UP_CALL "byw_cl_give_up"

/* The pointer of a load or store of scratchpad, and its bytes; NULL: another instruction. */
LLVMValueRef byw_cl_scratchpad_access(LLVMValueRef inst, LLVMTargetDataRef layout, int64_t *bytes);
/* Whether all work-items have executed what is before an instruction: a barrier, or a wait for the
 * group. */
bool byw_cl_is_ordering(LLVMValueRef inst);
/* Adds the bits that are live at the end of a block to those on entry to its successors: `words`
 * for each block, by its number.  True: some were new. */
bool byw_cl_flow_on(LLVMBasicBlockRef block, const struct byw_cl_map *number, const uint64_t *live,
                    uint64_t *in, size_t words);
/* Per block: its only predecessor; NULL: none or several.  forward: edges back to a loop's head do
 * not count. */
void byw_cl_find_before(LLVMValueRef function, const struct byw_cl_map *number, bool forward,
                        LLVMBasicBlockRef *before);

/* Whether lanes of a warp may exchange values through local memory without a barrier in between: a
 * load may read what another lane stored since the last barrier. False if memory runs out. */
bool byw_cl_must_meet(LLVMValueRef function, LLVMTargetDataRef layout);

/* Stores to scratchpad that may overwrite what other warps load between the same two barriers, in
 * code before the store; NULL: none. */
struct byw_cl_map *byw_cl_hazards_find(LLVMValueRef function, LLVMTargetDataRef layout);

/* State of byw_cl_meets_before(), which says whether the lanes of a warp must meet before a node,
 * in a kernel for which byw_cl_must_meet() is true. */
struct byw_cl_met {
    bool together; /* they have met in this block, or at a barrier */
    bool loads, stores; /* since then there were such accesses */
};
bool byw_cl_meets_before(struct byw_cl_met *met, const struct byw_cl_node *node);

/* nvptx address space of an address, ignoring casts from other spaces. */
enum byw_cl_space {
    BYW_CL_SPACE_PRIVATE = 0,
    BYW_CL_SPACE_GLOBAL = 1,
    BYW_CL_SPACE_SHARED = 3,
    BYW_CL_SPACE_CONSTANT = 4
};
unsigned byw_cl_space_of(LLVMValueRef pointer);
/* Name of the called function; NULL: an indirect call. */
const char *byw_cl_callee(LLVMValueRef call);

/* Source line of an instruction: in the program's own text if it was inlined there, else in the
 * included file that contains it; 0: unknown. */
uint32_t byw_cl_line(LLVMValueRef inst);
/* Number of the PTX instruction that an instruction comes from, counted from byw_cl_code.mark_base;
 * 0: unknown. */
uint32_t byw_cl_number(LLVMValueRef inst);
/* The mark that a call stands for (byw_cl_code.h). False: the call is another one. */
bool byw_cl_read_mark(LLVMValueRef inst, uint32_t *mark);
/* Whether an instruction comes from the prelude. */
bool byw_cl_is_prelude(LLVMValueRef inst);

/* Class of an instruction that accesses no memory, and its number of warp instructions (0:
 * free). */
uint32_t byw_cl_classify(LLVMValueRef inst, uint8_t *cls);

/* Value on which an address is based: an argument, a global, an alloca; NULL: unknown. */
LLVMValueRef byw_cl_base(LLVMValueRef pointer);

/* Whether kernels read buffers that are __constant arguments like __global ones
 * (BYWAY_CONSTANT=global), as clang's PTX does, instead of from the constant bank. */
bool byw_cl_constant_is_global(void);

/* Whether a pointer refers to a buffer that is a __constant argument, and such buffers are read
 * like __global ones. */
bool byw_cl_reads_constant_buffer(LLVMValueRef pointer);

/* An address as root + sum of scale * index + offset, modulo 2^64, as far as the IR shows it. Two
 * addresses with the same root and terms differ by a constant, whatever the indices are. */
#define BYW_CL_TERMS 6
struct byw_cl_address {
    LLVMValueRef root;
    LLVMValueRef index[BYW_CL_TERMS]; /* integers, signed */
    uint64_t scale[BYW_CL_TERMS];
    uint32_t terms;
    uint64_t offset;
};
void byw_cl_address_read(LLVMValueRef pointer, LLVMTargetDataRef layout,
                         struct byw_cl_address *address);

/* Whether `to` differs from `from` by a constant of less than 2^30 bytes; *distance = to - from. */
bool byw_cl_address_apart(const struct byw_cl_address *from, const struct byw_cl_address *to,
                          int32_t *distance);

/* Size of piece number `i` of an access, and its offset; 0 after the last piece. */
uint32_t byw_cl_piece(uint32_t bytes, uint32_t align, uint32_t i, uint32_t *offset);

enum byw_status byw_cl_scan_function(LLVMValueRef function, LLVMTargetDataRef layout,
                                     struct byw_cl_scan *scan);
void byw_cl_scan_release(struct byw_cl_scan *scan);

/* Sets `waits` of all parts, whose merge orders must be known. Returns true if a loop does nothing
 * but wait. */
struct byw_cl_part;
bool byw_cl_find_waits(const struct byw_cl_scan *scan, struct byw_cl_part *part);

/* Parameters of byw_cl_table_build(), which builds the blob of byw_cl_code.h for a scanned kernel.
 * The blob is malloced and has no values of arguments. */
struct byw_cl_table_params {
    const char *name;
    uint32_t identity, shared_bytes, private_bytes, registers, compiled_registers, required[3];
    uint32_t args;
    const struct byw_cl_arg *arg;
    const struct byw_cl_marks *marks; /* NULL: no machine code is wanted */
};

/* A kernel's PTX and machine code. */
struct byw_cl_marks {
    uint32_t base; /* number of the PTX instruction that has number 1 in the IR */
    const uint32_t *known; /* all marks of the PTX, ascending */
    uint32_t count;
    const struct byw_machine *machine; /* NULL: none, for the reason `why` */
    uint32_t registers; /* per thread in the assembler's code; 0: unknown */
    const char *why;
};

enum byw_status byw_cl_table_build(const struct byw_cl_scan *scan,
                                   const struct byw_cl_table_params *params, void **blob,
                                   size_t *size);

/* Estimate of 32-bit registers per thread: the largest number of live bytes at any point of the IR,
 * divided by 4, plus 4 for addresses and the stack pointer. No scheduling, spilling or
 * rematerialisation. */
uint32_t byw_cl_registers(const struct byw_cl_scan *scan, LLVMTargetDataRef layout);

#endif
