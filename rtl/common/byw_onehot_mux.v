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
`include "byw_assert.vh"

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

`ifdef BYW_CHECKED
  localparam [N-1:0] ONE = 1;
  reg     wrong;                                 // a field that is selected alone is not shown
  integer n;

  always @* begin : p_wrong
    wrong = 1'b0;
    for (n = 0; n < N; n = n + 1)
      if ((sel_i == (ONE << n)) && (data_o != data_i[n*W +: W])) wrong = 1'b1;
  end
`endif
  `BYW_HOLDS(selected_field, 1'b1, !wrong)
  `BYW_HOLDS(none_selected_is_0, sel_i == {N{1'b0}}, data_o == {W{1'b0}})
endmodule

`default_nettype wire
