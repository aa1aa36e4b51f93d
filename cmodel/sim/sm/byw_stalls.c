/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_stalls.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "l1d/byw_l1d_ports.h"

enum {
    WARPS = BYW_STALL_WARPS,
    LOADS = BYW_STALL_LOADS,
    LINES = 32, /* most lines of a load whose origin is kept; further lines are ignored */
    ORIGINS = 4096
};

#define NO_INDEX UINT32_MAX

/* An access between issue and the release of its barrier. */
struct access {
    uint32_t index; /* index of the access's instruction; NO_INDEX: not machine code */
    uint8_t what; /* enum byw_holder */
    uint8_t lines;
    bool filled, passed; /* answered by a fill; answered by a response that bypassed the L1D */
    bool fetched; /* `passed`, and the L2 had to fetch one of those answers */
    uint64_t issued;
    uint32_t line[LINES];
};

/* The last cycle in which a reply brought a part of this line that the L2 had to fetch. */
struct origin {
    uint64_t line, at;
};

struct byw_stalls {
    const struct byw_machine *machine;
    struct byw_stall_sums sums;
    uint64_t at[WARPS]; /* the cycles before this one have a cause */
    uint32_t next[WARPS]; /* index of the next instruction; after the last one, still the last */
    uint64_t passed[WARPS][2]; /* cycles since it could issue: not selected, throttled */
    bool fetched; /* the L2 had to fetch the last reply */
    struct access access[LOADS];
    struct origin origin[ORIGINS];
};

const char *byw_stall_name(enum byw_stall cause)
{
    static const char *const name[] = {
#define X(code, name, what) name,
        BYW_STALL_LIST(X)
#undef X
    };
    return name[cause];
}

const char *byw_stall_about(enum byw_stall cause)
{
    static const char *const about[] = {
#define X(code, name, what) what,
        BYW_STALL_LIST(X)
#undef X
    };
    return about[cause];
}

/* --- sums --------------------------------------------------------------------------------- */

void byw_stall_sums_release(struct byw_stall_sums *sums)
{
    free(sums->row);
    free(sums->first);
    free(sums->wait);
    *sums = (struct byw_stall_sums){.count = 0};
}

enum byw_status byw_stall_sums_begin(struct byw_stall_sums *sums, uint32_t count)
{
    byw_stall_sums_release(sums);
    if (count == 0)
        return BYW_OK;
    sums->row = calloc(count, sizeof(*sums->row));
    sums->first = malloc(count * sizeof(*sums->first));
    if (sums->row == NULL || sums->first == NULL) {
        byw_stall_sums_release(sums);
        sums->lost = true;
        return BYW_ENOMEM;
    }
    memset(sums->first, 0xff, count * sizeof(*sums->first));
    sums->count = count;
    return BYW_OK;
}

void byw_stall_sums_wait(struct byw_stall_sums *sums, uint32_t at, uint32_t on,
                         enum byw_stall cause, uint64_t cycles)
{
    uint32_t i = sums->first[at], last = UINT32_MAX;

    for (; i != UINT32_MAX; last = i, i = sums->wait[i].next)
        if (sums->wait[i].on == on && sums->wait[i].cause == cause) {
            sums->wait[i].cycles += cycles;
            return;
        }
    if (!BYW_ARRAY_ROOM(sums->wait, sums->wait_room, sums->waits + 1)) {
        sums->lost = true;
        return;
    }
    i = (uint32_t)sums->waits++;
    sums->wait[i] = (struct byw_stall_wait){
        .at = at, .on = on, .next = UINT32_MAX, .cause = cause, .cycles = cycles};
    if (last == UINT32_MAX)
        sums->first[at] = i;
    else
        sums->wait[last].next = i;
}

void byw_stall_sums_add(struct byw_stall_sums *to, const struct byw_stall_sums *from)
{
    enum { MEMBERS = sizeof(struct byw_stall_row) / sizeof(uint64_t) };
    uint64_t x[MEMBERS], y[MEMBERS];

    _Static_assert(sizeof(x) == sizeof(*to->row), "only whole numbers of 64 bits");
    for (uint32_t i = 0; i < from->count && i < to->count; i++) {
        memcpy(x, &to->row[i], sizeof(x));
        memcpy(y, &from->row[i], sizeof(y));
        for (size_t m = 0; m < MEMBERS; m++)
            x[m] += y[m];
        memcpy(&to->row[i], x, sizeof(x));
    }
    for (size_t i = 0; i < from->waits && to->count >= from->count; i++)
        byw_stall_sums_wait(to, from->wait[i].at, from->wait[i].on, from->wait[i].cause,
                            from->wait[i].cycles);
    to->lost = to->lost || from->lost;
}

