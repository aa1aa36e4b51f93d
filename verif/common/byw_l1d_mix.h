/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_mix.h - random requests for the test bench of byw_l1d_host.h: frequencies of operations,
 * number of lines.
 */
#ifndef BYW_L1D_MIX_H
#define BYW_L1D_MIX_H

#include "common/byw_l1d_host.h"

/* Traffic: a request in `percent` of the cycles, to one of `lines` lines. */
struct host_mix {
    uint32_t lines;
    uint32_t percent;
    uint32_t stores, atomics, locals, hints, flushes; /* percent of the requests */
    uint32_t runs; /* with beats: percent that continue the previous request */
};

static const struct host_mix host_everything = {.lines = 96,
                                                .percent = 80,
                                                .stores = 15,
                                                .atomics = 4,
                                                .locals = 30,
                                                .hints = 10,
                                                .flushes = 1};

/* A cache of 4 sets whose MSHRs, queues and trackers often run out. */
static inline struct byw_config host_scarce_config(uint32_t mode)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = mode;
    c.l1d_sets = 4;
    c.l1d_mshrs = 6;
    c.l1d_merges = 3;
    c.l1d_miss_queue = 3;
    c.l1d_bypass_queue = 2;
    c.l1d_trackers = 5;
    return c;
}

/* Random delays, ports that are often not ready, and some errors. */
static inline void host_disturb(struct host *h)
{
    h->jitter = 60;
    h->rsp_percent = 80;
    h->req_percent = 70;
    h->error_percent = 1;
}

/* Draws the bytes of a request; with beats also its beat, and whether it continues the previous
 * request. */
static inline void host_random_place(struct host *h, const struct host_mix *mix,
                                     struct byw_req *req)
{
    uint32_t sector = host_beats(h) > 1 ? host_beat_bytes(h) : host_sector_bytes(h);
    uint32_t first = byw_rng_below(&h->rng, h->config.l1d_line);

    if (host_beats(h) > 1) {
        req->beat = (uint8_t)(first / sector);
        first %= sector;
        if (h->last.data != NULL && h->last.op < BYW_OP_INVALIDATE && host_chance(h, mix->runs)) {
            uint32_t id = req->id;
            uint8_t beat = req->beat;
            const uint8_t *data = req->data;

            *req = h->last;
            req->id = id;
            req->beat = beat;
            req->data = data;
            req->more = true;
        }
    }
    req->bytes = host_mask(first, 1 + byw_rng_below(&h->rng, sector - first % sector));
}

static inline bool host_random_req(struct host *h, const struct host_mix *mix, uint8_t *data,
                                   struct byw_req *req)
{
    uint32_t i, sector = host_sector_bytes(h);
    uint32_t first = host_beats(h) > 1 ? 0 : byw_rng_below(&h->rng, h->config.l1d_line);
    bool local;

    *req = (struct byw_req){.id = host_free_id(h), .data = data, .op = BYW_OP_LOAD};
    if (req->id >= HOST_IDS || !host_chance(h, mix->percent))
        return false;
    for (i = 0; i < HOST_WHOLE; i += 8) {
        uint64_t word = byw_rng_next(&h->rng);

        memcpy(data + i, &word, 8);
    }
    /* Squaring the draw favours low lines, so that lines are hit, merged and committed. */
    i = byw_rng_below(&h->rng, mix->lines);
    req->line = (uint64_t)i * byw_rng_below(&h->rng, mix->lines) / mix->lines;
    if (host_beats(h) == 1)
        req->bytes = host_mask(first, 1 + byw_rng_below(&h->rng, sector - first % sector));
    req->pc = byw_rng_below(&h->rng, 64);
    local = host_chance(h, mix->locals);
    if (local)
        req->op = BYW_OP_LOCAL_LOAD;
    if (host_chance(h, mix->stores))
        req->op = local ? BYW_OP_LOCAL_STORE : BYW_OP_STORE;
    else if (host_chance(h, mix->atomics))
        req->op = BYW_OP_ATOMIC;
    else if (host_chance(h, mix->flushes))
        req->op = BYW_OP_FLUSH;
    if (byw_op_is_load(req->op) && host_chance(h, mix->hints))
        req->hint = (uint8_t)(1 + byw_rng_below(&h->rng, 4));
    if (h->config.port.uncached != 0 && req->op < BYW_OP_FLUSH && host_chance(h, 10))
        req->hint = BYW_HINT_UNCACHED;
    if (h->config.port.fence != 0 && req->op == BYW_OP_FLUSH && host_chance(h, 70)) {
        req->op = BYW_OP_FENCE;
        req->hint = (uint8_t)byw_rng_below(&h->rng, 3);
    }
    if (host_beats(h) > 1)
        host_random_place(h, mix, req);
    return true;
}

#endif
