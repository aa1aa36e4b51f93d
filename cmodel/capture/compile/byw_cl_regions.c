/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts a kernel into parallel regions (pocl's term), each with one start block and one successor.
 *
 * Initially a region starts at the entry and after every barrier; a meeting point of a warp's lanes
 * counts as a barrier, because all work-items reach it. If a region has several successors, the
 * branches that choose among them are cut off, to be taken once. Where paths from several regions
 * meet, another region starts. All of these blocks must be run by all work-items.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/byw_capture.h"
#include "capture/compile/byw_cl_loops.h"

#define INSTRUCTIONS_MOST 16384u /* of a kernel */
/* Each meeting point makes clang compile another loop over the work-items, and more where some of
 * them sleep. These bounds keep the compile time of a kernel below about a second. They were chosen
 * with HeCBench's programs, and decide only how fast a kernel runs. */
#define MEETINGS_MOST 64u
#define MEETINGS_MOST_ASLEEP 16u
#define INTERCHANGE_MOST 32u /* blocks of a loop that is interchanged */
#define RETURN                                                                                     \
    63u /* in a block's set of exits; the others are numbered in the order of                      \
           discovery */

bool byw_cl_is_start(const struct byw_cl_plan *plan, uint32_t block, enum byw_cl_start kind)
{
    return byw_cl_map_get(plan->start, plan->graph.block[block]) == (uint32_t)kind;
}

static bool starts(const struct byw_cl_plan *plan, uint32_t block)
{
    return byw_cl_map_get(plan->start, plan->graph.block[block]) != UINT32_MAX;
}

static void start_at(struct byw_cl_plan *plan, uint32_t block, enum byw_cl_start kind)
{
    if (!starts(plan, block))
        byw_cl_map_set(plan->start, plan->graph.block[block], (uint32_t)kind);
}

bool byw_cl_leaves(const struct byw_cl_plan *plan, uint32_t block, uint32_t to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(plan->graph.block[block]);

    return plan->barrier_follows[block] && byw_cl_is_bare(plan->graph.block[to]) &&
           byw_cl_differs(&plan->uniform, end);
}

static bool leaves(void *context, uint32_t block, uint32_t to)
{
    return byw_cl_leaves(context, block, to);
}

bool byw_cl_sleeps(const struct byw_cl_plan *plan, uint32_t block, uint32_t to)
{
    return plan->wake[plan->region[block]] == to;
}

bool byw_cl_stops(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) != NULL && (byw_cl_is_barrier(inst) || byw_cl_is_meeting(inst));
}

static bool meets(void *context, uint32_t block)
{
    const struct byw_cl_plan *plan = context;
    LLVMBasicBlockRef b = plan->graph.block[block];

    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (byw_cl_is_meeting(i))
            return true;
    return false;
}

static LLVMValueRef barrier_in(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (byw_cl_stops(i))
            return i;
    return NULL;
}

/* Whether a block ends with a barrier; after splitting, all blocks with a barrier do. */
static bool ends_with_barrier(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), last = LLVMGetPreviousInstruction(end);

    return LLVMGetNumSuccessors(end) == 1 && last != NULL && byw_cl_stops(last);
}

static enum byw_status rebuild(struct byw_cl_plan *plan)
{
    LLVMValueRef function = plan->graph.function;

    byw_cl_graph_release(&plan->graph);
    return byw_cl_graph_build(function, &plan->graph);
}

/* Splits blocks so that every barrier is at the end of its block. */
static enum byw_status split_barriers(struct byw_cl_plan *plan)
{
    enum byw_status status = BYW_OK;

    for (uint32_t b = 0; b < plan->graph.blocks && status == BYW_OK; b++) {
        LLVMValueRef barrier = barrier_in(plan->graph.block[b]), behind;

        if (barrier == NULL)
            continue;
        behind = LLVMGetNextInstruction(barrier);
        if (ends_with_barrier(plan->graph.block[b]) &&
            behind == LLVMGetBasicBlockTerminator(plan->graph.block[b]))
            continue;
        byw_cl_graph_split(&plan->graph, behind);
        status = rebuild(plan);
        b = status == BYW_OK ? UINT32_MAX : b; /* start again from the first block */
    }
    return status;
}

