/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/file/byw_trace_machine.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

#define LANES 64u
#define REGISTERS 16u /* number of convergence barriers */
#define CALLS 4u /* depth of nested calls */
#define RECORDS_MOST (1u << 24)
#define CODES_MOST (1u << 24) /* most PTX instructions of a kernel whose accesses are looked up */
#define NOWHERE UINT32_MAX

/* Lanes that are at the same place. */
struct team {
    uint64_t mask;
    uint32_t pc; /* index of the next instruction */
    bool waits; /* the lanes wait at pc for other lanes */
    bool met; /* the lanes have already waited at pc */
};

/* Records of one PTX instruction in the current warp. */
struct queue {
    uint32_t first, count; /* range of its records in list[] */
    uint32_t together; /* records that all lanes have passed together */
    bool apart; /* lanes are at different records; `place` says at which */
};

struct byw_machine_reader {
    const struct byw_machine *machine;
    uint32_t *special; /* per instruction: the first from this one on that is not plain */
    uint32_t *queue_of; /* per instruction: its queue; NOWHERE: none */
    uint32_t *pieces; /* per queue: static accesses of its PTX instruction */
    uint32_t *queue_at; /* per pc / 8 of the PTX code: its queue; NOWHERE: none */
    uint32_t codes, queues;
    struct queue *queue;
    uint32_t *place; /* per queue and lane: number of records passed */
    uint32_t *list;
    size_t list_room;
    struct team team[LANES];
    uint32_t teams;
    uint64_t live; /* lanes that have not exited */
    uint64_t idle; /* instructions of all teams since one of them decided */
    uint64_t barrier[REGISTERS][LANES]; /* per lane: lanes that its convergence barrier waits for */
    uint32_t path[LANES], at[LANES]; /* per lane: its walk and the next bit */
    uint32_t back[LANES][CALLS], calls[LANES]; /* per lane: where its functions return to */
    const struct byw_cta *ptx;
    const struct byw_warp_trace *warp;
    struct byw_cta *out;
};

static bool is_plain(const struct byw_machine_inst *inst)
{
    switch ((enum byw_machine_op)inst->op) {
    case BYW_MACHINE_BRANCH:
    case BYW_MACHINE_INDIRECT:
    case BYW_MACHINE_CALL:
    case BYW_MACHINE_RETURN:
    case BYW_MACHINE_EXIT:
    case BYW_MACHINE_CONVERGE:
    case BYW_MACHINE_DIVERGE:
    case BYW_MACHINE_MEET:
    case BYW_MACHINE_BARRIER:
        return false;
    default:
        return !byw_machine_op_is_memory((enum byw_machine_op)inst->op) ||
               (inst->flags & BYW_MACHINE_NEVER) != 0;
    }
}

static int by_number(const void *left, const void *right)
{
    const uint32_t *l = left, *r = right;

    return (*l > *r) - (*l < *r);
}

static uint32_t find(const uint32_t *list, uint32_t count, uint32_t number)
{
    const uint32_t *found =
        count == 0 ? NULL : bsearch(&number, list, count, sizeof(*list), by_number);

    return found == NULL ? NOWHERE : (uint32_t)(found - list);
}

