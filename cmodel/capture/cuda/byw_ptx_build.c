/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptx_build.c - Types, functions, calls and local memory of the generated IR.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

#define SPIR_KERNEL 76u
#define NAME_ROOM 8256 /* longest name that the parser accepts, plus a prefix */

void byw_ptx_hide(struct byw_ptx_gen *g, bool hidden)
{
    uint32_t line = g->inst != NULL ? g->inst->source_line : 0, column = 0;

    if (g->marks != 0 && g->inst != NULL && g->inst->number >= g->marks)
        column = g->inst->number - g->marks + 1;
    LLVMSetCurrentDebugLocation2(g->b, LLVMDIBuilderCreateDebugLocation(
                                           g->context, line, column <= BYW_CL_MARKS ? column : 0,
                                           hidden ? g->hidden_scope : g->scope, NULL));
}

LLVMTypeRef byw_ptx_llvm_type(struct byw_ptx_gen *g, struct byw_ptx_type type)
{
    if (type.kind == 'p')
        return g->i1;
    if (type.kind == 'f' && type.lanes == 1 && type.bits == 32)
        return g->f32;
    if (type.kind == 'f' && type.bits == 64)
        return g->f64;
    return LLVMIntTypeInContext(g->context, type.bits);
}

unsigned byw_ptx_bits(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type) * byw_ptx_bits(LLVMGetElementType(type));
    default:
        return 0;
    }
}

bool byw_ptx_is_plain(const struct byw_ptx_instruction *inst)
{
    static const char *const parts[] = {"ftz", "sat",     "rz",  "rm",        "rp", "cc", "relu",
                                        "NaN", "xorsign", "abs", "satfinite", "rs", "oob"};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (byw_ptx_has(inst, parts[i]))
            return false;
    return true;
}

bool byw_ptx_is_real(struct byw_ptx_type t)
{
    return (t.kind == 'f' && t.lanes == 1 && t.bits >= 32);
}

bool byw_ptx_is_whole(struct byw_ptx_type t)
{
    return t.lanes == 1 && (t.kind == 'u' || t.kind == 's' || t.kind == 'b');
}

LLVMTypeRef byw_ptx_array_of(struct byw_ptx_gen *g, const struct byw_ptx_symbol *symbol)
{
    uint64_t bytes = symbol->count * symbol->vector * ((symbol->type.bits + 7u) / 8u);

    return LLVMArrayType(g->i8, (unsigned)bytes);
}

static bool is_byval(const struct byw_ptx_symbol *param)
{
    return param->array || param->vector != 1;
}

static LLVMTypeRef kernel_type(struct byw_ptx_gen *g, const struct byw_ptx_function *f)
{
    LLVMTypeRef *param = calloc(f->params + 1u, sizeof(*param)), type;

    for (uint32_t i = 0; i < f->params && param != NULL; i++) {
        const struct byw_ptx_symbol *p = f->param[i];

        param[i] = is_byval(p)                           ? LLVMPointerType(g->i8, 0)
                   : p->is_pointer && p->type.bits == 64 ? LLVMPointerType(g->i8, 1)
                                                         : byw_ptx_llvm_type(g, p->type);
    }
    type = LLVMFunctionType(g->none, param, param == NULL ? 0 : f->params, 0);
    free(param);
    return type;
}

static void add_attribute(struct byw_ptx_gen *g, LLVMValueRef function, LLVMAttributeIndex at,
                          const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    if (kind != 0)
        LLVMAddAttributeAtIndex(function, at, LLVMCreateEnumAttribute(g->context, kind, value));
}

LLVMValueRef byw_ptx_declare_function(struct byw_ptx_gen *g, const struct byw_ptx_function *f)
{
    LLVMAttributeIndex own = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    uint32_t count = f->results + f->params;
    char name[NAME_ROOM];
    LLVMValueRef value;

    /* A prefix, so that a program's function cannot have the name of one of ours. */
    snprintf(name, sizeof(name), "%s%s", f->entry ? "" : "function ", f->name);
    value = LLVMGetNamedFunction(g->module, name);
    if (value != NULL)
        return value;
    if (f->entry) {
        value = LLVMAddFunction(g->module, name, kernel_type(g, f));
        LLVMSetFunctionCallConv(value, SPIR_KERNEL);
        for (uint32_t i = 0; i < f->params; i++)
            if (is_byval(f->param[i])) {
                unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
                LLVMTypeRef array = byw_ptx_array_of(g, f->param[i]);

                LLVMAddAttributeAtIndex(value, i + 1,
                                        LLVMCreateTypeAttribute(g->context, kind, array));
                add_attribute(g, value, i + 1, "align",
                              f->param[i]->align == 0 ? 8 : f->param[i]->align);
            }
    } else {
        LLVMTypeRef *param = calloc(count + 1u, sizeof(*param));

        for (uint32_t i = 0; i < count && param != NULL; i++)
            param[i] = LLVMPointerType(g->i8, 0);
        value = LLVMAddFunction(
            g->module, name,
            LLVMFunctionType(f->exits ? g->i1 : g->none, param, param == NULL ? 0 : count, 0));
        add_attribute(g, value, own, "alwaysinline", 0);
        free(param);
    }
    add_attribute(g, value, own, "nounwind", 0);
    return value;
}

LLVMValueRef byw_ptx_room(struct byw_ptx_gen *g, LLVMTypeRef type, const char *name)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMValueRef room, end = LLVMGetBasicBlockTerminator(g->entry);

    if (end != NULL)
        LLVMPositionBuilderBefore(g->b, end);
    else
        LLVMPositionBuilderAtEnd(g->b, g->entry);
    room = LLVMBuildAlloca(g->b, type, name);
    LLVMPositionBuilderAtEnd(g->b, here);
    return room;
}

LLVMValueRef byw_ptx_library_function(struct byw_ptx_gen *g, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(g->module, name), model;

    if (function != NULL)
        return function;
    model = LLVMGetNamedFunction(g->warp, name);
    if (model == NULL || LLVMIsDeclaration(model))
        model = LLVMGetNamedFunction(g->arithmetic, name);
    if (model == NULL || LLVMIsDeclaration(model))
        return NULL;
    return LLVMAddFunction(g->module, name, LLVMGlobalGetValueType(model));
}

LLVMValueRef byw_ptx_call_function(struct byw_ptx_gen *g, LLVMValueRef function, LLVMValueRef *args,
                                   unsigned count)
{
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(function), function, args, count, "");
}

LLVMValueRef byw_ptx_call_library(struct byw_ptx_gen *g, const char *name, LLVMValueRef *args,
                                  unsigned count)
{
    return byw_ptx_call_function(g, byw_ptx_library_function(g, name), args, count);
}

LLVMValueRef byw_ptx_number(struct byw_ptx_gen *g, uint32_t value)
{
    return LLVMConstInt(g->i32, value, 0);
}

void byw_ptx_call_named(struct byw_ptx_gen *g, const char *name)
{
    LLVMTypeRef type = LLVMFunctionType(g->none, NULL, 0, 0);
    LLVMValueRef function = LLVMGetNamedFunction(g->module, name);

    if (function == NULL)
        function = LLVMAddFunction(g->module, name, type);
    LLVMBuildCall2(g->b, type, function, NULL, 0, "");
}
