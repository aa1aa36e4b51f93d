/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptx_recursion.h - recursive functions: those that call themselves, directly or through
 * others.
 *
 * All other functions of the PTX are inlined. The functions of a cycle of calls become one
 * function, a state machine with a stack in its private memory: a call saves what the caller still
 * needs on the stack and branches to the callee's first block, a return is a switch over the calls.
 * The functions themselves stay as wrappers that start the machine.
 *
 *   rooms      the allocas of the functions (registers, parameters, .local arrays) become allocas
 *              of the machine, which all activations share; LLVM promotes them to values. Those
 *              that are needed after a call are saved before it and restored after it. Rooms whose
 *              address is taken are in the activation's frame on the stack instead.
 *   parameters are copied by value into the callee's rooms and back.
 *   stack      grows up; its top is a multiple of `align`. A frame has the rooms whose address is
 *              taken; during a call, it also has what the call saves, with the return number.
 *
 * In the trace, saving and restoring are accesses to local memory, because a GPU keeps the return
 * address and registers there. All other code of the machine is hidden, that is, not counted.
 *
 * Private to byw_ptx_recursion.c, byw_ptx_recursion_code.c and byw_ptx_recursion_rooms.c.
 */
#ifndef BYW_PTX_RECURSION_H
#define BYW_PTX_RECURSION_H

#include "capture/compile/byw_cl_scan.h"
#include "capture/cuda/byw_ptx_gen.h"

struct byw_ptx_room {
    LLVMValueRef at; /* the alloca */
    uint64_t bytes, offset; /* offset: in the frame, if the address is taken */
    uint32_t align;
    bool addressed; /* its address is taken */
    bool passing; /* .param memory for the arguments and results of one call */
};

/* A function of the cycle. */
struct byw_ptx_member {
    const struct byw_ptx_function *f;
    LLVMValueRef value;
    LLVMBasicBlockRef entry, leave; /* its first block; where it returns */
    LLVMBasicBlockRef *block;
    uint32_t blocks;
    struct byw_ptx_room *room; /* results, parameters, others */
    uint32_t rooms;
    uint64_t frame; /* bytes of rooms whose address is taken */
};

/* A call of a member by a member. */
struct byw_ptx_site {
    LLVMValueRef call;
    LLVMBasicBlockRef before, after; /* the call ends `before` */
    LLVMBasicBlockRef resume; /* the callee returns to this block, which continues to `after` */
    struct byw_ptx_member *caller, *callee;
    uint32_t *save; /* rooms of the caller */
    uint64_t *at; /* their offsets on the stack, then that of the return number */
    uint32_t saves;
    uint64_t bytes;
};

struct byw_ptx_recursion {
    struct byw_ptx_gen *g;
    LLVMBuilderRef b;
    LLVMTargetDataRef layout;
    LLVMValueRef machine;
    LLVMBasicBlockRef entry;
    LLVMValueRef stack, top, depth, link, ended; /* link: return number of the running function */
    LLVMMetadataRef base, hidden; /* locations */
    struct byw_ptx_member *member;
    uint32_t members;
    struct byw_ptx_site *site;
    uint32_t sites;
    size_t site_room;
    uint64_t align;
    struct byw_cl_map *index; /* function -> number of the member */
};

/* Decides which rooms are in frames, and finds what calls save. */
enum byw_status byw_ptx_rooms_find(struct byw_ptx_recursion *r);
/* Replaces the rooms whose address is taken by their places in the running function's frame. */
void byw_ptx_rooms_place(struct byw_ptx_recursion *r);
/* The room that a pointer points into, so that a call copies the room; NULL: none. */
struct byw_ptx_room *byw_ptx_room_of(struct byw_ptx_member *m, LLVMValueRef pointer);
/* The address on the stack `back` bytes below or `on` bytes above the top. */
LLVMValueRef byw_ptx_stack_at(struct byw_ptx_recursion *r, uint64_t back, uint64_t on);

/* Writes the code of calls, returns, and of the machine's start. */
enum byw_status byw_ptx_machine_write(struct byw_ptx_recursion *r);

#endif
