// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_walk - walks through all data lines for a flush, and through the beats of a write-back.
//
// Behaviour   step_i steps to the next line: all ways of a set, then the next set, then back to the
//             first.  restart_i returns to the first line.  ahead_o is the set of the line after
//             the current one.  clean_i writes back beat beat_o of way clean_way_i, first to last
//             (last_o).  leave_i, or a dirty line of another way, starts over at the first beat.
//             other_o: the write-back in progress is of a way other than clean_way_i.
// Paper       mechanisms/cache.md 0.3; rtl/doc/l1d.md, l1d_pipeline.md.
// C twin      flush_line and next_beat of cmodel/model/l1d/byw_l1d_state.h; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       rst_i: the first line.
//
// Parameter   Default  Range    Meaning
// SETS        32       1..4096  sets
// DATA_WAYS   4        1..64    data lines of a set
// BEATS       1        2^n, 1..16   beats of a line
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_walk #(
  parameter integer SETS      = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer BEATS     = 1,
  parameter integer BEAT_PW   = (BEATS > 1) ? $clog2(BEATS) : 1,
  parameter integer SET_IW    = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1
) (
  input  wire              clk_i,
  input  wire              rst_i,

  input  wire              restart_i,
  input  wire              step_i,
  output reg  [SET_IW-1:0] set_o,
  output reg  [WAY_IW-1:0] way_o,
  output reg  [SET_IW-1:0] ahead_o,          // set after the next step

  input  wire              clean_i,
  input  wire              dirty_i,          // the line looked at must be written back
  input  wire              leave_i,          // the s2 request is accepted or done
  input  wire [WAY_IW-1:0] clean_way_i,
  output wire [BEAT_PW-1:0] beat_o,
  output wire              last_o,
  output wire              other_o           // the write-back in progress is of another line
);
  localparam integer LAST_SET = SETS - 1;
  localparam integer LAST_WAY = DATA_WAYS - 1;

  localparam integer FIRST_AHEAD = ((DATA_WAYS == 1) && (SETS > 1)) ? 1 : 0;

  wire [WAY_IW-1:0] next_way = (way_o == LAST_WAY[WAY_IW-1:0]) ? {WAY_IW{1'b0}} : way_o + 1'b1;
  wire              last_set = ahead_o == LAST_SET[SET_IW-1:0];

  always @(posedge clk_i) begin : p_walk
    if (rst_i || restart_i) begin
      set_o   <= {SET_IW{1'b0}};
      way_o   <= {WAY_IW{1'b0}};
      ahead_o <= FIRST_AHEAD[SET_IW-1:0];
    end else if (step_i) begin
      set_o <= ahead_o;
      way_o <= next_way;
      if (next_way == LAST_WAY[WAY_IW-1:0]) ahead_o <= last_set ? {SET_IW{1'b0}} : ahead_o + 1'b1;
    end
  end

  generate
    if (BEATS > 1) begin : gen_beats
      localparam integer LAST_BEAT = BEATS - 1;
      reg [BEAT_PW-1:0] beat_q;
      reg [WAY_IW-1:0]  clean_way_q;

      assign beat_o  = beat_q;
      assign last_o  = beat_q == LAST_BEAT[BEAT_PW-1:0];
      assign other_o = (beat_q != {BEAT_PW{1'b0}}) && (clean_way_q != clean_way_i);

      always @(posedge clk_i) begin : p_beat
        // Written as gates: Yosys infers a synchronous reset that depends on its own register,
        // reports a loop and cuts it.
        if (rst_i || leave_i) beat_q <= {BEAT_PW{1'b0}};
        else beat_q <= (beat_q + {{(BEAT_PW-1){1'b0}}, clean_i}) & {BEAT_PW{!(dirty_i && other_o)}};
        if (clean_i) clean_way_q <= clean_way_i;
      end
    end else begin : gen_whole
      assign beat_o  = 1'b0;
      assign last_o  = 1'b1;
      assign other_o = 1'b0;
      wire unused = &{1'b0, clean_i, dirty_i, leave_i, clean_way_i};
    end
  endgenerate

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg restarted_q = 1'b0;
  always @(posedge clk_i) restarted_q <= restart_i && !rst_i;
`endif
  `BYW_ASSERT(walk_stays_within_the_lines, 1'b1, (set_o <= LAST_SET) && (way_o <= LAST_WAY))
  `BYW_ASSERT(walk_begins_at_the_first_line, restarted_q,
              (set_o == {SET_IW{1'b0}}) && (way_o == {WAY_IW{1'b0}}))
endmodule

`default_nettype wire
