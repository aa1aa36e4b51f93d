/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, stores, atomics, conversions of addresses.
 */
#include <stdio.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"
#include "capture/run/byw_cl_code.h"

#define HOST_BASE (1ull << 46) /* where the host places memory by itself */

#define ELEMENTS_MOST 8u

/* Element type and number of elements of an access. */
static LLVMTypeRef access_type(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                               uint32_t *elements, struct byw_ptx_type *type)
{
    static const struct {
        const char *part;
        uint32_t count;
    } vectors[] = {{"v2", 2}, {"v4", 4}, {"v8", 8}};
    LLVMTypeRef element;

    *type = byw_ptx_type_at(inst, 0);
    *elements = 1;
    if (type->kind == 0 || type->kind == 'p')
        return NULL;
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
        if (byw_ptx_has(inst, vectors[i].part))
            *elements = vectors[i].count;
    element = byw_ptx_llvm_type(g, *type);
    return *elements == 1 ? element : LLVMVectorType(element, *elements);
}

/* The operand of an access; it may be a list of one element. */
static const struct byw_ptx_operand *accessed(const struct byw_ptx_operand *operand)
{
    return operand->kind == BYW_PTX_OP_LIST && operand->count == 1 ? operand->list : operand;
}

static LLVMValueRef typed(struct byw_ptx_gen *g, LLVMValueRef pointer, LLVMTypeRef type)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

    return LLVMBuildBitCast(g->b, pointer, LLVMPointerType(type, space), "");
}

/* Attaches the hints of an opcode to an access, as metadata. */
static void mark(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst, LLVMValueRef access)
{
    static const struct {
        const char *part, *name;
    } hints[] = {{"cs", "nontemporal"},
                 {"lu", "nontemporal"},
                 {"L1::evict_first", "nontemporal"},
                 {"cg", BYW_CL_MARK_CG},
                 {"cv", BYW_CL_MARK_CG},
                 {"L1::no_allocate", BYW_CL_MARK_NO_ALLOCATE},
                 {"const", BYW_CL_MARK_CONSTANT}};
    LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(g->i32, 1, 0));

    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
        if (byw_ptx_has(inst, hints[i].part))
            LLVMSetMetadata(
                access,
                LLVMGetMDKindIDInContext(g->context, hints[i].name,
                                         (unsigned)strlen(hints[i].name)),
                LLVMMetadataAsValue(g->context, LLVMMDNodeInContext2(g->context, &one, 1)));
}

/* Gives an access the caching hints and the ordering of its opcode. */
static void qualify(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                    LLVMValueRef access, uint32_t elements)
{
    static const char *const orders[] = {"relaxed", "acquire", "release", "mmio"};

    if (byw_ptx_has(inst, "volatile"))
        LLVMSetVolatile(access, 1);
    mark(g, inst, access);
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        if (byw_ptx_has(inst, orders[i]) && elements == 1)
            LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
        else if (byw_ptx_has(inst, orders[i]))
            LLVMSetVolatile(access, 1);
}

/* A kernel parameter that is an IR value, from a byte offset on; NULL: the parameter is in memory.
 */
static LLVMValueRef param_value(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand)
{
    const struct byw_ptx_operand *name = operand->list;
    LLVMValueRef value;
    LLVMTypeRef type;
    const struct byw_ptx_symbol *s;

    if (!g->function->entry || operand->count != 1 || name->kind != BYW_PTX_OP_NAME)
        return NULL;
    s = name->symbol;
    if (s->space != BYW_PTX_PARAM || s->array || s->vector != 1 || s->handle == NULL ||
        LLVMIsAArgument(s->handle) == NULL)
        return NULL;
    value = s->handle;
    type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        value = LLVMBuildPtrToInt(g->b, value, g->i64, "");
    if (name->offset == 0)
        return value;
    value = byw_ptx_cast(g, value, LLVMIntTypeInContext(g->context, s->type.bits), false);
    return LLVMBuildLShr(g->b, value,
                         LLVMConstInt(LLVMTypeOf(value), 8 * (uint64_t)name->offset, 0), "");
}

