/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the values that are the same for all work-items of a group, and the blocks that all of them
 * run.
 *
 * Results that may differ are the work-item's own numbers, memory that others write, atomics,
 * unknown calls, and everything computed from them. After a branch on such a value, only some
 * work-items run the blocks up to the point where all paths meet, and phis there differ.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_loops.h"

#define BLOCKS_MOST 4096u

struct finder {
    const struct byw_cl_graph *graph;
    struct byw_cl_uniform *uniform;
    const struct byw_cl_asks *asks;
    uint64_t *behind; /* per block, one bit for each block that all paths from it reach */
    uint32_t words; /* of a set of bits */
    bool *joins; /* diverged paths meet here */
    uint32_t *stack;
    bool *seen, *met;
    uint32_t *ways; /* result of count_ways() */
    bool changed;
};

enum byw_cl_query byw_cl_query_of(LLVMValueRef inst)
{
    static const struct {
        const char *name;
        enum byw_cl_query query;
    } list[] = {{"_Z12get_local_idj", BYW_CL_QUERY_LOCAL},
                {"byw_cl_linear", BYW_CL_QUERY_LINEAR},
                {"byw_cl_active", BYW_CL_QUERY_ACTIVE},
                {"_Z12get_group_idj", BYW_CL_QUERY_GROUP},
                {"_Z14get_local_sizej", BYW_CL_QUERY_GROUP},
                {"_Z14get_num_groupsj", BYW_CL_QUERY_GROUP},
                {"_Z17get_global_offsetj", BYW_CL_QUERY_GROUP},
                {"_Z12get_work_dimv", BYW_CL_QUERY_GROUP},
                {"byw_cl_own_size", BYW_CL_QUERY_GROUP},
                {"byw_cl_global_size", BYW_CL_QUERY_GROUP},
                {"byw_cl_warp", BYW_CL_QUERY_GROUP},
                {"byw_cl_exchange", BYW_CL_QUERY_GROUP}};
    const char *name = LLVMIsACallInst(inst) != NULL ? byw_cl_callee(inst) : NULL;

    for (size_t i = 0; name != NULL && i < sizeof(list) / sizeof(list[0]); i++)
        if (strcmp(name, list[i].name) == 0)
            return list[i].query;
    return BYW_CL_QUERY_NONE;
}

bool byw_cl_differs(const struct byw_cl_uniform *uniform, LLVMValueRef value)
{
    return byw_cl_map_get(uniform->differs, value) != UINT32_MAX;
}

static bool has(const struct finder *f, uint32_t block, uint32_t other)
{
    return (f->behind[(uint64_t)block * f->words + other / 64] >> (other % 64) & 1) != 0;
}

/* Whether an edge counts as a successor: those by which work-items leave do not. */
static bool counts(const struct finder *f, uint32_t block, unsigned which, uint32_t *to)
{
    *to = byw_cl_graph_successor(f->graph, block, which);
    return !f->asks->leaves(f->asks->context, block, *to);
}

/* Finds each block's post-dominators, by iteration from the last block to the first. */
static void find_behind(struct finder *f)
{
    uint32_t n = f->graph->blocks;
    uint64_t *set = calloc(f->words, sizeof(*set));

    memset(f->behind, 0xff, (size_t)n * f->words * sizeof(*f->behind));
    for (bool changed = set != NULL; changed;) {
        changed = false;
        for (uint32_t b = n; b-- > 0;) {
            uint64_t *old = f->behind + (size_t)b * f->words;
            bool any = false;

            memset(set, 0xff, f->words * sizeof(*set));
            for (unsigned s = 0; s < byw_cl_graph_successors(f->graph, b); s++) {
                uint32_t to;

                if (!counts(f, b, s, &to))
                    continue;
                any = true;
                for (uint32_t w = 0; w < f->words; w++)
                    set[w] &= f->behind[(size_t)to * f->words + w];
            }
            if (!any)
                memset(set, 0, f->words * sizeof(*set));
            set[b / 64] |= 1ull << (b % 64);
            changed |= memcmp(old, set, f->words * sizeof(*set)) != 0;
            memcpy(old, set, f->words * sizeof(*set));
        }
    }
    free(set);
}

/* For each block, counts in `ways` the successors of `block` from which it is reached before all
 * paths join; returns the block where they join, BYW_CL_NONE if they do not. */
