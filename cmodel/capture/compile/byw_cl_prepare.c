/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_transform.h"

#define SPIR_KERNEL 76u /* calling convention of OpenCL kernels */

static void add_attribute(struct byw_cl_module *m, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, kind, 0));
}

/* Drops all attributes of a function: nvptx's have no meaning on the host, and those about memory
 * become false when the log is added. */
void byw_cl_drop_attributes(LLVMValueRef function)
{
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned count = LLVMGetAttributeCountAtIndex(function, at);
    LLVMAttributeRef *list = calloc(count + 1, sizeof(LLVMAttributeRef));

    if (list == NULL)
        return;
    LLVMGetAttributesAtIndex(function, at, list);
    for (unsigned i = 0; i < count; i++) {
        unsigned length;

        if (LLVMIsStringAttribute(list[i])) {
            const char *kind = LLVMGetStringAttributeKind(list[i], &length);
            LLVMRemoveStringAttributeAtIndex(function, at, kind, length);
        } else {
            LLVMRemoveEnumAttributeAtIndex(function, at, LLVMGetEnumAttributeKind(list[i]));
        }
    }
    free(list);
}

static bool is_called(LLVMValueRef function)
{
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u))
        if (LLVMIsACallInst(LLVMGetUser(u)) != NULL)
            return true;
    return false;
}

static void plain_calls(LLVMValueRef function)
{
    LLVMSetFunctionCallConv(function, LLVMCCallConv);
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u))
        if (LLVMIsACallInst(LLVMGetUser(u)) != NULL)
            LLVMSetInstructionCallConv(LLVMGetUser(u), LLVMCCallConv);
}

static enum byw_status find_kernels(struct byw_cl_module *m, bool *calls)
{
    uint32_t room = 0;
    size_t length;

    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        room++;
    m->unit = calloc(room + 1u, sizeof(*m->unit));
    if (m->unit == NULL)
        return BYW_ENOMEM;
    *calls = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        bool kernel = LLVMGetFunctionCallConv(f) == SPIR_KERNEL;

        plain_calls(f);
        if (LLVMIsDeclaration(f))
            continue;
        byw_cl_drop_attributes(f);
        if (is_called(f)) {
            add_attribute(m, f, "alwaysinline");
            *calls = true;
        }
        if (kernel) {
            struct byw_cl_unit *unit = &m->unit[m->units++];

            unit->function = f;
            strncpy(unit->name, LLVMGetValueName2(f, &length), sizeof(unit->name) - 1);
        } else {
            LLVMSetLinkage(f, LLVMInternalLinkage);
        }
    }
    return BYW_OK;
}

/* Atomics that libclc lacks (64-bit ones on nvptx), by operation name. */
static bool atomic_operation(const char *name, bool is_signed, LLVMAtomicRMWBinOp *op)
{
    static const struct {
        const char *name;
        LLVMAtomicRMWBinOp op;
    } list[] = {{"add", LLVMAtomicRMWBinOpAdd},   {"sub", LLVMAtomicRMWBinOpSub},
                {"inc", LLVMAtomicRMWBinOpAdd},   {"dec", LLVMAtomicRMWBinOpSub},
                {"xchg", LLVMAtomicRMWBinOpXchg}, {"and", LLVMAtomicRMWBinOpAnd},
                {"or", LLVMAtomicRMWBinOpOr},     {"xor", LLVMAtomicRMWBinOpXor},
                {"min", LLVMAtomicRMWBinOpMin},   {"max", LLVMAtomicRMWBinOpMax}};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        size_t length = strlen(list[i].name);

        if (strncmp(name, list[i].name, length) == 0 && name[length] == 'P') {
            *op = list[i].op;
            if (!is_signed && *op == LLVMAtomicRMWBinOpMin)
                *op = LLVMAtomicRMWBinOpUMin;
            if (!is_signed && *op == LLVMAtomicRMWBinOpMax)
                *op = LLVMAtomicRMWBinOpUMax;
            return true;
        }
    }
    return false;
}

