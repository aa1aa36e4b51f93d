/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/path/byw_cl_walk.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

/* Costs: instructions in the low half, weights of contradicted PTX blocks in the high half. */
#define WRONG (1ull << 32)
/* The bounds below were chosen by hand.  Wider ones cost time and memory, narrower ones lose walks:
 * a thread without one is timed by its PTX, and `byway trace info` says why. */
/* A walk whose cost exceeds the best one's by more than this is dropped. */
#define MARGIN_WRONG 64u
#define MARGIN 4096u
#define NARROW 512u /* the same for instructions, when the search is tried first */
#define LEFT_OUT_MOST 24u /* PTX blocks left out within one block of the machine code */
/* A walk may contradict PTX blocks of weight SOME_WRONG plus 1 / MOST_WRONG of all weights. */
#define MOST_WRONG 8u
#define SOME_WRONG 16u
#define NODES_MOST (1u << 26)
/* Largest number of states examined for a kernel; its further threads get no walk.  With a smaller
 * one, myocyte_solve has no walk (cmodel/doc/machine_code.md, Slow paths). */
#define STATES_MOST (1u << 26)
#define SLOTS (1u << 16) /* recently queued states, so that few are queued twice */
#define NO_NODE UINT32_MAX
/* Cost of what a guard of an unrolled loop leads to, in instructions: more than the copies that it
 * saves.  Chosen with two programs (cmodel/doc/machine_code.md, Unrolled loops). */
#define GUARD_COST 64u
#define DETOUR_MOST 6u /* blocks of a slow path, and of the short code that it replaces */

/* A point of a walk, before the execution of `block`. */
struct state {
    uint64_t cost;
    uint32_t at; /* PTX blocks consumed */
    uint32_t block;
    uint32_t node; /* the step that led here */
};

struct node {
    uint32_t before, block;
    uint32_t at; /* where in the sequence the block begins */
};

/* The best end of a walk so far. */
struct end {
    uint64_t cost;
    uint32_t node;
};

struct byw_cl_walker {
    const struct byw_cl_anchors *a;
    struct state *heap;
    struct node *node;
    uint32_t heaps, nodes;
    size_t heap_room, node_room;
    uint32_t *seen; /* per block: 1 + place in the sequence where it was expanded last */
    struct slot {
        uint32_t block, at; /* at: plus 1; 0: free */
        uint64_t cost;
    } * slot;
    uint64_t states; /* examined so far */
    uint32_t *left; /* per stand of the block being executed: copies not used yet */
    uint32_t *stand_of; /* per PTX block: 1 + stand in the current block, if `stamp` says so */
    uint32_t *stamp;
    uint32_t *present; /* per PTX block: `now` if the current block has instructions of it */
    uint32_t now;
    bool closed; /* the current block consumes nothing more */
    uint32_t *route; /* nodes of the finished walk */
    size_t route_room;
    uint32_t routes;
    bool skips; /* PTX blocks may be left out of the walk */
    const uint32_t *piece;
    uint32_t count;
    uint32_t *known; /* the sequence that was searched last: threads often differ in slow paths */
    size_t known_room;
    uint32_t known_count;
    struct end known_end;
    bool has_known;
    const struct byw_cl_slow *slow; /* of the walk */
    size_t slows;
    uint32_t
        *turn; /* per PTX instruction, by its first block with a slow path: executions so far */
    uint32_t *turn_of; /* per block: its index in turn[] */
};

/* For each block with a slow path, the first such block of the same PTX instruction. */
static void count_alike(struct byw_cl_walker *w)
{
    const struct byw_cl_anchors *a = w->a;

    for (uint32_t b = 0; b < a->blocks; b++) {
        const struct byw_machine_inst *inst = a->machine->inst;
        uint32_t line = inst[a->block[b].first + a->block[b].count - 1].line, first = 0;

        if (a->block[b].slow == BYW_CL_NOWHERE)
            continue;
        while (a->block[first].slow == BYW_CL_NOWHERE ||
               inst[a->block[first].first + a->block[first].count - 1].line != line)
            first++;
        w->turn_of[b] = first;
    }
}

struct byw_cl_walker *byw_cl_walker_create(const struct byw_cl_anchors *anchors)
{
    struct byw_cl_walker *w = calloc(1, sizeof(*w));