/* Finds the blocks from which a barrier can be reached. */
static void find_barriers(struct byw_cl_plan *plan)
{
    uint32_t n = plan->graph.blocks;

    for (uint32_t b = 0; b < n; b++)
        plan->barrier_follows[b] = barrier_in(plan->graph.block[b]) != NULL;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = n; b-- > 0;)
            for (unsigned s = 0; s < byw_cl_graph_successors(&plan->graph, b); s++)
                if (!plan->barrier_follows[b] &&
                    plan->barrier_follows[byw_cl_graph_successor(&plan->graph, b, s)])
                    changed = plan->barrier_follows[b] = true;
    }
}

/* Analyses the current blocks again: barriers that follow, and uniform values. */
static enum byw_status analyse(struct byw_cl_plan *plan)
{
    const struct byw_cl_asks asks = {leaves, meets, plan};
    uint32_t n = plan->graph.blocks;

    free(plan->region);
    free(plan->next);
    free(plan->wake);
    free(plan->barrier_follows);
    byw_cl_uniform_release(&plan->uniform);
    plan->region = calloc(n, sizeof(*plan->region));
    plan->next = calloc(n, sizeof(*plan->next));
    plan->wake = calloc(n, sizeof(*plan->wake));
    plan->barrier_follows = calloc(n, sizeof(*plan->barrier_follows));
    if (plan->region == NULL || plan->next == NULL || plan->wake == NULL ||
        plan->barrier_follows == NULL)
        return BYW_ENOMEM;
    find_barriers(plan);
    return byw_cl_uniform_find(&plan->graph, &asks, &plan->uniform);
}

/* Gives all blocks reachable from a start, without passing another start, its number. Returns false
 * if another region already contains one of them, *meet. */
static bool flood(struct byw_cl_plan *plan, uint32_t start, uint32_t *stack, uint32_t *meet)
{
    uint32_t used = 0;

    plan->region[start] = start;
    stack[used++] = start;
    while (used > 0) {
        uint32_t at = stack[--used];

        for (unsigned s = 0; s < byw_cl_graph_successors(&plan->graph, at); s++) {
            uint32_t to = byw_cl_graph_successor(&plan->graph, at, s);

            if (starts(plan, to) || plan->region[to] == start || byw_cl_leaves(plan, at, to))
                continue;
            if (plan->region[to] != BYW_CL_NONE) {
                *meet = to;
                return false;
            }
            plan->region[to] = start;
            stack[used++] = to;
        }
    }
    return true;
}

/* BYW_EUNSUPPORTED: paths meet in a block that only some work-items run. */
static enum byw_status form_regions(struct byw_cl_plan *plan)
{
    uint32_t n = plan->graph.blocks, meet = 0;
    uint32_t *stack = calloc((size_t)n + 1, sizeof(*stack));
    bool good = false;

    while (stack != NULL && !good) {
        good = true;
        for (uint32_t b = 0; b < n; b++)
            plan->region[b] = BYW_CL_NONE;
        for (uint32_t b = 0; b < n && good; b++)
            if (starts(plan, b))
                good = flood(plan, b, stack, &meet);
        if (!good && plan->uniform.apart[meet])
            break;
        if (!good)
            start_at(plan, meet, BYW_CL_START_ITEMS);
    }
    free(stack);
    return stack == NULL ? BYW_ENOMEM : good ? BYW_OK : BYW_EUNSUPPORTED;
}

/* Where sleepers wake up, a region starts. */
static void start_joins(struct byw_cl_plan *plan)
{
    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        if (plan->uniform.parts[b] != BYW_CL_NONE)
            start_at(plan, plan->uniform.parts[b], BYW_CL_START_ITEMS);
}

/* Finds the regions in which work-items may fall asleep. BYW_EUNSUPPORTED: they would wake up in
 * different blocks. */
static enum byw_status find_sleepers(struct byw_cl_plan *plan)
{
    const uint32_t *parts = plan->uniform.parts;

    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        plan->wake[b] = BYW_CL_NONE;
    for (uint32_t b = 0; b < plan->graph.blocks; b++) {
        uint32_t region = plan->region[b];

        if (parts[b] == BYW_CL_NONE || region == BYW_CL_NONE)
            continue;
        if (plan->wake[region] != BYW_CL_NONE && plan->wake[region] != parts[b])
            return BYW_EUNSUPPORTED;
        plan->wake[region] = parts[b];
    }
    return BYW_OK;
}

/* The exits of a region that have been found so far. */
struct exits {
    uint32_t to[RETURN];
    uint32_t count;
    uint64_t *reach; /* per block, one bit for each exit that can be reached inside the region */
};

