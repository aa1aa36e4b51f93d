/* SPDX-License-Identifier: Apache-2.0
 *
 * rig_ports.h - copies between the ports of byw_l1d.v and the records of byw_l1d_ports.h.
 *
 * The only file of the scenarios and microbenchmarks that knows port names.
 */
#ifndef BYW_RIG_PORTS_H
#define BYW_RIG_PORTS_H

#include "cosim/dut.h"
#include "l1d/byw_l1d_ports.h"

/* X(name): ports whose field in struct rig_ports has the same name. */
#define RIG_PORTS(X)                                                                               \
    X(rst_i)                                                                                       \
    X(cfg_i)                                                                                       \
    X(filter_on_i)                                                                                 \
    X(kernel_start_i)                                                                              \
    X(bypass_i)                                                                                    \
    X(pc_cfg_i)                                                                                    \
    X(req_valid_i)                                                                                 \
    X(req_ready_o)                                                                                 \
    X(req_op_i)                                                                                    \
    X(req_line_i)                                                                                  \
    X(req_bytes_i)                                                                                 \
    X(req_data_i)                                                                                  \
    X(req_pc_i)                                                                                    \
    X(req_id_i)                                                                                    \
    X(req_hint_i)                                                                                  \
    X(req_func_i)                                                                                  \
    X(req_beat_i)                                                                                  \
    X(req_more_i)                                                                                  \
    X(rsp_valid_o)                                                                                 \
    X(rsp_ready_i)                                                                                 \
    X(rsp_data_o)                                                                                  \
    X(rsp_id_o)                                                                                    \
    X(rsp_served_o)                                                                                \
    X(rsp_error_o)                                                                                 \
    X(mem_req_valid_o)                                                                             \
    X(mem_req_ready_i)                                                                             \
    X(mem_req_kind_o)                                                                              \
    X(mem_req_write_o)                                                                             \
    X(mem_req_bypass_o)                                                                            \
    X(mem_req_atomic_o)                                                                            \
    X(mem_req_line_o)                                                                              \
    X(mem_req_bytes_o)                                                                             \
    X(mem_req_data_o)                                                                              \
    X(mem_req_pc_o)                                                                                \
    X(mem_req_id_o)                                                                                \
    X(mem_req_predicted_o)                                                                         \
    X(mem_req_func_o)                                                                              \
    X(mem_rsp_valid_i)                                                                             \
    X(mem_rsp_ready_o)                                                                             \
    X(mem_rsp_kind_i)                                                                              \
    X(mem_rsp_data_i)                                                                              \
    X(mem_rsp_id_i)                                                                                \
    X(mem_rsp_error_i)                                                                             \
    X(mem_rsp_mispredict_i)                                                                        \
    X(idle_o)                                                                                      \
    X(events_o)                                                                                    \
    X(policy_events_o)                                                                             \
    X(pc_counter_o)

struct rig_ports {
#define X(name) uint32_t name;
    RIG_PORTS(X)
#undef X
};

/* Valid and payload that must not change in the next cycle. */
struct rig_held {
    bool rsp, mem;
    uint32_t rsp_id, mem_id;
    uint8_t rsp_served, mem_kind;
    uint64_t mem_line;
};

void rig_ports_find(struct rig_ports *p, const struct dut *d);
void rig_ports_put(const struct rig_ports *p, struct dut *d, const struct byw_l1d_in *in,
                   uint32_t line_bytes);
/* Returns NULL, or the name of the first output that differs from the twin's, with both values.
 * rsp_bytes: the response bytes that carry data. */
const char *rig_ports_differ(const struct rig_ports *p, const struct dut *d,
                             const struct byw_l1d_out *out, const struct byw_byte_mask *rsp_bytes,
                             uint32_t line_bytes, uint64_t *want, uint64_t *got);

#endif
