/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches, calls, returns, and calls of the two libraries.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

#define LIBRARY_ARGS 24u

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
    if (!g->function->entry && strcmp(inst->part[0], "exit") == 0)
        return false;
    LLVMBuildRetVoid(g->b);
    return true;
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

/* Finds the memory of the arguments, results first; false if some have none. */
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

    if (good && (f->defined || !call_system(g, f->name, place, f)))
        byw_ptx_call_function(g, byw_ptx_declare_function(g, f), place, f->results + f->params);
    free(place);
    return good;
}

/* Whether a function may be the target of an indirect call with these operands. */
static bool fits(const struct byw_ptx_function *f, const struct byw_ptx_operand *results,
                 const struct byw_ptx_operand *params)
{
    return f->defined && !f->entry && f->results == (results == NULL ? 0 : results->count) &&
           f->params == (params == NULL ? 0 : params->count);
}

/* A call through a register selects among all functions with that number of parameters. */
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

/* Parts of opcodes that do not affect the result. */
static bool is_silent(const struct byw_ptx_instruction *inst, uint32_t part)
{
    static const char *const words[] = {"uni", "aligned", "noftz"};
    static const char *const rounds[] = {"add", "sub", "mul", "fma", "mad"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(inst->part[part], words[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++)
        if (strcmp(inst->part[0], rounds[i]) == 0 && strcmp(inst->part[part], "rn") == 0)
            return true;
    return false;
}

static void library_name(const struct byw_ptx_instruction *inst, char *name, size_t room)
{
    size_t used = (size_t)snprintf(name, room, BYW_PTX_LIBRARY_PREFIX "%s", inst->part[0]);

    for (uint32_t i = 1; i < inst->parts && used < room; i++)
        if (!is_silent(inst, i))
            used += (size_t)snprintf(name + used, room - used, "_%s",
                                     strcmp(inst->part[i], "shared::cta") == 0 ? "shared"
                                                                               : inst->part[i]);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == ':' ? '_' : *c;
}

static bool add_argument(struct byw_ptx_gen *g, LLVMValueRef function,
                         const struct byw_ptx_operand *operand, LLVMValueRef *args, unsigned *count)
{
    static const enum byw_ptx_space spaces[] = {BYW_PTX_LOCAL, BYW_PTX_GLOBAL, BYW_PTX_GENERIC,
                                                BYW_PTX_SHARED, BYW_PTX_CONST};
    LLVMTypeRef type;

    if (operand->kind == BYW_PTX_OP_LIST ||
        (operand->kind == BYW_PTX_OP_ADDRESS && operand->count > 1)) { /* [texture, {x, y}] */
        for (uint32_t i = 0; i < operand->count; i++)
            if (!add_argument(g, function, &operand->list[i], args, count))
                return false;
        return true;
    }
    if (*count >= LLVMCountParams(function) || *count >= LIBRARY_ARGS)
        return false;
    type = LLVMTypeOf(LLVMGetParam(function, *count));
    args[*count] = operand->kind == BYW_PTX_OP_ADDRESS
                       ? LLVMGetTypeKind(type) == LLVMPointerTypeKind
                             ? byw_ptx_pointer(g, operand, spaces[LLVMGetPointerAddressSpace(type)])
                             : NULL
                       : byw_ptx_value_as(g, operand, type, true);
    return args[(*count)++] != NULL;
}

/* Assigns the elements of a vector result to a list or pair, or a scalar result to a register. */
static bool take_result(struct byw_ptx_gen *g, const struct byw_ptx_operand *to, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    if (to->kind == BYW_PTX_OP_LIST && to->count == 1)
        to = to->list;
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return byw_ptx_assign(g, to, value, false);
    if (to->kind != BYW_PTX_OP_LIST && to->kind != BYW_PTX_OP_PAIR)
        return byw_ptx_assign(
            g, to, LLVMBuildExtractElement(g->b, value, LLVMConstInt(g->i32, 0, 0), ""), false);
    for (uint32_t i = 0; i < to->count; i++)
        if (i >= LLVMGetVectorSize(type) ||
            !byw_ptx_assign(g, &to->list[i],
                            LLVMBuildExtractElement(g->b, value, LLVMConstInt(g->i32, i, 0), ""),
                            false))
            return false;
    return true;
}

static unsigned operands_of(const struct byw_ptx_operand *operand, uint32_t count)
{
    unsigned all = 0;

    for (uint32_t i = 0; i < count; i++)
        all += operand[i].kind == BYW_PTX_OP_LIST || operand[i].count > 1
                   ? operands_of(operand[i].list, operand[i].count)
                   : 1;
    return all;
}

/* The function for an opcode. The number of optional operands is part of its name:
 * cp.async with four operands is ptx_cp_async_..._of_4. */
static LLVMValueRef find_library(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    char name[256], longer[280];
    LLVMValueRef function;

    library_name(inst, name, sizeof(name));
    snprintf(longer, sizeof(longer), "%s_of_%u", name, operands_of(inst->operand, inst->operands));
    function = byw_ptx_library_function(g, longer);
    return function != NULL ? function : byw_ptx_library_function(g, name);
}

bool byw_ptx_rule_library(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    LLVMValueRef function = find_library(g, inst), args[LIBRARY_ARGS], value;
    unsigned count = 0;
    uint32_t first;

    if (function == NULL)
        return false;
    first = LLVMGetReturnType(LLVMGlobalGetValueType(function)) != g->none;
    for (uint32_t i = first; i < inst->operands; i++)
        if (!add_argument(g, function, &inst->operand[i], args, &count))
            return false;
    if (count != LLVMCountParams(function) || inst->operands < first)
        return false;
    value = byw_ptx_call_function(g, function, args, count);
    return first == 0 || take_result(g, &inst->operand[0], value);
}
