/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_l1d - byw_l1d.v against byw_l1d.c: every output of every cycle, all bytes, all events.
 *
 * Random traffic on all ports (lock_traffic.h); every few thousand cycles a reset in the middle of
 * it, after which policy, thresholds and options are new ones.
 */
#include "cosim/lock_cfg.h"
#include "cosim/lock_traffic.h"
#include "policy/byw_policy_events.h"

struct ports {
    uint32_t rst, cfg, filter_on, kernel_start;
    uint32_t req_valid, req_ready, req_op, req_line, req_bytes, req_data, req_pc, req_id, req_hint;
    uint32_t rsp_valid, rsp_ready, rsp_data, rsp_id, rsp_served, rsp_error;
    uint32_t mreq_valid, mreq_ready, mreq_kind, mreq_write, mreq_bypass, mreq_atomic, mreq_line;
    uint32_t mreq_bytes, mreq_data, mreq_pc, mreq_id;
    uint32_t mrsp_valid, mrsp_ready, mrsp_kind, mrsp_data, mrsp_id, mrsp_error;
    uint32_t idle, events, policy_events, pc_counter;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .cfg = dut_port(d, "cfg_i"),
        .filter_on = dut_port(d, "filter_on_i"),
        .kernel_start = dut_port(d, "kernel_start_i"),
        .req_valid = dut_port(d, "req_valid_i"),
        .req_ready = dut_port(d, "req_ready_o"),
        .req_op = dut_port(d, "req_op_i"),
        .req_line = dut_port(d, "req_line_i"),
        .req_bytes = dut_port(d, "req_bytes_i"),
        .req_data = dut_port(d, "req_data_i"),
        .req_pc = dut_port(d, "req_pc_i"),
        .req_id = dut_port(d, "req_id_i"),
        .req_hint = dut_port(d, "req_hint_i"),
        .rsp_valid = dut_port(d, "rsp_valid_o"),
        .rsp_ready = dut_port(d, "rsp_ready_i"),
        .rsp_data = dut_port(d, "rsp_data_o"),
        .rsp_id = dut_port(d, "rsp_id_o"),
        .rsp_served = dut_port(d, "rsp_served_o"),
        .rsp_error = dut_port(d, "rsp_error_o"),
        .mreq_valid = dut_port(d, "mem_req_valid_o"),
        .mreq_ready = dut_port(d, "mem_req_ready_i"),
        .mreq_kind = dut_port(d, "mem_req_kind_o"),
        .mreq_write = dut_port(d, "mem_req_write_o"),
        .mreq_bypass = dut_port(d, "mem_req_bypass_o"),
        .mreq_atomic = dut_port(d, "mem_req_atomic_o"),
        .mreq_line = dut_port(d, "mem_req_line_o"),
        .mreq_bytes = dut_port(d, "mem_req_bytes_o"),
        .mreq_data = dut_port(d, "mem_req_data_o"),
        .mreq_pc = dut_port(d, "mem_req_pc_o"),
        .mreq_id = dut_port(d, "mem_req_id_o"),
        .mrsp_valid = dut_port(d, "mem_rsp_valid_i"),
        .mrsp_ready = dut_port(d, "mem_rsp_ready_o"),
        .mrsp_kind = dut_port(d, "mem_rsp_kind_i"),
        .mrsp_data = dut_port(d, "mem_rsp_data_i"),
        .mrsp_id = dut_port(d, "mem_rsp_id_i"),
        .mrsp_error = dut_port(d, "mem_rsp_error_i"),
        .idle = dut_port(d, "idle_o"),
        .events = dut_port(d, "events_o"),
        .policy_events = dut_port(d, "policy_events_o"),
        .pc_counter = dut_port(d, "pc_counter_o"),
    };
}

