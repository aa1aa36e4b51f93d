// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_seen - registers that hold the results of the look stage until s2 decides.
//
// Behaviour   With look_moves_i or view_s2_i, look_facts_i and look_plan_i are stored; they belong
//             to the request that moves into s2, or to the one in s2.  If that request needs the
//             least frequently used tag (lfu_search_i), lfu_i delivers it one cycle later, and
//             s2_facts_o is valid from then on.
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
  input  wire              look_moves_i,
  input  wire              view_s2_i,
  input  wire              lfu_search_i,

  // {candidate, committed, pending, rc, tag_available, tag_owns_line, way_available, victim_owned,
  // tag, way, old_tag}
  input  wire [SEEN_W-1:0] look_facts_i,
  input  wire [PLAN_W-1:0] look_plan_i,
  input  wire [WAY_IW+TAG_IW:0] lfu_i,

  output wire [SEEN_W-1:0] s2_facts_o,
  output wire [PLAN_W-1:0] s2_plan_o,
  output wire              lfu_search_o
);
  // The fields that depend on the LFU tag: {tag_owns_line, tag, way, old_tag}; tag_owns_line also
  // sets victim_owned.
  localparam integer ABOUT_W = 1 + 2*TAG_IW + WAY_IW;
  localparam integer LOW_W   = ABOUT_W - 1;

  reg  [SEEN_W-1:0]  facts_q;
  reg  [ABOUT_W-1:0] lfu_fields_q;
  reg  [PLAN_W-1:0]  plan_q;
  reg                lfu_search_q;

  wire               facts_load    = look_moves_i || view_s2_i;
  wire [ABOUT_W-1:0] look_fields   = {look_facts_i[LOW_W+2], look_facts_i[LOW_W-1:0]};
  wire               lfu_owns_line = lfu_i[WAY_IW+TAG_IW];
  wire [ABOUT_W-1:0] lfu_fields    = {lfu_owns_line, lfu_i[TAG_IW-1:0],
                                      lfu_owns_line ? lfu_i[WAY_IW+TAG_IW-1:0] :
                                      lfu_fields_q[WAY_IW+TAG_IW-1:0]};

  // For the request in s2; look_moves_i arrives last.
  (* keep *) wire [ABOUT_W-1:0] held_fields;
  assign held_fields = (lfu_search_q && !view_s2_i) ? lfu_fields : look_fields;
  (* keep *) wire held_fields_load;
  assign held_fields_load = lfu_search_q || view_s2_i;

  always @(posedge clk_i) begin : p_seen
    if (facts_load) begin
      facts_q <= look_facts_i;
      plan_q  <= look_plan_i;
    end
    // One cycle only; not held, so that synthesis can remove it if lfu_search_i is constant 0.
    lfu_search_q <= facts_load && lfu_search_i;
    // Written as gates: Yosys infers a synchronous reset that depends on its own register, reports
    // a loop and cuts it.
    if (look_moves_i || held_fields_load)
      lfu_fields_q <= ({ABOUT_W{look_moves_i}} & look_fields) |
                      ({ABOUT_W{!look_moves_i}} & held_fields);
  end

  assign s2_facts_o = {facts_q[SEEN_W-1:LOW_W+3], lfu_fields_q[LOW_W], facts_q[LOW_W+1],
                       facts_q[LOW_W] || lfu_fields_q[LOW_W], lfu_fields_q[LOW_W-1:0]};
  assign s2_plan_o    = plan_q;
  assign lfu_search_o = lfu_search_q;

  wire unused_ok = &{1'b0, facts_q};

`ifdef BYW_CHECKED
  reg              facts_load_q = 1'b1;
  reg [PLAN_W-1:0] last_plan_q;

  always @(posedge clk_i) begin : p_last
    facts_load_q <= facts_load;
    last_plan_q  <= s2_plan_o;
  end
`endif
  `BYW_HOLDS(plan_stays_until_the_next_look, !facts_load_q, s2_plan_o == last_plan_q)
  `BYW_HOLDS(tag_is_sought_in_the_first_cycle_only, !facts_load_q, !lfu_search_o)
endmodule

`default_nettype wire
