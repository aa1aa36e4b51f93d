// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_look - how much of the decision in s2 was worked out ahead, in look, and is still true.
//
// Behaviour   Before s2 decides, the record is looked at for a cycle (byw_policy_look).  What was seen
//             stays true until the set's record changes: by the decision before (a touched or counted
//             line leaves the tags as they are, and a line that is there needs no more than those),
//             by a fill, or, which makes the record itself anew, by what changes all records or fails
//             a fill.  s2_able_o: s2 can be decided.  view_s2_o: it is looked at again in this cycle.
//             s2_cold_o: its record is made anew.
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
  input  wire              s2_committed_i,   // its line was there when it was looked at

  // what changes records in this cycle
  input  wire              wr_en_i,          // s2's is written
  input  wire              wr_ranks_i,       // by a touch or count
  input  wire              fill_en_i,        // a fill for fill_set_i
  input  wire              fill_error_i,     // which fails
  input  wire [SET_IW-1:0] fill_set_i,
  input  wire              all_i,            // every record
  input  wire              unsteady_i,       // likewise: the filter is not as in the cycle before

  output wire              s2_able_o,
  output wire              view_s2_o,
  output wire              s2_cold_o
);
  localparam [1:0] FRESH = 2'd0, RANKS = 2'd1, STALE = 2'd2, COLD = 2'd3;

  reg [1:0] s2_view_q;
  reg       look_cold_q;
  reg       s2_looks_q;                       // there is a request, and it asks for its set's record

  wire sees = (s2_view_q == FRESH) || ((s2_view_q == RANKS) && s2_committed_i);

  // In a cycle with unsteady_i every view becomes COLD: whose record is looked at does not matter.
  assign s2_able_o = !s2_looks_q || (!unsteady_i && sees);
  assign view_s2_o = s2_looks_q && !sees;
  assign s2_cold_o = s2_looks_q && (s2_view_q == COLD);

  wire all        = all_i || unsteady_i;
  wire s1_cools   = all || (fill_en_i && fill_error_i && (fill_set_i == s1_set_i));
  wire look_fills = fill_en_i && (fill_set_i == look_set_i);
  wire look_cools = all || (look_fills && fill_error_i);
  wire s2_fills   = fill_en_i && (fill_set_i == s2_set_i);
  wire s2_cools   = all || (s2_fills && fill_error_i);
  wire hazard     = wr_en_i && (look_set_i == s2_set_i);
  wire cold       = look_cold_q || look_cools;

  always @(posedge clk_i) begin : p_view
    if (s2_move_i) begin
      if (hazard) s2_view_q <= (wr_ranks_i && !look_cold_q && !look_fills) ? RANKS : STALE;
      else        s2_view_q <= cold ? COLD : look_fills ? STALE : FRESH;
    end else begin
      if (s2_cools)                    s2_view_q <= COLD;
      else if (s2_fills || s2_cold_o)  s2_view_q <= STALE;
      else if (!s2_able_o)             s2_view_q <= FRESH;
    end
  end

  always @(posedge clk_i) begin : p_looks
    if (rst_i)          s2_looks_q <= 1'b0;
    else if (s2_move_i) s2_looks_q <= look_valid_i && !look_free_i;
  end

  always @(posedge clk_i) begin : p_cold
    if (s1_move_i) look_cold_q <= s1_cools;
    else           look_cold_q <= look_cold_q || look_cools;
  end
endmodule

`default_nettype wire
