// SPDX-License-Identifier: Apache-2.0
//
// byw_trial_rule - the comparisons of trials: is a tried window too slow, and which side wins.
//
// Behaviour   Each comparison is between two counts of cycles, each times a constant.  The
//             difference is kept in a register, to which every cycle adds a constant, so its sign
//             is the result.  The limit of a tried window (noted cycles times a constant) is ready
//             two cycles after they are noted.  It is added in the fifth cycle of a window; no
//             window is shorter.
// Paper       byway's own; mechanisms/across.md 13.1; rtl/doc/trials.md.
// C twin      cmodel/model/policy/byw_trials.c; checked by verif/policy/lockstep_trials.c and,
//             against the products, verif/formal/trial_rule_props.v.
// Reset       rst_i: nothing is counted.
//
// Parameters as in byw_trials; WINDOW is at least 8.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_trial_rule #(
  parameter integer WINDOWS      = `BYW_DEFAULT_TRIAL_WINDOWS,
  parameter integer MARGIN_PCT   = `BYW_DEFAULT_TRIAL_MARGIN_PCT,
  parameter integer OVERTIME_PCT = `BYW_DEFAULT_TRIAL_OVERTIME_PCT,
  parameter integer CYCLE_W      = 24
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire begins_i,          // first cycle of a window
  input  wire caches_i,          // no trial up to this cycle
  input  wire side_ends_i,       // first cycle of the second side of a trial
  input  wire relieves_i,        // relieving up to this cycle
  input  wire measures_i,        // the window is measured

  // with begins_i
  input  wire asked_i,           // the previous window requested a trial
  input  wire first_i,           // asked_i: the window before that did not

  // for the window and the trial so far
  output wire late_o,
  output wire protects_o         // protecting wins
);
  // Greatest common divisor, by which the constants of both sides are reduced.
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

  // Width of a signed difference of counts times a or b.
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
  localparam integer MOST_W     = CYCLE_W + 31;      // wider than any product
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
  reg  [LATE_W-1:0]    late_q, limit_q;      // late_q: cycles minus the limit; negative: not late
  reg  [SIDES_W-1:0]   sides_q;              // relieving times margin minus protecting
  reg                  limited_q;            // limit_q has been added

  wire counts  = begins_i || !(&cycles_q);
  wire fifth   = !begins_i && (cycles_q == FIFTH);
  wire counted = measures_i && counts;
  wire reliefs = relieves_i || side_ends_i;

  assign late_o     = limited_q && !late_q[LATE_W-1];
  assign protects_o = !sides_q[SIDES_W-1];

  // ---- the increments of this cycle
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

  // ---- the two sides of a trial
  always @(posedge clk_i) begin : p_sides
    sides_q <= (caches_i ? {SIDES_W{1'b0}} : sides_q) + sides_more;
  end

  wire unused_ok = &{1'b0, limit, LATER, PROT, RELI};

  `BYW_CHECKS
  `BYW_ASSERT(window_is_not_late_at_once, cycles_q <= FIFTH, !late_o)
endmodule

`default_nettype wire
