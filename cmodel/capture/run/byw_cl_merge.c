/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_merge.h"
#include "common/byw_array.h"

#include <stdlib.h>
#include <string.h>

#define NO_KEY UINT32_MAX
#define MORE_KEY 0u /* below all merge orders, which begin at 1 */
#define BANKS 32u /* of 4 bytes */

/* Lanes that run a stretch of code together. */
struct team {
    uint64_t mask;
    uint32_t count;
    uint32_t lane[BYW_CL_LANES];
    int64_t delta[BYW_CL_LANES]; /* lane number minus that of the first lane */
    const uint64_t *at[BYW_CL_LANES];
};

void byw_cl_merger_init(struct byw_cl_merger *m, const struct byw_cl_code *code, uint32_t warp_size)
{
    memset(m, 0, sizeof(*m));
    m->code = code;
    m->part = byw_cl_code_at(code, code->part_at);
    m->slot = byw_cl_code_at(code, code->slot_at);
    m->use = byw_cl_code_at(code, code->use_at);
    m->warp_size = warp_size;
    m->steps = code->machine_at != 0;
}

enum byw_status byw_cl_warp_begin(const struct byw_cl_merger *m, struct byw_cl_warp *warp,
                                  uint64_t local_base)
{
    uint32_t loads = m->code->loads;

    if (warp->pending_room < loads) {
        free(warp->pending);
        warp->pending = malloc(loads * sizeof(*warp->pending));
        warp->pending_room = warp->pending == NULL ? 0 : loads;
        if (warp->pending == NULL)
            return BYW_ENOMEM;
    }
    if (loads != 0)
        memset(warp->pending, 0, loads * sizeof(*warp->pending));
    warp->inst_count = warp->addr_count = 0;
    warp->steps.count = warp->steps.turns = 0;
    warp->steps.broken = false;
    warp->position = 0;
    warp->local_base = local_base;
    for (uint32_t l = 0; l < BYW_CL_LANES; l++)
        warp->previous[l] = UINT32_MAX;
    return BYW_OK;
}

void byw_cl_warp_release(struct byw_cl_warp *warp)
{
    free(warp->inst);
    free(warp->addr);
    free(warp->pending);
    free(warp->steps.part);
    free(warp->steps.turn);
    memset(warp, 0, sizeof(*warp));
}

static struct byw_inst *reserve(struct byw_cl_warp *warp, uint32_t count)
{
    if (!BYW_ARRAY_ROOM(warp->inst, warp->inst_room, warp->inst_count + (size_t)count + 1))
        return NULL;
    return warp->inst + warp->inst_count;
}

static uint64_t *reserve_addresses(struct byw_cl_warp *warp, uint32_t count)
{
    if (!BYW_ARRAY_ROOM(warp->addr, warp->addr_room, warp->addr_count + (size_t)count))
        return NULL;
    return warp->addr + warp->addr_count;
}

/* Address of an offset into a work-item's private memory. As on GPUs, equal offsets of neighbouring
 * lanes are adjacent; the unit of interleaving is the size of the access. */
static uint64_t interleaved(const struct byw_cl_merger *m, const struct byw_cl_warp *warp,
                            uint32_t lane, uint32_t width, uint64_t offset)
{
    uint32_t shift = (uint32_t)__builtin_ctz(width); /* widths are powers of two */
    uint64_t unit = offset >> shift, byte = offset & (width - 1);

    return warp->local_base + ((unit * m->warp_size + lane) << shift) + byte;
}

static void interleave(const struct byw_cl_merger *m, const struct byw_cl_warp *warp,
                       const struct team *team, uint32_t width, uint64_t *address)
{
    for (uint32_t i = 0; i < team->count; i++)
        address[i] = interleaved(m, warp, team->lane[i], width, address[i]);
}

/* Interleaves the addresses of those lanes of a generic access that reach private arrays. */
static void interleave_own(const struct byw_cl_merger *m, const struct byw_cl_warp *warp,
                           const struct team *team, uint32_t width, uint64_t *address)
{
    for (uint32_t i = 0; i < team->count; i++)
        if (address[i] - m->own.base < m->own.bytes)
            address[i] = interleaved(m, warp, team->lane[i], width,
                                     (address[i] - m->own.base) % m->own.item);
}

