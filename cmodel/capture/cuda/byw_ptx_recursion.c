/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds recursive functions and moves their blocks into state machines.
 */
#include "capture/cuda/byw_ptx_recursion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/run/byw_cl_flow.h"
#include "common/byw_array.h"

/* The calls between the functions, as a graph whose node 0 calls all. */
struct calls {
    LLVMValueRef *value; /* function of node i + 1; NULL: not generated */
    const struct byw_ptx_function **f;
    uint32_t count;
    struct byw_cl_map *index;
    uint32_t *first, *to, edges;
    size_t room;
    uint32_t *order, *latch, *at; /* at: the node with each order */
};

static bool add_edges(struct calls *c, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            uint32_t callee = LLVMIsACallInst(i) == NULL
                                  ? UINT32_MAX
                                  : byw_cl_map_get(c->index, LLVMGetCalledValue(i));

            if (callee == UINT32_MAX)
                continue;
            if (!BYW_ARRAY_ROOM(c->to, c->room, c->edges + 1u))
                return false;
            c->to[c->edges++] = callee + 1;
        }
    return true;
}

static bool find_functions(struct byw_ptx_gen *g, struct calls *c)
{
    uint32_t n = g->ptx->functions;

    c->value = calloc(n + 1u, sizeof(LLVMValueRef));
    c->f = calloc(n + 1u, sizeof(*c->f));
    c->index = byw_cl_map_create(n + 1u);
    c->first = calloc(n + 3u, sizeof(*c->first));
    c->order = calloc(n + 2u, sizeof(*c->order));
    c->latch = calloc(n + 2u, sizeof(*c->latch));
    c->at = calloc(2 * (size_t)n + 4u, sizeof(*c->at));
    if (c->value == NULL || c->f == NULL || c->index == NULL || c->first == NULL ||
        c->order == NULL || c->latch == NULL || c->at == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct byw_ptx_function *f = g->ptx->function[i];

        if (f->entry || !f->defined || f->unwanted)
            continue;
        c->f[c->count] = f;
        c->value[c->count] = byw_ptx_declare_function(g, f);
        byw_cl_map_set(c->index, c->value[c->count], c->count);
        c->count++;
    }
    return true;
}

static bool find_edges(struct calls *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (!BYW_ARRAY_ROOM(c->to, c->room, c->edges + 1u))
            return false;
        c->to[c->edges++] = i + 1;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        c->first[i + 1] = c->edges;
        if (!add_edges(c, c->value[i]))
            return false;
    }
    c->first[c->count + 1] = c->edges;
    if (byw_cl_flow_order(c->count + 1, c->first, c->to, c->order, c->latch) != BYW_OK)
        return false;
    for (uint32_t i = 1; i <= c->count; i++)
        c->at[c->order[i]] = i;
    return true;
}

static void free_calls(struct calls *c)
{
    free(c->value);
    free(c->f);
    byw_cl_map_free(c->index);
    free(c->first);
    free(c->to);
    free(c->order);
    free(c->latch);
    free(c->at);
}

/* Makes the location of an instruction one that is inlined at the machine's location. */
static void locate(struct byw_ptx_recursion *r, LLVMValueRef inst)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(inst);

    if (at != NULL)
        LLVMInstructionSetDebugLoc(
            inst, LLVMDIBuilderCreateDebugLocation(r->g->context, LLVMDILocationGetLine(at),
                                                   LLVMDILocationGetColumn(at),
                                                   LLVMDILocationGetScope(at), r->base));
}

/* Gives a parameter or result memory in the machine, in place of the pointer that the function
 * got. */