static uint32_t count_ways(struct finder *f, uint32_t block)
{
    uint32_t to, join = BYW_CL_NONE;

    memset(f->ways, 0, f->graph->blocks * sizeof(*f->ways));
    for (unsigned way = 0; way < byw_cl_graph_successors(f->graph, block); way++) {
        uint32_t used = 0, at = block;
        unsigned s = way, end = way + 1;

        memset(f->seen, 0, f->graph->blocks * sizeof(*f->seen));
        for (;;) {
            for (; s < end; s++) {
                if (!counts(f, at, s, &to) || f->seen[to])
                    continue;
                f->seen[to] = true;
                f->ways[to]++;
                if (to != block && has(f, block, to))
                    join = to;
                else if (to != block)
                    f->stack[used++] = to;
            }
            if (used == 0)
                break;
            at = f->stack[--used];
            s = 0;
            end = byw_cl_graph_successors(f->graph, at);
        }
    }
    return join;
}

/* Extends `met` among the blocks before the join, backwards to their predecessors or forwards to
 * their successors, but not through the other successors of `block`. */
static void extend_met(struct finder *f, uint32_t block, uint32_t join, bool follow)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = f->graph->blocks; b-- > 0;)
            for (unsigned s = 0; s < byw_cl_graph_successors(f->graph, b); s++) {
                uint32_t to;

                if (f->ways[b] == 0 || b == join || !counts(f, b, s, &to) || to == join ||
                    f->met[b] == f->met[to] || f->met[b] != follow || (follow && b == block))
                    continue;
                changed = f->met[follow ? to : b] = true;
            }
    }
}

/* Marks in `met` the blocks before the join that are run by work-items which pass a meeting point.
 * Returns whether exactly one successor of the block leads to such a block: the work-items that
 * take this successor stay awake. */
static bool find_met(struct finder *f, uint32_t block, uint32_t join)
{
    uint32_t to, awake = 0;

    for (uint32_t b = 0; b < f->graph->blocks; b++)
        f->met[b] = f->ways[b] != 0 && b != join && f->asks->meets(f->asks->context, b);
    extend_met(f, block, join, false);
    for (unsigned s = 0; s < byw_cl_graph_successors(f->graph, block); s++)
        awake += counts(f, block, s, &to) && f->met[to];
    extend_met(f, block, join, true);
    return awake == 1;
}

static void join_at(struct finder *f, uint32_t block)
{
    f->changed |= !f->joins[block];
    f->joins[block] = true;
}

/* Work-items diverge at the end of a block; some of them sleep until the others join them. */
static void put_to_sleep(struct finder *f, uint32_t block, uint32_t join)
{
    struct byw_cl_uniform *u = f->uniform;

    u->parts[block] = join;
    for (uint32_t b = 0; b < f->graph->blocks; b++) {
        if (f->ways[b] > 1)
            join_at(f, b);
        if (f->ways[b] == 0 || b == join)
            continue;
        if (f->met[b]) {
            u->nested |= u->asleep[b] != BYW_CL_NONE && u->asleep[b] != join;
            u->asleep[b] = join;
        } else {
            u->apart[b] = true;
        }
    }
}

/* Work-items diverge at the end of a block: marks the blocks before they join. */
static void part(struct finder *f, uint32_t block)
{
    uint32_t live = 0, to, join;

    for (unsigned s = 0; s < byw_cl_graph_successors(f->graph, block); s++)
        live += counts(f, block, s, &to);
    if (live < 2)
        return;
    join = count_ways(f, block);
    if (join != BYW_CL_NONE && find_met(f, block, join)) {
        put_to_sleep(f, block, join);
        return;
    }
    for (uint32_t b = 0; b < f->graph->blocks; b++) {
        if (f->ways[b] == 0)
            continue;
        join_at(f, b);
        f->uniform->apart[b] |= b == block || !has(f, block, b);
    }
}

