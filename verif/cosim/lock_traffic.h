/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_traffic.h - random traffic at the ports of one L1D.
 *
 * The rates change every few hundred cycles, so that every queue fills and empties, every channel
 * stalls and idles, and sets conflict. Responses come in any order, with errors and reports of
 * mispredictions. A port keeps valid and payload until it is taken. Reads return what memory held
 * when it accepted them, or random bytes without a memory; both caches get the same answers, and
 * the C model's own tests check the values that loads return. With beats, a request may continue
 * the previous one, and occasionally claims to without doing so; fills arrive beat by beat, with
 * answers of other kinds in between; each line of the memory is then a beat.
 *
 * A script replaces the random requests when a test examines a cache: while `scripted`, its
 * requests come one by one, with no stalls and no control changes.
 */
#ifndef BYW_LOCK_TRAFFIC_H
#define BYW_LOCK_TRAFFIC_H

#include "cosim/lock.h"
#include "cosim/lock_memory.h"
#include "l1d/byw_l1d.h"

enum { TRAFFIC_OUTSTANDING = 512, TRAFFIC_LINE = 128, TRAFFIC_PCS = 24, TRAFFIC_SCRIPT = 8192 };

struct traffic_answer {
    uint32_t id;
    uint8_t kind;
    uint8_t data[TRAFFIC_LINE]; /* the line of a fill, else the beat */
};

struct traffic {
    struct byw_l1d_in in;
    uint8_t req_data[TRAFFIC_LINE];
    uint8_t rsp_data[TRAFFIC_LINE];
    struct traffic_answer answer[TRAFFIC_OUTSTANDING];
    uint32_t outstanding;
    struct traffic_answer fill; /* the fill that is arriving beat by beat */
    uint32_t fill_beat; /* the next beat of that fill; 0: no fill is arriving */
    uint32_t line_bytes;
    uint32_t beat_bytes, beats; /* bytes of the data ports; beats of a line */
    uint32_t sector_bytes; /* bytes of a sector; a request is within one sector */
    uint64_t line_mask;
    bool wb_acks; /* write-backs are answered */
    bool fences, uncached; /* there are such requests */
    bool on_miss; /* lines are allocated on miss */
    struct lock_memory *memory; /* NULL: reads return random bytes */
    /* properties of the current phase, in percent unless stated otherwise */
    uint32_t phase_left; /* cycles */
    uint32_t req, rsp_ready, mem_ready, mem_rsp, errors, mispredicts;
    uint32_t stores, atomics, locals, hints, maintenance;
    uint32_t runs; /* requests that continue the one before */
    uint32_t lines; /* number of distinct lines */
    uint64_t first_line;
    uint64_t stride;
    uint32_t pc[TRAFFIC_PCS], pcs; /* PCs to choose from and their number; 0: any PC */
    uint32_t flips; /* switches of the filter, per 1000 cycles */
    uint32_t modes; /* changes of the bypass mode, per 1000 cycles */
    uint32_t kernels; /* kernel starts per 1000 cycles */
    bool new_req; /* this cycle's request is a new one */
    bool new_rsp;
    uint64_t accepted, answered;
    bool scripted;
    bool restarts; /* with scripted: a kernel starts in this cycle */
    struct byw_req *script; /* room for TRAFFIC_SCRIPT requests */
    uint32_t script_at, script_end;
};

static inline uint32_t traffic_rate(struct lock *l)
{
    static const uint8_t rate[] = {0, 5, 30, 60, 90, 100, 100, 100};

    return rate[lock_below(l, 8)];
}

