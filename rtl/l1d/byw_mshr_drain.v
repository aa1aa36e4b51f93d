// SPDX-License-Identifier: Apache-2.0
//
// byw_mshr_drain - state of the list entry shown while an MSHR drains, in registers: whether it is
//                  the last one, and the beat it wants.
//
// Behaviour   write_i stores beat_i for entry index_i of the list of mshr_i, which then has count_i
//             entries; first_i marks the first entry of a list.  A new list (follows_i, with
//             follows_count_i entries) is shown when no list is (none_i), or when the last entry of
//             the previous one is answered (drain_i, last_o).  The beat of a first entry is held
//             per MSHR; the beat of the next entry is read two cycles ahead (next_*_i: the entry
//             shown in the next cycle, and the one after it).  An entry may be written in the cycle
//             in which its list begins to be shown, and not later; the output accounts for it one
//             cycle later.
// Paper       mechanisms/cache.md 0.2; rtl/doc/mshr.md.
// C twin      byw_mshr_target() of cmodel/model/l1d/byw_mshr.c, which reads the list directly;
//             checked by verif/l1d/lockstep_l1d.c.
// Reset       none: nothing is shown before it is written.
//
// Parameter   Default  Range   Meaning
// MSHR_IW, LIST_IW             widths of MSHR number and list index
// BEAT_W      2        0..4    width of a beat number; 0: one beat per line, beat_o is 0
//
`default_nettype none
`include "byw_assert.vh"

module byw_mshr_drain #(
  parameter integer MSHR_IW = 5,
  parameter integer LIST_IW = 3,
  parameter integer BEAT_W  = 2,
  parameter integer BEAT_PW = (BEAT_W > 0) ? BEAT_W : 1     // derived
) (
  input  wire               clk_i,

  input  wire               write_i,
  input  wire               first_i,
  input  wire [MSHR_IW-1:0] mshr_i,
  input  wire [LIST_IW-1:0] index_i,
  input  wire [LIST_IW:0]   count_i,
  input  wire [BEAT_PW-1:0] beat_i,

  input  wire               none_i,
  input  wire [MSHR_IW-1:0] follows_i,
  input  wire [LIST_IW:0]   follows_count_i,
  input  wire [LIST_IW:0]   shown_after_i,    // index after the entry shown
  input  wire               drain_i,
  input  wire [MSHR_IW-1:0] next_mshr_i,
  input  wire [LIST_IW:0]   next_after_i,
  output wire               last_o,
  output wire [BEAT_PW-1:0] beat_o
);
  localparam [LIST_IW:0] ONE = 1;
  localparam [LIST_IW:0] TWO = 2;

  wire               begins = drain_i ? last_o : none_i;

  // An entry that is written in the cycle in which its list begins is detected one cycle later,
  // from registers, while the first entry is shown.
  reg                begun_q, wrote_q, same_q;
  reg                second_q;                // the entry written is the second one
  reg  [LIST_IW:0]   late_count_q;
  wire               late = begun_q && wrote_q && same_q;

  always @(posedge clk_i) begin : p_late
    begun_q      <= begins;
    wrote_q      <= write_i;
    same_q       <= mshr_i == follows_i;
    second_q     <= count_i == TWO;
    late_count_q <= count_i;
  end

  // ---- last entry; a late second entry clears it
  reg                last_q;
  reg  [LIST_IW:0]   count_q;
  wire [LIST_IW:0]   after_next = shown_after_i + 1'b1;
  wire               next_last  = late ? second_q : count_q == after_next;

  assign last_o = last_q && !late;

  always @(posedge clk_i) begin : p_last
    last_q  <= begins ? follows_count_i == ONE : drain_i ? next_last : last_o;
    count_q <= begins ? follows_count_i : late ? late_count_q : count_q;
  end

  // ---- its beat
  generate
    if (BEAT_W > 0) begin : gen_beat
      localparam integer SLOTS = 1 << MSHR_IW;

      reg  [BEAT_W-1:0] first_q [0:SLOTS-1];
      reg  [BEAT_W-1:0] beat_q, late_beat_q;
      wire [BEAT_W-1:0] read;
      wire [BEAT_W-1:0] follows = first_q[follows_i];

      assign beat_o = beat_q;

      byw_ram_1r1w #(
        .DEPTH(SLOTS << LIST_IW), .LANES(1), .LANE_W(BEAT_W), .ADDR_W(MSHR_IW+LIST_IW)
      ) u_beats (
        .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i({next_mshr_i, next_after_i[LIST_IW-1:0]}),
        .rd_data_o(read), .wr_en_i(write_i), .wr_addr_i({mshr_i, index_i}), .wr_lane_i(1'b1),
        .wr_data_i(beat_i)
      );

      always @(posedge clk_i) begin : p_beat
        if (first_i) first_q[mshr_i] <= beat_i;
        late_beat_q <= beat_i;
        if (begins)       beat_q <= follows;
        else if (drain_i) beat_q <= (late && second_q) ? late_beat_q : read;
      end

      wire unused_after = &{1'b0, next_after_i[LIST_IW]};
    end else begin : gen_no_beat
      assign beat_o = 1'b0;
      wire unused_beat = &{1'b0, first_i, index_i, beat_i, next_mshr_i, next_after_i};
    end
  endgenerate

`ifdef BYW_CHECKED
  reg keeps_q = 1'b0;
  reg last_was_q;

  always @(posedge clk_i) begin : p_keeps
    keeps_q    <= !begins && !drain_i;
    last_was_q <= last_o;
  end
`endif
  `BYW_HOLDS(last_entry_stays_last, keeps_q, last_o == last_was_q)
endmodule

`default_nettype wire