static void add_param(struct byw_ptx_recursion *r, struct byw_ptx_member *m,
                      const struct byw_ptx_symbol *symbol, LLVMValueRef param)
{
    struct byw_ptx_room *room = &m->room[m->rooms++];
    LLVMTypeRef type = byw_ptx_array_of(r->g, symbol);
    LLVMUseRef use;

    LLVMPositionBuilderAtEnd(r->b, r->entry);
    room->at = LLVMBuildAlloca(r->b, type, "");
    room->bytes = LLVMABISizeOfType(r->layout, type);
    room->align = symbol->align > 16 ? symbol->align : 16;
    LLVMSetAlignment(room->at, room->align);
    while ((use = LLVMGetFirstUse(param)) != NULL) {
        LLVMValueRef user = LLVMGetUser(use), at;

        LLVMPositionBuilderBefore(r->b, user);
        at = LLVMBuildBitCast(r->b, room->at, LLVMTypeOf(param), "");
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == param)
                LLVMSetOperand(user, (unsigned)i, at);
    }
}

static bool is_passing(const struct byw_ptx_function *f, LLVMValueRef room)
{
    for (uint32_t i = 0; i < f->locals; i++)
        if (f->local[i]->handle == room)
            return f->local[i]->space == BYW_PTX_PARAM && f->local[i]->array;
    return false;
}

static uint32_t count_allocas(LLVMBasicBlockRef entry)
{
    uint32_t count = 0;

    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        count += LLVMIsAAllocaInst(i) != NULL;
    return count;
}

/* Moves a function's allocas to the machine's entry. */
static bool move_rooms(struct byw_ptx_recursion *r, struct byw_ptx_member *m)
{
    const struct byw_ptx_function *f = m->f;
    LLVMValueRef next;

    m->room = calloc(f->results + f->params + count_allocas(m->entry) + 1u, sizeof(*m->room));
    if (m->room == NULL)
        return false;
    for (uint32_t i = 0; i < f->results; i++)
        add_param(r, m, f->result[i], LLVMGetParam(m->value, i));
    for (uint32_t i = 0; i < f->params; i++)
        add_param(r, m, f->param[i], LLVMGetParam(m->value, f->results + i));
    for (LLVMValueRef i = LLVMGetFirstInstruction(m->entry); i; i = next) {
        struct byw_ptx_room *room = &m->room[m->rooms];

        next = LLVMGetNextInstruction(i);
        if (LLVMIsAAllocaInst(i) == NULL)
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderAtEnd(r->b, r->entry);
        LLVMInsertIntoBuilder(r->b, i);
        room->at = i;
        room->bytes = LLVMABISizeOfType(r->layout, LLVMGetAllocatedType(i));
        room->align = LLVMGetAlignment(i);
        room->passing = is_passing(f, i);
        m->rooms++;
    }
    return true;
}

static struct byw_ptx_member *callee_of(struct byw_ptx_recursion *r, LLVMValueRef inst)
{
    uint32_t index = LLVMIsACallInst(inst) == NULL
                         ? UINT32_MAX
                         : byw_cl_map_get(r->index, LLVMGetCalledValue(inst));

    return index == UINT32_MAX ? NULL : &r->member[index];
}

/* Moves the code after a call into a separate block. */
static bool split(struct byw_ptx_recursion *r, struct byw_ptx_member *m, LLVMValueRef call)
{
    LLVMBasicBlockRef before = LLVMGetInstructionParent(call);
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(r->g->context, r->machine, "");
    LLVMBuilderRef mover = LLVMCreateBuilderInContext(r->g->context);
    LLVMValueRef inst;

    LLVMPositionBuilderAtEnd(mover, after);
    while ((inst = LLVMGetNextInstruction(call)) != NULL) {
        LLVMInstructionRemoveFromParent(inst);
        LLVMInsertIntoBuilder(mover, inst);
    }
    LLVMPositionBuilderAtEnd(mover, before);
    LLVMBuildBr(mover, after);
    LLVMDisposeBuilder(mover);
    m->block[m->blocks++] = after;
    if (!BYW_ARRAY_ROOM(r->site, r->site_room, r->sites + 1u))
        return false;
    r->site[r->sites++] = (struct byw_ptx_site){
        .call = call, .before = before, .after = after, .caller = m, .callee = callee_of(r, call)};
    return true;
}

static uint32_t count_calls(struct byw_ptx_recursion *r, LLVMValueRef function)
{
    uint32_t count = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            count += callee_of(r, i) != NULL;
    return count;
}

