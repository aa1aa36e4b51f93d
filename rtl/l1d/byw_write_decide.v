// SPDX-License-Identifier: Apache-2.0
//
// byw_write_decide - decides a store, local store or atomic.
//
// Behaviour   Stores write through and never allocate.  A store that hits evicts or updates the
//             line; a store to a pending line gives it up (line_release_o, orphan: its MSHR is
//             detached).  A local store is written back later if its line is filled; otherwise it
//             writes through.  An atomic drops the present copy, takes the bypass path and trains
//             nothing.  byw_policy decides whether the request is refused.  Combinational.
// Paper       mechanisms/cache.md 0.3; rtl/doc/write_path.md.
// C twin      byw_write_decide() of cmodel/model/record/byw_write_decide.c; checked by
//             verif/policy/lockstep_policy.c.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_write_decide (
  input  wire [31:0] cfg_i,                // policy register
  input  wire        filter_off_i,         // locality filter off
  input  wire        req_is_atomic_i,      // BYW_OP_ATOMIC
  input  wire        req_is_local_store_i, // BYW_OP_LOCAL_STORE

  // state of the request's line in the set
  input  wire        candidate_i,
  input  wire        committed_i,
  input  wire        pending_i,            // committed, fill outstanding

  output wire        line_release_o,       // the tag gives its line back
  output wire        release_ages_o,       // the set ages with it
  output wire        line_write_o,         // the line is written
  output wire        candidate_count_o     // the store counts in the candidate's RC
);
  `include "byw_defs.vh"

  wire update       = cfg_i[BYW_CFG_STORE_UPDATE_LSB];
  wire age_on_evict = cfg_i[BYW_CFG_AGE_ON_EVICT_LSB];
  wire store_rc     = cfg_i[BYW_CFG_STORE_RC_LSB];

  assign line_write_o      = committed_i && !pending_i && (req_is_local_store_i || update) &&
                             !req_is_atomic_i;
  assign line_release_o    = committed_i && !line_write_o;
  assign release_ages_o    = age_on_evict && !filter_off_i && !req_is_atomic_i;
  assign candidate_count_o = candidate_i && store_rc && !filter_off_i && !req_is_atomic_i;

  wire unused_ok = &{1'b0, cfg_i};

  `BYW_HOLDS(line_is_written_or_given_up, 1'b1, !(line_write_o && line_release_o))
  `BYW_HOLDS(only_a_present_line_changes, line_write_o || line_release_o, committed_i)
  `BYW_HOLDS(pending_line_is_given_up, committed_i && pending_i, line_release_o)
  `BYW_HOLDS(atomic_trains_nothing, req_is_atomic_i, !line_write_o && !candidate_count_o &&
             !release_ages_o)
endmodule

`default_nettype wire
