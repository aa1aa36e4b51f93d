/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "capture/compile/byw_cl_scan.h"
#include "capture/run/byw_cl_code.h"
#include "trace/byw_inst.h"

const char *byw_cl_callee(LLVMValueRef call)
{
    LLVMValueRef function = LLVMGetCalledValue(call);
    size_t length;

    if (function == NULL || LLVMIsAFunction(function) == NULL)
        return NULL;
    return LLVMGetValueName2(function, &length);
}

bool byw_cl_is_barrier(LLVMValueRef call)
{
    const char *name = byw_cl_callee(call);

    return name != NULL && (strncmp(name, "_Z7barrierj", 11) == 0 ||
                            strncmp(name, "_Z18work_group_barrierj", 23) == 0 ||
                            strcmp(name, "llvm.nvvm.barrier0") == 0);
}

static bool starts(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Scalar type and number of elements of a value's type. */
static LLVMTypeRef scalar(LLVMTypeRef type, uint32_t *elements)
{
    *elements = 1;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        *elements = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    return type;
}

static uint8_t float_class(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? BYW_CLASS_DP : BYW_CLASS_FP;
}

/* Intrinsics the special function unit computes in single precision. */
static bool is_sfu(const char *name)
{
    static const char *const list[] = {"llvm.sqrt.", "llvm.sin.",  "llvm.cos.",  "llvm.exp.",
                                       "llvm.exp2.", "llvm.log.",  "llvm.log2.", "llvm.log10.",
                                       "llvm.pow.",  "llvm.powi.", "llvm.tan.",  "llvm.exp10.",
                                       "ptx_ex2",    "ptx_lg2",    "ptx_sin",    "ptx_cos",
                                       "ptx_rsqrt",  "ptx_rcp",    "ptx_tanh",   "ptx_sqrt"};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (starts(name, list[i]))
            return true;
    return false;
}

static bool is_marker(const char *name)
{
    static const char *const list[] = {
        "llvm.lifetime.",       "llvm.dbg.",        "llvm.assume",   "llvm.experimental.noalias",
        "llvm.invariant.",      "llvm.fake.use",    "_Z9mem_fencej", "_Z14read_mem_fencej",
        "_Z15write_mem_fencej", "llvm.nvvm.membar", "byw_cu_at.",    BYW_CL_MARK_CALL};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (starts(name, list[i]))
            return true;
    return false;
}

static uint32_t classify_call(LLVMValueRef inst, uint8_t *cls)
{
    const char *name = byw_cl_callee(inst);
    uint32_t elements;
    LLVMTypeRef type = scalar(LLVMTypeOf(inst), &elements);
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    *cls = BYW_CLASS_INT;
    if (name == NULL)
        return 1;
    if (is_marker(name))
        return 0;
    if (kind == LLVMDoubleTypeKind)
        *cls = BYW_CLASS_DP;
    else if (kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind)
        *cls = is_sfu(name) ? BYW_CLASS_SFU : BYW_CLASS_FP;
    return elements;
}

/* Constant offsets are part of the access that uses the address. */
static uint32_t classify_address(LLVMValueRef inst)
{
    int operands = LLVMGetNumOperands(inst);

    for (int i = 1; i < operands; i++)
        if (LLVMIsConstant(LLVMGetOperand(inst, (unsigned)i)) == 0)
            return 1;
    return 0;
}

static uint32_t classify_float(LLVMValueRef inst, uint8_t *cls)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    uint32_t elements;
    LLVMTypeRef type =
        scalar(LLVMTypeOf(op == LLVMFCmp ? LLVMGetOperand(inst, 0) : inst), &elements);

    *cls = float_class(type);
    if ((op == LLVMFDiv || op == LLVMFRem) && *cls == BYW_CLASS_FP)
        *cls = BYW_CLASS_SFU;
    return elements;
}

static uint32_t classify_convert(LLVMValueRef inst, uint8_t *cls)
{
    uint32_t elements;
    LLVMTypeRef from = scalar(LLVMTypeOf(LLVMGetOperand(inst, 0)), &elements);
    LLVMTypeRef to = scalar(LLVMTypeOf(inst), &elements);

    *cls = LLVMGetTypeKind(from) == LLVMDoubleTypeKind || LLVMGetTypeKind(to) == LLVMDoubleTypeKind
               ? BYW_CLASS_DP
               : BYW_CLASS_FP;
    return elements;
}

uint32_t byw_cl_classify(LLVMValueRef inst, uint8_t *cls)
{
    uint32_t elements;

    *cls = BYW_CLASS_INT;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMPHI:
    case LLVMAlloca:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMIntToPtr:
    case LLVMPtrToInt:
    case LLVMFreeze:
    case LLVMTrunc:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMFence:
    case LLVMUnreachable:
        return 0;
    case LLVMGetElementPtr:
        return classify_address(inst);
    case LLVMBr:
        *cls = BYW_CLASS_BRANCH;
        return LLVMIsConditional(inst) != 0;
    case LLVMSwitch:
    case LLVMIndirectBr:
        *cls = BYW_CLASS_BRANCH;
        return 1;
    case LLVMCall:
        return classify_call(inst, cls);
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFNeg:
    case LLVMFCmp:
        return classify_float(inst, cls);
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
        return classify_convert(inst, cls);
    default:
        scalar(LLVMTypeOf(inst), &elements);
        return elements;
    }
}
