// SPDX-License-Identifier: Apache-2.0
//
// look_flat_props - byw_policy_look finds the same with FLAT, which looks at two records and
// chooses late, as with a tree, which looks at the chosen one.  For every record that there can be:
// a status is one of three, a committed tag has a line in use, the key is in one valid tag at most.
// Proof: pdr
//
`default_nettype none
`include "byw_widths.vh"

module look_flat_props (
  input wire              clk_i,
  input wire [31:0]       cfg_i,
  input wire              off_i,
  input wire              view_s2_i,
  input wire [4-1:0]      ahead_equal_i,
  input wire [4-1:0]      s2_equal_i,
  input wire [4*10-1:0]   ahead_tags_i,   // {status, rc, pos, age} of each record
  input wire [4*10-1:0]   s2_tags_i,
  input wire [2-1:0]      ahead_pending_i,
  input wire [2-1:0]      s2_pending_i,
  input wire [2*3-1:0]    ways_i,         // {owner, rank} of the chosen one
  input wire [2-1:0]      used_i
);
  `include "byw_defs.vh"

  localparam integer TAG_WAYS = 4, DATA_WAYS = 2, RC_W = 5, TAG_IW = 2, WAY_IW = 1;
  localparam integer FACTS_W = 8 + RC_W + WAY_IW + 2*TAG_IW;

  wire [3:0]         equal   = view_s2_i ? s2_equal_i : ahead_equal_i;
  wire [3:0]         hit;
  wire [39:0]        tags    = view_s2_i ? s2_tags_i : ahead_tags_i;
  wire [1:0]         pending = view_s2_i ? s2_pending_i : ahead_pending_i;
  wire [54-1:0]      view    = {hit, tags, ways_i, used_i, pending};
  wire [FACTS_W-1:0] tree, flat;
  wire [WAY_IW-1:0]  tree_way, flat_way;
  wire [TAG_WAYS-1:0] wrong;
  genvar             g;

  byw_policy_look #(.TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W), .FLAT(0)) u_tree (
    .cfg_i(cfg_i), .off_i(off_i), .view_i(view), .view_s2_i(1'b0), .ahead_i({46{1'b0}}),
    .s2_i({46{1'b0}}), .set_i(5'd0), .pc_i(32'd0), .random_i({`BYW_REPL_RANDOM_W{1'b0}}),
    .spare_i({DATA_WAYS{1'b1}}), .facts_o(tree), .hit_way_o(tree_way)
  );
  byw_policy_look #(.TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W), .FLAT(1)) u_flat (
    .cfg_i(cfg_i), .off_i(off_i), .view_i(view), .view_s2_i(view_s2_i),
    .ahead_i({ahead_equal_i, ahead_tags_i, ahead_pending_i}),
    .s2_i({s2_equal_i, s2_tags_i, s2_pending_i}),
    .set_i(5'd0), .pc_i(32'd0), .random_i({`BYW_REPL_RANDOM_W{1'b0}}), .spare_i({DATA_WAYS{1'b1}}),
    .facts_o(flat), .hit_way_o(flat_way)
  );

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      wire [1:0] status = tags[40 - 2*TAG_WAYS + g*2 +: 2];
      wire       pos    = tags[TAG_WAYS*TAG_IW + g];
      assign hit[g]   = equal[g] && (status != BYW_TAG_INVALID);
      assign wrong[g] = (status == 2'd3) || ((status == BYW_TAG_COMMITTED) && !used_i[pos]);
    end
  endgenerate

  // What counts of the facts: with the filter off nobody asks for a tag, nor whether it has a line;
  // without a place nobody asks which line, and whose; without any tag nobody which.
  wire              hit     = tree[FACTS_W-2];                       // committed
  wire              any_tag = tree[2*TAG_IW+WAY_IW+3], place = tree[2*TAG_IW+WAY_IW+1];
  wire              takes   = tree[2*TAG_IW+WAY_IW];
  wire [FACTS_W-1:0] mask = {{(4+RC_W){1'b1}}, {2{!off_i}}, 2'b11,
                            {TAG_IW{hit || place || (any_tag && !off_i)}},
                             {WAY_IW{hit || place}}, {TAG_IW{place && takes}}};

  always @(posedge clk_i) begin : p_same
    if (!(|wrong) && ((hit & (hit - 1'b1)) == 4'd0)) begin
      assert ((tree & mask) == (flat & mask));
      assert (tree_way == flat_way);
    end
  end
endmodule

`default_nettype wire
