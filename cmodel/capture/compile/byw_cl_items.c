/* SPDX-License-Identifier: Apache-2.0
 *
 * Rewrites a kernel as work-item loops, one around each parallel region that byw_cl_regions.c has
 * planned. The terms are pocl's.
 *
 * The first block computes the values that are uniform across work-items. The work-item loop of a
 * region:
 *
 *     enter:  z = linear = 0      plane:  y = 0      row:  x = 0
 *     item:   next work-item if this one has left
 *     run:    values that the region needs from earlier ones; then its blocks
 *     latch:  x++, linear++, to item    row_end:  y++, to row    plane_end:  z++, to plane
 *     exit:   to the next region
 *
 * Values that live across regions are stored in context arrays: one per value, with an element for
 * each work-item.
 *
 * Loops and values are in one file because they share most of struct items.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_loops.h"
#include "common/byw_array.h"

#define DEPTH 8 /* operations that are recomputed in each region rather than stored */
#define PRIVATE_ALIGN 128u /* must equal the alignment in byw_cl_runner_equip() */
#define CONTEXT_ALIGN 16u

enum { X, Y, Z, LINEAR, COUNTERS };
enum { RUNS, LEFT, SLEEPS }; /* state of a work-item */

/* The work-item loop of a parallel region; control blocks have none. */
struct item_loop {
    LLVMBasicBlockRef enter, item, run, latch, exit, left, slept;
    LLVMValueRef id[COUNTERS]; /* the counters' values in the block `item` */
    bool copies; /* the block `enter` copies the work-items' flags */
    bool wakes; /* sleeping work-items wake up before this loop */
};

/* Where a value that crosses regions is stored: in `once`, or in a context array, which begins
 * `offset` bytes per work-item into the context. */
struct slot {
    LLVMValueRef once;
    LLVMTypeRef type;
    uint64_t offset, bytes;
};

struct items {
    struct byw_cl_module *m;
    struct byw_cl_unit *unit;
    struct byw_cl_plan *plan;
    LLVMBuilderRef b;
    LLVMBasicBlockRef prelude;
    LLVMValueRef prelude_end;
    LLVMValueRef size[3], count, context, rounded, budget, private_base;
    LLVMValueRef counter[COUNTERS];
    LLVMValueRef running, present; /* work-items that run; that have not left */
    struct item_loop *loop; /* of a region's start, by its number */
    struct slot *slot;
    uint32_t slots;
    size_t room;
    /* block before a region's loops -> block in which the region starts */
    struct byw_cl_map *enters;
    struct byw_cl_map *slot_of; /* value -> slot */
    struct byw_cl_map *placed; /* private array -> its offset */
    /* the region being rewritten */
    struct byw_cl_map *replaced; /* value -> index of its replacement in the region */
    LLVMValueRef *replacement;
    uint32_t replacements;
    /* of all regions */
    struct byw_cl_map *original_of; /* replacement -> index of the original value */
    LLVMValueRef *original;
    uint32_t originals;
    size_t original_room;
    uint64_t private_bytes, context_bytes;
    LLVMValueRef done; /* per work-item: runs, has left or sleeps */
    LLVMValueRef before; /* a copy of `done`, taken on entry to regions in which work-items leave or
                            fall asleep */
    LLVMValueRef *dropped; /* instructions to delete at the end */
    size_t drops, drop_room;
    LLVMValueRef group; /* metadata: accesses of different work-items do not alias */
};

/* Removes an instruction. It is deleted at the end: the maps know values by their addresses, which
 * LLVM would reuse for new instructions. */
static void drop(struct items *t, LLVMValueRef inst)
{
    LLVMInstructionRemoveFromParent(inst);
    if (BYW_ARRAY_ROOM(t->dropped, t->drop_room, t->drops + 1))
        t->dropped[t->drops++] = inst;
}

static void delete_dropped(struct items *t)
{
    for (size_t i = 0; i < t->drops; i++)
        if (LLVMGetFirstUse(t->dropped[i]) != NULL)
            LLVMReplaceAllUsesWith(t->dropped[i], LLVMGetUndef(LLVMTypeOf(t->dropped[i])));
    for (size_t i = 0; i < t->drops; i++)
        LLVMDeleteInstruction(t->dropped[i]);
    free(t->dropped);
}

static LLVMValueRef number(const struct items *t, uint64_t value)
{
    return LLVMConstInt(t->m->word, value, 0);
}

static LLVMBasicBlockRef new_block(const struct items *t)
{
    return LLVMAppendBasicBlockInContext(t->m->context, t->plan->graph.function, "");
}

static LLVMValueRef byte_at(const struct items *t, LLVMValueRef base, LLVMValueRef offset)
{
    return LLVMBuildInBoundsGEP2(t->b, LLVMInt8TypeInContext(t->m->context), base, &offset, 1, "");
}

