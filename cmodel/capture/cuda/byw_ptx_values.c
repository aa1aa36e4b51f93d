/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands as values of the IR: registers, constants, special registers, addresses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"
#include "capture/run/byw_cl_code.h"

#define FUNCTION_NUMBERS 0xf1000000u /* number given to the first function */
#define KERNEL_NUMBERS (1ull << 56) /* and the least number of a kernel */

LLVMValueRef byw_ptx_cast(struct byw_ptx_gen *g, LLVMValueRef value, LLVMTypeRef type,
                          bool is_signed)
{
    unsigned from = byw_ptx_bits(LLVMTypeOf(value)), to = byw_ptx_bits(type);

    if (LLVMTypeOf(value) == type)
        return value;
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
        value = LLVMBuildBitCast(g->b, value, LLVMIntTypeInContext(g->context, from), "");
    if (from != to)
        value = LLVMBuildIntCast2(g->b, value, LLVMIntTypeInContext(g->context, to), is_signed, "");
    return LLVMBuildBitCast(g->b, value, type, "");
}

/* The memory that holds a register until it is promoted to a value of the IR. */
static LLVMValueRef register_room(struct byw_ptx_gen *g, struct byw_ptx_symbol *symbol)
{
    LLVMTypeRef type = byw_ptx_llvm_type(g, symbol->type);

    if (symbol->handle == NULL)
        symbol->handle = byw_ptx_room(
            g, symbol->vector == 1 ? type : LLVMArrayType(type, symbol->vector), symbol->name);
    return symbol->handle;
}

/* A register, or one element of it. */
static LLVMValueRef register_place(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand)
{
    LLVMValueRef room = register_room(g, operand->symbol), at;

    if (operand->element == 0)
        return room;
    at = LLVMConstInt(g->i64, operand->element - 1u, 0);
    return LLVMBuildInBoundsGEP2(g->b, byw_ptx_llvm_type(g, operand->symbol->type), room, &at, 1,
                                 "");
}

static bool is_register(const struct byw_ptx_operand *operand)
{
    return operand->kind == BYW_PTX_OP_NAME && operand->symbol->kind == BYW_PTX_VARIABLE &&
           operand->symbol->space == BYW_PTX_REG;
}

static LLVMValueRef read_register(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                                  LLVMTypeRef type, bool is_signed)
{
    LLVMValueRef value = LLVMBuildLoad2(g->b, byw_ptx_llvm_type(g, operand->symbol->type),
                                        register_place(g, operand), "");

    if (operand->negated)
        value = LLVMBuildNot(g->b, value, "");
    return byw_ptx_cast(g, value, type, is_signed);
}

static LLVMValueRef real_constant(struct byw_ptx_gen *g, uint64_t bits, LLVMTypeRef type)
{
    double number;
    float single;
    uint32_t word;

    if (byw_ptx_bits(type) == 64)
        return LLVMBuildBitCast(g->b, LLVMConstInt(g->i64, bits, 0), type, "");
    memcpy(&number, &bits, sizeof(number));
    single = (float)number;
    memcpy(&word, &single, sizeof(word));
    return LLVMBuildBitCast(g->b, LLVMConstInt(g->i32, word, 0), type, "");
}

static LLVMValueRef integer_constant(struct byw_ptx_gen *g, uint64_t value, LLVMTypeRef type)
{
    LLVMTypeRef integer = LLVMIntTypeInContext(g->context, byw_ptx_bits(type));

    if (type == g->f32 || type == g->f64)
        return LLVMConstReal(type, (double)(int64_t)value);
    return LLVMConstInt(integer, value, 1);
}

/* The bytes that the index register of array[%r1+4] adds; NULL: none. */
static LLVMValueRef index_bytes(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                                LLVMTypeRef type)
{
    const struct byw_ptx_symbol *array = operand->symbol;
    struct byw_ptx_operand index = {.kind = BYW_PTX_OP_NAME, .symbol = operand->index};
    uint64_t size = (array->type.bits + 7u) / 8u * array->vector;

    if (operand->index == NULL)
        return NULL;
    return LLVMBuildMul(g->b, read_register(g, &index, type, operand->index->type.kind == 's'),
                        LLVMConstInt(type, size, 0), "");
}

