/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_ldst.h"

#include <stddef.h>
#include <string.h>

#include "common/byw_bits.h"
#include "policy/byw_hint.h"

void byw_ldst_init(struct byw_ldst *ldst, const struct byw_config *config)
{
    memset(ldst, 0, offsetof(struct byw_ldst, out)); /* the other fields are written before they are
                                                      * read */
    ldst->config = config;
    ldst->staged = config->operand_stages != 0;
    ldst->room = ldst->staged ? BYW_LDST_MAX : config->sm_lsu_queue + config->sm_collectors;
    ldst->unit = BYW_LDST_MAX;
    ldst->beats = config->l1d_beat == 0 ? 1 : config->l1d_line / config->l1d_beat;
    ldst->hint = (uint8_t)byw_hint_rdna2(config->hint_loads == BYW_LOADS_VOLATILE,
                                         config->hint_loads == BYW_LOADS_NONTEMPORAL, BYW_LEVEL_L0);
}

static bool is_store(uint8_t cls)
{
    return cls == BYW_CLASS_STORE || cls == BYW_CLASS_LOCAL_STORE || cls == BYW_CLASS_SHARED_STORE;
}

static uint8_t op_of(uint8_t cls)
{
    switch (cls) {
    case BYW_CLASS_STORE:
        return BYW_OP_STORE;
    case BYW_CLASS_ATOMIC:
        return BYW_OP_ATOMIC;
    case BYW_CLASS_LOCAL_LOAD:
        return BYW_OP_LOCAL_LOAD;
    case BYW_CLASS_LOCAL_STORE:
        return BYW_OP_LOCAL_STORE;
    default:
        return BYW_OP_LOAD;
    }
}

/* Gives an entry its own copy of its record and addresses. */
static void keep(struct byw_ldst *ldst, struct byw_ldst_entry *e)
{
    struct byw_ldst_kept *kept = &ldst->kept[e - ldst->queue];

    kept->inst = *e->inst;
    if (e->inst->form == BYW_FORM_LIST) {
        memcpy(kept->addr, e->cta->addr + e->inst->list,
               (size_t)__builtin_popcountll(e->inst->mask) * sizeof(kept->addr[0]));
        kept->inst.list = 0;
    }
    kept->cta.addr = kept->addr;
    e->inst = &kept->inst;
    e->cta = &kept->cta;
}

/* With stages: the first unused entry, which is likely in the host's cache.  Without stages an
 * empty queue restarts at the first entry for the same reason. */
static uint32_t new_entry(struct byw_ldst *ldst)
{
    uint32_t word = 0, i;

    if (!ldst->staged) {
        ldst->first = ldst->count != 0 ? ldst->first : 0;
        i = ldst->first + ldst->count++;
        return i < ldst->room ? i : i - ldst->room;
    }
    ldst->count++;
    while (ldst->used[word] == UINT64_MAX)
        word++;
    i = (uint32_t)__builtin_ctzll(~ldst->used[word]);
    ldst->used[word] |= byw_bit64(i);
    return 64 * word + i;
}

/* Prefetches the record, which was last read when its warp reached or issued it. */
static void prefetch(const struct byw_inst *inst)
{
    byw_prefetch(inst);
    byw_prefetch(&inst->cls);
}

uint32_t byw_ldst_push(struct byw_ldst *ldst, struct byw_warps *warps, uint32_t w, uint64_t now)
{
    uint32_t number = new_entry(ldst);
    struct byw_ldst_entry *e = &ldst->queue[number];
    struct byw_warp *warp = &warps->warp[w];

    prefetch(warp->inst);
    e->inst = warp->inst;
    e->cta = warp->cta;
    if (warp->windowed)
        keep(ldst, e);
    e->at = now + ldst->config->sm_issue_lsu;
    if (warp->cls == BYW_CLASS_ATOMIC && ldst->config->sm_atomic_waits != 0)
        warp->use = 1; /* as if the next instruction needed its result */
    e->warp = (uint8_t)w;
    e->machine = byw_warps_machine(warps, w);
    e->pc = byw_warps_pc(warps, w);
    e->load = is_store(warp->cls) ? BYW_NO_LOAD : byw_warps_load(warps, w, now);
    if (e->load == BYW_NO_LOAD)
        warp->stores++; /* the warp is not drained while its store is in the queue */
    return number;
}

static void pop(struct byw_ldst *ldst)
{
    ldst->first = (ldst->first + 1) % ldst->room;
    ldst->count--;
    ldst->started = false;
    if (ldst->count != 0)
        prefetch(ldst->queue[ldst->first].inst);
}

