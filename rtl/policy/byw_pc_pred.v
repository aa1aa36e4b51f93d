// SPDX-License-Identifier: Apache-2.0
//
// byw_pc_pred - the PC-based bypass predictor of one L1.
//
// Behaviour   The hashes of set rd_set_i are read together with its record.  The load at the
//             decision point (set_i, pc_i) gets its prediction from the counters as trained before
//             this cycle.  One counter changes per cycle: by the step of an accepted decision, one
//             cycle later; otherwise by -1 for the oldest waiting report.  BYW_PC_REPORTS reports
//             can wait; further ones are dropped.
//             ALLOC 1: a fill reads the hashes of f1_set_i and, with install_i, trains instead of
//             the decision, with the hash of its MSHR; its second step waits in the queue.
//             LOOK 1: the counter is read in the cycle of rd_en_i, and later steps do not change
//             the prediction.  sample_i and, with LOOK, duels_i are used with one cycle delay.
// Paper       002; mechanisms/pc_pred.md 5.1; rtl/doc/pc_pred.md.
// C twin      cmodel/model/policy/byw_pc_pred.c; checked by verif/policy/lockstep_pc_pred.c.
// Reset       rst_i: counters at initial_i, no dead load skipped, PSEL at its middle, no report.
//             Clearing the counters takes up to BYW_PC_CLEAR cycles, in which nothing trains.
//
// Parameter   Default  Range      Meaning
// ENTRIES, CTR_W  128, 4          number of counters, 2^n, 2..1024; their width, 1..8
// SHIFT       2        0..16      lowest PC bits, which are not hashed
// SETS, WAYS  32, 4               of the cache; below 8 sets duels_i has no effect
// MSHRS, TRACKERS  32, 64         of the L1D
// ALLOC, LOOK 0, 0     0, 1       1: allocate on fill; 1: counters are read with the set
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_pc_pred #(
  parameter integer ALLOC    = 0,
  parameter integer LOOK     = 0,
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
  input  wire               prior_i,        // a counter of 0 gives a line at the first touch
  input  wire [CTR_W-1:0]   threshold_i,
  input  wire [CTR_W-1:0]   initial_i,
  input  wire [10:0]        sample_i,       // 0..1024; 0: no sampling

  // set to read, one cycle ahead
  input  wire               rd_en_i,
  input  wire [SET_IW-1:0]  rd_set_i,

  // the load at the decision point, and its prediction
  input  wire [SET_IW-1:0]  set_i,
  input  wire [31:0]        pc_i,           // LOOK 1: PC of the load that moves in
  output wire [HASH_W-1:0]  hash_o,
  output wire [CTR_W-1:0]   counter_o,
  output wire               dead_o,
  output wire               hot_o,
  output wire               sampled_o,      // dead, but cached to learn
  output wire               overruled_o,    // dead, but its set does not bypass
  output wire               bypass_o,
  output wire [7:0]         psel_o,

  // pulses of the accepted decision; after one that trains or allocates, a set is read again
  input  wire               asked_i,        // a load that followed the prediction
  input  wire               evict_i,        // line way_i is evicted
  input  wire               reuse_i,        // a load hits way_i; with evict_i only if install_i
  // a load allocates line way_i, never with reuse_i; before that the hash of the line is undefined
  input  wire               take_i,
  input  wire [WAY_IW-1:0]  way_i,
  input  wire               miss_take_i,    // the load allocates MSHR miss_id_i
  input  wire [MSHR_IW-1:0] miss_id_i,
  input  wire               bypass_take_i,  // the load allocates tracker bypass_id_i
  input  wire [TRK_IW-1:0]  bypass_id_i,

  // responses that report a reuse after a bypass
  input  wire               fill_report_i,  // never with bypass_report_i
  input  wire [MSHR_IW-1:0] fill_id_i,
  input  wire               bypass_report_i,
  input  wire [TRK_IW-1:0]  bypass_rsp_id_i,

  // ALLOC 1: a fill that allocates its line; never with the pulses of a decision
  input  wire [SET_IW-1:0]  f1_set_i,
  input  wire               install_i,
  input  wire [SET_IW-1:0]  install_set_i,
  input  wire [MSHR_IW-1:0] install_mshr_i
);
  `include "byw_defs.vh"

  localparam integer PC_W     = 64;         // zeros above, so that three hash fields always fit
  localparam integer LANES    = (WAYS > 32) ? (WAYS + 31) & ~31 : WAYS; // as byw_ram_1r1w requires
  localparam integer ROWS     = (ENTRIES < BYW_PC_CLEAR) ? ENTRIES : BYW_PC_CLEAR;
  localparam integer ROW_IW   = $clog2(ROWS);
  localparam integer COLUMNS  = ENTRIES / ROWS;
  localparam integer WAIT_IW  = $clog2(BYW_PC_REPORTS); // ALLOC: halves, so that two can enter

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

  reg [HASH_W-1:0]   miss_q [0:MSHRS-1];
  reg [HASH_W-1:0]   bypass_hash_q [0:TRACKERS-1];
  reg                fresh_q;               // the set was written in the cycle of its read
  reg [WAY_IW-1:0]   fresh_way_q;
  reg [HASH_W-1:0]   fresh_hash_q;

  wire [PC_W-1:0]          bits = {{(PC_W-32){1'b0}}, pc_i} >> SHIFT;
  wire [LANES*HASH_W-1:0]  stored;                  // lanes beyond WAYS are never written
  wire [WAYS-1:0]          written;
  wire                     s2_reads;
  wire [SET_IW-1:0]        s2_reads_set;
  wire [HASH_W-1:0]        stored_hash, line_hash;  // hashes of line way_i
  wire [HASH_W-1:0]        report_hash = fill_report_i ? miss_q[fill_id_i]
                                                       : bypass_hash_q[bypass_rsp_id_i];
  wire                     report      = fill_report_i || bypass_report_i;
  wire                     installs    = (ALLOC != 0) && install_i;
  wire [HASH_W-1:0]        train_hash  = installs ? miss_q[install_mshr_i] : hash_o;
  wire [SET_IW-1:0]        train_set   = installs ? install_set_i : set_i;
  wire                     touch       = (reuse_i && !installs) || take_i;
  genvar                   g;

  // The prediction.
  wire [HASH_W-1:0] ask_hash = bits[0 +: HASH_W] ^ bits[HASH_W +: HASH_W] ^
                               bits[2*HASH_W +: HASH_W];
  wire [CTR_W-1:0]  ask_counter;
  wire              ask_dead, ask_hot;

  generate
    if (LOOK == 0) begin : gen_now
      assign hash_o    = ask_hash;
      assign counter_o = ask_counter;
      assign dead_o    = ask_dead;
      assign hot_o     = ask_hot;
    end else begin : gen_look
      reg [HASH_W-1:0] hash_q;
      reg [CTR_W-1:0]  counter_q;
      reg              dead_q, hot_q;
      always @(posedge clk_i) begin : p_ask
        if (rd_en_i) begin
          hash_q    <= ask_hash;
          counter_q <= ask_counter;
          dead_q    <= ask_dead;
          hot_q     <= ask_hot;
        end
      end
      assign hash_o    = hash_q;
      assign counter_o = counter_q;
      assign dead_o    = dead_q;
      assign hot_o     = hot_q;
    end
  endgenerate

  byw_pc_follow #(.LOOK(LOOK), .SETS(SETS)) u_follow (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // settings
    .duels_i(duels_i),
    .sample_i(sample_i),

    // LOOK 1: the load that moves to the decision point
    .rd_en_i(rd_en_i),
    .rd_set_i(rd_set_i),

    // the load at the decision point
    .set_i(set_i),
    .dead_i(dead_o),
    .asked_i(asked_i),
    .sampled_o(sampled_o),
    .overruled_o(overruled_o),
    .bypass_o(bypass_o),
    .psel_o(psel_o)
  );

  // The hash of each line, read with its set.
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      localparam [WAY_IW-1:0] NUMBER = g;
      assign written[g] = touch && (way_i == NUMBER);
    end
  endgenerate

  byw_ram_1r1w #(.DEPTH(SETS), .LANES(LANES), .LANE_W(HASH_W)) u_lines (
    .clk_i(clk_i), .rd_en_i(s2_reads), .rd_addr_i(s2_reads_set), .rd_data_o(stored),
    .wr_en_i(touch), .wr_addr_i(train_set), .wr_lane_i({{(LANES-WAYS){1'b0}}, written}),
    .wr_data_i({LANES{train_hash}})
  );
  byw_mux #(.N(WAYS), .W(HASH_W)) u_stored (
    .data_i(stored[0 +: WAYS*HASH_W]), .sel_i(way_i), .data_o(stored_hash)
  );

  always @(posedge clk_i) begin : p_fresh
    if (s2_reads) begin
      fresh_q      <= touch && (s2_reads_set == train_set);
      fresh_way_q  <= way_i;
      fresh_hash_q <= train_hash;
    end
  end

  wire              fresh   = fresh_q && (fresh_way_q == way_i);
  wire [HASH_W-1:0] s2_hash = fresh ? fresh_hash_q : stored_hash;

  // The fills have a second copy.  A fill can write a line of the set that waits in s2.  No
  // decision is made in that cycle, so the set is read again for s2.
  assign s2_reads     = rd_en_i || installs;
  assign s2_reads_set = ((ALLOC == 0) || rd_en_i) ? rd_set_i : set_i;

  generate
    if (ALLOC != 0) begin : gen_fill
      reg                     f2_fresh_q;
      reg  [WAY_IW-1:0]       f2_fresh_way_q;
      reg  [HASH_W-1:0]       f2_fresh_hash_q;
      wire [LANES*HASH_W-1:0] f2_stored;
      wire [HASH_W-1:0]       f2_hash;
      wire                    f2_fresh = f2_fresh_q && (f2_fresh_way_q == way_i);

      byw_ram_1r1w #(.DEPTH(SETS), .LANES(LANES), .LANE_W(HASH_W)) u_fill_lines (
        .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i(f1_set_i), .rd_data_o(f2_stored), .wr_en_i(touch),
        .wr_addr_i(train_set), .wr_lane_i({{(LANES-WAYS){1'b0}}, written}),
        .wr_data_i({LANES{train_hash}})
      );
      byw_mux #(.N(WAYS), .W(HASH_W)) u_fill_stored (
        .data_i(f2_stored[0 +: WAYS*HASH_W]), .sel_i(way_i), .data_o(f2_hash)
      );

      always @(posedge clk_i) begin : p_fill_fresh
        f2_fresh_q      <= touch && (f1_set_i == train_set);
        f2_fresh_way_q  <= way_i;
        f2_fresh_hash_q <= train_hash;
      end

      assign line_hash = !installs ? s2_hash : f2_fresh ? f2_fresh_hash_q : f2_hash;
      wire unused_stored = &{1'b0, f2_stored};
    end else begin : gen_no_fill
      wire unused_fill = &{1'b0, f1_set_i, install_i};
      assign line_hash = s2_hash;
    end
  endgenerate

  // The hash of each load in flight.
  always @(posedge clk_i) begin : p_flight
    if (miss_take_i) miss_q[miss_id_i] <= hash_o;
    if (bypass_take_i) bypass_hash_q[bypass_id_i] <= hash_o;
  end

  // The step of the next cycle: that of a decision, or the head of a ring.  With ALLOC the two
  // halves of the ring alternate, so that the second step of an install and a report can enter
  // together.  A reset puts ROWS entries into the ring; each of them clears the row of its number.
  // They fit, because BYW_PC_CLEAR <= BYW_PC_REPORTS.
  reg               step_q;
  reg               up_q;
  reg  [HASH_W-1:0] hash_q;
  reg  [WAIT_IW:0]  head_q, tail_q;         // the ring is full if only their highest bits differ
  reg               clears_q;

  wire              any     = head_q != tail_q;
  wire              full    = any && (head_q[WAIT_IW-1:0] == tail_q[WAIT_IW-1:0]);
  wire              both    = (ALLOC != 0) && evict_i && reuse_i;
  wire              push    = !clears_q && !full && (both || report);
  wire              push2;
  wire              decides = evict_i || reuse_i;
  wire              serves  = any && !clears_q && !decides;
  wire [HASH_W-1:0] head;                   // the oldest entry

  always @(posedge clk_i) begin : p_step
    step_q    <= !rst_i && !clears_q && (decides || any);
    up_q      <= evict_i;
    hash_q    <= !decides ? head : (installs && !evict_i) ? train_hash : line_hash;
    clears_q  <= rst_i || (clears_q && !(&head_q[ROW_IW-1:0]));
    tail_q    <= rst_i ? ROWS[WAIT_IW:0] : tail_q + {{(WAIT_IW-1){1'b0}}, push2, push && !push2};
  end

  // A ripple increment puts the reset into the LUTs of the adder.  No if statement: Yosys 0.23
  // fails if the read address is a register with a reset.
  wire             moves = serves || clears_q;
  wire [WAIT_IW:0] turns;

  generate
    for (g = 0; g <= WAIT_IW; g = g + 1) begin : gen_turn
      if (g == 0) begin : gen_low
        assign turns[g] = moves;
      end else begin : gen_high
        assign turns[g] = moves && (&head_q[g-1:0]);
      end
    end
  endgenerate

  always @(posedge clk_i) begin : p_head
    head_q <= (head_q ^ turns) & {(WAIT_IW+1){!rst_i}};
  end

  generate
    if (ALLOC == 0) begin : gen_ring
      reg  [HASH_W-1:0] wait_q [0:BYW_PC_REPORTS-1];
      always @(posedge clk_i) begin : p_wait
        if (push) wait_q[tail_q[WAIT_IW-1:0]] <= report_hash;
      end
      assign push2   = 1'b0;
      assign head    = wait_q[head_q[WAIT_IW-1:0]];
    end else begin : gen_halves
      wire [WAIT_IW-1:0]  after = tail_q[WAIT_IW-1:0] + 1'b1;
      wire [HASH_W-1:0]   first = both ? train_hash : report_hash;
      wire [2*HASH_W-1:0] halves;
      for (g = 0; g < 2; g = g + 1) begin : gen_half
        localparam [0:0] HALF = g;
        reg  [HASH_W-1:0]  wait_q [0:BYW_PC_REPORTS/2-1];
        wire               at_tail = tail_q[0] == HALF;
        wire [WAIT_IW-2:0] entry   = at_tail ? tail_q[WAIT_IW-1:1] : after[WAIT_IW-1:1];
        assign halves[g*HASH_W +: HASH_W] = wait_q[head_q[WAIT_IW-1:1]];
        always @(posedge clk_i) begin : p_wait
          if (at_tail ? push : push2) wait_q[entry] <= at_tail ? first : report_hash;
        end
      end
      assign push2   = !clears_q && both && report && !full &&
                       (after != head_q[WAIT_IW-1:0]);
      assign head    = head_q[0] ? halves[HASH_W +: HASH_W] : halves[0 +: HASH_W];
    end
  endgenerate

  // The counters, in columns of ROWS.  After a reset all columns are written row by row.
  reg  [CTR_W-1:0]  initial_q;
  wire [CTR_W-1:0]  asked, old;             // counters of ask_hash and hash_q
  wire [CTR_W-1:0]  stepped;                // a bit toggles if all lower ones are 1 (0 for down)
  wire [ROW_IW-1:0] row     = clears_q ? head_q[ROW_IW-1:0] : hash_q[ROW_IW-1:0];
  wire [CTR_W-1:0]  value   = clears_q ? initial_q : stepped;
  wire              changes = step_q && !(up_q ? &old : ~|old);
  wire [COLUMNS*CTR_W-1:0] asked_row, old_row;

  always @(posedge clk_i) begin : p_initial
    if (rst_i) initial_q <= initial_i;
  end

  generate
    for (g = 0; g < COLUMNS; g = g + 1) begin : gen_column
      reg  [CTR_W-1:0] counter_q [0:ROWS-1];
      wire             mine;
      assign asked_row[g*CTR_W +: CTR_W] = counter_q[ask_hash[ROW_IW-1:0]];
      assign old_row[g*CTR_W +: CTR_W]   = counter_q[hash_q[ROW_IW-1:0]];
      always @(posedge clk_i) begin : p_counter
        if (clears_q || (changes && mine)) counter_q[row] <= value;
      end
      if (COLUMNS > 1) begin : gen_mine
        localparam [HASH_W-ROW_IW-1:0] COLUMN = g;
        assign mine = hash_q[HASH_W-1:ROW_IW] == COLUMN;
      end else begin : gen_all
        assign mine = 1'b1;
      end
    end
    if (COLUMNS > 1) begin : gen_columns
      byw_mux #(.N(COLUMNS), .W(CTR_W), .TREE(1)) u_asked (
        .data_i(asked_row), .sel_i(ask_hash[HASH_W-1:ROW_IW]), .data_o(asked)
      );
      byw_mux #(.N(COLUMNS), .W(CTR_W), .TREE(1)) u_old (
        .data_i(old_row), .sel_i(hash_q[HASH_W-1:ROW_IW]), .data_o(old)
      );
    end else begin : gen_column_only
      assign asked  = asked_row;
      assign old    = old_row;
    end
  endgenerate

  generate
    for (g = 0; g < CTR_W; g = g + 1) begin : gen_step
      if (g == 0) begin : gen_low
        assign stepped[g] = !old[g];
      end else begin : gen_high
        assign stepped[g] = old[g] ^ (&(old[g-1:0] ^ {g{!up_q}}));
      end
    end
  endgenerate

  // The prediction includes this cycle's step if it is for the same counter.
  byw_pc_guess #(.CTR_W(CTR_W), .LOOK(LOOK)) u_guess (
    .asked_i(asked),
    .steps_i(step_q && (hash_q == ask_hash)),
    .up_i(up_q),
    .clears_i(clears_q),
    .initial_i(initial_q),
    .threshold_i(threshold_i),
    .prior_i(prior_i),

    .counter_o(ask_counter),
    .dead_o(ask_dead),
    .hot_o(ask_hot)
  );

  wire unused_ok = &{1'b0, bits, stored};

  `BYW_CHECKS
  `BYW_ASSUME(one_report_per_cycle, fill_report_i, !bypass_report_i)
  `BYW_ASSUME(line_is_reused_or_taken, take_i && !installs, !reuse_i)
`ifdef BYW_CHECKED
  wire [WAIT_IW:0] waiting = tail_q - head_q;
`endif
  `BYW_ASSERT(reports_within_the_ring, 1'b1, waiting <= BYW_PC_REPORTS)
endmodule

`default_nettype wire