bool byw_ptx_rule_load(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    enum byw_ptx_space space = byw_ptx_space_of(inst);
    struct byw_ptx_type type;
    uint32_t elements;
    LLVMTypeRef access = access_type(g, inst, &elements, &type);
    const struct byw_ptx_operand *to = accessed(&inst->operand[0]);
    LLVMValueRef pointer, value;

    if (access == NULL || inst->operands < 2 || inst->operand[1].kind != BYW_PTX_OP_ADDRESS)
        return false;
    value = space == BYW_PTX_PARAM ? param_value(g, &inst->operand[1]) : NULL;
    if (value != NULL && elements == 1)
        return byw_ptx_assign(g, to, byw_ptx_cast(g, value, access, false), type.kind == 's');
    pointer = byw_ptx_pointer(g, &inst->operand[1], space);
    if (pointer == NULL ||
        (elements != 1 && (to->kind != BYW_PTX_OP_LIST || to->count != elements)))
        return false;
    value = LLVMBuildLoad2(g->b, access, typed(g, pointer, access), "");
    LLVMSetAlignment(value, elements * type.bits / 8u);
    qualify(g, inst, value, elements);
    if (elements == 1)
        return byw_ptx_assign(g, to, value, type.kind == 's');
    for (uint32_t i = 0; i < elements; i++)
        if (!byw_ptx_assign(g, &to->list[i],
                            LLVMBuildExtractElement(g->b, value, LLVMConstInt(g->i32, i, 0), ""),
                            type.kind == 's'))
            return false;
    return true;
}

/* The value that a store writes; NULL if its operand has none. */
static LLVMValueRef stored(struct byw_ptx_gen *g, const struct byw_ptx_operand *from,
                           LLVMTypeRef access, uint32_t elements, struct byw_ptx_type type)
{
    LLVMValueRef value;

    if (elements == 1)
        return byw_ptx_value(g, from, type);
    if (from->kind != BYW_PTX_OP_LIST || from->count != elements)
        return NULL;
    value = LLVMGetUndef(access);
    for (uint32_t i = 0; i < elements; i++) {
        LLVMValueRef one = byw_ptx_value(g, &from->list[i], type);

        if (one == NULL)
            return NULL;
        value = LLVMBuildInsertElement(g->b, value, one, LLVMConstInt(g->i32, i, 0), "");
    }
    return value;
}

bool byw_ptx_rule_store(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct byw_ptx_type type;
    uint32_t elements;
    LLVMTypeRef access = access_type(g, inst, &elements, &type);
    LLVMValueRef pointer, value, store;

    if (access == NULL || inst->operands < (byw_ptx_has(inst, "async") ? 3 : 2) ||
        inst->operand[0].kind != BYW_PTX_OP_ADDRESS)
        return false;
    pointer = byw_ptx_pointer(g, &inst->operand[0], byw_ptx_space_of(inst));
    value = stored(g, accessed(&inst->operand[1]), access, elements, type);
    if (pointer == NULL || value == NULL)
        return false;
    store = LLVMBuildStore(g->b, value, typed(g, pointer, access));
    LLVMSetAlignment(store, elements * type.bits / 8u);
    qualify(g, inst, store, elements);
    return !byw_ptx_has(inst, "async") ||
           byw_ptx_deliver(g, &inst->operand[2], elements * type.bits / 8u);
}

