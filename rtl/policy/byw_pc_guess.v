// SPDX-License-Identifier: Apache-2.0
//
// byw_pc_guess - the prediction for a load: its counter, and what the counter means.
//
// Behaviour   counter_o is asked_i, or its value after the training step of this cycle (steps_i,
//             which arrives last; up_i), or initial_i while the counters are cleared.  dead_o: the
//             counter has reached threshold_i.  hot_o: the counter is 0 and prior_i is set.
//             Combinational.
// Paper       002; mechanisms/pc_pred.md 5.1; rtl/doc/pc_pred.md.
// C twin      byw_pc_pred_read() of cmodel/model/policy/byw_pc_pred.c; checked by
//             verif/policy/lockstep_pc_pred.c.
//
// Parameter   Default  Range  Meaning
// CTR_W       4        1..8   counter width
// LOOK        0        0, 1   1: optimised for speed, 0: for area
//
`default_nettype none
`include "byw_assert.vh"

module byw_pc_guess #(
  parameter integer CTR_W = 4,
  parameter integer LOOK  = 0
) (
  input  wire [CTR_W-1:0] asked_i,
  input  wire             steps_i,
  input  wire             up_i,
  input  wire             clears_i,
  input  wire [CTR_W-1:0] initial_i,
  input  wire [CTR_W-1:0] threshold_i,
  input  wire             prior_i,

  output wire [CTR_W-1:0] counter_o,
  output wire             dead_o,
  output wire             hot_o
);
  wire [CTR_W-1:0] more, less;           // asked_i + 1 and - 1, without saturation
  wire             none    = ~|asked_i;
  wire             most    = &asked_i;
  wire [CTR_W-1:0] lowered = none ? asked_i : less;
  wire [CTR_W-1:0] raised  = most ? asked_i : more;
  wire [CTR_W-1:0] moved   = up_i ? raised : lowered;
  genvar           g;

  generate
    for (g = 0; g < CTR_W; g = g + 1) begin : gen_bit
      if (g == 0) begin : gen_low
        assign {more[g], less[g]} = {2{!asked_i[g]}};
      end else begin : gen_high
        assign more[g] = asked_i[g] ^ (&asked_i[g-1:0]);
        assign less[g] = asked_i[g] ^ (~|asked_i[g-1:0]);
      end
    end
  endgenerate

  assign counter_o = clears_i ? initial_i : steps_i ? moved : asked_i;

  generate
    if (LOOK == 0) begin : gen_small
      assign dead_o = counter_o >= threshold_i;
      assign hot_o  = prior_i && (~|counter_o);
    end else begin : gen_fast
      // The counter before the step is compared with the threshold, and with the threshold moved by
      // one step.  steps_i, which arrives last, selects the result.
      wire [CTR_W:0] least      = {1'b0, threshold_i};
      wire [CTR_W:0] least_then = (~|threshold_i) ? least : up_i ? least - 1'b1 : least + 1'b1;
      wire           live, live_then;
      wire           at_most_1  = ~|(asked_i >> 1);

      byw_below #(.W(CTR_W + 1)) u_live (
        .a_i({1'b0, asked_i}), .b_i(least), .equal_i(1'b0), .below_o(live)
      );
      byw_below #(.W(CTR_W + 1)) u_live_then (
        .a_i({1'b0, asked_i}), .b_i(least_then), .equal_i(1'b0), .below_o(live_then)
      );

      assign dead_o = clears_i ? initial_i >= threshold_i : steps_i ? !live_then : !live;
      assign hot_o  = prior_i && (clears_i ? ~|initial_i : steps_i ? !up_i && at_most_1 : none);
    end
  endgenerate

  `BYW_HOLDS(dead_from_the_threshold_on, 1'b1, dead_o == (counter_o >= threshold_i))
  `BYW_HOLDS(hot_at_0, 1'b1, hot_o == (prior_i && (counter_o == {CTR_W{1'b0}})))
  `BYW_HOLDS(counter_saturates, !clears_i && steps_i, up_i ? counter_o >= asked_i
                                                           : counter_o <= asked_i)
endmodule

`default_nettype wire