    if (w == NULL)
        return NULL;
    w->a = anchors;
    w->seen = calloc(anchors->blocks + 1u, sizeof(*w->seen));
    w->slot = calloc(SLOTS, sizeof(*w->slot));
    w->left = calloc(anchors->stands + 1u, sizeof(*w->left));
    w->stand_of = calloc(anchors->pieces + 1u, sizeof(*w->stand_of));
    w->stamp = calloc(anchors->pieces + 1u, sizeof(*w->stamp));
    w->present = calloc(anchors->pieces + 1u, sizeof(*w->present));
    w->turn = calloc(anchors->blocks + 1u, sizeof(*w->turn));
    w->turn_of = calloc(anchors->blocks + 1u, sizeof(*w->turn_of));
    if (w->present && w->seen && w->slot && w->left && w->stand_of && w->stamp && w->turn &&
        w->turn_of) {
        count_alike(w);
        return w;
    }
    byw_cl_walker_free(w);
    return NULL;
}

void byw_cl_walker_free(struct byw_cl_walker *w)
{
    if (w == NULL)
        return;
    free(w->heap);
    free(w->node);
    free(w->seen);
    free(w->slot);
    free(w->left);
    free(w->stand_of);
    free(w->stamp);
    free(w->present);
    free(w->known);
    free(w->turn);
    free(w->turn_of);
    free(w->route);
    free(w);
}

static bool is_before(const struct state *l, const struct state *r)
{
    return l->at != r->at ? l->at < r->at : l->cost < r->cost;
}

static bool push(struct byw_cl_walker *w, struct state s)
{
    uint32_t i = w->heaps;

    if (!BYW_ARRAY_ROOM(w->heap, w->heap_room, w->heaps + 1u))
        return false;
    for (w->heaps++; i > 0 && is_before(&s, &w->heap[(i - 1) / 2]); i = (i - 1) / 2)
        w->heap[i] = w->heap[(i - 1) / 2];
    w->heap[i] = s;
    return true;
}

static struct state pop(struct byw_cl_walker *w)
{
    struct state top = w->heap[0], last = w->heap[--w->heaps];
    uint32_t i = 0, child;

    while ((child = 2 * i + 1) < w->heaps) {
        child += child + 1 < w->heaps && is_before(&w->heap[child + 1], &w->heap[child]);
        if (!is_before(&w->heap[child], &last))
            break;
        w->heap[i] = w->heap[child];
        i = child;
    }
    w->heap[i] = last;
    return top;
}

/* Begins to execute a block. */
static void open_block(struct byw_cl_walker *w, const struct byw_cl_machine_block *block)
{
    const struct byw_cl_stand *stand = w->a->stand + block->first_stand;

    w->now++;
    w->closed = false;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        if (w->a->piece_of[i] != BYW_CL_NOWHERE)
            w->present[w->a->piece_of[i]] = w->now;
    for (uint32_t s = 0; s < block->stands; s++) {
        w->left[s] = stand[s].copies;
        w->stand_of[stand[s].piece] = s;
        w->stamp[stand[s].piece] = w->now;
    }
}

/* Consumes the PTX blocks that the open block executes, from position `at` of the sequence on;
 * left[] gets the unused copies. Returns the position after them. */
static uint32_t consume(struct byw_cl_walker *w, uint32_t at)
{
    for (; at < w->count; at++) {
        uint32_t piece = w->piece[at], s = w->stand_of[piece];

        if (!w->closed && w->stamp[piece] == w->now && w->left[s] != 0)
            w->left[s]--;
        else if (w->a->weight[piece] != 0)
            break;
    }
    return at;
}

/* Weights of the copies that were executed although the sequence lacks them. */
static uint64_t missing(const struct byw_cl_walker *w, const struct byw_cl_machine_block *block)
{
    const struct byw_cl_stand *stand = w->a->stand + block->first_stand;
    uint64_t sum = 0;

    for (uint32_t s = 0; s < block->stands; s++)
        if (w->left[s] > stand[s].maybe)
            sum += (uint64_t)(w->left[s] - stand[s].maybe) * w->a->weight[stand[s].piece];
    return sum;
}

/* Skips a PTX block; one with a sure anchor only if w->skips. A block of the machine code without
 * copies of it cannot execute what follows it either. */
static bool leave_out(struct byw_cl_walker *w, uint32_t piece, uint64_t *cost)
{
    bool sure = w->a->weight[piece] >= BYW_CL_SURE;

    *cost = sure ? w->a->weight[piece] * WRONG : w->a->price[piece];
    w->closed |= w->present[piece] != w->now;
    return !sure || w->skips;
}

/* Sum of the weights of the sure anchors from a position on. */
static uint64_t rest(const struct byw_cl_walker *w, uint32_t at)
{
    uint64_t sum = 0;

    for (; at < w->count; at++)
        if (w->a->weight[w->piece[at]] >= BYW_CL_SURE)
            sum += w->a->weight[w->piece[at]];
    return sum;
}

