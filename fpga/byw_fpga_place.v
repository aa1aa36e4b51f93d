// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_place - the bytes of a place in the self-test: what element i of place P holds in its
//                  version v.
//
// Behaviour   Every element of GRAIN bytes says which version it is in its two low bits; the others
//             mix its number, the place and the version.  A byte from another place or of another
//             time differs.  A place is a line or, where the cache's port is narrower, a beat of
//             one.
//
// Parameter   Default  Range        Meaning
// BYTES       32       8, 16, 32, 64, 128   bytes of a place
// GRAIN       1        1, 2, 4      bytes of an element: what masks and versions are about
// PLACES_W    8        1..16        bits of a place's number
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
        // A bit of the element's number stands for itself, mixed with one of the place and one of
        // the version.
        assign data_o[e*BITS + b] = place_i[(b + e) % PLACES_W] ^ version_i[2*e + (b % 2)] ^
                                    (((e * 37 + 11) >> (b % 7)) & 1);
      end
    end
  endgenerate
endmodule

`default_nettype wire
