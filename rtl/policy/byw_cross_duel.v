// SPDX-License-Identifier: Apache-2.0
//
// byw_cross_duel - crossover dueling: two busy SMs swap filter and cache halfway through a sample.
//
// Behaviour   A sample has two halves of settle_i + interval_i cycles; the first settle_i of a half
//             do not count.  Leaders are the two lowest SMs that accepted a load since the previous
//             sample began (if none did: the old leaders).  Leader 0 filters in the first half,
//             leader 1 in the second; filter_o shows the SMs that filter in this cycle, all others
//             follow on_o. Sums are kept per side: with l loads and h hits of filter f and cache c,
//             a sample of l_f + l_c >= min_loads_i votes against the filter if 100 (h_c - h_f -
//             noise) > margin l_c, else for it if 100 (l_f - l_c - 2 noise) > speedup l_c, else
//             against it.  A vote against on_o adds one to votes_o, any other vote subtracts one;
//             at 2 hysteresis_i on_o turns.  Votes start at hysteresis_i.  A hold of hold_i cycles
//             follows; a sample with too few loads ends it when its vote is due.  The pulses in the
//             last cycle of a sample belong to it; on_o changes BYW_CROSS_LATE + 1 edges later.
//             Stages: 1 the leaders' pulses, 2 sums (no multiplier), 3 comparisons, 4 votes.
// Paper       after 000, section 4.3; mechanisms/sm_duel.md 1.5.1; rtl/doc/cross_duel.md.
// C twin      cmodel/model/policy/byw_cross_duel.c; checked by verif/policy/lockstep_cross_duel.c.
// Reset       rst_i or restart_i: an empty sample starts with SM 0 and SM 1 as leaders, on_o =
//             initial_on_i.  The settings may change only together with one of them.
//
// Parameter   Default  Range    Meaning
// SMS         15       1..255
// COUNT_W     20       4..20    width of the cycle and load counts; interval_i is at least 4
//
`default_nettype none
`include "byw_assert.vh"

