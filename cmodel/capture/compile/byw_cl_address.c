/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "capture/compile/byw_cl_scan.h"

#define STEPS 64 /* largest number of instructions followed back from an address or index */
#define APART_MOST (1 << 30)

/* Adds scale * index. If an index is as wide as an address, its constant summands are added to the
 * offset. If the index must be extended, they are not, because the narrow sum may wrap. */
static bool add_index(struct byw_cl_address *a, LLVMValueRef index, uint64_t scale)
{
    for (int i = 0; i < STEPS; i++) {
        LLVMValueRef summand;

        if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind)
            return false;
        if (LLVMIsAConstantInt(index) != NULL) {
            if (LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64)
                return false;
            a->offset += scale * (uint64_t)LLVMConstIntGetSExtValue(index);
            return true;
        }
        if (LLVMIsAInstruction(index) == NULL || LLVMGetInstructionOpcode(index) != LLVMAdd ||
            LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64)
            break;
        summand = LLVMGetOperand(index, 1);
        if (LLVMIsAConstantInt(summand) == NULL)
            break;
        a->offset += scale * (uint64_t)LLVMConstIntGetSExtValue(summand);
        index = LLVMGetOperand(index, 0);
    }
    if (a->terms == BYW_CL_TERMS)
        return false;
    a->index[a->terms] = index;
    a->scale[a->terms++] = scale;
    return true;
}

/* Adds the indices of address arithmetic; false: the form is unknown, and *a is undefined. */
static bool add_indices(struct byw_cl_address *a, LLVMValueRef gep, LLVMTargetDataRef layout)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int operands = LLVMGetNumOperands(gep);

    if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind)
        return false;
    for (int i = 1; i < operands; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

            a->offset += LLVMOffsetOfElement(layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
            return false;
        if (i > 1)
            type = LLVMGetElementType(type);
        if (!add_index(a, index, LLVMABISizeOfType(layout, type)))
            return false;
    }
    return true;
}

static LLVMOpcode operation(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value) != NULL)
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) != NULL ? LLVMGetConstOpcode(value) : LLVMRet;
}

void byw_cl_address_read(LLVMValueRef pointer, LLVMTargetDataRef layout,
                         struct byw_cl_address *address)
{
    memset(address, 0, sizeof(*address));
    address->root = pointer;
    for (int i = 0; i < STEPS; i++) {
        LLVMOpcode op = operation(address->root);
        struct byw_cl_address next = *address;

        if (op == LLVMGetElementPtr && !add_indices(&next, address->root, layout))
            return;
        if (op != LLVMGetElementPtr && op != LLVMBitCast)
            return;
        next.root = LLVMGetOperand(address->root, 0);
        *address = next;
    }
}

bool byw_cl_address_apart(const struct byw_cl_address *from, const struct byw_cl_address *to,
                          int32_t *distance)
{
    int64_t apart = (int64_t)(to->offset - from->offset);

    if (from->root != to->root || from->terms != to->terms || apart >= APART_MOST ||
        apart <= -APART_MOST)
        return false;
    for (uint32_t i = 0; i < from->terms; i++)
        if (from->index[i] != to->index[i] || from->scale[i] != to->scale[i])
            return false;
    *distance = (int32_t)apart;
    return true;
}

static LLVMValueRef step_back(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value) != NULL) {
        switch (LLVMGetInstructionOpcode(value)) {
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
        case LLVMIntToPtr:
        case LLVMPtrToInt:
        case LLVMFreeze:
            return LLVMGetOperand(value, 0);
        case LLVMSelect:
            return LLVMGetOperand(value, 1);
        case LLVMPHI:
            return LLVMGetIncomingValue(value, 0);
        default:
            return NULL;
        }
    }
    if (LLVMIsAConstantExpr(value) != NULL && LLVMGetNumOperands(value) > 0)
        return LLVMGetOperand(value, 0);
    return NULL;
}

/* Whether a value is the base address of some memory, not an address computed from another one. A
 * call is such a base only if it stands for a CUDA variable. */
static bool is_based(LLVMValueRef value)
{
    const char *name = LLVMIsACallInst(value) == NULL ? NULL : byw_cl_callee(value);

    if (LLVMIsACallInst(value) != NULL)
        return name != NULL && strncmp(name, "byw_cu_at.", 10) == 0;
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

LLVMValueRef byw_cl_base(LLVMValueRef pointer)
{
    for (int i = 0; i < STEPS; i++) {
        LLVMValueRef next;

        if (LLVMIsAArgument(pointer) != NULL || LLVMIsAGlobalVariable(pointer) != NULL ||
            LLVMIsAAllocaInst(pointer) != NULL || LLVMIsACallInst(pointer) != NULL)
            return is_based(pointer) ? pointer : NULL;
        next = step_back(pointer);
        if (next == NULL)
            return NULL;
        pointer = next;
    }
    return NULL;
}

/* Address space of a pointer. A pointer to private memory may have been cast from another space;
 * that space is returned. A struct passed by value is an argument that points to private memory: on
 * a GPU it is in the parameter (constant) bank. */
unsigned byw_cl_space_of(LLVMValueRef pointer)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    LLVMValueRef base;

    if (space != BYW_CL_SPACE_PRIVATE)
        return space;
    base = byw_cl_base(pointer);
    if (base == NULL || LLVMIsAAllocaInst(base) != NULL)
        return BYW_CL_SPACE_PRIVATE;
    space = LLVMGetPointerAddressSpace(LLVMTypeOf(base));
    if (LLVMIsAArgument(base) != NULL && space == BYW_CL_SPACE_PRIVATE)
        return BYW_CL_SPACE_CONSTANT;
    return space;
}
