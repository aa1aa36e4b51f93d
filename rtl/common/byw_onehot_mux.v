// SPDX-License-Identifier: Apache-2.0
//
// byw_onehot_mux - selects one of N fields of a packed vector by a one-hot vector.
//
// Behaviour   data_o = the field whose bit of sel_i is set; zero if none is; the OR of the fields
//             if several are.  Use it instead of byw_mux where the select is already one-hot.
//             Combinational.
// C twin      an array access; exercised by the lock-step test of every unit that uses it.
//
// Parameter   Default  Range     Meaning
// N           8        1..4096   fields
// W           8        1..2048   width of a field
//
`default_nettype none

module byw_onehot_mux #(
  parameter integer N = 8,
  parameter integer W = 8
) (
  input  wire [N*W-1:0] data_i,
  input  wire [N-1:0]   sel_i,
  output reg  [W-1:0]   data_o
);
  integer i;

  always @* begin : p_mux
    data_o = {W{1'b0}};
    for (i = 0; i < N; i = i + 1) data_o = data_o | (data_i[i*W +: W] & {W{sel_i[i]}});
  end
endmodule

`default_nettype wire
