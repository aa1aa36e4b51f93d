// SPDX-License-Identifier: Apache-2.0
//
// byw_pc_follow - decides whether a load that the PC predictor calls dead bypasses.
//
// Behaviour   A dead load bypasses with two exceptions.  overruled_o: its set duels and follows
//             "never bypass".  sampled_o: it is the sample_i-th dead load, not counting overruled
//             ones, since the last one cached for sampling.  asked_i: the load of set_i, described
//             by dead_i, is accepted and counts.  sample_i is used with one cycle delay.
//             LOOK 1: rd_en_i moves the load of rd_set_i to the decision point, in a cycle with
//             asked_i or when the decision point is empty.  bypass_o then comes from registers, so
//             duels_i is used with one cycle delay, too.
// Paper       002; mechanisms/baselines.md 2.5, mechanisms/pc_pred.md 5.1; rtl/doc/pc_pred.md,
//             set_duel.md.
// C twin      byw_pc_pred_follow() and byw_pc_pred_accept() of cmodel/model/policy/byw_pc_pred.c;
//             checked by verif/policy/lockstep_pc_pred.c.
// Reset       rst_i: no dead load is skipped, PSEL is at its middle.
//
// Parameter   Default  Range  Meaning
// LOOK        0        0, 1   1: bypass_o is computed one cycle ahead
// SETS        32              sets of the cache; below 8, duels_i has no effect
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_pc_follow #(
  parameter integer LOOK   = 0,
  parameter integer SETS   = `BYW_DEFAULT_SETS,
  parameter integer SET_IW = (SETS > 1) ? $clog2(SETS) : 1
) (
  input  wire              clk_i,
  input  wire              rst_i,

  // settings
  input  wire              duels_i,
  input  wire [10:0]       sample_i,       // 0..1024; 0: no sampling

  // LOOK 1: the load that moves to the decision point
  input  wire              rd_en_i,
  input  wire [SET_IW-1:0] rd_set_i,

  // the load at the decision point
  input  wire [SET_IW-1:0] set_i,
  input  wire              dead_i,
  input  wire              asked_i,
  output wire              sampled_o,      // dead, but cached to learn
  output wire              overruled_o,    // dead, but its set does not bypass
  output wire              bypass_o,
  output wire [7:0]        psel_o
);
  `include "byw_defs.vh"

  // ---- whether the set bypasses; with LOOK also for the set of the load that moves in:
  // second_asked if a load asks in this cycle, otherwise second_comes
  wire second, second_comes, second_asked;

  generate
    if (SETS >= 8) begin : gen_duel
      wire set_second;
      byw_set_duel #(.SETS(SETS)) u_duel (
        .clk_i(clk_i), .rst_i(rst_i), .set_i(set_i), .miss_i(asked_i && duels_i),
        .second_o(set_second), .psel_o(psel_o)
      );
      if (LOOK == 0) begin : gen_of_set
        assign {second, second_comes, second_asked} = {3{set_second}};
        wire unused_read = &{1'b0, rd_set_i};
      end else begin : gen_ahead
        // As in byw_set_duel, one cycle ahead.
        wire leads = rd_set_i[SET_IW-1 -: 2] == rd_set_i[1:0];
        reg  first_q, second_q;
        wire first_d  = leads && !rd_set_i[2];
        wire second_d = leads && rd_set_i[2];
        wire high     = psel_o >= BYW_PSEL_HALF;
        wire rises    = first_q && (psel_o == BYW_PSEL_HALF - 1'b1);
        wire falls    = second_q && (psel_o == BYW_PSEL_HALF);
        always @(posedge clk_i) begin : p_leads
          if (rd_en_i) {first_q, second_q} <= {first_d, second_d};
        end
        assign second       = second_q || (!first_q && high);
        assign second_comes = second_d || (!first_d && high);
        assign second_asked = second_d || (!first_d && (rises || (high && !falls)));
        wire unused_second = &{1'b0, set_second};
      end
    end else begin : gen_no_duel
      assign {second, second_comes, second_asked} = 3'b111;
      assign psel_o = BYW_PSEL_HALF;
      wire unused_set = &{1'b0, rd_set_i, set_i};
    end
  endgenerate

  // ---- whether the next dead load is sampled
  reg  [9:0]  skipped_q;                   // dead loads since the last sampled one
  reg         due_q;                       // the next one that counts is sampled
  wire [11:0] ahead     = {1'b0, sample_i} - {2'b00, skipped_q};
  wire        far       = |ahead[10:2];    // valid if ahead is not negative
  wire        due_next  = ahead[11] || !(far || ahead[1]);                 // ahead <= 1
  wire        due_after = ahead[11] || !(far || (ahead[1] && ahead[0]));  // ahead <= 2
  wire        rare      = |sample_i[10:1];
  wire        samples   = rare || sample_i[0];
  wire        counts    = dead_i && !overruled_o && samples;  // valid if it is asked
  wire        due_asked = !counts ? due_next : sampled_o ? !rare : due_after;

  always @(posedge clk_i) begin : p_skipped
    if (rst_i || (asked_i && sampled_o)) skipped_q <= 10'd0;
    else if (asked_i && counts)        skipped_q <= skipped_q + 10'd1;
    due_q <= rst_i ? !rare : asked_i ? due_asked : due_next;
  end

  assign overruled_o = dead_i && duels_i && !second;
  assign sampled_o   = counts && due_q;

  generate
    if (LOOK == 0) begin : gen_bypass
      assign bypass_o = dead_i && !overruled_o && !sampled_o;
      wire unused_next = &{1'b0, rd_en_i, second_comes, second_asked};
    end else begin : gen_bypass_ahead
      // For the load that stays, and for the one that moves in; rd_en_i and asked_i arrive last.  A
      // load that is asked leaves.
      (* keep *) wire lets_stays, lets_comes, lets_asked;
      assign lets_stays = (!duels_i || second) && !(samples && due_next);
      assign lets_comes = (!duels_i || second_comes) && !(samples && due_next);
      assign lets_asked = (!duels_i || second_asked) && !(samples && due_asked);
      reg  lets_q;                         // a dead load bypasses
      always @(posedge clk_i) begin : p_lets
        lets_q <= asked_i ? lets_asked : rd_en_i ? lets_comes : lets_stays;
      end
      assign bypass_o = dead_i && lets_q;
    end
  endgenerate

  `BYW_HOLDS(dead_load_bypasses_or_has_a_reason, (LOOK == 0) && dead_i,
             {2'd0, bypass_o} + {2'd0, sampled_o} + {2'd0, overruled_o} == 3'd1)
  `BYW_HOLDS(only_a_dead_load_bypasses, bypass_o || sampled_o || overruled_o, dead_i)
  `BYW_HOLDS(overruled_load_is_not_sampled, 1'b1, !(sampled_o && overruled_o))
endmodule

`default_nettype wire
