// SPDX-License-Identifier: Apache-2.0
//
// byw_stats - the event counters of one L1: 64 bits each, in two RAMs with one adder.
//
// Behaviour   The counters, in this order: each of events_i, cycles with a refusal, cycles with the
//             filter on, each of policy_events_i, cycles in each of two_level_i, active warps
//             summed over the cycles of BYW_TL_SAMPLE, and loads that asked the PC predictor, by
//             counter value (the last one includes all larger values).  Registered pulses step
//             short counters (LFSRs).  Each cycle visits one counter and adds to its RAM word what
//             the short counter has advanced.  rd_valid_o comes seven cycles after rd_req_i, with
//             the sum of all pulses up to the cycle after rd_req_i.  Hold both inputs until then;
//             the next read starts in the cycle after.
// Paper       none; rtl/doc/stats.md.
// C twin      cmodel/model/top/byw_stats.c; checked by verif/top/lockstep_stats.c.
// Reset       rst_i: all zero.  The RAMs keep their contents; the first round ignores them.
//
// Parameters: SUM0_W: bits of a counter in the first RAM, 13 to 63; the others are in the second.
//             Results do not depend on it; a small value makes carries between the RAMs frequent.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_stats #(
  parameter integer SUM0_W = 29
) (
  input  wire        clk_i,
  input  wire        rst_i,

  input  wire [`BYW_EV_W-1:0] events_i,   // bit BYW_EV_*
  input  wire [`BYW_PEV_W-1:0] policy_events_i, // bit BYW_PEV_*
  input  wire [7:0]  pc_counter_i,       // with BYW_PEV_PC_ASK
  input  wire        filter_on_i,
  input  wire [2:0]  two_level_i,        // bit BYW_TL_*
  input  wire [6:0]  active_warps_i,

  // read one counter
  input  wire        rd_req_i,
  input  wire [7:0]  rd_sel_i,           // above the last counter: reads 0
  output wire        rd_valid_o,
  output wire [63:0] rd_data_o
);
  `include "byw_defs.vh"

  localparam integer WARPS   = BYW_EV_COUNT + 2 + BYW_PEV_COUNT + BYW_TL_STATES;
  localparam integer VALUES  = WARPS + 1;
  localparam integer N       = VALUES + BYW_PC_VALUES;
  localparam integer N_IW    = $clog2(N);
  localparam integer LAST    = N - 1;
  localparam integer SHORT_W = 7;           // width of a short counter
  localparam integer STATES  = 127;         // states of a short counter
  localparam integer WARP_W  = 6;           // width of the warp sum below one pulse (64 warps)
  localparam integer ADD_W   = SHORT_W + WARP_W;
  localparam integer SUM1_W  = 64 - SUM0_W;
  localparam [`BYW_EV_W-1:0] PULSE = 1;
  localparam [`BYW_EV_W-1:0] FAILS = PULSE << BYW_EV_FAIL_LINE | PULSE << BYW_EV_FAIL_MSHR |
                                     PULSE << BYW_EV_FAIL_MERGE | PULSE << BYW_EV_FAIL_MISS_QUEUE |
                                     PULSE << BYW_EV_FAIL_ICNT;

  // A short counter must not wrap between two visits: these are N slots apart, plus at most a read
  // and a wait in every eight slots.
  generate
    if (N + N / 3 + 2 >= STATES) begin : gen_check_numbers
      byw_stats_visits_must_have_a_bit_per_event u_error ();
    end
    if (SUM0_W < ADD_W || SUM0_W > 63) begin : gen_check_sum0_w
      byw_stats_SUM0_W_must_be_13_to_63 u_error ();
    end
  endgenerate

  // The next state of a short counter, and one bit of the distance of every state from zero.
  function [SHORT_W-1:0] step;
    input [SHORT_W-1:0] value;
    step = {value[SHORT_W-2:0], ~(value[SHORT_W-1] ^ value[SHORT_W-2])};
  endfunction

  function [STATES:0] distances;
    input integer       bit_number;
    reg   [SHORT_W-1:0] value;
    integer             i;
    begin
      distances = {(STATES+1){1'b0}};
      value     = {SHORT_W{1'b0}};
      for (i = 0; i < STATES; i = i + 1) begin
        if (((i >>> bit_number) & 1) != 0)
          distances = distances | ({{STATES{1'b0}}, 1'b1} << value);
        value = step(value);
      end
    end
  endfunction

  // ---- pulses
  reg  [`BYW_EV_W-1:0]  events_q;
  reg  [`BYW_PEV_W-1:0] policy_q;
  reg  [3:0]            value_q;            // value of the PC predictor's counter
  reg                   filter_q;
  reg  [2:0]            two_level_q;
  reg  [6:0]            warps_q;
  reg  [WARP_W-1:0]     warps_low_q;
  reg  [N*SHORT_W-1:0]  short_q;

  wire [6:0]               warps = {1'b0, warps_low_q} + warps_q;
  wire [BYW_PC_VALUES-1:0] values;
  wire [N-1:0]             pulses = {values, warps[WARP_W], two_level_q, policy_q, filter_q,
                                     |(events_q & FAILS), events_q};
  genvar g;

  always @(posedge clk_i) begin : p_pulses
    events_q    <= rst_i ? {`BYW_EV_W{1'b0}} : events_i;
    policy_q    <= rst_i ? {`BYW_PEV_W{1'b0}} : policy_events_i;
    filter_q    <= !rst_i && filter_on_i;
    two_level_q <= rst_i ? 3'd0 : two_level_i;
    warps_q     <= (rst_i || !two_level_i[BYW_TL_SAMPLE]) ? 7'd0 : active_warps_i;
    value_q     <= (|pc_counter_i[7:4]) ? 4'd15 : pc_counter_i[3:0];
  end

  always @(posedge clk_i) begin : p_warps
    warps_low_q <= rst_i ? {WARP_W{1'b0}} : warps[WARP_W-1:0];
  end

  generate
    for (g = 0; g < BYW_PC_VALUES; g = g + 1) begin : gen_value
      localparam [3:0] VALUE = g;
      assign values[g] = policy_q[BYW_PEV_PC_ASK] && (value_q == VALUE);
    end
    for (g = 0; g < N; g = g + 1) begin : gen_short
      always @(posedge clk_i) begin : p_short
        if (rst_i) short_q[g*SHORT_W +: SHORT_W] <= {SHORT_W{1'b0}};
        else if (pulses[g])
          short_q[g*SHORT_W +: SHORT_W] <= step(short_q[g*SHORT_W +: SHORT_W]);
      end
    end
  endgenerate

  // ---- slots: each cycle handles one counter, the next of the round or that of a read.  A visit
  // writes its word two cycles after reading it.  In that cycle the word must not be read, so the
  // round waits once if the slot of a read would coincide.
  reg  [6:0]      read_q;                   // cycle 1 to 7 of a read, one-hot
  reg  [N_IW-1:0] next_q;                   // next counter of the round
  reg             first_q;                  // the first round
  reg             unseen_q;                 // the first round has not visited the counter read
  wire            begins  = rd_req_i && !(|read_q);
  wire            beyond  = rd_sel_i > LAST[7:0];
  wire [N_IW-1:0] sel     = rd_sel_i[N_IW-1:0];
  wire            waits   = begins && (sel == next_q);
  wire            reads   = read_q[1];
  wire            visits  = !reads && !waits;

  always @(posedge clk_i) begin : p_round
    if (rst_i) begin
      read_q  <= 7'd0;
      next_q  <= {N_IW{1'b0}};
      first_q <= 1'b1;
    end else begin
      read_q <= {read_q[5:0], begins};
      if (visits) begin
        next_q  <= (next_q == LAST[N_IW-1:0]) ? {N_IW{1'b0}} : next_q + 1'b1;
        first_q <= first_q && (next_q != LAST[N_IW-1:0]);
      end
    end
  end

  // ---- pipeline of a slot: 1 counter number, 2 its short counter, 3 the distance of the short
  // counter, 4 the increment and the word, 5 the sum in the first RAM, 6 the sum in the second
  reg  [N_IW-1:0]    at1_q, at2_q, at3_q, at4_q, at5_q;
  reg                visit1_q, visit2_q, visit3_q, visit4_q, visit5_q;
  reg                none1_q, none2_q, none3_q;             // there is no such counter
  reg                empty1_q, empty2_q, empty3_q, empty4_q; // the counter's words are invalid
  reg                of_warps2_q, of_warps3_q;
  reg  [SHORT_W-1:0] state2_q, now3_q, now4_q;
  reg  [WARP_W-1:0]  warps2_q, warps3_q;
  reg  [ADD_W-1:0]   add4_q;
  reg  [SUM0_W-1:0]  word4_q, low5_q;
  reg  [SUM1_W-1:0]  word5_q;
  reg                carry5_q;

  wire [SHORT_W-1:0] state, now, last;
  wire [SUM0_W-1:0]  word0;
  wire [SUM1_W-1:0]  word1;
  wire [SHORT_W-1:0] low_was = empty3_q ? {SHORT_W{1'b0}} : last;
  wire [SHORT_W:0]   apart   = {1'b0, now3_q} - {1'b0, low_was};
  wire [SHORT_W-1:0] moved   = apart[SHORT_W-1:0] - {{(SHORT_W-1){1'b0}}, apart[SHORT_W]};
  wire [SUM0_W:0]    sum0    = {1'b0, word4_q} + {{(SUM0_W+1-ADD_W){1'b0}}, add4_q};
  wire [SUM1_W-1:0]  sum1    = word5_q + {{(SUM1_W-1){1'b0}}, carry5_q};

  assign rd_valid_o = read_q[6];
  assign rd_data_o  = {sum1, low5_q};

  generate
    for (g = 0; g < SHORT_W; g = g + 1) begin : gen_distance
      localparam [STATES:0] DISTANCE = distances(g);
      wire [N-1:0] column;
      genvar       n;
      for (n = 0; n < N; n = n + 1) begin : gen_column
        assign column[n] = short_q[n*SHORT_W + g];
      end
      assign state[g] = column[at1_q];
      assign now[g]   = DISTANCE[state2_q];
    end
  endgenerate

  byw_ram_1r1w #(.DEPTH(1 << N_IW), .LANES(1), .LANE_W(SHORT_W + SUM0_W), .BLOCK(1)) u_words0 (
    .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i(at2_q), .rd_data_o({last, word0}),
    .wr_en_i(visit4_q), .wr_addr_i(at4_q), .wr_lane_i(1'b1),
    .wr_data_i({now4_q, sum0[SUM0_W-1:0]})
  );
  byw_ram_1r1w #(.DEPTH(1 << N_IW), .LANES(1), .LANE_W(SUM1_W), .BLOCK(1)) u_words1 (
    .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i(at3_q), .rd_data_o(word1),
    .wr_en_i(visit5_q), .wr_addr_i(at5_q), .wr_lane_i(1'b1), .wr_data_i(sum1)
  );

  always @(posedge clk_i) begin : p_visits
    if (rst_i) {visit1_q, visit2_q, visit3_q, visit4_q, visit5_q} <= 5'd0;
    else       {visit1_q, visit2_q, visit3_q, visit4_q, visit5_q} <=
               {visits, visit1_q, visit2_q, visit3_q, visit4_q};
  end

  always @(posedge clk_i) begin : p_slots
    at1_q    <= reads ? sel : next_q;
    none1_q  <= reads && beyond;
    unseen_q <= first_q && (sel >= next_q);
    empty1_q <= reads ? (beyond || unseen_q) : first_q;
    {at5_q, at4_q, at3_q, at2_q}    <= {at4_q, at3_q, at2_q, at1_q};
    {none3_q, none2_q}              <= {none2_q, none1_q};
    {empty4_q, empty3_q, empty2_q}  <= {empty3_q, empty2_q, empty1_q};
    {of_warps3_q, of_warps2_q}      <= {of_warps2_q, at1_q == WARPS[N_IW-1:0]};
    state2_q             <= state;
    {now4_q, now3_q}     <= {now3_q, now};
    {warps3_q, warps2_q} <= {warps2_q, warps_low_q};
  end

  // A pulse of the warp sum counts 64 warps.  The rest, below 64, is added to the word at each
  // visit; the low bits, which hold the rest at the last visit, are cleared before.
  always @(posedge clk_i) begin : p_sum
    if (none3_q)          add4_q <= {ADD_W{1'b0}};
    else if (of_warps3_q) add4_q <= {moved, warps3_q};
    else                  add4_q <= {{WARP_W{1'b0}}, moved};
    word4_q <= word0;
    if (empty3_q)                word4_q <= {SUM0_W{1'b0}};
    if (empty3_q || of_warps3_q) word4_q[WARP_W-1:0] <= {WARP_W{1'b0}};
    {carry5_q, low5_q} <= sum0;
    word5_q <= empty4_q ? {SUM1_W{1'b0}} : word1;
  end

  `BYW_CHECKS
  `BYW_ASSERT(one_read_at_a_time, 1'b1, (read_q & (read_q - 7'd1)) == 7'd0)
  `BYW_ASSERT(counter_visited_exists, 1'b1, next_q <= LAST)
endmodule

`default_nettype wire