/* Number of the region to which a value belongs; BYW_CL_NONE: it is available everywhere. */
static uint32_t region_of(const struct items *t, LLVMValueRef value)
{
    LLVMBasicBlockRef parent;
    uint32_t block;

    if (LLVMIsAInstruction(value) == NULL)
        return BYW_CL_NONE;
    parent = LLVMGetInstructionParent(value);
    block = byw_cl_graph_number(&t->plan->graph, parent);
    return block == UINT32_MAX ? byw_cl_map_get(t->enters, parent) : t->plan->region[block];
}

/* Whether a value belongs to the work-item itself and is available in every region. */
static bool is_of_item(const struct items *t, LLVMValueRef value)
{
    enum byw_cl_query query = byw_cl_query_of(value);

    return query == BYW_CL_QUERY_LOCAL || query == BYW_CL_QUERY_LINEAR ||
           byw_cl_map_get(t->placed, value) != UINT32_MAX;
}

/* Whether an operation is uniform and its operands are available before all regions. */
static bool can_hoist(const struct items *t, LLVMValueRef inst)
{
    if (byw_cl_query_of(inst) != BYW_CL_QUERY_GROUP && !byw_cl_is_pure(inst))
        return false;
    if (byw_cl_differs(&t->plan->uniform, inst))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(inst); i++)
        if (region_of(t, LLVMGetOperand(inst, (unsigned)i)) != BYW_CL_NONE)
            return false;
    return true;
}

/* Moves the operations for which can_hoist() is true before all regions. */
static void hoist_uniform(struct items *t)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < t->plan->graph.blocks; b++) {
            LLVMValueRef next;

            for (LLVMValueRef i = LLVMGetFirstInstruction(t->plan->graph.block[b]); i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (!can_hoist(t, i))
                    continue;
                LLVMInstructionRemoveFromParent(i);
                LLVMPositionBuilderBefore(t->b, t->prelude_end);
                LLVMInsertIntoBuilder(t->b, i);
                changed = true;
            }
        }
    }
}

static void open_prelude(struct items *t)
{
    struct byw_cl_module *m = t->m;
    LLVMTypeRef byte = LLVMPointerType(LLVMInt8TypeInContext(m->context), 0);
    LLVMValueRef mask;

    t->prelude = LLVMInsertBasicBlockInContext(m->context, t->plan->graph.block[0], "");
    LLVMPositionBuilderAtEnd(t->b, t->prelude);
    for (int c = 0; c < COUNTERS; c++)
        t->counter[c] = LLVMBuildAlloca(t->b, m->word, "");
    t->running = LLVMBuildAlloca(t->b, m->word, "");
    t->present = LLVMBuildAlloca(t->b, m->word, "");
    for (unsigned d = 0; d < 3; d++)
        t->size[d] = byw_cl_record_load(m, t->b, BYW_CL_OWN_SIZE + d);
    t->count = LLVMBuildMul(t->b, LLVMBuildMul(t->b, t->size[0], t->size[1], ""), t->size[2], "");
    mask = number(t, ~(uint64_t)(CONTEXT_ALIGN - 1));
    t->rounded = LLVMBuildAdd(t->b, t->count, number(t, CONTEXT_ALIGN - 1), "");
    t->rounded = LLVMBuildAnd(t->b, t->rounded, mask, "");
    t->context = LLVMBuildIntToPtr(t->b, byw_cl_record_load(m, t->b, BYW_CL_KEPT), byte, "");
    t->private_base =
        LLVMBuildIntToPtr(t->b, byw_cl_record_load(m, t->b, BYW_CL_PRIVATE), byte, "");
    t->budget = byw_cl_record_load(m, t->b, BYW_CL_BUDGET);
    LLVMBuildStore(t->b, t->count, t->running);
    LLVMBuildStore(t->b, t->count, t->present);
    if (t->unit->rounds != NULL)
        LLVMBuildStore(t->b, t->budget, t->unit->rounds);
    t->prelude_end = LLVMBuildUnreachable(t->b); /* until the regions are created */
}

/* Gives private arrays (except the iteration counter) places in the work-item's memory. */
static void place_arrays(struct items *t)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(t->m->module);
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(t->plan->graph.block[0]); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAAllocaInst(i) == NULL)
            continue;
        if (i == t->unit->left || i == t->unit->rounds) {
            LLVMInstructionRemoveFromParent(i);
            LLVMPositionBuilderBefore(t->b, LLVMGetFirstInstruction(t->prelude));
            LLVMInsertIntoBuilder(t->b, i);
            continue;
        }
        byw_cl_map_set(t->placed, i, byw_cl_place_array(t->unit, layout, i));
    }
    t->private_bytes = (t->unit->private_bytes + PRIVATE_ALIGN - 1) / PRIVATE_ALIGN * PRIVATE_ALIGN;
}

