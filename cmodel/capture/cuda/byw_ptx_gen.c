/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions: registers, blocks, debug information; one instruction after another.
 */
#include "capture/cuda/byw_ptx_gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAIN_FILE "<stdin>" /* how the capture knows the program's own lines (byw_cl_line.c) */
#define HIDDEN_FILE "byw_cl_prelude.cl"

/* Marks the parameters of a kernel that are pointers: it loads them and converts them to global
 * addresses. */
static void find_pointers(const struct byw_ptx_function *f)
{
    for (uint32_t i = 0; i < f->length; i++) {
        const struct byw_ptx_instruction *load = &f->code[i];
        struct byw_ptx_symbol *param;

        if (load->parts < 2 || strcmp(load->part[0], "ld") != 0 ||
            strcmp(load->part[1], "param") != 0 || load->operands != 2 ||
            load->operand[1].count != 1 || load->operand[1].list[0].symbol == NULL)
            continue;
        param = load->operand[1].list[0].symbol;
        for (uint32_t k = i; k < f->length && !param->is_pointer; k++) {
            const struct byw_ptx_instruction *cvta = &f->code[k];

            param->is_pointer = cvta->parts > 2 && strcmp(cvta->part[0], "cvta") == 0 &&
                                strcmp(cvta->part[1], "to") == 0 && cvta->operands == 2 &&
                                load->operand[0].symbol != NULL &&
                                cvta->operand[1].symbol == load->operand[0].symbol;
        }
    }
}

/* Binds the parameters: a kernel's scalars become values, all others memory. */
static void bind_params(struct byw_ptx_gen *g, const struct byw_ptx_function *f)
{
    for (uint32_t i = 0; i < f->results; i++)
        f->result[i]->handle = LLVMGetParam(g->value, i);
    for (uint32_t i = 0; i < f->params; i++)
        f->param[i]->handle = LLVMGetParam(g->value, i + (f->entry ? 0 : f->results));
    for (uint32_t i = 0; i < f->locals; i++) {
        LLVMValueRef room = byw_ptx_room(g, byw_ptx_array_of(g, f->local[i]), f->local[i]->name);

        LLVMSetAlignment(room, f->local[i]->align > 8 ? f->local[i]->align : 8);
        f->local[i]->handle = room;
    }
}

static void begin_debug(struct byw_ptx_gen *g, const struct byw_ptx_function *f)
{
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(g->di, g->file, NULL, 0, 0);
    size_t length = strlen(f->name);
    uint32_t line = f->length != 0 ? f->code[0].source_line : 0;

    g->scope = LLVMDIBuilderCreateFunction(g->di, g->file, f->name, length, f->name, length,
                                           g->file, line, type, 0, 1, line, 0, 1);
    g->hidden_scope = LLVMDIBuilderCreateLexicalBlockFile(g->di, g->scope, g->hidden_file, 0);
    LLVMSetSubprogram(g->value, g->scope);
}

static LLVMBasicBlockRef new_block(struct byw_ptx_gen *g)
{
    return LLVMAppendBasicBlockInContext(g->context, g->value, "");
}

static bool is_open(struct byw_ptx_gen *g)
{
    return LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(g->b)) == NULL;
}

/* The call that replaces an unknown instruction. */
static void emit_unknown(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    char name[192];
    LLVMTypeRef type = LLVMFunctionType(g->none, NULL, 0, 0);
    LLVMValueRef function;

    snprintf(name, sizeof(name), "%.120s (PTX line %u)", inst->opcode, inst->line);
    function = LLVMGetNamedFunction(g->module, name);
    if (function == NULL)
        function = LLVMAddFunction(g->module, name, type);
    LLVMBuildCall2(g->b, type, function, NULL, 0, "");
}

static void run_rule(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                     byw_ptx_rule *rule)
{
    byw_ptx_slow(g, inst);
    if ((rule == NULL || !rule(g, inst)) && !byw_ptx_rule_library(g, inst))
        emit_unknown(g, inst);
}

static void emit(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    byw_ptx_rule *rule = byw_ptx_rule_of(inst);
    LLVMBasicBlockRef then, behind;
    LLVMValueRef guard;

    g->inst = inst;
    byw_ptx_hide(g, false);
    if (g->opens)
        byw_ptx_mark(g, BYW_CL_MARK_BLOCK(inst->number));
    g->opens = byw_ptx_ends_block(inst);
    if (inst->guard.symbol == NULL || byw_ptx_takes_guard(rule)) {
        run_rule(g, inst, rule);
        return;
    }
    guard = byw_ptx_value_as(g, &inst->guard, g->i1, false);
    then = new_block(g);
    behind = new_block(g);
    LLVMBuildCondBr(g->b, guard, then, behind);
    LLVMPositionBuilderAtEnd(g->b, then);
    byw_ptx_mark(g, BYW_CL_MARK_GUARDED(inst->number));
    run_rule(g, inst, rule);
    if (is_open(g))
        LLVMBuildBr(g->b, behind);
    LLVMMoveBasicBlockAfter(behind, LLVMGetInsertBlock(g->b));
    LLVMPositionBuilderAtEnd(g->b, behind);
}

