// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_place - the bytes of a place in the self-test: the contents of element i of place P in
//                  version v.
//
// Behaviour   The two low bits of every element (GRAIN bytes) hold its version; the other bits mix
//             its number, the place and the version.  A byte from another place or an older version
//             therefore differs.  A place is a line or, if the port of the cache is narrower, a
//             beat of a line.
//
// Parameter   Default  Range        Meaning
// BYTES       32       8, 16, 32, 64, 128   bytes per place
// GRAIN       1        1, 2, 4      bytes per element; masks and versions are per element
// PLACES_W    8        1..16        width of a place number
//
`default_nettype none

module byw_fpga_place #(
  parameter integer BYTES    = 32,
  parameter integer GRAIN    = 1,
  parameter integer PLACES_W = 8
) (
  input  wire [PLACES_W-1:0]        place_i,
  input  wire [2*BYTES/GRAIN-1:0]   version_i,
  output wire [BYTES*8-1:0]         data_o
);
  localparam integer ELEMENTS = BYTES / GRAIN;
  localparam integer BITS     = GRAIN * 8;

  genvar e, b;

  generate
    for (e = 0; e < ELEMENTS; e = e + 1) begin : gen_element
      assign data_o[e*BITS +: 2] = version_i[2*e +: 2];
      for (b = 2; b < BITS; b = b + 1) begin : gen_bit
        // Each bit of the element number, XORed with one bit of the place and one of the version.
        localparam [0:0] BIT = ((e * 37 + 11) >> (b % 7)) & 1;
        assign data_o[e*BITS + b] = place_i[(b + e) % PLACES_W] ^ version_i[2*e + (b % 2)] ^ BIT;
      end
    end
  endgenerate
endmodule

`default_nettype wire