static void count_up(struct items *t, int counter, LLVMBasicBlockRef to, LLVMBasicBlockRef out)
{
    LLVMValueRef value = LLVMBuildLoad2(t->b, t->m->word, t->counter[counter], "");

    value = LLVMBuildNUWAdd(t->b, value, number(t, 1), "");
    LLVMBuildStore(t->b, value, t->counter[counter]);
    if (to != NULL)
        LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntULT, value, t->size[counter], ""), to,
                        out);
}

static void count_down(struct items *t, LLVMValueRef counter)
{
    LLVMValueRef value = LLVMBuildLoad2(t->b, t->m->word, counter, "");

    LLVMBuildStore(t->b, LLVMBuildSub(t->b, value, number(t, 1), ""), counter);
}

static LLVMValueRef flag_of(const struct items *t, unsigned state)
{
    return LLVMConstInt(LLVMInt8TypeInContext(t->m->context), state, 0);
}

/* Marks and counts a work-item that leaves or falls asleep. */
static LLVMBasicBlockRef build_stop(struct items *t, const struct item_loop *f, unsigned state)
{
    LLVMBasicBlockRef block = new_block(t);

    LLVMPositionBuilderAtEnd(t->b, block);
    LLVMBuildStore(t->b, flag_of(t, state), byte_at(t, t->done, f->id[LINEAR]));
    count_down(t, t->running);
    if (state == LEFT)
        count_down(t, t->present);
    LLVMBuildBr(t->b, f->latch);
    return block;
}

/* The head of a work-item's iteration, which is skipped for those that have left or sleep. */
static void build_item_head(struct items *t, struct item_loop *f, uint32_t start)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(t->m->context);

    LLVMPositionBuilderAtEnd(t->b, f->item);
    for (int c = 0; c < COUNTERS; c++)
        f->id[c] = LLVMBuildLoad2(t->b, t->m->word, t->counter[c], "");
    if (t->done != NULL) {
        LLVMValueRef at = byte_at(t, t->done, f->id[LINEAR]), flag;

        flag = LLVMBuildLoad2(t->b, byte, at, "");
        flag = f->wakes ? LLVMBuildICmp(t->b, LLVMIntEQ, flag, flag_of(t, LEFT), "")
                        : LLVMBuildICmp(t->b, LLVMIntNE, flag, flag_of(t, RUNS), "");
        LLVMBuildCondBr(t->b, flag, f->latch, f->run);
        LLVMPositionBuilderAtEnd(t->b, f->run);
        if (f->wakes)
            LLVMBuildStore(t->b, flag_of(t, RUNS), at);
    }
    if (t->unit->left != NULL)
        LLVMBuildStore(t->b, t->budget, t->unit->left);
    LLVMBuildBr(t->b, t->plan->graph.block[start]);
}

static void build_item_loop(struct items *t, uint32_t start)
{
    struct item_loop *f = &t->loop[start];
    LLVMBasicBlockRef plane = new_block(t), row = new_block(t), row_end, plane_end;

    f->enter = new_block(t);
    byw_cl_map_set(t->enters, f->enter, start);
    f->item = new_block(t);
    f->run = t->done != NULL ? new_block(t) : f->item;
    f->latch = new_block(t);
    row_end = new_block(t);
    plane_end = new_block(t);
    f->exit = new_block(t);
    LLVMPositionBuilderAtEnd(t->b, f->enter);
    LLVMBuildStore(t->b, number(t, 0), t->counter[Z]);
    LLVMBuildStore(t->b, number(t, 0), t->counter[LINEAR]);
    if (f->wakes)
        LLVMBuildStore(t->b, LLVMBuildLoad2(t->b, t->m->word, t->present, ""), t->running);
    LLVMBuildBr(t->b, plane);
    LLVMPositionBuilderAtEnd(t->b, plane);
    LLVMBuildStore(t->b, number(t, 0), t->counter[Y]);
    LLVMBuildBr(t->b, row);
    LLVMPositionBuilderAtEnd(t->b, row);
    LLVMBuildStore(t->b, number(t, 0), t->counter[X]);
    LLVMBuildBr(t->b, f->item);
    build_item_head(t, f, start);
    LLVMPositionBuilderAtEnd(t->b, f->latch);
    count_up(t, LINEAR, NULL, NULL);
    count_up(t, X, f->item, row_end);
    byw_cl_mark_loop(t->m, t->group, LLVMGetBasicBlockTerminator(f->latch));
    LLVMPositionBuilderAtEnd(t->b, row_end);
    count_up(t, Y, row, plane_end);
    LLVMPositionBuilderAtEnd(t->b, plane_end);
    count_up(t, Z, plane, f->exit);
}

/* The block to which control jumps to enter the region that starts at a block. */
static LLVMBasicBlockRef entry_of(const struct items *t, uint32_t start)
{
    return t->loop[start].enter != NULL ? t->loop[start].enter : t->plan->graph.block[start];
}

/* Branches to a block when none of the counted work-items remain; the builder continues in the
 * other case. */
