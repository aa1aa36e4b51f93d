// SPDX-License-Identifier: Apache-2.0
//
// lfu_flat_props - byw_policy_lfu with FLAT (all pairs of tags in parallel) gives the result of
//                  the tree, one cycle after the record is applied, for every record of 4 tags
//                  and 2 lines with distinct ages.
//
// If a tag may be replaced, compares which tag, whether it has a line, and which line.
// Proof: pdr
//
`default_nettype none
`include "byw_widths.vh"

module lfu_flat_props (
  input wire       clk_i,
  input wire       lfu_all_i,
  input wire [7:0] status_i,
  input wire [19:0] rc_i,
  input wire [3:0] pos_i,
  input wire [7:0] age_i,
  input wire [1:0] pending_i
);
  `include "byw_defs.vh"

  wire [3:0]  tree, flat;             // {line, way, tag}
  reg         shown_q, lfu_all_q;       // of the previous cycle
  reg  [7:0]  status_q, age_q;
  reg  [19:0] rc_q;
  reg  [3:0]  pos_q;
  reg  [1:0]  pending_q;
  reg  [3:0]  may_go;
  reg         distinct, sound;
  integer     i, j;

  initial shown_q = 1'b0;
  always @(posedge clk_i) begin : p_shown
    {shown_q, lfu_all_q} <= {1'b1, lfu_all_i};
    {status_q, rc_q, pos_q, age_q, pending_q} <= {status_i, rc_i, pos_i, age_i, pending_i};
  end

  byw_policy_lfu #(.TAG_WAYS(4), .DATA_WAYS(2), .RC_W(5), .FLAT(0)) u_tree (
    .clk_i(clk_i), .look_i(1'b1), .lfu_all_i(lfu_all_q), .status_i(status_q), .rc_i(rc_q),
    .pos_i(pos_q), .age_i(age_q), .pending_i(pending_q), .lfu_o(tree)
  );
  byw_policy_lfu #(.TAG_WAYS(4), .DATA_WAYS(2), .RC_W(5), .FLAT(1)) u_flat (
    .clk_i(clk_i), .look_i(1'b1), .lfu_all_i(lfu_all_i), .status_i(status_i), .rc_i(rc_i),
    .pos_i(pos_i), .age_i(age_i), .pending_i(pending_i), .lfu_o(flat)
  );

  always @* begin : p_record
    distinct = 1'b1;
    sound    = 1'b1;
    may_go   = 4'd0;
    for (i = 0; i < 4; i = i + 1) begin
      if (status_q[2*i +: 2] == 2'd3) sound = 1'b0;
      may_go[i] = (status_q[2*i +: 2] == BYW_TAG_CANDIDATE) ||
                  ((status_q[2*i +: 2] == BYW_TAG_COMMITTED) && !pending_q[pos_q[i]]);
      for (j = 0; j < i; j = j + 1)
        if (age_q[2*i +: 2] == age_q[2*j +: 2]) distinct = 1'b0;
    end
  end

  always @(posedge clk_i) begin : p_same
    if (shown_q && distinct && sound && (|may_go)) begin
      assert (tree[3] == flat[3]);
      assert (tree[1:0] == flat[1:0]);
      if (tree[3]) assert (tree[2] == flat[2]);
    end
  end
endmodule

`default_nettype wire
