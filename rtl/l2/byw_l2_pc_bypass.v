// SPDX-License-Identifier: Apache-2.0
//
// byw_l2_pc_bypass - PC-based bypass of an L2 slice, for loads and stores.
//
// Behaviour   The hashes of set rd_set_i are read with the tags of the set.  Until the next read,
//             the access at the tags (set_i, store_i, hash_i) gets its prediction from the counters
//             at the start of the cycle.  The pulses of an accepted access train at the end of the
//             cycle.  reuse_i decrements the counter of the hash stored for line way_i; evict_i
//             (only with take_i) increments it; then the line stores the hash of the access.
//             Without traced_i a reuse trains nothing, and a line that is allocated will train
//             nothing.  The hash of a line is undefined until the line is allocated.
// Paper       004; mechanisms/l2_policies.md 7.4, mechanisms/pc_pred.md 5.1;
//             rtl/doc/l2_pc_bypass.md.
// C twin      cmodel/model/l2/byw_l2_pc_bypass.c; checked by verif/l2/lockstep_l2_pc_bypass.c.
// Reset       rst_i: counters at initial_i, no dead access skipped.
//
// Parameter   Default  Range      Meaning
// ENTRIES     128      2..1024    number of counters, a power of two
// CTR_W       4        1..8       width of a counter
// SETS        256      1..65536   sets of the slice, a power of two; from 64 on, 8 are leaders
// WAYS        16       1..32      ways of a set
//
`default_nettype none
`include "byw_assert.vh"

