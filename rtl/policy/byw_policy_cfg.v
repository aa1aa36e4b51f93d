// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_cfg - decodes the policy register for the locality filter.
//
// Behaviour   With LOOK the outputs are registered, so that no path starts here.  That is safe: the
//             policy register changes only while the cache is idle, and a request that is examined
//             in the cycle of a filter switch is examined again.
// Paper       000, section 4; mechanisms/locality.md 1.3; rtl/doc/policy.md.
// C twin      cmodel/model/policy/byw_locality.c, which reads the configuration; checked by
//             verif/policy/lockstep_policy.c.
//
// Parameter   Default  Range   Meaning
// RC_W, LOOK  6, 0             as in byw_policy; without LOOK clk_i is unused
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_policy_cfg #(
  parameter integer RC_W = `BYW_DEFAULT_RC_W,
  parameter integer LOOK = 0
) (
  input  wire            clk_i,
  input  wire [31:0]     cfg_i,          // policy register
  input  wire            filter_on_i,

  output wire            off_o,          // the filter is off
  output wire            look_off_o,     // off_o for the look stage
  // a candidate reaches the threshold if its RC before the access is >= least_o and not never_o
  output wire [RC_W-1:0] least_o,
  output wire            never_o
);
  `include "byw_defs.vh"

  wire       filters    = (cfg_i[BYW_CFG_MODE_LSB +: 2] == BYW_MODE_DECOUPLED) &&
                          (cfg_i[BYW_CFG_THRESHOLD_LSB +: 6] != 6'd0);
  wire       above      = cfg_i[BYW_CFG_COMPARE_GT_LSB];          // RC must exceed the threshold
  wire [7:0] threshold  = {2'b0, cfg_i[BYW_CFG_THRESHOLD_LSB +: 6]};

  // The RC before the access is compared with threshold - 1, or with threshold if above.  In the
  // decrement a bit toggles if all bits below it are 0.
  localparam [8:0] RC_MAX = (1 << RC_W) - 1;
  wire [8:0]       wide   = {1'b0, threshold};
  wire             never  = above ? wide >= RC_MAX : wide > RC_MAX;
  wire             lowers = !above && (|threshold);
  reg  [RC_W-1:0]  least;
  integer          b;

  always @* begin : p_least
    for (b = 0; b < RC_W; b = b + 1)
      least[b] = threshold[b] ^ (lowers && ((threshold & ((8'd1 << b) - 8'd1)) == 8'd0));
  end

  generate
    if (LOOK == 0) begin : gen_now
      assign off_o      = !(filters && filter_on_i);
      assign look_off_o = off_o;
      assign {least_o, never_o} = {least, never};
      wire unused_clk = &{1'b0, clk_i};
    end else begin : gen_before
      reg            filters_q, off_q, never_q;
      reg [RC_W-1:0] least_q;

      always @(posedge clk_i) begin : p_before
        filters_q <= filters;
        off_q     <= off_o;
        {least_q, never_q} <= {least, never};
      end

      assign off_o      = !(filters_q && filter_on_i);
      assign look_off_o = off_q;
      assign {least_o, never_o} = {least_q, never_q};
    end
  endgenerate

  wire unused_ok = &{1'b0, cfg_i, threshold};

  `BYW_HOLDS(filter_is_for_mode_decoupled, (LOOK == 0) && !filters, off_o)
  `BYW_HOLDS(threshold_is_inclusive, (LOOK == 0) && !never && !above && (threshold != 8'd0),
             ({{(9-RC_W){1'b0}}, least} + 9'd1) == wide)
  `BYW_HOLDS(threshold_can_be_exclusive, (LOOK == 0) && !never && above,
             {{(9-RC_W){1'b0}}, least} == wide)
endmodule

`default_nettype wire
