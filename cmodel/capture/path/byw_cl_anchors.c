/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/path/byw_cl_anchors.h"

#include <stdlib.h>
#include <string.h>

#include "capture/path/byw_cl_mark.h"

/* Cost, in instructions, of a path through a call that is assumed not to happen. A detour of up to
 * this many instructions is cheaper; contradicting a PTX block costs more. Chosen by hand. */
#define CALL_COST 1024u

/* How well executions of a machine instruction show those of its PTX instruction: 16 for writes and
 * barriers, 12 for reads and exchanges, 8 for votes (BYW_CL_SURE), less for arithmetic, least for
 * kinds that the assembler often adds.  The order follows byw_cl_anchors.h; the numbers were chosen
 * by hand. */
static uint8_t weight_of(const struct byw_machine_inst *inst)
{
    switch ((enum byw_machine_op)inst->op) {
    case BYW_MACHINE_CALL: /* a division that has no short code */
        return (inst->flags & BYW_MACHINE_FOLLOWED) != 0 ? 16 : 0;
    case BYW_MACHINE_STORE:
    case BYW_MACHINE_ATOMIC:
    case BYW_MACHINE_REDUCE:
    case BYW_MACHINE_SHARED_STORE:
    case BYW_MACHINE_SHARED_ATOMIC:
    case BYW_MACHINE_BARRIER:
    case BYW_MACHINE_ASYNC_COPY:
    case BYW_MACHINE_BULK:
        return 16;
    case BYW_MACHINE_LOAD:
    case BYW_MACHINE_SHARED_LOAD:
    case BYW_MACHINE_SHARED_MATRIX:
    case BYW_MACHINE_LOCAL_LOAD:
    case BYW_MACHINE_LOCAL_STORE:
    case BYW_MACHINE_SHUFFLE:
    case BYW_MACHINE_TENSOR:
    case BYW_MACHINE_TENSOR_DOUBLE:
    case BYW_MACHINE_TEXTURE:
        return 12;
    case BYW_MACHINE_VOTE:
    case BYW_MACHINE_MATCH:
        return 8;
    case BYW_MACHINE_MUFU:
    case BYW_MACHINE_DOUBLE:
    case BYW_MACHINE_FMA:
    case BYW_MACHINE_HALF:
        return 4;
    case BYW_MACHINE_CONVERT:
    case BYW_MACHINE_BITS:
    case BYW_MACHINE_IMAD:
        return 3;
    case BYW_MACHINE_INT:
        return 2;
    default:
        return 0;
    }
}

uint32_t byw_cl_piece_at(const uint32_t *mark, uint32_t marks, uint32_t number)
{
    uint32_t low = 0, high = marks;

    if (number == 0)
        return BYW_CL_NOWHERE;
    while (low < high) { /* finds the first mark above that of the instruction */
        uint32_t middle = low + (high - low) / 2;

        if (mark[middle] <= BYW_CL_MARK_GUARDED(number))
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && mark[low - 1] == BYW_CL_MARK_GUARDED(number))
        return low - 1;
    while (low > 0 && BYW_CL_MARK_IS_GUARDED(mark[low - 1]))
        low--;
    return low == 0 ? BYW_CL_NOWHERE : low - 1;
}

static bool ends_block(const struct byw_machine_inst *inst)
{
    return inst->op == BYW_MACHINE_BRANCH || inst->op == BYW_MACHINE_EXIT ||
           inst->op == BYW_MACHINE_CALL || inst->op == BYW_MACHINE_RETURN ||
           inst->op == BYW_MACHINE_INDIRECT;
}

static bool may_pass(const struct byw_machine_inst *inst)
{
    return byw_machine_decides(inst) ||
           (inst->flags & (BYW_MACHINE_NEVER | BYW_MACHINE_IF_DIVERGED | BYW_MACHINE_CONDITIONAL |
                           BYW_MACHINE_PREDICATED)) != 0;
}

/* Cuts the code into blocks; number[i]: the block of instruction i. */
static enum byw_status cut(struct byw_cl_anchors *a, uint32_t *number)
{
    const struct byw_machine *m = a->machine;
    uint32_t blocks = 0;

    memset(number, 0, m->count * sizeof(*number));
    number[0] = 1;
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->inst[i].target < m->count)
            number[m->inst[i].target] = 1;
        if (i + 1 < m->count && ends_block(&m->inst[i]))
            number[i + 1] = 1;
    }
    for (uint32_t i = 0; i < m->count; i++)
        blocks += number[i];
    a->block = calloc(blocks, sizeof(*a->block));
    if (a->block == NULL)
        return BYW_ENOMEM;
    for (uint32_t i = 0; i < m->count; i++) {
        if (number[i] != 0)
            a->block[a->blocks++].first = i;
        a->block[a->blocks - 1].count++;
        number[i] = a->blocks - 1;
    }
    return BYW_OK;
}

