/* SPDX-License-Identifier: Apache-2.0
 *
 * Private arrays.  GPU compilers unroll the loops that index one, so that its elements become
 * registers.  The optimiser's thresholds for nvptx stop before that, so a program that keeps arrays
 * is optimised again with higher ones, and kernels whose arrays shrink are taken from there.  All
 * other kernels stay as they are.
 */
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_transform.h"

static uint64_t array_bytes(LLVMValueRef function)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
    uint64_t bytes = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) != NULL)
                bytes += LLVMABISizeOfType(layout, LLVMGetAllocatedType(i));
    return bytes;
}

/* Whether a module has global variables: kernels taken from another build would have separate
 * copies of them. */
static bool has_variables(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == BYW_CL_SPACE_GLOBAL &&
            !LLVMIsGlobalConstant(g))
            return true;
    return false;
}

bool byw_cl_keeps_arrays(const char *bitcode)
{
    struct byw_cl_module m = {.context = LLVMContextCreate()};
    struct byw_diag ignored;
    bool keeps = false;

    if (byw_cl_load_module(&m, bitcode, &ignored) == BYW_OK) {
        for (LLVMValueRef f = LLVMGetFirstFunction(m.module); f; f = LLVMGetNextFunction(f))
            keeps |= array_bytes(f) != 0;
        keeps = keeps && !has_variables(m.module);
        LLVMDisposeModule(m.module);
    }
    LLVMContextDispose(m.context);
    return keeps;
}

static struct byw_cl_unit *find_unit(struct byw_cl_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->units; i++)
        if (strcmp(m->unit[i].name, name) == 0)
            return &m->unit[i];
    return NULL;
}

static void delete_kernel(struct byw_cl_unit *unit)
{
    LLVMReplaceAllUsesWith(unit->function, LLVMGetUndef(LLVMTypeOf(unit->function)));
    LLVMDeleteFunction(unit->function);
    unit->function = NULL;
}

/* Deletes each kernel from one of the two modules; returns how many remain in `other`. */
static uint32_t choose(struct byw_cl_module *m, struct byw_cl_module *other)
{
    uint32_t taken = 0;

    for (uint32_t i = 0; i < other->units; i++) {
        struct byw_cl_unit *now = find_unit(m, other->unit[i].name), *then = &other->unit[i];

        if (now == NULL || array_bytes(then->function) >= array_bytes(now->function)) {
            delete_kernel(then);
        } else {
            delete_kernel(now);
            taken++;
        }
    }
    return taken;
}

enum byw_status byw_cl_take_unrolled(struct byw_cl_module *m, const char *bitcode,
                                     struct byw_diag *diag)
{
    struct byw_cl_module other = {.context = m->context};
    struct byw_diag ignored;
    enum byw_status status = byw_cl_load_module(&other, bitcode, diag);

    if (status != BYW_OK)
        return status;
    status = byw_cl_prepare(&other, &ignored);
    if (status == BYW_OK && choose(m, &other) != 0) {
        byw_cl_make_private(&other);
        if (LLVMLinkModules2(m->module, other.module)) /* which frees other.module */
            status = byw_diag_set(diag, BYW_EUNSUPPORTED,
                                  "the program with and without more unrolling cannot be linked");
        for (uint32_t i = 0; i < m->units; i++)
            if (m->unit[i].function == NULL)
                m->unit[i].function = LLVMGetNamedFunction(m->module, m->unit[i].name);
    } else {
        LLVMDisposeModule(other.module);
        /* `other` has no kernel that can run */
        status = status == BYW_EUNSUPPORTED ? BYW_OK : status;
    }
    free(other.unit);
    return status;
}