/* The bytes of a beat of out[i]; without beats, those of the line. */
static struct byw_byte_mask beat_bytes(const struct byw_ldst *ldst, uint32_t i, uint32_t beat)
{
    const struct byw_byte_mask *all = &ldst->out[i].bytes;
    uint32_t n = ldst->config->l1d_beat, first = beat * n;

    if (n == 0)
        return *all;
    return (struct byw_byte_mask){{all->w[first / 64] >> first % 64 & byw_mask64(n), 0}};
}

/* The first beat of out[next] from `beat` on that has bytes; ldst->beats: there is none. */
static uint32_t beat_from(const struct byw_ldst *ldst, uint32_t beat)
{
    for (; beat < ldst->beats; beat++)
        if ((beat_bytes(ldst, ldst->next, beat).w[0] | beat_bytes(ldst, ldst->next, beat).w[1]) !=
            0)
            break;
    return beat;
}

static inline uint32_t next_beat(const struct byw_ldst *ldst, uint32_t beat)
{
    return ldst->beats == 1 ? beat : beat_from(ldst, beat); /* a transaction has bytes */
}

/* Number of requests for the transactions. */
static uint32_t beats(const struct byw_ldst *ldst)
{
    uint32_t i, b, n = 0;

    if (ldst->beats == 1)
        return ldst->transactions;
    for (i = 0; i < ldst->transactions; i++)
        for (b = 0; b < ldst->beats; b++)
            n += beat_bytes(ldst, i, b).w[0] != 0;
    return n;
}

static uint8_t hint_of(const struct byw_ldst *ldst, uint32_t pc)
{
    uint8_t hint = ldst->hint;

    if (ldst->advice != NULL)
        byw_load_hint(ldst->advice, pc, &hint);
    return hint == BYW_ADVICE_NONTEMPORAL ? (uint8_t)BYW_HINT_NONE : hint;
}

/* Starts the address phase: computes its cycles or transactions. */
static void start(struct byw_ldst *ldst, struct byw_warps *warps, const struct byw_ldst_entry *e)
{
    uint8_t cls = e->inst->cls;
    uint32_t requests;

    ldst->started = true;
    ldst->passes = 1;
    ldst->global = false;
    if (cls == BYW_CLASS_SHARED_LOAD || cls == BYW_CLASS_SHARED_STORE) {
        ldst->passes = (e->inst->degree > 1) ? e->inst->degree : 1;
        ldst->conflict_cycles += ldst->passes - 1;
        return;
    }
    if (cls == BYW_CLASS_CONST_LOAD ||
        e->inst->form == BYW_FORM_NONE) /* unknown addresses: a hit */
        return;
    ldst->transactions = byw_coalesce(ldst->config, e->inst, e->cta, ldst->out);
    ldst->next = 0;
    ldst->more = false;
    if (cls == BYW_CLASS_LOAD)
        ldst->load_hint = hint_of(ldst, e->pc);
    ldst->global = ldst->transactions != 0;
    ldst->coalesced += ldst->transactions;
    if (!ldst->global)
        return;
    ldst->beat = next_beat(ldst, 0);
    requests = beats(ldst);
    if (e->load != BYW_NO_LOAD)
        byw_warps_load_made(warps, e->load, requests);
    else
        warps->warp[e->warp].stores = (uint16_t)(warps->warp[e->warp].stores + requests - 1);
}

/* One cycle of an access to scratchpad or constant memory; true in the last one. */
static bool pass(struct byw_ldst *ldst, struct byw_warps *warps, const struct byw_ldst_entry *e,
                 uint64_t now)
{
    if (--ldst->passes != 0)
        return false;
    if (e->load != BYW_NO_LOAD) {
        uint32_t latency = (e->inst->cls == BYW_CLASS_CONST_LOAD) ? ldst->config->const_latency
                                                                  : ldst->config->smem_latency;
        byw_warps_load_after(warps, e->load, now, latency + ldst->config->sm_writeback);
    } else {
        byw_warps_store_answer(warps, e->warp);
    }
    return true;
}

/* --- with operand stages ------------------------------------------------------------------ */

static void leave(struct byw_ldst *ldst)
{
    ldst->used[ldst->unit / 64] &= ~byw_bit64(ldst->unit % 64);
    ldst->unit = BYW_LDST_MAX;
    ldst->fresh = false;
    ldst->count--;
}

void byw_ldst_prefetch(const struct byw_ldst *ldst, uint32_t entry)
{
    const struct byw_ldst_entry *e = &ldst->queue[entry];

    if (e->inst->form == BYW_FORM_LIST)
        byw_warps_prefetch_list(e->inst, e->cta);
}

