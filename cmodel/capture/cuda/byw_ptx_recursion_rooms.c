/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms of recursive functions: finds those whose address is taken, and those that are needed after
 * a call. A room is needed if it may be read before all of it is written.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_recursion.h"

#define STEPS 64 /* casts and offsets between a room and its use */

/* The pointer from which casts and offsets derived this one. */
static LLVMValueRef origin(LLVMValueRef pointer)
{
    for (int i = 0; i < STEPS && LLVMIsAInstruction(pointer) != NULL; i++) {
        LLVMOpcode op = LLVMGetInstructionOpcode(pointer);

        if (op != LLVMBitCast && op != LLVMGetElementPtr)
            break;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

struct byw_ptx_room *byw_ptx_room_of(struct byw_ptx_member *m, LLVMValueRef pointer)
{
    pointer = origin(pointer);
    for (uint32_t i = 0; i < m->rooms; i++)
        if (m->room[i].at == pointer)
            return &m->room[i];
    return NULL;
}

/* Whether a use lets the address escape. A call uses its operands only while it runs. */
static bool lets_out(LLVMValueRef pointer, int steps)
{
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMLoad:
        case LLVMCall:
            break;
        case LLVMStore:
            if (LLVMGetOperand(user, 0) == pointer)
                return true;
            break;
        case LLVMBitCast:
        case LLVMGetElementPtr:
            if (steps == 0 || lets_out(user, steps - 1))
                return true;
            break;
        default:
            return true;
        }
    }
    return false;
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

static void find_addressed(struct byw_ptx_recursion *r, struct byw_ptx_member *m)
{
    for (uint32_t i = 0; i < m->rooms; i++) {
        struct byw_ptx_room *room = &m->room[i];

        room->addressed = lets_out(room->at, STEPS);
        if (!room->addressed)
            continue;
        m->frame = round_up(m->frame, room->align < 16 ? 16 : room->align);
        room->offset = m->frame;
        m->frame += room->bytes;
        r->align = room->align > r->align ? room->align : r->align;
    }
}

/* Which rooms a stretch of code reads before it writes them, and which it writes. */
struct effect {
    uint64_t *reads, *writes;
};

struct flow {
    struct byw_ptx_recursion *r;
    struct byw_ptx_member *m;
    size_t words; /* of a set of rooms */
    struct byw_cl_map *number; /* pointer -> its room; block -> its number, in another map */
    struct byw_cl_map *block;
    uint64_t *reads, *writes, *in; /* per block */
};

static void add(uint64_t *set, uint32_t member)
{
    set[member / 64] |= 1ull << member % 64;
}

static bool has(const uint64_t *set, uint32_t member)
{
    return (set[member / 64] >> member % 64 & 1) != 0;
}

/* The number of a pointer's room; UINT32_MAX: none. */
static uint32_t number_of(const struct flow *f, LLVMValueRef pointer)
{
    return byw_cl_map_get(f->number, origin(pointer));
}

static void read_room(const struct effect *e, uint32_t room)
{
    if (room != UINT32_MAX && !has(e->writes, room))
        add(e->reads, room);
}

/* Notes a write of `bytes` at a pointer. It counts only if it writes a whole room. */
static void write_room(const struct flow *f, const struct effect *e, LLVMValueRef pointer,
                       uint64_t bytes)
{
    uint32_t room = number_of(f, pointer);

    if (room != UINT32_MAX && LLVMGetInstructionOpcode(pointer) != LLVMGetElementPtr &&
        bytes >= f->m->room[room].bytes)
        add(e->writes, room);
}

static const struct byw_ptx_function *function_of(const struct flow *f, LLVMValueRef called)
{
    static const char prefix[] = "function ";
    const size_t skip = sizeof(prefix) - 1;
    size_t length;
    const char *name = LLVMGetValueName2(called, &length);

    if (strncmp(name, prefix, skip) != 0)
        return NULL;
    for (uint32_t i = 0; i < f->r->g->ptx->functions; i++)
        if (strcmp(f->r->g->ptx->function[i]->name, name + skip) == 0)
            return f->r->g->ptx->function[i];
    return NULL;
}

static void apply_call(const struct flow *f, const struct effect *e, LLVMValueRef call)
{
    const struct byw_ptx_function *callee = function_of(f, LLVMGetCalledValue(call));
    uint32_t results = callee == NULL ? 0 : callee->results, count = LLVMGetNumArgOperands(call);

    for (uint32_t i = results; i < count; i++)
        read_room(e, number_of(f, LLVMGetOperand(call, i)));
    for (uint32_t i = 0; i < results; i++)
        write_room(f, e, LLVMGetOperand(call, i), UINT64_MAX);
}

static void apply(const struct flow *f, const struct effect *e, LLVMValueRef inst)
{
    LLVMTypeRef type;

    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        read_room(e, number_of(f, LLVMGetOperand(inst, 0)));
        return;
    case LLVMStore:
        type = LLVMTypeOf(LLVMGetOperand(inst, 0));
        write_room(f, e, LLVMGetOperand(inst, 1), LLVMStoreSizeOfType(f->r->layout, type));
        return;
    case LLVMCall:
        apply_call(f, e, inst);
        return;
    default:
        return;
    }
}