static void exit_if_none(struct items *t, LLVMValueRef counter, LLVMBasicBlockRef to)
{
    LLVMValueRef none = LLVMBuildLoad2(t->b, t->m->word, counter, "");
    LLVMBasicBlockRef on = new_block(t);

    none = LLVMBuildICmp(t->b, LLVMIntEQ, none, number(t, 0), "");
    LLVMBuildCondBr(t->b, none, to, on);
    LLVMPositionBuilderAtEnd(t->b, on);
}

static void build_exit(struct items *t, uint32_t start)
{
    struct item_loop *f = &t->loop[start];
    LLVMBasicBlockRef over = NULL;

    LLVMPositionBuilderAtEnd(t->b, f->exit);
    if (t->plan->next[start] == BYW_CL_NONE) {
        LLVMBuildRetVoid(t->b);
        return;
    }
    if (f->left != NULL) {
        over = new_block(t);
        exit_if_none(t, t->present, over);
    }
    if (f->slept != NULL)
        exit_if_none(t, t->running, entry_of(t, t->plan->wake[start]));
    LLVMBuildBr(t->b, entry_of(t, t->plan->next[start]));
    if (over != NULL) {
        LLVMPositionBuilderAtEnd(t->b, over);
        LLVMBuildRetVoid(t->b);
    }
}

/* Allocates memory for a value; `differs`: one element per work-item. */
static struct slot *new_slot(struct items *t, LLVMTypeRef type, bool differs)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(t->m->module);
    struct slot *slot;

    if (!BYW_ARRAY_ROOM(t->slot, t->room, t->slots + 1))
        return NULL;
    slot = &t->slot[t->slots++];
    memset(slot, 0, sizeof(*slot));
    slot->type = type;
    if (differs) {
        slot->bytes = LLVMABISizeOfType(layout, type);
        slot->offset = t->context_bytes;
        t->context_bytes += slot->bytes;
    } else {
        LLVMPositionBuilderBefore(t->b, LLVMGetFirstInstruction(t->prelude));
        slot->once = LLVMBuildAlloca(t->b, type, "");
    }
    return slot;
}

/* Address of a work-item's element; the builder is in the region. */
static LLVMValueRef slot_address(struct items *t, const struct slot *slot, uint32_t region)
{
    LLVMValueRef at;

    if (slot->once != NULL)
        return slot->once;
    at = byte_at(t, t->context, LLVMBuildMul(t->b, t->rounded, number(t, slot->offset), ""));
    at = byte_at(t, at, LLVMBuildMul(t->b, t->loop[region].id[LINEAR], number(t, slot->bytes), ""));
    return LLVMBuildBitCast(t->b, at, LLVMPointerType(slot->type, 0), "");
}

static void limit_alignment(LLVMValueRef access)
{
    if (LLVMGetAlignment(access) > CONTEXT_ALIGN)
        LLVMSetAlignment(access, CONTEXT_ALIGN);
}

static void build_store(struct items *t, const struct slot *slot, uint32_t region,
                        LLVMValueRef value)
{
    limit_alignment(LLVMBuildStore(t->b, value, slot_address(t, slot, region)));
}

static LLVMValueRef build_load(struct items *t, const struct slot *slot, uint32_t region)
{
    LLVMValueRef load = LLVMBuildLoad2(t->b, slot->type, slot_address(t, slot, region), "");

    limit_alignment(load);
    return load;
}

/* The block at whose end values for an edge from `from` are stored: for a control block, its
 * predecessor. */
static LLVMBasicBlockRef incoming_end(const struct items *t, LLVMBasicBlockRef from)
{
    const struct byw_cl_graph *graph = &t->plan->graph;
    uint32_t control = byw_cl_graph_number(graph, from);

    if (!byw_cl_is_start(t->plan, control, BYW_CL_START_CONTROL))
        return from;
    for (uint32_t b = 0; b < graph->blocks; b++)
        for (unsigned s = 0; s < byw_cl_graph_successors(graph, b); s++)
            if (byw_cl_graph_successor(graph, b, s) == control)
                return graph->block[b];
    return from;
}

/* Replaces a phi at the start of a region: its values are stored at the ends of the incoming edges.
 * A uniform value is read before the work-items' loops, because one of them may change it. */
static enum byw_status store_phi(struct items *t, uint32_t start, LLVMValueRef phi)
{
    bool differs = byw_cl_differs(&t->plan->uniform, phi);
    struct slot *slot = new_slot(t, LLVMTypeOf(phi), differs);
    LLVMValueRef first = LLVMGetFirstInstruction(t->plan->graph.block[start]), value;

    if (slot == NULL)
        return BYW_ENOMEM;
    while (LLVMIsAPHINode(first) != NULL)
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(t->b,
                              differs ? first : LLVMGetBasicBlockTerminator(t->loop[start].enter));
    value = build_load(t, slot, start);
    if (differs)
        byw_cl_map_set(t->plan->uniform.differs, value, 1);
    LLVMReplaceAllUsesWith(phi, value);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = incoming_end(t, LLVMGetIncomingBlock(phi, i));
        uint32_t region = t->plan->region[byw_cl_graph_number(&t->plan->graph, from)];

        LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(from));
        build_store(t, slot, region, LLVMGetIncomingValue(phi, i));
    }
    return BYW_OK;
}

/* Replaces all phis first and removes them later, because the value of one phi may be stored for
 * another. */
static enum byw_status store_phis(struct items *t)
{
    for (uint32_t b = 0; b < t->plan->graph.blocks; b++) {
        LLVMValueRef next, i = LLVMGetFirstInstruction(t->plan->graph.block[b]);

        if (!byw_cl_is_start(t->plan, b, BYW_CL_START_ITEMS))
            continue;
        for (; LLVMIsAPHINode(i) != NULL; i = LLVMGetNextInstruction(i))
            if (store_phi(t, b, i) != BYW_OK)
                return BYW_ENOMEM;
        for (i = LLVMGetFirstInstruction(t->plan->graph.block[b]); LLVMIsAPHINode(i) != NULL;
             i = next) {
            next = LLVMGetNextInstruction(i);
            drop(t, i);
        }
    }
    return BYW_OK;
}

/* The slot of a value that other regions need; it is filled where the value is computed. */
static struct slot *slot_for(struct items *t, LLVMValueRef value)
{
    uint32_t known = byw_cl_map_get(t->slot_of, value);
    LLVMValueRef behind = LLVMGetNextInstruction(value);
    struct slot *slot;

    if (known != UINT32_MAX)
        return &t->slot[known];
    slot = new_slot(t, LLVMTypeOf(value), byw_cl_differs(&t->plan->uniform, value));
    if (slot == NULL)
        return NULL;
    byw_cl_map_set(t->slot_of, value, t->slots - 1);
    while (LLVMIsAPHINode(behind) != NULL)
        behind = LLVMGetNextInstruction(behind);
    LLVMPositionBuilderBefore(t->b, behind);
    build_store(t, slot, region_of(t, value), value);
    return slot;
}

/* An operand as it was before the region of its instruction was rewritten. */
static LLVMValueRef operand_of(const struct items *t, LLVMValueRef inst, int i)
{
    LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);
    uint32_t known = byw_cl_map_get(t->original_of, operand);

    return known == UINT32_MAX ? operand : t->original[known];
}

/* Whether a value may change while work-items sleep. */
static bool changes_asleep(const struct items *t, LLVMValueRef value)
{
    uint32_t block = byw_cl_graph_number(&t->plan->graph, LLVMGetInstructionParent(value));

    return block != UINT32_MAX && t->plan->uniform.asleep[block] != BYW_CL_NONE;
}

/* Whether a value is cheap to recompute from values that every region has. */
static bool is_cheap(const struct items *t, LLVMValueRef value, int depth)
{
    if (region_of(t, value) == BYW_CL_NONE || is_of_item(t, value))
        return true;
    /* it is stored once, but the stored value may be newer than the one that sleepers must see */
    if (!byw_cl_differs(&t->plan->uniform, value))
        return depth < DEPTH && !changes_asleep(t, value);
    if (depth == 0 || !byw_cl_is_pure(value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (!is_cheap(t, operand_of(t, value, i), depth - 1))
            return false;
    return true;
}

/* Emits a query about the work-item itself, or the address of its private array. */
static LLVMValueRef item_value(struct items *t, LLVMValueRef value, uint32_t region)
{
    const struct item_loop *f = &t->loop[region];
    LLVMValueRef result;
    uint64_t dimension;

    if (byw_cl_query_of(value) == BYW_CL_QUERY_LINEAR)
        return LLVMBuildIntCast2(t->b, f->id[LINEAR], LLVMTypeOf(value), 0, "");
    if (byw_cl_query_of(value) == BYW_CL_QUERY_NONE) {
        result = LLVMBuildMul(t->b, f->id[LINEAR], number(t, t->private_bytes), "");
        result = LLVMBuildAdd(t->b, result, number(t, byw_cl_map_get(t->placed, value)), "");
        return LLVMBuildBitCast(t->b, byte_at(t, t->private_base, result), LLVMTypeOf(value), "");
    }
    dimension = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 0));
    result = dimension <= Z ? f->id[dimension] : number(t, 0);
    return LLVMBuildIntCast2(t->b, result, LLVMTypeOf(value), 0, "");
}

static LLVMValueRef replacement_for(struct items *t, LLVMValueRef value, uint32_t region);

static LLVMValueRef recompute(struct items *t, LLVMValueRef value, uint32_t region)
{
    LLVMValueRef copy = LLVMInstructionClone(value);
    LLVMBasicBlockRef run = t->loop[region].run;

    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        LLVMValueRef operand = replacement_for(t, operand_of(t, value, i), region);

        if (operand == NULL)
            return NULL;
        LLVMSetOperand(copy, (unsigned)i, operand);
    }
    LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(run));
    LLVMInsertIntoBuilder(t->b, copy);
    return copy;
}