/* One queue for each PTX instruction that accesses memory. */
static bool make_queues(struct byw_machine_reader *r, const struct byw_kernel *k)
{
    uint32_t count = k->site_number == NULL ? 0 : k->site_count, used = 0;
    uint32_t *number = calloc(count + 1u, sizeof(*number));

    if (number == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        number[i] = k->site_number[i];
    qsort(number, count, sizeof(*number), by_number);
    for (uint32_t i = 0; i < count; i++)
        if (number[i] != 0 && (used == 0 || number[used - 1] != number[i]))
            number[used++] = number[i];
    r->queues = used;
    for (uint32_t i = 0; i < count; i++)
        if (k->site[i].pc / BYW_INST_BYTES >= r->codes)
            r->codes = k->site[i].pc / BYW_INST_BYTES + 1;
    if (r->codes > CODES_MOST)
        r->codes = 0;
    r->queue = calloc(used + 1u, sizeof(*r->queue));
    r->pieces = calloc(used + 1u, sizeof(*r->pieces));
    r->place = calloc((used + 1u) * (size_t)LANES, sizeof(*r->place));
    r->queue_at = malloc((r->codes + 1u) * sizeof(*r->queue_at));
    if (r->queue != NULL && r->pieces != NULL && r->place != NULL && r->queue_at != NULL) {
        memset(r->queue_at, 0xff, (r->codes + 1u) * sizeof(*r->queue_at));
        for (uint32_t i = 0; i < count; i++) {
            uint32_t q = find(number, used, k->site_number[i]);

            if (q == NOWHERE || k->site[i].pc / BYW_INST_BYTES >= r->codes)
                continue;
            r->queue_at[k->site[i].pc / BYW_INST_BYTES] = q;
            r->pieces[q]++;
        }
        for (uint32_t i = 0; i < r->machine->count; i++)
            r->queue_of[i] = find(number, used, r->machine->inst[i].line);
    }
    free(number);
    return r->queue != NULL && r->pieces != NULL && r->place != NULL && r->queue_at != NULL;
}

struct byw_machine_reader *byw_machine_reader_create(const struct byw_kernel *kernel)
{
    struct byw_machine_reader *r = calloc(1, sizeof(*r));
    uint32_t special;

    if (r == NULL)
        return NULL;
    r->machine = kernel->machine;
    r->special = calloc(r->machine->count + 1u, sizeof(*r->special));
    r->queue_of = calloc(r->machine->count + 1u, sizeof(*r->queue_of));
    if (r->special == NULL || r->queue_of == NULL || !make_queues(r, kernel)) {
        byw_machine_reader_free(r);
        return NULL;
    }
    special = r->machine->count;
    for (uint32_t i = r->machine->count; i-- > 0;) {
        if (!is_plain(&r->machine->inst[i]))
            special = i;
        r->special[i] = special;
    }
    return r;
}

void byw_machine_reader_free(struct byw_machine_reader *r)
{
    if (r == NULL)
        return;
    free(r->special);
    free(r->queue_of);
    free(r->pieces);
    free(r->queue_at);
    free(r->queue);
    free(r->place);
    free(r->list);
    free(r);
}

bool byw_machine_has_paths(const struct byw_cta *cta)
{
    for (uint32_t w = 0; w < cta->warp_count; w++)
        if (cta->warp[w].lanes == 0)
            return false;
    return cta->warp_count != 0;
}

/* --- records ------------------------------------------------------------------------------ */

static uint32_t queue_of(const struct byw_machine_reader *r, const struct byw_inst *inst)
{
    uint32_t code = inst->pc / BYW_INST_BYTES;

    return code < r->codes && byw_class_is_memory((enum byw_class)inst->cls) ? r->queue_at[code]
                                                                             : NOWHERE;
}

/* Sorts the warp's accesses by their PTX instruction. */
static bool fill_queues(struct byw_machine_reader *r)
{
    const struct byw_inst *inst = r->ptx->inst + r->warp->first;
    uint32_t first = 0;

    if (!BYW_ARRAY_ROOM(r->list, r->list_room, r->warp->count + (size_t)1))
        return false;
    memset(r->queue, 0, r->queues * sizeof(*r->queue));
    for (uint32_t i = 0; i < r->warp->count; i++) {
        uint32_t q = queue_of(r, &inst[i]);

        if (q != NOWHERE)
            r->queue[q].count++;
    }
    for (uint32_t q = 0; q < r->queues; q++) {
        r->queue[q].first = first;
        first += r->queue[q].count;
        r->queue[q].count = 0;
    }
    for (uint32_t i = 0; i < r->warp->count; i++) {
        uint32_t q = queue_of(r, &inst[i]);

        if (q != NOWHERE)
            r->list[r->queue[q].first + r->queue[q].count++] = i;
    }
    return true;
}

static void part(struct byw_machine_reader *r, uint32_t q)
{
    if (r->queue[q].apart)
        return;
    r->queue[q].apart = true;
    for (uint32_t l = 0; l < LANES; l++)
        r->place[q * (size_t)LANES + l] = r->queue[q].together;
}

static const struct byw_inst *record(const struct byw_machine_reader *r, uint32_t q, uint32_t place)
{
    return r->ptx->inst + r->warp->first + r->list[r->queue[q].first + place];
}

/* A lane's next access; NULL: it has none left. */
static const struct byw_inst *next_of(struct byw_machine_reader *r, uint32_t q, uint32_t lane,
                                      uint32_t pass)
{
    uint32_t *place = &r->place[q * (size_t)LANES + lane];
    const struct byw_inst *found = NULL;

    for (; *place < r->queue[q].count && pass != 0; ++*place)
        if (record(r, q, *place)->mask >> lane & 1) {
            if (found == NULL)
                found = record(r, q, *place);
            pass--;
        }
    return found;
}

static uint8_t class_of(uint8_t op)
{
    switch ((enum byw_machine_op)op) {
    case BYW_MACHINE_STORE:
        return BYW_CLASS_STORE;
    case BYW_MACHINE_ATOMIC:
    case BYW_MACHINE_REDUCE:
        return BYW_CLASS_ATOMIC;
    case BYW_MACHINE_SHARED_LOAD:
    case BYW_MACHINE_SHARED_MATRIX:
    case BYW_MACHINE_SHARED_ATOMIC:
        return BYW_CLASS_SHARED_LOAD;
    case BYW_MACHINE_SHARED_STORE:
        return BYW_CLASS_SHARED_STORE;
    case BYW_MACHINE_LOCAL_LOAD:
        return BYW_CLASS_LOCAL_LOAD;
    case BYW_MACHINE_LOCAL_STORE:
        return BYW_CLASS_LOCAL_STORE;
    default:
        return BYW_CLASS_LOAD;
    }
}

static uint64_t address_of(const struct byw_machine_reader *r, const struct byw_inst *inst,
                           uint32_t lane)
{
    uint32_t rank = (uint32_t)__builtin_popcountll(inst->mask & ((1ull << lane) - 1));

    return byw_inst_address(inst, r->ptx, lane, rank);
}

/* Combines the next accesses of the lanes of `mask`, which are in different PTX records, into one
 * access. */
static bool gather(struct byw_machine_reader *r, uint32_t q, uint64_t mask, uint32_t pass,
                   struct byw_inst *to)
{
    uint64_t address[LANES];
    uint32_t count = 0;
    uint64_t *list;

    part(r, q);
    to->mask = 0;
    for (uint64_t left = mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const struct byw_inst *from = next_of(r, q, lane, pass);

        if (from == NULL || from->form == BYW_FORM_NONE)
            continue;
        if (count == 0) {
            to->cls = from->cls;
            to->width = from->width;
        }
        to->mask |= 1ull << lane;
        address[count++] = address_of(r, from, lane);
    }
    if (count == 0)
        return true;
    to->form = BYW_FORM_LIST;
    to->list = r->out->addr_count;
    list = byw_cta_add_addr(r->out, count);
    if (list == NULL)
        return false;
    memcpy(list, address, count * sizeof(*list));
    if (to->cls == BYW_CLASS_SHARED_LOAD || to->cls == BYW_CLASS_SHARED_STORE)
        to->degree = (uint8_t)byw_shared_degree(to, r->out);
    return true;
}

static bool copy(struct byw_machine_reader *r, const struct byw_inst *from, struct byw_inst *to)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(from->mask);
    uint64_t *list;

    to->mask = from->mask;
    to->cls = from->cls;
    to->width = from->width;
    to->form = from->form;
    to->base = from->base;
    to->stride = from->stride;
    to->degree = from->degree;
    if (from->form != BYW_FORM_LIST)
        return true;
    to->list = r->out->addr_count;
    list = byw_cta_add_addr(r->out, lanes);
    if (list != NULL)
        memcpy(list, r->ptx->addr + from->list, lanes * sizeof(*list));
    return list != NULL;
}

