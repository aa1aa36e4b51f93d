// SPDX-License-Identifier: Apache-2.0
//
// byw_sm_duel - SM dueling: compares two leader SMs, sample by sample.
//
// Behaviour   Bit 0 of the pulses is SM 0, which filters during a sample; bit 1 is SM 1, which does
//             not.  leading_o: they play these roles now; otherwise they follow on_o like all other
//             SMs.  A sample of interval_i cycles is followed by hold_i cycles in which nothing
//             counts.  At its end a sample votes for the filter unless 100 (m0 a1 - m1 a0) > margin
//             a0 a1 or, with by_loads_i, 100 (a1 - a0) > margin a1 (a: loads, m: misses).
//             hysteresis_i votes in a row against on_o change it.  The pulses in the last cycle of
//             a sample belong to it; on_o changes BYW_DUEL_LATE + 1 edges later.  The difference of
//             the two sides is updated per pulse, with terms that grow by constants, so no
//             multiplier is needed.  The pulses pass one addition per cycle: 1 register, 2 what
//             each side adds, 3 the step, 4 the sum, 5 the vote.
// Paper       000, section 4.3; mechanisms/sm_duel.md 1.5; rtl/doc/sm_duel.md.
// C twin      cmodel/model/policy/byw_sm_duel.c; checked by verif/policy/lockstep_sm_duel.c.
// Reset       rst_i or restart_i: an empty sample starts, no votes, on_o = initial_on_i.  The
//             settings may change only together with one of them.
//
// Parameter   Default  Range    Meaning
// COUNT_W     20       2..20    width of the cycle and load counts; interval_i is at least 1
//
`default_nettype none
`include "byw_assert.vh"