/* Whether every bank delivers at most one word, the common case: much cheaper to check than to
 * count the words. */
static bool is_conflict_free(const struct byw_inst *inst, const uint64_t *address, uint32_t count)
{
    uint64_t word[BANKS], taken = 0;
    uint32_t words = inst->width < 4 ? 1 : inst->width / 4u;

    for (uint32_t i = 0; i < count; i++) {
        if (i != 0 && address[i] == address[i - 1])
            continue; /* broadcasts */
        for (uint32_t k = 0; k < words; k++) {
            uint64_t w = address[i] / 4 + k, bank = w % BANKS;

            if ((taken >> bank & 1) && word[bank] != w)
                return false;
            taken |= 1ull << bank;
            word[bank] = w;
        }
    }
    return true;
}

/* Addresses that are shifted by whole words have the same bank-conflict degree: the banks only
 * rotate. */
static bool is_known_spread(const struct byw_cl_spread *known, const struct byw_inst *inst,
                            const uint64_t *address, uint32_t count)
{
    uint64_t apart = (address[0] - known->first) % 4;

    if (known->degree == 0 || known->mask != inst->mask || known->width != inst->width)
        return false;
    for (uint32_t i = 1; i < count; i++)
        apart |= (address[i] - address[0]) ^ known->away[i];
    return apart == 0;
}

static void set_list_degree(struct byw_cl_merger *m, const struct byw_cl_warp *warp, uint32_t slot,
                            struct byw_inst *inst, uint32_t count)
{
    struct byw_cta view = {.addr = warp->addr};
    const uint64_t *address = warp->addr + inst->list;
    struct byw_cl_spread *known = &m->spread[slot % 16];

    if (!is_known_spread(known, inst, address, count)) {
        known->mask = inst->mask;
        known->width = inst->width;
        known->first = address[0];
        for (uint32_t i = 1; i < count; i++)
            known->away[i] = address[i] - address[0];
        known->degree = is_conflict_free(inst, address, count) ? 1 : byw_shared_degree(inst, &view);
    }
    inst->degree = (uint8_t)known->degree;
}

static void set_degree(struct byw_cl_merger *m, const struct byw_cl_warp *warp, uint32_t slot,
                       struct byw_inst *inst, uint32_t count)
{
    struct byw_cta view = {.addr = warp->addr};
    struct byw_cl_degree *known;
    uint64_t base = inst->base % 128;

    if (inst->form == BYW_FORM_LIST) {
        set_list_degree(m, warp, slot, inst, count);
        return;
    }
    known = &m->degree[(base / 4 + (uint32_t)inst->stride + inst->mask % 63) % 64];
    if (known->degree == 0 || known->mask != inst->mask || known->base != base ||
        known->stride != inst->stride || known->width != inst->width) {
        known->mask = inst->mask;
        known->base = base;
        known->stride = inst->stride;
        known->width = inst->width;
        known->degree = byw_shared_degree(inst, &view);
    }
    inst->degree = (uint8_t)known->degree;
}

static bool is_local(uint8_t cls)
{
    return cls == BYW_CLASS_LOCAL_LOAD || cls == BYW_CLASS_LOCAL_STORE;
}

/* An access through a generic address belongs to the scratchpad or to private arrays if its address
 * does. */
static bool is_shared(uint8_t cls)
{
    return cls == BYW_CLASS_SHARED_LOAD || cls == BYW_CLASS_SHARED_STORE;
}

static uint8_t class_at(const struct byw_cl_merger *m, uint8_t cls, uint64_t address)
{
    if (m->own.item != 0 && address - m->own.base < m->own.bytes && !is_local(cls))
        return cls == BYW_CLASS_LOAD ? BYW_CLASS_LOCAL_LOAD : BYW_CLASS_LOCAL_STORE;
    if (address >> 32 != BYW_CL_SHARED_BASE >> 32) /* the scratchpads of a cluster follow it */
        return cls;
    return cls == BYW_CLASS_LOAD                               ? BYW_CLASS_SHARED_LOAD
           : cls == BYW_CLASS_STORE || cls == BYW_CLASS_ATOMIC ? BYW_CLASS_SHARED_STORE
                                                               : cls;
}