/* Draws the probabilities of the control inputs for a phase. */
static inline void traffic_controls(struct lock *l, struct traffic *t)
{
    t->flips = lock_chance(l, 70) ? 0 : lock_below(l, 30);
    t->kernels = lock_chance(l, 80) ? 0 : lock_below(l, 10);
    t->modes = lock_chance(l, 75) ? 0 : lock_below(l, lock_chance(l, 50) ? 10 : 300);
    t->in.ctrl.bypass = lock_chance(l, 10);
    /* the filter is switched often, so that this happens while lines are written back beat by
     * beat */
    if (t->beats > 1 && lock_chance(l, 30)) {
        t->flips = 20 + lock_below(l, 200);
        t->locals = 80 + lock_below(l, 21);
        t->stores = 20 + lock_below(l, 60);
    }
    /* fills of a set fail one after another, some after the filter was switched */
    if (t->on_miss && lock_chance(l, 10)) {
        t->flips = 10 + lock_below(l, 100);
        t->errors = 50 + lock_below(l, 51);
        t->mem_rsp = 10 + lock_below(l, 60);
        t->req = 100;
        t->stores = t->atomics = t->maintenance = 0;
        t->lines = 4 + lock_below(l, 12);
        t->stride = 64;
    }
}

/* Draws the number of PCs (0: any) and, for half of the phases, new PCs. */
static inline void traffic_pcs(struct lock *l, struct traffic *t)
{
    uint32_t i;

    t->pcs = lock_chance(l, 20) ? 0 : 1 + lock_below(l, TRAFFIC_PCS);
    if (lock_chance(l, 50))
        return; /* keeps the PCs of the previous phase */
    for (i = 0; i < TRAFFIC_PCS; i++)
        t->pc[i] = (uint32_t)byw_rng_next(&l->rng);
}

static inline void traffic_phase(struct lock *l, struct traffic *t)
{
    bool heavy = lock_chance(l, 30); /* a request in every cycle, and no stalls */

    t->phase_left = 50 + lock_below(l, 400);
    t->req = heavy ? 100 : traffic_rate(l);
    t->rsp_ready = heavy ? 100 : traffic_rate(l);
    t->mem_ready = heavy ? 100 : traffic_rate(l);
    t->mem_rsp = heavy ? 95 : traffic_rate(l);
    t->errors = lock_chance(l, 50) ? 0 : lock_below(l, 20);
    t->mispredicts = lock_chance(l, 40) ? 0 : lock_below(l, 101);
    t->stores = lock_chance(l, 40) ? 0 : lock_below(l, 60);
    t->atomics = lock_chance(l, 60) ? 0 : lock_below(l, 15);
    t->locals = lock_chance(l, 50) ? 0 : lock_below(l, 101);
    t->hints = lock_chance(l, 50) ? 0 : lock_below(l, 60);
    t->maintenance = lock_chance(l, 70) ? 0 : lock_below(l, 4);
    if (t->beats > 1)
        t->runs = lock_chance(l, 30) ? 0 : lock_below(l, 101);
    t->lines = 1 + lock_below(l, lock_chance(l, 50) ? 16 : 400);
    t->first_line = byw_rng_next(&l->rng) >> lock_below(l, 60);
    t->stride = lock_chance(l, 30) ? 64 : 1; /* 64: conflicts in one set */
    if (lock_chance(l, 20)) /* lines may differ in any bit, up to the highest */
        t->stride = (t->line_mask >> lock_below(l, 32)) / 2 + 1;
    traffic_controls(l, t);
    traffic_pcs(l, t);
}

static inline void traffic_bytes(struct lock *l, uint8_t *bytes)
{
    uint32_t i;

    for (i = 0; i < TRAFFIC_LINE; i += 8) {
        uint64_t word = byw_rng_next(&l->rng);

        memcpy(bytes + i, &word, 8);
    }
}

/* Continues the previous request, in another beat or the same. */
static inline bool traffic_more(struct lock *l, struct traffic *t)
{
    struct byw_req *req = &t->in.req;

    if (req->data == NULL || req->op >= BYW_OP_INVALIDATE || !lock_chance(l, t->runs))
        return false;
    req->more = true;
    req->beat =
        (uint8_t)(lock_chance(l, 80) ? (req->beat + 1) % t->beats : lock_below(l, t->beats));
    req->id = lock_below(l, 65536);
    return true;
}