/* Whether the machine instruction performs all accesses of its PTX instruction at once. */
static bool takes_all(uint8_t op)
{
    return op == BYW_MACHINE_SHARED_ATOMIC || op == BYW_MACHINE_ASYNC_COPY ||
           op == BYW_MACHINE_SHARED_MATRIX;
}

static struct byw_inst *add_record(struct byw_machine_reader *r, uint32_t pc, uint64_t mask)
{
    struct byw_inst *inst = r->out->inst_count >= RECORDS_MOST ? NULL : byw_cta_add_inst(r->out);

    if (inst != NULL) {
        inst->pc = pc * BYW_MACHINE_INST_BYTES;
        inst->mask = mask;
    }
    return inst;
}

/* Adds the access of the lanes of `mask` by instruction `pc`. */
static bool add_access(struct byw_machine_reader *r, uint32_t pc, uint64_t mask)
{
    const struct byw_machine_inst *code = &r->machine->inst[pc];
    uint32_t q = r->queue_of[pc], pass = 1;
    struct byw_inst *inst = add_record(r, pc, mask);

    if (inst == NULL)
        return false;
    inst->cls = class_of(code->op);
    inst->width = code->width > 16 ? 16 : code->width;
    inst->degree = 1;
    if (q == NOWHERE || mask == 0)
        return true;
    if (takes_all(code->op))
        pass = r->pieces[q];
    if (!r->queue[q].apart && mask == r->live && pass == 1 &&
        r->queue[q].together < r->queue[q].count &&
        record(r, q, r->queue[q].together)->mask == mask)
        return copy(r, record(r, q, r->queue[q].together++), inst);
    return gather(r, q, mask, pass, inst);
}