/* --- an SM -------------------------------------------------------------------------------- */

struct byw_stalls *byw_stalls_create(void)
{
    struct byw_stalls *stalls = calloc(1, sizeof(*stalls));

    for (uint32_t i = 0; stalls != NULL && i < LOADS; i++)
        stalls->access[i].index = NO_INDEX;
    return stalls;
}

void byw_stalls_free(struct byw_stalls *stalls)
{
    if (stalls != NULL)
        byw_stall_sums_release(&stalls->sums);
    free(stalls);
}

void byw_stalls_launch(struct byw_stalls *stalls, const struct byw_machine *machine)
{
    stalls->machine = NULL;
    if (byw_stall_sums_begin(&stalls->sums, machine != NULL ? machine->count : 0) == BYW_OK)
        stalls->machine = machine;
    for (uint32_t w = 0; w < WARPS; w++)
        stalls->next[w] = NO_INDEX;
    for (uint32_t i = 0; i < LOADS; i++)
        stalls->access[i].index = NO_INDEX;
    for (uint32_t i = 0; i < ORIGINS; i++)
        stalls->origin[i] = (struct origin){.line = UINT64_MAX};
}

const struct byw_stall_sums *byw_stalls_sums(const struct byw_stalls *stalls)
{
    return &stalls->sums;
}

static struct byw_stall_row *row_of(struct byw_stalls *stalls, uint32_t w)
{
    return stalls->next[w] < stalls->sums.count ? &stalls->sums.row[stalls->next[w]] : NULL;
}

void byw_stalls_place(struct byw_stalls *stalls, uint32_t w, uint32_t index, uint64_t now)
{
    stalls->next[w] = index;
    stalls->at[w] = now;
    stalls->passed[w][0] = stalls->passed[w][1] = 0;
}

/* Returns the number of cycles that got the cause. */
static uint64_t charge(struct byw_stalls *stalls, uint32_t w, enum byw_stall cause, uint64_t until)
{
    struct byw_stall_row *row = row_of(stalls, w);
    uint64_t cycles;

    if (row == NULL || until <= stalls->at[w])
        return 0;
    cycles = until - stalls->at[w];
    row->cycles[cause] += cycles;
    stalls->at[w] = until;
    return cycles;
}

void byw_stalls_until(struct byw_stalls *stalls, uint32_t w, enum byw_stall cause, uint64_t until)
{
    charge(stalls, w, cause, until);
}

void byw_stalls_pass(struct byw_stalls *stalls, uint64_t set, enum byw_stall cause)
{
    for (; set != 0; set &= set - 1)
        stalls->passed[__builtin_ctzll(set)][cause == BYW_STALL_THROTTLE]++;
}

void byw_stalls_issue(struct byw_stalls *stalls, uint32_t w, uint32_t lanes, enum byw_stall rest,
                      uint64_t now)
{
    struct byw_stall_row *row = row_of(stalls, w);
    uint64_t *passed = stalls->passed[w], at = stalls->at[w];

    if (row == NULL)
        return;
    /* A warp that was passed over was ready, so the cycles with another cause came first. */
    if (now > at + passed[0] + passed[1])
        charge(stalls, w, rest, now - passed[0] - passed[1]);
    at = stalls->at[w] + passed[1];
    charge(stalls, w, BYW_STALL_THROTTLE, at < now ? at : now);
    charge(stalls, w, BYW_STALL_SLOT, now);
    charge(stalls, w, BYW_STALL_ISSUED, now + 1);
    row->threads += lanes;
    passed[0] = passed[1] = 0;
}

void byw_stalls_next(struct byw_stalls *stalls, uint32_t w, uint32_t index)
{
    if (index != NO_INDEX)
        stalls->next[w] = index;
}

/* --- barriers ----------------------------------------------------------------------------- */

