/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of instructions, and the instructions that map to one operation of the IR.
 *
 * A rule returns false for a form that it does not handle (.ftz, directed rounding, .sat, halves);
 * this form is then looked up in the libraries by its full name.
 */
#include <stdio.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

/* The `count` operands after the first one, as values of a type. */
static bool take(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst, uint32_t count,
                 struct byw_ptx_type type, LLVMValueRef *value)
{
    if (inst->operands != count + 1)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        value[i] = byw_ptx_value(g, &inst->operand[i + 1], type);
        if (value[i] == NULL)
            return false;
    }
    return true;
}

static LLVMValueRef intrinsic(struct byw_ptx_gen *g, const char *name, LLVMTypeRef type,
                              LLVMValueRef *args, unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(g->module, id, &type, 1);

    return LLVMBuildCall2(g->b, LLVMIntrinsicGetType(g->context, id, &type, 1), function, args,
                          count, "");
}

/* An operation on two operands of one type: for integers and for floating-point numbers; 0:
 * none. */
static const struct {
    const char *name;
    LLVMOpcode whole, real;
} binary_table[] = {{"add", LLVMAdd, LLVMFAdd}, {"sub", LLVMSub, LLVMFSub},
                    {"mul", LLVMMul, LLVMFMul}, {"and", LLVMAnd, 0},
                    {"or", LLVMOr, 0},          {"xor", LLVMXor, 0},
                    {"div", 0, LLVMFDiv}};

static bool rule_binary(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMOpcode op = 0;
    LLVMValueRef v[2];

    for (size_t i = 0; i < sizeof(binary_table) / sizeof(binary_table[0]); i++)
        if (strcmp(inst->part[0], binary_table[i].name) == 0)
            op = byw_ptx_is_real(type) ? binary_table[i].real : binary_table[i].whole;
    if (op == 0 || !byw_ptx_is_plain(inst) ||
        (!byw_ptx_is_real(type) && !byw_ptx_is_whole(type) && type.kind != 'p'))
        return false;
    return take(g, inst, 2, type, v) &&
           byw_ptx_give(g, inst, LLVMBuildBinOp(g->b, op, v[0], v[1], ""));
}

/* The product of two integers, .wide or .lo; the library implements .hi. */
static LLVMValueRef product(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                            struct byw_ptx_type type, LLVMValueRef *v)
{
    LLVMTypeRef wide = LLVMIntTypeInContext(g->context, 2u * type.bits);
    bool is_signed = type.kind == 's';

    if (byw_ptx_has(inst, "wide"))
        return LLVMBuildMul(g->b, LLVMBuildIntCast2(g->b, v[0], wide, is_signed, ""),
                            LLVMBuildIntCast2(g->b, v[1], wide, is_signed, ""), "");
    return LLVMBuildMul(g->b, v[0], v[1], "");
}

static bool rule_mul(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef v[2];

    if (!byw_ptx_is_whole(type))
        return rule_binary(g, inst);
    if (byw_ptx_has(inst, "hi") || !take(g, inst, 2, type, v))
        return false;
    return byw_ptx_give(g, inst, product(g, inst, type, v));
}

static bool rule_fma(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef v[3];

    if (!byw_ptx_is_real(type) || !byw_ptx_is_plain(inst) || !take(g, inst, 3, type, v))
        return false;
    return byw_ptx_give(g, inst, intrinsic(g, "llvm.fma", byw_ptx_llvm_type(g, type), v, 3));
}

static bool rule_mad(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef v[2], sum;

    if (!byw_ptx_is_whole(type))
        return rule_fma(g, inst);
    if (!byw_ptx_is_plain(inst) || byw_ptx_has(inst, "hi") || inst->operands != 4)
        return false;
    v[0] = byw_ptx_value(g, &inst->operand[1], type);
    v[1] = byw_ptx_value(g, &inst->operand[2], type);
    if (v[0] == NULL || v[1] == NULL)
        return false;
    sum = product(g, inst, type, v);
    v[0] = byw_ptx_value_as(g, &inst->operand[3], LLVMTypeOf(sum), type.kind == 's');
    return v[0] != NULL && byw_ptx_give(g, inst, LLVMBuildAdd(g->b, sum, v[0], ""));
}

