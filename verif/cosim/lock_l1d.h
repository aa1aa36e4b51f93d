/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_l1d.h - the ports of byw_l1d.v in a lock step: drives random traffic and compares the
 * outputs with the C model. Needs P_LINE_BYTES.
 */
#ifndef BYW_LOCK_L1D_H
#define BYW_LOCK_L1D_H

#include "cosim/lock.h"
#include "cosim/lock_port.h"
#include "cosim/lock_traffic.h"
#include "policy/byw_policy_events.h"

struct ports {
    uint32_t rst, cfg, pc_cfg, filter_on, kernel_start, bypass;
    uint32_t req_valid, req_ready, req_op, req_line, req_beat, req_more, req_bytes, req_data,
        req_pc, req_id, req_hint;
    uint32_t rsp_valid, rsp_ready, rsp_data, rsp_id, rsp_served, rsp_error;
    uint32_t mreq_valid, mreq_ready, mreq_kind, mreq_write, mreq_bypass, mreq_atomic, mreq_line,
        mreq_beat, mreq_more, mreq_predicted, req_func, mreq_func;
    uint32_t mreq_bytes, mreq_data, mreq_pc, mreq_id;
    uint32_t mrsp_valid, mrsp_ready, mrsp_kind, mrsp_data, mrsp_id, mrsp_error, mrsp_mispredict;
    uint32_t idle, events, policy_events, pc_counter, parity;
};

static inline struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .cfg = dut_port(d, "cfg_i"),
        .pc_cfg = dut_port(d, "pc_cfg_i"),
        .filter_on = dut_port(d, "filter_on_i"),
        .kernel_start = dut_port(d, "kernel_start_i"),
        .bypass = dut_port(d, "bypass_i"),
        .req_valid = dut_port(d, "req_valid_i"),
        .req_ready = dut_port(d, "req_ready_o"),
        .req_op = dut_port(d, "req_op_i"),
        .req_line = dut_port(d, "req_line_i"),
        .req_beat = dut_port(d, "req_beat_i"),
        .req_more = dut_port(d, "req_more_i"),
        .req_bytes = dut_port(d, "req_bytes_i"),
        .req_data = dut_port(d, "req_data_i"),
        .req_pc = dut_port(d, "req_pc_i"),
        .req_id = dut_port(d, "req_id_i"),
        .req_hint = dut_port(d, "req_hint_i"),
        .req_func = dut_port(d, "req_func_i"),
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
        .mreq_predicted = dut_port(d, "mem_req_predicted_o"),
        .mreq_func = dut_port(d, "mem_req_func_o"),
        .mreq_line = dut_port(d, "mem_req_line_o"),
        .mreq_beat = dut_port(d, "mem_req_beat_o"),
        .mreq_more = dut_port(d, "mem_req_more_o"),
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
        .mrsp_mispredict = dut_port(d, "mem_rsp_mispredict_i"),
        .idle = dut_port(d, "idle_o"),
        .events = dut_port(d, "events_o"),
        .policy_events = dut_port(d, "policy_events_o"),
        .pc_counter = dut_port(d, "pc_counter_o"),
        .parity = dut_port(d, "parity_o"),
    };
}

static inline void put_inputs(struct lock *l, const struct ports *p, const struct traffic *t)
{
    const struct byw_l1d_in *in = &t->in;
    struct dut *d = l->dut;

    dut_put(d, p->rst, in->rst);
    dut_put(d, p->filter_on, in->ctrl.filter_on);
    dut_put(d, p->kernel_start, in->ctrl.kernel_start);
    dut_put(d, p->bypass, in->ctrl.bypass);
    dut_put(d, p->req_valid, in->req_valid);
    dut_put(d, p->rsp_ready, in->rsp_ready);
    dut_put(d, p->mreq_ready, in->mem_req_ready);
    dut_put(d, p->mrsp_valid, in->mem_rsp_valid);
    if (t->new_req) {
        dut_put(d, p->req_op, in->req.op);
        dut_put(d, p->req_line, in->req.line);
        dut_put(d, p->req_beat, in->req.beat);
        dut_put(d, p->req_more, in->req.more);
        dut_put_bytes(d, p->req_bytes, in->req.bytes.w, sizeof(in->req.bytes.w));
        dut_put_bytes(d, p->req_data, t->req_data, LOCK_BEAT_BYTES);
        dut_put(d, p->req_pc, in->req.pc);
        dut_put(d, p->req_id, in->req.id);
        dut_put(d, p->req_hint, in->req.hint);
        dut_put(d, p->req_func, in->req.func & (P_FUNC_W > 0 ? byw_mask64(P_FUNC_W) : 1));
    }
    if (t->new_rsp) {
        dut_put(d, p->mrsp_kind, in->mem_rsp.kind);
        dut_put_bytes(d, p->mrsp_data, t->rsp_data, LOCK_BEAT_BYTES);
        dut_put(d, p->mrsp_id, in->mem_rsp.id);
        dut_put(d, p->mrsp_error, in->mem_rsp.error);
        dut_put(d, p->mrsp_mispredict, in->mem_rsp.mispredict);
    }
}

