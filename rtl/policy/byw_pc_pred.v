// SPDX-License-Identifier: Apache-2.0
//
// byw_pc_pred - the PC-based bypass predictor of one L1.
//
// Behaviour   Reads the hashes of set rd_set_i with the set record; in the cycles after, the load
//             at the decision point (set_i, pc_i) gets its guess from the counters as they are at
//             the start of the cycle.  The pulses of an accepted decision, all of set_i, and of a
//             response train at its end: eviction +1, then reuse -1, then misprediction -1, each
//             saturating.  A decision that trains or takes a line is the last of its read.
//             ALLOC 1: a fill reads the hashes of f1_set_i and with install_i, one cycle later,
//             takes the place of the decision; what it trains and takes has the hash of its MSHR.
//             Hashes of a line, MSHR or tracker are undefined until a load took it.
// Paper       002; MECHANISMS 5.1; rtl/doc/pc_pred.md.
// C twin      cmodel/policy/byw_pc_pred.c; checked by verif/policy/lockstep_pc_pred.c.
// Reset       rst_i: counters initial_i, no dead load skipped, PSEL in the middle.
//
// Parameter   Default  Range      Meaning
// ENTRIES     128      2..1024    counters, a power of two
// CTR_W       4        1..8       counter width
// SHIFT       2        0..16      PC bits below the hash
// SETS, WAYS  32, 4               of the cache's data lines; below 8 sets duels_i has no effect
// MSHRS, TRACKERS  32, 64         of the L1D
// ALLOC       0        0, 1       1: the L1D allocates on fill
//
`default_nettype none
`include "byw_widths.vh"