/* The carry flag. PTX does not define it before the first instruction that sets it; here it is 0.
 */
static LLVMValueRef carry_of(struct byw_ptx_gen *g)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);

    if (g->carry != NULL)
        return g->carry;
    g->carry = byw_ptx_room(g, g->i1, "carry");
    LLVMPositionBuilderAtEnd(g->b, g->entry);
    LLVMBuildStore(g->b, LLVMConstInt(g->i1, 0, 0), g->carry);
    LLVMPositionBuilderAtEnd(g->b, here);
    return g->carry;
}

/* a + b with the carry flag (add.cc, addc, madc.lo.cc ...).  Subtractions pass ~b, and sub.cc
 * begins with a carry of 1: on a GPU, the flag of a subtraction is the inverted borrow, so that
 * addc after subc.cc adds 1 if nothing was borrowed, and subc after add.cc subtracts 1 more
 * unless there was a carry. */
static LLVMValueRef with_carry(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                               LLVMValueRef a, LLVMValueRef b, bool subtract, bool takes)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef in, sum, out, result;

    byw_ptx_hide(g, true);
    in = takes ? LLVMBuildLoad2(g->b, g->i1, carry_of(g), "") : LLVMConstInt(g->i1, subtract, 0);
    in = byw_ptx_cast(g, in, type, false);
    b = subtract ? LLVMBuildNot(g->b, b, "") : b;
    byw_ptx_hide(g, false);
    sum = LLVMBuildAdd(g->b, a, b, "");
    byw_ptx_hide(g, true);
    result = LLVMBuildAdd(g->b, sum, in, "");
    out = LLVMBuildOr(g->b, LLVMBuildICmp(g->b, LLVMIntULT, sum, a, ""),
                      LLVMBuildICmp(g->b, LLVMIntULT, result, sum, ""), "");
    if (byw_ptx_has(inst, "cc"))
        LLVMBuildStore(g->b, out, carry_of(g));
    byw_ptx_hide(g, false);
    return result;
}

static bool is_carry(const struct byw_ptx_instruction *inst)
{
    return byw_ptx_has(inst, "cc") || strcmp(inst->part[0], "addc") == 0 ||
           strcmp(inst->part[0], "subc") == 0 || strcmp(inst->part[0], "madc") == 0;
}

static bool rule_carry(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    bool mad = strncmp(inst->part[0], "mad", 3) == 0, subtract = inst->part[0][0] == 's';
    bool takes = strchr("c", inst->part[0][3]) != NULL && inst->part[0][3] != '\0';
    LLVMTypeRef wide;
    LLVMValueRef v[3], hide;

    if (!byw_ptx_is_whole(type) || !take(g, inst, mad ? 3 : 2, type, v))
        return false;
    if (mad && byw_ptx_has(inst, "hi")) {
        wide = LLVMIntTypeInContext(g->context, 2u * type.bits);
        hide = LLVMBuildMul(g->b, LLVMBuildIntCast2(g->b, v[0], wide, type.kind == 's', ""),
                            LLVMBuildIntCast2(g->b, v[1], wide, type.kind == 's', ""), "");
        v[0] = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, hide, LLVMConstInt(wide, type.bits, 0), ""),
                              byw_ptx_llvm_type(g, type), "");
        v[1] = v[2];
    } else if (mad) {
        v[0] = LLVMBuildMul(g->b, v[0], v[1], "");
        v[1] = v[2];
    }
    return byw_ptx_give(g, inst, with_carry(g, inst, v[0], v[1], subtract, takes));
}

static bool rule_sum(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    if (is_carry(inst))
        return rule_carry(g, inst);
    return strcmp(inst->part[0], "mad") == 0 ? rule_mad(g, inst) : rule_binary(g, inst);
}

/* Shifts by constants in range; the library implements the others, including shifts out of range.
 */