/* The functions that are called belong to no PTX block: the line table does not know them. */
static void forget_functions(struct byw_cl_anchors *a)
{
    const struct byw_machine *m = a->machine;

    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t at = m->inst[i].target;

        if ((m->inst[i].flags & BYW_MACHINE_FOLLOWED) == 0)
            continue;
        for (; at < m->count && a->left[at] != BYW_CL_NOWHERE && a->piece_of[at] != BYW_CL_NOWHERE;
             at++)
            a->piece_of[at] = BYW_CL_NOWHERE;
    }
}

/* The block with a call that is reached from block b without a conditional branch in between. */
static uint32_t find_call(const struct byw_cl_anchors *a, uint32_t b)
{
    enum { FAR = 4 }; /* blocks that are looked at; chosen by hand */

    for (int n = 0; n < FAR && b != BYW_CL_NOWHERE; n++) {
        const struct byw_cl_machine_block *block = &a->block[b];

        if (block->call != 0)
            return b;
        if (block->ends || block->lost ||
            (block->next != BYW_CL_NOWHERE && block->taken != BYW_CL_NOWHERE))
            break;
        b = block->next != BYW_CL_NOWHERE ? block->next : block->taken;
    }
    return BYW_CL_NOWHERE;
}

static bool is_target(const struct byw_cl_anchors *a, uint32_t b)
{
    for (uint32_t i = 0; i < a->blocks; i++)
        if (a->block[i].taken == b)
            return true;
    return false;
}

/* Instructions of a slow path, from block b past the call, are no anchors: the search assumes that
 * slow paths are not taken. */
static void forget_slow(struct byw_cl_anchors *a, uint32_t b)
{
    bool called = false;

    for (uint32_t n = 0; n < a->blocks && b < a->blocks; n++) {
        const struct byw_cl_machine_block *block = &a->block[b];

        for (uint32_t i = block->first; i < block->first + block->count; i++)
            a->piece_of[i] = BYW_CL_NOWHERE;
        if (called)
            return;
        called = block->call != 0;
        b = block->next != BYW_CL_NOWHERE ? block->next : block->taken;
        if (called && is_target(a, b))
            return;
    }
}

/* Finds slow paths: branches with one side that calls a function for the same PTX instruction. */
static void find_slow(struct byw_cl_anchors *a)
{
    const struct byw_machine *m = a->machine;

    for (uint32_t b = 0; b < a->blocks; b++) {
        struct byw_cl_machine_block *block = &a->block[b];
        const struct byw_machine_inst *last = &m->inst[block->first + block->count - 1], *call;
        uint32_t side[2] = {block->next, block->taken}, found[2];

        block->slow = BYW_CL_NOWHERE;
        if (block->next == BYW_CL_NOWHERE || block->taken == BYW_CL_NOWHERE || last->line == 0)
            continue;
        for (int s = 0; s < 2; s++)
            found[s] = find_call(a, side[s]);
        for (int s = 0; s < 2; s++) {
            if (found[s] == BYW_CL_NOWHERE || found[s] == found[!s])
                continue;
            call = &m->inst[a->block[found[s]].first + a->block[found[s]].count - 1];
            if (call->line != last->line || (call->flags & BYW_MACHINE_FOLLOWED) == 0)
                continue;
            block->slow = side[s];
            a->block[found[s]].call = CALL_COST;
            forget_slow(a, side[s]);
        }
    }
}

static void join(struct byw_cl_anchors *a, const uint32_t *number)
{
    const struct byw_machine *m = a->machine;

    for (uint32_t b = 0; b < a->blocks; b++) {
        struct byw_cl_machine_block *block = &a->block[b];
        const struct byw_machine_inst *last = &m->inst[block->first + block->count - 1];
        bool on = b + 1 < a->blocks;

        block->taken = BYW_CL_NOWHERE;
        block->next = on ? b + 1 : BYW_CL_NOWHERE;
        if (last->op == BYW_MACHINE_CALL)
            block->call =
                (last->flags & BYW_MACHINE_FOLLOWED) != 0 ? a->left[last->target] : CALL_COST;
        if (!ends_block(last) || last->op == BYW_MACHINE_CALL)
            continue;
        if (!may_pass(last))
            block->next = BYW_CL_NOWHERE;
        block->ends = last->op == BYW_MACHINE_EXIT && (last->flags & BYW_MACHINE_NEVER) == 0;
        if (last->op == BYW_MACHINE_BRANCH &&
            (last->flags & (BYW_MACHINE_NEVER | BYW_MACHINE_IF_DIVERGED)) == 0 &&
            last->target < m->count)
            block->taken = number[last->target];
        block->lost = last->op == BYW_MACHINE_INDIRECT || last->op == BYW_MACHINE_RETURN ||
                      (last->op == BYW_MACHINE_BRANCH && last->target >= m->count);
    }
}

