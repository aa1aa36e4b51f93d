/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_lane_coalescer.h"

#include <string.h>

#include "common/byw_bits.h"

/* The tag of a slot: low address bits of the lanes, warp, byte, store. */
enum { TAG_WARP = 32, TAG_BYTE = 40, TAG_STORE = 41 };

enum byw_status byw_lane_coalescer_init(struct byw_lane_coalescer *c,
                                        const struct byw_lane_coalescer_config *cfg)
{
    struct byw_lanes_config lanes = {cfg->lanes, cfg->line_bytes, cfg->slots, false};
    uint32_t beat = cfg->beat_bytes;

    *c = (struct byw_lane_coalescer){.cfg = *cfg};
    if (cfg->lanes < 1 || cfg->lanes > BYW_COALESCER_LANES || cfg->warps < 2 ||
        cfg->warps > BYW_COALESCER_WARPS || cfg->line_bytes < 8)
        return BYW_EINVAL;
    if (beat != 0 && (beat < 8 || beat > cfg->line_bytes || (beat & (beat - 1)) != 0))
        return BYW_EINVAL;
    if (beat == 0)
        c->cfg.beat_bytes = cfg->line_bytes;
    lanes.line_bytes = c->cfg.beat_bytes;
    return byw_lanes_init(&c->lanes, &lanes);
}

void byw_lane_coalescer_release(struct byw_lane_coalescer *c)
{
    byw_lanes_release(&c->lanes);
}

/* The lanes of s1 in the same line or beat (of `bytes` bytes) as `leader`. */
static uint32_t beside(const struct byw_lane_coalescer *c, uint32_t leader, uint32_t bytes)
{
    const struct byw_warp_access *a = &c->a1;
    uint32_t i, same = 0;

    for (i = 0; i < c->cfg.lanes; i++)
        if ((a->lanes >> i & 1) != 0 && a->addr[i] / bytes == a->addr[leader] / bytes)
            same |= 1U << i;
    return same;
}

/* The leading lane of s1: the lowest remaining lane in the line sent last; if there is none, the
 * lowest remaining lane. */
static uint32_t leads(const struct byw_lane_coalescer *c)
{
    return byw_ctz64(c->near != 0 ? c->near : c->a1.lanes);
}

/* The lanes of s1 that form one request. */
static uint32_t pick(const struct byw_lane_coalescer *c)
{
    const struct byw_warp_access *a = &c->a1;
    uint32_t i, j, picked = 0, same = beside(c, leads(c), c->cfg.beat_bytes);

    for (i = 0; i < c->cfg.lanes; i++) {
        bool twice = false;

        for (j = 0; j < i; j++)
            twice |= (same >> j & 1) != 0 && a->addr[j] / 4 == a->addr[i] / 4;
        if ((same >> i & 1) != 0 && !(twice && a->op == BYW_OP_ATOMIC))
            picked |= 1U << i;
    }
    return picked;
}

/* Converts s2 to a request of byw_lanes. */
static void lane_request(const struct byw_lane_coalescer *c, struct byw_lanes_request *r)
{
    const struct byw_warp_access *a = &c->a2;
    uint32_t i;

    memset(r, 0, sizeof(*r));
    r->active = a->lanes;
    r->tag = (uint64_t)a->warp << TAG_WARP | (uint64_t)a->byte << TAG_BYTE |
             (uint64_t)(a->op == BYW_OP_STORE) << TAG_STORE;
    for (i = 0; i < c->cfg.lanes; i++) {
        uint32_t low = a->addr[i] % 4;

        r->tag |= (uint64_t)low << 2 * i;
        r->word[i] = (uint8_t)(a->addr[i] % c->cfg.beat_bytes / 4);
        r->bytes[i] = (uint8_t)(a->byte ? 1U << low : 15);
        r->data[i] = a->byte ? (a->data[i] & 0xff) * 0x01010101U : a->data[i];
    }
}

static const struct byw_lanes_slot *answered(const struct byw_lane_coalescer *c,
                                             const struct byw_lane_coalescer_in *in)
{
    return &c->lanes.slot[in->rsp.id % c->cfg.slots];
}

static bool is_store(const struct byw_lanes_slot *slot)
{
    return (slot->tag >> TAG_STORE & 1) != 0;
}

static void eval_request(const struct byw_lane_coalescer *c, struct byw_lane_coalescer_out *out)
{
    bool mask[BYW_LINE_MAX];
    struct byw_lanes_request r;
    uint32_t i, addr;

    out->req_valid = c->v2 && byw_lanes_any(&c->lanes);
    if (!out->req_valid)
        return;
    lane_request(c, &r);
    byw_lanes_scatter(&c->lanes.cfg, &r, mask, out->req_data);
    for (i = 0; i < c->cfg.beat_bytes; i++)
        out->req.bytes.w[i / 64] |= (uint64_t)mask[i] << i % 64;
    addr = c->a2.addr[byw_ctz64(c->a2.lanes)];
    out->req.line = addr / c->cfg.line_bytes;
    out->req.beat = (uint8_t)(addr % c->cfg.line_bytes / c->cfg.beat_bytes);
    out->req.more = c->more2;
    out->req.data = out->req_data;
    out->req.op = c->a2.op;
    out->req.pc = c->a2.pc;
    out->req.hint = c->a2.hint;
    out->req.func = c->a2.func;
    out->req.warp = (uint8_t)c->a2.warp;
    out->req.id = byw_lanes_next(&c->lanes);
}