/* Expands a call of _Z<n>atom[ic]_<op>P<space>V<type>...; false for other calls. */
static bool write_atomic(LLVMBuilderRef b, LLVMValueRef call)
{
    const char *name = byw_cl_callee(call), *op_name;
    const LLVMAtomicOrdering order = LLVMAtomicOrderingMonotonic;
    LLVMAtomicRMWBinOp op;
    LLVMValueRef value, result, pointer;
    const char *type;

    if (name == NULL || strncmp(name, "_Z", 2) != 0)
        return false;
    op_name = strstr(name, "atom_");
    op_name = op_name != NULL           ? op_name + 5
              : strstr(name, "atomic_") ? strstr(name, "atomic_") + 7
                                        : NULL;
    if (op_name == NULL || (type = strchr(op_name, 'V')) == NULL)
        return false;
    LLVMPositionBuilderBefore(b, call);
    pointer = LLVMGetOperand(call, 0);
    if (strncmp(op_name, "cmpxchgP", 8) == 0) {
        result = LLVMBuildAtomicCmpXchg(b, pointer, LLVMGetOperand(call, 1),
                                        LLVMGetOperand(call, 2), order, order, 0);
        result = LLVMBuildExtractValue(b, result, 0, "");
    } else if (atomic_operation(op_name, type[1] == 'i' || type[1] == 'l', &op)) {
        value = LLVMGetNumArgOperands(call) > 1 ? LLVMGetOperand(call, 1)
                                                : LLVMConstInt(LLVMTypeOf(call), 1, 0);
        result = LLVMBuildAtomicRMW(b, op, pointer, value, order, 0);
    } else {
        return false;
    }
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* Whether an address is in [base, end). */
static LLVMValueRef is_between(LLVMBuilderRef b, LLVMValueRef address, uint64_t base, uint64_t end)
{
    LLVMTypeRef word = LLVMTypeOf(address);
    LLVMValueRef offset = LLVMBuildSub(b, address, LLVMConstInt(word, base, 0), "");

    return LLVMBuildICmp(b, LLVMIntULT, offset, LLVMConstInt(word, end - base, 0), "");
}

/* to_global(), to_local(), to_private(): the address if it is in that space, otherwise NULL. */
static bool write_space(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef call)
{
    const char *name = byw_cl_callee(call);
    LLVMTypeRef type = LLVMTypeOf(call), word = LLVMInt64TypeInContext(m->context);
    LLVMValueRef pointer, address, is_local, is_global, is_there;

    if (name == NULL || strncmp(name, "__to_", 5) != 0)
        return false;
    LLVMPositionBuilderBefore(b, call);
    pointer = LLVMGetOperand(call, 0);
    address = LLVMBuildPtrToInt(b, pointer, word, "");
    is_local = is_between(b, address, BYW_CL_SHARED_BASE, BYW_CL_SHARED_BASE + BYW_CL_SHARED_SIZE);
    is_global = is_between(b, address, BYW_CL_BUFFER_BASE, BYW_CL_LOCAL_BASE);
    is_there = strcmp(name, "__to_local") == 0 ? is_local
               : strcmp(name, "__to_global") == 0
                   ? is_global
                   : LLVMBuildNot(b, LLVMBuildOr(b, is_local, is_global, ""), "");
    pointer = LLVMBuildPointerCast(b, pointer, type, "");
    LLVMReplaceAllUsesWith(call, LLVMBuildSelect(b, is_there, pointer, LLVMConstNull(type), ""));
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* Expands the prelude's functions for handles: an image argument is a pointer to its record, a
 * sampler is its bits. */
static bool write_handle(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef call)
{
    const char *name = byw_cl_callee(call);
    LLVMTypeRef word = LLVMInt64TypeInContext(m->context);
    LLVMValueRef result;

    if (name == NULL)
        return false;
    LLVMPositionBuilderBefore(b, call);
    if (strncmp(name, "byw_cl_image_", 13) == 0)
        result = LLVMBuildAddrSpaceCast(b, LLVMGetOperand(call, 0), LLVMTypeOf(call), "");
    else if (strcmp(name, "byw_cl_sampler") == 0)
        result = LLVMBuildTrunc(b, LLVMBuildPtrToInt(b, LLVMGetOperand(call, 0), word, ""),
                                LLVMTypeOf(call), "");
    else if (strcmp(name, "__translate_sampler_initializer") == 0)
        result = LLVMBuildIntToPtr(b, LLVMBuildZExt(b, LLVMGetOperand(call, 0), word, ""),
                                   LLVMTypeOf(call), "");
    else
        return false;
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    return true;
}

static void write_calls(struct byw_cl_module *m, LLVMValueRef function)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);

    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb;
         bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef next;

        for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsACallInst(i) != NULL && !write_handle(m, b, i) && !write_space(m, b, i) &&
                !write_atomic(b, i))
                byw_cl_write_atomic_call(m, b, i);
        }
    }
    LLVMDisposeBuilder(b);
}

