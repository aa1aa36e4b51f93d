/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/gpu_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "top/byw_csr.h"

/* X(code, port) */
#define PORTS(X)                                                                                   \
    X(RST, "rst_i")                                                                                \
    X(PROGRAM_WE, "program_we_i")                                                                  \
    X(PROGRAM_ADDR, "program_addr_i")                                                              \
    X(PROGRAM_DATA, "program_data_i")                                                              \
    X(PARAM_WE, "param_we_i")                                                                      \
    X(PARAM_ADDR, "param_addr_i")                                                                  \
    X(PARAM_DATA, "param_data_i")                                                                  \
    X(START, "start_i")                                                                            \
    X(START_PC, "start_pc_i")                                                                      \
    X(CTAS, "ctas_i")                                                                              \
    X(RUNNING, "running_o")                                                                        \
    X(IDLE, "idle_o")                                                                              \
    X(FAULT, "fault_o")                                                                            \
    X(FAULT_PC, "fault_pc_o")                                                                      \
    X(CFG, "cfg_i")                                                                                \
    X(PC_CFG, "pc_cfg_i")                                                                          \
    X(TL_CFG, "tl_cfg_i")                                                                          \
    X(TL_WINDOW, "tl_window_i")                                                                    \
    X(TL_PERIOD, "tl_period_i")                                                                    \
    X(TL_BOUND, "tl_bound_i")                                                                      \
    X(RESTART, "restart_i")                                                                        \
    X(FILTER_ON, "filter_on_i")                                                                    \
    X(COUNT_REQ, "count_req_i")                                                                    \
    X(COUNT_SEL, "count_sel_i")                                                                    \
    X(COUNT_VALID, "count_valid_o")                                                                \
    X(COUNT_DATA, "count_data_o")                                                                  \
    X(MEM_REQ_VALID, "mem_req_valid_o")                                                            \
    X(MEM_REQ_READY, "mem_req_ready_i")                                                            \
    X(MEM_REQ_KIND, "mem_req_kind_o")                                                              \
    X(MEM_REQ_WRITE, "mem_req_write_o")                                                            \
    X(MEM_REQ_BYPASS, "mem_req_bypass_o")                                                          \
    X(MEM_REQ_ATOMIC, "mem_req_atomic_o")                                                          \
    X(MEM_REQ_LINE, "mem_req_line_o")                                                              \
    X(MEM_REQ_BYTES, "mem_req_bytes_o")                                                            \
    X(MEM_REQ_DATA, "mem_req_data_o")                                                              \
    X(MEM_REQ_PC, "mem_req_pc_o")                                                                  \
    X(MEM_REQ_ID, "mem_req_id_o")                                                                  \
    X(MEM_REQ_PREDICTED, "mem_req_predicted_o")                                                    \
    X(MEM_REQ_FUNC, "mem_req_func_o")                                                              \
    X(MEM_RSP_VALID, "mem_rsp_valid_i")                                                            \
    X(MEM_RSP_READY, "mem_rsp_ready_o")                                                            \
    X(MEM_RSP_KIND, "mem_rsp_kind_i")                                                              \
    X(MEM_RSP_DATA, "mem_rsp_data_i")                                                              \
    X(MEM_RSP_ID, "mem_rsp_id_i")                                                                  \
    X(MEM_RSP_ERROR, "mem_rsp_error_i")                                                            \
    X(MEM_RSP_MISPREDICT, "mem_rsp_mispredict_i")                                                  \
    X(REQ_VALID, "tap_req_valid_o")                                                                \
    X(REQ_READY, "tap_req_ready_o")                                                                \
    X(REQ_OP, "tap_req_op_o")                                                                      \
    X(REQ_LINE, "tap_req_line_o")                                                                  \
    X(REQ_BYTES, "tap_req_bytes_o")                                                                \
    X(REQ_DATA, "tap_req_data_o")                                                                  \
    X(REQ_PC, "tap_req_pc_o")                                                                      \
    X(REQ_ID, "tap_req_id_o")                                                                      \
    X(REQ_HINT, "tap_req_hint_o")                                                                  \
    X(REQ_FUNC, "tap_req_func_o")                                                                  \
    X(RSP_VALID, "tap_rsp_valid_o")                                                                \
    X(RSP_READY, "tap_rsp_ready_o")                                                                \
    X(RSP_DATA, "tap_rsp_data_o")                                                                  \
    X(RSP_ID, "tap_rsp_id_o")                                                                      \
    X(RSP_SERVED, "tap_rsp_served_o")                                                              \
    X(RSP_ERROR, "tap_rsp_error_o")                                                                \
    X(CTA_PLACED, "tap_cta_placed_o")                                                              \
    X(ACTIVE, "tap_active_o")                                                                      \
    X(KERNEL_PC, "tap_kernel_pc_o")                                                                \
    X(L1_IDLE, "tap_idle_o")                                                                       \
    X(EVENTS, "tap_events_o")                                                                      \
    X(POLICY_EVENTS, "tap_policy_events_o")                                                        \
    X(PC_COUNTER, "tap_pc_counter_o")                                                              \
    X(TWO_LEVEL, "tap_two_level_o")                                                                \
    X(ISSUE, "tap_issue_o")                                                                        \
    X(TAP_MEM_REQ_READY, "tap_mem_req_ready_o")                                                    \
    X(TAP_MEM_RSP_VALID, "tap_mem_rsp_valid_o")                                                    \
    X(TAP_MEM_RSP_KIND, "tap_mem_rsp_kind_o")                                                      \
    X(TAP_MEM_RSP_DATA, "tap_mem_rsp_data_o")                                                      \
    X(TAP_MEM_RSP_ID, "tap_mem_rsp_id_o")                                                          \
    X(TAP_MEM_RSP_ERROR, "tap_mem_rsp_error_o")                                                    \
    X(TAP_MEM_RSP_MISPREDICT, "tap_mem_rsp_mispredict_o")

