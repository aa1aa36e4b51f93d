/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX computes addresses in integer registers. This unit turns them back into pointers, so that
 * the scan sees the base of an access and which accesses are a constant apart.
 *
 * A value is an address if it is a pointer cast to an integer, the sum of an address and anything,
 * or a phi or select of addresses; all other operations stay. Each sum becomes one pointer
 * operation, so that the number of instructions does not change.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_job.h"

struct walker {
    LLVMContextRef context;
    LLVMBuilderRef b;
    LLVMTypeRef byte;
    unsigned space; /* of the accesses being processed */
    struct byw_cl_map *base; /* address -> index in the list of the pointer it is based on */
    struct byw_cl_map *map; /* address -> index in the list: its pointer */
    LLVMValueRef *list;
    uint32_t count, room;
};

static LLVMOpcode operation(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value) != NULL)
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) != NULL ? LLVMGetConstOpcode(value) : LLVMRet;
}

/* Whether an AND or OR only converts an address: a scratchpad offset to a generic one, or back. */
static bool is_window(LLVMValueRef value)
{
    LLVMValueRef other = LLVMGetOperand(value, 1);
    uint64_t constant;

    if (LLVMIsAConstantInt(other) == NULL)
        return false;
    constant = LLVMConstIntGetZExtValue(other);
    return (operation(value) == LLVMOr && constant == BYW_CL_SHARED_BASE) ||
           (operation(value) == LLVMAnd && constant == UINT32_MAX);
}

/* The pointer that a constant address is based on. */
static LLVMValueRef constant_base(LLVMValueRef value)
{
    while (LLVMIsAConstantExpr(value) != NULL && operation(value) != LLVMPtrToInt &&
           LLVMGetNumOperands(value) > 0)
        value = LLVMGetOperand(value, 0);
    return LLVMIsAConstantExpr(value) != NULL ? LLVMGetOperand(value, 0) : NULL;
}

static bool is_shared(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == BYW_CL_SPACE_SHARED;
}

/* The pointer that a value is based on, as far as known; NULL: the value is not an address. */
static LLVMValueRef base_of(const struct walker *w, LLVMValueRef value)
{
    uint32_t known = byw_cl_map_get(w->base, value);
    LLVMValueRef found = known != UINT32_MAX ? w->list[known] : constant_base(value);

    return found != NULL && w->space == BYW_CL_SPACE_SHARED && !is_shared(found) ? NULL : found;
}

static LLVMValueRef base_of_phi(const struct walker *w, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef found = base_of(w, LLVMGetIncomingValue(phi, i));

        if (found != NULL)
            return found;
    }
    return NULL;
}

/* Derives the base of an instruction from its operands. */
static LLVMValueRef find_base(const struct walker *w, LLVMValueRef inst)
{
    LLVMValueRef found = NULL;

    switch (operation(inst)) {
    case LLVMPtrToInt:
        return LLVMGetOperand(inst, 0);
    case LLVMZExt:
    case LLVMTrunc:
        found = base_of(w, LLVMGetOperand(inst, 0));
        return found != NULL && is_shared(found) ? found : NULL;
    case LLVMAnd:
    case LLVMOr:
        found = is_window(inst) ? base_of(w, LLVMGetOperand(inst, 0)) : NULL;
        return found != NULL && is_shared(found) ? found : NULL;
    case LLVMAdd:
        found = base_of(w, LLVMGetOperand(inst, 0));
        return found != NULL ? found : base_of(w, LLVMGetOperand(inst, 1));
    case LLVMSub: /* also a shared address minus an index, since it must not wrap at 32 bits */
        found = base_of(w, LLVMGetOperand(inst, 0));
        return LLVMIsAConstantInt(LLVMGetOperand(inst, 1)) != NULL ||
                       (found != NULL && is_shared(found) &&
                        base_of(w, LLVMGetOperand(inst, 1)) == NULL)
                   ? found
                   : NULL;
    case LLVMSelect:
        found = base_of(w, LLVMGetOperand(inst, 1));
        return found != NULL ? found : base_of(w, LLVMGetOperand(inst, 2));
    case LLVMPHI:
        return base_of_phi(w, inst);
    default:
        return NULL;
    }
}

