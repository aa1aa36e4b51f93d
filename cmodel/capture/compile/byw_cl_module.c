/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_module.c - Loads and releases a module of LLVM IR.
 */
#include <llvm-c/BitReader.h>
#include <stdlib.h>

#include "capture/compile/byw_cl_transform.h"

enum byw_status byw_cl_load_module(struct byw_cl_module *m, const char *input,
                                   struct byw_diag *diag)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;

    if (LLVMCreateMemoryBufferWithContentsOfFile(input, &buffer, &message)) {
        enum byw_status status = byw_diag_set(diag, BYW_EIO, "%s: %s", input, message);
        LLVMDisposeMessage(message);
        return status;
    }
    if (LLVMParseBitcodeInContext2(m->context, buffer, &m->module)) {
        LLVMDisposeMemoryBuffer(buffer);
        return byw_diag_set(diag, BYW_EFORMAT, "%s: not LLVM bitcode of this version", input);
    }
    LLVMDisposeMemoryBuffer(buffer);
    return BYW_OK;
}

void byw_cl_make_private(struct byw_cl_module *m)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetInitializer(g) != NULL && LLVMGetLinkage(g) != LLVMAppendingLinkage)
            LLVMSetLinkage(g, LLVMInternalLinkage);
}

void byw_cl_module_release(struct byw_cl_module *m)
{
    for (uint32_t k = 0; k < m->units; k++) {
        byw_cl_scan_release(&m->unit[k].scan);
        free(m->unit[k].arg);
        free(m->unit[k].blob);
    }
    free(m->unit);
    free(m->variable);
    if (m->module != NULL)
        LLVMDisposeModule(m->module);
    if (m->context != NULL)
        LLVMContextDispose(m->context);
}
