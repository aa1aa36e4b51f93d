// SPDX-License-Identifier: Apache-2.0
//
// byw_set_index - splits a line address into set and key.
//
// Behaviour   key_o = the line address above the index bits.  set_o = the index bits; with INDEX 1
//             they are XORed with byte address bits 19, 17, 15, 14, 13 (the Fermi hash), with
//             INDEX 2 with every piece of the key that is as wide as they are (fold): lines a power
//             of two apart spread over all sets, whatever the number of sets.  Combinational.
// Paper       mechanisms/cache.md 0.4; rtl/doc/tag_store.md.
// C twin      byw_set_index(), byw_set_key() of cmodel/model/record/byw_set.c; checked by
//             verif/l1d/lockstep_tag_store.c and lockstep_l1d.c.
//
// Parameter   Default  Range           Meaning
// SETS        32       2^n, 1..4096    sets; 32 or 64 with the Fermi hash
// LINE_BYTES  128      2^n, 8..128      line size
// LINE_W      33       13..57          width of a line address
// INDEX       1        0, 1, 2         0 linear, 1 Fermi, 2 fold
// SET_IW, KEY_W                        derived, must not be set
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_set_index #(
  parameter integer SETS       = `BYW_DEFAULT_SETS,
  parameter integer LINE_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer LINE_W     = 33,
  parameter integer INDEX      = 1,
  parameter integer SET_IW     = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer KEY_W      = LINE_W - $clog2(SETS)
) (
  input  wire [LINE_W-1:0] line_i,
  output wire [SET_IW-1:0] set_o,
  output wire [KEY_W-1:0]  key_o
);
  `include "byw_defs.vh"

  localparam integer SET_BITS  = $clog2(SETS);
  localparam integer LINE_BITS = $clog2(LINE_BYTES);

  generate
    if (((1 << SET_BITS) != SETS) || (SETS > 4096)) begin : gen_check_sets
      byw_set_index_SETS_must_be_a_power_of_two_of_1_to_4096 u_error ();
    end
    if ((LINE_BYTES != 8) && (LINE_BYTES != 16) && (LINE_BYTES != 32) && (LINE_BYTES != 64) &&
        (LINE_BYTES != 128)) begin : gen_check_bytes
      byw_set_index_LINE_BYTES_must_be_8_16_32_64_or_128 u_error ();
    end
    if ((INDEX != BYW_INDEX_LINEAR) && (INDEX != BYW_INDEX_FERMI) && (INDEX != BYW_INDEX_FOLD))
    begin : gen_check_index
      byw_set_index_INDEX_must_be_0_1_or_2 u_error ();
    end
    if ((INDEX == BYW_INDEX_FERMI) && (SETS != 32) && (SETS != 64)) begin : gen_check_fermi
      byw_set_index_Fermi_hash_needs_SETS_32_or_64 u_error ();
    end
    if ((LINE_W < 20 - LINE_BITS) || (LINE_W <= SET_BITS)) begin : gen_check_line
      byw_set_index_LINE_W_is_too_small u_error ();
    end
  endgenerate

  assign key_o = line_i[LINE_W-1:SET_BITS];

  genvar b, k;

  generate
    if (SETS == 1) begin : gen_one
      assign set_o = 1'b0;
    end else if (INDEX == BYW_INDEX_FERMI) begin : gen_fermi
      wire [4:0] fold = {line_i[19-LINE_BITS], line_i[17-LINE_BITS], line_i[15-LINE_BITS],
                         line_i[14-LINE_BITS], line_i[13-LINE_BITS]};
      assign set_o = line_i[SET_IW-1:0] ^ {{(SET_IW-5){1'b0}}, fold};
    end else if (INDEX == BYW_INDEX_FOLD) begin : gen_fold
      localparam integer PIECES = (LINE_W + SET_BITS - 1) / SET_BITS;
      for (b = 0; b < SET_BITS; b = b + 1) begin : gen_bit
        wire [PIECES-1:0] column;                     // bit b of each piece of the line address
        for (k = 0; k < PIECES; k = k + 1) begin : gen_piece
          if (k*SET_BITS + b < LINE_W) begin : gen_there
            assign column[k] = line_i[k*SET_BITS + b];
          end else begin : gen_above
            assign column[k] = 1'b0;
          end
        end
        assign set_o[b] = ^column;
      end
    end else begin : gen_linear
      assign set_o = line_i[SET_IW-1:0];
    end
  endgenerate

  `BYW_HOLDS(set_exists, 1'b1, set_o < SETS)
  `BYW_HOLDS(key_is_above_the_index, 1'b1, key_o == (line_i >> SET_BITS))
  `BYW_HOLDS(folding_loses_no_bit, (INDEX == BYW_INDEX_FOLD) && (SETS > 1), ^set_o == ^line_i)
  `BYW_HOLDS(neighbours_have_different_sets, (INDEX != BYW_INDEX_FOLD) && (SETS > 1) &&
             (line_i[LINE_W-1:SET_BITS] == {KEY_W{1'b0}}), line_i[SET_IW-1:0] == set_o)
endmodule

`default_nettype wire