static bool go(struct byw_cl_walker *w, uint32_t to, uint32_t at, uint64_t cost, uint32_t node)
{
    struct slot *slot;

    if (to == BYW_CL_NOWHERE)
        return true;
    slot = &w->slot[(to * 0x9e3779b1u ^ at * 0x85ebca6bu) % SLOTS];
    if (slot->block == to && slot->at == at + 1 && slot->cost <= cost)
        return true;
    *slot = (struct slot){to, at + 1, cost};
    return push(w, (struct state){cost, at, to, node});
}

/* Ends the execution of the open block, with the sequence consumed up to `at`. */
static bool close_block(struct byw_cl_walker *w, const struct byw_cl_machine_block *block,
                        uint32_t at, uint64_t cost, uint32_t node, struct end *end)
{
    cost += block->count + missing(w, block) * WRONG;
    if (block->ends) {
        uint64_t total = cost + rest(w, at) * WRONG;

        if (end->node == NO_NODE || total < end->cost)
            *end = (struct end){total, node};
    }
    if (block->lost)
        return true;
    return (block->slow == block->next || go(w, block->next, at, cost + block->call, node)) &&
           (block->slow == block->taken ||
            go(w, block->taken, at, cost + (block->guards ? GUARD_COST : 0), node));
}

/* Tries all ways to execute a block: after consuming its PTX blocks, it may skip the next ones and
 * continue consuming. A block that consumes nothing skips nothing, because the block before it
 * could. */
static bool expand(struct byw_cl_walker *w, struct state s, struct end *end)
{
    const struct byw_cl_machine_block *block = &w->a->block[s.block];
    uint64_t cost = s.cost, more;
    uint32_t at = s.at, node = w->nodes;
    bool consumed = s.node == NO_NODE;

    if (w->nodes >= NODES_MOST || !BYW_ARRAY_ROOM(w->node, w->node_room, w->nodes + 1u))
        return false;
    w->node[w->nodes++] = (struct node){.before = s.node, .block = s.block, .at = s.at};
    open_block(w, block);
    for (uint32_t out = 0; out <= LEFT_OUT_MOST; out++) {
        uint32_t from = at;

        at = consume(w, at);
        consumed |= at != from;
        if ((consumed || out == 0) && !close_block(w, block, at, cost, node, end))
            return false;
        if (at == w->count || !leave_out(w, w->piece[at], &more))
            return true;
        cost += more;
        at++;
    }
    return true;
}

static bool is_behind(uint64_t cost, uint64_t best, uint32_t margin)
{
    return cost / WRONG > best / WRONG + MARGIN_WRONG ||
           (cost / WRONG >= best / WRONG && cost % WRONG > best % WRONG + margin);
}

/* Searches from the entry. States are expanded in order of their position in the sequence, and the
 * cheapest first at each position, so the first visit of a block at a position is the best one. */
static enum byw_status search(struct byw_cl_walker *w, uint32_t margin, struct end *end)
{
    uint64_t best = 0; /* cost of the walk that has come furthest */
    uint32_t furthest = 0;

    w->heaps = w->nodes = 0;
    *end = (struct end){0, NO_NODE};
    memset(w->seen, 0, w->a->blocks * sizeof(*w->seen));
    memset(w->slot, 0, SLOTS * sizeof(*w->slot));
    if (!push(w, (struct state){0, 0, 0, NO_NODE}))
        return BYW_ENOMEM;
    while (w->heaps != 0) {
        struct state s = pop(w);

        if (++w->states > STATES_MOST)
            return BYW_ENOMEM;
        if (s.at > furthest) {
            furthest = s.at;
            best = s.cost;
        }
        if (w->seen[s.block] == s.at + 1 || is_behind(s.cost, best, margin) ||
            (end->node != NO_NODE && s.cost >= end->cost))
            continue;
        w->seen[s.block] = s.at + 1;
        if (!expand(w, s, end))
            return BYW_ENOMEM;
    }
    return BYW_OK;
}

static bool add_bit(struct byw_cl_walk *walk, bool bit)
{
    if (!BYW_ARRAY_ROOM(walk->bit, walk->room, walk->bits / 8u + 1u))
        return false;
    if (walk->bits % 8 == 0)
        walk->bit[walk->bits / 8] = 0;
    walk->bit[walk->bits / 8] |= (uint8_t)(bit << walk->bits % 8);
    walk->bits++;
    return true;
}

/* Whether the n-th predicated access of its PTX block in this block is made: the first ones are, as
 * many as the block consumed. */