/* Moves a function's code into the machine and splits it at calls of members. */
static bool move_member(struct byw_ptx_recursion *r, struct byw_ptx_member *m)
{
    m->blocks = LLVMCountBasicBlocks(m->value);
    m->block = calloc((size_t)m->blocks + count_calls(r, m->value) + 1u, sizeof(*m->block));
    if (m->block == NULL)
        return false;
    LLVMGetBasicBlocks(m->value, m->block);
    m->entry = m->block[0];
    for (uint32_t b = 0; b < m->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(m->block[b]); i;
             i = LLVMGetNextInstruction(i))
            locate(r, i);
    if (!move_rooms(r, m))
        return false;
    for (uint32_t b = 0; b < m->blocks; b++) {
        LLVMRemoveBasicBlockFromParent(m->block[b]);
        LLVMAppendExistingBasicBlock(r->machine, m->block[b]);
    }
    /* blocks that are split off are appended to the list */
    for (uint32_t b = 0; b < m->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(m->block[b]); i;
             i = LLVMGetNextInstruction(i))
            if (callee_of(r, i) != NULL) {
                if (!split(r, m, i))
                    return false;
                break;
            }
    return true;
}

/* Replaces the body of a member by a call that starts the machine. */
static bool write_wrapper(struct byw_ptx_recursion *r, uint32_t which)
{
    const struct byw_ptx_member *m = &r->member[which];
    uint32_t count = LLVMCountParams(r->machine), own = LLVMCountParams(m->value);
    LLVMValueRef *arg = calloc(count + 1u, sizeof(*arg)), ended;

    if (arg == NULL)
        return false;
    arg[0] = LLVMConstInt(r->g->i32, which, 0);
    for (uint32_t i = 1; i < count; i++)
        arg[i] = i <= own ? LLVMGetParam(m->value, i - 1)
                          : LLVMGetUndef(LLVMTypeOf(LLVMGetParam(r->machine, i)));
    LLVMPositionBuilderAtEnd(r->b, LLVMAppendBasicBlockInContext(r->g->context, m->value, ""));
    LLVMSetCurrentDebugLocation2(
        r->b, LLVMDIBuilderCreateDebugLocation(r->g->context,
                                               m->f->length != 0 ? m->f->code[0].source_line : 0, 0,
                                               LLVMGetSubprogram(m->value), NULL));
    ended = LLVMBuildCall2(r->b, LLVMGlobalGetValueType(r->machine), r->machine, arg, count, "");
    if (m->f->exits)
        LLVMBuildRet(r->b, ended);
    else
        LLVMBuildRetVoid(r->b);
    free(arg);
    return true;
}

/* Declares the machine, with as many pointers as the largest member has. */
static bool declare(struct byw_ptx_recursion *r, uint32_t number)
{
    static const char *const attributes[] = {"alwaysinline", "nounwind"};
    struct byw_ptx_gen *g = r->g;
    LLVMTypeRef *param;
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(g->di, g->file, NULL, 0, 0), scope;
    uint32_t most = 0, line = r->member[0].f->length != 0 ? r->member[0].f->code[0].source_line : 0;
    char name[64];

    for (uint32_t i = 0; i < r->members; i++)
        most =
            LLVMCountParams(r->member[i].value) > most ? LLVMCountParams(r->member[i].value) : most;
    param = calloc(most + 1u, sizeof(*param));
    if (param == NULL)
        return false;
    param[0] = g->i32;
    for (uint32_t i = 1; i <= most; i++)
        param[i] = LLVMPointerType(g->i8, 0);
    snprintf(name, sizeof(name), "recursion %u", number);
    r->machine = LLVMAddFunction(
        g->module, name,
        LLVMFunctionType(r->member[0].f->exits ? g->i1 : g->none, param, most + 1u, 0));
    free(param);
    for (size_t i = 0; i < 2; i++)
        LLVMAddAttributeAtIndex(
            r->machine, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(
                g->context, LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i])),
                0));
    scope = LLVMDIBuilderCreateFunction(g->di, g->file, name, strlen(name), name, strlen(name),
                                        g->file, line, type, 0, 1, line, 0, 1);
    LLVMSetSubprogram(r->machine, scope);
    r->base = LLVMDIBuilderCreateDebugLocation(g->context, line, 0, scope, NULL);
    r->hidden = LLVMDIBuilderCreateDebugLocation(
        g->context, line, 0, LLVMDIBuilderCreateLexicalBlockFile(g->di, scope, g->hidden_file, 0),
        NULL);
    r->entry = LLVMAppendBasicBlockInContext(g->context, r->machine, "");
    LLVMPositionBuilderAtEnd(r->b, r->entry);
    snprintf(name, sizeof(name), BYW_PTX_STACK_PREFIX "%u ", number);
    r->stack = LLVMBuildAlloca(r->b, LLVMArrayType(g->i8, (unsigned)g->stack_room), name);
    return true;
}

