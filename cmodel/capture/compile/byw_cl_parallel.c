/* SPDX-License-Identifier: Apache-2.0
 *
 * Metadata that lets the host compiler vectorize a loop over work-items.
 */
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#include "capture/compile/byw_cl_loops.h"

/* A group of accesses: a distinct empty node. LLVM's C interface can create one only by parsing
 * text. */
LLVMValueRef byw_cl_access_group(struct byw_cl_module *m)
{
    static const char text[] = "!group = !{!0}\n!0 = distinct !{}\n";
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, sizeof(text) - 1, "group");
    LLVMModuleRef module = NULL;
    LLVMValueRef group = NULL;
    char *message = NULL;

    if (LLVMParseIRInContext(m->context, buffer, &module, &message)) {
        LLVMDisposeMessage(message);
        return NULL;
    }
    LLVMGetNamedMetadataOperands(module, "group", &group);
    LLVMDisposeModule(module);
    return group;
}

/* Adds metadata !llvm.loop to the branch that closes the loop along x: the accesses of its
 * iterations do not depend on each other. */
void byw_cl_mark_loop(struct byw_cl_module *m, LLVMValueRef group, LLVMValueRef branch)
{
    LLVMContextRef c = m->context;
    const char *name = "llvm.loop.parallel_accesses";
    LLVMMetadataRef own[2], about[2], loop, before;

    before = LLVMTemporaryMDNode(c, NULL, 0);
    about[0] = LLVMMDStringInContext2(c, name, strlen(name));
    about[1] = LLVMValueAsMetadata(group);
    own[0] = before;
    own[1] = LLVMMDNodeInContext2(c, about, 2);
    loop = LLVMMDNodeInContext2(c, own, 2);
    LLVMMetadataReplaceAllUsesWith(before, loop);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9),
                    LLVMMetadataAsValue(c, loop));
}

/* Marks the accesses of a region as those of one work-item's iteration. */
void byw_cl_mark_accesses(struct byw_cl_module *m, LLVMValueRef group, LLVMBasicBlockRef block)
{
    unsigned kind = LLVMGetMDKindIDInContext(m->context, "llvm.access.group", 17);

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        LLVMValueRef pointer = op == LLVMLoad    ? LLVMGetOperand(i, 0)
                               : op == LLVMStore ? LLVMGetOperand(i, 1)
                                                 : NULL;

        if (pointer != NULL && LLVMIsAAllocaInst(pointer) == NULL)
            LLVMSetMetadata(i, kind, group);
    }
}