static bool is_made(const struct byw_cl_walker *w, const struct byw_cl_machine_block *block,
                    uint32_t inst)
{
    const struct byw_cl_stand *stand = w->a->stand + block->first_stand;
    const struct byw_machine_inst *list = w->a->machine->inst;
    uint32_t piece = w->a->piece_of[inst], copy = 0, s;

    if (piece == BYW_CL_NOWHERE || w->stamp[piece] != w->now)
        return true;
    s = w->stand_of[piece];
    for (uint32_t i = block->first; i < inst; i++)
        copy += list[i].line == list[inst].line && list[i].op == list[inst].op;
    return copy < stand[s].copies - w->left[s];
}

/* Writes the bits of the function that a block calls at its end. */
static bool add_function(struct byw_cl_walker *w, const struct byw_cl_machine_block *block,
                         uint32_t way, struct byw_cl_walk *walk)
{
    const struct byw_machine *m = w->a->machine;
    const struct byw_machine_inst *last = &m->inst[block->first + block->count - 1];
    bool taken[BYW_CL_SLOW_BRANCHES];
    uint64_t instructions;
    uint32_t count;

    if ((last->flags & BYW_MACHINE_FOLLOWED) == 0)
        return true;
    count = byw_cl_slow_walk(m, w->a->left, last->target, way, taken, &instructions);
    walk->instructions += instructions;
    for (uint32_t i = 0; i < count; i++)
        if (!add_bit(walk, taken[i]))
            return false;
    return true;
}

/* Writes the bits of a block that is left for `next`. */
static bool add_bits(struct byw_cl_walker *w, const struct byw_cl_machine_block *block,
                     uint32_t next, uint32_t way, struct byw_cl_walk *walk)
{
    const struct byw_machine_inst *list = w->a->machine->inst;

    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        bool bit;

        if (!byw_machine_decides(&list[i]))
            continue;
        if (list[i].op == BYW_MACHINE_BRANCH)
            bit = next == block->taken && next != BYW_CL_NOWHERE;
        else if (list[i].op == BYW_MACHINE_EXIT)
            bit = next == BYW_CL_NOWHERE;
        else
            bit = is_made(w, block, i);
        if (!add_bit(walk, bit))
            return false;
    }
    walk->instructions += block->count;
    return add_function(w, block, way, walk);
}

/* The path that the current execution of a block's slow path takes. */
static uint32_t way_of(struct byw_cl_walker *w, uint32_t b)
{
    const struct byw_cl_machine_block *block = &w->a->block[b];

    if (w->slows == 0 || block->slow == BYW_CL_NOWHERE)
        return BYW_SLOW_NONE;
    return byw_cl_slow_find(w->slow, w->slows,
                            w->a->machine->inst[block->first + block->count - 1].line,
                            w->turn[w->turn_of[b]]++);
}

/* The position on the route, after the i-th, at which the slow path from there returns to it. */
static uint32_t comes_back(const struct byw_cl_walker *w, uint32_t i, uint32_t b)
{
    for (uint32_t k = i + 1; k < w->routes && k <= i + DETOUR_MOST; k++)
        if (w->node[w->route[k]].block == b)
            return k;
    return NO_NODE;
}

static uint32_t only_next(const struct byw_cl_machine_block *block)
{
    if (block->ends || block->lost ||
        (block->next != BYW_CL_NOWHERE && block->taken != BYW_CL_NOWHERE))
        return BYW_CL_NOWHERE;
    return block->next != BYW_CL_NOWHERE ? block->next : block->taken;
}

/* Where the slow path from position i returns to the route; NO_NODE: it does not. */
static uint32_t detour_end(const struct byw_cl_walker *w, uint32_t i)
{
    uint32_t b = w->a->block[w->node[w->route[i]].block].slow, back = NO_NODE;

    for (uint32_t n = 0; n < DETOUR_MOST && b != BYW_CL_NOWHERE; n++) {
        back = comes_back(w, i, b);
        if (back != NO_NODE)
            break;
        b = only_next(&w->a->block[b]);
    }
    return back;
}

/* Writes the bits of the slow path from position i to `back`. */
static bool take_detour(struct byw_cl_walker *w, uint32_t i, uint32_t back, uint32_t way,
                        struct byw_cl_walk *walk)
{
    uint32_t b = w->a->block[w->node[w->route[i]].block].slow;

    while (b != w->node[w->route[back]].block) {
        const struct byw_cl_machine_block *block = &w->a->block[b];

        open_block(w, block);
        b = only_next(block);
        if (!add_bits(w, block, b, way, walk))
            return false;
    }
    return true;
}