void byw_ldst_enter(struct byw_ldst *ldst, struct byw_warps *warps, uint32_t entry)
{
    ldst->unit = (uint8_t)entry;
    ldst->fresh = true;
    start(ldst, warps, &ldst->queue[entry]);
}

void byw_ldst_pass(struct byw_ldst *ldst, struct byw_warps *warps, bool open, uint64_t now)
{
    if (!ldst->staged || ldst->unit == BYW_LDST_MAX || ldst->global || (ldst->fresh && !open))
        return;
    ldst->fresh = false;
    if (pass(ldst, warps, &ldst->queue[ldst->unit], now))
        leave(ldst);
}

/* --- with and without operand stages ------------------------------------------------------ */

bool byw_ldst_offers(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now)
{
    const struct byw_ldst_entry *e = &ldst->queue[ldst->first];

    if (ldst->staged)
        return ldst->unit != BYW_LDST_MAX && ldst->global;
    if (ldst->count == 0 || now < e->at)
        return false;
    if (!ldst->started)
        start(ldst, warps, e);
    if (!ldst->global && pass(ldst, warps, e, now))
        pop(ldst);
    return ldst->global;
}

void byw_ldst_request(const struct byw_ldst *ldst, struct byw_req *req)
{
    const struct byw_ldst_entry *e = &ldst->queue[ldst->staged ? ldst->unit : ldst->first];

    req->line = ldst->out[ldst->next].line;
    req->bytes = beat_bytes(ldst, ldst->next, ldst->beat);
    req->beat = (uint8_t)ldst->beat;
    req->more = ldst->more;
    req->data = NULL;
    req->pc = e->pc;
    req->op = op_of(e->inst->cls);
    req->id = (e->load != BYW_NO_LOAD) ? e->load : BYW_STORE_ID | e->warp;
    req->warp = e->warp;
    req->hint = req->op == BYW_OP_LOAD ? ldst->load_hint : (uint8_t)BYW_HINT_NONE;
}

/* 32-byte sectors with a byte of the mask. */
static uint32_t sectors_of(const struct byw_byte_mask *bytes)
{
    uint32_t sectors = 0;

    for (uint32_t s = 0; s < sizeof(*bytes) * 8 / 32; s++)
        sectors += (uint32_t)(bytes->w[s / 2] >> s % 2 * 32) != 0;
    return sectors;
}

void byw_ldst_note(const struct byw_ldst *ldst, struct byw_warps *warps, const struct byw_req *req)
{
    const struct byw_ldst_entry *e = &ldst->queue[ldst->staged ? ldst->unit : ldst->first];

    if (e->machine)
        byw_stalls_request(warps->stalls, e->inst->pc, e->load, req->line, sectors_of(&req->bytes));
}

void byw_ldst_accepted(struct byw_ldst *ldst, struct byw_warps *warps, uint64_t now)
{
    uint16_t load = ldst->queue[ldst->staged ? ldst->unit : ldst->first].load;

    ldst->fresh = false;
    ldst->beat = next_beat(ldst, ldst->beat + 1);
    ldst->more = ldst->beat < ldst->beats;
    if (ldst->more)
        return;
    ldst->beat = 0;
    if (++ldst->next != ldst->transactions) {
        ldst->beat = next_beat(ldst, 0);
        return;
    }
    if (load != BYW_NO_LOAD)
        warps->story[load].sent = now;
    if (ldst->staged)
        leave(ldst);
    else
        pop(ldst);
}

uint64_t byw_ldst_next(const struct byw_ldst *ldst)
{
    if (ldst->staged) /* an instruction in the unit has work in the next cycle */
        return ldst->unit != BYW_LDST_MAX ? 0 : UINT64_MAX;
    return (ldst->count == 0) ? UINT64_MAX : ldst->queue[ldst->first].at;
}

bool byw_ldst_stuck(const struct byw_ldst *ldst)
{
    return ldst->global && (ldst->staged ? ldst->unit != BYW_LDST_MAX : ldst->started);
}

uint32_t byw_ldst_position(const struct byw_ldst *ldst, uint16_t load)
{
    for (uint32_t i = 0; i < ldst->count && !ldst->staged; i++) {
        if (ldst->queue[(ldst->first + i) % ldst->room].load == load)
            return i + 1;
    }
    for (uint32_t i = 0; i < BYW_LDST_MAX && ldst->staged; i++) {
        if ((ldst->used[i / 64] >> i % 64 & 1) != 0 && ldst->queue[i].load == load)
            return i == ldst->unit ? 1 : 2;
    }
    return 0;
}
