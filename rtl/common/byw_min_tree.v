// SPDX-License-Identifier: Apache-2.0
//
// byw_min_tree - index of the smallest key among the valid entries.
//
// Behaviour   any_o = at least one entry is valid.  index_o = the valid entry with the smallest
//             key; the lowest index wins a tie; 0 if no entry is valid.  A balanced tree of depth
//             log2 N; each node compares two keys as byw_below does.  Combinational.
// C twin      the loops of byw_locality_lfu(), lru_victim() and srrip_victim().
//
// Parameter   Default  Range     Meaning
// N           8        1..128    entries
// KEY_W       8        1..32     width of a key
// IDX_W       $clog2(N), at least 1
//
`default_nettype none
`include "byw_assert.vh"

module byw_min_tree #(
  parameter integer N     = 8,
  parameter integer KEY_W = 8,
  parameter integer IDX_W = (N > 1) ? $clog2(N) : 1
) (
  input  wire [N-1:0]       valid_i,
  input  wire [N*KEY_W-1:0] key_i,
  output wire               any_o,
  output wire [IDX_W-1:0]   index_o
);
  assign any_o = |valid_i;

  localparam integer LEAVES = 1 << $clog2(N);
  localparam integer NODE_W = 1 + KEY_W + IDX_W; // {not valid, key, number}
  localparam integer PAIRS  = (KEY_W + 2) / 2;

  // Node 1 is the root, node n has the children 2n and 2n+1, the leaves start at LEAVES.  A node
  // compares two bits per step: faster than a carry chain, and smaller on an FPGA, where a carry
  // chain needs one operand inverted.
  reg [2*LEAVES*NODE_W-1:0] node;
  reg [NODE_W-1:0]          left;
  reg [NODE_W-1:0]          right;
  reg [KEY_W+1:0]           first, second;       // keys of left and right
  reg                       after;               // first > second
  integer                   i, k;

  always @* begin : p_tree
    node   = {2*LEAVES*NODE_W{1'b1}};
    left   = {NODE_W{1'b1}};
    right  = {NODE_W{1'b1}};
    first  = {(KEY_W+2){1'b0}};
    second = {(KEY_W+2){1'b0}};
    after  = 1'b0;
    for (i = 0; i < N; i = i + 1)
      node[(LEAVES+i)*NODE_W +: NODE_W] = {!valid_i[i], key_i[i*KEY_W +: KEY_W], i[IDX_W-1:0]};
    for (i = LEAVES - 1; i > 0; i = i - 1) begin
      left   = node[2*i*NODE_W +: NODE_W];
      right  = node[(2*i+1)*NODE_W +: NODE_W];
      first  = {1'b0, left[NODE_W-1:IDX_W]};
      second = {1'b0, right[NODE_W-1:IDX_W]};
      after  = 1'b0;
      for (k = 0; k < 2*PAIRS; k = k + 2)
        after = (first[k+1] && !second[k+1]) ||
                ((first[k+1] == second[k+1]) && first[k] && !second[k]) ||
                ((first[k +: 2] == second[k +: 2]) && after);
      node[i*NODE_W +: NODE_W] = after ? right : left;
    end
  end

  assign index_o = node[NODE_W +: IDX_W];

`ifdef BYW_CHECKED
  wire [KEY_W-1:0] least = key_i[index_o*KEY_W +: KEY_W];
  reg              beaten;                       // a smaller key exists, or an equal one before it
  integer          n;

  always @* begin : p_beaten
    beaten = 1'b0;
    for (n = 0; n < N; n = n + 1)
      if (valid_i[n] && ((key_i[n*KEY_W +: KEY_W] < least) ||
                         ((key_i[n*KEY_W +: KEY_W] == least) && (n < index_o)))) beaten = 1'b1;
  end
`endif
  `BYW_HOLDS(any_if_an_entry_is_valid, 1'b1, any_o == (|valid_i))
  `BYW_HOLDS(index_of_a_valid_entry, any_o, valid_i[index_o])
  `BYW_HOLDS(first_of_the_smallest_keys, any_o, !beaten)
endmodule

`default_nettype wire
