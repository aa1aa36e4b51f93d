/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that call recursive functions, once everything is inlined.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_job.h"

static bool is_stack(LLVMValueRef inst)
{
    size_t length;

    return LLVMIsAAllocaInst(inst) != NULL &&
           strncmp(LLVMGetValueName2(inst, &length), BYW_PTX_STACK_PREFIX,
                   strlen(BYW_PTX_STACK_PREFIX)) == 0;
}

/* The number that identifies the functions of a stack. */
static unsigned long number_of(LLVMValueRef stack)
{
    size_t length;

    return strtoul(LLVMGetValueName2(stack, &length) + strlen(BYW_PTX_STACK_PREFIX), NULL, 10);
}

static LLVMValueRef next_stack(LLVMValueRef inst)
{
    while (inst != NULL && !is_stack(inst))
        inst = LLVMGetNextInstruction(inst);
    return inst;
}

static LLVMValueRef first_stack(LLVMValueRef kernel)
{
    return next_stack(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
}

bool byw_cu_recurses(LLVMValueRef kernel)
{
    return first_stack(kernel) != NULL;
}

/* Removes the lifetime markers of a stack, which are wrong once it is shared. */
static void drop_lifetimes(LLVMValueRef stack)
{
    LLVMUseRef next;

    for (LLVMUseRef u = LLVMGetFirstUse(stack); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        const char *name = LLVMIsACallInst(user) != NULL ? byw_cl_callee(user) : NULL;

        next = LLVMGetNextUse(u);
        if (name != NULL && strncmp(name, "llvm.lifetime.", 14) == 0)
            LLVMInstructionEraseFromParent(user);
    }
}

/* Merges the stacks with the same number. Such stacks are never in use together: a recursive
 * function and one that it calls are either in the same cycle or have stacks of different
 * numbers. */
void byw_cu_share_stacks(LLVMValueRef kernel)
{
    for (LLVMValueRef a = first_stack(kernel), next; a; a = next_stack(LLVMGetNextInstruction(a))) {
        drop_lifetimes(a);
        for (LLVMValueRef b = next_stack(LLVMGetNextInstruction(a)); b; b = next) {
            next = next_stack(LLVMGetNextInstruction(b));
            if (number_of(a) != number_of(b))
                continue;
            drop_lifetimes(b);
            LLVMReplaceAllUsesWith(b, a);
            LLVMInstructionEraseFromParent(b);
        }
    }
}