static uint64_t exit_bit(struct exits *exits, uint32_t to)
{
    uint32_t i = 0;

    while (i < exits->count && exits->to[i] != to)
        i++;
    if (i == RETURN)
        return 0;
    if (i == exits->count)
        exits->to[exits->count++] = to;
    return 1ull << i;
}

/* Exits that are reachable through one of a block's successors. */
static uint64_t exits_through(const struct byw_cl_plan *plan, struct exits *exits, uint32_t block,
                              unsigned which)
{
    uint32_t to = byw_cl_graph_successor(&plan->graph, block, which);

    if (byw_cl_leaves(plan, block, to))
        return 0;
    if (byw_cl_sleeps(plan, block, to))
        return 0;
    return starts(plan, to) ? exit_bit(exits, to) : exits->reach[to];
}

static void find_exits(const struct byw_cl_plan *plan, uint32_t start, struct exits *exits)
{
    uint32_t n = plan->graph.blocks;

    exits->count = 0;
    memset(exits->reach, 0, n * sizeof(*exits->reach));
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = n; b-- > 0;) {
            unsigned successors;
            uint64_t set;

            if (plan->region[b] != start)
                continue;
            successors = byw_cl_graph_successors(&plan->graph, b);
            set = successors == 0 ? 1ull << RETURN : 0;
            for (unsigned s = 0; s < successors; s++)
                set |= exits_through(plan, exits, b, s);
            changed |= set != exits->reach[b];
            exits->reach[b] = set;
        }
    }
}

/* Whether the exit is chosen at the end of a block. */
static bool chooses(const struct byw_cl_plan *plan, struct exits *exits, uint32_t block)
{
    unsigned successors = byw_cl_graph_successors(&plan->graph, block);
    uint64_t first = 0;

    for (unsigned s = 0; s < successors; s++) {
        uint64_t set = exits_through(plan, exits, block, s);

        if (set != 0 && first != 0 && set != first)
            return true;
        first |= set;
    }
    return false;
}

/* Moves a branch into a separate block. */
static enum byw_status cut_off(struct byw_cl_plan *plan, uint32_t block)
{
    LLVMBasicBlockRef bb = plan->graph.block[block], head;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
    uint32_t kind;

    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        start_at(plan, byw_cl_graph_successor(&plan->graph, block, s), BYW_CL_START_ITEMS);
    kind = byw_cl_map_get(plan->start, bb);
    head = byw_cl_graph_split(&plan->graph, end);
    if (kind != UINT32_MAX) /* the block starts its region */
        byw_cl_map_set(plan->start, head, kind);
    byw_cl_map_set(plan->start, bb, BYW_CL_START_CONTROL);
    return rebuild(plan);
}

/* Finds the successor of each region; *restart: a branch was cut off, so the analysis must
 * restart. BYW_EUNSUPPORTED: the successor may differ between work-items. */
static enum byw_status find_next(struct byw_cl_plan *plan, bool *restart)
{
    struct exits exits = {.reach = calloc(plan->graph.blocks, sizeof(*exits.reach))};
    enum byw_status status = exits.reach == NULL ? BYW_ENOMEM : BYW_OK;

    *restart = false;
    for (uint32_t start = 0; start < plan->graph.blocks && status == BYW_OK && !*restart; start++) {
        uint64_t set;

        if (!byw_cl_is_start(plan, start, BYW_CL_START_ITEMS))
            continue;
        find_exits(plan, start, &exits);
        set = exits.reach[start];
        if (exits.count == RETURN || set == 0)
            status = BYW_EUNSUPPORTED;
        plan->next[start] = set == 1ull << RETURN ? BYW_CL_NONE : exits.to[0];
        for (uint32_t b = 0; b < plan->graph.blocks && status == BYW_OK && !*restart; b++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(plan->graph.block[b]);

            if (plan->region[b] != start || (set & (set - 1)) == 0 || !chooses(plan, &exits, b))
                continue;
            *restart = true;
            if (plan->uniform.apart[b] || byw_cl_differs(&plan->uniform, end))
                status = BYW_EUNSUPPORTED;
            else
                status = cut_off(plan, b);
        }
        if (status == BYW_OK && !*restart && (set & (set - 1)) != 0)
            status = BYW_EUNSUPPORTED;
    }
    free(exits.reach);
    return status;
}