module byw_cross_duel #(
  parameter integer SMS     = 15,
  parameter integer COUNT_W = 20
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire               restart_i,

  // settings
  input  wire [COUNT_W-1:0] interval_i,
  input  wire [COUNT_W-1:0] settle_i,
  input  wire [COUNT_W-1:0] hold_i,
  input  wire [COUNT_W-1:0] min_loads_i,
  input  wire [6:0]         margin_i,         // percent of the cache's loads
  input  wire [7:0]         speedup_i,        // percent of the cache's loads
  input  wire [6:0]         noise_i,          // hits, and pairs of loads
  input  wire [3:0]         hysteresis_i,     // 1..7
  input  wire               initial_on_i,

  // event pulses of every SM in this cycle
  input  wire [SMS-1:0]     load_i,
  input  wire [SMS-1:0]     miss_i,
  input  wire [SMS-1:0]     bypass_i,

  output wire [SMS-1:0]     filter_o,         // the SM filters
  output wire               on_o,             // the decision
  output wire [3:0]         votes_o,
  output wire [COUNT_W:0]   cycle_o           // cycle of the half or hold
);
  localparam integer SUM_W = COUNT_W + 12;    // signed: sums of up to 2^(COUNT_W+1) times 355

  generate
    if ((COUNT_W < 4) || (COUNT_W > 20)) begin : gen_check_width
      byw_cross_duel_COUNT_W_must_be_4_to_20 u_error ();
    end
    if ((SMS < 1) || (SMS > 255)) begin : gen_check_sms
      byw_cross_duel_SMS_must_be_1_to_255 u_error ();
    end
  endgenerate

  wire restart = rst_i || restart_i;

  // ---- sample and hold
  reg              on_q, holding_q, second_q;
  reg  [3:0]       votes_q;
  reg  [COUNT_W:0] cycle_q;
  wire             none;                      // the sample had too few loads: its hold ends

  wire [COUNT_W:0] half     = {1'b0, settle_i} + {1'b0, interval_i};
  wire [COUNT_W:0] next     = cycle_q + 1'b1;
  wire             last     = next == (holding_q ? {1'b0, hold_i} : half);
  wire             sampled  = last && !holding_q && second_q;     // the last cycle of a sample
  wire             released = (last || none) && holding_q;     // the last cycle of a hold
  wire             begins   = released || (sampled && !(|hold_i));
  wire             counts   = !holding_q && (cycle_q >= {1'b0, settle_i});

  always @(posedge clk_i) begin : p_phase
    if (restart) begin
      cycle_q   <= {(COUNT_W+1){1'b0}};
      holding_q <= 1'b0;
      second_q  <= 1'b0;
    end else begin
      cycle_q <= next & {(COUNT_W+1){!(last || released)}};
      if (last || released) begin
        holding_q <= sampled && (|hold_i);
        second_q  <= !holding_q && !second_q;
      end
    end
  end

  // ---- the leaders, one-hot, and the SMs that accepted a load since the sample began
  reg  [SMS-1:0] worked_q, leader0_q, leader1_q;
  wire [SMS-1:0] worked = worked_q | load_i;
  wire [SMS-1:0] first  = worked & (~worked + 1'b1);
  wire [SMS-1:0] rest   = worked & ~first;
  wire [SMS-1:0] second = rest & (~rest + 1'b1);

  localparam [SMS:0] SM_0 = 1;
  localparam [SMS:0] SM_1 = 2;

  always @(posedge clk_i) begin : p_leaders
    if (restart) begin
      worked_q  <= {SMS{1'b0}};
      leader0_q <= SM_0[SMS-1:0];
      leader1_q <= SM_1[SMS-1:0];
    end else begin
      worked_q <= worked & {SMS{!begins}};
      if (begins && (|worked)) begin
        leader0_q <= first;
        leader1_q <= second;
      end
    end
  end

  wire [SMS-1:0] filters = second_q ? leader1_q : leader0_q;
  wire [SMS-1:0] caches  = second_q ? leader0_q : leader1_q;

  assign filter_o = holding_q ? {SMS{on_q}} :
                    filters | ({SMS{on_q}} & ~caches);

  // ---- 1: pulses of the two sides
  wire [SMS-1:0] missed = miss_i | bypass_i;
  reg            load_f_q, load_c_q, hit_f_q, hit_c_q, ends1_q;

  always @(posedge clk_i) begin : p_pulses
    load_f_q <= !restart && counts && (|(load_i & filters));
    load_c_q <= !restart && counts && (|(load_i & caches));
    hit_f_q  <= !restart && counts && (|(load_i & filters & ~missed));
    hit_c_q  <= !restart && counts && (|(load_i & caches & ~missed));
    ends1_q  <= !restart && sampled;
  end

  // ---- 2: the sums
  localparam signed [SUM_W-1:0] HUNDRED = 100;
  localparam signed [SUM_W-1:0] NOTHING = 0;

  reg  signed [SUM_W-1:0] lost_q;             // 100 (h_c - h_f - noise) - margin l_c
  reg  signed [SUM_W-1:0] gain_q;             // 100 (l_f - l_c - 2 noise) - speedup l_c
  reg  [COUNT_W+1:0]      loads_q;            // l_f + l_c
  reg                     ends2_q;

  wire signed [SUM_W-1:0] margin     = $signed({{(SUM_W-7){1'b0}}, margin_i});
  wire signed [SUM_W-1:0] speedup    = $signed({{(SUM_W-8){1'b0}}, speedup_i});
  wire signed [SUM_W-1:0] noise      = $signed({{(SUM_W-7){1'b0}}, noise_i});
  wire signed [SUM_W-1:0] noise_100  = (noise <<< 6) + (noise <<< 5) + (noise <<< 2);
  wire signed [SUM_W-1:0] lost_start = -noise_100;
  wire signed [SUM_W-1:0] gain_start = -(noise_100 <<< 1);

  wire signed [SUM_W-1:0] hit_c_adds  = hit_c_q  ? HUNDRED : NOTHING;
  wire signed [SUM_W-1:0] hit_f_takes = hit_f_q  ? HUNDRED : NOTHING;
  wire signed [SUM_W-1:0] lost_takes  = load_c_q ? margin : NOTHING;
  wire signed [SUM_W-1:0] load_f_adds = load_f_q ? HUNDRED : NOTHING;
  wire signed [SUM_W-1:0] gain_takes  = load_c_q ? speedup + HUNDRED : NOTHING;
  wire        [COUNT_W+1:0] load_f_one = {{(COUNT_W+1){1'b0}}, load_f_q};
  wire        [COUNT_W+1:0] load_c_one = {{(COUNT_W+1){1'b0}}, load_c_q};

  always @(posedge clk_i) begin : p_sums
    if (restart) begin
      lost_q  <= lost_start;
      gain_q  <= gain_start;
      loads_q <= {(COUNT_W+2){1'b0}};
    end else begin
      lost_q  <= (ends2_q ? lost_start : lost_q) + hit_c_adds - hit_f_takes - lost_takes;
      gain_q  <= (ends2_q ? gain_start : gain_q) + load_f_adds - gain_takes;
      loads_q <= (ends2_q ? {(COUNT_W+2){1'b0}} : loads_q) + load_f_one + load_c_one;
    end
    ends2_q <= !restart && ends1_q;
  end

  // ---- 3: the comparisons
  reg ends3_q, enough3_q, lost3_q, gain3_q;

  always @(posedge clk_i) begin : p_compare
    ends3_q   <= !restart && ends2_q;
    enough3_q <= loads_q >= {2'b0, min_loads_i};
    lost3_q   <= !lost_q[SUM_W-1] && (|lost_q);
    gain3_q   <= !gain_q[SUM_W-1] && (|gain_q);
  end

  // ---- 4: the vote
  wire       against = (!lost3_q && gain3_q) != on_q;
  wire [4:0] more    = {1'b0, votes_q} + 1'b1;
  wire       turns   = more >= {hysteresis_i, 1'b0};

  always @(posedge clk_i) begin : p_decision
    if (restart) begin
      on_q    <= initial_on_i;
      votes_q <= hysteresis_i;
    end else if (ends3_q && enough3_q) begin
      on_q    <= on_q ^ (against && turns);
      votes_q <= (against && turns) ? 4'd0 :
                 against            ? more[3:0] : votes_q - {3'd0, |votes_q};
    end
  end

  assign none = ends3_q && !enough3_q;

  assign on_o    = on_q;
  assign votes_o = votes_q;
  assign cycle_o = cycle_q;

  `BYW_CHECKS
  `BYW_ASSERT(all_follow_in_a_hold, holding_q, filter_o == {SMS{on_q}})
  `BYW_ASSERT(the_leaders_are_two_sms, 1'b1, (leader0_q & leader1_q) == {SMS{1'b0}})
  `BYW_ASSERT(pulses_count_only_in_a_sample, holding_q, !counts)
`ifdef BYW_CHECKED
  // The sample's vote by the signs of its sums, and the decision before the last edge.
  reg       ran_q, loses3_q, gains3_q, voted_q, for_q, before_on_q;
  reg [3:0] before_votes_q, before_hysteresis_q;

  always @(posedge clk_i) begin : p_checked
    ran_q               <= !restart;
    loses3_q            <= lost_q > NOTHING;
    gains3_q            <= gain_q > NOTHING;
    voted_q             <= ends3_q && enough3_q;
    for_q               <= gains3_q && !loses3_q;
    before_on_q         <= on_q;
    before_votes_q      <= votes_q;
    before_hysteresis_q <= hysteresis_i;
  end
`endif
  `BYW_ASSERT(only_a_vote_changes_the_decision, ran_q && !voted_q,
              (on_q == before_on_q) && (votes_q == before_votes_q))
  `BYW_ASSERT(tie_keeps_or_restores_the_cache, ran_q && voted_q && !for_q, !on_q || before_on_q)
  `BYW_ASSERT(filter_with_evidence_stays, ran_q && voted_q && for_q, on_q || !before_on_q)
  `BYW_ASSERT(turn_takes_votes_in_a_row, ran_q && (on_q != before_on_q),
              {1'b0, before_votes_q} + 1'b1 >= {before_hysteresis_q, 1'b0})
  `BYW_ASSERT(vote_for_the_decision_takes_one_away, ran_q && voted_q && (for_q == before_on_q),
              (on_q == before_on_q) && (votes_q == before_votes_q - {3'd0, |before_votes_q}))
endmodule

`default_nettype wire
