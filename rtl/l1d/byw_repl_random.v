// SPDX-License-Identifier: Apache-2.0
//
// byw_repl_random - the random numbers of the replacement policy: one per placed line.
//
// Behaviour   random_o changes only with step_i.  One step shifts the LFSR x^16 + x^14 + x^13 +
//             x^11 + 1 eight times, so the upper byte is new.  Each value except 0 occurs once in
//             65,535 steps.  If the policy does not use random_o, synthesis removes the register.
// Paper       mechanisms/baselines.md 2.5; rtl/doc/repl.md.
// C twin      byw_repl_next_random() of cmodel/model/record/byw_repl.h; checked by
//             verif/record/lockstep_repl_random.c.
// Reset       rst_i: BYW_REPL_SEED.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_repl_random (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        step_i,
  output wire [`BYW_REPL_RANDOM_W-1:0] random_o
);
  `include "byw_defs.vh"

  reg [`BYW_REPL_RANDOM_W-1:0] random_q;

  assign random_o = random_q;

  always @(posedge clk_i) begin : p_random
    if (rst_i)
      random_q <= BYW_REPL_SEED;
    else if (step_i)
      random_q <= {random_q[7:0] ^ random_q[9:2] ^ random_q[10:3] ^ random_q[12:5], random_q[15:8]};
  end

  `BYW_CHECKS
  `BYW_ASSERT(number_is_never_0, 1'b1, random_o != {`BYW_REPL_RANDOM_W{1'b0}})
endmodule

`default_nettype wire
