/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces C11 atomics that clang compiles to library calls. Up to version 14, clang does so for
 * all of them, because it assumes that nvptx has no lock-free ones.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_transform.h"

#define PREFIX "__opencl_atomic_"

static const LLVMAtomicOrdering order = LLVMAtomicOrderingMonotonic;

/* The operation of fetch_<name>_<bytes>. */
static bool find_operation(const char *name, LLVMAtomicRMWBinOp *op)
{
    static const struct {
        const char *name;
        LLVMAtomicRMWBinOp op;
    } list[] = {{"exchange_", LLVMAtomicRMWBinOpXchg},   {"fetch_add_", LLVMAtomicRMWBinOpAdd},
                {"fetch_sub_", LLVMAtomicRMWBinOpSub},   {"fetch_and_", LLVMAtomicRMWBinOpAnd},
                {"fetch_or_", LLVMAtomicRMWBinOpOr},     {"fetch_xor_", LLVMAtomicRMWBinOpXor},
                {"fetch_min_", LLVMAtomicRMWBinOpMin},   {"fetch_max_", LLVMAtomicRMWBinOpMax},
                {"fetch_umin_", LLVMAtomicRMWBinOpUMin}, {"fetch_umax_", LLVMAtomicRMWBinOpUMax}};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (strncmp(name, list[i].name, strlen(list[i].name)) == 0) {
            *op = list[i].op;
            return true;
        }
    return false;
}

/* bool compare_exchange(p, expected, desired, ...): stores the old value in *expected. */
static LLVMValueRef write_exchange(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef pointer,
                                   LLVMTypeRef type)
{
    LLVMValueRef place = LLVMGetOperand(call, 1), pair, expected;
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(place));

    place = LLVMBuildBitCast(b, place, LLVMPointerType(type, space), "");
    expected = LLVMBuildLoad2(b, type, place, "");
    pair = LLVMBuildAtomicCmpXchg(b, pointer, expected, LLVMGetOperand(call, 2), order, order, 0);
    LLVMBuildStore(b, LLVMBuildExtractValue(b, pair, 0, ""), place);
    return LLVMBuildExtractValue(b, pair, 1, "");
}

bool byw_cl_write_atomic_call(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef call)
{
    const char *name = byw_cl_callee(call), *size;
    LLVMValueRef pointer, result;
    LLVMTypeRef type;
    LLVMAtomicRMWBinOp op;
    unsigned bytes;

    if (name == NULL || strncmp(name, PREFIX, sizeof(PREFIX) - 1) != 0)
        return false;
    size = strrchr(name, '_');
    bytes = (unsigned)strtoul(size + 1, NULL, 10);
    name += sizeof(PREFIX) - 1;
    if (bytes != 4 && bytes != 8)
        return false;
    LLVMPositionBuilderBefore(b, call);
    type = LLVMIntTypeInContext(m->context, 8 * bytes);
    pointer = LLVMGetOperand(call, 0);
    pointer = LLVMBuildBitCast(
        b, pointer, LLVMPointerType(type, LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))), "");
    if (strncmp(name, "load_", 5) == 0) {
        result = LLVMBuildLoad2(b, type, pointer, "");
        LLVMSetOrdering(result, order);
        LLVMSetAlignment(result, bytes);
    } else if (strncmp(name, "store_", 6) == 0) {
        result = LLVMBuildStore(b, LLVMGetOperand(call, 1), pointer);
        LLVMSetOrdering(result, order);
        LLVMSetAlignment(result, bytes);
    } else if (strncmp(name, "compare_exchange_", 17) == 0) {
        result = write_exchange(b, call, pointer, type);
    } else if (find_operation(name, &op)) {
        result = LLVMBuildAtomicRMW(b, op, pointer, LLVMGetOperand(call, 1), order, 0);
    } else {
        return false;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    return true;
}
