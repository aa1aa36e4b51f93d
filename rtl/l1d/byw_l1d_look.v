// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_look - how much of the decision in s2 was worked out ahead, in look, and is still true.
//
// Behaviour   Before s2 decides, the record is looked at for a cycle (byw_policy_look).  What was
//             seen stays true until the set's record changes: by the decision before (a touched or
//             counted line leaves the tags as they are, and a line that is there needs no more than
//             those), by a fill, or, which makes the record itself anew, by what changes all
//             records or fails a fill, or by what its set's flip-flops say of its word
//             (byw_tag_look).  Who needs the least frequently used tag waits for it in the cycle
//             after the look (seeks_i).  s2_able_o: s2 can be decided.  view_s2_o: it is looked at
//             again in this cycle; four registers that share its many ends.  s2_cold_o: its record
//             is made anew.
// Paper       rtl/doc/l1d_pipeline.md (look stage).
// C twin      cmodel/l1d/byw_l1d_look.c; checked by verif/l1d/lockstep_l1d.c.
// Reset       rst_i: no request in s2.
//
// Parameter   Default  Range     Meaning
// SET_IW      5                  number of a set
//
`default_nettype none
`include "byw_widths.vh"

module byw_l1d_look #(
  parameter integer SET_IW = 5
) (
  input  wire              clk_i,
  input  wire              rst_i,

  // pipeline
  input  wire              s1_move_i,
  input  wire              s2_move_i,
  input  wire [SET_IW-1:0] s1_set_i,
  input  wire [SET_IW-1:0] look_set_i,
  input  wire [SET_IW-1:0] s2_set_i,
  input  wire              look_valid_i,
  input  wire              look_free_i,      // it is decided without its set's record
  input  wire              look_committed_i, // its line is there, as it is looked at
  input  wire              seeks_i,          // of the one in s2: see byw_policy

  // what changes records in this cycle
  input  wire              wr_if_i,          // s2's is written if its request goes
  input  wire              wr_ranks_i,       // by a touch or count
  input  wire              fill_en_i,        // a fill for fill_set_i
  input  wire              fill_error_i,     // which fails
  input  wire [SET_IW-1:0] fill_set_i,
  input  wire              all_i,            // every record: start_i, or drops_i and s2 moves
  input  wire              start_i,
  input  wire              drops_i,
  input  wire              unsteady_i,       // likewise: the filter is not as in the cycle before
  input  wire              s1_marked_i,      // the word of s1's set is not its record

  output wire              s2_able_o,
  output wire [3:0]        view_s2_o,
  output wire              s2_cold_o
);
  reg               look_cold_q;
  // its set's flip-flops are read; its record is made anew
  reg               s2_cold_q, s2_thaw_q;
  // there is a request, and it asks for its set's record
  reg               s2_looks_q;
  reg               s2_new_q;                  // it was looked at in the cycle before
  reg               view_q;                    // and what was seen for it is not true any more
  reg               view_two_q, see_q, see_two_q;  // the same, and its opposite

  // In a cycle with unsteady_i every record is made anew: whose is looked at does not matter.
  assign view_s2_o = {view_q, !see_q, view_two_q, !see_two_q};
  assign s2_able_o = !view_q && !(unsteady_i && s2_looks_q) && !(seeks_i && s2_new_q);
  assign s2_cold_o = s2_looks_q && s2_thaw_q;

  wire all        = all_i || unsteady_i;
  wire s1_written = wr_if_i && (s1_set_i == s2_set_i);         // if s1 moves
  wire s1_cools   = all || (fill_en_i && fill_error_i && (fill_set_i == s1_set_i)) ||
                    (s1_marked_i && !s1_written);
  wire look_fills = fill_en_i && (fill_set_i == look_set_i);
  wire look_fails = look_fills && fill_error_i;
  wire s2_fills   = fill_en_i && (fill_set_i == s2_set_i);
  wire s2_cools   = start_i || unsteady_i || (s2_fills && fill_error_i);  // if s2 stays
  wire hazard     = wr_if_i && (look_set_i == s2_set_i);       // if s2 moves
  wire cold       = look_cold_q || look_fails || start_i || drops_i || unsteady_i;  // if it moves
  wire looks      = look_valid_i && !look_free_i;

  // What s2 will know: of a request that comes, whether s2 goes on or not, and of the one that
  // stays.  Which of them it is comes last; where they meet is said, or synthesis puts it first.
  wire new_there   = !wr_ranks_i || !look_committed_i || look_cold_q || look_fills;
  (* keep *) wire comes_new, stays_stale;
  assign comes_new   = looks && (hazard ? new_there : cold || look_fills);
  assign stays_stale = s2_looks_q && (s2_fills || s2_cools || s2_cold_q || s2_thaw_q);
  wire view        = s2_move_i ? comes_new : stays_stale;

  always @(posedge clk_i) begin : p_view
    // With and without reset, upright and inverted: no tool makes one register of them.
    if (rst_i) begin
      view_q <= 1'b0;
      see_q  <= 1'b1;
    end else begin
      view_q <= view;
      see_q  <= !view;
    end
    view_two_q <= view && !rst_i;
    see_two_q  <= !view || rst_i;
  end

  always @(posedge clk_i) begin : p_s2
    if (rst_i) begin
      s2_looks_q <= 1'b0;
      s2_cold_q  <= 1'b0;
      s2_thaw_q  <= 1'b0;
      s2_new_q   <= 1'b0;
    end else begin
      s2_new_q <= s2_move_i || view_q;
      if (s2_move_i) s2_looks_q <= looks;
      s2_cold_q <= s2_move_i ? cold && !hazard : s2_cools;
      s2_thaw_q <= !s2_move_i && s2_cold_q && !s2_cools;
    end
  end

  always @(posedge clk_i) begin : p_cold
    if (s1_move_i) look_cold_q <= s1_cools;
    else           look_cold_q <= look_cold_q || look_fails || all;
  end
endmodule

`default_nettype wire
