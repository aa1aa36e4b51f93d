/* SPDX-License-Identifier: Apache-2.0
 *
 * Gives variables at program scope their addresses, and lists them for the runtime.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "capture/compile/byw_cl_transform.h"

static bool is_variable(LLVMValueRef global)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == BYW_CL_SPACE_GLOBAL;
}

/* Base address of the program's variables. It depends on names and values of kernels and variables
 * only, so that it is the same with and without the log. */
static uint64_t place_of(const struct byw_cl_module *m)
{
    XXH64_hash_t hash = 0;

    for (uint32_t k = 0; k < m->units; k++) {
        const struct byw_cl_code *code = m->unit[k].blob;

        hash = XXH64(code->name, strlen(code->name), hash + code->identity);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
        if (is_variable(g)) {
            char *text = LLVMPrintValueToString(g);

            hash = XXH64(text, strlen(text), hash);
            LLVMDisposeMessage(text);
        }
    return BYW_CL_VARIABLE_BASE + hash % BYW_CL_VARIABLE_PLACES * BYW_CL_VARIABLE_ROOM;
}

/* A constant with the variable's initial value. */
static LLVMValueRef make_start(struct byw_cl_module *m, LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    LLVMValueRef value = LLVMGetInitializer(variable), start = LLVMAddGlobal(m->module, type, "");

    LLVMSetInitializer(start, value != NULL && !LLVMIsUndef(value) ? value : LLVMConstNull(type));
    LLVMSetGlobalConstant(start, 1);
    LLVMSetLinkage(start, LLVMInternalLinkage);
    return start;
}

enum byw_status byw_cl_lower_variables(struct byw_cl_module *m, struct byw_diag *diag)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m->module);
    uint64_t base = place_of(m), at = base;
    LLVMValueRef next;
    uint32_t room = 0;

    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
        room += is_variable(g);
    m->variable = calloc(room + 1u, sizeof(*m->variable));
    if (m->variable == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory");
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = next) {
        uint64_t align = LLVMGetAlignment(g) > 16 ? LLVMGetAlignment(g) : 16, size;

        next = LLVMGetNextGlobal(g);
        if (!is_variable(g))
            continue;
        size = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
        at = (at + align - 1) / align * align;
        m->variable[m->variables++] = (struct byw_cl_placed){at, size, make_start(m, g)};
        LLVMReplaceAllUsesWith(g, LLVMConstIntToPtr(LLVMConstInt(m->word, at, 0), LLVMTypeOf(g)));
        LLVMDeleteGlobal(g);
        at += size;
    }
    if (at - base > BYW_CL_VARIABLE_ROOM / 2)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "the program's variables take %llu bytes; byway has room for %llu",
                            (unsigned long long)(at - base),
                            (unsigned long long)BYW_CL_VARIABLE_ROOM / 2);
    return BYW_OK;
}

void byw_cl_list_variables(struct byw_cl_module *m)
{
    LLVMTypeRef bytes = LLVMPointerType(LLVMInt8TypeInContext(m->context), 0);
    LLVMTypeRef field[] = {m->word, m->word, bytes};
    LLVMTypeRef entry = LLVMStructTypeInContext(m->context, field, 3, 0);
    LLVMValueRef *row = calloc(m->variables + 1u, sizeof(*row)), list;

    if (row == NULL)
        return;
    for (uint32_t i = 0; i < m->variables; i++) {
        LLVMValueRef part[] = {LLVMConstInt(m->word, m->variable[i].address, 0),
                               LLVMConstInt(m->word, m->variable[i].size, 0),
                               LLVMConstBitCast(m->variable[i].start, bytes)};

        row[i] = LLVMConstStructInContext(m->context, part, 3, 0);
    }
    row[m->variables] = LLVMConstNull(entry);
    list = LLVMAddGlobal(m->module, LLVMArrayType(entry, m->variables + 1u), BYW_CL_VARIABLES);
    LLVMSetInitializer(list, LLVMConstArray(entry, row, m->variables + 1u));
    LLVMSetGlobalConstant(list, 1);
    free(row);
}
