/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of the machine that runs recursive functions (byw_ptx_recursion.h).
 *
 * Values pass from activation to activation in memory that no other activation uses meanwhile: the
 * operands of a call are read before the top of the stack moves to the callee's frame, and written
 * to the callee's rooms afterwards.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_recursion.h"

/* hide: nothing in the code that follows is counted. show: its accesses are, as those of the
 * call. */
static void hide(struct byw_ptx_recursion *r)
{
    LLVMSetCurrentDebugLocation2(r->b, r->hidden);
}

static void show(struct byw_ptx_recursion *r, LLVMValueRef call)
{
    LLVMSetCurrentDebugLocation2(r->b, LLVMInstructionGetDebugLoc(call));
}

static LLVMValueRef new_room(struct byw_ptx_recursion *r, LLVMTypeRef type, const char *name)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->b);
    LLVMValueRef first = LLVMGetFirstInstruction(r->entry), room;

    if (first != NULL)
        LLVMPositionBuilderBefore(r->b, first);
    else
        LLVMPositionBuilderAtEnd(r->b, r->entry);
    room = LLVMBuildAlloca(r->b, type, name);
    if (here != NULL)
        LLVMPositionBuilderAtEnd(r->b, here);
    return room;
}

static LLVMValueRef new_bytes(struct byw_ptx_recursion *r, uint64_t bytes)
{
    LLVMValueRef room = new_room(r, LLVMArrayType(r->g->i8, (unsigned)bytes), "");

    LLVMSetAlignment(room, 16);
    return room;
}

static LLVMValueRef as(struct byw_ptx_recursion *r, LLVMValueRef pointer, LLVMTypeRef type)
{
    return LLVMBuildBitCast(r->b, pointer, LLVMPointerType(type, 0), "");
}

static void copy(struct byw_ptx_recursion *r, LLVMValueRef to, LLVMValueRef from, uint64_t bytes)
{
    LLVMTypeRef type = LLVMIntTypeInContext(r->g->context, bytes <= 16 ? 8 * (unsigned)bytes : 8);
    unsigned align = bytes < 8 ? (unsigned)bytes : 8;
    LLVMValueRef value;

    if (bytes == 0)
        return;
    if (bytes > 16 || (bytes & (bytes - 1)) != 0) {
        LLVMBuildMemCpy(r->b, to, 8, from, 8, LLVMConstInt(r->g->i64, bytes, 0));
        return;
    }
    value = LLVMBuildLoad2(r->b, type, as(r, from, type), "");
    LLVMSetAlignment(value, align);
    LLVMSetAlignment(LLVMBuildStore(r->b, value, as(r, to, type)), align);
}

/* Moves a saved room to the stack, or back. */
static void move_saved(struct byw_ptx_recursion *r, const struct byw_ptx_room *room,
                       LLVMValueRef place, bool back)
{
    LLVMTypeRef type = LLVMGetAllocatedType(room->at);
    LLVMValueRef from = back ? place : room->at, to = back ? room->at : place;

    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        copy(r, to, from, room->bytes);
    else
        LLVMBuildStore(r->b, LLVMBuildLoad2(r->b, type, as(r, from, type), ""), as(r, to, type));
}

static void save_all(struct byw_ptx_recursion *r, const struct byw_ptx_site *site, bool back)
{
    for (uint32_t i = 0; i <= site->saves; i++) {
        const struct byw_ptx_room link = {.at = r->link};
        LLVMValueRef place;

        hide(r);
        place = byw_ptx_stack_at(r, 0, site->at[i]);
        show(r, site->call);
        move_saved(r, i < site->saves ? &site->caller->room[site->save[i]] : &link, place, back);
    }
}

static void set(struct byw_ptx_recursion *r, LLVMValueRef room, LLVMValueRef value)
{
    LLVMBuildStore(r->b, value, room);
}

static LLVMValueRef number(struct byw_ptx_recursion *r, uint64_t value)
{
    return LLVMConstInt(r->g->i64, value, 0);
}

/* Adds a constant to a counter. */
static void change(struct byw_ptx_recursion *r, LLVMValueRef counter, uint64_t by)
{
    LLVMValueRef value = LLVMBuildLoad2(r->b, r->g->i64, counter, "");

    set(r, counter, LLVMBuildAdd(r->b, value, number(r, by), ""));
}