/* Adds the instructions from `pc` up to `end`; extends the last record if that ends at pc. */
static bool add_run(struct byw_machine_reader *r, uint32_t pc, uint32_t end, uint64_t mask)
{
    struct byw_cta *out = r->out;
    const struct byw_warp_trace *warp = &out->warp[out->warp_count - 1];
    struct byw_inst *last = warp->count == 0 ? NULL : &out->inst[out->inst_count - 1];

    if (pc == end)
        return true;
    if (last != NULL && last->cls == BYW_CLASS_INT && last->mask == mask &&
        last->pc + last->count * BYW_MACHINE_INST_BYTES == pc * BYW_MACHINE_INST_BYTES) {
        last->count += end - pc;
        return true;
    }
    last = add_record(r, pc, mask);
    if (last == NULL)
        return false;
    last->cls = BYW_CLASS_INT;
    last->count = end - pc;
    return true;
}

static bool add_one(struct byw_machine_reader *r, uint32_t pc, uint64_t mask, uint8_t cls)
{
    struct byw_inst *inst = add_record(r, pc, mask);

    if (inst == NULL)
        return false;
    inst->cls = cls;
    return true;
}

/* --- lanes -------------------------------------------------------------------------------- */

/* *yes: the lanes of `mask` whose walk has the bit set; false: a walk is too short. */
static bool decide(struct byw_machine_reader *r, uint64_t mask, uint64_t *yes)
{
    *yes = 0;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(mask);
        const struct byw_path *path = &r->ptx->path[r->path[lane]];
        uint32_t bit = r->at[lane]++;

        if (bit >= path->bits)
            return false;
        if (r->ptx->bit[path->first + bit / 8] >> bit % 8 & 1)
            *yes |= 1ull << lane;
    }
    return true;
}