module byw_l2_pc_bypass #(
  parameter integer ENTRIES = 128,
  parameter integer CTR_W   = 4,
  parameter integer SETS    = 256,
  parameter integer WAYS    = 16,
  parameter integer HASH_W  = (ENTRIES > 1) ? $clog2(ENTRIES) : 1,
  parameter integer SET_IW  = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW  = (WAYS > 1) ? $clog2(WAYS) : 1
) (
  input  wire              clk_i,
  input  wire              rst_i,

  // settings
  input  wire [CTR_W-1:0]  threshold_i,   // threshold of loads
  input  wire [CTR_W-1:0]  store_threshold_i,
  input  wire [CTR_W-1:0]  initial_i,
  input  wire [10:0]       sample_i,      // 0..1024; 0: no sampling

  // set to read, one cycle ahead
  input  wire              rd_en_i,
  input  wire [SET_IW-1:0] rd_set_i,

  // the access at the tags, and its prediction
  input  wire [SET_IW-1:0] set_i,
  input  wire              store_i,       // the access is a store
  input  wire [HASH_W-1:0] hash_i,        // hash of its PC
  output wire [CTR_W-1:0]  counter_o,
  output wire              dead_o,
  output wire              sampled_o,     // a dead load, but cached to learn
  output wire              overruled_o,   // a dead load, but its set is a leader
  output wire              bypass_o,

  // pulses of the accepted access
  input  wire              asked_i,       // a load or store that followed the prediction
  input  wire              reuse_i,       // the access finds line way_i
  input  wire              take_i,        // the access allocates line way_i, never with reuse_i
  input  wire              evict_i,       // with take_i: another line is evicted
  input  wire [WAY_IW-1:0] way_i,
  input  wire              traced_i       // the access has a PC
);
  localparam integer LINE_W = 1 + HASH_W;    // {traced, hash}

  generate
    if ((ENTRIES < 2) || (ENTRIES > 1024) || (ENTRIES != (1 << HASH_W))) begin : gen_check_entries
      byw_l2_pc_bypass_ENTRIES_must_be_a_power_of_two_of_2_to_1024 u_error ();
    end
    if ((CTR_W < 1) || (CTR_W > 8)) begin : gen_check_width
      byw_l2_pc_bypass_CTR_W_must_be_1_to_8 u_error ();
    end
    if ((SETS < 1) || (SETS > 65536) || ((SETS > 1) && (SETS != (1 << SET_IW)))) begin : gen_check
      byw_l2_pc_bypass_SETS_must_be_a_power_of_two_of_1_to_65536 u_error ();
    end
    if ((WAYS < 1) || (WAYS > 32)) begin : gen_check_ways
      byw_l2_pc_bypass_WAYS_must_be_1_to_32 u_error ();
    end
  endgenerate

  reg  [9:0]               skipped_q;       // dead loads since the last sampled one
  // Lines written since the set was read; the RAM output does not show them.
  reg  [WAYS-1:0]          fresh_q;
  reg  [WAYS*LINE_W-1:0]   fresh_line_q;

  wire [ENTRIES*CTR_W-1:0] counters;
  wire [WAYS*LINE_W-1:0]   stored, lines;
  wire [WAYS-1:0]          written;
  wire [LINE_W-1:0]        line;
  wire [LINE_W-1:0]        own       = {traced_i, hash_i};
  wire [HASH_W-1:0]        line_hash = line[HASH_W-1:0];
  wire                     write     = take_i || (reuse_i && traced_i);
  wire                     up        = take_i && evict_i && line[HASH_W];
  wire                     down      = reuse_i && traced_i && line[HASH_W];
  wire                     keep      = !rd_en_i || (rd_set_i == set_i);
  wire [9:0]               next_skipped;
  genvar                   g;

  // The prediction.
  byw_mux #(.N(ENTRIES), .W(CTR_W)) u_counter (
    .data_i(counters), .sel_i(hash_i), .data_o(counter_o)
  );
  byw_l2_pc_rule #(.CTR_W(CTR_W), .SETS(SETS)) u_rule (
    .counter_i(counter_o),
    .store_i(store_i),
    .threshold_i(threshold_i),
    .store_threshold_i(store_threshold_i),
    .sample_i(sample_i),
    .skipped_i(skipped_q),
    .set_i(set_i),

    .dead_o(dead_o),
    .overruled_o(overruled_o),
    .sampled_o(sampled_o),
    .bypass_o(bypass_o),
    .skipped_o(next_skipped)
  );

  always @(posedge clk_i) begin : p_skipped
    if (rst_i) skipped_q <= 10'd0;
    else if (asked_i) skipped_q <= next_skipped;
  end

  // The hash of each line, read with its set.
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      localparam [WAY_IW-1:0] NUMBER = g;
      assign written[g] = write && (way_i == NUMBER);
      assign lines[g*LINE_W +: LINE_W] =
        fresh_q[g] ? fresh_line_q[g*LINE_W +: LINE_W] : stored[g*LINE_W +: LINE_W];

      always @(posedge clk_i) begin : p_fresh_line
        if (written[g]) fresh_line_q[g*LINE_W +: LINE_W] <= own;
      end
    end
  endgenerate

  byw_ram_1r1w #(.DEPTH(SETS), .LANES(WAYS), .LANE_W(LINE_W)) u_lines (
    .clk_i(clk_i), .rd_en_i(rd_en_i), .rd_addr_i(rd_set_i), .rd_data_o(stored),
    .wr_en_i(write), .wr_addr_i(set_i), .wr_lane_i(written), .wr_data_i({WAYS{own}})
  );
  byw_mux #(.N(WAYS), .W(LINE_W)) u_line (.data_i(lines), .sel_i(way_i), .data_o(line));

  always @(posedge clk_i) begin : p_fresh
    fresh_q <= (rd_en_i ? {WAYS{1'b0}} : fresh_q) | (written & {WAYS{keep}});
  end

  // The counters; at most one changes per cycle.
  generate
    for (g = 0; g < ENTRIES; g = g + 1) begin : gen_counter
      localparam [HASH_W-1:0] NUMBER = g;
      reg  [CTR_W-1:0] counter_q;
      wire             trained = line_hash == NUMBER;

      assign counters[g*CTR_W +: CTR_W] = counter_q;

      always @(posedge clk_i) begin : p_counter
        if (rst_i) counter_q <= initial_i;
        else if (trained && up && !(&counter_q)) counter_q <= counter_q + 1'b1;
        else if (trained && down && (|counter_q)) counter_q <= counter_q - 1'b1;
      end
    end
  endgenerate

  `BYW_CHECKS
  `BYW_ASSUME(line_is_reused_or_taken, take_i, !reuse_i)
  `BYW_ASSUME(only_an_allocation_evicts, evict_i, take_i)
  `BYW_ASSERT(counter_moves_one_way, 1'b1, !(up && down))
  `BYW_ASSERT(only_a_dead_access_bypasses, bypass_o, dead_o)
endmodule

`default_nettype wire