/* Where to read values that a region needs from other regions: before its blocks, or before its
 * loops if the values are uniform. */
static LLVMValueRef place_of(const struct items *t, uint32_t region, bool differs)
{
    const struct item_loop *f = &t->loop[region];
    LLVMBasicBlockRef block = f->run == NULL ? t->plan->graph.block[region]
                              : differs      ? f->run
                                             : f->enter;

    return LLVMGetBasicBlockTerminator(block);
}

static bool note_replacement(struct items *t, LLVMValueRef value, LLVMValueRef replacement)
{
    byw_cl_map_set(t->replaced, value, t->replacements);
    t->replacement[t->replacements++] = replacement;
    if (!BYW_ARRAY_ROOM(t->original, t->original_room, t->originals + 1))
        return false;
    byw_cl_map_set(t->original_of, replacement, t->originals);
    t->original[t->originals++] = value;
    return true;
}

/* The replacement, in this region, for a value of another region; NULL if memory runs out. */
static LLVMValueRef replacement_for(struct items *t, LLVMValueRef value, uint32_t region)
{
    uint32_t known = byw_cl_map_get(t->replaced, value), from = region_of(t, value);
    LLVMValueRef replacement;

    if (from == BYW_CL_NONE || (from == region && !is_of_item(t, value)))
        return value;
    if (known != UINT32_MAX)
        return t->replacement[known];
    if (is_of_item(t, value)) {
        LLVMPositionBuilderBefore(t->b, place_of(t, region, true));
        replacement = item_value(t, value, region);
    } else if (t->loop[region].run != NULL && byw_cl_differs(&t->plan->uniform, value) &&
               is_cheap(t, value, DEPTH)) {
        replacement = recompute(t, value, region);
    } else {
        struct slot *slot = slot_for(t, value);

        if (slot == NULL)
            return NULL;
        LLVMPositionBuilderBefore(t->b, place_of(t, region, slot->once == NULL));
        replacement = build_load(t, slot, region);
    }
    return replacement != NULL && note_replacement(t, value, replacement) ? replacement : NULL;
}

/* The region in which an operand is used. A phi uses its operands at the end of the incoming
 * block. */
static uint32_t region_of_use(const struct items *t, LLVMValueRef user, unsigned operand)
{
    if (LLVMIsAPHINode(user) == NULL)
        return region_of(t, user);
    return t->plan
        ->region[byw_cl_graph_number(&t->plan->graph, LLVMGetIncomingBlock(user, operand))];
}

/* Replaces the operands of an instruction that come from other regions. */
static enum byw_status rewrite_uses(struct items *t, LLVMValueRef user, uint32_t region)
{
    int operands =
        LLVMIsAPHINode(user) != NULL ? (int)LLVMCountIncoming(user) : LLVMGetNumOperands(user);

    for (int i = 0; i < operands; i++) {
        LLVMValueRef operand = LLVMGetOperand(user, (unsigned)i), replacement;

        if (LLVMIsAInstruction(operand) == NULL || region_of_use(t, user, (unsigned)i) != region)
            continue;
        replacement = replacement_for(t, operand, region);
        if (replacement == NULL)
            return BYW_ENOMEM;
        if (replacement != operand)
            LLVMSetOperand(user, (unsigned)i, replacement);
    }
    return BYW_OK;
}

/* Hoists uniform values out of a region's loops over the work-items. */
static void hoist_from_loop(struct items *t, uint32_t start)
{
    LLVMBasicBlockRef enter = t->loop[start].enter;

    for (uint32_t b = 0; b < t->plan->graph.blocks; b++) {
        LLVMValueRef next, i = LLVMGetFirstInstruction(t->plan->graph.block[b]);

        for (; t->plan->region[b] == start && i; i = next) {
            bool ready = byw_cl_can_move(i) && !byw_cl_differs(&t->plan->uniform, i);

            next = LLVMGetNextInstruction(i);
            for (int k = 0; ready && k < LLVMGetNumOperands(i); k++) {
                LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);

                ready = LLVMIsAInstruction(operand) == NULL ||
                        LLVMGetInstructionParent(operand) == enter ||
                        LLVMGetInstructionParent(operand) == t->prelude;
            }
            if (!ready)
                continue;
            LLVMInstructionRemoveFromParent(i);
            LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(enter));
            LLVMInsertIntoBuilder(t->b, i);
        }
    }
}

static enum byw_status rewrite_region(struct items *t, uint32_t start, size_t values)
{
    enum byw_status status = BYW_OK;

