// SPDX-License-Identifier: Apache-2.0
//
// byw_mux - selects one of N fields of a packed vector by index.
//
// Behaviour   data_o = field sel_i of data_i; all zero if sel_i >= N.  Written as an AND-OR or as a
//             tree, so that synthesis infers no multiplier for the bit offset.  Combinational.
// C twin      an array access; exercised by the lock-step test of every unit that uses it.
//
// Parameter   Default  Range     Meaning
// N           8        1..4096   fields
// W           8        1..2048   width of a field
// TREE        0        0, 1      1: a tree of 2:1 muxes, one level per bit of sel_i; shorter if
//                                sel_i arrives before data_i, as the address of a memory does
// SEL_W       $clog2(N), at least 1
//
`default_nettype none
`include "byw_assert.vh"

module byw_mux #(
  parameter integer N     = 8,
  parameter integer W     = 8,
  parameter integer TREE  = 0,
  parameter integer SEL_W = (N > 1) ? $clog2(N) : 1
) (
  input  wire [N*W-1:0]   data_i,
  input  wire [SEL_W-1:0] sel_i,
  output reg  [W-1:0]     data_o
);
  generate
    if (TREE == 0) begin : gen_and_or
      integer i;
      always @* begin : p_mux
        data_o = {W{1'b0}};
        for (i = 0; i < N; i = i + 1)
          if (sel_i == i[SEL_W-1:0]) data_o = data_o | data_i[i*W +: W];
      end
    end else begin : gen_tree
      localparam integer ALL = 1 << SEL_W;
      reg [ALL*W-1:0] fields;
      integer         i, level;
      always @* begin : p_mux
        fields           = {(ALL*W){1'b0}};
        fields[0 +: N*W] = data_i;
        for (level = 0; level < SEL_W; level = level + 1)
          for (i = 0; i < (ALL >> (level + 1)); i = i + 1)
            fields[i*W +: W] = sel_i[level] ? fields[(2*i+1)*W +: W] : fields[2*i*W +: W];
        data_o = fields[0 +: W];
      end
    end
  endgenerate

  `BYW_HOLDS(selected_field, sel_i < N, data_o == data_i[sel_i*W +: W])
  `BYW_HOLDS(absent_field_is_0, sel_i >= N, data_o == {W{1'b0}})
endmodule

`default_nettype wire