static bool rule_shift(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    const struct byw_ptx_operand *by = &inst->operand[2];
    LLVMOpcode op = inst->part[0][2] == 'l' ? LLVMShl : type.kind == 's' ? LLVMAShr : LLVMLShr;
    LLVMValueRef v[2];

    if (!byw_ptx_is_whole(type) || inst->operands != 3 || by->kind != BYW_PTX_OP_INTEGER ||
        by->value >= type.bits)
        return false;
    return take(g, inst, 2, type, v) &&
           byw_ptx_give(g, inst, LLVMBuildBinOp(g->b, op, v[0], v[1], ""));
}

static bool rule_not(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef v;

    if ((!byw_ptx_is_whole(type) && type.kind != 'p') || !take(g, inst, 1, type, &v))
        return false;
    return byw_ptx_give(g, inst, LLVMBuildNot(g->b, v, ""));
}

static bool rule_neg(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef v;

    if (!byw_ptx_is_plain(inst) || (!byw_ptx_is_real(type) && !byw_ptx_is_whole(type)) ||
        !take(g, inst, 1, type, &v))
        return false;
    return byw_ptx_give(
        g, inst, byw_ptx_is_real(type) ? LLVMBuildFNeg(g->b, v, "") : LLVMBuildNeg(g->b, v, ""));
}

static bool rule_abs(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef v[2];

    if (byw_ptx_has(inst, "ftz") || (!byw_ptx_is_real(type) && !byw_ptx_is_whole(type)) ||
        !take(g, inst, 1, type, v))
        return false;
    if (byw_ptx_is_real(type))
        return byw_ptx_give(g, inst, intrinsic(g, "llvm.fabs", byw_ptx_llvm_type(g, type), v, 1));
    v[1] = LLVMConstInt(g->i1, 0, 0);
    return byw_ptx_give(g, inst, intrinsic(g, "llvm.abs", byw_ptx_llvm_type(g, type), v, 2));
}

/* min and max of integers. */
static bool rule_least(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    char name[16];
    LLVMValueRef v[2];

    if (!byw_ptx_is_plain(inst) || !byw_ptx_is_whole(type) || !take(g, inst, 2, type, v))
        return false;
    snprintf(name, sizeof(name), "llvm.%c%s", type.kind == 's' ? 's' : 'u', inst->part[0]);
    return byw_ptx_give(g, inst, intrinsic(g, name, byw_ptx_llvm_type(g, type), v, 2));
}

static bool rule_sqrt(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef v;

    if (!byw_ptx_is_real(type) || !byw_ptx_is_plain(inst) || !take(g, inst, 1, type, &v))
        return false;
    return byw_ptx_give(g, inst, intrinsic(g, "llvm.sqrt", byw_ptx_llvm_type(g, type), &v, 1));
}

static bool rule_rcp(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    LLVMValueRef v;

    if (!byw_ptx_is_real(type) || !byw_ptx_is_plain(inst) || !take(g, inst, 1, type, &v))
        return false;
    return byw_ptx_give(g, inst, LLVMBuildFDiv(g->b, LLVMConstReal(LLVMTypeOf(v), 1), v, ""));
}

/* bar.sync id, threads and bar.arrive: other threads may meet at other barriers meanwhile. */
static bool named_barrier(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    LLVMValueRef args[] = {byw_ptx_value_as(g, &inst->operand[0], g->i32, false),
                           byw_ptx_value_as(g, &inst->operand[1], g->i32, false)};

    if (args[0] == NULL || args[1] == NULL)
        return false;
    byw_ptx_call_library(
        g, byw_ptx_has(inst, "arrive") ? "ptx_named_only_arrive" : "ptx_named_sync", args, 2);
    return true;
}

/* bar.sync, barrier.sync, bar.warp.sync; the library implements barriers that reduce or only
 * arrive. */
static bool rule_barrier(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    if (byw_ptx_has(inst, "warp")) {
        byw_ptx_call_named(g, "byw_cl_meet");
        return true;
    }
    if (byw_ptx_has(inst, "cluster"))
        return byw_ptx_cluster_barrier(g, inst);
    if (inst->operands == 2 && !byw_ptx_has(inst, "red"))
        return named_barrier(g, inst);
    if (!byw_ptx_has(inst, "sync") || inst->operands > 1)
        return false;
    byw_ptx_call_named(g, "llvm.nvvm.barrier0");
    return true;
}