/* Fills in the addresses of one record: stride form if they are affine in the lane, else a list. */
static enum byw_status set_address(struct byw_cl_merger *m, struct byw_cl_warp *warp,
                                   const struct team *team, const struct byw_cl_slot *slot,
                                   struct byw_inst *inst)
{
    uint64_t address[BYW_CL_LANES], offset = (uint64_t)(int64_t)slot->offset, bad = 0;
    uint32_t n = team->count, word = slot->word;
    int64_t stride = 0;

    inst->cls = class_at(m, inst->cls, team->at[0][word] + offset);
    if (is_shared(inst->cls))
        offset -= BYW_CL_SHARED_BASE;
    address[0] = team->at[0][word] + offset;
    for (uint32_t i = 1; i < n; i++)
        address[i] = team->at[i][word] + offset;
    if (m->own.item != 0 && !is_local(slot->proto.cls))
        interleave_own(m, warp, team, inst->width, address);
    else if (is_local(inst->cls))
        interleave(m, warp, team, inst->width, address);
    if (n > 1)
        stride = (int64_t)(address[1] - address[0]) / team->delta[1];
    if (team->delta[n - 1] == (int64_t)n - 1) /* neighbours, as in whole warps: no multiplication
                                                 needed */
        for (uint32_t i = 1; i < n; i++)
            bad |= address[i] - address[i - 1] - (uint64_t)stride;
    else
        for (uint32_t i = 1; i < n; i++)
            bad |= address[i] - address[0] - (uint64_t)(stride * team->delta[i]);
    if (bad == 0 && stride == (int32_t)stride) {
        inst->stride = (int32_t)stride;
        inst->base = address[0] - (uint64_t)(stride * (int64_t)team->lane[0]);
    } else {
        uint64_t *list = reserve_addresses(warp, n);

        if (list == NULL)
            return BYW_ENOMEM;
        memcpy(list, address, n * sizeof(*list));
        inst->form = BYW_FORM_LIST;
        inst->list = warp->addr_count;
        warp->addr_count += n;
    }
    if (is_shared(inst->cls))
        set_degree(m, warp, (uint32_t)(slot - m->slot), inst, n);
    return BYW_OK;
}

/* Derives a record from that of an earlier slot with the same log word: all lanes are at the same
 * distance from it. */
static enum byw_status copy_address(struct byw_cl_merger *m, struct byw_cl_warp *warp,
                                    const struct team *team, const struct byw_cl_slot *slot,
                                    struct byw_inst *inst)
{
    const struct byw_inst *twin = inst - slot->twin;
    int64_t apart = (int64_t)slot->offset - (slot - slot->twin)->offset;
    uint32_t n = team->count;

    if (is_local(twin->cls))
        return set_address(m, warp, team, slot, inst);
    if (is_shared(twin->cls) && !is_shared(inst->cls))
        inst->cls = inst->cls == BYW_CLASS_LOAD ? BYW_CLASS_SHARED_LOAD : BYW_CLASS_SHARED_STORE;
    inst->form = twin->form;
    inst->stride = twin->stride;
    inst->base = twin->base;
    if (inst->form == BYW_FORM_STRIDE) {
        inst->base += (uint64_t)apart;
    } else {
        uint64_t *list = reserve_addresses(warp, n);

        if (list == NULL)
            return BYW_ENOMEM;
        for (uint32_t i = 0; i < n; i++)
            list[i] = warp->addr[twin->list + i] + (uint64_t)apart;
        inst->list = warp->addr_count;
        warp->addr_count += n;
    }
    if (!is_shared(inst->cls))
        return BYW_OK;
    if (apart % 4 == 0 && inst->width == twin->width)
        inst->degree = twin->degree; /* banks just rotate */
    else
        set_degree(m, warp, (uint32_t)(slot - m->slot), inst, n);
    return BYW_OK;
}

