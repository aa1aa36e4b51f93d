/* SPDX-License-Identifier: Apache-2.0 */
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_job.h"
#include "capture/cuda/byw_ptx_gen.h"
#include "common/byw_array.h"
#include "trace/byw_kernel_name.h"

#define SPIR_KERNEL 76u

/* The two libraries, compiled by clang when byway was built (cuda.mk). */
__asm__(".pushsection .rodata\n"
        ".balign 8\n"
        "byw_cu_warp_start:\n"
        ".incbin \"" BYW_CU_WARP "\"\n"
        "byw_cu_warp_end:\n"
        ".balign 8\n"
        "byw_cu_arithmetic_start:\n"
        ".incbin \"" BYW_CU_ARITHMETIC "\"\n"
        "byw_cu_arithmetic_end:\n"
        ".byte 0\n"
        ".popsection\n");
#define HIDDEN __attribute__((visibility("hidden")))
extern const char byw_cu_warp_start[] HIDDEN, byw_cu_warp_end[] HIDDEN,
    byw_cu_arithmetic_start[] HIDDEN, byw_cu_arithmetic_end[] HIDDEN;

/* The bodies of a library's functions are read when they are linked. */
static LLVMModuleRef read_library(struct byw_cu_job *job, const char *start, const char *end)
{
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(start, (size_t)(end - start), "library", 0);
    LLVMModuleRef module = NULL;

    return LLVMGetBitcodeModuleInContext2(job->m.context, buffer, &module) ? NULL : module;
}

enum byw_status byw_cu_libraries(struct byw_cu_job *job, struct byw_diag *diag)
{
    job->warp = read_library(job, byw_cu_warp_start, byw_cu_warp_end);
    job->arithmetic = read_library(job, byw_cu_arithmetic_start, byw_cu_arithmetic_end);
    if (job->warp == NULL || job->arithmetic == NULL)
        return byw_diag_set(diag, BYW_EFORMAT,
                            "byway's CUDA libraries are not bitcode of this LLVM: build it again");
    return BYW_OK;
}

static void add_attribute(struct byw_cu_job *job, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(job->m.context, kind, 0));
}

/* Makes library functions that the module does not call private, because the linker then takes only
 * those that it needs. */
static void hide_unused(LLVMModuleRef library, LLVMModuleRef module)
{
    size_t length;

    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) &&
            LLVMGetNamedFunction(module, LLVMGetValueName2(f, &length)) == NULL)
            LLVMSetLinkage(f, LLVMInternalLinkage);
}

/* Links the used functions of the warp library and marks them for inlining. */
static enum byw_status link_warp(struct byw_cu_job *job, struct byw_diag *diag)
{
    static const char *const meets[] = {"byw_cl_meet", "llvm.nvvm.barrier0"};
    LLVMModuleRef library = job->warp;

    hide_unused(library, job->m.module);
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        if (LLVMGetLinkage(f) == LLVMInternalLinkage)
            continue;
        byw_cl_drop_attributes(f);
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        if (!LLVMIsDeclaration(f))
            add_attribute(job, f, "alwaysinline");
    }
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(job->m.module));
    LLVMSetTarget(library, LLVMGetTarget(job->m.module));
    job->warp = NULL;
    if (LLVMLinkModules2(job->m.module, library))
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "the warp library does not link");
    for (size_t i = 0; i < sizeof(meets) / sizeof(meets[0]); i++) {
        LLVMValueRef f = LLVMGetNamedFunction(job->m.module, meets[i]);

        if (f != NULL)
            add_attribute(job, f, "convergent");
    }
    return BYW_OK;
}

static bool is_kernel(const struct byw_cu_job *job, const char *name)
{
    for (uint32_t i = 0; i < job->ptx.functions; i++)
        if (job->ptx.function[i]->entry && strcmp(job->ptx.function[i]->name, name) == 0)
            return true;
    return false;
}

static bool delete_unused(LLVMModuleRef module, const struct byw_cu_job *job)
{
    LLVMValueRef next;
    bool any = false;
    size_t length;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMGetFirstUse(f) != NULL ||
            (job != NULL && is_kernel(job, LLVMGetValueName2(f, &length))))
            continue;
        LLVMDeleteFunction(f);
        any = true;
    }
    return any;
}

static LLVMValueRef find_unknown(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) != NULL && !byw_cl_can_lower(i))
                return i;
    return NULL;
}

