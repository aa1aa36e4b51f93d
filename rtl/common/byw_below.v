// SPDX-License-Identifier: Apache-2.0
//
// byw_below - compares two unsigned numbers: less than, or equal with a carry in.
//
// Behaviour   below_o = a_i < b_i, or equal_i if they are equal.  The comparison takes two bits per
//             step; groups of eight bits work in parallel.  On an FPGA it is smaller than a carry
//             chain, which needs one operand inverted, and faster for narrow numbers.
//             Combinational.
// C twin      `<`; exercised by the lock-step test of every unit that uses it.
//
// Parameter   Default  Range     Meaning
// W           8        1..64     width of a number
//
`default_nettype none
`include "byw_assert.vh"

module byw_below #(
  parameter integer W = 8
) (
  input  wire [W-1:0] a_i,
  input  wire [W-1:0] b_i,
  input  wire         equal_i,
  output wire         below_o
);
  localparam integer BYTES = (W + 7) / 8;

  wire [8*BYTES:0] a = {{(8*BYTES+1-W){1'b0}}, a_i};
  wire [8*BYTES:0] b = {{(8*BYTES+1-W){1'b0}}, b_i};
  reg              below;                            // result of the bytes compared so far
  reg              part;                             // result of the bits of this byte so far
  integer          n, k;

  always @* begin : p_bytes
    below = 1'b0;
    for (n = 0; n < 8*BYTES; n = n + 8) begin
      part = (n == 0) ? equal_i : 1'b0;
      for (k = n; k < n + 8; k = k + 2)
        part = (!a[k+1] && b[k+1]) || ((a[k+1] == b[k+1]) && !a[k] && b[k]) ||
               ((a[k +: 2] == b[k +: 2]) && part);
      below = part || ((a[n +: 8] == b[n +: 8]) && below);
    end
  end

  assign below_o = below;

  wire unused_ok = &{1'b0, a[8*BYTES], b[8*BYTES]};

  `BYW_HOLDS(below_compares_as_numbers, 1'b1,
             below_o == ((a_i < b_i) || (equal_i && (a_i == b_i))))
endmodule

`default_nettype wire