static struct byw_config random_config(struct lock *l)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.l1d_sets = P_SETS;
    c.l1d_ways = P_DATA_WAYS;
    c.l1d_line = P_LINE_BYTES;
    c.l1d_index = P_INDEX;
    c.l1d_repl = P_REPL;
    c.l1d_mshrs = P_MSHRS;
    c.l1d_merges = P_MERGES;
    c.l1d_miss_queue = P_MISS_DEPTH;
    c.l1d_bypass_queue = P_BYPASS_DEPTH;
    c.l1d_trackers = P_TRACKERS;
    c.l1d_store_hit = lock_below(l, 2);
    c.policy_mode = lock_chance(l, 70) ? BYW_MODE_DECOUPLED : lock_below(l, 2);
    c.byp_on_hit = lock_below(l, 3);
    c.dec_tag_ways = P_TAG_WAYS;
    c.dec_rc_bits = P_RC_W;
    c.dec_threshold = lock_chance(l, 10) ? lock_below(l, 64) : lock_below(l, 4);
    c.dec_cmp = lock_chance(l, 20);
    c.dec_lfu_all = lock_chance(l, 20);
    c.dec_rc_on_hit = lock_chance(l, 30);
    c.dec_age_alloc = lock_chance(l, 80);
    c.dec_age_evict = lock_chance(l, 80);
    c.dec_age_merge = lock_chance(l, 70);
    c.dec_store_rc = lock_chance(l, 30);
    c.dec_byp_rsfail = lock_chance(l, 30);
    c.dec_rc_init = lock_chance(l, 30);
    c.stall_bypass = lock_chance(l, 60) ? BYW_STALL_OFF : lock_below(l, 3);
    return c;
}

static void put_inputs(struct lock *l, const struct ports *p, const struct traffic *t)
{
    const struct byw_l1d_in *in = &t->in;
    struct dut *d = l->dut;

    dut_put(d, p->rst, in->rst);
    dut_put(d, p->filter_on, in->ctrl.filter_on);
    dut_put(d, p->kernel_start, in->ctrl.kernel_start);
    dut_put(d, p->req_valid, in->req_valid);
    dut_put(d, p->rsp_ready, in->rsp_ready);
    dut_put(d, p->mreq_ready, in->mem_req_ready);
    dut_put(d, p->mrsp_valid, in->mem_rsp_valid);
    if (t->new_req) {
        dut_put(d, p->req_op, in->req.op);
        dut_put(d, p->req_line, in->req.line);
        dut_put_bytes(d, p->req_bytes, in->req.bytes.w, sizeof(in->req.bytes.w));
        dut_put_bytes(d, p->req_data, t->req_data, P_LINE_BYTES);
        dut_put(d, p->req_pc, in->req.pc);
        dut_put(d, p->req_id, in->req.id);
        dut_put(d, p->req_hint, in->req.hint);
    }
    if (t->new_rsp) {
        dut_put(d, p->mrsp_kind, in->mem_rsp.kind);
        dut_put_bytes(d, p->mrsp_data, t->rsp_data, P_LINE_BYTES);
        dut_put(d, p->mrsp_id, in->mem_rsp.id);
        dut_put(d, p->mrsp_error, in->mem_rsp.error);
    }
}

static void same_line(const struct lock *l, const char *what, const uint8_t *want, uint32_t port)
{
    uint8_t got[BYW_LINE_MAX];

    dut_get_bytes(l->dut, port, got, P_LINE_BYTES);
    if (memcmp(want, got, P_LINE_BYTES) != 0)
        lock_same_bytes(l, what, want, got, P_LINE_BYTES);
}

static void same_rsp(const struct lock *l, const struct ports *p, const struct byw_rsp *rsp)
{
    lock_same(l, "rsp_id", rsp->id, dut_get(l->dut, p->rsp_id));
    lock_same(l, "rsp_served", rsp->served, dut_get(l->dut, p->rsp_served));
    lock_same(l, "rsp_error", rsp->error, dut_get(l->dut, p->rsp_error));
    if (rsp->data != NULL)
        same_line(l, "rsp_data", rsp->data, p->rsp_data);
}

static void same_mem_req(const struct lock *l, const struct ports *p, const struct byw_mem_req *req)
{
    struct byw_byte_mask bytes = {{0, 0}};

    lock_same(l, "mem_req_kind", req->kind, dut_get(l->dut, p->mreq_kind));
    lock_same(l, "mem_req_write", req->write, dut_get(l->dut, p->mreq_write));
    lock_same(l, "mem_req_bypass", req->bypass, dut_get(l->dut, p->mreq_bypass));
    lock_same(l, "mem_req_atomic", req->atomic, dut_get(l->dut, p->mreq_atomic));
    lock_same(l, "mem_req_line", req->line, dut_get(l->dut, p->mreq_line));
    lock_same(l, "mem_req_id", req->id, dut_get(l->dut, p->mreq_id));
    lock_same(l, "mem_req_pc", req->pc, dut_get(l->dut, p->mreq_pc));
    dut_get_bytes(l->dut, p->mreq_bytes, bytes.w, sizeof(bytes.w));
    lock_same(l, "mem_req_bytes low", req->bytes.w[0], bytes.w[0]);
    lock_same(l, "mem_req_bytes high", req->bytes.w[1], bytes.w[1]);
    if (req->data != NULL)
        same_line(l, "mem_req_data", req->data, p->mreq_data);
}

