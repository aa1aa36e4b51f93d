/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_rtl_shim.h - C interface to one Verilated byw_sm_l1, for the simulator: its ports by name,
 * without data buses, counters and restarts (byw_loop_top.v).
 *
 * Every instance has a separate Verilator context. Registers and memories start with random values
 * drawn from `seed`, so that tests notice a result that depends on them.
 */
#ifndef BYW_RTL_SHIM_H
#define BYW_RTL_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct byw_rtl;

/* Values of the settings ports from creation on: registers of byw_csr.def. */
struct byw_rtl_settings {
    uint32_t policy, pc_pred, two_level, two_level_window, two_level_period, two_level_bound;
};

/* The ports of rtl/top/byw_sm_l1.v. Payload is valid only with its valid bit, kernel_pc only with
 * kernel_start. */
struct byw_rtl_in {
    bool rst, filter_on, kernel_start, cta_placed, mem_rsp_mispredict;
    uint8_t active_warps;
    uint32_t kernel_pc;
    bool req_valid, rsp_ready, mem_req_ready, mem_rsp_valid, mem_rsp_error;
    uint8_t req_op, req_hint, req_warp, mem_rsp_kind;
    uint32_t req_pc, req_id, mem_rsp_id;
    uint64_t req_line;
    const void *req_bytes; /* 16 bytes; of a byte mask, the low bits up to the bytes of a line */
};

struct byw_rtl_out {
    bool req_ready, rsp_valid, mem_req_valid, mem_rsp_ready, idle;
    bool rsp_error, mem_req_write, mem_req_bypass, mem_req_atomic, mem_req_predicted;
    uint8_t rsp_served, mem_req_kind;
    uint8_t trial_events; /* bit BYW_TRIAL_EV_* */
    uint8_t pc_counter; /* counter of the PC, valid with BYW_PEV_PC_ASK */
    uint8_t next_state; /* the two-level unit's state in the next cycle: a bit per enum
                           byw_two_level_state, or 0 */
    uint32_t events, policy_events, rsp_id, mem_req_pc, mem_req_id;
    uint64_t mem_req_line;
    uint64_t mem_req_bytes[2];
};

/* NULL: no memory. */
struct byw_rtl *byw_rtl_create(uint32_t seed, const struct byw_rtl_settings *settings);
void byw_rtl_free(struct byw_rtl *rtl);

/* One clock cycle: the outputs for these inputs, then the edge. */
void byw_rtl_step(struct byw_rtl *rtl, const struct byw_rtl_in *in, struct byw_rtl_out *out);

#ifdef __cplusplus
}
#endif

#endif
