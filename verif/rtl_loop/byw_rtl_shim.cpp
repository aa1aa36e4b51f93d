// SPDX-License-Identifier: Apache-2.0
#include "byw_rtl_shim.h"

#include <cstring>
#include <memory>
#include <new>

#include "Vbyw_loop_top.h"

struct byw_rtl {
    VerilatedContext context;
    std::unique_ptr<Vbyw_loop_top> top; // destroyed before its context
};

extern "C" struct byw_rtl *byw_rtl_create(uint32_t seed, const struct byw_rtl_settings *settings)
{
    try {
        std::unique_ptr<byw_rtl> rtl(new byw_rtl);

        rtl->context.randReset(2);
        rtl->context.randSeed(static_cast<int>(seed & 0x7fffffff));
        rtl->top.reset(new Vbyw_loop_top(&rtl->context, "l1d"));
        rtl->top->cfg_i = settings->policy;
        rtl->top->pc_cfg_i = settings->pc_pred;
        rtl->top->tl_cfg_i = settings->two_level;
        rtl->top->tl_window_i = settings->two_level_window;
        rtl->top->tl_period_i = settings->two_level_period;
        rtl->top->tl_bound_i = settings->two_level_bound;
        rtl->top->toggle_i = 0;
        rtl->top->eval();
        return rtl.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

extern "C" void byw_rtl_free(struct byw_rtl *rtl)
{
    if (rtl == nullptr)
        return;
    rtl->top->final();
    delete rtl;
}

static void put(Vbyw_loop_top &top, const byw_rtl_in &in)
{
    top.rst_i = in.rst;
    top.filter_on_i = in.filter_on;
    top.kernel_start_i = in.kernel_start;
    top.kernel_pc_i = in.kernel_pc;
    top.cta_placed_i = in.cta_placed;
    top.active_warps_i = in.active_warps;
    top.rsp_ready_i = in.rsp_ready;
    top.mem_req_ready_i = in.mem_req_ready;
    top.req_valid_i = in.req_valid;
    if (in.req_valid) {
        top.req_op_i = in.req_op;
        top.req_line_i = in.req_line;
        std::memcpy(static_cast<void *>(&top.req_bytes_i), in.req_bytes, sizeof(top.req_bytes_i));
        top.req_pc_i = in.req_pc;
        top.req_id_i = in.req_id;
        top.req_hint_i = in.req_hint;
        top.req_warp_i = in.req_warp;
    }
    top.mem_rsp_valid_i = in.mem_rsp_valid;
    if (in.mem_rsp_valid) {
        top.mem_rsp_kind_i = in.mem_rsp_kind;
        top.mem_rsp_id_i = in.mem_rsp_id;
        top.mem_rsp_error_i = in.mem_rsp_error;
        top.mem_rsp_mispredict_i = in.mem_rsp_mispredict;
    }
}

static void get(const Vbyw_loop_top &top, byw_rtl_out &out)
{
    out.req_ready = top.req_ready_o;
    out.rsp_valid = top.rsp_valid_o;
    out.mem_req_valid = top.mem_req_valid_o;
    out.mem_rsp_ready = top.mem_rsp_ready_o;
    out.idle = top.idle_o;
    out.events = top.events_o;
    out.policy_events = top.policy_events_o;
    out.pc_counter = top.pc_counter_o;
    out.trial_events = top.trial_events_o;
    if (out.rsp_valid) {
        out.rsp_id = top.rsp_id_o;
        out.rsp_served = top.rsp_served_o;
        out.rsp_error = top.rsp_error_o;
    }
    if (out.mem_req_valid) {
        out.mem_req_kind = top.mem_req_kind_o;
        out.mem_req_write = top.mem_req_write_o;
        out.mem_req_bypass = top.mem_req_bypass_o;
        out.mem_req_atomic = top.mem_req_atomic_o;
        out.mem_req_predicted = top.mem_req_predicted_o;
        out.mem_req_line = top.mem_req_line_o;
        out.mem_req_pc = top.mem_req_pc_o;
        out.mem_req_id = top.mem_req_id_o;
        out.mem_req_bytes[0] = out.mem_req_bytes[1] = 0;
        std::memcpy(out.mem_req_bytes, static_cast<const void *>(&top.mem_req_bytes_o),
                    sizeof(top.mem_req_bytes_o));
    }
}

extern "C" void byw_rtl_step(struct byw_rtl *rtl, const struct byw_rtl_in *in,
                             struct byw_rtl_out *out)
{
    Vbyw_loop_top &top = *rtl->top;

    put(top, *in);
    top.toggle_i = !top.toggle_i;
    top.eval();
    get(top, *out);
    out->next_state = top.two_level_o;
}
