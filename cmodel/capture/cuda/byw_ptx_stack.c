/* SPDX-License-Identifier: Apache-2.0
 *
 * alloca, stacksave, stackrestore: a function's stack is an array in its private memory, which
 * grows down.  It has room for each allocation of constant size once, plus STACK_MORE bytes if
 * there are loops or sizes in registers.  A thread that needs more ends the program with a message.
 */
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

#define STACK_MORE 16384u
#define STACK_ALIGN 128u
#define LEAST_ALIGN 16u

static bool is_alloca(const struct byw_ptx_instruction *inst)
{
    return inst->label == NULL && inst->parts != 0 && strcmp(inst->part[0], "alloca") == 0;
}

static uint64_t align_of(const struct byw_ptx_instruction *inst)
{
    uint64_t align = inst->operands > 2 ? inst->operand[2].value : LEAST_ALIGN;

    return align < LEAST_ALIGN ? LEAST_ALIGN : align > STACK_ALIGN ? STACK_ALIGN : align;
}

static uint64_t bytes_needed(const struct byw_ptx_function *f)
{
    uint64_t bytes = 0;
    bool more = false;

    for (uint32_t i = 0; i < f->length; i++) {
        const struct byw_ptx_instruction *inst = &f->code[i];

        more |= inst->label != NULL;
        if (!is_alloca(inst) || inst->operands < 2)
            continue;
        if (inst->operand[1].kind == BYW_PTX_OP_INTEGER)
            bytes += inst->operand[1].value + 2 * align_of(inst);
        else
            more = true;
    }
    bytes = (bytes + (more ? STACK_MORE : 0) + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
    return bytes > UINT32_MAX / 2 ? UINT32_MAX / 2 : bytes;
}

static void open_stack(struct byw_ptx_gen *g)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);

    if (g->stack != NULL)
        return;
    g->stack_bytes = bytes_needed(g->function);
    g->stack = byw_ptx_room(g, LLVMArrayType(g->i8, (unsigned)g->stack_bytes), "stack");
    LLVMSetAlignment(g->stack, STACK_ALIGN);
    g->stack_top = byw_ptx_room(g, g->i64, "stack_top");
    LLVMPositionBuilderAtEnd(g->b, g->entry);
    LLVMBuildStore(g->b, LLVMConstInt(g->i64, g->stack_bytes, 0), g->stack_top);
    LLVMPositionBuilderAtEnd(g->b, here);
}

static LLVMValueRef bottom(struct byw_ptx_gen *g)
{
    return LLVMBuildPtrToInt(g->b, g->stack, g->i64, "");
}

/* alloca.u64 address, size [, alignment] */
bool byw_ptx_rule_alloca(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    LLVMValueRef size, top, args[2];

    if (inst->operands < 2 || inst->operands > 3 || byw_ptx_type_at(inst, 0).bits != 64 ||
        (inst->operands == 3 && inst->operand[2].kind != BYW_PTX_OP_INTEGER))
        return false;
    size = byw_ptx_value_as(g, &inst->operand[1], g->i64, false);
    if (size == NULL)
        return false;
    open_stack(g);
    byw_ptx_hide(g, true);
    args[0] = LLVMBuildLoad2(g->b, g->i64, g->stack_top, "");
    args[1] = size;
    top = byw_ptx_call_library(g, "ptx_stack_take", args, 2);
    top = LLVMBuildAnd(g->b, top, LLVMConstInt(g->i64, 0 - align_of(inst), 1), "");
    LLVMBuildStore(g->b, top, g->stack_top);
    byw_ptx_hide(g, false);
    return byw_ptx_assign(g, &inst->operand[0], LLVMBuildAdd(g->b, bottom(g), top, ""), false);
}

/* stacksave.u64 address; stackrestore.u64 address */
bool byw_ptx_rule_stack(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    LLVMValueRef value;

    if (inst->operands != 1 || byw_ptx_type_at(inst, 0).bits != 64)
        return false;
    open_stack(g);
    if (strcmp(inst->part[0], "stacksave") == 0) {
        value = LLVMBuildLoad2(g->b, g->i64, g->stack_top, "");
        return byw_ptx_assign(g, &inst->operand[0], LLVMBuildAdd(g->b, bottom(g), value, ""),
                              false);
    }
    value = byw_ptx_value_as(g, &inst->operand[0], g->i64, false);
    if (value == NULL)
        return false;
    LLVMBuildStore(g->b, LLVMBuildSub(g->b, value, bottom(g), ""), g->stack_top);
    return true;
}