static inline void same_line(const struct lock *l, const char *what, const uint8_t *want,
                             uint32_t port)
{
    uint8_t got[BYW_LINE_MAX];

    dut_get_bytes(l->dut, port, got, LOCK_BEAT_BYTES);
    if (memcmp(want, got, LOCK_BEAT_BYTES) != 0)
        lock_same_bytes(l, what, want, got, LOCK_BEAT_BYTES);
}

/* Compares the bytes selected by `mask`. */
static inline void same_bytes(const struct lock *l, const char *what, const uint8_t *want,
                              uint32_t port, const struct byw_byte_mask *mask)
{
    uint8_t got[BYW_LINE_MAX];
    uint32_t i;

    dut_get_bytes(l->dut, port, got, LOCK_BEAT_BYTES);
    for (i = 0; i < LOCK_BEAT_BYTES; i++)
        if ((mask->w[i / 64] >> (i % 64) & 1) != 0)
            lock_same_at(l, what, i, want[i], got[i]);
}

/* hit: the bytes of the request in the hit stage; bytes of other sectors have no meaning. */
static inline void same_rsp(const struct lock *l, const struct ports *p, const struct byw_rsp *rsp,
                            const struct byw_byte_mask *hit)
{
    lock_same(l, "rsp_id", rsp->id, dut_get(l->dut, p->rsp_id));
    lock_same(l, "rsp_served", rsp->served, dut_get(l->dut, p->rsp_served));
    lock_same(l, "rsp_error", rsp->error, dut_get(l->dut, p->rsp_error));
    if (rsp->data != NULL && rsp->served == BYW_SERVED_HIT)
        same_bytes(l, "rsp_data", rsp->data, p->rsp_data, hit);
    else if (rsp->data != NULL)
        same_line(l, "rsp_data", rsp->data, p->rsp_data);
}

static inline void same_mem_req(const struct lock *l, const struct ports *p,
                                const struct byw_mem_req *req)
{
    struct byw_byte_mask bytes = {{0, 0}};

    lock_same(l, "mem_req_kind", req->kind, dut_get(l->dut, p->mreq_kind));
    lock_same(l, "mem_req_write", req->write, dut_get(l->dut, p->mreq_write));
    lock_same(l, "mem_req_bypass", req->bypass, dut_get(l->dut, p->mreq_bypass));
    lock_same(l, "mem_req_atomic", req->atomic, dut_get(l->dut, p->mreq_atomic));
    lock_same(l, "mem_req_predicted", req->predicted, dut_get(l->dut, p->mreq_predicted));
    lock_same(l, "mem_req_line", req->line, dut_get(l->dut, p->mreq_line));
    lock_same(l, "mem_req_beat", req->beat, dut_get(l->dut, p->mreq_beat));
    lock_same(l, "mem_req_more", req->more, dut_get(l->dut, p->mreq_more));
    lock_same(l, "mem_req_id", req->id, dut_get(l->dut, p->mreq_id));
    lock_same(l, "mem_req_func", req->func, dut_get(l->dut, p->mreq_func));
    lock_same(l, "mem_req_pc", req->pc, dut_get(l->dut, p->mreq_pc));
    dut_get_bytes(l->dut, p->mreq_bytes, bytes.w, sizeof(bytes.w));
    lock_same(l, "mem_req_bytes low", req->bytes.w[0], bytes.w[0]);
    lock_same(l, "mem_req_bytes high", req->bytes.w[1], bytes.w[1]);
    if (req->data != NULL)
        same_line(l, "mem_req_data", req->data, p->mreq_data);
}

static inline void same_outputs(const struct lock *l, const struct ports *p,
                                const struct byw_l1d_out *out, const struct byw_byte_mask *hit)
{
    lock_same(l, "events", out->events, dut_get(l->dut, p->events));
    lock_same(l, "policy_events", out->policy_events, dut_get(l->dut, p->policy_events));
    if ((out->policy_events & byw_pev(BYW_PEV_PC_ASK)) != 0)
        lock_same(l, "pc_counter", out->pc_counter, dut_get(l->dut, p->pc_counter));
    lock_same(l, "parity", out->parity, dut_get(l->dut, p->parity));
    lock_same(l, "req_ready", out->req_ready, dut_get(l->dut, p->req_ready));
    lock_same(l, "rsp_valid", out->rsp_valid, dut_get(l->dut, p->rsp_valid));
    lock_same(l, "mem_req_valid", out->mem_req_valid, dut_get(l->dut, p->mreq_valid));
    lock_same(l, "mem_rsp_ready", out->mem_rsp_ready, dut_get(l->dut, p->mrsp_ready));
    lock_same(l, "idle", out->idle, dut_get(l->dut, p->idle));
    if (out->rsp_valid)
        same_rsp(l, p, &out->rsp, hit);
    if (out->mem_req_valid)
        same_mem_req(l, p, &out->mem_req);
}

#endif