/* The address of a variable or of a function, plus the operand's offset; NULL: it has none. */
static LLVMValueRef name_address(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand)
{
    LLVMValueRef value = NULL, more;

    if (operand->symbol->kind != BYW_PTX_LABEL && operand->symbol->space != BYW_PTX_REG)
        value = byw_ptx_address_of(g, operand->symbol);
    if (value == NULL)
        return NULL;
    more = index_bytes(g, operand, LLVMTypeOf(value));
    if (more != NULL)
        value = LLVMBuildAdd(g->b, value, more, "");
    if (operand->offset != 0)
        value = LLVMBuildAdd(g->b, value,
                             LLVMConstInt(LLVMTypeOf(value), (uint64_t)operand->offset, 1), "");
    return value;
}

LLVMValueRef byw_ptx_value_as(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                              LLVMTypeRef type, bool is_signed)
{
    LLVMValueRef value = NULL;

    switch (operand->kind) {
    case BYW_PTX_OP_NAME:
        if (is_register(operand) && (operand->element != 0 || operand->symbol->vector == 1))
            return read_register(g, operand, type, is_signed);
        value = name_address(g, operand);
        break;
    case BYW_PTX_OP_SPECIAL:
        value = byw_ptx_special(g, operand->name);
        break;
    case BYW_PTX_OP_INTEGER:
        return integer_constant(g, operand->value, type);
    case BYW_PTX_OP_FLOAT:
        value = LLVMConstInt(g->i32, operand->value, 0);
        break;
    case BYW_PTX_OP_DOUBLE:
        return real_constant(g, operand->value, type);
    default:
        break;
    }
    return value == NULL ? NULL : byw_ptx_cast(g, value, type, is_signed);
}

LLVMValueRef byw_ptx_value(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                           struct byw_ptx_type type)
{
    return byw_ptx_value_as(g, operand, byw_ptx_llvm_type(g, type), type.kind == 's');
}

bool byw_ptx_assign(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                    LLVMValueRef value, bool is_signed)
{
    if (operand->kind == BYW_PTX_OP_SINK)
        return true;
    if (!is_register(operand))
        return false;
    value = byw_ptx_cast(g, value, byw_ptx_llvm_type(g, operand->symbol->type), is_signed);
    LLVMBuildStore(g->b, value, register_place(g, operand));
    return true;
}

static LLVMValueRef pure_function(struct byw_ptx_gen *g, const char *name, LLVMTypeRef type)
{
    /* Up to LLVM 15, memory(none) was called readnone. */
    bool old = LLVMGetEnumAttributeKindForName("memory", 6) == 0;
    const char *const attributes[] = {old ? "readnone" : "memory", "nounwind", "willreturn",
                                      "speculatable"};
    LLVMValueRef function = LLVMGetNamedFunction(g->module, name);

    if (function != NULL)
        return function;
    function = LLVMAddFunction(g->module, name, type);
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));

        if (kind != 0)
            LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    LLVMCreateEnumAttribute(g->context, kind, 0));
    }
    return function;
}

LLVMValueRef byw_ptx_marker(struct byw_ptx_gen *g, const char *name, LLVMTypeRef result)
{
    LLVMTypeRef type = LLVMFunctionType(result, NULL, 0, 0);

    return LLVMBuildCall2(g->b, type, pure_function(g, name, type), NULL, 0, "");
}

/* Calls a work-item function of OpenCL C. */
static LLVMValueRef query(struct byw_ptx_gen *g, const char *name, unsigned dimension)
{
    LLVMTypeRef type = LLVMFunctionType(g->i64, &g->i32, 1, 0);
    LLVMValueRef arg = LLVMConstInt(g->i32, dimension, 0);

    return LLVMBuildTrunc(
        g->b, LLVMBuildCall2(g->b, type, pure_function(g, name, type), &arg, 1, ""), g->i32, "");
}

