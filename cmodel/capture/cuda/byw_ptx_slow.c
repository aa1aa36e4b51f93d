/* SPDX-License-Identifier: Apache-2.0
 *
 * Slow paths: marks the executions of a division or root whose machine code calls a function
 * because its operands are unusual.  Only the capture with machine code has them.
 */
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"
#include "capture/path/byw_slow_ways.h"

/* Instructions with slow paths, whose numbers are `first` to `last`. The library's function returns
 * the number of the path that is taken, or none. */
static const struct slow {
    const char *op, *type;
    bool flushes; /* .ftz */
    unsigned operands;
    const char *function;
    uint32_t first, last;
} table[] = {
    {"div", "f32", false, 2, "ptx_way_div32", BYW_SLOW_DIV32_NORMAL, BYW_SLOW_DIV32_RAISED_TINY},
    {"div", "f32", true, 2, "ptx_way_div32_ftz", BYW_SLOW_DIV32_NORMAL, BYW_SLOW_DIV32_INFINITY},
    {"rcp", "f32", false, 1, "ptx_way_rcp32", BYW_SLOW_RCP32_ZERO, BYW_SLOW_RCP32_INFINITY},
    {"rcp", "f32", true, 1, "ptx_way_rcp32_ftz", BYW_SLOW_RCP32_FTZ_ZERO,
     BYW_SLOW_RCP32_FTZ_INFINITY},
    {"sqrt", "f32", false, 1, "ptx_way_sqrt32", BYW_SLOW_SQRT32_ZERO, BYW_SLOW_SQRT32_TINY},
    {"sqrt", "f32", true, 1, "ptx_way_sqrt32_ftz", BYW_SLOW_SQRT32_ZERO, BYW_SLOW_SQRT32_TINY},
    {"div", "f64", false, 2, "ptx_way_div64", BYW_SLOW_DIV64_NORMAL, BYW_SLOW_DIV64_LOW_OTHER},
    {"rcp", "f64", false, 1, "ptx_way_rcp64", BYW_SLOW_RCP64_NAN, BYW_SLOW_RCP64_SUBNORMAL},
    {"sqrt", "f64", false, 1, "ptx_way_sqrt64", BYW_SLOW_SQRT64_SMALL, BYW_SLOW_SQRT64_SUBNORMAL},
};

static const struct slow *slow_of(const struct byw_ptx_instruction *inst)
{
    if (!byw_ptx_has(inst, "rn"))
        return NULL;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (strcmp(inst->part[0], table[i].op) == 0 && byw_ptx_has(inst, table[i].type) &&
            byw_ptx_has(inst, "ftz") == table[i].flushes && inst->operands == table[i].operands + 1)
            return &table[i];
    return NULL;
}

static LLVMBasicBlockRef add_block(struct byw_ptx_gen *g, LLVMBasicBlockRef before)
{
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(g->context, g->value, "");

    if (before != NULL)
        LLVMMoveBasicBlockBefore(block, before);
    else
        LLVMMoveBasicBlockAfter(block, LLVMGetInsertBlock(g->b));
    return block;
}

/* Branches from the block for unusual operands to one block per slow path, which has its mark. */
static void mark_ways(struct byw_ptx_gen *g, const struct slow *slow, LLVMValueRef way,
                      LLVMBasicBlockRef behind)
{
    LLVMValueRef choice = LLVMBuildSwitch(g->b, way, behind, slow->last - slow->first + 1);

    for (uint32_t i = slow->first; i <= slow->last; i++) {
        LLVMBasicBlockRef block = add_block(g, behind);

        LLVMAddCase(choice, byw_ptx_number(g, i), block);
        LLVMPositionBuilderAtEnd(g->b, block);
        byw_ptx_mark(g, BYW_CL_MARK_SLOW(g->inst->number, i));
        LLVMBuildBr(g->b, behind);
    }
}

void byw_ptx_slow(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    const struct slow *slow = g->marks == 0 ? NULL : slow_of(inst);
    LLVMBasicBlockRef behind, unusual;
    LLVMValueRef args[2], way;

    if (slow == NULL || byw_ptx_library_function(g, slow->function) == NULL)
        return;
    for (unsigned i = 0; i < slow->operands; i++) {
        args[i] = byw_ptx_value(g, &inst->operand[i + 1], byw_ptx_type_at(inst, 0));
        if (args[i] == NULL)
            return;
    }
    byw_ptx_hide(g, true);
    way = byw_ptx_call_library(g, slow->function, args, slow->operands);
    behind = add_block(g, NULL);
    unusual = add_block(g, behind);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, way, byw_ptx_number(g, BYW_SLOW_NONE), ""),
                    unusual, behind);
    LLVMPositionBuilderAtEnd(g->b, unusual);
    mark_ways(g, slow, way, behind);
    LLVMPositionBuilderAtEnd(g->b, behind);
    byw_ptx_hide(g, false);
}