static void same_outputs(const struct lock *l, const struct ports *p, const struct byw_l1d_out *out)
{
    lock_same(l, "events", out->events, dut_get(l->dut, p->events));
    lock_same(l, "policy_events", out->policy_events, dut_get(l->dut, p->policy_events));
    if ((out->policy_events & byw_pev(BYW_PEV_PC_ASK)) != 0)
        lock_same(l, "pc_counter", out->pc_counter, dut_get(l->dut, p->pc_counter));
    lock_same(l, "req_ready", out->req_ready, dut_get(l->dut, p->req_ready));
    lock_same(l, "rsp_valid", out->rsp_valid, dut_get(l->dut, p->rsp_valid));
    lock_same(l, "mem_req_valid", out->mem_req_valid, dut_get(l->dut, p->mreq_valid));
    lock_same(l, "mem_rsp_ready", out->mem_rsp_ready, dut_get(l->dut, p->mrsp_ready));
    lock_same(l, "idle", out->idle, dut_get(l->dut, p->idle));
    if (out->rsp_valid)
        same_rsp(l, p, &out->rsp);
    if (out->mem_req_valid)
        same_mem_req(l, p, &out->mem_req);
}

static const char *const event_name[BYW_EV_COUNT] = {
#define X(code, name, when) "times that the event was met: " name,
#include "l1d/byw_events.def"
#undef X
};

/* Lines are not sectored; all lines of a set are pending only if there are MSHRs for them. */
static bool can_happen(uint32_t event)
{
    if (event == BYW_EV_FAIL_LINE)
        return P_MSHRS >= P_DATA_WAYS;
    return event != BYW_EV_SECTOR_MISS && !(event == BYW_EV_FAIL_MSHR && P_MSHRS > 16);
}

/* A new cache on the C side, a reset cycle on the other: both empty, with new options. */
static void restart(struct lock *l, const struct ports *p, struct traffic *t, struct byw_l1d **l1d)
{
    struct byw_config config = random_config(l);
    struct byw_diag diag;

    byw_l1d_free(*l1d);
    if (byw_l1d_create(&config, true, l1d, &diag) != BYW_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(2);
    }
    t->in.rst = true;
    put_inputs(l, p, t);
    dut_put(l->dut, p->cfg, lock_cfg(&config));
    dut_eval(l->dut);
    dut_tick(l->dut);
    t->in.rst = false;
    traffic_forget(t);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 250000);
    struct ports p = find_ports(l.dut);
    struct traffic t = {.line_bytes = P_LINE_BYTES, .line_mask = byw_mask64(P_LINE_W)};
    struct byw_l1d *l1d = NULL;
    struct byw_l1d_out out;
    uint64_t met[BYW_EV_COUNT] = {0};
    uint32_t i, left = 0;

    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (left-- == 0) {
            restart(&l, &p, &t, &l1d);
            left = 500 + lock_below(&l, 6000);
        }
        traffic_next(&l, &t);
        put_inputs(&l, &p, &t);
        dut_eval(l.dut);
        byw_l1d_eval(l1d, &t.in, &out);
        same_outputs(&l, &p, &out);
        for (i = 0; i < BYW_EV_COUNT; i++)
            met[i] += out.events >> i & 1;
        byw_l1d_tick(l1d, &t.in);
        dut_tick(l.dut);
        traffic_moved(&t, &out);
    }
    for (i = 0; i < BYW_EV_COUNT && l.cycles >= 250000; i++)
        if (can_happen(i))
            lock_met(&l, event_name[i], met[i]);
    byw_l1d_free(l1d);
    return lock_pass(&l,
                     ", %" PRIu64 " requests, %" PRIu64 " answers, %" PRIu64 " hits, %" PRIu64
                     " commits, %" PRIu64 " evictions",
                     t.accepted, t.answered, met[BYW_EV_HIT], met[BYW_EV_COMMIT],
                     met[BYW_EV_EVICT]);
}