    t->replaced = byw_cl_map_create(values);
    t->replacement = calloc(values + 1u, sizeof(*t->replacement));
    t->replacements = 0;
    if (t->replaced == NULL || t->replacement == NULL)
        status = BYW_ENOMEM;
    for (uint32_t b = 0; b < t->plan->graph.blocks && status == BYW_OK; b++) {
        if (t->plan->region[b] != start)
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->plan->graph.block[b]);
             i && status == BYW_OK; i = LLVMGetNextInstruction(i))
            if (!is_of_item(t, i))
                status = rewrite_uses(t, i, start);
    }
    byw_cl_map_free(t->replaced);
    free(t->replacement);
    return status;
}

/* An edge that leaves the region ends the work-item's iteration. */
static void rewrite_edges(struct items *t, uint32_t block)
{
    struct byw_cl_plan *plan = t->plan;
    uint32_t start = plan->region[block];
    struct item_loop *f = &t->loop[start];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(plan->graph.block[block]);

    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        uint32_t to = byw_cl_graph_number(&plan->graph, LLVMGetSuccessor(end, s));

        if (f->enter == NULL)
            LLVMSetSuccessor(end, s, entry_of(t, to));
        else if (byw_cl_leaves(plan, block, to))
            LLVMSetSuccessor(end, s, f->left);
        else if (byw_cl_sleeps(plan, block, to))
            LLVMSetSuccessor(end, s, f->slept);
        else if (byw_cl_map_get(plan->start, plan->graph.block[to]) != UINT32_MAX)
            LLVMSetSuccessor(end, s, f->latch);
    }
}

static void rewrite_return(struct items *t, uint32_t block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(t->plan->graph.block[block]);

    if (LLVMIsAReturnInst(end) == NULL)
        return;
    LLVMPositionBuilderBefore(t->b, end);
    LLVMBuildBr(t->b, t->loop[t->plan->region[block]].latch);
    drop(t, end);
}

static bool region_leaves(const struct byw_cl_plan *plan, uint32_t start)
{
    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        for (unsigned s = 0;
             plan->region[b] == start && s < byw_cl_graph_successors(&plan->graph, b); s++)
            if (byw_cl_leaves(plan, b, byw_cl_graph_successor(&plan->graph, b, s)))
                return true;
    return false;
}

/* The flags of the work-items are the first array of the context, their copy the second; initially
 * all run. */
static void clear_flags(struct items *t)
{
    LLVMPositionBuilderBefore(t->b, t->prelude_end);
    t->done = t->context;
    t->before = byte_at(t, t->context, t->rounded);
    t->context_bytes = 2;
    LLVMBuildMemSet(t->b, t->done, flag_of(t, RUNS), t->count, 1);
}

/* Removes the phis, and their incoming edges, of blocks that only return. */
static void drop_dead_phis(struct items *t)
{
    for (uint32_t b = 0; b < t->plan->graph.blocks; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(t->plan->graph.block[b]), next;

        for (; byw_cl_is_bare(t->plan->graph.block[b]) && LLVMIsAPHINode(i) != NULL; i = next) {
            next = LLVMGetNextInstruction(i);
            drop(t, i);
        }
    }
}

/* Removes what the regions no longer need: barriers, and the work-item's number queries. */
static void drop_item_queries(struct items *t)
{
    for (uint32_t b = 0; b < t->plan->graph.blocks; b++) {
        LLVMValueRef next;

        for (LLVMValueRef i = LLVMGetFirstInstruction(t->plan->graph.block[b]); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_of_item(t, i) || byw_cl_stops(i))
                drop(t, i);
        }
    }
}

/* The lanes of a work-item's warp that ran when the region began, one bit each. */
static LLVMValueRef build_active(struct items *t, const struct item_loop *f)
{
    LLVMTypeRef half = LLVMInt32TypeInContext(t->m->context);
    LLVMTypeRef flags = LLVMVectorType(LLVMInt8TypeInContext(t->m->context), BYW_CL_LANES);
    LLVMValueRef last = number(t, BYW_CL_LANES - 1), first, there, all, lanes, flag;

    first = LLVMBuildAnd(t->b, f->id[LINEAR], LLVMConstNot(last), "");
    there = LLVMBuildSub(t->b, t->count, first, "");
    all = LLVMBuildICmp(t->b, LLVMIntUGT, there, last, "");
    lanes = LLVMBuildTrunc(t->b, LLVMBuildAnd(t->b, there, last, ""), half, "");
    lanes = LLVMBuildNot(t->b, LLVMBuildShl(t->b, LLVMConstAllOnes(half), lanes, ""), "");
    lanes = LLVMBuildSelect(t->b, all, LLVMConstAllOnes(half), lanes, "");
    if (t->done == NULL)
        return lanes;
    flag = byte_at(t, f->left != NULL || f->slept != NULL ? t->before : t->done, first);
    flag = LLVMBuildBitCast(t->b, flag, LLVMPointerType(flags, 0), "");
    flag = LLVMBuildLoad2(t->b, flags, flag, "");
    LLVMSetAlignment(flag, 1);
    flag = LLVMBuildICmp(t->b, LLVMIntEQ, flag, LLVMConstNull(flags), "");
    return LLVMBuildAnd(t->b, lanes, LLVMBuildBitCast(t->b, flag, half, ""), "");
}