/* An instruction that may be the anchor of its block. */
struct candidate {
    uint32_t piece, line, total;
    uint8_t op, weight;
};

static int by_piece(const void *left, const void *right)
{
    const struct candidate *l = left, *r = right;

    if (l->piece != r->piece)
        return l->piece < r->piece ? -1 : 1;
    if (l->line != r->line)
        return l->line < r->line ? -1 : 1;
    return (l->op > r->op) - (l->op < r->op);
}

/* Whether c represents its source line better than `best`: memory accesses first, then the kind of
 * instruction that occurs least often. */
static bool is_better_kind(const struct candidate *c, const struct candidate *best)
{
    if ((c->weight >= 8) != (best->weight >= 8))
        return c->weight >= 8;
    if (c->weight >= 8)
        return c->weight > best->weight;
    return c->total != best->total ? c->total < best->total : c->weight > best->weight;
}

/* Whether c's line represents the block better than `best`: memory accesses first, then lines with
 * many copies, because the others were moved out of a loop. Integer arithmetic is often expanded,
 * so there few copies are better. */
static bool is_better_line(const struct candidate *c, const struct candidate *best)
{
    if (c->weight != best->weight)
        return c->weight > best->weight;
    return c->weight >= 4 ? c->total > best->total : c->total < best->total;
}

/* Chooses the anchor of each PTX block from the list of all instructions. */
static void choose(struct candidate *list, uint32_t count, struct candidate *anchor)
{
    uint32_t used = 0;

    qsort(list, count, sizeof(*list), by_piece);
    for (uint32_t i = 0; i < count; i++) { /* equal ones become one with a total */
        if (used != 0 && by_piece(&list[used - 1], &list[i]) == 0)
            list[used - 1].total++;
        else
            list[used++] = list[i];
    }
    for (uint32_t i = 0; i < used;) {
        struct candidate best = list[i], *to = &anchor[list[i].piece];
        uint32_t line = list[i].line;

        for (i++; i < used && list[i].line == line && list[i].piece == best.piece; i++)
            if (is_better_kind(&list[i], &best))
                best = list[i];
        if (to->weight == 0 || is_better_line(&best, to))
            *to = best;
    }
}

static bool add_stand(struct byw_cl_anchors *a, struct byw_cl_machine_block *block, uint32_t piece,
                      bool maybe)
{
    struct byw_cl_stand *stand = a->stand + block->first_stand, *end = stand + block->stands;

    while (stand < end && stand->piece != piece)
        stand++;
    if (stand == end) {
        *stand = (struct byw_cl_stand){.piece = piece};
        block->stands++;
        a->stands++;
    }
    if (stand->copies == UINT16_MAX)
        return false;
    stand->copies++;
    stand->maybe += maybe;
    return true;
}

static void place_stands(struct byw_cl_anchors *a, const struct candidate *anchor)
{
    const struct byw_machine *m = a->machine;

    for (uint32_t b = 0; b < a->blocks; b++) {
        struct byw_cl_machine_block *block = &a->block[b];

        block->first_stand = a->stands;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const struct byw_machine_inst *inst = &m->inst[i];
            uint32_t piece = a->piece_of[i];

            if (piece != BYW_CL_NOWHERE && anchor[piece].weight != 0 &&
                anchor[piece].line == inst->line && anchor[piece].op == inst->op &&
                (inst->flags & BYW_MACHINE_NEVER) == 0)
                add_stand(a, block, piece,
                          (inst->flags & (BYW_MACHINE_PREDICATED | BYW_MACHINE_WARP_PREDICATE)) !=
                                  0 ||
                              anchor[piece].weight < BYW_CL_SURE);
        }
    }
}

/* The entry that says that a block executes a PTX block; NULL: none. */
static const struct byw_cl_stand *stand_for(const struct byw_cl_anchors *a, uint32_t b,
                                            uint32_t piece)
{
    const struct byw_cl_stand *stand = a->stand + a->block[b].first_stand;

    for (uint32_t s = 0; s < a->block[b].stands; s++)
        if (stand[s].piece == piece)
            return &stand[s];
    return NULL;
}

/* Whether block `loop` repeats itself and a block in between has more copies of the PTX block that
 * it executes. */
static bool is_rest_of(const struct byw_cl_anchors *a, uint32_t from, uint32_t loop)
{
    const struct byw_cl_stand *stand = a->stand + a->block[loop].first_stand, *other;

    if (a->block[loop].taken != loop)
        return false;
    for (uint32_t s = 0; s < a->block[loop].stands; s++)
        for (uint32_t b = from; b < loop; b++) {
            other = stand_for(a, b, stand[s].piece);
            if (other != NULL && other->copies > stand[s].copies)
                return true;
        }
    return false;
}