/* Marks in `in` the blocks of the loop closed by a back edge; returns their number. */
static uint32_t find_loop(const struct byw_cl_plan *plan, uint32_t head, uint32_t back, bool *in)
{
    const struct byw_cl_graph *graph = &plan->graph;
    uint32_t count = 1;

    memset(in, 0, graph->blocks * sizeof(*in));
    in[head] = true;
    count += !in[back];
    in[back] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = graph->blocks; b-- > 0;)
            for (unsigned s = 0; s < byw_cl_graph_successors(graph, b) && !in[b]; s++) {
                uint32_t to = byw_cl_graph_successor(graph, b, s);

                if (!in[to] || to == head)
                    continue;
                in[b] = changed = true;
                count++;
            }
    }
    return count;
}

/* Whether the order of the call relative to other calls is visible from outside. */
static bool has_order(LLVMValueRef call)
{
    static const char *const parts[] = {"print", "malloc", "free", "clock",
                                        "timer", "assert", "trap"};
    const char *name = byw_cl_callee(call);

    for (size_t i = 0; name != NULL && i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strstr(name, parts[i]) != NULL)
            return true;
    return name == NULL;
}

/* Whether work-items may alternate after every iteration, because none of them sees what the others
 * do in it. A location that every iteration stores to is better kept in a register. */
static bool may_interchange(const struct byw_cl_plan *plan, LLVMBasicBlockRef block, const bool *in)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);

        if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMFence ||
            (op == LLVMCall && has_order(i)) ||
            ((op == LLVMLoad || op == LLVMStore) && LLVMGetVolatile(i)))
            return false;
        if (op == LLVMStore) {
            LLVMValueRef to = LLVMGetOperand(i, 1);

            if (LLVMIsAInstruction(to) == NULL ||
                !in[byw_cl_graph_number(&plan->graph, LLVMGetInstructionParent(to))])
                return false;
        }
    }
    return true;
}

/* Whether a loop is innermost and has the same number of iterations for all work-items. */
static bool can_interchange(const struct byw_cl_plan *plan, uint32_t head, const bool *in)
{
    for (uint32_t b = 0; b < plan->graph.blocks; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(plan->graph.block[b]);
        bool out = false;

        if (!in[b])
            continue;
        if ((b != head && starts(plan, b)) || !may_interchange(plan, plan->graph.block[b], in))
            return false;
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            uint32_t to = byw_cl_graph_number(&plan->graph, LLVMGetSuccessor(end, s));

            out |= !in[to];
            if (in[to] && to <= b && to != head) /* a loop inside */
                return false;
        }
        if (out && (plan->uniform.apart[b] || byw_cl_differs(&plan->uniform, end)))
            return false;
    }
    return !plan->uniform.apart[head];
}

/* The last block of a loop that has an exit; BYW_CL_NONE: the loop has no exit. */
static uint32_t last_exit(const struct byw_cl_plan *plan, const bool *in)
{
    for (uint32_t b = plan->graph.blocks; b-- > 0;)
        for (unsigned s = 0; in[b] && s < byw_cl_graph_successors(&plan->graph, b); s++)
            if (!in[byw_cl_graph_successor(&plan->graph, b, s)])
                return b;
    return BYW_CL_NONE;
}

/* Interchanges an inner loop that has the same iterations for all work-items with the loop over the
 * work-items. The host's vectoriser can then handle that loop, and uniform values are computed
 * once. *restart: a branch was cut off. */
static enum byw_status interchange_loops(struct byw_cl_plan *plan, bool *restart)
{
    const struct byw_cl_graph *graph = &plan->graph;
    bool *in = calloc(graph->blocks + 1u, sizeof(*in));
    enum byw_status status = in == NULL ? BYW_ENOMEM : BYW_OK;

    *restart = false;
    for (uint32_t b = 0; b < graph->blocks && status == BYW_OK && !*restart; b++)
        for (unsigned s = 0; s < byw_cl_graph_successors(graph, b) && !*restart; s++) {
            uint32_t head = byw_cl_graph_successor(graph, b, s), out;

            if (head > b || byw_cl_is_start(plan, b, BYW_CL_START_CONTROL) ||
                find_loop(plan, head, b, in) > INTERCHANGE_MOST || !can_interchange(plan, head, in))
                continue;
            out = last_exit(plan, in);
            *restart = out != BYW_CL_NONE;
            if (*restart)
                status = cut_off(plan, out);
        }
    free(in);
    return status;
}

