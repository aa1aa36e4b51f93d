// SPDX-License-Identifier: Apache-2.0
//
// byw_stats - the event counters of one L1: 64 bits each, one memory, one adder.
//
// Behaviour   Counts each of events_i, then cycles with a refusal (number BYW_EV_COUNT) and cycles
//             with the filter on (BYW_EV_COUNT + 1).  Pulses gather in short counters; every second
//             cycle one of them is added to its word in the memory.  A read takes such a turn:
//             rd_valid_o with the sum of all pulses of the cycles before it, 1 to 4 cycles after
//             rd_req_i, which must stay with rd_sel_i until then.  A short counter waits at most
//             4 turns per number, which it can hold.
// C twin      cmodel/top/byw_stats.c; checked by verif/top/lockstep_stats.c.
// Reset       rst_i: all zero.  The memory keeps its contents; a bit per word says it is in use.
//
// No parameters.
//
`default_nettype none

module byw_stats (
  input  wire        clk_i,
  input  wire        rst_i,

  input  wire [25:0] events_i,           // bit BYW_EV_*
  input  wire        filter_on_i,

  // read one counter
  input  wire        rd_req_i,
  input  wire [7:0]  rd_sel_i,           // beyond the last: reads 0
  output wire        rd_valid_o,
  output wire [63:0] rd_data_o
);
  `include "byw_defs.vh"

  localparam integer N     = BYW_EV_COUNT + 2;
  localparam integer N_IW  = $clog2(N);
  localparam integer LOW_W = $clog2(4 * N) + 1;
  localparam integer LAST  = N - 1;
  localparam [N-1:0] ONE   = 1;
  localparam [25:0]  FAILS = 26'd1 << BYW_EV_FAIL_LINE | 26'd1 << BYW_EV_FAIL_MSHR |
                             26'd1 << BYW_EV_FAIL_MERGE | 26'd1 << BYW_EV_FAIL_MISS_QUEUE |
                             26'd1 << BYW_EV_FAIL_ICNT;

  reg              add_q;                // second cycle of a turn: the word is there
  reg              read_q;               // the turn is a read's
  reg              none_q;               // of a number that does not exist
  reg  [N_IW-1:0]  at_q;                 // the turn's number
  reg  [N_IW-1:0]  next_q;               // the next turn's, if no read takes it
  reg  [N-1:0]     used_q;               // the word means something
  reg  [N*LOW_W-1:0] low_q;

  wire             take_read = rd_req_i && !read_q;
  wire             exists    = rd_sel_i <= LAST[7:0];
  wire [N_IW-1:0]  at        = take_read ? rd_sel_i[N_IW-1:0] : next_q;
  wire [63:0]      word;
  wire [LOW_W-1:0] low;
  wire [N-1:0]     used      = used_q >> at_q;
  wire [63:0]      sum       = (used[0] ? word : 64'd0) + {{(64-LOW_W){1'b0}}, low};
  wire [N-1:0]     pulses    = {filter_on_i, |(events_i & FAILS), events_i};
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
    for (g = 0; g < N; g = g + 1) begin : gen_low
      wire              empty  = write && (at_q == g[N_IW-1:0]);
      wire [LOW_W-1:0]  before = empty ? {LOW_W{1'b0}} : low_q[g*LOW_W +: LOW_W];
      always @(posedge clk_i) begin : p_low
        if (rst_i) low_q[g*LOW_W +: LOW_W] <= {LOW_W{1'b0}};
        else       low_q[g*LOW_W +: LOW_W] <= before + {{(LOW_W-1){1'b0}}, pulses[g]};
      end
    end
  endgenerate
endmodule

`default_nettype wire