/* The first call in a kernel that byway cannot run; NULL: none. */
static LLVMValueRef find_unknown(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) != NULL && !byw_cl_can_lower(i))
                return i;
    return NULL;
}

/* Says what a kernel with a call of this function does that byway cannot run. */
static void tell_unknown(const char *name, char *why, size_t room)
{
    const char *plain = name;
    int length;

    if (name == NULL) {
        snprintf(why, room, "calls a function through a pointer, which byway does not support");
        return;
    }
    if (strncmp(name, "_Z", 2) == 0 && (length = atoi(name + 2)) > 0) {
        plain = name + 2 + strspn(name + 2, "0123456789");
        length = strlen(plain) < (size_t)length ? (int)strlen(plain) : length;
    } else {
        length = (int)strlen(name);
    }
    if (name[0] == '_' && strstr(name, "_pipe") != NULL)
        snprintf(why, room, "uses a pipe (%s), which byway does not support", name);
    else if (name[0] == '_' &&
             (strstr(name, "get_default_queue") != NULL || strstr(name, "enqueue_") != NULL))
        snprintf(why, room, "uses a queue on the device (%.*s), which byway does not support",
                 length, plain);
    else if (plain == name && strncmp(name, "__", 2) != 0 && strncmp(name, "llvm.", 5) != 0)
        snprintf(why, room, "calls %s, which the program declares but does not define", name);
    else
        snprintf(why, room, "uses %.*s, which byway does not support", length, plain);
}

/* Removes the kernels that cannot run. They are not an error yet: many programs contain kernels
 * that they never launch. */
static enum byw_status leave_out(struct byw_cl_module *m, struct byw_diag *diag)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < m->units; i++) {
        LLVMValueRef call = find_unknown(m->unit[i].function);
        char why[256];

        if (call == NULL) {
            m->unit[kept++] = m->unit[i];
            continue;
        }
        tell_unknown(byw_cl_callee(call), why, sizeof(why));
        byw_diag_set(diag, BYW_OK, "kernel %s %s; the kernel is omitted", m->unit[i].name, why);
        LLVMReplaceAllUsesWith(m->unit[i].function, LLVMGetUndef(LLVMTypeOf(m->unit[i].function)));
        LLVMDeleteFunction(m->unit[i].function);
    }
    if (kept == 0 && m->units > 0)
        return BYW_EUNSUPPORTED;
    m->units = kept;
    return BYW_OK;
}

enum byw_status byw_cl_prepare(struct byw_cl_module *m, struct byw_diag *diag)
{
    bool calls;
    enum byw_status status = find_kernels(m, &calls);

    if (status != BYW_OK)
        return byw_diag_set(diag, status, "out of memory");
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        write_calls(m, f);
    if (calls)
        status =
            byw_cl_run_passes(m, "cgscc(inline,function(sroa,early-cse,simplifycfg))", NULL, diag);
    if (status == BYW_OK)
        status = leave_out(m, diag);
    /* Removes helpers whose calls have all been inlined. Host code built without optimisation would
     * keep them, and their calls of work-item functions do not link. */
    if (status == BYW_OK)
        status = byw_cl_run_passes(m, "globaldce", NULL, diag);
    return status == BYW_OK ? byw_cl_join_accesses(m, diag) : status;
}
