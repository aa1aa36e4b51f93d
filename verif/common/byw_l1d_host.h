/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_host.h - test bench around one L1D or one SM of a cluster: a requester and a memory.
 *
 * Memory performs what it accepts at once and answers later, after `latency` cycles plus a random
 * delay: answers for different lines may overtake each other, those for one line keep their order.
 * The requester knows what every load must return: requests are ordered by acceptance at the req
 * port, so the right line is the flat model's at that moment. It checks each answer (exactly one,
 * of the right kind, right bytes, error flag), and that valid and payload stay while ready is low.
 * With beats a fill arrives beat by beat, interleaved with due answers of other kinds; a failing
 * fill fails in one of its beats. All random numbers come from one seed, which a failure prints.
 */
#ifndef BYW_L1D_HOST_H
#define BYW_L1D_HOST_H

#include "common/byw_l1d_host_mem.h"

/* In a sectored line only the requested bytes are meaningful. */
static inline bool host_same_bytes(const struct host *h, const uint8_t *data,
                                   const struct host_id *id)
{
    uint32_t i;

    if (h->config.l1d_sectors == 1)
        return memcmp(data, id->want, host_beat_bytes(h)) == 0;
    for (i = 0; i < h->config.l1d_line; i++)
        if ((id->bytes.w[i / 64] >> (i % 64) & 1) != 0 && data[i] != id->want[i])
            return false;
    return true;
}

static inline void host_check_rsp(struct host *h, const struct byw_rsp *rsp)
{
    struct host_id *id = &h->id[rsp->id];
    bool load = byw_op_is_load(id->op) || id->op == BYW_OP_ATOMIC;
    bool store = byw_op_is_store(id->op);

    if (rsp->id >= HOST_IDS || !id->busy)
        host_fail(h, "answer for a request that is not outstanding");
    if (store != (rsp->served == BYW_SERVED_STORE))
        host_fail(h, "store answered as a load or the other way round");
    if (id->op == BYW_OP_FENCE)
        for (uint32_t i = 0; i < HOST_IDS; i++)
            if (h->id[i].busy && h->id[i].cycle < id->cycle)
                host_fail(h, "a fence is answered before a request that came before it");
    if ((id->op >= BYW_OP_INVALIDATE) != (rsp->served == BYW_SERVED_DONE))
        host_fail(h, "invalidate or flush not answered by DONE");
    if (rsp->error && h->error_percent == 0 && id->line != h->error_line)
        host_fail(h, "error out of nowhere");
    if (load && !rsp->error && !host_same_bytes(h, rsp->data, id))
        host_fail(h, "wrong data");
    h->rsp_cycle[rsp->id] = h->cycle;
    h->rsp_served[rsp->id] = rsp->served;
    h->rsp_error[rsp->id] = rsp->error;
    id->busy = false;
    h->outstanding--;
}

static inline bool host_same_rsp(const struct byw_rsp *a, const struct byw_rsp *b)
{
    return a->id == b->id && a->served == b->served && a->error == b->error;
}

static inline void host_check_stable(struct host *h)
{
    if (h->rsp_held && (!h->out.rsp_valid || !host_same_rsp(&h->out.rsp, &h->held.rsp)))
        host_fail(h, "response changed while it waited");
    if (h->mem_held &&
        (!h->out.mem_req_valid || h->out.mem_req.line != h->held.mem_req.line ||
         h->out.mem_req.id != h->held.mem_req.id || h->out.mem_req.kind != h->held.mem_req.kind))
        host_fail(h, "memory request changed while it waited");
    h->rsp_held = h->out.rsp_valid && !h->in.rsp_ready;
    h->mem_held = h->out.mem_req_valid && !h->in.mem_req_ready;
    h->held = h->out;
}

static inline void host_digest(struct host *h)
{
    uint32_t flags = (uint32_t)h->out.req_ready | (uint32_t)h->out.rsp_valid << 1 |
                     (uint32_t)h->out.mem_req_valid << 2 | (uint32_t)h->out.mem_rsp_ready << 3 |
                     (uint32_t)h->out.idle << 4;
    uint64_t v[4] = {flags, h->out.events, h->out.rsp_valid ? h->out.rsp.id : 0,
                     h->out.mem_req_valid ? h->out.mem_req.line : 0};
    int i;

    for (i = 0; i < 4; i++)
        h->digest = (h->digest ^ v[i]) * UINT64_C(0x9E3779B97F4A7C15) + (h->digest >> 31);
}

