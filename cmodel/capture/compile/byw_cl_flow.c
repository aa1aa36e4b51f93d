/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses to scratchpad as bits that flow from block to block until a barrier.
 */
#include <string.h>

#include "capture/compile/byw_cl_scan.h"

LLVMValueRef byw_cl_scratchpad_access(LLVMValueRef inst, LLVMTargetDataRef layout, int64_t *bytes)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    LLVMValueRef pointer;

    if (op != LLVMLoad && op != LLVMStore)
        return NULL;
    pointer = LLVMGetOperand(inst, op == LLVMStore);
    if (byw_cl_space_of(pointer) != BYW_CL_SPACE_SHARED)
        return NULL;
    *bytes = (int64_t)LLVMStoreSizeOfType(
        layout, LLVMTypeOf(op == LLVMStore ? LLVMGetOperand(inst, 0) : inst));
    return pointer;
}

bool byw_cl_is_ordering(LLVMValueRef inst)
{
    const char *name = LLVMIsACallInst(inst) != NULL ? byw_cl_callee(inst) : NULL;

    return name != NULL && (byw_cl_is_barrier(inst) || strcmp(name, BYW_CL_GIVE_UP_CALL) == 0);
}

bool byw_cl_flow_on(LLVMBasicBlockRef block, const struct byw_cl_map *number, const uint64_t *live,
                    uint64_t *in, size_t words)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool changed = false;

    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        uint64_t *to = in + byw_cl_map_get(number, LLVMGetSuccessor(end, k)) * words;

        for (size_t w = 0; w < words; w++) {
            changed |= (live[w] & ~to[w]) != 0;
            to[w] |= live[w];
        }
    }
    return changed;
}

void byw_cl_find_before(LLVMValueRef function, const struct byw_cl_map *number, bool forward,
                        LLVMBasicBlockRef *before)
{
    /* The second pass drops the blocks that have several predecessors. */
    for (int again = 0; again < 2; again++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
             b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

            for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
                uint32_t to = byw_cl_map_get(number, LLVMGetSuccessor(end, k));

                if (forward && to <= byw_cl_map_get(number, b))
                    continue;
                before[to] = again == 0 || before[to] == b ? b : NULL;
            }
        }
}
