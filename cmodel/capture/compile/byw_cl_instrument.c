/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the log of byw_cl_code.h to a kernel.  The cursor is kept in a local variable that the host
 * compiler turns into a register; the record holds it only on entry, at barriers and at the end.
 */
#include "capture/compile/byw_cl_loops.h"
#include "capture/compile/byw_cl_transform.h"

struct writer {
    struct byw_cl_module *m;
    const struct byw_cl_unit *unit;
    LLVMBuilderRef b;
    LLVMTypeRef pointer; /* to i64 */
    LLVMValueRef slot; /* the local cursor */
    LLVMValueRef start; /* cursor at the start of the current part */
    LLVMValueRef left; /* the count of iterations; NULL: no loops */
    const struct byw_cl_part *part;
    bool traced;
};

static LLVMValueRef log_word(struct writer *w, uint32_t index)
{
    LLVMValueRef at = LLVMConstInt(w->m->word, index, 0);

    return LLVMBuildInBoundsGEP2(w->b, w->m->word, w->start, &at, 1, "");
}

static void log_address(struct writer *w, const struct byw_cl_node *node, LLVMValueRef pointer,
                        uint8_t cls, uint32_t word)
{
    LLVMValueRef value;

    LLVMPositionBuilderBefore(w->b, node->inst);
    value = LLVMBuildPtrToInt(w->b, pointer, w->m->word, "");
    if (cls == BYW_CLASS_LOCAL_LOAD || cls == BYW_CLASS_LOCAL_STORE)
        value = LLVMBuildSub(w->b, value, byw_cl_record_load(w->m, w->b, BYW_CL_PRIVATE), "");
    LLVMBuildStore(w->b, value, log_word(w, word));
}

static void open_part(struct writer *w, uint32_t part)
{
    w->start = LLVMBuildLoad2(w->b, w->pointer, w->slot, "");
    LLVMBuildStore(w->b, LLVMConstInt(w->m->word, part, 0), log_word(w, 0));
}

/* Writes the cursor back to the record before the lane leaves the kernel: at the end, at a barrier
 * or at a meeting point, which comes before the first instruction of the next part. */
static void close_part(struct writer *w, const struct byw_cl_scan *scan, uint32_t part)
{
    const struct byw_cl_span *span = &scan->part[part];
    const struct byw_cl_node *behind = &scan->node[span->first + span->count];
    bool meets = span->goes_on && span->barrier == 0;
    LLVMValueRef end;

    LLVMPositionBuilderBefore(w->b, meets ? behind->inst : behind[-1].inst);
    end = log_word(w, span->words);
    LLVMBuildStore(w->b, end, w->slot);
    if (meets || behind[-1].kind == BYW_CL_EXIT_NODE || span->barrier != 0)
        byw_cl_record_store(w->m, w->b, BYW_CL_CURSOR,
                            LLVMBuildPtrToInt(w->b, end, w->m->word, ""));
    if (meets)
        byw_cl_call_runtime(w->m, w->b, BYW_CL_MEET, LLVMConstInt(w->m->word, part + 1, 0));
}

static void reload_cursor(struct writer *w)
{
    LLVMValueRef cursor = byw_cl_record_load(w->m, w->b, BYW_CL_CURSOR);

    LLVMBuildStore(w->b, LLVMBuildIntToPtr(w->b, cursor, w->pointer, ""), w->slot);
}

