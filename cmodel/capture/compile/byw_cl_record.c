/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_record.c - Code that reads and writes the work-item record, and calls the runtime.
 */
#include "capture/compile/byw_cl_transform.h"

static LLVMValueRef word_at(struct byw_cl_module *m, LLVMBuilderRef b, unsigned index)
{
    LLVMValueRef at[2] = {LLVMConstInt(m->word, 0, 0), LLVMConstInt(m->word, index, 0)};

    return LLVMBuildInBoundsGEP2(b, m->item, m->record, at, 2, "");
}

LLVMValueRef byw_cl_record_load(struct byw_cl_module *m, LLVMBuilderRef b, unsigned index)
{
    return LLVMBuildLoad2(b, m->word, word_at(m, b, index), "");
}

void byw_cl_record_store(struct byw_cl_module *m, LLVMBuilderRef b, unsigned index,
                         LLVMValueRef value)
{
    LLVMBuildStore(b, value, word_at(m, b, index));
}

/* Calls the runtime: function pointer and first argument are words of the record. */
LLVMValueRef byw_cl_call_runtime(struct byw_cl_module *m, LLVMBuilderRef b, unsigned function_word,
                                 LLVMValueRef part)
{
    LLVMTypeRef byte = LLVMPointerType(LLVMInt8TypeInContext(m->context), 0);
    LLVMTypeRef params[2] = {byte, m->word};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), params, 2, 0);
    LLVMValueRef function = byw_cl_record_load(m, b, function_word);
    LLVMValueRef args[2] = {byw_cl_record_load(m, b, BYW_CL_BARRIER_ARG), part};

    function = LLVMBuildIntToPtr(b, function, LLVMPointerType(type, 0), "");
    args[0] = LLVMBuildIntToPtr(b, args[0], byte, "");
    return LLVMBuildCall2(b, type, function, args, 2, "");
}
