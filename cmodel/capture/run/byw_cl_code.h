/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_code.h - what the instrumenter stores with a compiled kernel.
 *
 * A compiled program is one shared object.  It exports one entry per kernel and the table
 * `byw_cl_export` (struct byw_cl_export) with the address of the work-item record the kernels read
 * and, per kernel, a constant blob that starts with struct byw_cl_code: which warp instructions a
 * basic block stands for, in which order the blocks of diverged lanes are merged, and where the
 * results of loads are needed.  All of it is position independent, so that a cached object needs
 * neither clang nor LLVM.
 *
 * Log of a lane: for every block part it runs, one word with the part's number, then the addresses
 * of that part, in code order, except those that are a constant away from an earlier one. The last
 * part is followed by BYW_CL_END, by BYW_CL_MORE, or by BYW_CL_MEETS and a part's number.  A part
 * is a basic block, or the piece of one before, between or after barriers and meeting points
 * (byw_cl_meets.c), so that a log never runs across one.
 *
 * Instruction numbers: every emitted instruction of the IR, in IR order, has one; pc = 8 * number.
 * Phis, pointer casts, constant-offset address arithmetic, vector element moves, unconditional
 * branches and compiler markers emit nothing.  Vector arithmetic emits one instruction per element;
 * a vector access one per piece of at most 16 bytes and at most the alignment known.
 */
#ifndef BYW_CL_CODE_H
#define BYW_CL_CODE_H

#include <stdint.h>

#include "capture/path/byw_cl_mark.h"
#include "capture/run/byw_cl_scratchpad.h"
#include "trace/byw_inst.h"

#define BYW_CL_VERSION 13u
#define BYW_CL_END UINT64_MAX /* the lane is at a barrier or has ended */
/* the lane paused; its log continues at the start of its memory */
#define BYW_CL_MORE (UINT64_MAX - 1)
#define BYW_CL_MEETS                                                                               \
    (1ull << 63) /* the lane waits for its warp's lanes before the part in the low bits */
#define BYW_CL_EXPORT "byw_cl_export"

/* Metadata of loads with a hint that LLVM's IR does not know: PTX .cg, and L1::no_allocate. */
#define BYW_CL_MARK_CG "byw.cg"
#define BYW_CL_MARK_NO_ALLOCATE "byw.no_allocate"
#define BYW_CL_MARK_CONSTANT "byw.constant" /* of a load by PTX's ld.const */

/* Virtual addresses: fixed, so that a second capture sees the same ones. */
#define BYW_CL_BUFFER_BASE 0x10000000000ull /* buffers, upwards */
#define BYW_CL_NAMED_BARRIERS 16u /* per CTA, 8 bytes each, after its exchange (byw_cu_warp.cl) */
#define BYW_CL_VARIABLE_BASE 0x20000000000ull /* programs' variables, placed by a hash */
#define BYW_CL_VARIABLE_ROOM (1ull << 26) /* of one program */
#define BYW_CL_VARIABLE_PLACES 0x4000u
#define BYW_CL_LOCAL_BASE 0x30000000000ull /* private arrays, interleaved by lane, trace only */

/* The symbol whose value becomes BYW_CL_FRAME. */
#define BYW_CL_FRAME_SYMBOL "byw_cl_frame"