/* Consumes the PTX blocks that the open block executes, and skips the rest up to `end`. */
static void consume_up_to(struct byw_cl_walker *w, uint32_t at, uint32_t end)
{
    uint64_t unused;

    for (at = consume(w, at); at < end; at = consume(w, at + 1))
        leave_out(w, w->piece[at], &unused);
}

/* Writes the bits of the route's i-th block, and of the slow path that is taken at its end. */
static bool leave(struct byw_cl_walker *w, uint32_t *i, struct byw_cl_walk *walk)
{
    const uint32_t from = *i;
    const struct node *here = &w->node[w->route[from]];
    const struct byw_cl_machine_block *block = &w->a->block[here->block];
    bool last = from + 1 == w->routes;
    uint32_t next = last ? BYW_CL_NOWHERE : w->node[w->route[from + 1]].block;
    uint32_t way = way_of(w, here->block), back = NO_NODE;

    if (way != BYW_SLOW_NONE && next != block->slow)
        back = detour_end(w, from);
    open_block(w, block);
    consume_up_to(w, here->at, last ? w->count : w->node[w->route[from + 1]].at);
    if (!add_bits(w, block, back == NO_NODE ? next : block->slow, BYW_SLOW_NONE, walk))
        return false;
    if (back == NO_NODE)
        return true;
    *i = back - 1;
    return take_detour(w, from, back, way, walk);
}

/* Repeats the walk that ends at a node. */
static enum byw_status retrace(struct byw_cl_walker *w, uint32_t node, struct byw_cl_walk *walk)
{
    uint32_t n = 0;

    for (uint32_t i = node; i != NO_NODE; i = w->node[i].before)
        n++;
    if (!BYW_ARRAY_ROOM(w->route, w->route_room, n))
        return BYW_ENOMEM;
    w->routes = n;
    for (uint32_t i = node; i != NO_NODE; i = w->node[i].before)
        w->route[--n] = i;
    memset(w->turn, 0, w->a->blocks * sizeof(*w->turn));
    for (uint32_t i = 0; i < w->routes; i++)
        if (!leave(w, &i, walk))
            return BYW_ENOMEM;
    return BYW_OK;
}

void byw_cl_walk_slow(struct byw_cl_walker *w, const struct byw_cl_slow *slow, size_t count)
{
    w->slow = slow;
    w->slows = count;
}

/* Whether the sequence is that of the last search, so that its route can be reused. */
static bool is_known(const struct byw_cl_walker *w)
{
    return w->has_known && w->known_count == w->count &&
           (w->count == 0 || memcmp(w->known, w->piece, w->count * sizeof(*w->known)) == 0);
}

static enum byw_status find_route(struct byw_cl_walker *w, uint64_t all, struct end *end)
{
    enum byw_status status;

    w->has_known = false;
    w->skips = false;
    status = search(w, NARROW, end);
    if (status == BYW_OK && (end->node == NO_NODE || end->cost >= WRONG))
        status = search(w, MARGIN, end);
    if (status == BYW_OK &&
        (end->node == NO_NODE || end->cost / WRONG > SOME_WRONG + all / MOST_WRONG)) {
        w->skips = true;
        status = search(w, MARGIN, end);
    }
    if (status != BYW_OK || end->node == NO_NODE ||
        !BYW_ARRAY_ROOM(w->known, w->known_room, w->count + (size_t)1))
        return status;
    if (w->count != 0)
        memcpy(w->known, w->piece, w->count * sizeof(*w->known));
    w->known_count = w->count;
    w->known_end = *end;
    w->has_known = true;
    return BYW_OK;
}

enum byw_status byw_cl_walk(struct byw_cl_walker *w, const uint32_t *piece, uint32_t count,
                            struct byw_cl_walk *walk, enum byw_path_why *why)
{
    enum byw_status status = BYW_OK;
    struct end end = w->known_end;

    walk->bits = 0;
    walk->instructions = 0;
    w->piece = piece;
    w->count = count;
    walk->all = rest(w, 0);
    if (!is_known(w))
        status = find_route(w, walk->all, &end);
    *why = BYW_PATH_KNOWN;
    if (status == BYW_OK && end.node != NO_NODE)
        status = retrace(w, end.node, walk);
    walk->wrong = end.cost / WRONG; /* PTX blocks left out, too */
    if (status != BYW_OK)
        *why = BYW_PATH_LONG;
    else if (end.node == NO_NODE)
        *why = BYW_PATH_ENDLESS;
    else if (walk->wrong > SOME_WRONG + walk->all / MOST_WRONG)
        *why = BYW_PATH_DISAGREES;
    return *why == BYW_PATH_KNOWN ? BYW_OK : BYW_ECHECK;
}
