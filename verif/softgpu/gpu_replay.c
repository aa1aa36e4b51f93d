/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/gpu_replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "top/byw_sm_l1.h"

struct replay {
    const struct byw_config *config;
    struct byw_sm_l1 sm;
    uint64_t cycle;
    bool reads; /* a counter */
    uint32_t sel, waited;
    uint64_t want;
    bool same;
};

static void same(struct replay *r, const char *what, uint64_t c, uint64_t rtl)
{
    if (c == rtl || !r->same)
        return;
    r->same = false;
    printf("# replay, cycle %" PRIu64 ": %s is 0x%" PRIx64 " in the C model, 0x%" PRIx64
           " in the RTL\n",
           r->cycle, what, c, rtl);
}

static void same_line(struct replay *r, const char *what, const uint8_t *c, const uint8_t *rtl)
{
    uint32_t i;

    if (c == NULL)
        return;
    same(r, what, 1, rtl != NULL);
    for (i = 0; rtl != NULL && i < r->config->l1d_line; i++)
        same(r, what, c[i], rtl[i]);
}

static void same_rsp(struct replay *r, const struct byw_rsp *c, const struct byw_rsp *rtl)
{
    same(r, "rsp_id", c->id, rtl->id);
    same(r, "rsp_served", c->served, rtl->served);
    same(r, "rsp_error", c->error, rtl->error);
    same_line(r, "rsp_data", c->data, rtl->data);
}

static void same_mem_req(struct replay *r, const struct byw_mem_req *c,
                         const struct byw_mem_req *rtl)
{
    same(r, "mem_req_kind", c->kind, rtl->kind);
    same(r, "mem_req_write", c->write, rtl->write);
    same(r, "mem_req_bypass", c->bypass, rtl->bypass);
    same(r, "mem_req_atomic", c->atomic, rtl->atomic);
    same(r, "mem_req_line", c->line, rtl->line);
    same(r, "mem_req_bytes", c->bytes.w[0], rtl->bytes.w[0]);
    same(r, "mem_req_bytes", c->bytes.w[1], rtl->bytes.w[1]);
    same(r, "mem_req_pc", c->pc, rtl->pc);
    same(r, "mem_req_id", c->id, rtl->id);
    same(r, "mem_req_func", c->func, rtl->func);
    same(r, "mem_req_predicted", c->predicted, rtl->predicted);
    same_line(r, "mem_req_data", c->data, rtl->data);
}

static void same_out(struct replay *r, const struct byw_l1d_out *c, const struct byw_l1d_out *rtl)
{
    same(r, "req_ready", c->req_ready, rtl->req_ready);
    same(r, "rsp_valid", c->rsp_valid, rtl->rsp_valid);
    same(r, "mem_req_valid", c->mem_req_valid, rtl->mem_req_valid);
    same(r, "mem_rsp_ready", c->mem_rsp_ready, rtl->mem_rsp_ready);
    same(r, "idle", c->idle, rtl->idle);
    same(r, "events", c->events, rtl->events);
    same(r, "policy_events", c->policy_events, rtl->policy_events);
    if ((c->policy_events & byw_pev(BYW_PEV_PC_ASK)) != 0)
        same(r, "pc_counter", c->pc_counter, rtl->pc_counter);
    if (c->rsp_valid && rtl->rsp_valid)
        same_rsp(r, &c->rsp, &rtl->rsp);
    if (c->mem_req_valid && rtl->mem_req_valid)
        same_mem_req(r, &c->mem_req, &rtl->mem_req);
}

/* A counter's value is that of some cycles after its request; its answer comes later. */
static bool counter(struct replay *r, const struct gpu_cycle *c)
{
    bool due;

    if (!r->reads && c->count_req) {
        r->reads = true;
        r->sel = c->count_sel;
        r->waited = 0;
    }
    due = r->reads && r->waited == BYW_STATS_ANSWER;
    if (r->waited++ == BYW_STATS_SAMPLE)
        r->want = byw_stats_counter(&r->sm.stats, r->sel);
    same(r, "count_valid", due, c->count_valid);
    if (due) {
        same(r, "a counter", r->want, c->count_data);
        r->reads = false;
    }
    return due;
}

static bool start(struct replay *r)
{
    struct byw_diag diag;

    if (byw_sm_l1_init(&r->sm, r->config, &byw_l1d_model, true, &diag) == BYW_OK)
        return true;
    printf("# replay: %s\n", diag.text);
    return false;
}

bool gpu_replay(struct gpu_stream *stream, struct gpu_replayed *replayed)
{
    struct replay r = {.config = &stream->config, .same = true};
    struct byw_l1d_out out;
    struct gpu_cycle c;

    *replayed = (struct gpu_replayed){0};
    stream->at = 0;
    if (!start(&r))
        return false;
    for (; r.same && gpu_stream_get(stream, &c); r.cycle++) {
        uint32_t state =
            r.sm.two_level.on && !c.restart ? 1U << byw_two_level_state(&r.sm.two_level) : 0;

        replayed->counters += counter(&r, &c);
        same(&r, "two_level", state, c.two_level);
        byw_sm_l1_step(&r.sm, &c.in, c.in.ctrl.filter_on, c.restart, &out);
        r.sm.stats.filter_on_cycles += c.in.ctrl.filter_on;
        same_out(&r, &out, &c.out);
        replayed->requests += c.in.req_valid && c.out.req_ready;
        replayed->answers += c.out.rsp_valid && c.in.rsp_ready;
    }
    replayed->cycles = r.cycle;
    same(&r, "cycles", stream->cycles, r.cycle);
    replayed->stats = r.sm.stats;
    byw_sm_l1_release(&r.sm);
    return r.same;
}
