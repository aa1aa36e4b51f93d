// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_seen - registers that hold the results of the look stage until s2 decides.
//
// Behaviour   With moves_i or view_s2_i, seen_i and plan_i are stored; they belong to the request
//             that moves into s2, or to the one in s2.  If that request needs the least frequently
//             used tag (seeks_i), lfu_i delivers it one cycle later, and seen_o is valid from then
//             on.
// Paper       rtl/doc/l1d_pipeline.md (look stage, rule 8).
// C twin      cmodel/model/l1d/byw_l1d_look.c; checked by verif/l1d/lockstep_l1d.c.
//
// Parameter   Default  Range            Meaning
// TAG_IW, WAY_IW, RC_W                  as in byw_policy
// PLAN_W      20                        width of the result of byw_policy_plan
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_policy_seen #(
  parameter integer TAG_IW = 3,
  parameter integer WAY_IW = 2,
  parameter integer RC_W   = `BYW_DEFAULT_RC_W,
  parameter integer PLAN_W = 20,
  parameter integer SEEN_W = 7 + RC_W + WAY_IW + 2*TAG_IW       // derived
) (
  input  wire              clk_i,
  input  wire              moves_i,
  input  wire              view_s2_i,
  input  wire              seeks_i,

  // {candidate, committed, pending, rc, any_tag, owns, place, takes, tag, way, old_tag}
  input  wire [SEEN_W-1:0] seen_i,
  input  wire [PLAN_W-1:0] plan_i,
  input  wire [WAY_IW+TAG_IW:0] lfu_i,

  output wire [SEEN_W-1:0] seen_o,
  output wire [PLAN_W-1:0] plan_o,
  output wire              seeks_o
);
  // The fields that depend on the LFU tag: {owns, tag, way, old_tag}; owns also sets takes.
  localparam integer ABOUT_W = 1 + 2*TAG_IW + WAY_IW;
  localparam integer LOW_W   = ABOUT_W - 1;

  reg  [SEEN_W-1:0]  seen_q;
  reg  [ABOUT_W-1:0] about_q;
  reg  [PLAN_W-1:0]  plan_q;
  reg                seeks_q;

  wire               look  = moves_i || view_s2_i;
  wire [ABOUT_W-1:0] about = {seen_i[LOW_W+2], seen_i[LOW_W-1:0]};
  wire               line  = lfu_i[WAY_IW+TAG_IW];
  wire [ABOUT_W-1:0] found = {line, lfu_i[TAG_IW-1:0],
                              line ? lfu_i[WAY_IW+TAG_IW-1:0] : about_q[WAY_IW+TAG_IW-1:0]};

  // For the request in s2; moves_i arrives last.
  (* keep *) wire [ABOUT_W-1:0] stays;
  assign stays = (seeks_q && !view_s2_i) ? found : about;
  (* keep *) wire stays_new;
  assign stays_new = seeks_q || view_s2_i;

  always @(posedge clk_i) begin : p_seen
    if (look) begin
      seen_q <= seen_i;
      plan_q <= plan_i;
    end
    // One cycle only; not held, so that synthesis can remove it if seeks_i is constant 0.
    seeks_q <= look && seeks_i;
    // Written as gates: Yosys infers a synchronous reset that depends on its own register, reports
    // a loop and cuts it.
    if (moves_i || stays_new)
      about_q <= ({ABOUT_W{moves_i}} & about) | ({ABOUT_W{!moves_i}} & stays);
  end

  assign seen_o  = {seen_q[SEEN_W-1:LOW_W+3], about_q[LOW_W], seen_q[LOW_W+1],
                    seen_q[LOW_W] || about_q[LOW_W], about_q[LOW_W-1:0]};
  assign plan_o  = plan_q;
  assign seeks_o = seeks_q;

  wire unused_ok = &{1'b0, seen_q};

`ifdef BYW_CHECKED
  reg              look_q = 1'b1;
  reg [PLAN_W-1:0] last_plan_q;

  always @(posedge clk_i) begin : p_last
    look_q      <= look;
    last_plan_q <= plan_o;
  end
`endif
  `BYW_HOLDS(plan_stays_until_the_next_look, !look_q, plan_o == last_plan_q)
  `BYW_HOLDS(tag_is_sought_in_the_first_cycle_only, !look_q, !seeks_o)
endmodule

`default_nettype wire