/* Joins all teams that wait at a PC. They continue after it if each has already executed the
 * instruction, as at convergence barriers; a barrier of the CTA is executed once. */
static void join(struct byw_machine_reader *r, uint32_t pc)
{
    uint64_t mask = 0;
    uint32_t kept = 0;

    for (uint32_t t = 0; t < r->teams; t++) {
        if (r->team[t].waits && r->team[t].pc == pc)
            mask |= r->team[t].mask;
        else
            r->team[kept++] = r->team[t];
    }
    r->teams = kept;
    if (r->machine->inst[pc].op == BYW_MACHINE_BARRIER)
        r->team[r->teams++] = (struct team){.mask = mask, .pc = pc, .met = true};
    else
        r->team[r->teams++] = (struct team){.mask = mask, .pc = pc + 1};
}

static uint64_t waiting_at(const struct byw_machine_reader *r, uint32_t pc)
{
    uint64_t mask = 0;

    for (uint32_t t = 0; t < r->teams; t++)
        if (r->team[t].waits && r->team[t].pc == pc)
            mask |= r->team[t].mask;
    return mask;
}

/* The lanes that a team waits for at an instruction. */
static uint64_t needed(const struct byw_machine_reader *r, const struct team *team)
{
    const struct byw_machine_inst *inst = &r->machine->inst[team->pc];
    uint64_t mask = 0;

    if (inst->op != BYW_MACHINE_CONVERGE)
        return r->live;
    for (uint64_t left = team->mask; left != 0; left &= left - 1)
        mask |= r->barrier[inst->width % REGISTERS][__builtin_ctzll(left)];
    return (mask | team->mask) & r->live;
}

enum outcome { GOES_ON, STOPS, FAILS, TOO_LONG };

static enum outcome added(bool good)
{
    return good ? GOES_ON : TOO_LONG;
}

/* The last team waits; once all lanes that it waits for have arrived, they continue together. */
static enum outcome meet(struct byw_machine_reader *r, struct team *team)
{
    uint64_t need = needed(r, team);
    uint32_t pc = team->pc;

    if (r->machine->inst[pc].op != BYW_MACHINE_BARRIER && !add_run(r, pc, pc + 1, team->mask))
        return TOO_LONG;
    team->waits = true;
    if ((need & ~waiting_at(r, pc)) != 0)
        return STOPS;
    join(r, pc);
    return GOES_ON;
}

static enum outcome leave(struct byw_machine_reader *r, struct team *team)
{
    const struct byw_machine_inst *inst = &r->machine->inst[team->pc];
    uint64_t going = team->mask;
    uint32_t pc = team->pc;

    if (byw_machine_decides(inst) && !decide(r, team->mask, &going))
        return FAILS;
    if ((inst->flags & BYW_MACHINE_NEVER) != 0)
        going = 0;
    r->live &= ~going;
    if (r->live == 0 && !add_one(r, pc, going, BYW_CLASS_EXIT))
        return TOO_LONG;
    if (r->live != 0 && !add_run(r, pc, pc + 1, team->mask))
        return TOO_LONG;
    team->mask &= ~going;
    team->pc++;
    if (team->mask == 0)
        r->teams--;
    return team->mask == 0 ? STOPS : GOES_ON;
}

static enum outcome jump(struct byw_machine_reader *r, struct team *team)
{
    const struct byw_machine_inst *inst = &r->machine->inst[team->pc];
    uint64_t taken = team->mask, all = team->mask;
    uint32_t pc = team->pc;