/* Adds to a block's set what is needed at its start; true: the set has grown. */
static bool flow_back(struct flow *f, uint32_t block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->m->block[block]);
    uint64_t *in = f->in + block * f->words;
    bool grown = false;

    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        const uint64_t *next =
            f->in + byw_cl_map_get(f->block, LLVMGetSuccessor(end, s)) * f->words;

        for (size_t w = 0; w < f->words; w++) {
            uint64_t more = (next[w] & ~f->writes[block * f->words + w]) & ~in[w];

            in[w] |= more;
            grown |= more != 0;
        }
    }
    return grown;
}

static void find_needed(struct flow *f)
{
    bool changed = true;

    for (uint32_t i = 0; i < f->m->rooms; i++)
        byw_cl_map_set(f->number, f->m->room[i].at, i);
    for (uint32_t b = 0; b < f->m->blocks; b++) {
        struct effect e = {f->reads + b * f->words, f->writes + b * f->words};

        byw_cl_map_set(f->block, f->m->block[b], b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->m->block[b]); i;
             i = LLVMGetNextInstruction(i))
            apply(f, &e, i);
        memcpy(f->in + b * f->words, e.reads, f->words * sizeof(uint64_t));
    }
    while (changed) {
        changed = false;
        for (uint32_t b = f->m->blocks; b > 0; b--)
            changed |= flow_back(f, b - 1);
    }
}

static bool is_result(const struct byw_ptx_site *site, const struct byw_ptx_room *room)
{
    for (uint32_t i = 0; i < site->callee->f->results; i++)
        if (byw_ptx_room_of(site->caller, LLVMGetOperand(site->call, i)) == room)
            return true;
    return false;
}

/* Assigns places on the stack to what a call saves, the largest first. */
static void lay_out(struct byw_ptx_recursion *r, struct byw_ptx_site *site)
{
    static const uint64_t sizes[] = {UINT64_MAX, 8, 4, 2, 1};

    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        for (uint32_t i = 0; i < site->saves; i++) {
            uint64_t bytes = site->caller->room[site->save[i]].bytes;
            bool large = (bytes & (bytes - 1)) != 0 || bytes > 8;

            if (large ? s != 0 : bytes != sizes[s])
                continue;
            site->at[i] = site->bytes;
            site->bytes += large ? round_up(bytes, 16) : bytes;
        }
        if (sizes[s] == 8) {
            site->at[site->saves] = site->bytes;
            site->bytes += 8;
        }
    }
    site->bytes = round_up(site->bytes, r->align);
}

static enum byw_status choose_saved(struct flow *f, struct byw_ptx_site *site)
{
    const uint64_t *in = f->in + byw_cl_map_get(f->block, site->after) * f->words;

