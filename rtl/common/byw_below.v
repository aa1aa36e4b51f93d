// SPDX-License-Identifier: Apache-2.0
//
// byw_below - whether one number is below another, two bits at a time.
//
// Behaviour   below_o = a_i < b_i, or equal_i if they are equal.  On an FPGA smaller than a carry
//             chain, which wants one side inverted, and shorter for a few bits.  Combinational.
// C twin      `<`; exercised by the lock-step test of every unit that uses it.
//
// Parameter   Default  Range     Meaning
// W           8        1..64     width of a number
//
`default_nettype none

module byw_below #(
  parameter integer W = 8
) (
  input  wire [W-1:0] a_i,
  input  wire [W-1:0] b_i,
  input  wire         equal_i,
  output wire         below_o
);
  localparam integer PAIRS = (W + 1) / 2;

  wire [2*PAIRS:0] a = {{(2*PAIRS+1-W){1'b0}}, a_i};
  wire [2*PAIRS:0] b = {{(2*PAIRS+1-W){1'b0}}, b_i};
  reg              below;                            // as far as the bits so far say
  integer          k;

  always @* begin : p_pairs
    below = equal_i;
    for (k = 0; k < 2*PAIRS; k = k + 2)
      below = (!a[k+1] && b[k+1]) || ((a[k+1] == b[k+1]) && !a[k] && b[k]) ||
              ((a[k +: 2] == b[k +: 2]) && below);
  end

  assign below_o = below;

  wire unused_ok = &{1'b0, a[2*PAIRS], b[2*PAIRS]};
endmodule

`default_nettype wire