/* Computes %lanemask_lt and its like from the lane number. */
static LLVMValueRef lane_mask(struct byw_ptx_gen *g, const char *which, LLVMValueRef lane)
{
    LLVMValueRef one = LLVMConstInt(g->i32, 1, 0), bit = LLVMBuildShl(g->b, one, lane, "");
    LLVMValueRef below = LLVMBuildSub(g->b, bit, one, "");

    if (strcmp(which, "eq") == 0)
        return bit;
    if (strcmp(which, "lt") == 0)
        return below;
    if (strcmp(which, "le") == 0)
        return LLVMBuildOr(g->b, below, bit, "");
    if (strcmp(which, "ge") == 0)
        return LLVMBuildNot(g->b, below, "");
    return strcmp(which, "gt") == 0 ? LLVMBuildNot(g->b, LLVMBuildOr(g->b, below, bit, ""), "")
                                    : NULL;
}

LLVMValueRef byw_ptx_special(struct byw_ptx_gen *g, const char *name)
{
    static const struct {
        const char *name, *function;
    } vectors[] = {{"%tid.", "_Z12get_local_idj"},
                   {"%ntid.", "_Z14get_local_sizej"},
                   {"%ctaid.", "_Z12get_group_idj"},
                   {"%nctaid.", "_Z14get_num_groupsj"}};
    LLVMValueRef linear;
    size_t length;
    char library[96];

    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
        length = strlen(vectors[i].name);
        if (strncmp(name, vectors[i].name, length) == 0 && name[length] >= 'w' &&
            name[length] <= 'z')
            return query(g, vectors[i].function,
                         name[length] == 'w' ? 3 : (unsigned)(name[length] - 'x'));
    }
    if (strcmp(name, "WARP_SZ") == 0)
        return LLVMConstInt(g->i32, 32, 0);
    linear = byw_ptx_marker(g, "byw_cl_linear", g->i32);
    if (strcmp(name, "%laneid") == 0)
        return LLVMBuildAnd(g->b, linear, LLVMConstInt(g->i32, 31, 0), "");
    if (strcmp(name, "%warpid") == 0)
        return LLVMBuildLShr(g->b, linear, LLVMConstInt(g->i32, 5, 0), "");
    if (strncmp(name, "%lanemask_", 10) == 0)
        return lane_mask(g, name + 10, LLVMBuildAnd(g->b, linear, LLVMConstInt(g->i32, 31, 0), ""));
    snprintf(library, sizeof(library), "ptx_special_%.60s", name + 1);
    for (char *c = library; *c != '\0'; c++)
        *c = *c == '.' ? '_' : *c;
    linear = byw_ptx_library_function(g, library);
    return linear == NULL ? NULL : byw_ptx_call_function(g, linear, NULL, 0);
}

/* A kernel's number depends on its name only, because other parts of the module name it, too. */
static uint64_t number_of_kernel(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return KERNEL_NUMBERS | (hash & (KERNEL_NUMBERS - 1) & ~15ull);
}

uint64_t byw_ptx_function_number(const struct byw_ptx_module *ptx, const struct byw_ptx_function *f)
{
    if (f->entry)
        return number_of_kernel(f->name);
    for (uint32_t i = 0; i < ptx->functions; i++)
        if (ptx->function[i] == f)
            return FUNCTION_NUMBERS + 16ull * i;
    return 0;
}

/* The address of a variable: a pointer in its own address space. */
static LLVMValueRef variable_pointer(struct byw_ptx_gen *g, struct byw_ptx_symbol *v)
{
    char name[8192 + sizeof(BYW_PTX_VARIABLE_PREFIX)];

    switch (v->space) {
    case BYW_PTX_SHARED:
        return v->handle != NULL ? v->handle
                                 : byw_ptx_marker(g, BYW_PTX_DYNAMIC, LLVMPointerType(g->i8, 3));
    case BYW_PTX_GLOBAL:
    case BYW_PTX_CONST:
        snprintf(name, sizeof(name), BYW_PTX_VARIABLE_PREFIX "%s", v->name);
        return byw_ptx_marker(g, name, LLVMPointerType(g->i8, v->space == BYW_PTX_CONST ? 4 : 1));
    default:
        return v->handle != NULL && LLVMGetTypeKind(LLVMTypeOf(v->handle)) == LLVMPointerTypeKind &&
                       LLVMGetPointerAddressSpace(LLVMTypeOf(v->handle)) == 0
                   ? v->handle
                   : NULL;
    }
}