/* Words of the work-item record: [BYW_CL_ITEM_WORDS x i64], read by the kernels. */
enum byw_cl_word {
    BYW_CL_CURSOR, /* address of the lane's next log word */
    BYW_CL_PRIVATE, /* the work-item's private arrays; if the kernel loops over the work-items, the
                       arrays of all of them, one after another */
    BYW_CL_KEPT, /* if the kernel loops: values of all work-items that live across barriers */
    BYW_CL_BARRIER, /* void (*)(void *, uint64_t part): called at a barrier */
    BYW_CL_BARRIER_ARG, /* its argument */
    BYW_CL_WORK_DIM,
    BYW_CL_BUDGET, /* loop iterations until BYW_CL_PAUSE is called */
    BYW_CL_PAUSE, /* void (*)(void *, uint64_t part): called at a loop's head */
    BYW_CL_PRINT, /* int (*)(const char *format, const uint64_t *words) (byw_cl_print.h) */
    BYW_CL_MEET, /* void (*)(void *, uint64_t part): called at a meeting point, ahead of a part */
    BYW_CL_WAIT, /* void (*)(void *, uint64_t part): called when an idle loop repeats, with
                    bit 32 set after the first time */
    BYW_CL_EXCHANGE, /* memory through which the group's work-items exchange values, 8 bytes each */
    BYW_CL_WARP, /* lanes of a warp */
    BYW_CL_ACTIVE, /* lanes that continue together from a meeting point, one bit each */
    BYW_CL_EARLY, /* 1 if the work-item left directly from a branch, else 0 */
    BYW_CL_GIVE_UP, /* address of a word: not 0 if a wait must end because nothing else can run */
    BYW_CL_LINEAR, /* number of the work-item in its group */
    BYW_CL_LOCAL_ID, /* then y, z, and the values for dimensions 3 and up */
    BYW_CL_GROUP_ID = BYW_CL_LOCAL_ID + 4,
    BYW_CL_LOCAL_SIZE = BYW_CL_GROUP_ID + 4, /* as enqueued */
    BYW_CL_NUM_GROUPS = BYW_CL_LOCAL_SIZE + 4,
    BYW_CL_OFFSET = BYW_CL_NUM_GROUPS + 4,
    BYW_CL_OWN_SIZE = BYW_CL_OFFSET + 4, /* of this group: the last groups may be smaller */
    BYW_CL_GLOBAL_SIZE = BYW_CL_OWN_SIZE + 4,
    BYW_CL_FRAME = BYW_CL_GLOBAL_SIZE + 4, /* bytes of stack that the program's functions need */
    BYW_CL_ITEM_WORDS
};

enum byw_cl_arg_kind {
    BYW_CL_ARG_VALUE, /* by value: size bytes */
    BYW_CL_ARG_GLOBAL, /* buffer */
    BYW_CL_ARG_CONSTANT, /* buffer, __constant */
    BYW_CL_ARG_LOCAL, /* scratchpad, size set by the host */
    BYW_CL_ARG_IMAGE, /* address of a struct byw_cl_image */
    BYW_CL_ARG_SAMPLER, /* its bits, as CLK_... of OpenCL C */
    BYW_CL_ARG_OTHER /* event and similar: not supported */
};

struct byw_cl_arg {
    char name[64];
    char type[64];
    char access[16], qualifier[40]; /* as OpenCL C spells them: read_only; const restrict */
    uint32_t kind; /* enum byw_cl_arg_kind */
    uint32_t size; /* BYW_CL_ARG_VALUE: its size in bytes */
    uint32_t least; /* bytes that the host may pass instead of size: for a vector of 3, 3 elements;
                       for a struct, any number (0), because the host's compiler may pad the end
                       differently */
};

/* An image as kernels read it; byw_cl_prelude.cl has the same. */
struct byw_cl_image {
    uint64_t data; /* address of texel (0, 0, 0) */
    uint64_t row, slice; /* bytes */
    int32_t size[3]; /* texels; 1 in unused dimensions */
    int32_t layers; /* of an array, else 0 */
    uint32_t order, type, bytes; /* cl_channel_order, cl_channel_type, bytes of a texel */
    uint32_t samples;
};

/* One record of a part: what to append to the trace, and how to fill it in. */
struct byw_cl_slot {
    struct byw_inst proto;
    int32_t offset; /* added to the logged address */
    uint32_t word; /* log word of the address, counted from the part's number; 0 none */
    uint32_t load; /* 1 + index of the load whose `use` is found while merging; 0 static */
    /* distance, in slots, to an earlier slot of the part with the same word; 0: none */
    uint32_t twin;
};

