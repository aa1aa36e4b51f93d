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
  input  wire [31:0]     cfg_i,             // policy register
  input  wire            filter_on_i,

  output wire            filter_off_o,      // the filter is off
  output wire            look_filter_off_o, // filter_off_o for the look stage
  // a candidate reaches the threshold if its RC before the access is >= rc_least_o and not
  // rc_never_o
  output wire [RC_W-1:0] rc_least_o,
  output wire            rc_never_o
);
  `include "byw_defs.vh"

  wire       filter_selected = (cfg_i[BYW_CFG_MODE_LSB +: 2] == BYW_MODE_DECOUPLED) &&
                               (cfg_i[BYW_CFG_THRESHOLD_LSB +: 6] != 6'd0);
  // RC must exceed the threshold
  wire       compare_exclusive = cfg_i[BYW_CFG_COMPARE_GT_LSB];
  wire [7:0] threshold         = {2'b0, cfg_i[BYW_CFG_THRESHOLD_LSB +: 6]};

  // The RC before the access is compared with threshold - 1, or with threshold if it must exceed
  // that. In the decrement a bit toggles if all bits below it are 0.
  localparam [8:0] RC_MAX           = (1 << RC_W) - 1;
  wire [8:0]       threshold_wide   = {1'b0, threshold};
  wire             rc_never         = compare_exclusive ? threshold_wide >= RC_MAX :
                                      threshold_wide > RC_MAX;
  wire             threshold_less_1 = !compare_exclusive && (|threshold);
  reg  [RC_W-1:0]  rc_least;
  integer          b;

  always @* begin : p_least
    for (b = 0; b < RC_W; b = b + 1)
      rc_least[b] = threshold[b] ^ (threshold_less_1 &&
                    ((threshold & ((8'd1 << b) - 8'd1)) == 8'd0));
  end

  generate
    if (LOOK == 0) begin : gen_now
      assign filter_off_o      = !(filter_selected && filter_on_i);
      assign look_filter_off_o = filter_off_o;
      assign {rc_least_o, rc_never_o} = {rc_least, rc_never};
      wire unused_clk = &{1'b0, clk_i};
    end else begin : gen_before
      reg            filter_selected_q, filter_off_q, rc_never_q;
      reg [RC_W-1:0] rc_least_q;

      always @(posedge clk_i) begin : p_before
        filter_selected_q <= filter_selected;
        filter_off_q      <= filter_off_o;
        {rc_least_q, rc_never_q} <= {rc_least, rc_never};
      end

      assign filter_off_o      = !(filter_selected_q && filter_on_i);
      assign look_filter_off_o = filter_off_q;
      assign {rc_least_o, rc_never_o} = {rc_least_q, rc_never_q};
    end
  endgenerate

  wire unused_ok = &{1'b0, cfg_i, threshold};

  `BYW_HOLDS(filter_is_for_mode_decoupled, (LOOK == 0) && !filter_selected, filter_off_o)
  `BYW_HOLDS(threshold_is_inclusive, (LOOK == 0) && !rc_never && !compare_exclusive &&
                                              (threshold != 8'd0),
             ({{(9-RC_W){1'b0}}, rc_least} + 9'd1) == threshold_wide)
  `BYW_HOLDS(threshold_can_be_exclusive, (LOOK == 0) && !rc_never && compare_exclusive,
             {{(9-RC_W){1'b0}}, rc_least} == threshold_wide)
endmodule

`default_nettype wire
