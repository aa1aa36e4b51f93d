/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches, calls, returns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

static LLVMBasicBlockRef block_of(const struct byw_ptx_operand *operand)
{
    if (operand->kind != BYW_PTX_OP_NAME || operand->symbol->kind != BYW_PTX_LABEL)
        return NULL;
    return operand->symbol->handle;
}

static LLVMBasicBlockRef block_behind(struct byw_ptx_gen *g)
{
    LLVMBasicBlockRef behind = LLVMAppendBasicBlockInContext(g->context, g->value, "");

    LLVMMoveBasicBlockAfter(behind, LLVMGetInsertBlock(g->b));
    return behind;
}

bool byw_ptx_rule_branch(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    LLVMBasicBlockRef to = inst->operands == 1 ? block_of(&inst->operand[0]) : NULL, behind;

    if (to == NULL)
        return false;
    if (inst->guard.symbol == NULL) {
        LLVMBuildBr(g->b, to);
        return true;
    }
    behind = block_behind(g);
    LLVMBuildCondBr(g->b, byw_ptx_value_as(g, &inst->guard, g->i1, false), to, behind);
    LLVMPositionBuilderAtEnd(g->b, behind);
    return true;
}

/* brx.idx index, table */
bool byw_ptx_rule_branch_table(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    const struct byw_ptx_symbol *table =
        inst->operands == 2 && inst->operand[1].kind == BYW_PTX_OP_NAME ? inst->operand[1].symbol
                                                                        : NULL;
    LLVMValueRef index, choice;

    if (table == NULL || table->kind != BYW_PTX_PROTOTYPE || table->inits == 0)
        return false;
    for (uint32_t i = 0; i < table->inits; i++)
        if (block_of(&table->targets[i]) == NULL)
            return false;
    index = byw_ptx_value_as(g, &inst->operand[0], g->i32, false);
    if (index == NULL)
        return false;
    choice = LLVMBuildSwitch(g->b, index, block_of(&table->targets[0]), table->inits);
    for (uint32_t i = 1; i < table->inits; i++)
        LLVMAddCase(choice, LLVMConstInt(g->i32, i, 0), block_of(&table->targets[i]));
    return true;
}

bool byw_ptx_rule_return(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    byw_ptx_leave(g, strcmp(inst->part[0], "exit") == 0);
    return true;
}

void byw_ptx_leave(struct byw_ptx_gen *g, bool ends)
{
    if (!g->function->entry && g->function->exits)
        LLVMBuildRet(g->b, LLVMConstInt(g->i1, ends, 0));
    else
        LLVMBuildRetVoid(g->b);
}

/* Leaves the function, too, if the thread has ended in a function that it called. */
static void leave_after(struct byw_ptx_gen *g, LLVMValueRef ended)
{
    LLVMBasicBlockRef leave = LLVMAppendBasicBlockInContext(g->context, g->value, "");
    LLVMBasicBlockRef behind = block_behind(g);

    LLVMMoveBasicBlockBefore(leave, behind);
    byw_ptx_hide(g, true);
    LLVMBuildCondBr(g->b, ended, leave, behind);
    LLVMPositionBuilderAtEnd(g->b, leave);
    byw_ptx_leave(g, true);
    LLVMPositionBuilderAtEnd(g->b, behind);
    byw_ptx_hide(g, false);
}

/* Whether an instruction may end the thread.  A call through a register may call any function. */
static bool may_exit(const struct byw_ptx_module *ptx, const struct byw_ptx_instruction *inst)
{
    uint32_t at = inst->operands > 0 && inst->operand[0].kind == BYW_PTX_OP_LIST;
    const struct byw_ptx_symbol *callee;

    if (inst->label != NULL || inst->parts == 0)
        return false;
    if (strcmp(inst->part[0], "exit") == 0)
        return true;
    if (strcmp(inst->part[0], "call") != 0 || inst->operands <= at)
        return false;
    callee = inst->operand[at].symbol;
    if (callee != NULL && callee->kind == BYW_PTX_FUNCTION)
        return callee->function->exits;
    for (uint32_t i = 0; i < ptx->functions; i++)
        if (ptx->function[i]->exits)
            return true;
    return false;
}

/* Marks the functions among operands, whose addresses the program takes. */
static void find_addressed(const struct byw_ptx_operand *operand, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (operand[i].symbol != NULL && operand[i].symbol->kind == BYW_PTX_FUNCTION)
            operand[i].symbol->function->addressed = true;
        find_addressed(operand[i].list, operand[i].count);
    }
}

static void find_targets(const struct byw_ptx_module *ptx)
{
    for (uint32_t i = 0; i < ptx->variables; i++)
        find_addressed(ptx->variable[i]->init, ptx->variable[i]->inits);
    for (uint32_t i = 0; i < ptx->functions; i++)
        for (uint32_t k = 0; k < ptx->function[i]->length; k++) {
            const struct byw_ptx_instruction *inst = &ptx->function[i]->code[k];

            if (inst->label == NULL && strcmp(inst->part[0], "call") != 0)
                find_addressed(inst->operand, inst->operands);
        }
}

void byw_ptx_find_exits(const struct byw_ptx_module *ptx)
{
    find_targets(ptx);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < ptx->functions; i++) {
            struct byw_ptx_function *f = ptx->function[i];

            for (uint32_t k = 0; k < f->length && f->defined && !f->entry && !f->exits; k++)
                changed |= f->exits = may_exit(ptx, &f->code[k]);
        }
    }
}

