// SPDX-License-Identifier: Apache-2.0
//
// byw_trial_rule - the judgements of trials: what a window of caching asks for, when a tried one
//                  takes too long, which side wins.
//
// Behaviour   Sums and comparisons: no division, no multiplier.  Pure and combinational.
// Paper       byway's own; MECHANISMS 13.1; rtl/doc/trials.md.
// C twin      cmodel/policy/byw_trials.c; checked by verif/formal/prove_trial.c and
//             verif/policy/lockstep_trials.c.
//
// Parameters as in byw_trials; LOADS_W, CYCLE_W, SUM_W: bits of loads, of a window's cycles, of a
// side's.
//
`default_nettype none
`include "byw_widths.vh"

module byw_trial_rule #(
  parameter integer WINDOW       = `BYW_DEFAULT_TRIAL_WINDOW,
  parameter integer REUSE_PCT    = `BYW_DEFAULT_TRIAL_REUSE_PCT,
  parameter integer REFUSED_PCT  = `BYW_DEFAULT_TRIAL_REFUSED_PCT,
  parameter integer WINDOWS      = `BYW_DEFAULT_TRIAL_WINDOWS,
  parameter integer MARGIN_PCT   = `BYW_DEFAULT_TRIAL_MARGIN_PCT,
  parameter integer OVERTIME_PCT = `BYW_DEFAULT_TRIAL_OVERTIME_PCT,
  parameter integer CYCLE_W      = 24,
  parameter integer LOADS_W      = $clog2(WINDOW + 1),
  parameter integer SUM_W        = CYCLE_W + $clog2(WINDOWS + 1)
) (
  // a window
  input  wire [LOADS_W-1:0] reused_i,
  input  wire [CYCLE_W-1:0] refused_i,
  input  wire [CYCLE_W-1:0] cycles_i,
  input  wire [CYCLE_W-1:0] cached_i,      // cycles of the fastest that asked
  output wire               asks_o,
  output wire               late_o,

  // both sides' measured cycles
  input  wire [SUM_W-1:0]   protecting_i,
  input  wire [SUM_W-1:0]   relieving_i,
  output wire               protects_o,
  output wire               wins_o
);
  localparam integer FACTOR_W  = 17;         // 64 times 1,100 at most
  localparam integer PRODUCT_W = SUM_W + FACTOR_W;

  // Both sides of a comparison are multiplied by constants: as sums, after what they share is gone.
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

  function [PRODUCT_W-1:0] times;
    input [FACTOR_W-1:0]  factor;
    input [PRODUCT_W-1:0] number;
    integer i;
    begin
      times = {PRODUCT_W{1'b0}};
      for (i = 0; i < FACTOR_W; i = i + 1)
        if (factor[i]) times = times + (number << i);
    end
  endfunction

  localparam integer OVERTIME   = 100 + OVERTIME_PCT;
  localparam integer MARGIN     = 100 + MARGIN_PCT;
  localparam integer WORTH      = (WINDOWS - WINDOWS / 2) * (100 - MARGIN_PCT);
  localparam integer REFUSED_A  = 100 / shared(100, REFUSED_PCT);
  localparam integer REFUSED_B  = REFUSED_PCT / shared(100, REFUSED_PCT);
  localparam integer OVERTIME_A = 100 / shared(100, OVERTIME);
  localparam integer OVERTIME_B = OVERTIME / shared(100, OVERTIME);
  localparam integer MARGIN_A   = 100 / shared(100, MARGIN);
  localparam integer MARGIN_B   = MARGIN / shared(100, MARGIN);
  localparam integer WORTH_A    = 100 / shared(100, WORTH);
  localparam integer WORTH_B    = WORTH / shared(100, WORTH);
  // The least reuse that is enough: 100 reused >= REUSE_PCT WINDOW.
  localparam integer         ENOUGH_N = (REUSE_PCT * WINDOW + 99) / 100;
  localparam [31:0]          ENOUGH   = ENOUGH_N;

  wire [31:0]          reused     = {{(32-LOADS_W){1'b0}}, reused_i};
  wire [PRODUCT_W-1:0] refused    = {{(PRODUCT_W-CYCLE_W){1'b0}}, refused_i};
  wire [PRODUCT_W-1:0] cycles     = {{(PRODUCT_W-CYCLE_W){1'b0}}, cycles_i};
  wire [PRODUCT_W-1:0] cached     = {{(PRODUCT_W-CYCLE_W){1'b0}}, cached_i};
  wire [PRODUCT_W-1:0] protecting = {{(PRODUCT_W-SUM_W){1'b0}}, protecting_i};
  wire [PRODUCT_W-1:0] relieving  = {{(PRODUCT_W-SUM_W){1'b0}}, relieving_i};
  wire [PRODUCT_W-1:0] best       = protects_o ? protecting : relieving;

  assign asks_o     = (reused < ENOUGH) && (times(REFUSED_A[FACTOR_W-1:0], refused) >=
                                            times(REFUSED_B[FACTOR_W-1:0], cycles));
  assign late_o     = times(OVERTIME_A[FACTOR_W-1:0], cycles) >
                      times(OVERTIME_B[FACTOR_W-1:0], cached);
  assign protects_o = times(MARGIN_A[FACTOR_W-1:0], protecting) <=
                      times(MARGIN_B[FACTOR_W-1:0], relieving);
  assign wins_o     = times(WORTH_A[FACTOR_W-1:0], best) <= times(WORTH_B[FACTOR_W-1:0], cached);
endmodule

`default_nettype wire