module byw_pc_pred #(
  parameter integer ALLOC    = 0,
  parameter integer ENTRIES  = 128,
  parameter integer CTR_W    = 4,
  parameter integer SHIFT    = 2,
  parameter integer SETS     = `BYW_DEFAULT_SETS,
  parameter integer WAYS     = 4,
  parameter integer MSHRS    = `BYW_DEFAULT_MSHRS,
  parameter integer TRACKERS = `BYW_DEFAULT_TRACKERS,
  parameter integer HASH_W   = (ENTRIES > 1) ? $clog2(ENTRIES) : 1,
  parameter integer SET_IW   = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW   = (WAYS > 1) ? $clog2(WAYS) : 1,
  parameter integer MSHR_IW  = (MSHRS > 1) ? $clog2(MSHRS) : 1,
  parameter integer TRK_IW   = (TRACKERS > 1) ? $clog2(TRACKERS) : 1
) (
  input  wire               clk_i,
  input  wire               rst_i,

  // settings
  input  wire               duels_i,
  input  wire               prior_i,        // a counter of 0 is worth a line at once
  input  wire [CTR_W-1:0]   threshold_i,
  input  wire [CTR_W-1:0]   initial_i,
  input  wire [10:0]        sample_i,       // 0..1024; 0: no sampling

  // set read, one cycle ahead
  input  wire               rd_en_i,
  input  wire [SET_IW-1:0]  rd_set_i,

  // the load at the decision point, and its guess
  input  wire [SET_IW-1:0]  set_i,
  input  wire [31:0]        pc_i,
  output wire [HASH_W-1:0]  hash_o,
  output wire [CTR_W-1:0]   counter_o,
  output wire               dead_o,
  output wire               hot_o,
  output wire               sampled_o,      // dead, but cached to learn
  output wire               overruled_o,    // dead, but its set does not bypass
  output wire               bypass_o,
  output wire [7:0]         psel_o,

  // pulses of the accepted decision
  input  wire               asked_i,        // a load that followed the guess
  input  wire               evict_i,        // line evict_way_i gives way
  input  wire [WAY_IW-1:0]  evict_way_i,
  input  wire               reuse_i,        // a load finds line way_i
  input  wire               take_i,         // a load takes line way_i, not with reuse_i
  input  wire [WAY_IW-1:0]  way_i,
  input  wire               miss_take_i,    // the load is what MSHR miss_id_i was taken for
  input  wire [MSHR_IW-1:0] miss_id_i,
  input  wire               bypass_take_i,  // the load is what tracker bypass_id_i was taken for
  input  wire [TRK_IW-1:0]  bypass_id_i,

  // responses that report a reuse after a bypass
  input  wire               fill_report_i,  // not with bypass_report_i
  input  wire [MSHR_IW-1:0] fill_id_i,
  input  wire               bypass_report_i,
  input  wire [TRK_IW-1:0]  bypass_rsp_id_i,

  // a fill that takes its line, ALLOC 1; never with pulses of a decision
  input  wire [SET_IW-1:0]  f1_set_i,
  input  wire               install_i,
  input  wire [SET_IW-1:0]  install_set_i,
  input  wire [MSHR_IW-1:0] install_mshr_i
);
  localparam integer PC_W     = 64;         // zeros above, so that three fields always fit
  localparam integer PLANES_W = ENTRIES * CTR_W;
  localparam integer LANES    = (WAYS > 32) ? (WAYS + 31) & ~31 : WAYS; // as byw_ram_1r1w asks

  generate
    if ((ENTRIES < 2) || (ENTRIES > 1024) || (ENTRIES != (1 << HASH_W))) begin : gen_check_entries
      byw_pc_pred_ENTRIES_must_be_a_power_of_two_of_2_to_1024 u_error ();
    end
    if ((CTR_W < 1) || (CTR_W > 8)) begin : gen_check_width
      byw_pc_pred_CTR_W_must_be_1_to_8 u_error ();
    end
    if ((SHIFT < 0) || (SHIFT > 16)) begin : gen_check_shift
      byw_pc_pred_SHIFT_must_be_0_to_16 u_error ();
    end
  endgenerate

  // Bit b of every counter lies in plane b, so that a step is a few operations on whole planes.
  reg [PLANES_W-1:0] planes_q;
  reg [HASH_W-1:0]   miss_q [0:MSHRS-1];
  reg [HASH_W-1:0]   bypass_hash_q [0:TRACKERS-1];
  reg [9:0]          skipped_q;             // dead loads since the last one cached by sampling
  reg [WAYS-1:0]     fresh_q;               // lines written in the cycle of their set's read
  reg [HASH_W-1:0]   fresh_hash_q;

  wire [PC_W-1:0]          bits = {{(PC_W-32){1'b0}}, pc_i} >> SHIFT;
  wire [LANES*HASH_W-1:0]  stored;                  // lanes beyond WAYS are never written
  wire [WAYS*HASH_W-1:0]   lines;
  wire [WAYS-1:0]          written;
  wire [WAYS*HASH_W-1:0]   f2_lines;                // the same for the fill in f2
  wire                     s2_reads;
  wire [SET_IW-1:0]        s2_reads_set;
  wire [HASH_W-1:0]        evict_hash, line_hash, reuse_hash;
  wire [HASH_W-1:0]        report_hash = fill_report_i ? miss_q[fill_id_i]
                                                       : bypass_hash_q[bypass_rsp_id_i];
  wire                     report      = fill_report_i || bypass_report_i;
  wire                     installs    = (ALLOC != 0) && install_i;
  wire [HASH_W-1:0]        train_hash  = installs ? miss_q[install_mshr_i] : hash_o;
  wire [SET_IW-1:0]        train_set   = installs ? install_set_i : set_i;
  wire                     touch       = (reuse_i && !installs) || take_i;
  wire                     second;
  wire                     samples     = |sample_i;
  wire [10:0]              next_skip   = {1'b0, skipped_q} + 1'b1;
  genvar                   g;

  // The guess.
  assign hash_o = bits[0 +: HASH_W] ^ bits[HASH_W +: HASH_W] ^ bits[2*HASH_W +: HASH_W];

  generate
    for (g = 0; g < CTR_W; g = g + 1) begin : gen_bit
      wire [ENTRIES-1:0] plane = planes_q[g*ENTRIES +: ENTRIES];
      assign counter_o[g] = plane[hash_o];
    end
  endgenerate

  assign dead_o      = counter_o >= threshold_i;
  assign hot_o       = prior_i && !(|counter_o);
  assign overruled_o = dead_o && duels_i && !second;
  assign sampled_o   = dead_o && !overruled_o && samples && (next_skip >= sample_i);
  assign bypass_o    = dead_o && !overruled_o && !sampled_o;

  generate
    if (SETS >= 8) begin : gen_duel
      byw_set_duel #(.SETS(SETS)) u_duel (
        .clk_i(clk_i), .rst_i(rst_i), .set_i(set_i), .miss_i(asked_i && duels_i),
        .second_o(second), .psel_o(psel_o)
      );
    end else begin : gen_no_duel
      wire unused_set = &{1'b0, set_i};
      assign second = 1'b1;
      assign psel_o = 8'd128;
    end
  endgenerate

  always @(posedge clk_i) begin : p_skipped
    if (rst_i) skipped_q <= 10'd0;
    else if (asked_i && dead_o && !overruled_o && samples)
      skipped_q <= sampled_o ? 10'd0 : next_skip[9:0];
  end

  // The hash of each line, read with its set.
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      localparam [WAY_IW-1:0] NUMBER = g;
      assign written[g] = touch && (way_i == NUMBER);
      assign lines[g*HASH_W +: HASH_W] = fresh_q[g] ? fresh_hash_q : stored[g*HASH_W +: HASH_W];
    end
  endgenerate

  byw_ram_1r1w #(.DEPTH(SETS), .LANES(LANES), .LANE_W(HASH_W)) u_lines (
    .clk_i(clk_i), .rd_en_i(s2_reads), .rd_addr_i(s2_reads_set), .rd_data_o(stored),
    .wr_en_i(touch), .wr_addr_i(train_set), .wr_lane_i({{(LANES-WAYS){1'b0}}, written}),
    .wr_data_i({LANES{train_hash}})
  );
  byw_mux #(.N(WAYS), .W(HASH_W)) u_evict (
    .data_i(installs ? f2_lines : lines), .sel_i(evict_way_i), .data_o(evict_hash)
  );
  byw_mux #(.N(WAYS), .W(HASH_W)) u_reuse (
    .data_i(lines), .sel_i(way_i), .data_o(line_hash)
  );
  assign reuse_hash = installs ? train_hash : line_hash;

  always @(posedge clk_i) begin : p_fresh
    if (s2_reads) begin
      fresh_q      <= written & {WAYS{s2_reads_set == train_set}};
      fresh_hash_q <= train_hash;
    end
  end

  // A second copy for the fills.  One may write a line of the set that waits in s2: the decision,
  // which cannot be in that cycle, then reads its set again.
  assign s2_reads     = rd_en_i || installs;
  assign s2_reads_set = rd_en_i ? rd_set_i : set_i;

  generate
    if (ALLOC != 0) begin : gen_fill
      reg  [WAYS-1:0]         f2_fresh_q;
      reg  [HASH_W-1:0]       f2_hash_q;
      wire [LANES*HASH_W-1:0] f2_stored;

      byw_ram_1r1w #(.DEPTH(SETS), .LANES(LANES), .LANE_W(HASH_W)) u_lines (
        .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i(f1_set_i), .rd_data_o(f2_stored),
        .wr_en_i(touch), .wr_addr_i(train_set), .wr_lane_i({{(LANES-WAYS){1'b0}}, written}),
        .wr_data_i({LANES{train_hash}})
      );

      always @(posedge clk_i) begin : p_fresh
        f2_fresh_q <= written & {WAYS{f1_set_i == train_set}};
        f2_hash_q  <= train_hash;
      end

      for (g = 0; g < WAYS; g = g + 1) begin : gen_way
        assign f2_lines[g*HASH_W +: HASH_W] = f2_fresh_q[g] ? f2_hash_q
                                                            : f2_stored[g*HASH_W +: HASH_W];
      end
      wire unused_stored = &{1'b0, f2_stored};
    end else begin : gen_no_fill
      wire unused_fill = &{1'b0, f1_set_i, install_i};
      assign f2_lines = {(WAYS*HASH_W){1'b0}};
    end
  endgenerate

  // The hash of each load in flight.
  always @(posedge clk_i) begin : p_flight
    if (miss_take_i) miss_q[miss_id_i] <= hash_o;
    if (bypass_take_i) bypass_hash_q[bypass_id_i] <= hash_o;
  end

  // The counters: each makes up to three steps in a cycle.  One step down is one step up of the
  // complement.
  function [PLANES_W-1:0] raise;
    input [PLANES_W-1:0] planes;
    input [ENTRIES-1:0]  at;
    reg   [ENTRIES-1:0]  carry;
    integer              b;
    begin
      carry = at;
      for (b = 0; b < CTR_W; b = b + 1) carry = carry & planes[b*ENTRIES +: ENTRIES];
      carry = at & ~carry;                  // those at their top stay there
      for (b = 0; b < CTR_W; b = b + 1) begin
        raise[b*ENTRIES +: ENTRIES] = planes[b*ENTRIES +: ENTRIES] ^ carry;
        carry = carry & planes[b*ENTRIES +: ENTRIES];
      end
    end
  endfunction

  wire [ENTRIES-1:0]  evicted  = evict_i ? ({{(ENTRIES-1){1'b0}}, 1'b1} << evict_hash) : {ENTRIES{1'b0}};
  wire [ENTRIES-1:0]  reused   = reuse_i ? ({{(ENTRIES-1){1'b0}}, 1'b1} << reuse_hash) : {ENTRIES{1'b0}};
  wire [ENTRIES-1:0]  reported = report ? ({{(ENTRIES-1){1'b0}}, 1'b1} << report_hash) : {ENTRIES{1'b0}};
  wire [PLANES_W-1:0] raised   = raise(planes_q, evicted);
  wire [PLANES_W-1:0] lowered  = raise(raise(~raised, reused), reported);
  wire [PLANES_W-1:0] initials;

  generate
    for (g = 0; g < CTR_W; g = g + 1) begin : gen_initial
      assign initials[g*ENTRIES +: ENTRIES] = {ENTRIES{initial_i[g]}};
    end
  endgenerate

  always @(posedge clk_i) begin : p_counters
    if (rst_i)                             planes_q <= initials;
    else if (evict_i || reuse_i || report) planes_q <= ~lowered;
  end

  wire unused_ok = &{1'b0, bits, stored};
endmodule

`default_nettype wire