static void remember(struct walker *w, struct byw_cl_map *map, LLVMValueRef value,
                     LLVMValueRef pointer)
{
    if (w->count == w->room)
        return; /* cannot happen: the table has room for two per instruction */
    byw_cl_map_set(map, value, w->count);
    w->list[w->count++] = pointer;
}

/* Finds the bases of all addresses. */
static void find_bases(struct walker *w, LLVMValueRef function)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb;
             bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
                LLVMValueRef found = NULL;

                if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind &&
                    byw_cl_map_get(w->base, i) == UINT32_MAX)
                    found = find_base(w, i);
                if (found != NULL)
                    remember(w, w->base, i, found);
                changed |= found != NULL;
            }
    }
}

static void build_before(struct walker *w, LLVMValueRef value)
{
    LLVMPositionBuilderBefore(w->b, value);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(value));
}

static LLVMValueRef in_space(struct walker *w, LLVMValueRef pointer, unsigned space)
{
    LLVMTypeRef type = LLVMPointerType(w->byte, space);

    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == space)
        return LLVMBuildBitCast(w->b, pointer, type, "");
    return LLVMBuildAddrSpaceCast(w->b, pointer, type, "");
}

static LLVMValueRef pointer_of(struct walker *w, LLVMValueRef value, unsigned space);

/* Positions the builder at the end of a block, where code for an operand of a phi belongs. */
static void build_at_end(struct walker *w, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderBefore(w->b, LLVMGetBasicBlockTerminator(block));
    LLVMSetCurrentDebugLocation2(w->b,
                                 LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(block)));
}

static LLVMValueRef leaf(struct walker *w, LLVMValueRef value, unsigned space)
{
    LLVMTypeRef word = LLVMInt64TypeInContext(w->context);

    if (LLVMTypeOf(value) != word)
        value = LLVMBuildZExt(w->b, value, word, "");
    if (space == BYW_CL_SPACE_SHARED)
        value = LLVMBuildOr(w->b, value, LLVMConstInt(word, BYW_CL_SHARED_BASE, 0), "");
    return LLVMBuildIntToPtr(w->b, value, LLVMPointerType(w->byte, space), "");
}

static LLVMValueRef phi_pointer(struct walker *w, LLVMValueRef phi, unsigned space)
{
    LLVMValueRef pointer;

    build_before(w, phi);
    pointer = LLVMBuildPhi(w->b, LLVMPointerType(w->byte, space), "");
    remember(w, w->map, phi, pointer);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i), from;

        build_at_end(w, block);
        from = base_of(w, value) != NULL ? pointer_of(w, value, space) : leaf(w, value, space);
        LLVMAddIncoming(pointer, &from, &block, 1);
    }
    return pointer;
}

static LLVMValueRef sum_pointer(struct walker *w, LLVMValueRef sum, unsigned space)
{
    bool first = base_of(w, LLVMGetOperand(sum, 0)) != NULL;
    LLVMValueRef index = LLVMGetOperand(sum, first ? 1 : 0), from;

    build_before(w, sum);
    from = pointer_of(w, LLVMGetOperand(sum, first ? 0 : 1), space);
    build_before(w, sum);
    if (operation(sum) == LLVMSub)
        index = LLVMBuildNeg(w->b, index, "");
    return LLVMBuildGEP2(w->b, LLVMInt8TypeInContext(w->context), from, &index, 1, "");
}

