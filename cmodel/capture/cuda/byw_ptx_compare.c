/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons and choices: setp, set, selp, slct.  Numbers of half precision are compared by the
 * arithmetic library.
 */
#include <stdio.h>
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

/* Whether a type is half precision or bfloat16, or a pair of one of them. */
static bool is_half(struct byw_ptx_type type)
{
    return (type.kind == 'f' || type.kind == 'g') && type.bits == 16u * type.lanes;
}

/* Element `lane` of a pair of halves, or the only one, as an integer; .ftz: without subnormals. */
static LLVMValueRef half_at(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                            struct byw_ptx_type type, LLVMValueRef value, unsigned lane)
{
    if (lane != 0)
        value = LLVMBuildLShr(g->b, value, LLVMConstInt(LLVMTypeOf(value), 16, 0), "");
    value = byw_ptx_cast(g, value, g->i16, false);
    return byw_ptx_has(inst, "ftz") && type.kind == 'f'
               ? byw_ptx_call_library(g, "ptx_flush_f16", &value, 1)
               : value;
}

/* Compares two halves; NULL: unknown comparison. */
static LLVMValueRef compare_halves(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                                   struct byw_ptx_type type, LLVMValueRef *value, unsigned lane)
{
    LLVMValueRef function, v[2], result;
    char name[48];

    snprintf(name, sizeof(name), "ptx_setp_%.8s_%s", inst->part[1],
             type.kind == 'f' ? "f16" : "bf16");
    function = byw_ptx_library_function(g, name);
    if (function == NULL)
        return NULL;
    byw_ptx_hide(g, true);
    for (int i = 0; i < 2; i++)
        v[i] = half_at(g, inst, type, value[i], lane);
    byw_ptx_hide(g, lane != 0); /* a pair counts as one instruction */
    result = byw_ptx_call_function(g, function, v, 2);
    byw_ptx_hide(g, false);
    return byw_ptx_cast(g, result, g->i1, false);
}

/* Builds the comparison that an opcode names, between its second and third operands; of pairs,
 * between elements `lane`.  NULL if unknown. */
static LLVMValueRef compare(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                            struct byw_ptx_type type, unsigned lane)
{
    LLVMValueRef v[2];

    if (inst->operands < 3 || inst->parts < 3 ||
        (!byw_ptx_is_real(type) && !byw_ptx_is_whole(type) && !is_half(type)))
        return NULL;
    v[0] = byw_ptx_value(g, &inst->operand[1], type);
    v[1] = byw_ptx_value(g, &inst->operand[2], type);
    if (v[0] == NULL || v[1] == NULL)
        return NULL;
    if (is_half(type))
        return compare_halves(g, inst, type, v, lane);
    v[0] = byw_ptx_flush(g, inst, type, v[0]);
    v[1] = byw_ptx_flush(g, inst, type, v[1]);
    for (size_t i = 0; i < sizeof(comparison_table) / sizeof(comparison_table[0]); i++) {
        if (strcmp(inst->part[1], comparison_table[i].name) != 0)
            continue;
        if (byw_ptx_is_real(type))
            return LLVMBuildFCmp(g->b, (LLVMRealPredicate)comparison_table[i].real, v[0], v[1], "");
        if (comparison_table[i].is_signed == 0)
            return NULL;
        return LLVMBuildICmp(g->b,
                             (LLVMIntPredicate)(type.kind == 's' ? comparison_table[i].is_signed
                                                                 : comparison_table[i].is_unsigned),
                             v[0], v[1], "");
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

/* setp of pairs: one predicate for each half. */
static bool setp_of_pairs(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                          struct byw_ptx_type type)
{
    const struct byw_ptx_operand *to = &inst->operand[0];

    if (to->kind != BYW_PTX_OP_PAIR)
        return false;
    for (unsigned lane = 0; lane < 2; lane++) {
        LLVMValueRef result = compare(g, inst, type, lane);

        if (result != NULL)
            result = combine(g, inst, result);
        if (result == NULL || !byw_ptx_assign(g, &to->list[lane], result, false))
            return false;
    }
    return true;
}

bool byw_ptx_rule_setp(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    const struct byw_ptx_operand *to = &inst->operand[0];
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef result, other;

    if (type.lanes == 2)
        return setp_of_pairs(g, inst, type);
    result = compare(g, inst, type, 0);
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

/* The result of `set` if the comparison holds (otherwise it is 0): 1.0 in a floating-point type,
 * all ones in an integer. `bits`: width of the result, or of each of two. */
static LLVMValueRef truth(struct byw_ptx_gen *g, struct byw_ptx_type to, unsigned bits,
                          LLVMValueRef result)
{
    LLVMTypeRef type = LLVMIntTypeInContext(g->context, bits);

    if (byw_ptx_is_real(to))
        return LLVMBuildUIToFP(g->b, result, byw_ptx_llvm_type(g, to), "");
    if (!is_half(to))
        return LLVMBuildSExt(g->b, result, type, "");
    return LLVMBuildSelect(g->b, result, LLVMConstInt(type, to.kind == 'f' ? 0x3c00 : 0x3f80, 0),
                           LLVMConstNull(type), "");
}

/* set.CMP.to.from: all ones or 1.0 if the comparison holds, else 0.  Pairs of halves give two
 * results of 16 bits. */
bool byw_ptx_rule_set(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type to = byw_ptx_type_at(inst, 0), from = byw_ptx_type_at(inst, 1);
    unsigned lanes = from.lanes;
    LLVMValueRef all = NULL;

    if ((!byw_ptx_is_whole(to) && !byw_ptx_is_real(to) && !is_half(to)) ||
        (lanes == 2 ? to.bits != 32 : to.lanes != 1))
        return false;
    for (unsigned lane = 0; lane < lanes; lane++) {
        LLVMValueRef result = compare(g, inst, from, lane);

        if (result != NULL)
            result = combine(g, inst, result);
        if (result == NULL)
            return false;
        result = truth(g, to, to.bits / lanes, result);
        byw_ptx_hide(g, true);
        if (lanes == 2)
            result = LLVMBuildShl(g->b, LLVMBuildZExt(g->b, result, g->i32, ""),
                                  LLVMConstInt(g->i32, 16ull * lane, 0), "");
        all = lane == 0 ? result : LLVMBuildOr(g->b, all, result, "");
        byw_ptx_hide(g, false);
    }
    return byw_ptx_assign(g, &inst->operand[0], all, true);
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

    if (inst->operands != 4 || type.kind == 0)
        return false;
    a = byw_ptx_value(g, &inst->operand[1], type);
    b = byw_ptx_value(g, &inst->operand[2], type);
    c = byw_ptx_value(g, &inst->operand[3], by);
    if (a == NULL || b == NULL || c == NULL)
        return false;
    c = byw_ptx_flush(g, inst, by, c);
    c = by.kind == 'f' ? LLVMBuildFCmp(g->b, LLVMRealOGE, c, LLVMConstNull(LLVMTypeOf(c)), "")
                       : LLVMBuildICmp(g->b, LLVMIntSGE, c, LLVMConstNull(LLVMTypeOf(c)), "");
    return byw_ptx_give(g, inst, LLVMBuildSelect(g->b, c, a, b, ""));
}
