/* SPDX-License-Identifier: Apache-2.0
 *
 * mov and cvt.
 */
#include <stdio.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

/* Concatenates the elements of a list, the first one in the lowest bits. */
static LLVMValueRef pack(struct byw_ptx_gen *g, const struct byw_ptx_operand *list, unsigned bits)
{
    LLVMTypeRef whole = LLVMIntTypeInContext(g->context, bits);
    LLVMTypeRef part = LLVMIntTypeInContext(g->context, bits / list->count);
    LLVMValueRef vector = LLVMGetUndef(LLVMVectorType(part, list->count));

    for (uint32_t i = 0; i < list->count; i++) {
        LLVMValueRef one = byw_ptx_value_as(g, &list->list[i], part, false);

        if (one == NULL)
            return NULL;
        vector = LLVMBuildInsertElement(g->b, vector, one, LLVMConstInt(g->i32, i, 0), "");
    }
    return LLVMBuildBitCast(g->b, vector, whole, "");
}

static bool unpack(struct byw_ptx_gen *g, const struct byw_ptx_operand *list, LLVMValueRef value,
                   unsigned bits)
{
    LLVMTypeRef part = LLVMIntTypeInContext(g->context, bits / list->count);
    LLVMValueRef vector = LLVMBuildBitCast(
        g->b, byw_ptx_cast(g, value, LLVMIntTypeInContext(g->context, bits), false),
        LLVMVectorType(part, list->count), "");

    for (uint32_t i = 0; i < list->count; i++)
        if (!byw_ptx_assign(g, &list->list[i],
                            LLVMBuildExtractElement(g->b, vector, LLVMConstInt(g->i32, i, 0), ""),
                            false))
            return false;
    return true;
}

bool byw_ptx_rule_mov(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    const struct byw_ptx_operand *to = &inst->operand[0], *from = &inst->operand[1];
    LLVMValueRef value;

    if (inst->operands != 2 || type.kind == 0 || inst->parts != 2)
        return false;
    if (from->kind == BYW_PTX_OP_LIST)
        value = from->count == 0 || type.bits % from->count != 0 ? NULL : pack(g, from, type.bits);
    else
        value = byw_ptx_value(g, from, type);
    if (value == NULL)
        return false;
    if (to->kind == BYW_PTX_OP_LIST)
        return to->count != 0 && type.bits % to->count == 0 && unpack(g, to, value, type.bits);
    return byw_ptx_assign(g, to, value, false);
}

static const char *name_of(struct byw_ptx_type t, char text[8])
{
    snprintf(text, 8, "%c%u", t.kind == 'b' ? 'u' : t.kind, t.bits);
    return text;
}

/* Clamps to the range of a narrow integer; false if clamping is not needed. */
static bool saturates(const struct byw_ptx_instruction *inst, struct byw_ptx_type to,
                      struct byw_ptx_type from)
{
    if (!byw_ptx_has(inst, "sat"))
        return false;
    return from.bits > to.bits || (from.bits == to.bits && from.kind != to.kind) ||
           (to.kind == 'u' && from.kind == 's');
}

static LLVMValueRef call_library(struct byw_ptx_gen *g, const char *name, LLVMValueRef value,
                                 bool is_signed)
{
    LLVMValueRef function = byw_ptx_library_function(g, name);

    if (function == NULL || LLVMCountParams(function) != 1)
        return NULL;
    value = byw_ptx_cast(g, value, LLVMTypeOf(LLVMGetParam(function, 0)), is_signed);
    return byw_ptx_call_function(g, function, &value, 1);
}

static const char *rounding(const struct byw_ptx_instruction *inst, const char *otherwise)
{
    static const char *const list[] = {"rni", "rzi", "rmi", "rpi", "rn", "rz", "rm", "rp", "rna"};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (byw_ptx_has(inst, list[i]))
            return list[i];
    return otherwise;
}