/* One cycle; req may be NULL: no request. Returns whether the request was accepted. */
static inline bool host_cycle(struct host *h, const struct byw_req *req)
{
    struct host_mem *due = host_mem_due(h);
    bool accepted;
    int e;

    h->in = (struct byw_l1d_in){.req_valid = req != NULL, .mem_rsp_valid = due != NULL};
    h->in.rsp_ready = host_chance(h, h->rsp_percent);
    h->in.mem_req_ready = host_chance(h, h->req_percent) && h->in_flight < HOST_MEM;
    h->in.ctrl.filter_on = h->filter_on;
    h->in.ctrl.bypass = h->bypass;
    h->in.ctrl.kernel_start = h->kernel_start;
    h->in.ctrl.cta_placed = h->cta_placed;
    h->in.ctrl.active_warps = h->active_warps;
    h->kernel_start = h->cta_placed = false;
    if (req != NULL)
        h->in.req = *req;
    if (due != NULL) {
        h->in.mem_rsp = due->rsp;
        h->in.mem_rsp.error = due->rsp.error && due->beat == due->fails;
        h->in.mem_rsp.data = due->data + due->beat * host_beat_bytes(h);
    }
    if (h->step != NULL)
        h->step(h, &h->in, &h->out);
    else
        byw_l1d_step(h->l1d, &h->in, &h->in.ctrl, &h->out);
    host_digest(h);
    host_check_stable(h);
    for (e = 0; e < BYW_EV_COUNT; e++)
        h->ev[e] += h->out.events >> e & 1;
    for (e = 0; h->out.policy_events != 0 && e < BYW_PEV_COUNT; e++)
        h->pev[e] += h->out.policy_events >> e & 1;
    if (h->out.rsp_valid && h->in.rsp_ready)
        host_check_rsp(h, &h->out.rsp);
    if (due != NULL && h->out.mem_rsp_ready) {
        due->valid = ++due->beat < due->beats;
        if (due->beats > 1)
            h->filling = due->valid ? due : NULL;
        h->in_flight -= !due->valid;
    }
    if (h->out.mem_req_valid && h->in.mem_req_ready)
        host_mem_accept(h, &h->out.mem_req);
    accepted = req != NULL && h->out.req_ready;
    if (accepted) {
        struct host_id *id = &h->id[req->id];
        uint32_t first = req->beat * host_beat_bytes(h);
        uint8_t *line = h->ref[req->line % HOST_LINES] + first;

        h->last = *req;
        *id = (struct host_id){.busy = true, .op = req->op, .line = req->line, .cycle = h->cycle};
        id->bytes = req->bytes;
        memcpy(id->want, line, HOST_WHOLE - first);
        h->outstanding++;
        if (byw_op_is_store(req->op) || req->op == BYW_OP_ATOMIC)
            host_perform(line, &req->bytes, req->data, req->op == BYW_OP_ATOMIC);
    }
    h->cycle++;
    return accepted;
}

/* Ids are used in turn, so that none is reused soon; HOST_IDS if all are outstanding. */
static inline uint32_t host_free_id(struct host *h)
{
    uint32_t i;

    for (i = 0; i < HOST_IDS; i++) {
        uint32_t id = (h->last_id + 1 + i) % HOST_IDS;

        if (!h->id[id].busy) {
            h->last_id = id;
            return id;
        }
    }
    return HOST_IDS;
}

/* Sends one request; returns its id. */
static inline uint32_t host_send(struct host *h, enum byw_op op, uint64_t line, enum byw_hint hint)
{
    uint8_t data[HOST_WHOLE];
    bool beats = host_beats(h) > 1;
    uint32_t i, sector = beats ? host_beat_bytes(h) : host_sector_bytes(h);
    struct byw_req req = {
        .line = line, .bytes = host_mask(h->sector * sector, sector), .data = data};

    for (i = 0; i < HOST_WHOLE; i++)
        data[i] = (uint8_t)byw_rng_next(&h->rng);
    req.op = (uint8_t)op;
    req.hint = (uint8_t)hint;
    req.pc = h->pc;
    req.beat = (uint8_t)h->beat;
    req.more = h->more;
    req.id = host_free_id(h);
    assert_true(req.id < HOST_IDS);
    for (i = 0; !host_cycle(h, &req); i++)
        if (i > 100000)
            host_fail(h, "request never accepted");
    return req.id;
}

/* Runs until everything is answered. */
static inline void host_drain(struct host *h)
{
    uint32_t i;

    for (i = 0; h->outstanding != 0 || h->in_flight != 0 || !h->out.idle; i++) {
        host_cycle(h, NULL);
        if (i > 200000)
            host_fail(h, "requests never answered");
    }
}

static inline void idle_cycles(struct host *h, uint32_t n)
{
    while (n-- > 0)
        host_cycle(h, NULL);
}

static inline void idle_until(struct host *h, uint64_t cycle)
{
    assert_true(h->cycle <= cycle);
    while (h->cycle < cycle)
        host_cycle(h, NULL);
}

/* Sends one request and waits for its answer; returns the cycles from acceptance to answer. */
static inline uint64_t host_do(struct host *h, enum byw_op op, uint64_t line, enum byw_hint hint)
{
    uint32_t id = host_send(h, op, line, hint);

    host_drain(h);
    return h->rsp_cycle[id] - h->id[id].cycle;
}

/* Number of data lines that have a tag, over all sets. */
static inline uint32_t used_ways(const struct host *h)
{
    uint32_t i, used = 0;

    for (i = 0; i < h->config.l1d_sets; i++)
        used += byw_popcount64(byw_l1d_record(h->l1d, i)->used);
    return used;
}

static inline void host_check(struct host *h)
{
    const char *broken = byw_l1d_check(h->l1d);

    if (broken != NULL)
        host_fail(h, broken);
}

/* Checks that the counters add up as byw_events.def says. */
static inline void host_check_counts(struct host *h)
{
    uint64_t accesses = h->ev[BYW_EV_LOAD] + h->ev[BYW_EV_STORE];
    uint64_t outcomes =
        h->ev[BYW_EV_HIT] + h->ev[BYW_EV_HIT_PENDING] + h->ev[BYW_EV_MISS] + h->ev[BYW_EV_BYPASS];

    if (accesses != outcomes)
        host_fail(h, "hits + pending + misses + bypasses are not the accesses");
    /* There is one write port, so fills and stores never write in the same cycle. */
    if (h->config.l1d_store_hit == BYW_STORE_UPDATE && h->config.port.uncached == 0 &&
        host_beats(h) == 1 &&
        h->ev[BYW_EV_DATA_WRITE] != h->ev[BYW_EV_FILL] + h->ev[BYW_EV_STORE_HIT])
        host_fail(h, "writes of the data store are not fills + store hits");
}

#endif