/* The memory in which a call finds a parameter: that of the .param variable, or a copy. */
static LLVMValueRef argument(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand,
                             const struct byw_ptx_symbol *param)
{
    LLVMValueRef room, value;

    if (operand->kind == BYW_PTX_OP_NAME && operand->symbol->space == BYW_PTX_PARAM)
        return operand->symbol->handle;
    value = byw_ptx_value(g, operand, param->type);
    if (value == NULL)
        return NULL;
    room = byw_ptx_room(g, LLVMTypeOf(value), "");
    LLVMBuildStore(g->b, value, room);
    return room;
}

/* Functions that the toolkit expects from the driver; their arguments are 64-bit words. */
static bool call_system(struct byw_ptx_gen *g, const char *name, LLVMValueRef *place,
                        const struct byw_ptx_function *f)
{
    char library[96];
    LLVMValueRef function, args[8], value;
    unsigned count = f->params;

    snprintf(library, sizeof(library), BYW_PTX_LIBRARY_PREFIX "system_%.60s", name);
    function = byw_ptx_library_function(g, library);
    if (function == NULL || count > 8 || LLVMCountParams(function) != count)
        return false;
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef type = byw_ptx_llvm_type(g, f->param[i]->type);

        value = LLVMBuildLoad2(g->b, type, place[f->results + i], "");
        args[i] = byw_ptx_cast(g, value, LLVMTypeOf(LLVMGetParam(function, i)), false);
    }
    value = byw_ptx_call_function(g, function, args, count);
    if (f->results == 1 && LLVMTypeOf(value) != g->none)
        LLVMBuildStore(g->b, value, place[0]);
    return true;
}

/* Collects the memory of results and arguments, in this order; false if one of them has none. */
static bool collect(struct byw_ptx_gen *g, const struct byw_ptx_function *f,
                    const struct byw_ptx_operand *results, const struct byw_ptx_operand *params,
                    LLVMValueRef *place)
{
    if ((results == NULL ? 0 : results->count) != f->results ||
        (params == NULL ? 0 : params->count) != f->params)
        return false;
    for (uint32_t i = 0; i < f->results; i++)
        place[i] = argument(g, &results->list[i], f->result[i]);
    for (uint32_t i = 0; i < f->params; i++)
        place[f->results + i] = argument(g, &params->list[i], f->param[i]);
    for (uint32_t i = 0; i < f->results + f->params; i++)
        if (place[i] == NULL)
            return false;
    return true;
}

static bool call_one(struct byw_ptx_gen *g, const struct byw_ptx_function *f,
                     const struct byw_ptx_operand *results, const struct byw_ptx_operand *params)
{
    LLVMValueRef *place = calloc(f->results + f->params + 1u, sizeof(LLVMValueRef));
    bool good = place != NULL && collect(g, f, results, params, place);

    if (good && (f->defined ||
                 (!call_system(g, f->name, place, f) && !byw_ptx_call_runtime(g, f, place)))) {
        LLVMValueRef ended =
            byw_ptx_call_function(g, byw_ptx_declare_function(g, f), place, f->results + f->params);

        if (f->exits)
            leave_after(g, ended);
    }
    free(place);
    return good;
}

/* Whether a function may be the target of an indirect call with these operands. */
static bool fits(const struct byw_ptx_function *f, const struct byw_ptx_operand *results,
                 const struct byw_ptx_operand *params)
{
    return f->addressed && f->defined && !f->entry &&
           f->results == (results == NULL ? 0 : results->count) &&
           f->params == (params == NULL ? 0 : params->count);
}

/* A call through a register: selects among the functions whose address the program takes and which
 * have that number of parameters. */
static bool call_any(struct byw_ptx_gen *g, const struct byw_ptx_operand *callee,
                     const struct byw_ptx_operand *results, const struct byw_ptx_operand *params)
{
    LLVMValueRef number = byw_ptx_value_as(g, callee, g->i64, false), choice;
    LLVMBasicBlockRef nowhere = LLVMAppendBasicBlockInContext(g->context, g->value, ""), behind;
    bool good = number != NULL;

    if (!good)
        return false;
    behind = block_behind(g);
    choice = LLVMBuildSwitch(g->b, number, nowhere, 4);
    for (uint32_t i = 0; i < g->ptx->functions && good; i++) {
        const struct byw_ptx_function *f = g->ptx->function[i];
        LLVMBasicBlockRef block;

        if (!fits(f, results, params))
            continue;
        block = LLVMAppendBasicBlockInContext(g->context, g->value, "");
        LLVMMoveBasicBlockBefore(block, behind);
        LLVMAddCase(choice, LLVMConstInt(g->i64, byw_ptx_function_number(g->ptx, f), 0), block);
        LLVMPositionBuilderAtEnd(g->b, block);
        good = call_one(g, f, results, params);
        LLVMBuildBr(g->b, behind);
    }
    LLVMPositionBuilderAtEnd(g->b, nowhere);
    LLVMBuildBr(g->b, behind);
    LLVMPositionBuilderAtEnd(g->b, behind);
    return good;
}

/* call [(results),] function [, (parameters) [, prototype]] */
bool byw_ptx_rule_call(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    uint32_t at = inst->operands > 0 && inst->operand[0].kind == BYW_PTX_OP_LIST;
    const struct byw_ptx_operand *results = at == 1 ? &inst->operand[0] : NULL, *callee, *params;

    if (inst->operands <= at)
        return false;
    callee = &inst->operand[at];
    params = inst->operands > at + 1 && inst->operand[at + 1].kind == BYW_PTX_OP_LIST
                 ? &inst->operand[at + 1]
                 : NULL;
    if (callee->kind != BYW_PTX_OP_NAME)
        return false;
    if (callee->symbol->kind != BYW_PTX_FUNCTION)
        return call_any(g, callee, results, params);
    return call_one(g, callee->symbol->function, results, params);
}
