/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations that can be moved or repeated without changing their result.
 */
#include "capture/compile/byw_cl_loops.h"

/* Whether an operation can be repeated at any place where its operands are available. */
bool byw_cl_is_pure(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMSelect:
        return true;
    default:
        return false;
    }
}

/* Whether an operation depends only on its operands and cannot fault. */
bool byw_cl_can_move(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
    case LLVMFCmp:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
        return true;
    default:
        return byw_cl_is_pure(inst);
    }
}