enum {
#define X(code, name) code,
    PORTS(X)
#undef X
        PORT_COUNT
};
_Static_assert((int)PORT_COUNT <= (int)GPU_RIG_PORTS, "room for the ports");

struct byw_config gpu_rig_config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
#define RTL(parameter, when, field, key) c.field = P_##parameter;
#include "configs/byw_rtl_params.def"
#undef RTL
    c.port = (struct byw_port){.order = P_ORDER, .in_flight = P_IN_FLIGHT, .func_w = 2};
    c.sm_count = 1;
    c.sm_warps = P_WARPS;
    return c;
}

static void put(struct gpu_rig *rig, int port, uint64_t value)
{
    dut_put(rig->dut, rig->port[port], value);
}

static uint64_t get(const struct gpu_rig *rig, int port)
{
    return dut_get(rig->dut, rig->port[port]);
}

static void put_settings(struct gpu_rig *rig)
{
    struct byw_csr csr;

    byw_csr_init(&csr, 1);
    byw_csr_from_config(&csr, &rig->stream.config);
    put(rig, CFG, csr.policy);
    put(rig, PC_CFG, csr.pc_pred);
    put(rig, TL_CFG, csr.two_level);
    put(rig, TL_WINDOW, csr.two_level_window);
    put(rig, TL_PERIOD, csr.two_level_period);
    put(rig, TL_BOUND, csr.two_level_bound);
    rig->c.in.ctrl.filter_on = rig->stream.config.policy_mode == BYW_MODE_DECOUPLED;
    put(rig, FILTER_ON, rig->c.in.ctrl.filter_on);
}

void gpu_rig_init(struct gpu_rig *rig, const struct byw_config *config, uint64_t seed)
{
    static const char *const name[] = {
#define X(code, port) port,
        PORTS(X)
#undef X
    };
    uint32_t i;

    *rig = (struct gpu_rig){.dut = dut_create(seed), .memory_ready = 80};
    byw_rng_init(&rig->rng, seed);
    if (!gpu_memory_init(&rig->memory, UINT32_C(1) << P_ADDR_W, P_LINE_BYTES, &rig->rng)) {
        fprintf(stderr, "no memory for the soft GPU's\n");
        exit(2);
    }
    rig->memory.any_order = P_ORDER != BYW_ORDER_OFF || P_AXI != 0;
    for (i = 0; i < PORT_COUNT; i++)
        rig->port[i] = dut_port(rig->dut, name[i]);
    for (i = 0; i < PORT_COUNT; i++)
        if (name[i][strlen(name[i]) - 1] == 'i' && i != MEM_RSP_DATA)
            put(rig, (int)i, 0);
    if (P_AXI != 0)
        gpu_axi_init(&rig->axi, rig->dut, &rig->memory, P_AXI);
    gpu_stream_init(&rig->stream, config);
    put_settings(rig);
    for (i = 0; i < 3; i++) {
        put(rig, RST, i != 2);
        dut_eval(rig->dut);
        if (i != 2)
            dut_tick(rig->dut);
    }
}

void gpu_rig_release(struct gpu_rig *rig)
{
    dut_free(rig->dut);
    gpu_memory_release(&rig->memory);
    gpu_stream_release(&rig->stream);
}