/* Creates the labels' blocks in code order.  Every label that is used must be defined. */
static void make_blocks(struct byw_ptx_gen *g, const struct byw_ptx_function *f)
{
    for (uint32_t i = 0; i < f->length; i++)
        if (f->code[i].label != NULL)
            f->code[i].label->handle = new_block(g);
}

static void emit_body(struct byw_ptx_gen *g, const struct byw_ptx_function *f)
{
    for (uint32_t i = 0; i < f->length; i++) {
        const struct byw_ptx_instruction *inst = &f->code[i];

        if (inst->label != NULL) {
            LLVMBasicBlockRef next = inst->label->handle;

            g->opens = true;
            if (is_open(g))
                LLVMBuildBr(g->b, next);
            LLVMMoveBasicBlockAfter(next, LLVMGetInsertBlock(g->b));
            LLVMPositionBuilderAtEnd(g->b, next);
            continue;
        }
        if (!is_open(g)) { /* unreachable code */
            LLVMBasicBlockRef dead = new_block(g);

            LLVMMoveBasicBlockAfter(dead, LLVMGetInsertBlock(g->b));
            LLVMPositionBuilderAtEnd(g->b, dead);
        }
        emit(g, inst);
    }
    if (is_open(g))
        byw_ptx_leave(g, false);
}

static void generate_function(struct byw_ptx_gen *g, const struct byw_ptx_function *f)
{
    LLVMBasicBlockRef first;

    g->function = f;
    g->inst = f->length != 0 ? f->code : NULL;
    g->value = byw_ptx_declare_function(g, f);
    g->carry = g->stack = NULL;
    g->opens = true;
    g->entry = new_block(g);
    LLVMPositionBuilderAtEnd(g->b, g->entry);
    begin_debug(g, f);
    byw_ptx_hide(g, false);
    bind_params(g, f);
    make_blocks(g, f);
    first = new_block(g);
    LLVMMoveBasicBlockAfter(first, g->entry);
    LLVMPositionBuilderAtEnd(g->b, first);
    emit_body(g, f);
    LLVMPositionBuilderAtEnd(g->b, g->entry);
    LLVMBuildBr(g->b, first);
    LLVMDisposeBuilder(g->b);
    g->b = LLVMCreateBuilderInContext(g->context);
}

/* Static shared variables are variables of the IR, which byw_cl_lower() places. */
static void declare_shared(struct byw_ptx_gen *g)
{
    for (uint32_t i = 0; i < g->ptx->variables; i++) {
        struct byw_ptx_symbol *v = g->ptx->variable[i];
        LLVMTypeRef type;

        if (v->space != BYW_PTX_SHARED || v->external || v->count == 0)
            continue;
        type = byw_ptx_array_of(g, v);
        v->handle = LLVMAddGlobalInAddressSpace(g->module, type, v->name, 3);
        LLVMSetInitializer(v->handle, LLVMGetUndef(type));
        LLVMSetLinkage(v->handle, LLVMInternalLinkage);
        LLVMSetAlignment(v->handle, v->align != 0 ? v->align : (v->type.bits + 7u) / 8u);
    }
}

static void set_types(struct byw_ptx_gen *g)
{
    g->i1 = LLVMInt1TypeInContext(g->context);
    g->i8 = LLVMInt8TypeInContext(g->context);
    g->i16 = LLVMInt16TypeInContext(g->context);
    g->i32 = LLVMInt32TypeInContext(g->context);
    g->i64 = LLVMInt64TypeInContext(g->context);
    g->f32 = LLVMFloatTypeInContext(g->context);
    g->f64 = LLVMDoubleTypeInContext(g->context);
    g->none = LLVMVoidTypeInContext(g->context);
}

enum byw_status byw_ptx_generate(struct byw_ptx_gen *g)
{
    enum byw_status status;

    set_types(g);
    g->b = LLVMCreateBuilderInContext(g->context);
    g->di = LLVMCreateDIBuilder(g->module);
    g->file = LLVMDIBuilderCreateFile(g->di, MAIN_FILE, strlen(MAIN_FILE), "", 0);
    g->hidden_file = LLVMDIBuilderCreateFile(g->di, HIDDEN_FILE, strlen(HIDDEN_FILE), "", 0);
    LLVMDIBuilderCreateCompileUnit(g->di, LLVMDWARFSourceLanguageC99, g->file, "byway", 5, 1, "", 0,
                                   0, "", 0, LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "",
                                   0);
    declare_shared(g);
    byw_ptx_find_exits(g->ptx);
    for (uint32_t i = 0; i < g->ptx->functions; i++)
        if (g->ptx->function[i]->entry)
            find_pointers(g->ptx->function[i]);
    for (uint32_t i = 0; i < g->ptx->functions; i++)
        if (g->ptx->function[i]->defined && !g->ptx->function[i]->unwanted)
            generate_function(g, g->ptx->function[i]);
    status = byw_ptx_end_recursion(g);
    LLVMDIBuilderFinalize(g->di);
    LLVMDisposeDIBuilder(g->di);
    LLVMDisposeBuilder(g->b);
    byw_ptx_index_free(g->index);
    g->index = NULL;
    return status;
}
