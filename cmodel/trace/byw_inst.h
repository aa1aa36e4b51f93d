/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_inst.h - a traced GPU program in memory: kernels, CTAs, warps, warp instructions.
 *
 * Trace readers deliver this, trace writers take it and the simulator executes it.  It does not
 * depend on a machine's timing: addresses are per lane, before coalescing.  Dependences are stored
 * as distances: `use` of an instruction is the number of warp instructions until its result is
 * first needed.  With in-order issue, a scoreboard needs nothing else.
 */
#ifndef BYW_INST_H
#define BYW_INST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byw_machine;

/* Instruction classes: X(code, name, is_memory).  The names appear in `byway trace info`. */
#define BYW_CLASS_LIST(X)                                                                          \
    X(BYW_CLASS_INT, "int", false)                                                                 \
    X(BYW_CLASS_FP, "fp", false)                                                                   \
    X(BYW_CLASS_SFU, "sfu", false)                                                                 \
    X(BYW_CLASS_DP, "dp", false)                                                                   \
    X(BYW_CLASS_BRANCH, "branch", false)                                                           \
    X(BYW_CLASS_BARRIER, "barrier", false)                                                         \
    X(BYW_CLASS_CONST_LOAD, "const_load", false)                                                   \
    X(BYW_CLASS_SHARED_LOAD, "shared_load", true)                                                  \
    X(BYW_CLASS_SHARED_STORE, "shared_store", true)                                                \
    X(BYW_CLASS_LOAD, "load", true)                                                                \
    X(BYW_CLASS_STORE, "store", true)                                                              \
    X(BYW_CLASS_ATOMIC, "atomic", true)                                                            \
    X(BYW_CLASS_LOCAL_LOAD, "local_load", true)                                                    \
    X(BYW_CLASS_LOCAL_STORE, "local_store", true)                                                  \
    X(BYW_CLASS_EXIT, "exit", false)

enum byw_class {
#define X(code, name, is_memory) code,
    BYW_CLASS_LIST(X)
#undef X
        BYW_CLASS_COUNT
};

/* Where the lanes' addresses are. */
enum byw_form {
    BYW_FORM_NONE, /* the instruction has no addresses */
    BYW_FORM_STRIDE, /* lane l accesses base + l * stride (l is the lane number) */
    BYW_FORM_LIST, /* one address per active lane, lowest lane first, in the CTA's pool */
};

enum { BYW_INST_BYTES = 8 }; /* bytes from one instruction of a run to the next in its code */
#define BYW_SITES_MAX (1u << 20) /* static accesses kept, over all codes of a trace */

/* One warp instruction, or `count` identical consecutive ones (arithmetic classes only). */
struct byw_inst {
    uint64_t mask; /* active lanes, bit l = lane l; up to 64 lanes; 0 only if predicated off */
    uint64_t base; /* FORM_STRIDE: byte address of lane 0 (which need not be active) */
    int32_t stride; /* FORM_STRIDE: bytes between neighboring lanes */
    uint32_t list; /* FORM_LIST: index of the first active lane's address in byw_cta.addr */
    uint32_t pc; /* byte address of the (first) instruction inside its kernel's code */
    uint32_t count; /* >= 1; the instructions of a run are consecutive in the code */
    uint32_t use; /* distance in warp instructions to the first one that needs the result; 1 = the
                   * next one, 0 = none.  For a run: of each of its members. */
    uint8_t cls; /* enum byw_class */
    uint8_t form; /* enum byw_form */
    uint8_t width; /* bytes per lane: 1, 2, 4, 8, 16; 0 if there is no memory access */
    uint8_t degree; /* shared accesses: passes through 32 banks of 4 bytes, >= 1 */
};

struct byw_warp_trace {
    uint32_t first; /* index of its first instruction in byw_cta.inst */
    uint32_t count; /* records (not instructions) */
    uint32_t first_lanes, lanes; /* its groups in byw_cta.lanes; lanes = 0: no path is known */
    uint8_t why; /* enum byw_path_why */
};