/* The bytes of a request are within one sector or one beat, which its first byte selects. */
static inline void traffic_mask(struct lock *l, struct traffic *t)
{
    struct byw_req *req = &t->in.req;
    uint32_t i, first = lock_below(l, t->beat_bytes);
    uint32_t part = t->beats > 1 ? t->beat_bytes : t->sector_bytes;
    uint32_t n = lock_chance(l, 2) ? 0 : 1 + lock_below(l, part - first % part);

    req->bytes = (struct byw_byte_mask){{0, 0}};
    for (i = first; i < first + n; i++)
        req->bytes.w[i / 64] |= byw_bit64(i % 64);
    traffic_bytes(l, t->req_data);
}

static inline void traffic_request(struct lock *l, struct traffic *t)
{
    struct byw_req *req = &t->in.req;
    bool local;
    uint32_t i;

    if (t->beats > 1 && traffic_more(l, t)) {
        traffic_mask(l, t);
        return;
    }
    local = lock_chance(l, t->locals);
    *req = (struct byw_req){.op = local ? BYW_OP_LOCAL_LOAD : BYW_OP_LOAD, .data = t->req_data};
    if (lock_chance(l, t->maintenance))
        req->op = lock_chance(l, 30) ? BYW_OP_INVALIDATE : BYW_OP_FLUSH;
    else if (lock_chance(l, t->stores))
        req->op = local ? BYW_OP_LOCAL_STORE : BYW_OP_STORE;
    else if (lock_chance(l, t->atomics))
        req->op = BYW_OP_ATOMIC;
    i = lock_below(l, t->lines);
    if (lock_chance(l, 50))
        i = lock_below(l, i + 1); /* low lines are hot */
    req->line = (t->first_line + i * t->stride) & t->line_mask;
    if (lock_chance(l, t->hints))
        req->hint = (uint8_t)(1 + lock_below(l, t->uncached ? 5 : 4));
    if (t->fences && req->op == BYW_OP_FLUSH && lock_chance(l, 70)) {
        req->op = BYW_OP_FENCE;
        req->hint = (uint8_t)lock_below(l, 3);
    }
    req->pc = t->pcs != 0 ? t->pc[lock_below(l, t->pcs)] : (uint32_t)byw_rng_next(&l->rng);
    req->id = lock_below(l, 65536);
    req->func = req->id * 2654435761U;
    if (t->beats > 1) {
        req->beat = (uint8_t)lock_below(l, t->beats);
        req->more = lock_chance(l, 5);
    }
    traffic_mask(l, t);
}

/* Whether memory owes an answer. */
static inline bool traffic_owes(const struct traffic *t)
{
    return t->outstanding != 0 || t->fill_beat != 0;
}

static inline void traffic_answer_with(struct lock *l, struct traffic *t,
                                       const struct traffic_answer *answer, uint32_t beat)
{
    t->in.mem_rsp = (struct byw_mem_rsp){.data = t->rsp_data,
                                         .id = answer->id,
                                         .kind = answer->kind,
                                         .error = lock_chance(l, t->errors),
                                         .mispredict = lock_chance(l, t->mispredicts)};
    if (t->memory != NULL)
        memcpy(t->rsp_data, answer->data + beat * t->beat_bytes, t->beat_bytes);
    else
        traffic_bytes(l, t->rsp_data);
}

static inline void traffic_answer(struct lock *l, struct traffic *t)
{
    uint32_t i = t->outstanding != 0 ? lock_below(l, t->outstanding) : 0;
    bool fill = t->outstanding == 0 || t->answer[i].kind == BYW_MEM_FILL;

    if (t->fill_beat != 0 && (fill || lock_chance(l, 50))) {
        traffic_answer_with(l, t, &t->fill, t->fill_beat);
        t->fill_beat = (t->fill_beat + 1) % t->beats;
        return;
    }
    traffic_answer_with(l, t, &t->answer[i], 0);
    if (fill && t->beats > 1) {
        t->fill = t->answer[i];
        t->fill_beat = 1;
    }
    t->answer[i] = t->answer[--t->outstanding];
}

