/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/rig_ports.h"

#include <string.h>

#include "policy/byw_policy_events.h"

void rig_ports_find(struct rig_ports *p, const struct dut *d)
{
#define X(name) p->name = dut_port(d, #name);
    RIG_PORTS(X)
#undef X
}

void rig_ports_put(const struct rig_ports *p, struct dut *d, const struct byw_l1d_in *in,
                   uint32_t line_bytes)
{
    dut_put(d, p->rst_i, in->rst);
    dut_put(d, p->filter_on_i, in->ctrl.filter_on);
    dut_put(d, p->kernel_start_i, in->ctrl.kernel_start);
    dut_put(d, p->bypass_i, in->ctrl.bypass);
    dut_put(d, p->rsp_ready_i, in->rsp_ready);
    dut_put(d, p->mem_req_ready_i, in->mem_req_ready);
    dut_put(d, p->req_valid_i, in->req_valid);
    if (in->req_valid) {
        dut_put(d, p->req_op_i, in->req.op);
        dut_put(d, p->req_line_i, in->req.line);
        dut_put_bytes(d, p->req_bytes_i, in->req.bytes.w, sizeof(in->req.bytes.w));
        dut_put_bytes(d, p->req_data_i, in->req.data, line_bytes);
        dut_put(d, p->req_pc_i, in->req.pc);
        dut_put(d, p->req_id_i, in->req.id);
        dut_put(d, p->req_hint_i, in->req.hint);
        dut_put(d, p->req_func_i, in->req.func);
        dut_put(d, p->req_beat_i, in->req.beat);
        dut_put(d, p->req_more_i, in->req.more);
    }
    dut_put(d, p->mem_rsp_valid_i, in->mem_rsp_valid);
    if (in->mem_rsp_valid) {
        dut_put(d, p->mem_rsp_kind_i, in->mem_rsp.kind);
        dut_put_bytes(d, p->mem_rsp_data_i, in->mem_rsp.data, line_bytes);
        dut_put(d, p->mem_rsp_id_i, in->mem_rsp.id);
        dut_put(d, p->mem_rsp_error_i, in->mem_rsp.error);
        dut_put(d, p->mem_rsp_mispredict_i, in->mem_rsp.mispredict);
    }
}

/* The upper half of both values holds the number of the differing byte. */
static bool line_differs(const struct dut *d, uint32_t port, const uint8_t *line,
                         const struct byw_byte_mask *mask, uint32_t n, uint64_t *want,
                         uint64_t *got)
{
    uint8_t bytes[BYW_LINE_MAX];
    uint32_t i;

    dut_get_bytes(d, port, bytes, n);
    for (i = 0; i < n; i++) {
        if (line[i] == bytes[i] || (mask->w[i / 64] >> i % 64 & 1) == 0)
            continue;
        *want = (uint64_t)i << 32 | line[i];
        *got = (uint64_t)i << 32 | bytes[i];
        return true;
    }
    return false;
}

#define DIFFERS(port, value) (*want = (uint64_t)(value), *got = dut_get(d, p->port), *want != *got)

static const char *rsp_differs(const struct rig_ports *p, const struct dut *d,
                               const struct byw_rsp *rsp, const struct byw_byte_mask *bytes,
                               uint32_t line_bytes, uint64_t *want, uint64_t *got)
{
    if (DIFFERS(rsp_id_o, rsp->id))
        return "rsp_id";
    if (DIFFERS(rsp_served_o, rsp->served))
        return "rsp_served";
    if (DIFFERS(rsp_error_o, rsp->error))
        return "rsp_error";
    if (rsp->data != NULL &&
        line_differs(d, p->rsp_data_o, rsp->data, bytes, line_bytes, want, got))
        return "rsp_data (byte in the upper half)";
    return NULL;
}

static const char *mem_differs(const struct rig_ports *p, const struct dut *d,
                               const struct byw_mem_req *req, uint32_t line_bytes, uint64_t *want,
                               uint64_t *got)
{
    const struct byw_byte_mask whole = {{UINT64_MAX, UINT64_MAX}};
    struct byw_byte_mask bytes = {{0, 0}};

    if (DIFFERS(mem_req_kind_o, req->kind))
        return "mem_req_kind";
    if (DIFFERS(mem_req_write_o, req->write))
        return "mem_req_write";
    if (DIFFERS(mem_req_bypass_o, req->bypass))
        return "mem_req_bypass";
    if (DIFFERS(mem_req_atomic_o, req->atomic))
        return "mem_req_atomic";
    if (DIFFERS(mem_req_predicted_o, req->predicted))
        return "mem_req_predicted";
    if (DIFFERS(mem_req_line_o, req->line))
        return "mem_req_line";
    if (DIFFERS(mem_req_id_o, req->id))
        return "mem_req_id";
    if (DIFFERS(mem_req_pc_o, req->pc))
        return "mem_req_pc";
    if (DIFFERS(mem_req_func_o, req->func))
        return "mem_req_func";
    dut_get_bytes(d, p->mem_req_bytes_o, bytes.w, sizeof(bytes.w));
    if (memcmp(&bytes, &req->bytes, sizeof(bytes)) != 0) {
        *want = req->bytes.w[0];
        *got = bytes.w[0];
        return "mem_req_bytes (low half shown)";
    }
    if (req->data != NULL &&
        line_differs(d, p->mem_req_data_o, req->data, &whole, line_bytes, want, got))
        return "mem_req_data (byte in the upper half)";
    return NULL;
}

const char *rig_ports_differ(const struct rig_ports *p, const struct dut *d,
                             const struct byw_l1d_out *out, const struct byw_byte_mask *rsp_bytes,
                             uint32_t line_bytes, uint64_t *want, uint64_t *got)
{
    const char *what = NULL;

    if (DIFFERS(req_ready_o, out->req_ready))
        return "req_ready";
    if (DIFFERS(rsp_valid_o, out->rsp_valid))
        return "rsp_valid";
    if (DIFFERS(mem_req_valid_o, out->mem_req_valid))
        return "mem_req_valid";
    if (DIFFERS(mem_rsp_ready_o, out->mem_rsp_ready))
        return "mem_rsp_ready";
    if (DIFFERS(idle_o, out->idle))
        return "idle";
    if (DIFFERS(events_o, out->events))
        return "events";
    if (DIFFERS(policy_events_o, out->policy_events))
        return "policy_events";
    if ((out->policy_events >> BYW_PEV_PC_ASK & 1) != 0 && DIFFERS(pc_counter_o, out->pc_counter))
        return "pc_counter";
    if (out->rsp_valid)
        what = rsp_differs(p, d, &out->rsp, rsp_bytes, line_bytes, want, got);
    if (what == NULL && out->mem_req_valid)
        what = mem_differs(p, d, &out->mem_req, line_bytes, want, got);
    return what;
}