static void instrument_part(struct writer *w, const struct byw_cl_scan *scan, uint32_t part)
{
    const struct byw_cl_span *span = &scan->part[part];
    const struct byw_cl_node *node = &scan->node[span->first], *end = node + span->count;

    while (LLVMGetInstructionOpcode(node->inst) == LLVMPHI ||
           LLVMGetInstructionOpcode(node->inst) == LLVMAlloca)
        node++;
    LLVMPositionBuilderBefore(w->b, node->inst);
    if (w->part[part].waits >= BYW_CL_WAITS_IDLY)
        byw_cl_meter_wait(w->m, w->unit, w->b, part, w->slot);
    else if (w->part[part].latch != w->part[part].order)
        byw_cl_meter_check(w->m, w->b, part, w->left, w->slot);
    if (!w->traced)
        return;
    if (part == 0 || scan->part[part - 1].goes_on)
        reload_cursor(w);
    open_part(w, part);
    for (; node < end; node++) {
        if (node->source_word != 0 && !node->source_known)
            log_address(w, node, node->source, node->source_cls, node->source_word);
        if (node->word != 0 && !node->known)
            log_address(w, node, node->pointer, node->cls, node->word);
    }
    close_part(w, scan, part);
}

/* Counts iterations once per group if the loop's branch is taken once for all work-items. */
static void count_rounds(struct byw_cl_module *m, struct byw_cl_unit *unit, LLVMBuilderRef b,
                         const struct byw_cl_plan *plan, uint32_t head, uint32_t part)
{
    for (uint32_t c = 0; c < plan->graph.blocks; c++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(plan->graph.block[c]);

        if (!byw_cl_is_start(plan, c, BYW_CL_START_CONTROL))
            continue;
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (LLVMGetSuccessor(end, s) == plan->graph.block[head]) {
                if (unit->rounds == NULL)
                    unit->rounds = byw_cl_meter_open(m, unit, b);
                LLVMPositionBuilderBefore(b, end);
                byw_cl_meter_loops(m, b, part, unit->rounds, LLVMConstInt(m->word, 0, 0));
                break;
            }
    }
}

void byw_cl_instrument_loops(struct byw_cl_module *m, struct byw_cl_unit *unit,
                             const struct byw_cl_plan *plan)
{
    const struct byw_cl_code *code = unit->blob;
    const struct byw_cl_part *part = byw_cl_code_at(code, code->part_at);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);

    for (uint32_t p = 0; p < unit->scan.parts; p++) {
        LLVMValueRef inst = unit->scan.node[unit->scan.part[p].first].inst;
        uint32_t head = byw_cl_graph_number(&plan->graph, LLVMGetInstructionParent(inst));

        if (part[p].latch == part[p].order || byw_cl_counts(&unit->scan, part, p))
            continue;
        if (byw_cl_is_start(plan, head, BYW_CL_START_ITEMS)) {
            count_rounds(m, unit, b, plan, head, p);
            continue;
        }
        if (unit->left == NULL)
            unit->left = byw_cl_meter_open(m, unit, b);
        while (LLVMIsAPHINode(inst) != NULL)
            inst = LLVMGetNextInstruction(inst);
        LLVMPositionBuilderBefore(b, inst);
        byw_cl_meter_loops(m, b, p, unit->left, NULL);
    }
    LLVMDisposeBuilder(b);
}

void byw_cl_instrument(struct byw_cl_module *m, struct byw_cl_unit *unit, bool traced)
{
    const struct byw_cl_code *code = unit->blob;
    struct writer w = {.m = m,
                       .unit = unit,
                       .b = LLVMCreateBuilderInContext(m->context),
                       .traced = traced || code->meets};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(unit->function);

    if (code->barriers)
        byw_cl_meter_exits(m, unit); /* must run first, because it looks for blocks that do
                                        nothing */
    w.pointer = LLVMPointerType(m->word, 0);
    w.part = byw_cl_code_at(code, code->part_at);
    if (w.traced) {
        LLVMPositionBuilderBefore(w.b, LLVMGetFirstInstruction(entry));
        w.slot = LLVMBuildAlloca(w.b, w.pointer, "cursor");
    }
    if (code->loops)
        w.left = byw_cl_meter_open(m, unit, w.b);
    for (uint32_t part = 0; part < unit->scan.parts; part++)
        instrument_part(&w, &unit->scan, part);
    LLVMDisposeBuilder(w.b);
}