/* The inputs of a scripted cycle. */
static inline void traffic_scripted(struct lock *l, struct traffic *t)
{
    t->new_req = !t->in.req_valid && t->script_at < t->script_end;
    if (t->new_req) {
        t->in.req = t->script[t->script_at++];
        t->in.req.data = t->req_data;
    }
    t->in.req_valid = t->in.req_valid || t->new_req;
    t->new_rsp = !t->in.mem_rsp_valid && traffic_owes(t);
    if (t->new_rsp)
        traffic_answer(l, t);
    t->in.mem_rsp_valid = t->in.mem_rsp_valid || t->new_rsp;
    t->in.rsp_ready = true;
    t->in.mem_req_ready = t->outstanding < TRAFFIC_OUTSTANDING;
    t->in.ctrl.kernel_start = t->restarts;
    t->in.ctrl.bypass = false;
}

/* The inputs of the next cycle. */
static inline void traffic_next(struct lock *l, struct traffic *t)
{
    if (t->scripted) {
        traffic_scripted(l, t);
        return;
    }
    if (t->phase_left-- == 0)
        traffic_phase(l, t);
    t->new_req = !t->in.req_valid && lock_chance(l, t->req);
    if (t->new_req)
        traffic_request(l, t);
    t->in.req_valid = t->in.req_valid || t->new_req;
    t->new_rsp = !t->in.mem_rsp_valid && traffic_owes(t) && lock_chance(l, t->mem_rsp);
    if (t->new_rsp)
        traffic_answer(l, t);
    t->in.mem_rsp_valid = t->in.mem_rsp_valid || t->new_rsp;
    t->in.rsp_ready = lock_chance(l, t->rsp_ready);
    t->in.mem_req_ready = lock_chance(l, t->mem_ready) && t->outstanding < TRAFFIC_OUTSTANDING;
    if (lock_below(l, 1000) < t->flips)
        t->in.ctrl.filter_on = !t->in.ctrl.filter_on;
    if (lock_below(l, 1000) < t->modes)
        t->in.ctrl.bypass = !t->in.ctrl.bypass;
    t->in.ctrl.kernel_start = lock_below(l, 1000) < t->kernels;
}

/* A request leaves and is accepted by memory: it reads before it writes, and does both for an
 * atomic. */
static inline void traffic_sent(struct traffic *t, const struct byw_mem_req *req)
{
    uint64_t line = req->line * t->beats;
    uint32_t i;

    if (req->kind != BYW_MEM_WRITEBACK || t->wb_acks) {
        struct traffic_answer *answer = &t->answer[t->outstanding++];

        answer->id = req->id;
        answer->kind = req->kind;
        if (t->memory != NULL && req->kind != BYW_MEM_FILL)
            lock_memory_read(t->memory, line + req->beat, answer->data);
        for (i = 0; t->memory != NULL && req->kind == BYW_MEM_FILL && i < t->beats; i++)
            lock_memory_read(t->memory, line + i, answer->data + i * t->beat_bytes);
    }
    if (t->memory != NULL && (req->write || req->atomic))
        lock_memory_write(t->memory, line + req->beat, &req->bytes, req->data);
}

/* Applies the transfers of this cycle's outputs. */
static inline void traffic_moved(struct traffic *t, const struct byw_l1d_out *out)
{
    if (t->in.req_valid && out->req_ready) {
        t->in.req_valid = false;
        t->accepted++;
    }
    if (t->in.mem_rsp_valid && out->mem_rsp_ready)
        t->in.mem_rsp_valid = false;
    if (out->mem_req_valid && t->in.mem_req_ready)
        traffic_sent(t, &out->mem_req);
    t->answered += out->rsp_valid && t->in.rsp_ready;
}

/* The script ends when its requests have been accepted and nothing is in flight. */
static inline bool traffic_script_done(const struct traffic *t, bool idle)
{
    return t->script_at == t->script_end && !t->in.req_valid && !t->in.mem_rsp_valid &&
           !traffic_owes(t) && idle;
}

/* Forgets everything in flight, as after a reset. */
static inline void traffic_forget(struct traffic *t)
{
    t->outstanding = t->fill_beat = 0;
    t->in.req_valid = false;
    t->in.mem_rsp_valid = false;
}

#endif
