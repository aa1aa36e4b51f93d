// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_look - tells whether the look stage's result for the request in s2 is still valid.
//
// Behaviour   Before s2 decides, byw_policy_look examines the record for one cycle.  The result
//             holds until the record of the set changes: by the decision on the previous request,
//             or by a fill.  Some events also require the record to be rebuilt: those that affect
//             all records, and failed fills, including earlier ones that marked the set
//             (byw_tag_look).  A decision that only touches or counts leaves the tags unchanged, so
//             a request whose line is present stays valid.  A request that needs the least
//             frequently used tag waits for it in the cycle after the look (lfu_search_i).
//             s2_decidable_o: s2 can be decided.  view_s2_o: the record of s2 is examined again in
//             this cycle; four copies share the fan-out.  s2_cold_o: the record of s2 is rebuilt.
// Paper       rtl/doc/l1d_pipeline.md (look stage).
// C twin      cmodel/model/l1d/byw_l1d_look.c; checked by verif/l1d/lockstep_l1d.c.
// Reset       rst_i: s2 is empty.
//
// Parameter   Default  Range     Meaning
// SET_IW      5                  width of a set number
//
`default_nettype none
`include "byw_assert.vh"
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
  input  wire              look_free_i,      // decided without the record of its set
  input  wire              look_committed_i, // the line is committed in the examined record
  input  wire              lfu_search_i,     // the s2 request needs the LFU tag, see byw_policy

  // what changes records in this cycle
  input  wire              wr_if_i,          // the s2 record is written if its request leaves
  input  wire              wr_ranks_i,       // only ranks or counters change in that record
  input  wire              fill_en_i,        // a fill for fill_set_i
  input  wire              fill_error_i,     // the fill fails
  input  wire [SET_IW-1:0] fill_set_i,
  // all records: kernel_start_i, or clear_if_done_i and s2 moves
  input  wire              lines_clear_i,
  input  wire              kernel_start_i,
  input  wire              clear_if_done_i,
  input  wire              filter_changed_i,  // all records: the filter has just switched
  input  wire              s1_marked_i,      // the RAM word of the s1 set is not its record

  output wire              s2_decidable_o,
  output wire              s2_rec_complete_o,  // the s2 record is complete, independent of its key
  output wire [3:0]        view_s2_o,
  output wire              s2_cold_o
);
  reg               look_cold_q;
  // rebuild in progress: the set's flags are read, then the record is rebuilt
  reg               s2_cold_q, s2_thaw_q;
  // a request is in s2 and needs its record
  reg               s2_uses_rec_q;
  reg               s2_viewed_q;               // the record was examined in the cycle before
  reg               view_q;                    // the result of look is no longer valid
  reg               wait_q;                    // like view_q, whatever the keys are
  reg               view_copy_q, view_n_q, view_n_copy_q;  // copies of view_q and of its inverse

  // With filter_changed_i every record is rebuilt, so view_s2_o does not matter in that cycle.
  assign view_s2_o      = {view_q, !view_n_q, view_copy_q, !view_n_copy_q};
  assign s2_decidable_o = !view_q && !(filter_changed_i && s2_uses_rec_q) &&
                          !(lfu_search_i && s2_viewed_q);
  assign s2_rec_complete_o = !wait_q && !(filter_changed_i && s2_uses_rec_q);
  assign s2_cold_o         = s2_uses_rec_q && s2_thaw_q;

  wire all_changed = lines_clear_i || filter_changed_i;
  wire s1_written  = wr_if_i && (s1_set_i == s2_set_i);         // valid if s1 moves
  wire s1_cold     = all_changed || (fill_en_i && fill_error_i && (fill_set_i == s1_set_i)) ||
                    (s1_marked_i && !s1_written);
  wire look_filled = fill_en_i && (fill_set_i == look_set_i);
  wire look_failed = look_filled && fill_error_i;
  wire s2_filled   = fill_en_i && (fill_set_i == s2_set_i);
  // valid if s2 stays
  wire s2_cold       = kernel_start_i || filter_changed_i || (s2_filled && fill_error_i);
  wire look_hazard   = wr_if_i && (look_set_i == s2_set_i);    // valid if s2 moves
  // valid if look moves
  wire look_cold     = look_cold_q || look_failed || kernel_start_i || clear_if_done_i ||
                       filter_changed_i;
  wire look_uses_rec = look_valid_i && !look_free_i;

  // The next state of s2: of the request that enters, or of the one that stays.  s2_move_i arrives
  // last.  (* keep *) stops synthesis from moving the late signal to the front.
  wire rec_changed   = !wr_ranks_i || !look_committed_i || look_cold_q || look_filled;
  (* keep *) wire view_if_moved, view_if_held;
  assign view_if_moved = look_uses_rec && (look_hazard ? rec_changed : look_cold || look_filled);
  assign view_if_held  = s2_uses_rec_q && (s2_filled || s2_cold || s2_cold_q || s2_thaw_q);
  wire view_next       = s2_move_i ? view_if_moved : view_if_held;

  always @(posedge clk_i) begin : p_view
    // With and without reset, true and inverted: otherwise synthesis merges the copies.
    if (rst_i) begin
      view_q   <= 1'b0;
      view_n_q <= 1'b1;
    end else begin
      view_q   <= view_next;
      view_n_q <= !view_next;
    end
    wait_q <= s2_move_i ? look_uses_rec && (look_hazard || look_cold || look_filled)
                        : view_if_held;
    view_copy_q   <= view_next && !rst_i;
    view_n_copy_q <= !view_next || rst_i;
  end

  always @(posedge clk_i) begin : p_s2
    if (rst_i) begin
      s2_uses_rec_q <= 1'b0;
      s2_cold_q     <= 1'b0;
      s2_thaw_q     <= 1'b0;
      s2_viewed_q   <= 1'b0;
    end else begin
      if (s2_move_i) s2_uses_rec_q <= look_uses_rec;
      s2_viewed_q <= s2_move_i || view_q;
      s2_cold_q   <= s2_move_i ? look_cold && !look_hazard : s2_cold;
      s2_thaw_q   <= !s2_move_i && s2_cold_q && !s2_cold;
    end
  end

  always @(posedge clk_i) begin : p_cold
    if (s1_move_i) look_cold_q <= s1_cold;
    else           look_cold_q <= look_cold_q || look_failed || all_changed;
  end

  `BYW_CHECKS
  `BYW_ASSERT(copies_agree, 1'b1, (view_s2_o == 4'd0) || (view_s2_o == 4'd15))
  `BYW_ASSERT(no_decision_while_the_record_is_examined, view_q, !s2_decidable_o)
  `BYW_ASSERT(rebuilt_record_is_examined_again, s2_cold_o, !s2_decidable_o)
endmodule

`default_nettype wire