static void settle(struct byw_cl_warp *warp, struct byw_cl_pending *pending, uint64_t position)
{
    uint64_t distance = position - pending->position;

    warp->inst[pending->record - 1].use = distance > UINT32_MAX ? UINT32_MAX : (uint32_t)distance;
    pending->record = 0;
}

static void add_step(struct byw_cl_steps *s, uint32_t part, uint64_t mask)
{
    if (s->broken || s->count >= BYW_CL_STEPS_MOST ||
        !BYW_ARRAY_ROOM(s->part, s->room, s->count + 1u)) {
        s->broken = true;
        return;
    }
    if (s->turns == 0 || s->turn[s->turns - 1].mask != mask) {
        if (!BYW_ARRAY_ROOM(s->turn, s->turn_room, s->turns + 1u)) {
            s->broken = true;
            return;
        }
        s->turn[s->turns++] = (struct byw_cl_turn){s->count, mask};
    }
    s->part[s->count++] = part;
}

/* Appends one part for a team of lanes. */
static enum byw_status emit(struct byw_cl_merger *m, struct byw_cl_warp *warp,
                            const struct team *team, const struct byw_cl_part *part)
{
    const struct byw_cl_slot *slot = m->slot + part->first_slot, *end = slot + part->slots;
    const struct byw_cl_use *use = m->use + part->first_use;
    struct byw_inst *inst;
    uint64_t position = warp->position;

    if (m->silent)
        return BYW_OK;
    if (m->steps && part->marks != 0)
        add_step(&warp->steps, (uint32_t)(part - m->part), team->mask);
    for (uint32_t i = 0; i < part->uses; i++)
        if (warp->pending[use[i].load].record != 0)
            settle(warp, &warp->pending[use[i].load], position + use[i].position);
    inst = reserve(warp, part->slots);
    if (inst == NULL)
        return BYW_ENOMEM;
    for (; slot < end; slot++, inst++) {
        *inst = slot->proto;
        inst->mask = team->mask;
        if (slot->word != 0 && (slot->twin != 0 && !is_local(inst->cls)
                                    ? copy_address(m, warp, team, slot, inst)
                                    : set_address(m, warp, team, slot, inst)) != BYW_OK)
            return BYW_ENOMEM;
        if (slot->load != 0) {
            struct byw_cl_pending *pending = &warp->pending[slot->load - 1];

            /* The load writes its register again: the old value was not needed, but it must have
             * arrived before. */
            if (pending->record != 0)
                settle(warp, pending, position);
            pending->position = position;
            pending->record = (uint32_t)(inst - warp->inst) + 1;
        }
        position += inst->count;
    }
    warp->inst_count += part->slots;
    warp->position = position;
    return BYW_OK;
}

/* Merge order of a lane that continues from part `from` to the part in `word`. */
static uint32_t key_of(const struct byw_cl_merger *m, uint32_t from, uint64_t word)
{
    const struct byw_cl_part *part;

    if (word >= BYW_CL_MORE)
        return word == BYW_CL_END ? NO_KEY : MORE_KEY;
    part = &m->part[word & ~BYW_CL_MEETS];
    if (from != UINT32_MAX && part->order <= m->part[from].order)
        return part->latch;
    return part->order;
}

/* Collects the lanes with the lowest key; *next is the lowest of the others. */
static uint32_t choose(struct team *team, uint64_t mask, const uint32_t *key,
                       const uint64_t *const *at, uint32_t *next)
{
    uint32_t lowest = NO_KEY;

    *next = NO_KEY;
    team->mask = 0;
    team->count = 0;
    for (uint32_t l = 0; l < BYW_CL_LANES && mask >> l != 0; l++) {
        if ((mask >> l & 1) == 0 || key[l] == NO_KEY)
            continue;
        if (key[l] < lowest) {
            *next = lowest;
            lowest = key[l];
            team->mask = 0;
            team->count = 0;
        } else if (key[l] > lowest) {
            *next = key[l] < *next ? key[l] : *next;
            continue;
        }
        team->mask |= 1ull << l;
        team->lane[team->count] = l;
        team->delta[team->count] = (int64_t)l - (int64_t)team->lane[0];
        team->at[team->count++] = at[l];
    }
    return lowest;
}

