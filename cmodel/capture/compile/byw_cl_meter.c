/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that lets the runtime stop a work-item: a counter of loop iterations that is checked at
 * every loop's head, a call where a loop that only waits repeats, and, in a kernel with barriers, a
 * record of how a work-item left it.
 *
 * The counter is a local variable, so it costs one decrement and one branch that is never taken.
 * The check is a separate function that the host compiler inlines.
 */
#include <stdlib.h>

#include "capture/compile/byw_cl_transform.h"

static void add_flag(struct byw_cl_module *m, LLVMValueRef function, const char *name,
                     size_t length)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, length);

    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, kind, 0));
}

/* The slow path: passes the cursor, if any, to the runtime, which may change it. */
static void build_stop(struct byw_cl_module *m, LLVMBuilderRef b, unsigned word, LLVMValueRef part,
                       LLVMValueRef cursor)
{
    LLVMTypeRef pointer = LLVMPointerType(m->word, 0);
    LLVMValueRef value;

    if (cursor != NULL) {
        value = LLVMBuildLoad2(b, pointer, cursor, "");
        byw_cl_record_store(m, b, BYW_CL_CURSOR, LLVMBuildPtrToInt(b, value, m->word, ""));
    }
    byw_cl_call_runtime(m, b, word, part);
    if (cursor != NULL) {
        value = LLVMBuildIntToPtr(b, byw_cl_record_load(m, b, BYW_CL_CURSOR), pointer, "");
        LLVMBuildStore(b, value, cursor);
    }
}

/* static void meter(uint64_t *left, uint64_t part, uint64_t **cursor); in a kernel that loops over
 * work-items the last argument is uint64_t linear, the work-item's number */
static LLVMValueRef build_meter(struct byw_cl_module *m, enum byw_cl_meter kind)
{
    LLVMTypeRef pointer = LLVMPointerType(m->word, 0);
    LLVMTypeRef params[3] = {pointer, m->word,
                             kind == BYW_CL_METER_LOOPS ? m->word : LLVMPointerType(pointer, 0)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), params, 3, 0);
    LLVMValueRef meter = LLVMAddFunction(m->module, "byw.meter", type), left;
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, meter, "");
    LLVMBasicBlockRef pause = LLVMAppendBasicBlockInContext(m->context, meter, "");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(m->context, meter, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);

    LLVMSetLinkage(meter, LLVMInternalLinkage);
    add_flag(m, meter, "alwaysinline", 12);
    LLVMPositionBuilderAtEnd(b, entry);
    left = LLVMBuildLoad2(b, m->word, LLVMGetParam(meter, 0), "");
    left = LLVMBuildSub(b, left, LLVMConstInt(m->word, 1, 0), "");
    LLVMBuildStore(b, left, LLVMGetParam(meter, 0));
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, left, LLVMConstInt(m->word, 0, 0), ""), pause,
                    out);
    LLVMPositionBuilderAtEnd(b, pause);
    if (kind == BYW_CL_METER_LOOPS)
        byw_cl_record_store(m, b, BYW_CL_LINEAR, LLVMGetParam(meter, 2));
    build_stop(m, b, BYW_CL_PAUSE, LLVMGetParam(meter, 1),
               kind == BYW_CL_METER_TRACED ? LLVMGetParam(meter, 2) : NULL);
    LLVMBuildStore(b, byw_cl_record_load(m, b, BYW_CL_BUDGET), LLVMGetParam(meter, 0));
    LLVMBuildBr(b, out);
    LLVMPositionBuilderAtEnd(b, out);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return meter;
}

LLVMValueRef byw_cl_meter_open(struct byw_cl_module *m, struct byw_cl_unit *unit, LLVMBuilderRef b)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(unit->function);
    LLVMValueRef left;

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    left = LLVMBuildAlloca(b, m->word, "left");
    LLVMBuildStore(b, byw_cl_record_load(m, b, BYW_CL_BUDGET), left);
    return left;
}

static void call_meter(struct byw_cl_module *m, LLVMBuilderRef b, enum byw_cl_meter kind,
                       LLVMValueRef args[3])
{
    if (m->meter[kind] == NULL)
        m->meter[kind] = build_meter(m, kind);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(m->meter[kind]), m->meter[kind], args, 3, "");
}

void byw_cl_meter_check(struct byw_cl_module *m, LLVMBuilderRef b, uint32_t part, LLVMValueRef left,
                        LLVMValueRef cursor)
{
    LLVMTypeRef place = LLVMPointerType(LLVMPointerType(m->word, 0), 0);
    LLVMValueRef args[3] = {left, LLVMConstInt(m->word, part, 0),
                            cursor != NULL ? cursor : LLVMConstNull(place)};

    call_meter(m, b, cursor != NULL ? BYW_CL_METER_TRACED : BYW_CL_METER_PLAIN, args);
}

static LLVMValueRef ask_linear(struct byw_cl_module *m, LLVMBuilderRef b)
{
    LLVMTypeRef type = LLVMFunctionType(m->word, NULL, 0, 0);
    LLVMValueRef function = LLVMGetNamedFunction(m->module, "byw_cl_linear");

    if (function == NULL)
        function = LLVMAddFunction(m->module, "byw_cl_linear", type);
    type = LLVMGlobalGetValueType(function);
    return LLVMBuildIntCast2(b, LLVMBuildCall2(b, type, function, NULL, 0, ""), m->word, 0, "");
}