/* Drives the memory's outputs in this cycle. */
static void drive(struct gpu_rig *rig)
{
    const struct byw_mem_rsp *rsp;

    if (P_AXI != 0) {
        gpu_axi_drive(&rig->axi);
        return;
    }
    rsp = gpu_memory_offer(&rig->memory);
    put(rig, MEM_RSP_VALID, rsp != NULL);
    if (rsp != NULL) {
        put(rig, MEM_RSP_KIND, rsp->kind);
        put(rig, MEM_RSP_ID, rsp->id);
        put(rig, MEM_RSP_ERROR, rsp->error);
        put(rig, MEM_RSP_MISPREDICT, rsp->mispredict);
        dut_put_bytes(rig->dut, rig->port[MEM_RSP_DATA], rsp->data, P_LINE_BYTES);
    }
    put(rig, MEM_REQ_READY,
        gpu_memory_ready(&rig->memory) && byw_rng_below(&rig->rng, 100) < rig->memory_ready);
}

static void look_mem_rsp(struct gpu_rig *rig)
{
    struct gpu_cycle *c = &rig->c;

    c->in.mem_req_ready = get(rig, TAP_MEM_REQ_READY) != 0;
    c->in.mem_rsp_valid = get(rig, TAP_MEM_RSP_VALID) != 0;
    if (!c->in.mem_rsp_valid)
        return;
    c->in.mem_rsp = (struct byw_mem_rsp){
        .data = c->data[1],
        .id = (uint32_t)get(rig, TAP_MEM_RSP_ID),
        .kind = (uint8_t)get(rig, TAP_MEM_RSP_KIND),
        .error = get(rig, TAP_MEM_RSP_ERROR) != 0,
        .mispredict = get(rig, TAP_MEM_RSP_MISPREDICT) != 0,
    };
    dut_get_bytes(rig->dut, rig->port[TAP_MEM_RSP_DATA], c->data[1], P_LINE_BYTES);
}

static void look_inputs(struct gpu_rig *rig)
{
    struct gpu_cycle *c = &rig->c;
    struct byw_req *req = &c->in.req;

    c->in.req_valid = get(rig, REQ_VALID) != 0;
    c->in.rsp_ready = get(rig, RSP_READY) != 0;
    c->in.ctrl.cta_placed = get(rig, CTA_PLACED) != 0;
    c->in.ctrl.active_warps = (uint8_t)get(rig, ACTIVE);
    c->in.ctrl.kernel_pc = (uint32_t)get(rig, KERNEL_PC);
    if (!c->in.req_valid)
        return;
    *req = (struct byw_req){
        .line = get(rig, REQ_LINE),
        .data = c->data[0],
        .pc = (uint32_t)get(rig, REQ_PC),
        .id = (uint32_t)get(rig, REQ_ID),
        .op = (uint8_t)get(rig, REQ_OP),
        .hint = (uint8_t)get(rig, REQ_HINT),
        .func = (uint32_t)get(rig, REQ_FUNC),
    };
    dut_get_bytes(rig->dut, rig->port[REQ_BYTES], req->bytes.w, P_LINE_BYTES / 8);
    dut_get_bytes(rig->dut, rig->port[REQ_DATA], c->data[0], P_LINE_BYTES);
}

static void look_mem_req(struct gpu_rig *rig)
{
    struct byw_mem_req *req = &rig->c.out.mem_req;

    *req = (struct byw_mem_req){
        .line = get(rig, MEM_REQ_LINE),
        .pc = (uint32_t)get(rig, MEM_REQ_PC),
        .id = (uint32_t)get(rig, MEM_REQ_ID),
        .kind = (uint8_t)get(rig, MEM_REQ_KIND),
        .write = get(rig, MEM_REQ_WRITE) != 0,
        .bypass = get(rig, MEM_REQ_BYPASS) != 0,
        .atomic = get(rig, MEM_REQ_ATOMIC) != 0,
        .predicted = get(rig, MEM_REQ_PREDICTED) != 0,
        .func = (uint32_t)get(rig, MEM_REQ_FUNC),
    };
    dut_get_bytes(rig->dut, rig->port[MEM_REQ_BYTES], req->bytes.w, P_LINE_BYTES / 8);
    if (!req->write && !req->atomic)
        return;
    req->data = rig->c.data[3];
    dut_get_bytes(rig->dut, rig->port[MEM_REQ_DATA], rig->c.data[3], P_LINE_BYTES);
}