/* Runs a team until its lanes diverge or reach `limit`. */
static enum byw_status run_team(struct byw_cl_merger *m, struct byw_cl_warp *warp,
                                struct team *team, uint32_t limit, uint32_t *last)
{
    for (;;) {
        uint64_t current = team->at[0][0], next, apart = 0;
        const struct byw_cl_part *part = &m->part[current];
        uint32_t words = part->words, key;
        enum byw_status status = emit(m, warp, team, part);

        if (status != BYW_OK)
            return status;
        next = team->at[0][words];
        for (uint32_t i = 0; i < team->count; i++) {
            team->at[i] += words;
            apart |= team->at[i][0] ^ next;
        }
        *last = (uint32_t)current;
        key = key_of(m, *last, next);
        if (apart != 0 || key >= limit || (next & BYW_CL_MEETS) != 0)
            return BYW_OK;
    }
}

void byw_cl_merge_supply(const struct byw_cl_merger *m, struct byw_cl_warp *warp, uint64_t mask,
                         const uint64_t *const *start)
{
    for (uint32_t l = 0; l < m->warp_size; l++)
        if (mask >> l & 1) {
            warp->at[l] = start[l];
            warp->key[l] = key_of(m, warp->previous[l], *start[l]);
        }
}

enum byw_status byw_cl_merge_some(struct byw_cl_merger *m, struct byw_cl_warp *warp, uint64_t mask,
                                  uint64_t *need)
{
    uint32_t limit, last, lowest;
    struct team team;

    while ((lowest = choose(&team, mask, warp->key, warp->at, &limit)) != NO_KEY) {
        enum byw_status status;

        if (lowest == MORE_KEY || (*team.at[0] & BYW_CL_MEETS) != 0) {
            *need = team.mask;
            return BYW_OK;
        }
        status = run_team(m, warp, &team, limit, &last);
        if (status != BYW_OK)
            return status;
        for (uint32_t i = 0; i < team.count; i++) {
            uint32_t l = team.lane[i];

            warp->at[l] = team.at[i];
            warp->previous[l] = last;
            warp->key[l] = key_of(m, last, *team.at[i]);
        }
    }
    *need = 0;
    return BYW_OK;
}

enum byw_status byw_cl_merge(struct byw_cl_merger *m, struct byw_cl_warp *warp, uint64_t mask,
                             const uint64_t *const *start)
{
    uint64_t need;

    byw_cl_merge_supply(m, warp, mask, start);
    return byw_cl_merge_some(m, warp, mask, &need);
}

uint64_t byw_cl_warp_bytes(const struct byw_cl_warp *warp)
{
    return warp->inst_count * sizeof(*warp->inst) + warp->addr_count * sizeof(*warp->addr);
}

static enum byw_status append(const struct byw_cl_merger *m, struct byw_cl_warp *warp, uint8_t cls,
                              uint64_t mask, uint32_t number)
{
    struct byw_inst *inst;

    if (m->silent)
        return BYW_OK;
    inst = reserve(warp, 1);
    if (inst == NULL)
        return BYW_ENOMEM;
    memset(inst, 0, sizeof(*inst));
    inst->mask = mask;
    inst->cls = cls;
    inst->count = 1;
    inst->pc = 8 * number;
    warp->inst_count++;
    warp->position++;
    return BYW_OK;
}

enum byw_status byw_cl_warp_barrier(struct byw_cl_merger *m, struct byw_cl_warp *warp,
                                    uint64_t mask)
{
    for (uint32_t l = 0; l < m->warp_size; l++)
        if ((mask >> l & 1) && warp->previous[l] != UINT32_MAX)
            return append(m, warp, BYW_CLASS_BARRIER, mask, m->part[warp->previous[l]].barrier - 1);
    return BYW_OK;
}

enum byw_status byw_cl_warp_exit(struct byw_cl_merger *m, struct byw_cl_warp *warp, uint64_t mask)
{
    return append(m, warp, BYW_CLASS_EXIT, mask, m->code->exit);
}