/* Moves the top of the stack up to the callee's frame; a full stack ends the program. */
static void take(struct byw_ptx_recursion *r, const struct byw_ptx_site *site)
{
    LLVMValueRef args[5], name;

    hide(r);
    name = LLVMBuildGlobalStringPtr(r->b, site->callee->f->name, "");
    change(r, r->depth, 1);
    args[0] = LLVMBuildLoad2(r->b, r->g->i64, r->top, "");
    args[1] = number(r, site->bytes + site->callee->frame);
    args[2] = number(r, r->g->stack_room);
    args[3] = LLVMBuildPtrToInt(r->b, name, r->g->i64, "");
    args[4] = LLVMBuildLoad2(r->b, r->g->i64, r->depth, "");
    set(r, r->top,
        LLVMBuildCall2(r->b,
                       LLVMGlobalGetValueType(byw_ptx_library_function(r->g, "ptx_recursion_take")),
                       byw_ptx_library_function(r->g, "ptx_recursion_take"), args, 5, ""));
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Copies results or parameters, number `from` to `to` - 1, between the temporaries by[] and the
 * call's operands or the callee's rooms. into: to the temporaries. */
static void pass(struct byw_ptx_recursion *r, const struct byw_ptx_site *site, uint32_t from,
                 uint32_t to, LLVMValueRef *by, bool operands, bool into)
{
    show(r, site->call);
    for (uint32_t i = from; i < to; i++) {
        const struct byw_ptx_room *room = &site->callee->room[i];
        LLVMValueRef operand = LLVMGetOperand(site->call, i), other;
        const struct byw_ptx_room *own = byw_ptx_room_of(site->caller, operand);
        uint64_t bytes = own == NULL ? room->bytes : least(own->bytes, room->bytes);

        other = operands ? operand : room->at;
        if (by[i] == NULL)
            by[i] = new_bytes(r, bytes);
        copy(r, into ? by[i] : other, into ? other : by[i], bytes);
    }
}

static void write_call(struct byw_ptx_recursion *r, struct byw_ptx_site *site, uint32_t which,
                       LLVMValueRef *by)
{
    uint32_t results = site->callee->f->results, all = results + site->callee->f->params;

    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(site->before));
    LLVMPositionBuilderAtEnd(r->b, site->before);
    save_all(r, site, false);
    pass(r, site, results, all, by, true, true);
    take(r, site);
    pass(r, site, results, all, by, false, false);
    hide(r);
    set(r, r->link, number(r, which));
    LLVMBuildBr(r->b, site->callee->entry);
}

/* Writes the block to which a call returns; it leads to the code after the call. */
static void write_resume(struct byw_ptx_recursion *r, struct byw_ptx_site *site, LLVMValueRef *by)
{
    uint32_t results = site->callee->f->results;

    site->resume = LLVMAppendBasicBlockInContext(r->g->context, r->machine, "");
    LLVMPositionBuilderAtEnd(r->b, site->resume);
    pass(r, site, 0, results, by, false, true);
    hide(r);
    change(r, r->top, 0 - (site->bytes + site->callee->frame));
    change(r, r->depth, UINT64_MAX);
    pass(r, site, 0, results, by, true, false);
    save_all(r, site, true);
    hide(r);
    if (r->ended != NULL)
        LLVMReplaceAllUsesWith(site->call, LLVMBuildLoad2(r->b, r->g->i1, r->ended, ""));
    LLVMBuildBr(r->b, site->after);
}

/* Returns of a member become branches to its block `leave`. */
static void write_returns(struct byw_ptx_recursion *r, struct byw_ptx_member *m)
{
    m->leave = LLVMAppendBasicBlockInContext(r->g->context, r->machine, "");
    for (uint32_t i = 0; i < m->blocks; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(m->block[i]);

        if (LLVMIsAReturnInst(end) == NULL)
            continue;
        LLVMPositionBuilderBefore(r->b, end);
        hide(r);
        if (r->ended != NULL)
            set(r, r->ended, LLVMGetOperand(end, 0));
        LLVMBuildBr(r->b, m->leave);
        LLVMInstructionEraseFromParent(end);
    }
}

