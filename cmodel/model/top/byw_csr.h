/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_csr.h - the registers of a cluster on a single-word bus (byw_csr.def, rtl/doc/csr.md); C twin
 * of rtl/top/byw_csr.v.
 *
 * In each cycle byw_csr_eval() gives the outputs, which depend only on the state, and
 * byw_csr_tick() passes the clock edge.  The bus handles one access at a time.  The answer to a
 * request is valid in the next cycle (for a counter, when the counters have delivered it) and stays
 * until it is accepted.
 */
#ifndef BYW_CSR_H
#define BYW_CSR_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_config.h"
#include "top/byw_csr_map.h"

struct byw_csr {
    uint32_t policy, pc_pred, two_level, two_level_window, two_level_period, two_level_bound;
    uint32_t duel, duel_interval, duel_min, duel_hold, duel_settle, counter_select, kernel_pc;
    uint32_t sms; /* number of SMs */
    uint32_t counter_high; /* upper half of the last counter read */
    uint32_t rsp_data;
    bool rsp_valid, rsp_error;
    bool counting; /* a counter is being read */
    bool kernel_start, duel_restart, reset; /* pulses of this cycle */
    bool restart; /* pulse, too: the settings of the L1s (POLICY, PC_PRED, TWO_LEVEL*) are new */
};

struct byw_csr_in {
    bool rst;
    bool req_valid, req_write, rsp_ready;
    uint32_t req_addr, req_data; /* byte address, 12 bits */
    bool idle; /* all L1s are idle */
    bool duel_on;
    uint8_t duel_votes; /* 0..15 */
    bool count_valid; /* count_data is the requested counter */
    uint64_t count_data;
};

struct byw_csr_out {
    bool req_ready, rsp_valid, rsp_error;
    uint32_t rsp_data;
    bool kernel_start, duel_restart, reset, restart;
    bool count_req; /* COUNTER_SELECT selects the counter */
};

void byw_csr_init(struct byw_csr *csr, uint32_t sms);
void byw_csr_eval(const struct byw_csr *csr, struct byw_csr_out *out);
void byw_csr_tick(struct byw_csr *csr, const struct byw_csr_in *in);

/* Extracts a field from a register's value; lsb and width are in byw_csr_map.h. */
static inline uint32_t byw_csr_field(uint32_t value, uint32_t lsb, uint32_t width)
{
    return value >> lsb & (uint32_t)((UINT64_C(1) << width) - 1);
}

/* The fields of POLICY for the rescue rules (configs/byw_rescues.def). */
static inline uint32_t byw_csr_rescues(const struct byw_config *config)
{
    uint32_t value = 0;

#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning)               \
    value |= config->unit << BYW_CSR_POLICY_##field##_LSB;
#include "configs/byw_rescues.def"
#undef RESCUE
    return value;
}

/* Sets the registers from a configuration; all others are as after reset. */
void byw_csr_from_config(struct byw_csr *csr, const struct byw_config *config);

/* Sets the keys that the registers hold in an otherwise complete configuration. TWO_LEVEL_BOUND is
 * skipped, because it is a product. */
void byw_csr_to_config(const struct byw_csr *csr, struct byw_config *config);

#endif
