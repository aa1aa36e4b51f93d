/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's call of printf becomes a call of the host (byw_cl_print.h), which gets the arguments
 * as words.
 */
#include "capture/compile/byw_cl_transform.h"

/* One scalar as a word. */
static LLVMValueRef to_word(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef value)
{
    LLVMTypeRef real = LLVMDoubleTypeInContext(m->context);

    switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
        value = LLVMBuildFPExt(b, value, real, "");
        return LLVMBuildBitCast(b, value, m->word, "");
    case LLVMDoubleTypeKind:
        return LLVMBuildBitCast(b, value, m->word, "");
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(b, value, m->word, "");
    default:
        return LLVMBuildIntCast2(b, value, m->word, 0, "");
    }
}

static void add_word(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef array, unsigned *count,
                     LLVMValueRef value)
{
    LLVMValueRef index = LLVMConstInt(m->word, (*count)++, 0);
    LLVMValueRef word = to_word(m, b, value);

    LLVMBuildStore(b, word, LLVMBuildInBoundsGEP2(b, m->word, array, &index, 1, ""));
}

static unsigned elements_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
}

void byw_cl_lower_printf(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef call)
{
    LLVMTypeRef number = LLVMInt32TypeInContext(m->context);
    LLVMTypeRef params[2] = {m->word, LLVMPointerType(m->word, 0)}, type;
    LLVMValueRef args[2], array, function;
    unsigned arguments = LLVMGetNumArgOperands(call), count = 0;

    for (unsigned i = 1; i < arguments; i++)
        count += elements_of(LLVMGetOperand(call, i)) + 1;
    /* Allocated in the entry block, so that a call in a loop takes the space only once. */
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(
                                     LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)))));
    array = LLVMBuildArrayAlloca(b, m->word, LLVMConstInt(m->word, count + 1, 0), "");
    LLVMPositionBuilderBefore(b, call);
    count = 0;
    for (unsigned i = 1; i < arguments; i++) {
        LLVMValueRef value = LLVMGetOperand(call, i);
        unsigned elements = elements_of(value);

        if (elements == 0)
            add_word(m, b, array, &count, value);
        for (unsigned k = 0; k < elements; k++)
            add_word(m, b, array, &count,
                     LLVMBuildExtractElement(b, value, LLVMConstInt(m->word, k, 0), ""));
    }
    type = LLVMFunctionType(number, params, 2, 0);
    function =
        LLVMBuildIntToPtr(b, byw_cl_record_load(m, b, BYW_CL_PRINT), LLVMPointerType(type, 0), "");
    args[0] = LLVMBuildPtrToInt(b, LLVMGetOperand(call, 0), m->word, "");
    args[1] = array;
    LLVMReplaceAllUsesWith(call, LLVMBuildCall2(b, type, function, args, 2, ""));
    LLVMInstructionEraseFromParent(call);
}
