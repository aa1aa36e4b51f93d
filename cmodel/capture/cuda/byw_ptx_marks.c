/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks of PTX (byw_cl_mark.h): where its basic blocks and guarded instructions are.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"
#include "common/byw_array.h"

void byw_ptx_mark(struct byw_ptx_gen *g, uint32_t mark)
{
    LLVMTypeRef type = LLVMFunctionType(g->none, &g->i32, 1, 0);
    LLVMValueRef function = LLVMGetNamedFunction(g->module, BYW_CL_MARK_CALL);
    LLVMValueRef value = byw_ptx_number(g, mark);

    if (g->marks == 0)
        return;
    if (function == NULL) {
        unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", 8);

        function = LLVMAddFunction(g->module, BYW_CL_MARK_CALL, type);
        LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(g->context, kind, 0));
    }
    LLVMBuildCall2(g->b, type, function, &value, 1, "");
}

bool byw_ptx_ends_block(const struct byw_ptx_instruction *inst)
{
    static const char *const list[] = {"bra", "brx", "ret", "exit", "trap", "call"};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (strcmp(inst->part[0], list[i]) == 0)
            return true;
    return false;
}

static int by_number(const void *left, const void *right)
{
    const uint32_t *l = left, *r = right;

    return (*l > *r) - (*l < *r);
}

static bool add(struct byw_ptx_marks *m, uint32_t mark)
{
    if (!BYW_ARRAY_ROOM(m->mark, m->room, m->count + 1u))
        return false;
    m->mark[m->count++] = mark;
    return true;
}

static bool add_function(struct byw_ptx_marks *m, const struct byw_ptx_function *f)
{
    bool opens = true;

    for (uint32_t i = 0; i < f->length; i++) {
        const struct byw_ptx_instruction *inst = &f->code[i];

        if (inst->label != NULL) {
            opens = true;
            continue;
        }
        if (m->first == 0 || inst->number < m->first)
            m->first = inst->number;
        if (inst->number > m->last)
            m->last = inst->number;
        if (opens && !add(m, BYW_CL_MARK_BLOCK(inst->number)))
            return false;
        opens = byw_ptx_ends_block(inst);
        if (inst->guard.symbol != NULL && !byw_ptx_takes_guard(byw_ptx_rule_of(inst)) &&
            !add(m, BYW_CL_MARK_GUARDED(inst->number)))
            return false;
    }
    return true;
}

enum byw_status byw_ptx_find_marks(const struct byw_ptx_module *ptx, struct byw_ptx_marks *m)
{
    memset(m, 0, sizeof(*m));
    for (uint32_t i = 0; i < ptx->functions; i++)
        if (ptx->function[i]->defined && !ptx->function[i]->unwanted &&
            !add_function(m, ptx->function[i])) {
            free(m->mark);
            m->mark = NULL;
            return BYW_ENOMEM;
        }
    if (m->count != 0)
        qsort(m->mark, m->count, sizeof(*m->mark), by_number);
    return BYW_OK;
}
