// SPDX-License-Identifier: Apache-2.0
//
// byw_trial_rule - the judgements of trials: whether a window of caching was refused enough to ask
//                  for one, when a tried one takes too long, which side wins.
//
// Behaviour   Every judgement compares two counts of cycles, each times a constant.  Their
//             difference is kept in a register to which every cycle adds a constant, so that the
//             judgement is its sign.  What a trial is compared with, the noted cycles times a
//             constant, is ready two cycles after these and goes in in the fifth cycle of a window,
//             which none ends before.
// Paper       byway's own; MECHANISMS 13.1; rtl/doc/trials.md.
// C twin      cmodel/policy/byw_trials.c; checked by verif/policy/lockstep_trials.c and, against the
//             products, verif/formal/trial_rule_props.v.
// Reset       rst_i: nothing counted.
//
// Parameters as in byw_trials, of which WINDOW is at least 8.
//
`default_nettype none
`include "byw_widths.vh"

module byw_trial_rule #(
  parameter integer REFUSED_PCT  = `BYW_DEFAULT_TRIAL_REFUSED_PCT,
  parameter integer WINDOWS      = `BYW_DEFAULT_TRIAL_WINDOWS,
  parameter integer MARGIN_PCT   = `BYW_DEFAULT_TRIAL_MARGIN_PCT,
  parameter integer OVERTIME_PCT = `BYW_DEFAULT_TRIAL_OVERTIME_PCT,
  parameter integer CYCLE_W      = 24
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire begins_i,          // the cycle is the first of a window
  input  wire caches_i,          // no trial until now
  input  wire side_ends_i,       // it is the first of a trial's second side
  input  wire relieves_i,        // relieving until now
  input  wire measures_i,        // its window is measured
  input  wire refused_i,         // in it a request is refused

  // with begins_i: the window before it asked for a trial, as the first in a row
  input  wire asked_i,
  input  wire first_i,

  // of the window until now, and of the trial
  output wire refusals_o,        // enough of its cycles are refused
  output wire late_o,
  output wire protects_o,        // protecting wins over relieving
  output wire wins_o             // the winner over caching
);
  // What the constants of both sides share goes.
  function integer shared;
    input integer a, b;
    integer x, y, rest;
    begin
      x = a;
      y = b;
      while (y != 0) begin
        rest = x % y;
        x    = y;
        y    = rest;
      end
      shared = x;
    end
  endfunction

  // Bits of a difference of counts times a or b, with its sign.
  function integer width;
    input integer a, b;
    width = CYCLE_W + $clog2(((a > b) ? a : b) + 1) + 1;
  endfunction

  localparam integer OVERTIME   = 100 + OVERTIME_PCT;
  localparam integer MARGIN     = 100 + MARGIN_PCT;
  localparam integer MEASURED   = WINDOWS - WINDOWS / 2;
  localparam integer WORTH      = MEASURED * (100 - MARGIN_PCT);
  localparam integer REFUSED_A  = 100 / shared(100, REFUSED_PCT);
  localparam integer REFUSED_B  = REFUSED_PCT / shared(100, REFUSED_PCT);
  localparam integer OVERTIME_A = 100 / shared(100, OVERTIME);
  localparam integer OVERTIME_B = OVERTIME / shared(100, OVERTIME);
  localparam integer MARGIN_A   = 100 / shared(100, MARGIN);
  localparam integer MARGIN_B   = MARGIN / shared(100, MARGIN);
  localparam integer WORTH_A    = 100 / shared(100, WORTH);
  localparam integer WORTH_B    = WORTH / shared(100, WORTH);
  localparam integer REFUSED_W  = width(REFUSED_A, REFUSED_B);
  localparam integer LATE_W     = width(OVERTIME_A, OVERTIME_B);
  localparam integer SIDES_W    = width(MARGIN_A * MEASURED, MARGIN_B * MEASURED);
  localparam integer WORTH_W    = width(WORTH_A * MEASURED, WORTH_B);
  localparam integer MOST_W     = CYCLE_W + 31;      // more than any
  localparam integer BOTH_N     = REFUSED_A - REFUSED_B;
  localparam [MOST_W-33:0] ZERO    = 0;
  localparam [MOST_W-1:0]  BOTH    = {ZERO, BOTH_N[31:0]};
  localparam [MOST_W-1:0]  NONE    = {ZERO, REFUSED_B[31:0]};
  localparam [MOST_W-1:0]  LATER   = {ZERO, OVERTIME_A[31:0]};
  localparam [MOST_W-1:0]  PROT    = {ZERO, MARGIN_A[31:0]};
  localparam [MOST_W-1:0]  RELI    = {ZERO, MARGIN_B[31:0]};
  localparam [MOST_W-1:0]  COST    = {ZERO, WORTH_A[31:0]};
  localparam [MOST_W-1:0]  AT_ONCE = (WINDOWS < 2) ? COST : {MOST_W{1'b0}};
  localparam [CYCLE_W-1:0] FIFTH   = 4;

  function [MOST_W-1:0] times;
    input integer             factor;
    input [CYCLE_W-1:0]       number;
    integer i;
    begin
      times = {MOST_W{1'b0}};
      for (i = 0; i < 13; i = i + 1)
        if (((factor >> i) & 1) != 0)
          times = times + ({{(MOST_W-CYCLE_W){1'b0}}, number} << i);
    end
  endfunction

  reg  [CYCLE_W-1:0]   cycles_q, cached_q;
  reg  [REFUSED_W-1:0] refused_q;            // times 100, less REFUSED_PCT times all
  reg  [LATE_W-1:0]    late_q, limit_q;      // more cycles than the limit, if not negative
  reg  [SIDES_W-1:0]   sides_q;              // of relieving with the margin, less protecting's
  reg  [WORTH_W-1:0]   worth_q, noted_q;     // of caching without the margin, less the side's
  reg                  limited_q, weighed_q; // limit_q, noted_q are in
  reg                  protecting_wins_q;

  wire counts  = begins_i || !(&cycles_q);
  wire fifth   = !begins_i && (cycles_q == FIFTH);
  wire weighs  = fifth && !weighed_q;
  wire anew    = caches_i || side_ends_i;
  wire counted = measures_i && counts;
  wire reliefs = relieves_i || side_ends_i;

  assign refusals_o = !refused_q[REFUSED_W-1];
  assign late_o     = limited_q && !late_q[LATE_W-1];
  assign protects_o = !sides_q[SIDES_W-1];
  assign wins_o     = protects_o ? protecting_wins_q : !worth_q[WORTH_W-1];

  // ---- what the cycle adds
  wire [REFUSED_W-1:0] refused_more = !counts ? {REFUSED_W{1'b0}} :
                                      refused_i ? BOTH[REFUSED_W-1:0] : -NONE[REFUSED_W-1:0];
  wire [LATE_W-1:0]    late_more    = !counts ? {LATE_W{1'b0}} :
                                      fifth ? limit_q : LATER[LATE_W-1:0];
  wire [SIDES_W-1:0]   sides_more   = !counted ? {SIDES_W{1'b0}} :
                                      reliefs ? RELI[SIDES_W-1:0] : -PROT[SIDES_W-1:0];
  wire [WORTH_W-1:0]   worth_more   = weighs ? noted_q :
                                      counted ? -COST[WORTH_W-1:0] : {WORTH_W{1'b0}};

  always @(posedge clk_i) begin : p_window
    if (rst_i) begin
      cycles_q  <= {CYCLE_W{1'b0}};
      refused_q <= {REFUSED_W{1'b0}};
      limited_q <= 1'b0;
    end else begin
      cycles_q  <= begins_i ? {{(CYCLE_W-1){1'b0}}, 1'b1} :
                              cycles_q + {{(CYCLE_W-1){1'b0}}, counts};
      refused_q <= (begins_i ? {REFUSED_W{1'b0}} : refused_q) + refused_more;
      limited_q <= !begins_i && (limited_q || fifth);
    end
    late_q <= (begins_i ? {LATE_W{1'b0}} : late_q) + late_more;
  end

  // ---- the noted cycles
  wire [MOST_W-1:0] limit = times(OVERTIME_B, cached_q) + 1'b1;
  wire [MOST_W-1:0] noted = times(WORTH_B, cached_q);

  always @(posedge clk_i) begin : p_noted
    if (asked_i && (first_i || (cycles_q < cached_q))) cached_q <= cycles_q;
    limit_q <= LATER[LATE_W-1:0] - limit[LATE_W-1:0];
    noted_q <= noted[WORTH_W-1:0] - AT_ONCE[WORTH_W-1:0];
  end

  // ---- a trial's sides
  always @(posedge clk_i) begin : p_sides
    weighed_q <= !anew && (weighed_q || weighs);
    worth_q   <= (anew ? {WORTH_W{1'b0}} : worth_q) + worth_more;
    sides_q   <= (caches_i ? {SIDES_W{1'b0}} : sides_q) + sides_more;
    if (side_ends_i) protecting_wins_q <= !worth_q[WORTH_W-1];
  end

  wire unused_ok = &{1'b0, limit, noted, BOTH, NONE, LATER, PROT, RELI, COST, AT_ONCE};
endmodule

`default_nettype wire