static enum byw_status divide(struct byw_cl_plan *plan)
{
    enum byw_status status = split_barriers(plan);
    bool restart = true;

    if (status != BYW_OK)
        return status;
    start_at(plan, 0, BYW_CL_START_ITEMS);
    for (uint32_t b = 0; b < plan->graph.blocks; b++)
        if (ends_with_barrier(plan->graph.block[b]))
            start_at(plan, byw_cl_graph_successor(&plan->graph, b, 0), BYW_CL_START_ITEMS);
    while (status == BYW_OK && restart) {
        status = analyse(plan);
        if (status == BYW_OK) {
            status = interchange_loops(plan, &restart);
            if (restart)
                continue;
        }
        if (status == BYW_OK) {
            start_joins(plan);
            status = form_regions(plan);
        }
        if (status == BYW_OK)
            status = find_sleepers(plan);
        if (status == BYW_OK)
            status = find_next(plan, &restart);
    }
    return status;
}

static bool asks_for_active(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (byw_cl_query_of(i) == BYW_CL_QUERY_ACTIVE)
            return true;
    return false;
}

/* Whether all work-items that are awake run a block together, as they must where a region starts
 * and where the active lanes are asked for. Sleepers must not miss a barrier. */
static bool is_sound_at(const struct byw_cl_plan *plan, uint32_t block)
{
    LLVMBasicBlockRef bb = plan->graph.block[block];
    bool awake = plan->uniform.asleep[block] == BYW_CL_NONE;

    if (plan->uniform.apart[block])
        return !starts(plan, block) && !ends_with_barrier(bb) && !asks_for_active(bb);
    return awake || barrier_in(bb) == NULL || meets((void *)plan, block);
}

/* Whether all work-items run a block, including those that have slept. */
static bool is_awake(const struct byw_cl_plan *plan, LLVMBasicBlockRef block)
{
    uint32_t b = byw_cl_graph_number(&plan->graph, block);

    return plan->uniform.asleep[b] == BYW_CL_NONE && !plan->uniform.apart[b];
}

/* Whether sleepers would see a newer value than they should: a value that is stored once for all
 * work-items, changes while they sleep, and is used after they wake up. */
static bool is_lost(const struct byw_cl_plan *plan, LLVMValueRef value)
{
    if (byw_cl_differs(&plan->uniform, value))
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(value); u != NULL; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool awake = false;

        for (unsigned i = 0; LLVMIsAPHINode(user) != NULL && i < LLVMCountIncoming(user); i++)
            awake |= LLVMGetIncomingValue(user, i) == value &&
                     is_awake(plan, LLVMGetIncomingBlock(user, i));
        if (awake ||
            (LLVMIsAPHINode(user) == NULL && is_awake(plan, LLVMGetInstructionParent(user))))
            return true;
    }
    return false;
}

static bool loses_values(const struct byw_cl_plan *plan)
{
    for (uint32_t b = 0; b < plan->graph.blocks; b++) {
        if (plan->uniform.asleep[b] == BYW_CL_NONE)
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(plan->graph.block[b]); i;
             i = LLVMGetNextInstruction(i))
            if (is_lost(plan, i))
                return true;
    }
    return false;
}

/* Whether the work-item loops do what the kernel does. Also finds where work-items leave or
 * sleep. */
static bool is_sound(struct byw_cl_plan *plan)
{
    if (plan->uniform.nested || loses_values(plan))
        return false;
    for (uint32_t b = 0; b < plan->graph.blocks; b++) {
        uint32_t wake = plan->region[b] == b ? plan->wake[b] : BYW_CL_NONE;

        if (!is_sound_at(plan, b) ||
            (wake != BYW_CL_NONE && asks_for_active(plan->graph.block[wake])))
            return false;
        plan->sleeps |= wake != BYW_CL_NONE;
        for (unsigned s = 0; s < byw_cl_graph_successors(&plan->graph, b); s++) {
            if (!byw_cl_leaves(plan, b, byw_cl_graph_successor(&plan->graph, b, s)))
                continue;
            plan->leaves = true;
            if (plan->uniform.asleep[b] != BYW_CL_NONE)
                return false;
        }
    }
    return true;
}

static uint32_t count_meetings(const struct byw_cl_scan *scan)
{
    uint32_t count = 0;

    for (uint32_t n = 0; n < scan->nodes; n++)
        count += scan->node[n].meets;
    return count;
}