static bool reads_varying(LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    const char *name;

    if (op == LLVMLoad)
        return LLVMGetVolatile(inst) ||
               byw_cl_space_of(LLVMGetOperand(inst, 0)) != BYW_CL_SPACE_CONSTANT;
    if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMAlloca)
        return true;
    if (op != LLVMCall)
        return false;
    if (byw_cl_query_of(inst) == BYW_CL_QUERY_GROUP)
        return false;
    name = byw_cl_callee(inst);
    if (name != NULL && strncmp(name, "byw_cu_at.", 10) == 0) /* a variable's address */
        return false;
    return name == NULL || strncmp(name, "llvm.", 5) != 0 || strncmp(name, "llvm.masked", 11) == 0;
}

static bool any_operand(const struct finder *f, LLVMValueRef inst)
{
    int operands = LLVMGetNumOperands(inst);

    if (LLVMIsAPHINode(inst) != NULL) {
        for (unsigned i = 0; i < LLVMCountIncoming(inst); i++)
            if (byw_cl_differs(f->uniform, LLVMGetIncomingValue(inst, i)))
                return true;
        return false;
    }
    for (int i = 0; i < operands; i++)
        if (byw_cl_differs(f->uniform, LLVMGetOperand(inst, (unsigned)i)))
            return true;
    return false;
}

static void visit(struct finder *f, uint32_t block)
{
    LLVMBasicBlockRef bb = f->graph->block[block];

    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
        if (byw_cl_differs(f->uniform, i))
            continue;
        if (!reads_varying(i) && !any_operand(f, i) &&
            !(f->joins[block] && LLVMIsAPHINode(i) != NULL))
            continue;
        byw_cl_map_set(f->uniform->differs, i, 1);
        f->changed = true;
    }
    if (byw_cl_differs(f->uniform, LLVMGetBasicBlockTerminator(bb)))
        part(f, block);
}

static uint32_t count_instructions(const struct byw_cl_graph *graph)
{
    uint32_t count = 0;

    for (uint32_t b = 0; b < graph->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(graph->block[b]); i;
             i = LLVMGetNextInstruction(i))
            count++;
    return count;
}

static uint32_t *no_blocks(uint32_t blocks)
{
    uint32_t *list = malloc((blocks + 1ull) * sizeof(*list));

    if (list != NULL)
        memset(list, 0xff, (blocks + 1ull) * sizeof(*list));
    return list;
}

enum byw_status byw_cl_uniform_find(const struct byw_cl_graph *graph,
                                    const struct byw_cl_asks *asks, struct byw_cl_uniform *uniform)
{
    struct finder f = {.graph = graph, .uniform = uniform, .asks = asks};
    uint32_t n = graph->blocks;

    if (n > BLOCKS_MOST)
        return BYW_EUNSUPPORTED;
    f.words = (n + 63) / 64;
    f.behind = calloc((size_t)n * f.words, sizeof(*f.behind));
    f.joins = calloc(n, sizeof(*f.joins));
    f.stack = calloc((size_t)n + 1, sizeof(*f.stack));
    f.seen = calloc(n, sizeof(*f.seen));
    f.ways = calloc(n, sizeof(*f.ways));
    f.met = calloc(n, sizeof(*f.met));
    uniform->apart = calloc(n, sizeof(*uniform->apart));
    uniform->parts = no_blocks(n);
    uniform->asleep = no_blocks(n);
    uniform->nested = false;
    uniform->differs = byw_cl_map_create(count_instructions(graph) + 1u);
    if (f.behind != NULL && f.joins != NULL && f.stack != NULL && f.seen != NULL &&
        f.ways != NULL && f.met != NULL && uniform->apart != NULL && uniform->parts != NULL &&
        uniform->asleep != NULL && uniform->differs != NULL) {
        f.changed = true;
        while (f.changed) {
            f.changed = false;
            find_behind(&f); /* the set of edges by which work-items leave may have changed */
            for (uint32_t b = 0; b < n; b++)
                visit(&f, b);
        }
    } else {
        f.changed = true;
    }
    free(f.behind);
    free(f.joins);
    free(f.stack);
    free(f.seen);
    free(f.ways);
    free(f.met);
    return f.changed ? BYW_ENOMEM : BYW_OK;
}

void byw_cl_uniform_release(struct byw_cl_uniform *uniform)
{
    free(uniform->apart);
    free(uniform->parts);
    free(uniform->asleep);
    byw_cl_map_free(uniform->differs);
    uniform->apart = NULL;
    uniform->parts = uniform->asleep = NULL;
    uniform->differs = NULL;
}