/* ptx_cvt_ROUNDING_TO_FROM. */
static LLVMValueRef by_library(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                               struct byw_ptx_type to, struct byw_ptx_type from, LLVMValueRef value)
{
    char name[64], a[8], b[8];
    const char *relu = byw_ptx_has(inst, "relu") ? "relu" : "";

    if (byw_ptx_is_whole(to) && !byw_ptx_is_whole(from))
        snprintf(name, sizeof(name), "ptx_cvt_%s_%s_%s", rounding(inst, "rzi"), name_of(to, a),
                 name_of(from, b));
    else if (byw_ptx_is_whole(from))
        snprintf(name, sizeof(name), "ptx_cvt_%s_%s_%s", rounding(inst, "rn"), name_of(to, a),
                 name_of(from, b));
    else
        snprintf(name, sizeof(name), "ptx_cvt_%s%s_%s_%s", rounding(inst, "x"), relu,
                 name_of(to, a), name_of(from, b));
    return call_library(g, name, value, from.kind == 's');
}

static LLVMValueRef convert(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                            struct byw_ptx_type to, struct byw_ptx_type from, LLVMValueRef value)
{
    LLVMTypeRef type = byw_ptx_llvm_type(g, to);
    bool nearest = strcmp(rounding(inst, "rn"), "rn") == 0;

    if (byw_ptx_is_whole(to) && byw_ptx_is_whole(from))
        return byw_ptx_cast(g, value, type, from.kind == 's');
    if (byw_ptx_is_real(to) && byw_ptx_is_whole(from) && nearest)
        return from.kind == 's' ? LLVMBuildSIToFP(g->b, value, type, "")
                                : LLVMBuildUIToFP(g->b, value, type, "");
    if (byw_ptx_is_real(to) && byw_ptx_is_real(from) && to.bits > from.bits)
        return LLVMBuildFPExt(g->b, value, type, "");
    if (byw_ptx_is_real(to) && byw_ptx_is_real(from) && to.bits < from.bits && nearest)
        return LLVMBuildFPTrunc(g->b, value, type, "");
    if (byw_ptx_is_real(to) && byw_ptx_is_real(from) && to.bits == from.bits &&
        rounding(inst, NULL) == NULL)
        return value;
    return by_library(g, inst, to, from, value);
}

LLVMValueRef byw_ptx_flush(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                           struct byw_ptx_type type, LLVMValueRef value)
{
    return byw_ptx_has(inst, "ftz") && type.bits == 32 && byw_ptx_is_real(type)
               ? call_library(g, "ptx_flush_f32", value, false)
               : value;
}

/* cvt{.rounding}{.ftz}{.sat}.to.from */
bool byw_ptx_rule_convert(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type to = byw_ptx_type_at(inst, 0), from = byw_ptx_type_at(inst, 1);
    char name[64], a[8], b[8];
    LLVMValueRef value;

    if (inst->operands != 2 || from.kind == 0 || to.lanes != 1 || from.lanes != 1 ||
        byw_ptx_has(inst, "satfinite"))
        return false;
    value = byw_ptx_value(g, &inst->operand[1], from);
    if (value == NULL)
        return false;
    value = byw_ptx_flush(g, inst, from, value);
    if (saturates(inst, to, from) && byw_ptx_is_whole(from) && byw_ptx_is_whole(to)) {
        snprintf(name, sizeof(name), "ptx_cvt_sat_%s_%s", name_of(to, a), name_of(from, b));
        value = call_library(g, name, value, from.kind == 's');
    } else {
        value = convert(g, inst, to, from, value);
    }
    if (value != NULL && byw_ptx_has(inst, "sat") && !byw_ptx_is_whole(to)) {
        snprintf(name, sizeof(name), "ptx_saturate_%s", name_of(to, a));
        value = call_library(g, name, value, false);
    }
    if (value == NULL)
        return false;
    value = byw_ptx_flush(g, inst, to, value);
    return byw_ptx_assign(g, &inst->operand[0],
                          byw_ptx_cast(g, value, byw_ptx_llvm_type(g, to), to.kind == 's'),
                          to.kind == 's');
}