/* The pointer for an address whose base_of() is not NULL. */
static LLVMValueRef pointer_of(struct walker *w, LLVMValueRef value, unsigned space)
{
    uint32_t known = byw_cl_map_get(w->map, value);
    LLVMValueRef a, b, result;

    if (known != UINT32_MAX)
        return w->list[known];
    if (LLVMIsAInstruction(value) == NULL) /* a constant is built where the builder is */
        return operation(value) == LLVMPtrToInt ? in_space(w, LLVMGetOperand(value, 0), space)
                                                : leaf(w, value, space);
    switch (operation(value)) {
    case LLVMPHI:
        return phi_pointer(w, value, space);
    case LLVMAdd:
    case LLVMSub:
        result = sum_pointer(w, value, space);
        break;
    case LLVMSelect:
        a = LLVMGetOperand(value, 1);
        b = LLVMGetOperand(value, 2);
        build_before(w, value);
        a = base_of(w, a) != NULL ? pointer_of(w, a, space) : leaf(w, a, space);
        build_before(w, value);
        b = base_of(w, b) != NULL ? pointer_of(w, b, space) : leaf(w, b, space);
        build_before(w, value);
        result = LLVMBuildSelect(w->b, LLVMGetOperand(value, 0), a, b, "");
        break;
    case LLVMPtrToInt:
        build_before(w, value);
        result = in_space(w, LLVMGetOperand(value, 0), space);
        break;
    default: /* extensions, truncations, masks */
        build_before(w, value);
        result = pointer_of(w, LLVMGetOperand(value, 0), space);
        break;
    }
    remember(w, w->map, value, result);
    return result;
}

/* The space of an access through a generic address, derived from the memory it is based on. */
static unsigned generic_space(LLVMValueRef base, unsigned space)
{
    LLVMValueRef memory = byw_cl_base(base);

    if (memory == NULL)
        return space;
    if (LLVMIsAAllocaInst(memory) != NULL)
        return BYW_CL_SPACE_PRIVATE;
    return LLVMGetPointerAddressSpace(LLVMTypeOf(memory));
}

static void rewrite(struct walker *w, LLVMValueRef cast)
{
    LLVMValueRef value = LLVMGetOperand(cast, 0), base = base_of(w, value), pointer;
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(cast)), own;

    if (base == NULL)
        return;
    own = space == BYW_CL_SPACE_GLOBAL ? generic_space(base, space) : space;
    build_before(w, cast);
    pointer = pointer_of(w, value, own);
    build_before(w, cast);
    if (own == space)
        LLVMReplaceAllUsesWith(cast, LLVMBuildBitCast(w->b, pointer, LLVMTypeOf(cast), ""));
    else
        LLVMReplaceAllUsesWith(cast, LLVMBuildAddrSpaceCast(w->b, pointer, LLVMTypeOf(cast), ""));
}

static void rewrite_space(struct walker *w, LLVMValueRef function, LLVMValueRef *cast,
                          uint32_t instructions)
{
    uint32_t casts = 0;

    w->base = byw_cl_map_create(instructions + 1u);
    w->map = byw_cl_map_create(instructions + 1u);
    w->count = 0;
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb;
         bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
            if (operation(i) == LLVMIntToPtr &&
                LLVMGetPointerAddressSpace(LLVMTypeOf(i)) == w->space)
                cast[casts++] = i;
    if (w->base != NULL && w->map != NULL && casts != 0) {
        find_bases(w, function);
        for (uint32_t i = 0; i < casts; i++)
            rewrite(w, cast[i]);
    }
    byw_cl_map_free(w->base);
    byw_cl_map_free(w->map);
}

void byw_cu_pointers(LLVMModuleRef module, LLVMValueRef function)
{
    static const unsigned spaces[] = {BYW_CL_SPACE_GLOBAL, BYW_CL_SPACE_SHARED,
                                      BYW_CL_SPACE_PRIVATE, BYW_CL_SPACE_CONSTANT};
    struct walker w = {.context = LLVMGetModuleContext(module)};

    w.b = LLVMCreateBuilderInContext(w.context);
    w.byte = LLVMInt8TypeInContext(w.context);
    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
        uint32_t instructions = 0;
        LLVMValueRef *cast;

        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb;
             bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef k = LLVMGetFirstInstruction(bb); k; k = LLVMGetNextInstruction(k))
                instructions++;
        w.space = spaces[i];
        w.room = 2 * instructions;
        w.list = calloc(w.room + 1u, sizeof(LLVMValueRef));
        cast = calloc(instructions + 1u, sizeof(*cast));
        if (w.list != NULL && cast != NULL)
            rewrite_space(&w, function, cast, instructions);
        free(cast);
        free(w.list);
    }
    LLVMDisposeBuilder(w.b);
}