    if (byw_machine_decides(inst) && !decide(r, team->mask, &taken))
        return FAILS;
    if ((inst->flags & (BYW_MACHINE_NEVER | BYW_MACHINE_IF_DIVERGED)) != 0)
        taken = 0;
    if (taken != 0 && inst->target == BYW_MACHINE_NO_TARGET)
        return FAILS;
    if (!add_run(r, pc, pc + 1, all))
        return TOO_LONG;
    team->pc = taken == all ? inst->target : pc + 1;
    if (taken != 0 && taken != all) {
        struct team rest = *team;

        rest.mask &= ~taken;
        team->mask = taken; /* these lanes run after the others */
        team->pc = inst->target;
        r->team[r->teams++] = rest;
        return STOPS;
    }
    return GOES_ON;
}

/* Enters a function; the walks contain the path through it. */
static enum outcome call(struct byw_machine_reader *r, struct team *team)
{
    const struct byw_machine_inst *inst = &r->machine->inst[team->pc];

    for (uint64_t left = team->mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);

        if (r->calls[lane] == CALLS)
            return FAILS;
        r->back[lane][r->calls[lane]++] = team->pc + 1;
    }
    if (inst->target >= r->machine->count)
        return FAILS;
    if (!add_run(r, team->pc, team->pc + 1, team->mask))
        return TOO_LONG;
    team->pc = inst->target;
    return GOES_ON;
}

/* Lanes return to their callers. Lanes whose return address differs from the lowest lane's become a
 * team of their own, so the instruction is issued once per return address. */
static enum outcome give_back(struct byw_machine_reader *r, struct team *team)
{
    uint32_t first = (uint32_t)__builtin_ctzll(team->mask), pc = team->pc, back;
    struct team rest = *team;

    if (r->calls[first] == 0)
        return FAILS;
    back = r->back[first][r->calls[first] - 1];
    rest.mask = 0;
    for (uint64_t left = team->mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);

        if (r->calls[lane] == 0)
            return FAILS;
        if (r->back[lane][r->calls[lane] - 1] == back)
            r->calls[lane]--;
        else
            rest.mask |= 1ull << lane;
    }
    if (!add_run(r, pc, pc + 1, team->mask))
        return TOO_LONG;
    team->mask &= ~rest.mask;
    team->pc = back;
    if (rest.mask == 0)
        return GOES_ON;
    r->team[r->teams++] = rest;
    return STOPS;
}

/* Executes one instruction that needs special handling, for the last team. */
static enum outcome step(struct byw_machine_reader *r)
{
    struct team *team = &r->team[r->teams - 1];
    const struct byw_machine_inst *inst = &r->machine->inst[team->pc];
    uint64_t mask = team->mask;
    uint32_t pc = team->pc;

    switch ((enum byw_machine_op)inst->op) {
    case BYW_MACHINE_BRANCH:
        return jump(r, team);
    case BYW_MACHINE_EXIT:
        return leave(r, team);
    case BYW_MACHINE_DIVERGE:
        for (uint64_t left = mask; left != 0; left &= left - 1)
            r->barrier[inst->width % REGISTERS][__builtin_ctzll(left)] = mask;
        break;
    case BYW_MACHINE_CONVERGE:
    case BYW_MACHINE_MEET:
    case BYW_MACHINE_BARRIER:
        team->pc++;
        return added(inst->op == BYW_MACHINE_BARRIER ? add_one(r, pc, mask, BYW_CLASS_BARRIER)
                                                     : add_run(r, pc, pc + 1, mask));
    case BYW_MACHINE_RETURN:
        return give_back(r, team);
    case BYW_MACHINE_INDIRECT:
        return FAILS;
    case BYW_MACHINE_CALL: /* a call that is not followed is an ordinary instruction */
        if ((inst->flags & BYW_MACHINE_FOLLOWED) != 0)
            return call(r, team);
        break;
    default:
        if (byw_machine_decides(inst) && !decide(r, mask, &mask))
            return FAILS;
        team->pc++;
        return added(add_access(r, pc, mask));
    }
    team->pc++;
    return added(add_run(r, pc, pc + 1, mask));
}

