// SPDX-License-Identifier: Apache-2.0
//
// byw_write_decide - decides a store, local store or atomic.
//
// Behaviour   Stores are written through and never allocate.  A filled line they hit is evicted or
//             updated; a pending one is given up (release_o, orphan: its MSHR is detached).  Local
//             stores are written back if their line is filled, else through.  Atomics drop the
//             present copy, take the bypass path and train nothing.  Pure and combinational.
// Paper       MECHANISMS 0.3; rtl/doc/write_path.md.
// C twin      byw_write_decide() of cmodel/record/byw_write_decide.c; checked by
//             verif/policy/lockstep_policy.c.
//
`default_nettype none
`include "byw_widths.vh"

module byw_write_decide (
  input  wire [31:0] cfg_i,             // policy register
  input  wire        off_i,             // locality filter off
  input  wire [2:0]  op_i,              // BYW_OP_STORE, _ATOMIC, _LOCAL_STORE

  // what the request's line is in the set
  input  wire        candidate_i,
  input  wire        committed_i,
  input  wire        pending_i,         // committed, fill outstanding

  // what can be had in this cycle
  input  wire        res_miss_slot_i,
  input  wire        res_bypass_slot_i,

  output reg  [`BYW_OUTCOME_W-1:0] outcome_o,         // BYW_HIT, _MISS, _BYPASS, _RSFAIL
  output reg  [`BYW_RSFAIL_W-1:0] reason_o,
  output reg         release_o,         // the tag gives its line back
  output reg         ages_o,            // and the set ages
  output reg         touch_o,           // the line is written
  output reg         count_o            // the candidate's RC counts the store
);
  `include "byw_defs.vh"

  wire update       = cfg_i[BYW_CFG_STORE_UPDATE_LSB];
  wire age_on_evict = cfg_i[BYW_CFG_AGE_ON_EVICT_LSB];
  wire store_rc     = cfg_i[BYW_CFG_STORE_RC_LSB];
  wire filled       = committed_i && !pending_i;
  wire local_store  = op_i == BYW_OP_LOCAL_STORE;

  always @* begin : p_decide
    outcome_o = filled ? BYW_HIT : BYW_MISS;
    reason_o  = BYW_RSFAIL_MISS_QUEUE;
    touch_o   = filled && (local_store || update);
    release_o = committed_i && !touch_o;
    ages_o    = age_on_evict && !off_i;
    count_o   = candidate_i && store_rc && !off_i;
    if (op_i == BYW_OP_ATOMIC) begin
      outcome_o = BYW_BYPASS;
      reason_o  = BYW_RSFAIL_ICNT;
      touch_o   = 1'b0;
      release_o = committed_i;
      ages_o    = 1'b0;
      count_o   = 1'b0;
    end
    if ((op_i == BYW_OP_ATOMIC) ? !res_bypass_slot_i
                                : !(local_store && filled) && !res_miss_slot_i) begin
      outcome_o = BYW_RSFAIL;
      touch_o   = 1'b0;
      release_o = 1'b0;
      count_o   = 1'b0;
    end
  end

  wire unused_ok = &{1'b0, cfg_i};
endmodule

`default_nettype wire
