// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_lfu - selects the tag to replace when none is free: among the least frequently used
//                  eligible tags, the one touched longest ago.
//
// Behaviour   Candidates are eligible.  Committed tags whose line is not pending are eligible with
//             lfu_all_i, or if there is no candidate.  lfu_o = {line, way, tag}, valid if a tag is
//             eligible: its number, whether it owns a line (which it loses), and in which way.
//             FLAT 0: a balanced tree, combinational.  FLAT 1: compares all pairs of tags in
//             parallel, which is fast; its area grows with TAG_WAYS squared.  Eligibility and pair
//             order are then registered with look_i, and lfu_o is valid one cycle later.
// Paper       000, section 4; mechanisms/locality.md 1.3, choice C2 in 1.6; rtl/doc/policy.md.
// C twin      byw_locality_lfu() of cmodel/model/policy/byw_locality.c; checked by
//             verif/policy/lockstep_policy.c.
//
// Parameters as in byw_policy; FLAT 0, 1 (0): if 0, clk_i and look_i are unused.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_policy_lfu #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer FLAT      = 0,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1
) (
  input  wire                       clk_i,
  input  wire                       look_i,
  input  wire                       lfu_all_i,

  // the record
  input  wire [TAG_WAYS*2-1:0]      status_i,
  input  wire [TAG_WAYS*RC_W-1:0]   rc_i,
  input  wire [TAG_WAYS*WAY_IW-1:0] pos_i,
  input  wire [TAG_WAYS*TAG_IW-1:0] age_i,
  input  wire [DATA_WAYS-1:0]       pending_i,

  output wire [WAY_IW+TAG_IW:0]     lfu_o
);
  localparam integer KEY_W = RC_W + TAG_IW;

  wire [TAG_IW-1:0]         tag;
  wire [WAY_IW-1:0]         way;
  wire                      line;
  wire [TAG_WAYS-1:0]       candidates, holds, evictable, held;  // one bit per tag way
  wire [TAG_WAYS*KEY_W-1:0] key;
  wire [TAG_WAYS-1:0]       may_go = candidates | ((lfu_all_i || !(|candidates)) ? evictable
                                                                              : {TAG_WAYS{1'b0}});
  genvar                    g, h;

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      wire [DATA_WAYS-1:0] waits  = pending_i >> pos_i[g*WAY_IW +: WAY_IW];
      wire                 unused = &{1'b0, waits};
      assign {holds[g], candidates[g]} = status_i[g*2 +: 2];
      assign evictable[g] = holds[g] && !waits[0];
      assign key[g*KEY_W +: KEY_W] = {rc_i[g*RC_W +: RC_W], ~age_i[g*TAG_IW +: TAG_IW]};
    end

    if (FLAT == 0) begin : gen_tree
      wire any;
      byw_min_tree #(.N(TAG_WAYS), .KEY_W(KEY_W)) u_tree (
        .valid_i(may_go), .key_i(key), .any_o(any), .index_o(tag)
      );
      byw_mux #(.N(TAG_WAYS), .W(WAY_IW), .TREE(1)) u_way (
        .data_i(pos_i), .sel_i(tag), .data_o(way)
      );
      assign held   = (holds & {TAG_WAYS{any}}) >> tag;
      assign line   = held[0];
    end else begin : gen_flat
      wire [TAG_WAYS-1:0]        hot;                 // one-hot: the selected tag
      wire [TAG_WAYS*TAG_IW-1:0] numbers;
      reg  [TAG_WAYS-1:0]        may_go_q, holds_q;
      reg  [TAG_WAYS*WAY_IW-1:0] pos_q;
      always @(posedge clk_i) begin : p_look
        if (look_i) {may_go_q, holds_q, pos_q} <= {may_go, holds, pos_i};
      end
      assign held = hot & holds_q;
      for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_hot
        localparam integer   TAG = g;
        wire [TAG_WAYS-1:0]  earlier;                 // tags that precede it
        assign numbers[g*TAG_IW +: TAG_IW] = TAG[TAG_IW-1:0];
        assign hot[g] = may_go_q[g] && !(|(earlier & may_go_q));
        for (h = 0; h < TAG_WAYS; h = h + 1) begin : gen_pair
          // The lower tag of a pair compares each counter with the other tag's age, which needs no
          // inverter.  The lower tag wins a tie.
          if (h > g) begin : gen_low
            wire [KEY_W-1:0] own   = {rc_i[g*RC_W +: RC_W], age_i[h*TAG_IW +: TAG_IW]};
            wire [KEY_W-1:0] other = {rc_i[h*RC_W +: RC_W], age_i[g*TAG_IW +: TAG_IW]};
            reg              earlier_q;
            always @(posedge clk_i) begin : p_pair
              if (look_i) earlier_q <= other < own;
            end
            assign earlier[h] = earlier_q;
          end else if (h < g) begin : gen_high
            assign earlier[h] = !gen_hot[h].earlier[g];
          end else begin : gen_own
            assign earlier[h] = 1'b0;
          end
        end
      end
      byw_onehot_mux #(.N(TAG_WAYS), .W(TAG_IW)) u_tag (
        .data_i(numbers), .sel_i(hot), .data_o(tag)
      );
      byw_onehot_mux #(.N(TAG_WAYS), .W(WAY_IW)) u_way (
        .data_i(pos_q), .sel_i(hot), .data_o(way)
      );
      assign line = |held;
      wire unused_key = &{1'b0, key};
    end
  endgenerate

  assign lfu_o = {line, way, tag};

  wire unused_ok = &{1'b0, clk_i, look_i, held};

  generate
    if (FLAT == 0) begin : gen_tree_rules
      `BYW_HOLDS(replaced_tag_is_eligible, |may_go, may_go[tag])
      `BYW_HOLDS(candidates_go_first, (|candidates) && !lfu_all_i, candidates[tag])
      `BYW_HOLDS(lost_line_is_its_own, line, holds[tag])
    end else begin : gen_flat_rules
`ifdef BYW_CHECKED
      reg looked_q = 1'b0;
      always @(posedge clk_i) if (look_i) looked_q <= 1'b1;
`endif
      `BYW_HOLDS(one_tag_is_selected, looked_q && (|gen_flat.may_go_q),
                 (gen_flat.hot != {TAG_WAYS{1'b0}}) &&
                 ((gen_flat.hot & (gen_flat.hot - 1'b1)) == {TAG_WAYS{1'b0}}))
    end
  endgenerate
endmodule

`default_nettype wire