/* Why a warp has no path through the machine code, and what `byway trace info` says. */
#define BYW_PATH_WHY_LIST(X)                                                                       \
    X(BYW_PATH_KNOWN, "")                                                                          \
    X(BYW_PATH_NONE, "no path was recorded")                                                       \
    X(BYW_PATH_DISAGREES, "no walk agrees with the order of its PTX blocks")                       \
    X(BYW_PATH_ENDLESS, "no walk reaches an end: indirect branches or called functions")           \
    X(BYW_PATH_LONG, "its walk is too long to search")                                             \
    X(BYW_PATH_MANY, "the kernel has too many different walks")                                    \
    X(BYW_PATH_PARTS, "its CTA is too long to keep in one piece")
enum byw_path_why {
#define X(code, text) code,
    BYW_PATH_WHY_LIST(X)
#undef X
        BYW_PATH_WHYS
};
const char *byw_path_why_text(enum byw_path_why why);

/* Lanes of a warp that take the same path (walk) through the kernel's machine code
 * (byw_machine.h). */
struct byw_lanes {
    uint64_t mask;
    uint32_t path; /* index in byw_cta.path */
};

/* The walk: a bit for each instruction that decides (byw_machine_decides()), in the order of the
 * walk, the lowest bit of a byte first. */
struct byw_path {
    uint32_t first; /* index of its first byte in byw_cta.bit */
    uint32_t bits;
};

struct byw_windows;

/* One CTA (work-group): its warps, instructions and addresses.  Arrays grow as needed and are
 * reused for the next CTA. */
struct byw_cta {
    uint32_t id[3]; /* x, y, z in the grid */
    struct byw_windows *windows; /* for a long CTA: its warps have no records here
                                  * (byw_trace_windows.h); NULL: the whole CTA is here */
    uint32_t warp_count, inst_count, addr_count;
    size_t warp_room, inst_room, addr_room;
    struct byw_warp_trace *warp;
    struct byw_inst *inst;
    uint64_t *addr;
    /* walks through machine code; empty: none is known */
    bool machine; /* its records are machine instructions: pc = 16 * index (byw_machine.h) */
    uint32_t lanes_count, path_count, bit_count;
    size_t lanes_room, path_room, bit_room;
    struct byw_lanes *lanes;
    struct byw_path *path;
    uint8_t *bit;
};

/* One static memory access of a kernel (paper 003's interaction graph needs these). */
struct byw_site {
    uint32_t pc;
    uint32_t line; /* source line; 0: unknown */
    uint32_t block; /* basic block number in IR order */
    int32_t argument; /* kernel argument on which the address is based; -1: unknown */
    uint8_t cls, width;
    uint8_t flags; /* for a load: BYW_SITE_*; for scratchpad BYW_SITE_VOLATILE, if the access is
                    * volatile or atomic, or its kernel has loops that wait for other work-items */
};

/* The hint in a load's code, and two properties of the load. */
enum {
    BYW_SITE_VOLATILE = 1, /* never served by an L1: volatile, PTX .cv and .cg */
    BYW_SITE_NONTEMPORAL = 2, /* PTX .cs, .lu and L1::evict_first, too */
    BYW_SITE_NO_ALLOCATE = 3, /* PTX L1::no_allocate */
    BYW_SITE_HINTS = 3, /* mask of the hint */
    BYW_SITE_BUILT_IN = 4, /* made by a built-in function (an image read, vload_half): its source
                            * has no expression to write a hint at */
    BYW_SITE_CONSTANT = 8, /* from a __constant buffer: its instruction takes no hint */
    BYW_SITE_FLAGS = 15
};

/* A kernel launch. */
struct byw_kernel {
    char name[128];
    uint32_t launch; /* 0, 1, 2 ... in the trace */
    uint32_t code; /* identifies the kernel's code: equal for launches of the same kernel */
    uint32_t grid[3]; /* size of the grid in CTAs */
    uint32_t block[3]; /* size of a CTA in threads */
    uint32_t shared_bytes; /* scratchpad per CTA */
    uint32_t registers; /* per thread; 0: unknown */
    uint32_t compiled_registers; /* registers that NVIDIA's assembler assigns; 0: unknown */
    uint32_t warp_size; /* 32 or 64 */
    uint32_t site_count;
    const struct byw_site *site; /* may be NULL; owned by the reader (or by the caller of a
                                  * writer) */
    const struct byw_machine *machine; /* NULL: none; owned like site */
    const uint32_t *site_number; /* with machine: PTX instruction of each site, 0 unknown; NULL:
                                  * all unknown */
    const char *machine_why; /* why there is no machine code; NULL: it was not asked for */
};