/* createpolicy: policies of the L2 change no value, and the simulated L2 has none, so that all of
 * them are 0. */
static bool rule_policy(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    return inst->operands >= 2 &&
           byw_ptx_assign(g, &inst->operand[0], LLVMConstInt(g->i64, 0, 0), false);
}

/* Opcodes by their first part. */
static const struct {
    const char *name;
    byw_ptx_rule *rule;
} table[] = {{"ld", byw_ptx_rule_load},
             {"ldu", byw_ptx_rule_load},
             {"st", byw_ptx_rule_store},
             {"atom", byw_ptx_rule_atomic},
             {"red", byw_ptx_rule_atomic},
             {"cvta", byw_ptx_rule_cvta},
             {"isspacep", byw_ptx_rule_isspacep},
             {"mov", byw_ptx_rule_mov},
             {"cvt", byw_ptx_rule_convert},
             {"bra", byw_ptx_rule_branch},
             {"brx", byw_ptx_rule_branch_table},
             {"call", byw_ptx_rule_call},
             {"ret", byw_ptx_rule_return},
             {"exit", byw_ptx_rule_return},
             {"add", rule_sum},
             {"addc", rule_sum},
             {"sub", rule_sum},
             {"subc", rule_sum},
             {"mad", rule_sum},
             {"madc", rule_sum},
             {"mul", rule_mul},
             {"div", rule_binary},
             {"and", rule_binary},
             {"or", rule_binary},
             {"xor", rule_binary},
             {"fma", rule_fma},
             {"shl", rule_shift},
             {"shr", rule_shift},
             {"not", rule_not},
             {"neg", rule_neg},
             {"abs", rule_abs},
             {"min", rule_least},
             {"max", rule_least},
             {"sqrt", rule_sqrt},
             {"rcp", rule_rcp},
             {"setp", byw_ptx_rule_setp},
             {"set", byw_ptx_rule_set},
             {"selp", byw_ptx_rule_selp},
             {"slct", byw_ptx_rule_slct},
             {"bar", rule_barrier},
             {"barrier", rule_barrier},
             {"wgmma", byw_ptx_rule_group},
             {"mma", byw_ptx_rule_matrix},
             {"wmma", byw_ptx_rule_matrix},
             {"mbarrier", byw_ptx_rule_mbarrier},
             {"cp", byw_ptx_rule_bulk},
             {"tensormap", byw_ptx_rule_tensormap},
             {"mapa", byw_ptx_rule_cluster},
             {"getctarank", byw_ptx_rule_cluster},
             {"suld", byw_ptx_rule_surface},
             {"sust", byw_ptx_rule_surface},
             {"createpolicy", rule_policy},
             {"alloca", byw_ptx_rule_alloca},
             {"stacksave", byw_ptx_rule_stack},
             {"stackrestore", byw_ptx_rule_stack},
             {"membar", byw_ptx_rule_prefetch},
             {"fence", byw_ptx_rule_prefetch},
             {"prefetch", byw_ptx_rule_prefetch},
             {"prefetchu", byw_ptx_rule_prefetch},
             {"applypriority", byw_ptx_rule_prefetch},
             {"discard", byw_ptx_rule_prefetch},
             {"nanosleep", byw_ptx_rule_prefetch},
             {"pmevent", byw_ptx_rule_prefetch},
             {"griddepcontrol", byw_ptx_rule_prefetch},
             {"setmaxnreg", byw_ptx_rule_prefetch}};

byw_ptx_rule *byw_ptx_rule_of(const struct byw_ptx_instruction *inst)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (strcmp(inst->part[0], table[i].name) == 0)
            return table[i].rule;
    return NULL;
}

bool byw_ptx_takes_guard(byw_ptx_rule *rule)
{
    return rule == byw_ptx_rule_branch;
}