/* Machine code: struct byw_machine_inst at inst_at; the numbers of the sites' PTX instructions at
 * number_at (as many as sites); all marks of the PTX, ascending, at known_at. */
struct byw_cl_machine {
    uint32_t arch, registers, unknown, count;
    uint32_t inst_at, number_at, known_at, known;
};

/* To run a part, a warp needs the result of `load` at the part's instruction `position`. */
struct byw_cl_use {
    uint32_t load;
    uint32_t position;
};

/* Whether a loop may wait for other work-items (byw_cl_waits.c). */
enum byw_cl_waits {
    BYW_CL_WAITS_NEVER,
    BYW_CL_WAITS_MAYBE, /* reads memory that others write, but also does other work */
    BYW_CL_WAITS_IDLY, /* does nothing else: when it repeats, it waits */
    BYW_CL_WAITS_GROUP /* waits idly, and only for its own group: it reads nothing but scratchpad */
};

struct byw_cl_part {
    uint32_t first_slot, slots;
    uint32_t first_use, uses;
    uint32_t words; /* log words, the number included */
    uint32_t length; /* warp instructions, without a closing barrier */
    uint32_t order; /* merge order (weak topological) */
    uint32_t latch; /* merge order of lanes that wait to enter this loop head again */
    uint32_t barrier; /* 1 + instruction number of the barrier that closes it; 0 none */
    uint32_t line; /* source line of the closing barrier or meeting point, otherwise the first known
                      line of the part; 0: unknown */
    uint32_t waits; /* enum byw_cl_waits of the loop that this part heads */
    uint32_t first_mark, marks; /* the marks it passes, in order */
};

struct byw_cl_code {
    uint32_t version;
    uint32_t identity; /* hash of the kernel's IR */
    uint32_t shared_bytes;
    uint32_t private_bytes;
    uint32_t registers; /* estimate */
    uint32_t compiled_registers; /* byw_ptxas.h; 0: unknown */
    uint32_t barriers;
    uint32_t meets; /* 1: has meeting points, and therefore always logs */
    uint32_t turns; /* 1: warps take turns at meeting points (byw_cl_hazards.c) */
    uint32_t waits; /* 1: has loops that wait idly, so that BYW_CL_WAIT may be called */
    uint32_t loops; /* 1: has loops, so that BYW_CL_PAUSE may be called */
    uint32_t looped; /* 1: one call runs all work-items of a group, without barriers */
    uint32_t context_bytes; /* looped: bytes of BYW_CL_KEPT for each work-item */
    uint32_t lenient; /* 1 (CUDA): any barriers match, and work-items that have ended do not
                         count */
    uint32_t exit; /* instruction number of the exit */
    uint32_t loads;
    uint32_t required[3]; /* reqd_work_group_size, 0 none */
    uint32_t args, parts, slots, uses, sites;
    uint32_t arg_at, part_at, slot_at, use_at, site_at; /* byte offsets in the blob */
    uint32_t mark_at; /* of the parts' marks; 0: none */
    uint32_t machine_at; /* struct byw_cl_machine; 0: no machine code */
    uint32_t why_at; /* text: why there is no machine code; 0: none was asked for */
    char name[128];
};

struct byw_cl_export {
    uint64_t *item;
    uint64_t kernels;
    /* followed, per kernel, by: const struct byw_cl_code *code; void (*run)(void *const *args); */
};
struct byw_cl_export_kernel {
    const struct byw_cl_code *code;
    void (*run)(void *const *args);
};

/* A variable at program scope: symbol BYW_CL_VARIABLES is a list of them, ended by size 0. */
#define BYW_CL_VARIABLES "byw_cl_variables"
struct byw_cl_variable {
    uint64_t address, size;
    const void *start; /* its initial bytes */
};

static inline const void *byw_cl_code_at(const struct byw_cl_code *code, uint32_t offset)
{
    return (const unsigned char *)code + offset;
}

#endif
