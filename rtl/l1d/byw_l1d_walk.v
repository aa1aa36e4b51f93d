// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_walk - the data line that a flush looks at.
//
// Behaviour   step_i goes on to the next line, ways of a set first, and from the last to the first;
//             restart_i goes back to the first.
// Paper       MECHANISMS 0.3; rtl/doc/l1d.md, l1d_pipeline.md.
// C twin      flush_line of cmodel/l1d/byw_l1d_state.h; checked by verif/l1d/lockstep_l1d.c.
// Reset       rst_i: the first line.
//
// Parameter   Default  Range    Meaning
// SETS        32       1..4096  sets
// DATA_WAYS   4        1..64    data lines of a set
//
`default_nettype none
`include "byw_widths.vh"

module byw_l1d_walk #(
  parameter integer SETS      = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer SET_IW    = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1
) (
  input  wire              clk_i,
  input  wire              rst_i,

  input  wire              restart_i,
  input  wire              step_i,
  output reg  [SET_IW-1:0] set_o,
  output reg  [WAY_IW-1:0] way_o
);
  localparam integer LAST_SET = SETS - 1;
  localparam integer LAST_WAY = DATA_WAYS - 1;

  wire last_way = way_o == LAST_WAY[WAY_IW-1:0];
  wire last_set = set_o == LAST_SET[SET_IW-1:0];

  always @(posedge clk_i) begin : p_walk
    if (rst_i || restart_i) begin
      set_o <= {SET_IW{1'b0}};
      way_o <= {WAY_IW{1'b0}};
    end else if (step_i) begin
      way_o <= last_way ? {WAY_IW{1'b0}} : way_o + 1'b1;
      if (last_way) set_o <= last_set ? {SET_IW{1'b0}} : set_o + 1'b1;
    end
  end
endmodule

`default_nettype wire