/* The assembler unrolls a loop that counts down to 0 in this form: if the count is not positive (it
 * wrapped around), jump to the loop of single iterations; if it is small, jump past the loop with
 * the most copies; then come the loops with fewer copies, then the rest. Programs do not take the
 * first branch. */
static void find_guards(struct byw_cl_anchors *a)
{
    for (uint32_t b = 0; b + 1 < a->blocks; b++) {
        struct byw_cl_machine_block *block = &a->block[b];
        const struct byw_cl_machine_block *second = &a->block[b + 1];
        uint32_t loop = block->taken;

        if (block->next != b + 1 || loop == BYW_CL_NOWHERE || loop <= b + 1 ||
            second->next != b + 2 || second->taken == BYW_CL_NOWHERE || second->taken <= b + 2 ||
            second->taken >= loop)
            continue;
        if (a->block[loop].stands == 0 && a->block[loop].taken == BYW_CL_NOWHERE &&
            a->block[loop].next == loop + 1)
            loop++; /* lanes reconverge in the block before the loop */
        block->guards = loop < a->blocks && is_rest_of(a, b + 2, loop);
    }
}

/* Sets the cost of skipping a block: more than that of executing it, less than that of a detour. */
static void set_prices(struct byw_cl_anchors *a, const struct candidate *anchor)
{
    for (uint32_t i = 0; i < a->machine->count; i++)
        if (a->piece_of[i] != BYW_CL_NOWHERE)
            a->size[a->piece_of[i]]++;
    for (uint32_t p = 0; p < a->pieces; p++)
        a->price[p] = anchor[p].weight == 0 || anchor[p].weight >= BYW_CL_SURE
                          ? 0
                          : 2 + 2 * a->size[p] / anchor[p].total;
}

static enum byw_status find_stands(struct byw_cl_anchors *a)
{
    const struct byw_machine *m = a->machine;
    struct candidate *list = calloc(m->count, sizeof(*list)),
                     *anchor = calloc(a->pieces + 1u, sizeof(*anchor));
    uint32_t count = 0;

    a->stand = calloc(m->count, sizeof(*a->stand));
    if (list == NULL || anchor == NULL || a->stand == NULL) {
        free(list);
        free(anchor);
        return BYW_ENOMEM;
    }
    for (uint32_t i = 0; i < m->count; i++)
        if (a->piece_of[i] != BYW_CL_NOWHERE && weight_of(&m->inst[i]) != 0 &&
            (m->inst[i].flags & BYW_MACHINE_NEVER) == 0)
            list[count++] = (struct candidate){a->piece_of[i], m->inst[i].line, 1, m->inst[i].op,
                                               weight_of(&m->inst[i])};
    choose(list, count, anchor);
    for (uint32_t p = 0; p < a->pieces; p++)
        a->weight[p] = anchor[p].weight;
    place_stands(a, anchor);
    find_guards(a);
    set_prices(a, anchor);
    free(list);
    free(anchor);
    return BYW_OK;
}

enum byw_status byw_cl_anchors_find(struct byw_cl_anchors *a, const struct byw_machine *machine,
                                    const uint32_t *mark, uint32_t marks)
{
    uint32_t *number = calloc(machine->count + 1u, sizeof(*number));
    enum byw_status status = BYW_ENOMEM;

    *a = (struct byw_cl_anchors){.machine = machine, .pieces = marks};
    a->piece_of = calloc(machine->count + 1u, sizeof(*a->piece_of));
    a->weight = calloc(marks + 1u, 1);
    a->price = calloc(marks + 1u, sizeof(*a->price));
    a->size = calloc(marks + 1u, sizeof(*a->size));
    a->left = calloc(machine->count + 1u, sizeof(*a->left));
    if (number != NULL && a->piece_of != NULL && a->weight != NULL && a->price != NULL &&
        a->size != NULL && a->left != NULL && machine->count != 0) {
        byw_machine_find_returns(machine, a->left);
        status = cut(a, number);
    }
    if (status == BYW_OK) {
        join(a, number);
        for (uint32_t i = 0; i < machine->count; i++)
            a->piece_of[i] = byw_cl_piece_at(mark, marks, machine->inst[i].line);
        forget_functions(a);
        find_slow(a);
        status = find_stands(a);
    }
    free(number);
    if (status != BYW_OK)
        byw_cl_anchors_release(a);
    return status;
}

void byw_cl_anchors_release(struct byw_cl_anchors *a)
{
    free(a->block);
    free(a->stand);
    free(a->piece_of);
    free(a->weight);
    free(a->price);
    free(a->size);
    free(a->left);
    memset(a, 0, sizeof(*a));
}
