/* SPDX-License-Identifier: Apache-2.0 */
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "capture/compile/byw_cl_transform.h"

enum byw_status byw_cl_run_passes(struct byw_cl_module *m, const char *passes,
                                  LLVMTargetMachineRef machine, struct byw_diag *diag)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(m->module, passes, machine, options);
    enum byw_status status = BYW_OK;

    LLVMDisposePassBuilderOptions(options);
    if (error != NULL) {
        char *text = LLVMGetErrorMessage(error);
        status =
            byw_diag_set(diag, BYW_EUNSUPPORTED, "the pass pipeline %s failed: %s", passes, text);
        LLVMDisposeErrorMessage(text);
    }
    return status;
}

/* The target machine of the module's triple; NULL if this LLVM does not support it. */
static LLVMTargetMachineRef gpu_machine(struct byw_cl_module *m, struct byw_diag *diag)
{
    const char *triple = LLVMGetTarget(m->module);
    LLVMTargetRef target;
    char *message = NULL;

    LLVMInitializeAllTargetInfos();
    LLVMInitializeAllTargets();
    LLVMInitializeAllTargetMCs();
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        byw_diag_set(diag, BYW_EUNSUPPORTED, "LLVM cannot compile for %s: %s", triple, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault,
                                   LLVMRelocDefault, LLVMCodeModelDefault);
}

enum byw_status byw_cl_join_accesses(struct byw_cl_module *m, struct byw_diag *diag)
{
    LLVMTargetMachineRef machine = gpu_machine(m, diag);
    enum byw_status status;

    if (machine == NULL)
        return BYW_EUNSUPPORTED;
    status = byw_cl_run_passes(m, "function(load-store-vectorizer)", machine, diag);
    LLVMDisposeTargetMachine(machine);
    return status;
}
