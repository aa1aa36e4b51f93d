/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons and choices: setp, set, selp, slct.
 */
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

/* Comparisons: of integers signed and unsigned, of floating numbers. */
static const struct {
    const char *name;
    int is_signed, is_unsigned, real; /* predicates of the IR; 0: none */
} comparison_table[] = {{"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
                        {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
                        {"lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT},
                        {"le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
                        {"gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},
                        {"ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
                        {"lo", LLVMIntULT, LLVMIntULT, 0},
                        {"ls", LLVMIntULE, LLVMIntULE, 0},
                        {"hi", LLVMIntUGT, LLVMIntUGT, 0},
                        {"hs", LLVMIntUGE, LLVMIntUGE, 0},
                        {"equ", 0, 0, LLVMRealUEQ},
                        {"neu", 0, 0, LLVMRealUNE},
                        {"ltu", 0, 0, LLVMRealULT},
                        {"leu", 0, 0, LLVMRealULE},
                        {"gtu", 0, 0, LLVMRealUGT},
                        {"geu", 0, 0, LLVMRealUGE},
                        {"num", 0, 0, LLVMRealORD},
                        {"nan", 0, 0, LLVMRealUNO}};

/* Builds the comparison that an opcode names, between its second and third operands; NULL if
 * unknown. */
static LLVMValueRef compare(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                            struct byw_ptx_type type)
{
    LLVMValueRef a, b;

    if (inst->operands < 3 || inst->parts < 3 ||
        (!byw_ptx_is_real(type) && !byw_ptx_is_whole(type)))
        return NULL;
    a = byw_ptx_value(g, &inst->operand[1], type);
    b = byw_ptx_value(g, &inst->operand[2], type);
    if (a == NULL || b == NULL)
        return NULL;
    a = byw_ptx_flush(g, inst, type, a);
    b = byw_ptx_flush(g, inst, type, b);
    for (size_t i = 0; i < sizeof(comparison_table) / sizeof(comparison_table[0]); i++) {
        if (strcmp(inst->part[1], comparison_table[i].name) != 0)
            continue;
        if (byw_ptx_is_real(type))
            return LLVMBuildFCmp(g->b, (LLVMRealPredicate)comparison_table[i].real, a, b, "");
        if (comparison_table[i].is_signed == 0)
            return NULL;
        return LLVMBuildICmp(g->b,
                             (LLVMIntPredicate)(type.kind == 's' ? comparison_table[i].is_signed
                                                                 : comparison_table[i].is_unsigned),
                             a, b, "");
    }
    return NULL;
}

/* With .and, .or, .xor: combines the result with the predicate in the fourth operand. */
static LLVMValueRef combine(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                            LLVMValueRef result)
{
    LLVMValueRef with;

    if (inst->operands < 4)
        return result;
    with = byw_ptx_value_as(g, &inst->operand[3], g->i1, false);
    if (with == NULL)
        return NULL;
    if (byw_ptx_has(inst, "and"))
        return LLVMBuildAnd(g->b, result, with, "");
    if (byw_ptx_has(inst, "or"))
        return LLVMBuildOr(g->b, result, with, "");
    return byw_ptx_has(inst, "xor") ? LLVMBuildXor(g->b, result, with, "") : NULL;
}

bool byw_ptx_rule_setp(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    const struct byw_ptx_operand *to = &inst->operand[0];
    LLVMValueRef result = compare(g, inst, byw_ptx_type_at(inst, 0)), other;

    if (result == NULL)
        return false;
    other = to->kind == BYW_PTX_OP_PAIR ? combine(g, inst, LLVMBuildNot(g->b, result, "")) : result;
    result = combine(g, inst, result);
    if (result == NULL || other == NULL)
        return false;
    if (to->kind == BYW_PTX_OP_PAIR)
        return byw_ptx_assign(g, &to->list[0], result, false) &&
               byw_ptx_assign(g, &to->list[1], other, false);
    return byw_ptx_assign(g, to, result, false);
}

/* set.CMP.to.from: all ones or 1.0 if the comparison holds, else 0. */
bool byw_ptx_rule_set(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type to = byw_ptx_type_at(inst, 0);
    LLVMValueRef result = compare(g, inst, byw_ptx_type_at(inst, 1));

    if (result != NULL)
        result = combine(g, inst, result);
    if (result == NULL || (!byw_ptx_is_whole(to) && !byw_ptx_is_real(to)))
        return false;
    return byw_ptx_assign(g, &inst->operand[0],
                          byw_ptx_is_real(to)
                              ? LLVMBuildUIToFP(g->b, result, byw_ptx_llvm_type(g, to), "")
                              : LLVMBuildSExt(g->b, result, byw_ptx_llvm_type(g, to), ""),
                          true);
}

bool byw_ptx_rule_selp(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef a, b, choice;

    if (inst->operands != 4 || type.kind == 0)
        return false;
    a = byw_ptx_value(g, &inst->operand[1], type);
    b = byw_ptx_value(g, &inst->operand[2], type);
    choice = byw_ptx_value_as(g, &inst->operand[3], g->i1, false);
    return a != NULL && b != NULL && choice != NULL &&
           byw_ptx_give(g, inst, LLVMBuildSelect(g->b, choice, a, b, ""));
}

bool byw_ptx_rule_slct(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0), by = byw_ptx_type_at(inst, 1);
    LLVMValueRef a, b, c;

    if (inst->operands != 4 || type.kind == 0 || !byw_ptx_is_plain(inst))
        return false;
    a = byw_ptx_value(g, &inst->operand[1], type);
    b = byw_ptx_value(g, &inst->operand[2], type);
    c = byw_ptx_value(g, &inst->operand[3], by);
    if (a == NULL || b == NULL || c == NULL)
        return false;
    c = by.kind == 'f' ? LLVMBuildFCmp(g->b, LLVMRealOGE, c, LLVMConstNull(LLVMTypeOf(c)), "")
                       : LLVMBuildICmp(g->b, LLVMIntSGE, c, LLVMConstNull(LLVMTypeOf(c)), "");
    return byw_ptx_give(g, inst, LLVMBuildSelect(g->b, c, a, b, ""));
}