void byw_stalls_hold(struct byw_stalls *stalls, uint32_t load, uint32_t w, enum byw_holder what,
                     uint64_t now)
{
    struct access *a = &stalls->access[load];

    a->index = stalls->next[w] < stalls->sums.count ? stalls->next[w] : NO_INDEX;
    a->what = (uint8_t)what;
    a->lines = 0;
    a->filled = a->passed = a->fetched = false;
    a->issued = now;
}

/* Whether one of the lines that were filled for the access came from below the L2. */
static bool was_fetched(const struct byw_stalls *stalls, const struct access *a)
{
    bool fetched = a->fetched;

    for (uint32_t i = 0; i < a->lines && a->filled && !fetched; i++) {
        const struct origin *o = &stalls->origin[a->line[i] % ORIGINS];

        fetched = (uint32_t)o->line == a->line[i] && o->at >= a->issued;
    }
    return fetched;
}

static bool is_constant(uint8_t op)
{
    return op == BYW_MACHINE_CONST_LOAD || op == BYW_MACHINE_UNIFORM_CONST;
}

static enum byw_stall cause_of(const struct byw_stalls *stalls, const struct access *a)
{
    uint8_t op = stalls->machine->inst[a->index].op;

    if (a->what == BYW_HOLDS_OPERANDS)
        return BYW_STALL_OPERANDS;
    if (is_constant(op))
        return BYW_STALL_CONSTANT;
    if (op >= BYW_MACHINE_SHARED_LOAD && op <= BYW_MACHINE_SHARED_MATRIX)
        return BYW_STALL_SHARED;
    if (!byw_machine_op_is_memory((enum byw_machine_op)op))
        return BYW_STALL_RESULT;
    if (!a->filled && !a->passed)
        return BYW_STALL_L1;
    return was_fetched(stalls, a) ? BYW_STALL_DRAM : BYW_STALL_L2;
}

void byw_stalls_let_go(struct byw_stalls *stalls, uint32_t load, uint32_t w, bool waits,
                       uint64_t now)
{
    struct access *a = &stalls->access[load];
    enum byw_stall cause;

    if (a->index == NO_INDEX)
        return;
    cause = cause_of(stalls, a);
    if (a->lines != 0) {
        struct byw_stall_row *row = &stalls->sums.row[a->index];

        row->by_l1 += cause == BYW_STALL_L1;
        row->by_l2 += cause == BYW_STALL_L2;
        row->by_dram += cause == BYW_STALL_DRAM;
    }
    if (waits && stalls->next[w] < stalls->sums.count) {
        uint64_t cycles = charge(stalls, w, cause, now);

        if (cycles != 0)
            byw_stall_sums_wait(&stalls->sums, stalls->next[w], a->index, cause, cycles);
    }
    a->index = NO_INDEX;
}

/* --- the L1D ------------------------------------------------------------------------------ */

void byw_stalls_request(struct byw_stalls *stalls, uint32_t pc, uint32_t load, uint64_t line,
                        uint32_t sectors)
{
    uint32_t index = pc / BYW_MACHINE_INST_BYTES;

    if (index >= stalls->sums.count)
        return;
    stalls->sums.row[index].requests++;
    stalls->sums.row[index].sectors += sectors;
    if (load < LOADS && stalls->access[load].index == index && stalls->access[load].lines < LINES)
        stalls->access[load].line[stalls->access[load].lines++] = (uint32_t)line;
}

void byw_stalls_reply(struct byw_stalls *stalls, uint64_t line, bool fetched, uint64_t now)
{
    stalls->fetched = fetched;
    if (fetched)
        stalls->origin[(uint32_t)line % ORIGINS] = (struct origin){.line = line, .at = now};
}

void byw_stalls_answer(struct byw_stalls *stalls, uint32_t load, int served)
{
    struct access *a = &stalls->access[load];
    struct byw_stall_row *row;

    if (a->index == NO_INDEX)
        return;
    row = &stalls->sums.row[a->index];
    row->hits += served == BYW_SERVED_HIT;
    row->fills += served == BYW_SERVED_FILL;
    row->bypasses += served == BYW_SERVED_BYPASS;
    a->filled = a->filled || served == BYW_SERVED_FILL;
    a->passed = a->passed || served == BYW_SERVED_BYPASS;
    a->fetched = a->fetched || (served == BYW_SERVED_BYPASS && stalls->fetched);
}
