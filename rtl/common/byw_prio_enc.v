// SPDX-License-Identifier: Apache-2.0
//
// byw_prio_enc - index of the lowest set bit.
//
// Behaviour   any_o = at least one bit of req_i is set.  index_o = the lowest set bit, 0 if none is
//             set.  Combinational.
// C twin      byw_ctz64() of cmodel/model/common/byw_bits.h.
//
// Parameter   Default  Range     Meaning
// N           8        1..4096   bits
// IDX_W       $clog2(N), at least 1
//
`default_nettype none
`include "byw_assert.vh"

module byw_prio_enc #(
  parameter integer N     = 8,
  parameter integer IDX_W = (N > 1) ? $clog2(N) : 1
) (
  input  wire [N-1:0]     req_i,
  output wire             any_o,
  output wire [IDX_W-1:0] index_o
);
  localparam integer LEAVES = 1 << $clog2(N);
  localparam integer NODE_W = 1 + IDX_W;      // {any bit set, index of the lowest}

  // Node 1 is the root, node n has the children 2n and 2n+1, the leaves start at LEAVES.
  reg [2*LEAVES*NODE_W-1:0] node;
  reg [NODE_W-1:0]          left;
  reg [NODE_W-1:0]          right;
  integer                   i;

  always @* begin : p_tree
    node  = {2*LEAVES*NODE_W{1'b0}};
    left  = {NODE_W{1'b0}};
    right = {NODE_W{1'b0}};
    for (i = 0; i < N; i = i + 1) node[(LEAVES+i)*NODE_W +: NODE_W] = {req_i[i], i[IDX_W-1:0]};
    for (i = LEAVES - 1; i > 0; i = i - 1) begin
      left  = node[2*i*NODE_W +: NODE_W];
      right = node[(2*i+1)*NODE_W +: NODE_W];
      node[i*NODE_W +: NODE_W] = (left[IDX_W] || !right[IDX_W]) ? left : right;
    end
  end

  assign any_o   = node[NODE_W + IDX_W];
  assign index_o = node[NODE_W +: IDX_W];

`ifdef BYW_CHECKED
  wire [N-1:0] one = {{(N-1){1'b0}}, 1'b1};
`endif
  `BYW_HOLDS(any_if_a_bit_is_set, 1'b1, any_o == (|req_i))
  `BYW_HOLDS(index_of_the_lowest_bit, any_o, (req_i & ~(req_i - one)) == (one << index_o))
endmodule

`default_nettype wire