/* Replaces a block's queries for the active lanes. */
static void answer_active(struct items *t, uint32_t block)
{
    struct item_loop *f = &t->loop[t->plan->region[block]];
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(t->plan->graph.block[block]); i; i = next) {
        LLVMValueRef lanes;

        next = LLVMGetNextInstruction(i);
        if (byw_cl_query_of(i) != BYW_CL_QUERY_ACTIVE)
            continue;
        if ((f->left != NULL || f->slept != NULL) && !f->copies) {
            LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(f->enter));
            LLVMBuildMemCpy(t->b, t->before, 1, t->done, 1, t->count);
            f->copies = true;
        }
        LLVMPositionBuilderBefore(t->b, i);
        lanes = build_active(t, f);
        byw_cl_map_set(t->plan->uniform.differs, lanes, 1);
        LLVMReplaceAllUsesWith(i, lanes);
        drop(t, i);
    }
}

static enum byw_status build_regions(struct items *t, size_t values)
{
    struct byw_cl_plan *plan = t->plan;
    enum byw_status status = BYW_OK;

    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        if (plan->region[b] == b && plan->wake[b] != BYW_CL_NONE)
            t->loop[plan->wake[b]].wakes = true;
    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        if (byw_cl_is_start(plan, b, BYW_CL_START_ITEMS)) {
            struct item_loop *f = &t->loop[b];

            build_item_loop(t, b);
            f->left = region_leaves(plan, b) ? build_stop(t, f, LEFT) : NULL;
            f->slept = plan->wake[b] != BYW_CL_NONE ? build_stop(t, f, SLEEPS) : NULL;
        }
    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        if (plan->region[b] != BYW_CL_NONE)
            answer_active(t, b);
    status = store_phis(t);
    for (uint32_t b = 0; b < plan->graph.blocks && status == BYW_OK; b++)
        if (plan->region[b] == b)
            status = rewrite_region(t, b, values);
    if (status != BYW_OK)
        return status;
    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        if (t->loop[b].enter != NULL) {
            hoist_from_loop(t, b);
            build_exit(t, b);
        }
    drop_item_queries(t);
    for (uint32_t b = 0; b < plan->graph.blocks; b++) {
        byw_cl_mark_accesses(t->m, t->group, plan->graph.block[b]);
        if (t->loop[b].enter != NULL)
            byw_cl_mark_accesses(t->m, t->group, t->loop[b].run);
    }
    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        if (plan->region[b] != BYW_CL_NONE)
            rewrite_edges(t, b);
    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        if (plan->region[b] != BYW_CL_NONE)
            rewrite_return(t, b);
    return BYW_OK;
}

static void close_prelude(struct items *t)
{
    LLVMPositionBuilderBefore(t->b, t->prelude_end);
    LLVMBuildBr(t->b, entry_of(t, 0));
    drop(t, t->prelude_end);
}

enum byw_status byw_cl_loops_build(struct byw_cl_module *m, struct byw_cl_unit *unit,
                                   struct byw_cl_plan *plan)
{
    struct items t = {.m = m, .unit = unit, .plan = plan};
    struct byw_cl_code *code = unit->blob;
    size_t values = 4 * (size_t)unit->scan.nodes + 4 * (size_t)plan->graph.blocks + 64;
    enum byw_status status = BYW_ENOMEM;

    t.b = LLVMCreateBuilderInContext(m->context);
    t.loop = calloc(plan->graph.blocks + 1u, sizeof(*t.loop));
    t.slot_of = byw_cl_map_create(values);
    t.placed = byw_cl_map_create(values);
    t.original_of = byw_cl_map_create(values);
    t.enters = byw_cl_map_create(plan->graph.blocks + 1u);
    t.group = byw_cl_access_group(m);
    if (t.group != NULL && t.loop != NULL && t.slot_of != NULL && t.placed != NULL &&
        t.original_of != NULL && t.enters != NULL) {
        open_prelude(&t);
        place_arrays(&t);
        if (plan->leaves || plan->sleeps)
            clear_flags(&t);
        drop_dead_phis(&t);
        hoist_uniform(&t);
        status = build_regions(&t, values);
        close_prelude(&t);
    }
    code->context_bytes = (uint32_t)t.context_bytes;
    code->looped = 1;
    code->meets = 0;
    LLVMDisposeBuilder(t.b);
    delete_dropped(&t);
    free(t.loop);
    free(t.slot);
    free(t.original);
    byw_cl_map_free(t.slot_of);
    byw_cl_map_free(t.placed);
    byw_cl_map_free(t.original_of);
    byw_cl_map_free(t.enters);
    return status;
}