/* Copies results or parameters from or to the memory of the machine's caller. */
static void pass_outside(struct byw_ptx_recursion *r, const struct byw_ptx_member *m, bool in)
{
    uint32_t results = m->f->results, from = in ? results : 0;
    uint32_t to = in ? results + m->f->params : results;

    LLVMSetCurrentDebugLocation2(r->b, r->base);
    for (uint32_t i = from; i < to; i++) {
        LLVMValueRef outside = LLVMGetParam(r->machine, i + 1);

        copy(r, in ? m->room[i].at : outside, in ? outside : m->room[i].at, m->room[i].bytes);
    }
}

/* Writes the blocks where a member starts for a caller outside of the cycle, and where it
 * returns. */
static LLVMBasicBlockRef write_start(struct byw_ptx_recursion *r, const struct byw_ptx_member *m)
{
    LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(r->g->context, r->machine, "");

    LLVMPositionBuilderAtEnd(r->b, start);
    hide(r);
    set(r, r->top, number(r, m->frame));
    set(r, r->depth, number(r, 1));
    set(r, r->link, number(r, 0));
    pass_outside(r, m, true);
    hide(r);
    LLVMBuildBr(r->b, m->entry);
    return start;
}

static LLVMBasicBlockRef write_end(struct byw_ptx_recursion *r, const struct byw_ptx_member *m)
{
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(r->g->context, r->machine, "");

    LLVMPositionBuilderAtEnd(r->b, end);
    pass_outside(r, m, false);
    hide(r);
    if (r->ended != NULL)
        LLVMBuildRet(r->b, LLVMBuildLoad2(r->b, r->g->i1, r->ended, ""));
    else
        LLVMBuildRetVoid(r->b);
    return end;
}

static void write_leave(struct byw_ptx_recursion *r, const struct byw_ptx_member *m)
{
    LLVMBasicBlockRef outside = write_end(r, m);
    LLVMValueRef choice;

    LLVMPositionBuilderAtEnd(r->b, m->leave);
    hide(r);
    choice = LLVMBuildSwitch(r->b, LLVMBuildLoad2(r->b, r->g->i64, r->link, ""), outside, 4);
    for (uint32_t i = 0; i < r->sites; i++)
        if (r->site[i].callee == m)
            LLVMAddCase(choice, number(r, i + 1u), r->site[i].resume);
}

static void write_entry(struct byw_ptx_recursion *r)
{
    LLVMBasicBlockRef none = NULL;
    LLVMValueRef choice = NULL;

    for (uint32_t i = 0; i < r->members; i++) {
        LLVMBasicBlockRef start = write_start(r, &r->member[i]);

        if (none == NULL) {
            none = start;
            LLVMPositionBuilderAtEnd(r->b, r->entry);
            hide(r);
            choice = LLVMBuildSwitch(r->b, LLVMGetParam(r->machine, 0), start, r->members);
        } else {
            LLVMAddCase(choice, LLVMConstInt(r->g->i32, i, 0), start);
        }
    }
}

static enum byw_status write_sites(struct byw_ptx_recursion *r)
{
    for (uint32_t i = 0; i < r->sites; i++) {
        struct byw_ptx_site *site = &r->site[i];
        LLVMValueRef *by =
            calloc(site->callee->f->results + site->callee->f->params + 1u, sizeof(*by));

        if (by == NULL)
            return BYW_ENOMEM;
        write_call(r, site, i + 1, by);
        write_resume(r, site, by);
        LLVMInstructionEraseFromParent(site->call);
        free(by);
    }
    return BYW_OK;
}

enum byw_status byw_ptx_machine_write(struct byw_ptx_recursion *r)
{
    enum byw_status status;

    r->top = new_room(r, r->g->i64, "");
    r->depth = new_room(r, r->g->i64, "");
    r->link = new_room(r, r->g->i64, "");
    if (r->member[0].f->exits)
        r->ended = new_room(r, r->g->i1, "");
    for (uint32_t i = 0; i < r->members; i++)
        write_returns(r, &r->member[i]);
    status = write_sites(r);
    for (uint32_t i = 0; i < r->members && status == BYW_OK; i++)
        write_leave(r, &r->member[i]);
    if (status == BYW_OK)
        write_entry(r);
    return status;
}