LLVMValueRef byw_ptx_address_of(struct byw_ptx_gen *g, struct byw_ptx_symbol *symbol)
{
    LLVMValueRef pointer;

    if (symbol->kind == BYW_PTX_FUNCTION)
        return LLVMConstInt(g->i64, byw_ptx_function_number(g->ptx, symbol->function), 0);
    pointer = variable_pointer(g, symbol);
    if (pointer == NULL)
        return NULL;
    pointer = LLVMBuildPtrToInt(g->b, pointer, g->i64, "");
    return symbol->space == BYW_PTX_SHARED ? LLVMBuildTrunc(g->b, pointer, g->i32, "") : pointer;
}

enum byw_ptx_space byw_ptx_space_of(const struct byw_ptx_instruction *inst)
{
    static const struct {
        const char *part;
        enum byw_ptx_space space;
    } list[] = {{"global", BYW_PTX_GLOBAL},      {"shared", BYW_PTX_SHARED},
                {"shared::cta", BYW_PTX_SHARED}, {"shared::cluster", BYW_PTX_SHARED},
                {"local", BYW_PTX_LOCAL},        {"const", BYW_PTX_CONST},
                {"param", BYW_PTX_PARAM},        {"param::entry", BYW_PTX_PARAM},
                {"param::func", BYW_PTX_PARAM}};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (byw_ptx_has(inst, list[i].part))
            return list[i].space;
    return BYW_PTX_GENERIC;
}

static LLVMValueRef move(struct byw_ptx_gen *g, LLVMValueRef pointer, int64_t offset)
{
    LLVMValueRef at = LLVMConstInt(g->i64, (uint64_t)offset, 1);

    return offset == 0 ? pointer : LLVMBuildGEP2(g->b, g->i8, pointer, &at, 1, "");
}

/* An address in a register.  Generic addresses are assumed to be global; byw_cu_pointers.c
 * corrects those that are not. */
static LLVMValueRef register_pointer(struct byw_ptx_gen *g, const struct byw_ptx_operand *name,
                                     enum byw_ptx_space space)
{
    static const unsigned spaces[] = {
        [BYW_PTX_GENERIC] = 1, [BYW_PTX_GLOBAL] = 1, [BYW_PTX_CONST] = 4,
        [BYW_PTX_SHARED] = 3,  [BYW_PTX_LOCAL] = 0,  [BYW_PTX_PARAM] = 0};
    struct byw_ptx_operand plain = *name;
    LLVMValueRef value;

    plain.offset = 0;
    value = byw_ptx_value_as(g, &plain, space == BYW_PTX_SHARED ? g->i32 : g->i64, false);
    if (value == NULL)
        return NULL;
    if (space == BYW_PTX_SHARED) {
        byw_ptx_hide(g, true);
        value = LLVMBuildOr(g->b, LLVMBuildZExt(g->b, value, g->i64, ""),
                            LLVMConstInt(g->i64, BYW_CL_SHARED_BASE, 0), "");
        byw_ptx_hide(g, false);
    }
    return move(g,
                LLVMBuildIntToPtr(g->b, value,
                                  LLVMPointerType(g->i8, space == BYW_PTX_CONST && g->opencl
                                                             ? spaces[BYW_PTX_GLOBAL]
                                                             : spaces[space]),
                                  ""),
                name->offset);
}

LLVMValueRef byw_ptx_pointer(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                             enum byw_ptx_space space)
{
    const struct byw_ptx_operand *name = operand->list;
    LLVMValueRef pointer, more;

    if (operand->kind != BYW_PTX_OP_ADDRESS || operand->count != 1)
        return NULL;
    if (name->kind == BYW_PTX_OP_INTEGER)
        return register_pointer(g, name, space);
    if (name->kind != BYW_PTX_OP_NAME || name->symbol->kind != BYW_PTX_VARIABLE)
        return NULL;
    if (name->symbol->space == BYW_PTX_REG)
        return register_pointer(g, name, space);
    pointer = variable_pointer(g, name->symbol);
    if (pointer == NULL)
        return NULL;
    more = index_bytes(g, name, g->i64);
    if (more != NULL)
        pointer = LLVMBuildGEP2(g->b, g->i8, pointer, &more, 1, "");
    return move(g, pointer, name->offset);
}

bool byw_ptx_give(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst, LLVMValueRef value)
{
    return byw_ptx_assign(g, &inst->operand[0], value, byw_ptx_type_at(inst, 0).kind == 's');
}