static enum byw_status end_one(struct byw_ptx_recursion *r, uint32_t number)
{
    enum byw_status status;

    if (!declare(r, number))
        return BYW_ENOMEM;
    for (uint32_t i = 0; i < r->members; i++)
        if (!move_member(r, &r->member[i]))
            return BYW_ENOMEM;
    status = byw_ptx_rooms_find(r);
    LLVMSetAlignment(r->stack, (unsigned)r->align);
    if (status == BYW_OK)
        status = byw_ptx_machine_write(r);
    if (status == BYW_OK)
        byw_ptx_rooms_place(r);
    for (uint32_t i = 0; i < r->members && status == BYW_OK; i++)
        status = write_wrapper(r, i) ? BYW_OK : BYW_ENOMEM;
    return status;
}

static void release(struct byw_ptx_recursion *r)
{
    for (uint32_t i = 0; i < r->members; i++) {
        free(r->member[i].block);
        free(r->member[i].room);
    }
    for (uint32_t i = 0; i < r->sites; i++) {
        free(r->site[i].save);
        free(r->site[i].at);
    }
    free(r->site);
    free(r->member);
    byw_cl_map_free(r->index);
    LLVMDisposeBuilder(r->b);
}

/* Moves the functions of a cycle into a machine: those whose orders lie between a head's order and
 * its latch. */
static enum byw_status end_cycle(struct byw_ptx_gen *g, const struct calls *c, uint32_t head,
                                 uint32_t number)
{
    struct byw_ptx_recursion r = {.g = g, .layout = LLVMGetModuleDataLayout(g->module)};
    enum byw_status status = BYW_ENOMEM;

    r.b = LLVMCreateBuilderInContext(g->context);
    r.member = calloc(c->latch[head] - c->order[head] + 1u, sizeof(*r.member));
    r.index = byw_cl_map_create(c->latch[head] - c->order[head] + 1u);
    for (uint32_t o = c->order[head]; r.member != NULL && r.index != NULL && o < c->latch[head];
         o++) {
        uint32_t node = c->at[o];

        if (node == 0)
            continue; /* the latch of an inner cycle */
        byw_cl_map_set(r.index, c->value[node - 1], r.members);
        r.member[r.members++] =
            (struct byw_ptx_member){.f = c->f[node - 1], .value = c->value[node - 1]};
    }
    if (r.members != 0)
        status = end_one(&r, number);
    release(&r);
    return status;
}

enum byw_status byw_ptx_end_recursion(struct byw_ptx_gen *g)
{
    struct calls c = {0};
    enum byw_status status = BYW_OK;
    uint32_t number = 0, last = 0;

    if (!find_functions(g, &c) || !find_edges(&c))
        status = BYW_ENOMEM;
    for (uint32_t o = 0; o < 2 * c.count + 2 && status == BYW_OK; o++) {
        uint32_t node = c.at[o];

        if (node == 0 || c.order[node] < last || c.latch[node] == c.order[node])
            continue;
        last = c.latch[node];
        status = end_cycle(g, &c, node, number++);
    }
    free_calls(&c);
    return status == BYW_OK ? BYW_OK : byw_diag_set(g->diag, status, "out of memory");
}
