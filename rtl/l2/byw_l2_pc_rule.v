// SPDX-License-Identifier: Apache-2.0
//
// byw_l2_pc_rule - the prediction of the L2's PC-based bypass for a load or store that misses.
//
// Behaviour   An access is dead if its counter is at or above the threshold of its kind.  A dead
//             store bypasses the slice.  A dead load does so unless its set is a leader, or it is
//             the sample_i-th dead load since the last sampled one.  skipped_o is the count
//             afterwards.  Combinational.
// Paper       004; mechanisms/l2_policies.md 7.4, mechanisms/pc_pred.md 5.1;
//             rtl/doc/l2_pc_bypass.md.
// C twin      byw_l2_pc_bypass_ask() and _accept() of cmodel/model/l2/byw_l2_pc_bypass.c;
//             checked by verif/l2/lockstep_l2_pc_bypass.c.
//
// Parameter   Default  Range           Meaning
// CTR_W       4        1..8            width of a counter
// SETS        256      1..65536        sets of the slice, a power of two; from 64 on, 8 are leaders
//
`default_nettype none
`include "byw_assert.vh"

module byw_l2_pc_rule #(
  parameter integer CTR_W  = 4,
  parameter integer SETS   = 256,
  parameter integer SET_IW = (SETS > 1) ? $clog2(SETS) : 1
) (
  input  wire [CTR_W-1:0]  counter_i,
  input  wire              store_i,
  input  wire [CTR_W-1:0]  threshold_i,   // threshold of loads
  input  wire [CTR_W-1:0]  store_threshold_i,
  input  wire [10:0]       sample_i,      // 0..1024; 0: no sampling
  input  wire [9:0]        skipped_i,
  input  wire [SET_IW-1:0] set_i,

  output wire              dead_o,
  output wire              overruled_o,   // a dead load, but its set is a leader
  output wire              sampled_o,     // a dead load, but cached to learn
  output wire              bypass_o,
  output wire [9:0]        skipped_o
);
  wire        leads;
  wire        samples = |sample_i;
  wire [10:0] next    = {1'b0, skipped_i} + 1'b1;
  wire        tried   = dead_o && !store_i;
  wire        counts  = tried && !overruled_o && samples;

  // Leader n (0 to 7) has n in its three highest index bits and in the remaining low bits.
  generate
    if (SETS >= 64) begin : gen_leaders
      localparam integer LOW_W = SET_IW - 3;
      assign leads = {1'b0, set_i[LOW_W-1:0]} == {{(LOW_W-2){1'b0}}, set_i[SET_IW-1 -: 3]};
      wire unused_set = &{1'b0, set_i};
    end else begin : gen_no_leader
      wire unused_set = &{1'b0, set_i};
      assign leads = 1'b0;
    end
  endgenerate

  assign dead_o      = counter_i >= (store_i ? store_threshold_i : threshold_i);
  assign overruled_o = tried && leads;
  assign sampled_o   = counts && (next >= sample_i);
  assign bypass_o    = dead_o && !overruled_o && !sampled_o;
  assign skipped_o   = !counts ? skipped_i : sampled_o ? 10'd0 : next[9:0];

  `BYW_HOLDS(dead_store_bypasses, dead_o && store_i, bypass_o)
  `BYW_HOLDS(dead_load_bypasses_or_has_a_reason, dead_o && !store_i,
             {1'b0, bypass_o} + {1'b0, sampled_o} + {1'b0, overruled_o} == 2'd1)
  `BYW_HOLDS(live_access_is_cached, !dead_o, !bypass_o && (skipped_o == skipped_i))
endmodule

`default_nettype wire
