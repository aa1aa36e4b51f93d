// SPDX-License-Identifier: Apache-2.0
//
// byw_mshr_beat - the beat that the request shown of a draining list wants, out of a register.
//
// Behaviour   write_i puts beat_i behind request index_i of the list of mshr_i, first_i if it is
//             the list's first.  beat_o is that of the request shown: of the first of follows_i, if
//             nothing was shown (none_i) or the last of a list was answered (drain_i,
//             drain_last_i); else of the next, if drain_i.  The next one is read two cycles ahead
//             (next_*_i: what is shown in the next cycle, and the request behind it), a first one
//             stands by the register's number.  A request may be written in the cycle in which its
//             list begins, not later.
// Paper       MECHANISMS 0.2; rtl/doc/mshr.md.
// C twin      show_rsp() of cmodel/l1d/byw_l1d.c, which reads the list at once; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       none: nothing is shown before it is written.
//
// Parameter   Default  Range   Meaning
// MSHR_IW, LIST_IW             widths of MSHR number and list index
// BEAT_W      2        1..4    width of a beat's number
//
`default_nettype none

module byw_mshr_beat #(
  parameter integer MSHR_IW = 5,
  parameter integer LIST_IW = 3,
  parameter integer BEAT_W  = 2
) (
  input  wire               clk_i,

  input  wire               write_i,
  input  wire               first_i,
  input  wire [MSHR_IW-1:0] mshr_i,
  input  wire [LIST_IW-1:0] index_i,
  input  wire [BEAT_W-1:0]  beat_i,

  input  wire               none_i,
  input  wire [MSHR_IW-1:0] follows_i,
  input  wire [MSHR_IW-1:0] shown_mshr_i,
  input  wire [LIST_IW-1:0] shown_after_i,    // the request behind the one shown
  input  wire               drain_i,
  input  wire               drain_last_i,
  input  wire [MSHR_IW-1:0] next_mshr_i,
  input  wire [LIST_IW-1:0] next_after_i,
  output wire [BEAT_W-1:0]  beat_o
);
  localparam integer SLOTS = 1 << MSHR_IW;

  reg  [BEAT_W-1:0]  first_q [0:SLOTS-1];
  reg  [BEAT_W-1:0]  beat_q;
  wire [BEAT_W-1:0]  follows = first_q[follows_i];
  wire [BEAT_W-1:0]  read;

  // What is written in the cycle in which it is read comes from here.
  reg                late_q;
  reg  [MSHR_IW-1:0] late_mshr_q;
  reg  [LIST_IW-1:0] late_index_q;
  reg  [BEAT_W-1:0]  late_beat_q;
  wire               late  = late_q && (late_mshr_q == shown_mshr_i) &&
                             (late_index_q == shown_after_i);
  wire [BEAT_W-1:0]  after = late ? late_beat_q : read;

  assign beat_o = beat_q;

  byw_ram_1r1w #(.DEPTH(SLOTS << LIST_IW), .LANES(1), .LANE_W(BEAT_W), .ADDR_W(MSHR_IW+LIST_IW))
  u_beats (
    .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i({next_mshr_i, next_after_i}), .rd_data_o(read),
    .wr_en_i(write_i), .wr_addr_i({mshr_i, index_i}), .wr_lane_i(1'b1), .wr_data_i(beat_i)
  );

  always @(posedge clk_i) begin : p_first
    if (first_i) first_q[mshr_i] <= beat_i;
  end

  always @(posedge clk_i) begin : p_late
    late_q       <= write_i;
    late_mshr_q  <= mshr_i;
    late_index_q <= index_i;
    late_beat_q  <= beat_i;
  end

  always @(posedge clk_i) begin : p_beat
    if (drain_i)     beat_q <= drain_last_i ? follows : after;
    else if (none_i) beat_q <= follows;
  end
endmodule

`default_nettype wire
