// SPDX-License-Identifier: Apache-2.0
//
// byw_set_duel - set dueling between two policies of one cache.
//
// Behaviour   A set is a leader if its two highest index bits equal its two lowest; index bit 2
//             selects the policy it always follows.  A miss in a leader of the first policy
//             increments PSEL, a miss in a leader of the second decrements it; PSEL saturates.  The
//             other sets follow the second policy while PSEL is in its upper half.  second_o uses
//             PSEL before this cycle's miss.
// Paper       mentioned in 002; mechanisms/baselines.md 2.5, mechanisms/pc_pred.md 5.1;
//             rtl/doc/set_duel.md.
// C twin      cmodel/model/record/byw_set_duel.h; checked by verif/policy/lockstep_set_duel.c.
// Reset       rst_i: PSEL is at its middle.  PSEL is kept across kernels.
//
// Parameter   Default  Range           Meaning
// SETS        32       8..65536        a power of two
// SET_IW      $clog2(SETS)
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_set_duel #(
  parameter integer SETS   = `BYW_DEFAULT_SETS,
  parameter integer SET_IW = (SETS > 1) ? $clog2(SETS) : 1
) (
  input  wire              clk_i,
  input  wire              rst_i,

  input  wire [SET_IW-1:0] set_i,
  input  wire              miss_i,     // a miss in the set
  output wire              second_o,   // the set follows the second policy
  output wire [7:0]        psel_o
);
  `include "byw_defs.vh"

  generate
    if ((SETS < 8) || (SETS != (1 << SET_IW))) begin : gen_check_sets
      byw_set_duel_SETS_must_be_a_power_of_two_of_8_or_more u_error ();
    end
  endgenerate

  reg  [7:0] psel_q;

  wire leads        = set_i[SET_IW-1 -: 2] == set_i[1:0];
  wire [8:0] next  = {1'b0, psel_q} + {{8{set_i[2]}}, 1'b1};  // the highest bit: PSEL would wrap

  assign psel_o   = psel_q;
  assign second_o = leads ? set_i[2] : (psel_q >= BYW_PSEL_HALF);

  always @(posedge clk_i) begin : p_psel
    if (rst_i)                            psel_q <= BYW_PSEL_HALF;
    else if (miss_i && leads && !next[8]) psel_q <= next[7:0];
  end

  wire unused_ok = &{1'b0, set_i};

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg       counts_q;
  reg [7:0] last_q;

  always @(posedge clk_i) begin : p_last
    counts_q <= rst_i || (miss_i && leads);
    last_q   <= psel_q;
  end
`endif
  `BYW_ASSERT(only_a_leader_moves_psel, !counts_q, psel_q == last_q)
  `BYW_HOLDS(leader_keeps_its_policy, leads, second_o == set_i[2])
endmodule

`default_nettype wire