static void look_outputs(struct gpu_rig *rig)
{
    struct gpu_cycle *c = &rig->c;

    c->out.req_ready = get(rig, REQ_READY) != 0;
    c->out.rsp_valid = get(rig, RSP_VALID) != 0;
    c->out.mem_req_valid = get(rig, MEM_REQ_VALID) != 0;
    c->out.mem_rsp_ready = get(rig, MEM_RSP_READY) != 0;
    c->out.idle = get(rig, L1_IDLE) != 0;
    c->out.events = (uint32_t)get(rig, EVENTS);
    c->out.policy_events = (uint32_t)get(rig, POLICY_EVENTS);
    c->out.pc_counter = (uint8_t)get(rig, PC_COUNTER);
    c->two_level = (uint32_t)get(rig, TWO_LEVEL);
    c->count_valid = get(rig, COUNT_VALID) != 0;
    c->count_data = get(rig, COUNT_DATA);
    if (c->out.rsp_valid) {
        c->out.rsp = (struct byw_rsp){
            .data = c->data[2],
            .id = (uint32_t)get(rig, RSP_ID),
            .served = (uint8_t)get(rig, RSP_SERVED),
            .error = get(rig, RSP_ERROR) != 0,
        };
        dut_get_bytes(rig->dut, rig->port[RSP_DATA], c->data[2], P_LINE_BYTES);
    }
    if (c->out.mem_req_valid)
        look_mem_req(rig);
}

static void one_cycle(struct gpu_rig *rig)
{
    struct gpu_cycle *c = &rig->c;

    drive(rig);
    dut_eval(rig->dut);
    look_inputs(rig);
    look_mem_rsp(rig);
    look_outputs(rig);
    gpu_stream_put(&rig->stream, c);
    if (P_AXI != 0)
        gpu_axi_look(&rig->axi);
    else if (c->in.mem_rsp_valid && c->out.mem_rsp_ready)
        gpu_memory_taken(&rig->memory);
    if (P_AXI == 0 && c->out.mem_req_valid && c->in.mem_req_ready)
        gpu_memory_take(&rig->memory, &c->out.mem_req);
    rig->issued += get(rig, ISSUE);
    dut_tick(rig->dut);
    dut_eval(rig->dut);
    rig->running = get(rig, RUNNING) != 0;
    rig->idle = get(rig, IDLE) != 0;
    rig->cycles++;
}

void gpu_rig_load(struct gpu_rig *rig, const struct gpu_program *program)
{
    uint32_t i;

    if (program->count > P_PROGRAM || program->depth > P_DEPTH) {
        fprintf(stderr, "the soft GPU has %u words and a mask stack of %u\n", P_PROGRAM, P_DEPTH);
        exit(2);
    }
    put(rig, PROGRAM_WE, 1);
    for (i = 0; i < program->count; i++) {
        put(rig, PROGRAM_ADDR, i);
        put(rig, PROGRAM_DATA, program->word[i]);
        one_cycle(rig);
    }
    put(rig, PROGRAM_WE, 0);
}

void gpu_rig_param(struct gpu_rig *rig, uint32_t number, uint32_t value)
{
    put(rig, PARAM_WE, 1);
    put(rig, PARAM_ADDR, number);
    put(rig, PARAM_DATA, value);
    one_cycle(rig);
    put(rig, PARAM_WE, 0);
}

bool gpu_rig_launch(struct gpu_rig *rig, uint32_t pc, uint32_t ctas, uint64_t cycles)
{
    put(rig, START, 1);
    put(rig, START_PC, pc);
    put(rig, CTAS, ctas);
    rig->c.in.ctrl.kernel_start = true;
    one_cycle(rig);
    put(rig, START, 0);
    rig->c.in.ctrl.kernel_start = false;
    while (rig->running && cycles-- != 0)
        one_cycle(rig);
    rig->fault = (uint32_t)get(rig, FAULT);
    rig->fault_pc = (uint32_t)get(rig, FAULT_PC);
    return !rig->running && rig->fault == 0;
}

bool gpu_rig_settle(struct gpu_rig *rig)
{
    uint32_t left = 100000;

    while (!rig->idle && left-- != 0)
        one_cycle(rig);
    return rig->idle;
}

uint64_t gpu_rig_counter(struct gpu_rig *rig, uint32_t number)
{
    put(rig, COUNT_REQ, 1);
    put(rig, COUNT_SEL, number);
    rig->c.count_req = true;
    rig->c.count_sel = (uint8_t)number;
    do
        one_cycle(rig);
    while (!rig->c.count_valid);
    put(rig, COUNT_REQ, 0);
    rig->c.count_req = false;
    return rig->c.count_data;
}
