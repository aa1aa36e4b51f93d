// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_line - the bytes of a line in the self-test: what element i of line L holds in its version v.
//
// Behaviour   Every element of GRAIN bytes says which version it is in its two low bits; the others mix
//             its number, the line's address and the version.  A byte from another place or of another
//             time differs.
//
// Parameter   Default  Range        Meaning
// LINE_BYTES  32       16, 32, 64, 128
// GRAIN       1        1, 2, 4      bytes of an element: what masks and versions are about
// LINES_W     8        1..12        bits of a line's number that the test uses
//
`default_nettype none

module byw_fpga_line #(
  parameter integer LINE_BYTES = 32,
  parameter integer GRAIN      = 1,
  parameter integer LINES_W    = 8
) (
  input  wire [LINES_W-1:0]              line_i,
  input  wire [2*LINE_BYTES/GRAIN-1:0]   version_i,
  output wire [LINE_BYTES*8-1:0]         data_o
);
  localparam integer ELEMENTS = LINE_BYTES / GRAIN;
  localparam integer BITS     = GRAIN * 8;

  genvar e, b;

  generate
    for (e = 0; e < ELEMENTS; e = e + 1) begin : gen_element
      assign data_o[e*BITS +: 2] = version_i[2*e +: 2];
      for (b = 2; b < BITS; b = b + 1) begin : gen_bit
        // A bit of the element's number stands for itself, mixed with one of the line and one of the version.
        assign data_o[e*BITS + b] = line_i[(b + e) % LINES_W] ^ version_i[2*e + (b % 2)] ^
                                    (((e * 37 + 11) >> (b % 7)) & 1);
      end
    end
  endgenerate
endmodule

`default_nettype wire