/* Whether a kernel has a call that only fibers support. */
static bool needs_fibers(const struct byw_cl_unit *unit, uint32_t *instructions)
{
    const struct byw_cl_code *code = unit->blob;
    const struct byw_cl_part *part = byw_cl_code_at(code, code->part_at);
    bool stops = code->barriers || code->meets;

    for (uint32_t p = 0; p < code->parts; p++)
        if (stops && part[p].waits != BYW_CL_WAITS_NEVER)
            return true;
    *instructions = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(unit->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

        if (LLVMIsABranchInst(end) == NULL && LLVMIsAReturnInst(end) == NULL &&
            LLVMIsASwitchInst(end) == NULL && LLVMIsAUnreachableInst(end) == NULL)
            return true;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *name = LLVMIsACallInst(i) != NULL ? byw_cl_callee(i) : "";

            ++*instructions;
            if (byw_cl_query_of(i) == BYW_CL_QUERY_LOCAL &&
                LLVMIsAConstantInt(LLVMGetOperand(i, 0)) == NULL)
                return true;
            if (LLVMIsAAllocaInst(i) != NULL && b != LLVMGetEntryBasicBlock(unit->function))
                return true;
            if (byw_cl_query_of(i) == BYW_CL_QUERY_ACTIVE &&
                LLVMGetIntTypeWidth(LLVMTypeOf(i)) != BYW_CL_LANES)
                return true;
            if (name == NULL || (stops && LLVMIsACallInst(i) != NULL && has_order(i)))
                return true;
        }
    }
    return code->waits || count_meetings(&unit->scan) > MEETINGS_MOST;
}

/* In warp-synchronous code, meeting points become calls, which are cut like those of
 * shuffles. */
static void add_meetings(const struct byw_cl_unit *unit)
{
    LLVMModuleRef module = LLVMGetGlobalParent(unit->function);
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
    LLVMValueRef meet = LLVMGetNamedFunction(module, BYW_CL_MEET_CALL);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);

    if (meet == NULL)
        meet = LLVMAddFunction(module, BYW_CL_MEET_CALL, type);
    for (uint32_t n = 0; n < unit->scan.nodes; n++) {
        const struct byw_cl_node *node = &unit->scan.node[n];

        if (!node->meets || byw_cl_is_meeting(node->inst))
            continue;
        LLVMPositionBuilderBefore(b, node->inst);
        LLVMBuildCall2(b, type, meet, NULL, 0, "");
    }
    LLVMDisposeBuilder(b);
}

static void drop_meetings(const struct byw_cl_unit *unit)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(unit->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef next;

        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (byw_cl_is_meeting(i) && byw_cl_map_get(unit->scan.map, i) == UINT32_MAX)
                LLVMInstructionEraseFromParent(i);
        }
    }
}

bool byw_cl_loops_are_off(void)
{
    const char *loops = getenv(BYW_CAPTURE_ENV_LOOPS);

    return loops != NULL && strcmp(loops, "off") == 0;
}

struct byw_cl_plan *byw_cl_loops_plan(const struct byw_cl_unit *unit)
{
    struct byw_cl_plan *plan;
    uint32_t instructions;

    if (byw_cl_loops_are_off() || needs_fibers(unit, &instructions) ||
        instructions > INSTRUCTIONS_MOST)
        return NULL;
    plan = calloc(1, sizeof(*plan));
    if (plan == NULL)
        return NULL;
    if (unit->scan.lockstep || unit->scan.turns)
        add_meetings(unit);
    /* Splitting adds at most three blocks per existing block and per barrier. */
    plan->start = byw_cl_map_create(4 * (size_t)instructions + 16);
    if (plan->start == NULL || byw_cl_graph_build(unit->function, &plan->graph) != BYW_OK ||
        divide(plan) != BYW_OK || !is_sound(plan) ||
        (plan->sleeps && count_meetings(&unit->scan) > MEETINGS_MOST_ASLEEP)) {
        drop_meetings(unit);
        byw_cl_plan_free(plan);
        return NULL;
    }
    return plan;
}

void byw_cl_plan_free(struct byw_cl_plan *plan)
{
    if (plan == NULL)
        return;
    byw_cl_graph_release(&plan->graph);
    byw_cl_uniform_release(&plan->uniform);
    byw_cl_map_free(plan->start);
    free(plan->region);
    free(plan->next);
    free(plan->wake);
    free(plan->barrier_follows);
    free(plan);
}
