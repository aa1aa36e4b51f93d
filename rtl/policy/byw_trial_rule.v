// SPDX-License-Identifier: Apache-2.0
//
// byw_trial_rule - the judgements of trials: when a tried window takes too long, which side wins.
//
// Behaviour   Every judgement compares two counts of cycles, each times a constant.  Their
//             difference is kept in a register to which every cycle adds a constant, so that the
//             judgement is its sign.  What a trial is compared with, the noted cycles times a
//             constant, is ready two cycles after these and goes in in the fifth cycle of a window,
//             which none ends before.
// Paper       byway's own; MECHANISMS 13.1; rtl/doc/trials.md.
// C twin      cmodel/policy/byw_trials.c; checked by verif/policy/lockstep_trials.c and, against
//             the products, verif/formal/trial_rule_props.v.
// Reset       rst_i: nothing counted.
//
// Parameters as in byw_trials, of which WINDOW is at least 8.
//
`default_nettype none
`include "byw_widths.vh"

module byw_trial_rule #(
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

  // with begins_i: the window before it asked for a trial, as the first in a row
  input  wire asked_i,
  input  wire first_i,

  // of the window until now, and of the trial
  output wire late_o,
  output wire protects_o         // protecting wins
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
  localparam integer OVERTIME_A = 100 / shared(100, OVERTIME);
  localparam integer OVERTIME_B = OVERTIME / shared(100, OVERTIME);
  localparam integer MARGIN_A   = 100 / shared(100, MARGIN);
  localparam integer MARGIN_B   = MARGIN / shared(100, MARGIN);
  localparam integer LATE_W     = width(OVERTIME_A, OVERTIME_B);
  localparam integer SIDES_W    = width(MARGIN_A * MEASURED, MARGIN_B * MEASURED);
  localparam integer MOST_W     = CYCLE_W + 31;      // more than any
  localparam [MOST_W-33:0] ZERO    = 0;
  localparam [MOST_W-1:0]  LATER   = {ZERO, OVERTIME_A[31:0]};
  localparam [MOST_W-1:0]  PROT    = {ZERO, MARGIN_A[31:0]};
  localparam [MOST_W-1:0]  RELI    = {ZERO, MARGIN_B[31:0]};
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
  reg  [LATE_W-1:0]    late_q, limit_q;      // more cycles than the limit, if not negative
  reg  [SIDES_W-1:0]   sides_q;              // of relieving with the margin, less protecting's
  reg                  limited_q;            // limit_q is in

  wire counts  = begins_i || !(&cycles_q);
  wire fifth   = !begins_i && (cycles_q == FIFTH);
  wire counted = measures_i && counts;
  wire reliefs = relieves_i || side_ends_i;

  assign late_o     = limited_q && !late_q[LATE_W-1];
  assign protects_o = !sides_q[SIDES_W-1];

  // ---- what the cycle adds
  wire [LATE_W-1:0]  late_more  = !counts ? {LATE_W{1'b0}} : fifth ? limit_q : LATER[LATE_W-1:0];
  wire [SIDES_W-1:0] sides_more = !counted ? {SIDES_W{1'b0}} :
                                  reliefs ? RELI[SIDES_W-1:0] : -PROT[SIDES_W-1:0];

  always @(posedge clk_i) begin : p_window
    if (rst_i) begin
      cycles_q  <= {CYCLE_W{1'b0}};
      limited_q <= 1'b0;
    end else begin
      cycles_q  <= begins_i ? {{(CYCLE_W-1){1'b0}}, 1'b1} :
                              cycles_q + {{(CYCLE_W-1){1'b0}}, counts};
      limited_q <= !begins_i && (limited_q || fifth);
    end
    late_q <= (begins_i ? {LATE_W{1'b0}} : late_q) + late_more;
  end

  // ---- the noted cycles
  wire [MOST_W-1:0] limit = times(OVERTIME_B, cached_q) + 1'b1;

  always @(posedge clk_i) begin : p_noted
    if (asked_i && (first_i || (cycles_q < cached_q))) cached_q <= cycles_q;
    limit_q <= LATER[LATE_W-1:0] - limit[LATE_W-1:0];
  end

  // ---- a trial's sides
  always @(posedge clk_i) begin : p_sides
    sides_q <= (caches_i ? {SIDES_W{1'b0}} : sides_q) + sides_more;
  end

  wire unused_ok = &{1'b0, limit, LATER, PROT, RELI};
endmodule

`default_nettype wire