/* Tells the user what to do about an unsupported instruction. */
static const char *remedy(const char *instruction)
{
    static const char *const hopper[] = {
        "wgmma.",     "mbarrier.", "cp.async.bulk.",       "tcgen05.",
        "cp.reduce.", "multimem.", "clusterlaunchcontrol."};

    for (size_t i = 0; i < sizeof(hopper) / sizeof(hopper[0]); i++)
        if (strncmp(instruction, hopper[i], strlen(hopper[i])) == 0)
            return "; code for sm_80 does not need it (Triton: BYWAY_DEVICE=a100)";
    return "";
}

static enum byw_status leave_out(struct byw_cu_job *job, LLVMValueRef function, LLVMValueRef call)
{
    const char *callee = byw_cl_callee(call);
    struct byw_cu_left *left;
    size_t length;

    if (!BYW_ARRAY_ROOM(job->left, job->left_room, job->lefts + 1u))
        return BYW_ENOMEM;
    left = &job->left[job->lefts++];
    memset(left, 0, sizeof(*left));
    for (uint32_t i = 0; i < job->ptx.functions; i++)
        if (strcmp(job->ptx.function[i]->name, LLVMGetValueName2(function, &length)) == 0)
            left->name = job->ptx.function[i]->name;
    if (callee == NULL)
        callee = "a function pointer";
    if (strstr(callee, "DeviceSynchronize") != NULL)
        snprintf(left->why, sizeof(left->why),
                 "it waits for kernels that it has launched (cudaDeviceSynchronize), which CUDA 12 "
                 "removed");
    else
        snprintf(left->why, sizeof(left->why), "it uses %.150s, which byway does not support%s",
                 callee, remedy(callee));
    LLVMDeleteFunction(function);
    return BYW_OK;
}

/* Collects the kernels, except those that call something unsupported. */
static enum byw_status find_kernels(struct byw_cu_job *job)
{
    LLVMValueRef next;
    size_t length;

    job->m.unit = calloc(job->ptx.functions + 1u, sizeof(*job->m.unit));
    if (job->m.unit == NULL)
        return BYW_ENOMEM;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->m.module); f; f = next) {
        LLVMValueRef call;
        struct byw_cl_unit *unit = &job->m.unit[job->m.units];

        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) || !is_kernel(job, LLVMGetValueName2(f, &length)))
            continue;
        call = find_unknown(f);
        if (call != NULL) {
            if (leave_out(job, f, call) != BYW_OK)
                return BYW_ENOMEM;
            continue;
        }
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        byw_cl_drop_attributes(f);
        unit->function = f;
        byw_kernel_symbol(LLVMGetValueName2(f, &length), unit->name);
        job->m.units++;
    }
    return BYW_OK;
}

enum byw_status byw_cu_prepare(struct byw_cu_job *job, struct byw_diag *diag)
{
    enum byw_status status = link_warp(job, diag);

    if (status == BYW_OK)
        status = byw_cl_run_passes(
            &job->m, "always-inline,function(sroa,early-cse<memssa>,simplifycfg,adce)", NULL, diag);
    while (status == BYW_OK && delete_unused(job->m.module, job))
        continue;
    if (status == BYW_OK && find_kernels(job) != BYW_OK)
        status = byw_diag_set(diag, BYW_ENOMEM, "out of memory");
    for (uint32_t k = 0; k < job->m.units && status == BYW_OK; k++)
        byw_cu_share_stacks(job->m.unit[k].function);
    for (uint32_t k = 0; k < job->m.units && status == BYW_OK; k++)
        byw_cu_pointers(job->m.module, job->m.unit[k].function);
    if (status == BYW_OK)
        status = byw_cl_run_passes(&job->m, "function(adce,early-cse,simplifycfg)", NULL, diag);
    return status;
}

/* Adds the used functions of the arithmetic library to the module as private functions. */
enum byw_status byw_cu_link_arithmetic(struct byw_cl_module *m, struct byw_diag *diag)
{
    struct byw_cu_job *job = (struct byw_cu_job *)m;
    LLVMModuleRef library = job->arithmetic;
    size_t length;

    hide_unused(library, m->module);
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(m->module));
    LLVMSetTarget(library, LLVMGetTarget(m->module));
    job->arithmetic = NULL;
    if (LLVMLinkModules2(m->module, library))
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "the arithmetic library does not link");
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) &&
            strncmp(LLVMGetValueName2(f, &length), BYW_PTX_LIBRARY_PREFIX, 4) == 0)
            LLVMSetLinkage(f, LLVMInternalLinkage);
    return BYW_OK;
}

enum byw_status byw_cu_targeted(struct byw_cl_module *m, struct byw_diag *diag)
{
    byw_cu_add_image((struct byw_cu_job *)m);
    return byw_cu_link_arithmetic(m, diag);
}