module byw_sm_duel #(
  parameter integer COUNT_W = 20
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire               restart_i,

  // settings
  input  wire [COUNT_W-1:0] interval_i,
  input  wire [COUNT_W-1:0] hold_i,             // 0: no gap between samples
  input  wire               all_follow_i,       // the leaders follow on_o between samples, too
  input  wire               by_loads_i,         // 1: compare accepted loads, 0: miss rates
  input  wire [6:0]         margin_i,           // points of miss rate, or percent of the loads
  input  wire [COUNT_W-1:0] min_accesses_i,     // loads of each leader that a vote requires
  input  wire [3:0]         hysteresis_i,
  input  wire               bypass_is_miss_i,   // 0: the miss rate ignores bypassed loads
  input  wire               initial_on_i,

  // event pulses of the leaders in this cycle
  input  wire [1:0]         load_i,
  input  wire [1:0]         miss_i,
  input  wire [1:0]         bypass_i,

  output wire               on_o,               // the followers filter
  output wire               leading_o,          // SM 0 filters and SM 1 does not, whatever on_o
  output wire [3:0]         votes_o,            // consecutive votes against on_o
  output wire [COUNT_W-1:0] cycle_o             // cycle of the sample or hold
);
  localparam integer      TERM_W  = COUNT_W + 9;      // signed: -100 .. 227 times a count
  localparam integer      SUM_W   = 2 * COUNT_W + 9;  // signed: 100 a^2 .. -227 a^2
  localparam signed [8:0] HUNDRED = 9'sd100;
  localparam signed [8:0] NOTHING = 9'sd0;

  generate
    if ((COUNT_W < 2) || (COUNT_W > 20)) begin : gen_check_width
      byw_sm_duel_COUNT_W_must_be_2_to_20 u_error ();
    end
  endgenerate

  reg                on_q;
  reg                holding_q;
  reg                following_q;   // holding, and the leaders follow on_o
  reg  [3:0]         votes_q;
  reg  [COUNT_W-1:0] cycle_q;

  wire restart = rst_i || restart_i;

  // ---- the sample, and the pulses that count in this cycle
  wire [COUNT_W-1:0] next_cycle = cycle_q + 1'b1;
  wire               last       = next_cycle == (holding_q ? hold_i : interval_i);
  wire               left_out   = !bypass_is_miss_i && !by_loads_i;
  wire [1:0]         counts     = load_i & ~(bypass_i & {2{left_out}}) & {2{!holding_q}};
  reg  [1:0]         load_q, miss_q;    // pulses of the cycle before; miss_q is 0 with by_loads_i
  reg                ends_q;            // the cycle before was the last of a sample

  always @(posedge clk_i) begin : p_phase
    if (restart) begin
      cycle_q     <= {COUNT_W{1'b0}};
      holding_q   <= 1'b0;
      following_q <= 1'b0;
    end else begin
      // Written as gates: to Yosys, a synchronous reset that depends on its own register is a loop.
      cycle_q <= next_cycle & {COUNT_W{!last}};
      if (last) begin
        holding_q   <= !holding_q && (|hold_i);
        following_q <= !holding_q && (|hold_i) && all_follow_i;
      end
    end
  end

  always @(posedge clk_i) begin : p_pulses
    load_q <= restart ? 2'd0 : counts;
    miss_q <= (restart || by_loads_i) ? 2'd0 : counts & (miss_i | bypass_i);
    ends_q <= !restart && last && !holding_q;
  end

  // ---- with a, m the loads and misses so far and M the margin: the amount that a hit or a miss of
  // a leader subtracts.  Within a cycle the pulses of leader 1 count first.
  localparam signed [TERM_W-1:0] NO_TERM = 0;
  localparam signed [TERM_W:0]   NO_STEP = 0;
  localparam signed [SUM_W-1:0]  MINUS_1 = -1;

  reg signed [TERM_W-1:0] hit0_q;        // 100 m1 + M a1
  reg signed [TERM_W-1:0] miss0_q;       // 100 m1 + (M - 100) a1
  reg signed [TERM_W-1:0] hit1_q;        // M a0 - 100 m0
  reg signed [TERM_W-1:0] miss1_q;       // (M + 100) a0 - 100 m0
  reg signed [TERM_W-1:0] side0_q;       // subtracted by leader 0; with by_loads_i, by both
  reg signed [TERM_W-1:0] side1_q;       // subtracted by leader 1
  reg signed [TERM_W:0]   step_q;
  reg signed [SUM_W-1:0]  over_q;        // 100 (m0 a1 - m1 a0) - M a0 a1 - 1, or by loads
  reg                     above_q;

  wire signed [8:0] margin = $signed({2'b0, margin_i});
  wire signed [8:0] more   = margin + HUNDRED;
  wire signed [8:0] less   = margin - HUNDRED;

  // By loads: 100 (a1 - a0) - M a1.  No terms are kept; hit0_by itself is subtracted.
  wire signed [8:0] alone0 = (by_loads_i && load_q[0]) ? HUNDRED : NOTHING;
  wire signed [8:0] hit0_by, miss0_by, hit1_by, miss1_by;
  assign hit0_by  = !load_q[1] ? alone0 : miss_q[1] ? more :
                    (by_loads_i && !load_q[0]) ? less : margin;
  assign miss0_by = !load_q[1] ? NOTHING : miss_q[1] ? margin : less;
  assign hit1_by  = !load_q[0] ? NOTHING : miss_q[0] ? less : margin;
  assign miss1_by = !load_q[0] ? NOTHING : miss_q[0] ? margin : more;

  wire signed [TERM_W-1:0] hit0  = hit0_q + $signed({{(TERM_W-9){hit0_by[8]}}, hit0_by});
  wire signed [TERM_W-1:0] miss0 = miss0_q + $signed({{(TERM_W-9){miss0_by[8]}}, miss0_by});
  wire signed [TERM_W-1:0] hit1  = hit1_q + $signed({{(TERM_W-9){hit1_by[8]}}, hit1_by});
  wire signed [TERM_W-1:0] miss1 = miss1_q + $signed({{(TERM_W-9){miss1_by[8]}}, miss1_by});

  always @(posedge clk_i) begin : p_terms
    if (restart || ends_q || by_loads_i) begin
      hit0_q  <= {TERM_W{1'b0}};
      miss0_q <= {TERM_W{1'b0}};
      hit1_q  <= {TERM_W{1'b0}};
      miss1_q <= {TERM_W{1'b0}};
    end else begin
      hit0_q  <= hit0;
      miss0_q <= miss0;
      hit1_q  <= hit1;
      miss1_q <= miss1;
    end
  end

  // ---- counts the loads of each leader up to min_accesses_i
  reg  [COUNT_W-1:0] loads0_q, loads1_q;
  reg  [1:0]         reached_q;
  reg                enough2_q, enough3_q, votes4_q, ends2_q, ends3_q;
  wire [COUNT_W-1:0] loads0  = loads0_q + {{(COUNT_W-1){1'b0}}, load_q[0]};
  wire [COUNT_W-1:0] loads1  = loads1_q + {{(COUNT_W-1){1'b0}}, load_q[1]};
  wire               any     = min_accesses_i == {COUNT_W{1'b0}};
  wire [1:0]         meets   = {loads1 == min_accesses_i, loads0 == min_accesses_i};
  wire [1:0]         reached = reached_q | (load_q & (meets | {2{any}}));

  always @(posedge clk_i) begin : p_loads
    if (restart || ends_q) begin
      loads0_q  <= {COUNT_W{1'b0}};
      loads1_q  <= {COUNT_W{1'b0}};
      reached_q <= 2'd0;
    end else begin
      loads0_q  <= loads0;
      loads1_q  <= loads1;
      reached_q <= reached;
    end
  end

  wire signed [SUM_W-1:0] over = over_q - $signed({{(SUM_W-TERM_W-1){step_q[TERM_W]}}, step_q});

  always @(posedge clk_i) begin : p_sum
    side0_q <= (restart || !(load_q[0] || by_loads_i)) ? NO_TERM :
               miss_q[0] ? miss0 : hit0;
    side1_q <= (restart || !load_q[1] || by_loads_i)   ? NO_TERM :
               miss_q[1] ? miss1_q : hit1_q;
    step_q  <= restart ? NO_STEP :
               $signed({side1_q[TERM_W-1], side1_q}) + $signed({side0_q[TERM_W-1], side0_q});
    over_q  <= (restart || ends3_q) ? MINUS_1 : over;
    above_q <= !over[SUM_W-1];           // over > 0
    {ends3_q, ends2_q}               <= {ends2_q, ends_q} & {2{!restart}};
    {votes4_q, enough3_q, enough2_q} <= {enough3_q, enough2_q, ends_q && (&reached)} &
                                        {3{!restart}};
  end

  // ---- the vote
  wire       against    = above_q == on_q;
  wire [4:0] next_votes = {1'b0, votes_q} + 1'b1;
  wire       turn       = next_votes >= {1'b0, hysteresis_i};

  assign on_o      = on_q;
  assign leading_o = !following_q;
  assign votes_o   = votes_q;
  assign cycle_o   = cycle_q;

  always @(posedge clk_i) begin : p_decision
    if (restart) begin
      on_q    <= initial_on_i;
      votes_q <= 4'd0;
    end else if (votes4_q) begin
      on_q    <= on_q ^ (against && turn);
      votes_q <= (against && !turn) ? next_votes[3:0] : 4'd0;
    end
  end

  `BYW_CHECKS
  `BYW_ASSERT(leaders_follow_only_between_samples, !leading_o, holding_q)
  `BYW_ASSERT(pulses_count_only_in_a_sample, holding_q, counts == 2'd0)
endmodule

`default_nettype wire