static bool find_operation(const struct byw_ptx_instruction *inst, struct byw_ptx_type type,
                           LLVMAtomicRMWBinOp *op)
{
    static const struct {
        const char *name;
        LLVMAtomicRMWBinOp plain, is_signed;
        bool real;
    } list[] = {
        {"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, false},
        {"exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, false},
        {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd, false},
        {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr, false},
        {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor, false},
        {"min", LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin, false},
        {"max", LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax, false},
        {"add", LLVMAtomicRMWBinOpFAdd, LLVMAtomicRMWBinOpFAdd, true},
    };
    bool real = type.kind == 'f' || type.kind == 'g';

    if (type.lanes != 1 || (real && type.bits < 32))
        return false;
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (list[i].real == real && byw_ptx_has(inst, list[i].name)) {
            *op = type.kind == 's' ? list[i].is_signed : list[i].plain;
            return true;
        }
    return false;
}

/* Atomics that the IR lacks: the old value is read (not counted as an access), the library
 * computes the new value, and a compare-and-swap represents the atomic. */
static LLVMValueRef swap(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                         LLVMValueRef pointer, LLVMTypeRef type, const struct byw_ptx_operand *from)
{
    static const char *const ops[] = {"add", "inc", "dec", "min", "max"};
    LLVMTypeRef word = LLVMIntTypeInContext(g->context, byw_ptx_bits(type));
    const char *name = byw_ptx_type_name(inst), *op = NULL;
    LLVMValueRef function, args[2], old, value;
    char library[64];

    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
        op = byw_ptx_has(inst, ops[i]) ? ops[i] : op;
    snprintf(library, sizeof(library), BYW_PTX_LIBRARY_PREFIX "atom_%s_%.20s", op ? op : "", name);
    function = byw_ptx_library_function(g, library);
    value = byw_ptx_value_as(g, from, type, false);
    if (function == NULL || value == NULL)
        return NULL;
    byw_ptx_hide(g, true);
    old = LLVMBuildAddrSpaceCast(g->b, pointer, LLVMPointerType(word, 0), "");
    old = LLVMBuildLoad2(g->b, word, old, "");
    args[0] = byw_ptx_cast(g, old, type, false);
    args[1] = value;
    value = byw_ptx_cast(g, byw_ptx_call_function(g, function, args, 2), word, false);
    byw_ptx_hide(g, false);
    LLVMBuildAtomicCmpXchg(g->b, typed(g, pointer, word), old, value, LLVMAtomicOrderingMonotonic,
                           LLVMAtomicOrderingMonotonic, 0);
    return old;
}

static LLVMValueRef compare_and_swap(struct byw_ptx_gen *g, const struct byw_ptx_operand *from,
                                     LLVMValueRef pointer, LLVMTypeRef type)
{
    LLVMTypeRef word = LLVMIntTypeInContext(g->context, byw_ptx_bits(type));
    LLVMValueRef expected = byw_ptx_value_as(g, &from[0], word, false);
    LLVMValueRef desired = byw_ptx_value_as(g, &from[1], word, false), pair;

    if (expected == NULL || desired == NULL)
        return NULL;
    pair = LLVMBuildAtomicCmpXchg(g->b, typed(g, pointer, word), expected, desired,
                                  LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, 0);
    return LLVMBuildExtractValue(g->b, pair, 0, "");
}

/* One atomic operation; `from`: its operands after the address.  NULL: unknown form. */
static LLVMValueRef atomic(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                           struct byw_ptx_type type, LLVMValueRef pointer,
                           const struct byw_ptx_operand *from, uint32_t operands)
{
    LLVMTypeRef value_type = byw_ptx_llvm_type(g, type);
    LLVMAtomicRMWBinOp op;
    LLVMValueRef value;

    if (byw_ptx_has(inst, "cas"))
        return operands < 2 ? NULL : compare_and_swap(g, from, pointer, value_type);
    if (!find_operation(inst, type, &op))
        return swap(g, inst, pointer, value_type, from);
    value = byw_ptx_value(g, from, type);
    return value == NULL ? NULL
                         : LLVMBuildAtomicRMW(g->b, op, typed(g, pointer, value_type), value,
                                              LLVMAtomicOrderingMonotonic, 0);
}

/* Atomics of vectors: one operation for each element; a vector is not atomic as a whole. */
static bool atomics(struct byw_ptx_gen *g, const struct byw_ptx_operand *to,
                    const struct byw_ptx_instruction *inst, struct byw_ptx_type type,
                    LLVMValueRef pointer, const struct byw_ptx_operand *from)
{
    if (from->kind != BYW_PTX_OP_LIST || (to != NULL && to->count != from->count))
        return false;
    for (uint32_t i = 0; i < from->count; i++) {
        LLVMValueRef at = LLVMConstInt(g->i64, i * type.bits / 8u, 0), value;

        byw_ptx_hide(g, true);
        at = LLVMBuildGEP2(g->b, g->i8, pointer, &at, 1, "");
        byw_ptx_hide(g, false);
        value = atomic(g, inst, type, at, &from->list[i], 1);
        if (value == NULL ||
            (to != NULL && !byw_ptx_assign(g, &to->list[i], value, type.kind == 's')))
            return false;
    }
    return true;
}

bool byw_ptx_rule_atomic(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    bool returns = strcmp(inst->part[0], "atom") == 0, async = byw_ptx_has(inst, "async");
    struct byw_ptx_type type = byw_ptx_type_at(inst, 0);
    const struct byw_ptx_operand *address = &inst->operand[returns ? 1 : 0], *from = address + 1;
    const struct byw_ptx_operand *to = returns ? &inst->operand[0] : NULL;
    LLVMValueRef pointer, value;

    if (type.kind == 0 || inst->operands < (returns || async ? 3u : 2u))
        return false;
    pointer = byw_ptx_pointer(g, address, byw_ptx_space_of(inst));
    if (pointer == NULL)
        return false;
    if (from->kind == BYW_PTX_OP_LIST)
        return atomics(g, to, inst, type, pointer, from);
    value = atomic(g, inst, type, pointer, from, inst->operands - (returns ? 2 : 1));
    if (value == NULL || (async && !byw_ptx_deliver(g, &inst->operand[2], type.bits / 8u)))
        return false;
    return to == NULL || byw_ptx_assign(g, to, value, type.kind == 's');
}

bool byw_ptx_rule_cvta(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    LLVMValueRef value;

    if (inst->operands != 2)
        return false;
    value = byw_ptx_value_as(g, &inst->operand[1], g->i64, false);
    if (value == NULL)
        return false;
    if (byw_ptx_space_of(inst) == BYW_PTX_SHARED) {
        byw_ptx_hide(g, true);
        value = byw_ptx_has(inst, "to")
                    ? LLVMBuildAnd(g->b, value, LLVMConstInt(g->i64, UINT32_MAX, 0), "")
                    : LLVMBuildOr(g->b, value, LLVMConstInt(g->i64, BYW_CL_SHARED_BASE, 0), "");
        byw_ptx_hide(g, false);
    }
    return byw_ptx_assign(g, &inst->operand[0], value, false);
}

bool byw_ptx_rule_isspacep(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    enum byw_ptx_space space = byw_ptx_space_of(inst);
    LLVMValueRef address, shared;
    unsigned shift;

    if (inst->operands != 2 || space == BYW_PTX_GENERIC)
        return false;
    address = byw_ptx_value_as(g, &inst->operand[1], g->i64, false);
    if (address == NULL)
        return false;
    if (space == BYW_PTX_CONST) /* constants are in global memory */
        return byw_ptx_assign(g, &inst->operand[0], LLVMConstInt(g->i1, 0, 0), false);
    if (space == BYW_PTX_LOCAL) /* private arrays are above all buffers */
        return byw_ptx_assign(
            g, &inst->operand[0],
            LLVMBuildICmp(g->b, LLVMIntUGE, address, LLVMConstInt(g->i64, HOST_BASE, 0), ""),
            false);
    /* The windows of a cluster are shared memory, too, but that of other blocks. */
    shift =
        space != BYW_PTX_SHARED || byw_ptx_has(inst, "shared::cluster") ? 32 : BYW_CL_WINDOW_SHIFT;
    address = LLVMBuildLShr(g->b, address, LLVMConstInt(g->i64, shift, 0), "");
    shared = LLVMConstInt(g->i64, BYW_CL_SHARED_BASE >> shift, 0);
    return byw_ptx_assign(
        g, &inst->operand[0],
        LLVMBuildICmp(g->b, space == BYW_PTX_SHARED ? LLVMIntEQ : LLVMIntNE, address, shared, ""),
        false);
}

/* Emits nothing for an instruction that changes no value. */
bool byw_ptx_rule_prefetch(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    (void)g;
    (void)inst;
    return true;
}
