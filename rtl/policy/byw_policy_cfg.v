// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_cfg - what the policy register says of the locality filter.
//
// Behaviour   With LOOK out of registers, so that no path begins with it: the policy register
//             changes while nothing is there to be decided, and what is looked at in a cycle in
//             which the filter is switched is looked at again.
// Paper       000, section 4; MECHANISMS 1.3; rtl/doc/policy.md.
// C twin      cmodel/policy/byw_locality.c, which asks the configuration; checked by
//             verif/policy/lockstep_policy.c.
//
// Parameter   Default  Range   Meaning
// RC_W, LOOK  6, 0             as in byw_policy; without LOOK clk_i means nothing
//
`default_nettype none
`include "byw_widths.vh"

module byw_policy_cfg #(
  parameter integer RC_W = `BYW_DEFAULT_RC_W,
  parameter integer LOOK = 0
) (
  input  wire            clk_i,
  input  wire [31:0]     cfg_i,          // policy register
  input  wire            filter_on_i,

  output wire            off_o,          // the filter is off
  output wire            look_off_o,     // it was, for what is looked at
  // a candidate is worth a line if its counter was at least_o before the access, unless never_o
  output wire [RC_W-1:0] least_o,
  output wire            never_o
);
  `include "byw_defs.vh"

  wire       filters    = (cfg_i[BYW_CFG_MODE_LSB +: 2] == BYW_MODE_DECOUPLED) &&
                          (cfg_i[BYW_CFG_THRESHOLD_LSB +: 6] != 6'd0);
  wire       above      = cfg_i[BYW_CFG_COMPARE_GT_LSB];          // to reach it is not enough
  wire [7:0] threshold  = {2'b0, cfg_i[BYW_CFG_THRESHOLD_LSB +: 6]};

  // The counter as it was is compared with what it must have been: the threshold, or one less if to
  // reach it is enough.  A bit of that turns when all below it are 0.
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
endmodule

`default_nettype wire