void byw_cl_meter_loops(struct byw_cl_module *m, LLVMBuilderRef b, uint32_t part, LLVMValueRef left,
                        LLVMValueRef linear)
{
    LLVMValueRef args[3] = {left, LLVMConstInt(m->word, part, 0),
                            linear != NULL ? linear : ask_linear(m, b)};

    call_meter(m, b, BYW_CL_METER_LOOPS, args);
}

/* static void waiter(uint64_t times, uint64_t part, uint64_t **cursor) */
static LLVMValueRef build_waiter(struct byw_cl_module *m, bool traced)
{
    LLVMTypeRef params[3] = {m->word, m->word, LLVMPointerType(LLVMPointerType(m->word, 0), 0)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), params, 3, 0);
    LLVMValueRef waiter = LLVMAddFunction(m->module, "byw.waiter", type), times, again;
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, waiter, "");
    LLVMBasicBlockRef wait = LLVMAppendBasicBlockInContext(m->context, waiter, "");
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(m->context, waiter, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);

    LLVMSetLinkage(waiter, LLVMInternalLinkage);
    add_flag(m, waiter, "alwaysinline", 12);
    LLVMPositionBuilderAtEnd(b, entry);
    times = LLVMGetParam(waiter, 0);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, times, LLVMConstInt(m->word, 0, 0), ""), out,
                    wait);
    LLVMPositionBuilderAtEnd(b, wait);
    again = LLVMBuildSub(b, times, LLVMConstInt(m->word, 1, 0), "");
    again = LLVMBuildShl(b, again, LLVMConstInt(m->word, 32, 0), "");
    build_stop(m, b, BYW_CL_WAIT, LLVMBuildOr(b, LLVMGetParam(waiter, 1), again, ""),
               traced ? LLVMGetParam(waiter, 2) : NULL);
    LLVMBuildBr(b, out);
    LLVMPositionBuilderAtEnd(b, out);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return waiter;
}

/* Counts the repetitions of the loop: 0, 1, or 2 for more. */
static LLVMValueRef build_times(struct byw_cl_module *m, const struct byw_cl_unit *unit,
                                uint32_t head)
{
    const struct byw_cl_code *code = unit->blob;
    const struct byw_cl_part *part = byw_cl_code_at(code, code->part_at);
    LLVMBasicBlockRef block =
        LLVMGetInstructionParent(unit->scan.node[unit->scan.part[head].first].inst);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMValueRef zero = LLVMConstInt(m->word, 0, 0), times, next, first;

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(block));
    times = LLVMBuildPhi(b, m->word, "");
    first = LLVMGetNextInstruction(times);
    while (LLVMIsAPHINode(first) != NULL)
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(b, first);
    next = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntEQ, times, zero, ""),
                           LLVMConstInt(m->word, 1, 0), LLVMConstInt(m->word, 2, 0), "");
    for (LLVMBasicBlockRef p = LLVMGetFirstBasicBlock(unit->function); p;
         p = LLVMGetNextBasicBlock(p)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p);
        uint32_t order = part[byw_cl_map_get(unit->scan.map, p)].order;
        bool inside = order >= part[head].order && order <= part[head].latch;

        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (LLVMGetSuccessor(end, s) == block)
                LLVMAddIncoming(times, inside ? &next : &zero, &p, 1);
    }
    LLVMDisposeBuilder(b);
    return times;
}

void byw_cl_meter_wait(struct byw_cl_module *m, const struct byw_cl_unit *unit, LLVMBuilderRef b,
                       uint32_t part, LLVMValueRef cursor)
{
    LLVMTypeRef place = LLVMPointerType(LLVMPointerType(m->word, 0), 0);
    LLVMValueRef args[3] = {build_times(m, unit, part), LLVMConstInt(m->word, part, 0),
                            cursor != NULL ? cursor : LLVMConstNull(place)};
    LLVMValueRef *waiter = &m->waiter[cursor != NULL];

    if (*waiter == NULL)
        *waiter = build_waiter(m, cursor != NULL);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(*waiter), *waiter, args, 3, "");
}

/* Whether a block does nothing but return; marks of PTX are not in the code that runs. */
static bool is_bare(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    uint32_t mark;

    while (i != NULL && (LLVMIsAPHINode(i) != NULL || byw_cl_read_mark(i, &mark)))
        i = LLVMGetNextInstruction(i);
    return i != NULL && LLVMIsAReturnInst(i) != NULL;
}

static LLVMValueRef build_early(struct byw_cl_module *m, LLVMBuilderRef b, LLVMBasicBlockRef block,
                                LLVMValueRef function)
{
    LLVMValueRef phi;

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(block));
    phi = LLVMBuildPhi(b, m->word, "");
    for (LLVMBasicBlockRef p = LLVMGetFirstBasicBlock(function); p; p = LLVMGetNextBasicBlock(p)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p);
        unsigned count = LLVMGetNumSuccessors(end);
        LLVMValueRef value = LLVMConstInt(m->word, count > 1, 0);

        for (unsigned s = 0; s < count; s++)
            if (LLVMGetSuccessor(end, s) == block)
                LLVMAddIncoming(phi, &value, &p, 1);
    }
    return phi;
}

void byw_cl_meter_exits(struct byw_cl_module *m, struct byw_cl_unit *unit)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(unit->function);

    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(unit->function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block), early;

        if (LLVMIsAReturnInst(end) == NULL)
            continue;
        early = block != entry && is_bare(block) ? build_early(m, b, block, unit->function)
                                                 : LLVMConstInt(m->word, 0, 0);
        LLVMPositionBuilderBefore(b, end);
        byw_cl_record_store(m, b, BYW_CL_EARLY, early);
    }
    LLVMDisposeBuilder(b);
}