/* Name of a class ("load"); whether it accesses memory through addresses. */
const char *byw_class_name(enum byw_class cls);
bool byw_class_is_memory(enum byw_class cls);

/* Address of active lane `lane`, whose rank among the active lanes is `rank`. */
static inline uint64_t byw_inst_address(const struct byw_inst *inst, const struct byw_cta *cta,
                                        uint32_t lane, uint32_t rank)
{
    if (inst->form == BYW_FORM_LIST)
        return cta->addr[inst->list + rank];
    return inst->base + (uint64_t)((int64_t)inst->stride * (int64_t)lane);
}

/* To fill a CTA: _clear keeps the memory; the _add calls return NULL if out of memory.  Returned
 * pointers are valid until the next _add of the same kind.  Instructions added after a warp and
 * before the next warp belong to that warp. */
void byw_cta_init(struct byw_cta *cta);
void byw_cta_release(struct byw_cta *cta); /* in byw_trace_windows.c: its windows, too */
void byw_cta_clear(struct byw_cta *cta);
void byw_cta_release_records(struct byw_cta *cta); /* of a CTA without windows */
struct byw_warp_trace *byw_cta_add_warp(struct byw_cta *cta);
struct byw_inst *byw_cta_add_inst(struct byw_cta *cta);
uint64_t *byw_cta_add_addr(struct byw_cta *cta, uint32_t count);
/* A walk, and lanes of the last warp that take it; false if out of memory.  bit: (bits + 7) / 8
 * bytes. */
bool byw_cta_add_path(struct byw_cta *cta, const uint8_t *bit, uint32_t bits);
bool byw_cta_add_lanes(struct byw_cta *cta, uint64_t mask, uint32_t path);

/* Gives a cleared CTA as much room as another CTA has, so that its arrays need not grow.  If out of
 * memory they are unchanged. */
void byw_cta_reserve(struct byw_cta *cta, const struct byw_cta *like);

/* Adds `count` uninitialized records. */
struct byw_inst *byw_cta_add_insts(struct byw_cta *cta, uint32_t count);

/* Adds copies of another CTA's records and of their address lists, which are in its `addr`.  False
 * if out of memory. */
bool byw_cta_append(struct byw_cta *cta, const struct byw_inst *inst, uint32_t count,
                    const uint64_t *addr);

/* Bytes of a record, and of a CTA's records, including their addresses. */
static inline uint64_t byw_inst_bytes(const struct byw_inst *inst)
{
    uint32_t lanes = inst->form == BYW_FORM_LIST ? (uint32_t)__builtin_popcountll(inst->mask) : 0;

    return sizeof(*inst) + lanes * sizeof(uint64_t);
}

static inline uint64_t byw_cta_bytes(const struct byw_cta *cta)
{
    return cta->inst_count * (uint64_t)sizeof(*cta->inst) +
           cta->addr_count * (uint64_t)sizeof(*cta->addr);
}

/* Check a record, or a launch, against the rules of this header.  Return NULL or the fault. */
const char *byw_trace_inst_fault(const struct byw_inst *inst, uint32_t warp_size);
const char *byw_trace_kernel_fault(const struct byw_kernel *kernel);

/* Conflict degree of a shared access: the largest number of different 4-byte words that one of 32
 * banks must deliver; at least 1.  Uses the active lanes' addresses as returned by
 * byw_inst_address(). */
uint32_t byw_shared_degree(const struct byw_inst *inst, const struct byw_cta *cta);

/* Facts about a trace that are not errors but that a user may want to know.  Counts cover
 * everything read so far. */
struct byw_trace_note {
    uint64_t unknown_opcodes; /* instructions with an unknown opcode; they count as int */
    char first_opcode[32]; /* the first of them */
    uint64_t file_bytes; /* bytes on disk of the files opened so far */
};

#endif