void byw_lane_coalescer_eval(const struct byw_lane_coalescer *c,
                             const struct byw_lane_coalescer_in *in,
                             struct byw_lane_coalescer_out *out)
{
    bool lanes_ready = in->req_ready && byw_lanes_any(&c->lanes);
    bool move = c->v1 && (!c->v2 || lanes_ready);
    uint32_t w;

    memset(out, 0, sizeof(*out));
    out->in_ready = !c->v1 || (move && pick(c) == c->a1.lanes);
    eval_request(c, out);
    out->rsp_ready = (in->rsp_valid && is_store(answered(c, in))) || !c->out_valid || in->out_ready;
    out->out_valid = c->out_valid;
    out->out_warp = c->out_warp;
    out->out_lanes = c->out_lanes;
    memcpy(out->out_data, c->out_data, sizeof(out->out_data));
    out->out_last = (c->due[c->out_warp] & ~c->out_lanes) == 0;
    out->error = c->error;
    out->idle = !c->v1 && !c->v2 && c->lanes.used == 0 && !c->out_valid;
    for (w = 0; w < c->cfg.warps; w++)
        if (c->stores[w] != 0 || (c->v1 && c->a1.op == BYW_OP_STORE && c->a1.warp == w) ||
            (c->v2 && c->a2.op == BYW_OP_STORE && c->a2.warp == w))
            out->stores |= 1U << w;
}

/* Accepts a response: moves a load's words into the output register, or counts a store of its warp
 * as done. */
static void tick_answer(struct byw_lane_coalescer *c, const struct byw_lane_coalescer_in *in)
{
    const struct byw_lanes_slot *slot = byw_lanes_give(&c->lanes, in->rsp.id);
    uint32_t warp = (uint32_t)(slot->tag >> TAG_WARP & 0xff), i;
    uint32_t word[BYW_LANES_MAX];

    if (is_store(slot)) {
        c->stores[warp]--;
        return;
    }
    byw_lanes_gather(&c->lanes.cfg, slot, in->rsp.data, word);
    for (i = 0; i < c->cfg.lanes; i++)
        c->out_data[i] = (slot->tag >> TAG_BYTE & 1) != 0
                             ? word[i] >> 8 * (slot->tag >> 2 * i & 3) & 0xff
                             : word[i];
    c->out_valid = true;
    c->out_warp = warp;
    c->out_lanes = (uint32_t)slot->active;
}

/* Moves s1 to s2 and the input to s1; `out` belongs to this cycle. */
static void tick_stages(struct byw_lane_coalescer *c, const struct byw_lane_coalescer_in *in,
                        const struct byw_lane_coalescer_out *out)
{
    bool taken = out->req_valid && in->req_ready;

    if (taken && c->a2.op == BYW_OP_STORE)
        c->stores[c->a2.warp]++;
    if (taken) {
        struct byw_lanes_request r;

        lane_request(c, &r);
        byw_lanes_take(&c->lanes, &r);
        c->v2 = false;
    } else if (out->req_valid) {
        byw_lanes_hold(&c->lanes);
    }
    if (c->v1 && !c->v2) {
        uint32_t picked = pick(c), of_line = beside(c, leads(c), c->cfg.line_bytes);

        c->a2 = c->a1;
        c->a2.lanes = picked;
        c->more2 = c->near != 0;
        c->near = c->cfg.beat_bytes < c->cfg.line_bytes ? of_line & ~picked : 0;
        c->v2 = true;
        c->a1.lanes &= ~picked;
        c->v1 = c->a1.lanes != 0;
    }
    if (out->in_ready) {
        c->v1 = in->in_valid;
        c->a1 = in->in;
        c->near = 0;
        if (in->in_valid && in->in.op != BYW_OP_STORE)
            c->due[in->in.warp] = in->in.lanes;
    }
}

void byw_lane_coalescer_tick(struct byw_lane_coalescer *c, const struct byw_lane_coalescer_in *in)
{
    struct byw_lane_coalescer_out out;

    if (in->rst) {
        byw_lanes_clear(&c->lanes);
        c->v1 = c->v2 = c->out_valid = c->error = false;
        memset(c->stores, 0, sizeof(c->stores));
        return;
    }
    byw_lane_coalescer_eval(c, in, &out);
    c->error = in->rsp_valid && out.rsp_ready && in->rsp.error;
    if (c->out_valid && in->out_ready) {
        c->due[c->out_warp] &= ~c->out_lanes;
        c->out_valid = false;
    }
    tick_stages(c, in, &out);
    if (in->rsp_valid && out.rsp_ready)
        tick_answer(c, in);
}
