// SPDX-License-Identifier: Apache-2.0
//
// byw_stats - the event counters of one L1: 64 bits each, one memory, one adder.
//
// Behaviour   Numbers in this order: each of events_i, cycles with a refusal, cycles with the filter
//             on, each of policy_events_i, cycles in each of two_level_i, active warps summed over
//             the cycles of BYW_TL_SAMPLE, loads that asked the PC predictor by its counter (the
//             last one takes all larger values).  Pulses gather in short counters; every second
//             cycle one of them is added to its word in the memory.  A read takes such a turn:
//             rd_valid_o with the sum of all pulses of the cycles before it, 1 to 4 cycles after
//             rd_req_i, which must stay with rd_sel_i until then.  A short counter waits at most
//             4 cycles per number, which it can hold.
// Paper       none; rtl/doc/stats.md.
// C twin      cmodel/top/byw_stats.c; checked by verif/top/lockstep_stats.c.
// Reset       rst_i: all zero.  The memory keeps its contents; a bit per word says it is in use.
//
// No parameters.
//
`default_nettype none
`include "byw_widths.vh"

module byw_stats (
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
  input  wire [7:0]  rd_sel_i,           // beyond the last: reads 0
  output wire        rd_valid_o,
  output wire [63:0] rd_data_o
);
  `include "byw_defs.vh"

  localparam integer WARPS  = BYW_EV_COUNT + 2 + BYW_PEV_COUNT + BYW_TL_STATES;
  localparam integer N      = WARPS + 1 + BYW_PC_VALUES;
  localparam integer N_IW   = $clog2(N);
  localparam integer LOW_W  = $clog2(4 * N) + 1;
  localparam integer WIDE_W = LOW_W + 6;      // of the warps: up to 64 in a cycle
  localparam integer LAST   = N - 1;
  localparam [N-1:0] ONE   = 1;
  localparam [`BYW_EV_W-1:0] PULSE = 1;
  localparam [`BYW_EV_W-1:0] FAILS = PULSE << BYW_EV_FAIL_LINE | PULSE << BYW_EV_FAIL_MSHR |
                                     PULSE << BYW_EV_FAIL_MERGE | PULSE << BYW_EV_FAIL_MISS_QUEUE |
                                     PULSE << BYW_EV_FAIL_ICNT;

  reg              add_q;                // second cycle of a turn: the word is there
  reg              read_q;               // the turn is a read's
  reg              none_q;               // of a number that does not exist
  reg  [N_IW-1:0]  at_q;                 // the turn's number
  reg  [N_IW-1:0]  next_q;               // the next turn's, if no read takes it
  reg  [N-1:0]     used_q;               // the word means something
  reg  [N*LOW_W-1:0] low_q;
  reg  [5:0]       high_q;               // of the warps' short counter, above its part of low_q

  wire             take_read = rd_req_i && !read_q;
  wire             exists    = rd_sel_i <= LAST[7:0];
  wire [N_IW-1:0]  at        = take_read ? rd_sel_i[N_IW-1:0] : next_q;
  wire [63:0]      word;
  wire [LOW_W-1:0] low;
  wire [N-1:0]     used      = used_q >> at_q;
  wire             of_warps  = at_q == WARPS[N_IW-1:0];
  wire [WIDE_W-1:0] more     = {of_warps ? high_q : 6'd0, low};
  wire [63:0]      sum       = (used[0] ? word : 64'd0) + {{(64-WIDE_W){1'b0}}, more};
  wire [BYW_PC_VALUES-1:0] values;
  wire [N-1:0]     pulses    = {values, 1'b0, two_level_i, policy_events_i, filter_on_i,
                                |(events_i & FAILS), events_i};
  wire             write     = add_q && !(read_q && none_q);
  wire             unused_ok = &{1'b0, used};

  assign rd_valid_o = add_q && read_q;
  assign rd_data_o  = none_q ? 64'd0 : sum;

  byw_mux #(.N(N), .W(LOW_W)) u_low (.data_i(low_q), .sel_i(at_q), .data_o(low));

  byw_ram_1r1w #(.DEPTH(1 << N_IW), .LANES(1), .LANE_W(64)) u_words (
    .clk_i(clk_i), .rd_en_i(!add_q), .rd_addr_i(at), .rd_data_o(word),
    .wr_en_i(write), .wr_addr_i(at_q), .wr_lane_i(1'b1), .wr_data_i(sum)
  );

  // read_q stays set through the turn after a read, so that reads cannot starve the rest.
  always @(posedge clk_i) begin : p_turn
    if (rst_i) begin
      add_q  <= 1'b0;
      read_q <= 1'b0;
      none_q <= 1'b0;
      at_q   <= {N_IW{1'b0}};
      next_q <= {N_IW{1'b0}};
      used_q <= {N{1'b0}};
    end else begin
      add_q <= !add_q;
      if (!add_q) begin
        at_q   <= at;
        read_q <= take_read;
        none_q <= take_read && !exists;
        if (!take_read) next_q <= (next_q == LAST[N_IW-1:0]) ? {N_IW{1'b0}} : next_q + 1'b1;
      end
      if (write) used_q <= used_q | (ONE << at_q);
    end
  end

  genvar g;
  generate
    for (g = 0; g < BYW_PC_VALUES; g = g + 1) begin : gen_value
      localparam [7:0] VALUE = g;
      assign values[g] = policy_events_i[BYW_PEV_PC_ASK] &&
                         ((g == BYW_PC_VALUES-1) ? (pc_counter_i >= VALUE) : (pc_counter_i == VALUE));
    end
    for (g = 0; g < N; g = g + 1) begin : gen_low
      localparam [N_IW-1:0] NUMBER = g;
      wire empty = write && (at_q == NUMBER);
      if (g == WARPS) begin : gen_wide
        wire [6:0]        warps  = two_level_i[BYW_TL_SAMPLE] ? active_warps_i : 7'd0;
        wire [WIDE_W-1:0] before = empty ? {WIDE_W{1'b0}} : {high_q, low_q[g*LOW_W +: LOW_W]};
        always @(posedge clk_i) begin : p_low
          if (rst_i) {high_q, low_q[g*LOW_W +: LOW_W]} <= {WIDE_W{1'b0}};
          else {high_q, low_q[g*LOW_W +: LOW_W]} <= before + {{(WIDE_W-7){1'b0}}, warps};
        end
      end else begin : gen_pulse
        wire [LOW_W-1:0] before = empty ? {LOW_W{1'b0}} : low_q[g*LOW_W +: LOW_W];
        always @(posedge clk_i) begin : p_low
          if (rst_i) low_q[g*LOW_W +: LOW_W] <= {LOW_W{1'b0}};
          else       low_q[g*LOW_W +: LOW_W] <= before + {{(LOW_W-1){1'b0}}, pulses[g]};
        end
      end
    end
  endgenerate

  wire unused_pulse = &{1'b0, pulses[WARPS]};
endmodule

`default_nettype wire