static bool must_wait(const struct byw_machine_inst *inst)
{
    return inst->op == BYW_MACHINE_CONVERGE || inst->op == BYW_MACHINE_MEET ||
           inst->op == BYW_MACHINE_BARRIER;
}

/* Runs the last team until it stops.  A path without a decision never executes an instruction
 * twice: if the teams execute more instructions than that allows, the code is an endless loop. */
static enum outcome run_team(struct byw_machine_reader *r)
{
    const uint64_t most = 4ull * LANES * r->machine->count;
    enum outcome outcome = GOES_ON;

    while (outcome == GOES_ON) {
        struct team *team = &r->team[r->teams - 1];
        uint32_t end = team->pc < r->machine->count ? r->special[team->pc] : NOWHERE;

        if (end >= r->machine->count || r->idle > most)
            return FAILS;
        if (!add_run(r, team->pc, end, team->mask))
            return TOO_LONG;
        r->idle += end - team->pc + 1;
        team->pc = end;
        if (must_wait(&r->machine->inst[end]) && !team->met && team->mask != r->live) {
            outcome = meet(r, team);
            continue;
        }
        team->met = false;
        if (byw_machine_decides(&r->machine->inst[end]))
            r->idle = 0;
        outcome = step(r);
    }
    return outcome;
}

/* Moves a team that can run to the end of the list. If all teams wait, those at the lowest PC
 * continue. */
static void choose(struct byw_machine_reader *r)
{
    uint32_t best = r->teams, lowest = NOWHERE;

    for (uint32_t t = r->teams; t-- > 0 && best == r->teams;)
        if (!r->team[t].waits)
            best = t;
    if (best == r->teams) {
        for (uint32_t t = 0; t < r->teams; t++)
            if (r->team[t].pc < lowest)
                lowest = r->team[t].pc;
        join(r, lowest);
        return;
    }
    if (best != r->teams - 1) {
        struct team team = r->team[best];

        r->team[best] = r->team[r->teams - 1];
        r->team[r->teams - 1] = team;
    }
}

static void start_warp(struct byw_machine_reader *r)
{
    r->live = 0;
    for (uint32_t g = 0; g < r->warp->lanes; g++) {
        const struct byw_lanes *lanes = &r->ptx->lanes[r->warp->first_lanes + g];

        r->live |= lanes->mask;
        for (uint64_t left = lanes->mask; left != 0; left &= left - 1) {
            r->path[__builtin_ctzll(left)] = lanes->path;
            r->at[__builtin_ctzll(left)] = 0;
        }
    }
    memset(r->barrier, 0, sizeof(r->barrier));
    memset(r->calls, 0, sizeof(r->calls));
    r->idle = 0;
    r->teams = 1;
    r->team[0] = (struct team){.mask = r->live, .pc = 0};
}

static enum byw_status expand_warp(struct byw_machine_reader *r, struct byw_diag *diag)
{
    if (byw_cta_add_warp(r->out) == NULL || !fill_queues(r))
        return BYW_ENOMEM;
    start_warp(r);
    while (r->teams != 0) {
        enum outcome outcome;

        choose(r);
        outcome = run_team(r);
        if (outcome == FAILS)
            return byw_diag_set(diag, BYW_EFORMAT, "a warp's path does not fit the machine code");
        if (outcome == TOO_LONG)
            return BYW_EUNSUPPORTED;
    }
    return BYW_OK;
}

enum byw_status byw_machine_expand(struct byw_machine_reader *r, const struct byw_cta *ptx,
                                   struct byw_cta *out, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    byw_cta_clear(out);
    memcpy(out->id, ptx->id, sizeof(out->id));
    out->machine = true;
    r->ptx = ptx;
    r->out = out;
    for (uint32_t w = 0; w < ptx->warp_count && st == BYW_OK; w++) {
        r->warp = &ptx->warp[w];
        st = expand_warp(r, diag);
    }
    return st;
}