    site->save = calloc(f->m->rooms + 1u, sizeof(*site->save));
    site->at = calloc(f->m->rooms + 1u, sizeof(*site->at));
    if (site->save == NULL || site->at == NULL)
        return BYW_ENOMEM;
    for (uint32_t i = 0; i < f->m->rooms; i++) {
        const struct byw_ptx_room *room = &f->m->room[i];

        if (has(in, i) && !room->addressed && !room->passing && !is_result(site, room))
            site->save[site->saves++] = i;
    }
    return BYW_OK;
}

static enum byw_status find_saved(struct byw_ptx_recursion *r, struct byw_ptx_member *m)
{
    struct flow f = {.r = r, .m = m, .words = m->rooms / 64 + 1u};
    uint64_t *memory = calloc(3 * (m->blocks + 1u) * f.words, sizeof(*memory));
    enum byw_status status = BYW_OK;

    f.number = byw_cl_map_create(m->rooms + 1u);
    f.block = byw_cl_map_create(m->blocks + 1u);
    if (memory == NULL || f.number == NULL || f.block == NULL)
        status = BYW_ENOMEM;
    f.reads = memory;
    if (status == BYW_OK) {
        f.writes = memory + m->blocks * f.words;
        f.in = f.writes + m->blocks * f.words;
        find_needed(&f);
    }
    for (uint32_t i = 0; i < r->sites && status == BYW_OK; i++)
        if (r->site[i].caller == m)
            status = choose_saved(&f, &r->site[i]);
    byw_cl_map_free(f.number);
    byw_cl_map_free(f.block);
    free(memory);
    return status;
}

enum byw_status byw_ptx_rooms_find(struct byw_ptx_recursion *r)
{
    enum byw_status status = BYW_OK;

    r->align = 16;
    for (uint32_t i = 0; i < r->members; i++)
        find_addressed(r, &r->member[i]);
    for (uint32_t i = 0; i < r->members && status == BYW_OK; i++) {
        r->member[i].frame = round_up(r->member[i].frame, r->align);
        status = find_saved(r, &r->member[i]);
    }
    for (uint32_t i = 0; i < r->sites && status == BYW_OK; i++)
        lay_out(r, &r->site[i]);
    return status;
}

LLVMValueRef byw_ptx_stack_at(struct byw_ptx_recursion *r, uint64_t back, uint64_t on)
{
    LLVMValueRef at = LLVMBuildLoad2(r->b, r->g->i64, r->top, "");

    at = LLVMBuildAdd(r->b, at, LLVMConstInt(r->g->i64, on - back, 1), "");
    return LLVMBuildGEP2(r->b, r->g->i8,
                         LLVMBuildBitCast(r->b, r->stack, LLVMPointerType(r->g->i8, 0), ""), &at, 1,
                         "");
}

static void place(struct byw_ptx_recursion *r, const struct byw_ptx_member *m,
                  const struct byw_ptx_room *room)
{
    LLVMUseRef use;

    while ((use = LLVMGetFirstUse(room->at)) != NULL) {
        LLVMValueRef user = LLVMGetUser(use), at;

        LLVMPositionBuilderBefore(r->b, user);
        LLVMSetCurrentDebugLocation2(r->b, r->hidden);
        at = byw_ptx_stack_at(r, m->frame, room->offset);
        at = LLVMBuildBitCast(r->b, at, LLVMTypeOf(room->at), "");
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == room->at)
                LLVMSetOperand(user, (unsigned)i, at);
    }
    LLVMInstructionEraseFromParent(room->at);
}

void byw_ptx_rooms_place(struct byw_ptx_recursion *r)
{
    for (uint32_t i = 0; i < r->members; i++)
        for (uint32_t k = 0; k < r->member[i].rooms; k++)
            if (r->member[i].room[k].addressed)
                place(r, &r->member[i], &r->member[i].room[k]);
}
