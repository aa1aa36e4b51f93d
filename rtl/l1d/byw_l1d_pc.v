// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_pc - the PC predictor inside the L1D, and the event pulses of the bypass mechanisms.
//
// Behaviour   A load in s2 that asks (policy_asks_i, not taken in bypass mode) gets a prediction.
//             The accepted decision and an accepted response train byw_pc_pred.  policy_events_o
//             holds the pulses of this cycle, bit BYW_PEV_*; of the two-level bits only the
//             bypassed loads are set here.  With ENABLE off, or without the predictor, no load asks
//             and nothing is trained.
// Paper       002; mechanisms/pc_pred.md 5.1; rtl/doc/pc_pred.md, l1d_pipeline.md.
// C twin      cmodel/model/l1d/byw_l1d_pc.c; checked by verif/l1d/lockstep_l1d.c.
// Reset       rst_i: as byw_pc_pred.
//
// Parameter   Default  Range      Meaning
// PC_PRED     1        0, 1       1: the predictor exists
// PC_ENTRIES  128      2..1024    number of counters, a power of two
// PC_BITS     4        1..8       width of a counter
// PC_SHIFT    2        0..16      lowest PC bits, which are not hashed
// ALLOC       0        0, 1       0 allocate on miss; 1 on fill: a line gets its hash when it is
//                                 installed, and a load that merges does not count as a reuse
// SETS, DATA_WAYS, MSHRS, TRACKERS, PC_W as in byw_l1d
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_pc #(
  parameter integer ALLOC      = 0,
  parameter integer LOOK       = 0,
  parameter integer PC_PRED    = 1,
  parameter integer PC_ENTRIES = `BYW_DEFAULT_PC_ENTRIES,
  parameter integer PC_BITS    = `BYW_DEFAULT_PC_BITS,
  parameter integer PC_SHIFT   = `BYW_DEFAULT_PC_SHIFT,
  parameter integer SETS       = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS  = `BYW_DEFAULT_DATA_WAYS,
  parameter integer MSHRS      = `BYW_DEFAULT_MSHRS,
  parameter integer TRACKERS   = `BYW_DEFAULT_TRACKERS,
  parameter integer PC_W       = 32,
  parameter integer SET_IW     = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW     = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer MSHR_IW    = (MSHRS > 1) ? $clog2(MSHRS) : 1,
  parameter integer TRACKER_IW = (TRACKERS > 1) ? $clog2(TRACKERS) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire [31:0]           pc_cfg_i,            // BYW_PC_PRED_* of byw_csr.def

  // the set that moves from s1 into s2
  input  wire                  s1_move_i,
  input  wire [SET_IW-1:0]     s1_set_i,

  // the request in s2, and the advice to byw_policy
  input  wire [SET_IW-1:0]     set_i,
  input  wire [PC_W-1:0]       pc_i,                // LOOK 1: PC of the request in look
  input  wire                  load_i,
  input  wire                  more_i,              // the load continues an access
  input  wire                  bypass_i,            // the load was taken in bypass mode
  input  wire                  policy_asks_i,
  output wire                  on_o,                // allocate on miss: dead_o and hot_o include it
  output wire                  dead_o,
  output wire                  hot_o,
  output wire [7:0]            counter_o,           // counter of its PC

  // the decision
  input  wire                  accept_i,
  input  wire                  found_i,             // valid with accept_i: its line is present
  input  wire                  drops_i,             // valid with accept_i: its line is given up
  input  wire                  leaves_i,            // valid with accept_i: evicts the line of way_i
  input  wire [`BYW_CAUSE_W-1:0] cause_i,             // BYW_CAUSE_*
  input  wire [WAY_IW-1:0]     way_i,
  input  wire                  alloc_i,
  input  wire [MSHR_IW-1:0]    alloc_mshr_i,
  input  wire                  send_bypass_i,
  input  wire [TRACKER_IW-1:0] bypass_tracker_i,

  // an accepted response
  input  wire                  fill_taken_i,
  input  wire [MSHR_IW-1:0]    fill_mshr_i,
  input  wire                  give_i,              // the response to a bypass
  input  wire [TRACKER_IW-1:0] give_tracker_i,
  input  wire                  mispredict_i,        // the response reports a reuse

  // allocate on fill: the fills in f1 and f2; otherwise all 0
  input  wire [SET_IW-1:0]     f1_set_i,
  input  wire                  install_i,           // never with accept_i
  input  wire [SET_IW-1:0]     install_set_i,
  input  wire [MSHR_IW-1:0]    install_mshr_i,
  input  wire                  install_new_i,       // the line was absent
  input  wire                  install_leaves_i,    // another line is evicted
  input  wire                  install_merged_i,    // the fill serves further loads, too
  input  wire [WAY_IW-1:0]     install_way_i,

  output reg  [`BYW_PEV_W-1:0] policy_events_o      // bit BYW_PEV_*
);
  `include "byw_defs.vh"

  generate
    if ((PC_PRED != 0) && (PC_PRED != 1)) begin : gen_check_pc_pred
      byw_l1d_pc_PC_PRED_must_be_0_or_1 u_error ();
    end
    if (PC_W > 32) begin : gen_check_pc
      byw_l1d_pc_PC_W_must_be_at_most_32 u_error ();
    end
  endgenerate

  wire on, asks, evicts, finds, reports, sampled, overruled;

  assign on_o = on;

  generate
    if (PC_PRED != 0) begin : gen_predictor
      localparam integer HASH_W = $clog2(PC_ENTRIES);

      wire [HASH_W-1:0]  hash;
      wire [PC_BITS-1:0] counter;
      wire [7:0]         psel;
      wire [31:0]        pc = {{(32-PC_W){1'b0}}, pc_i};
      wire               dead, hot, bypass;
      wire               installs = (ALLOC != 0) && on && install_i;

      assign on      = pc_cfg_i[BYW_PC_PRED_ENABLE_LSB];
      assign asks    = on && policy_asks_i && !bypass_i;
      // With allocate on miss, byw_policy asks only if the predictor is on.
      assign dead_o  = bypass && ((ALLOC == 0) || asks);
      assign hot_o   = hot && ((ALLOC == 0) || asks);
      assign evicts  = (on && accept_i && leaves_i &&
                        (!drops_i || pc_cfg_i[BYW_PC_PRED_INV_TRAINS_LSB])) ||
                       (installs && install_leaves_i);
      assign finds   = (on && accept_i && load_i && !more_i && found_i) ||
                       (installs && install_merged_i);
      assign reports = on && mispredict_i && (fill_taken_i || give_i);

      byw_pc_pred #(
        .ALLOC(ALLOC), .LOOK(LOOK), .ENTRIES(PC_ENTRIES), .CTR_W(PC_BITS), .SHIFT(PC_SHIFT),
        .SETS(SETS), .WAYS(DATA_WAYS), .MSHRS(MSHRS), .TRACKERS(TRACKERS)
      ) u_pred (
        .clk_i(clk_i),
        .rst_i(rst_i),

        // settings
        .duels_i(pc_cfg_i[BYW_PC_PRED_DUEL_LSB]),
        .prior_i(pc_cfg_i[BYW_PC_PRED_PRIOR_LSB]),
        .threshold_i(pc_cfg_i[BYW_PC_PRED_THRESHOLD_LSB +: PC_BITS]),
        .initial_i(pc_cfg_i[BYW_PC_PRED_INITIAL_LSB +: PC_BITS]),
        .sample_i(pc_cfg_i[BYW_PC_PRED_SAMPLE_LSB +: BYW_PC_PRED_SAMPLE_W]),

        // set to read, one cycle ahead
        .rd_en_i(s1_move_i),
        .rd_set_i(s1_set_i),

        // the load at the decision point, and its prediction
        .set_i(set_i),
        .pc_i(pc),
        .hash_o(hash),
        .counter_o(counter),
        .dead_o(dead),
        .hot_o(hot),
        .sampled_o(sampled),
        .overruled_o(overruled),
        .bypass_o(bypass),
        .psel_o(psel),

        // pulses of the accepted decision; after one that trains or allocates, a set is read again
        .asked_i(asks && accept_i),
        .evict_i(evicts),
        .reuse_i(finds),
        .take_i((ALLOC != 0) ? installs && install_new_i : on && alloc_i),
        .way_i(installs ? install_way_i : way_i),
        .miss_take_i(on && alloc_i),
        .miss_id_i(alloc_mshr_i),
        .bypass_take_i(on && send_bypass_i),
        .bypass_id_i(bypass_tracker_i),

        // responses that report a reuse after a bypass
        .fill_report_i(reports && fill_taken_i),
        .fill_id_i(fill_mshr_i),
        .bypass_report_i(reports && give_i),
        .bypass_rsp_id_i(give_tracker_i),

        // ALLOC 1: a fill that allocates its line; never with the pulses of a decision
        .f1_set_i(f1_set_i),
        .install_i(installs),
        .install_set_i(install_set_i),
        .install_mshr_i(install_mshr_i)
      );

      assign counter_o = {{(8-PC_BITS){1'b0}}, counter};

      wire unused_ok = &{1'b0, pc_cfg_i, hash, dead, psel};
    end else begin : gen_none
      assign {on, asks, evicts, finds, reports, sampled, overruled} = 7'd0;
      assign {dead_o, hot_o} = 2'd0;
      assign counter_o       = 8'd0;

      wire unused_ok = &{1'b0, clk_i, rst_i, pc_cfg_i, s1_move_i, s1_set_i, set_i, pc_i, load_i,
                         bypass_i, policy_asks_i, found_i, drops_i, leaves_i, way_i, alloc_i,
                         alloc_mshr_i, send_bypass_i, bypass_tracker_i, fill_taken_i,
                         fill_mshr_i, give_i, give_tracker_i, mispredict_i, f1_set_i, install_i,
                         install_set_i, install_mshr_i, install_new_i, install_leaves_i,
                         install_merged_i, install_way_i, ALLOC[0], LOOK[0], PC_ENTRIES[0],
                         PC_BITS[0], PC_SHIFT[0], on};
    end
  endgenerate

  wire asked = asks && accept_i;

  always @* begin : p_events
    policy_events_o                       = {`BYW_PEV_W{1'b0}};
    policy_events_o[BYW_PEV_TL_BYPASS]    = accept_i && !more_i && (cause_i == BYW_CAUSE_MODE);
    policy_events_o[BYW_PEV_PC_ASK]       = asked;
    policy_events_o[BYW_PEV_PC_BYPASS]    = accept_i && (cause_i == BYW_CAUSE_DEAD);
    policy_events_o[BYW_PEV_PC_SAMPLE]    = asked && sampled;
    policy_events_o[BYW_PEV_PC_OVERRULED] = asked && overruled;
    policy_events_o[BYW_PEV_PC_HOT]       = asked && hot_o;
    policy_events_o[BYW_PEV_PC_DEAD]      = evicts;
    policy_events_o[BYW_PEV_PC_REUSED]    = finds;
    policy_events_o[BYW_PEV_PC_MISPREDICT] = reports;
    policy_events_o[BYW_PEV_STALL_BYPASS] = accept_i && !more_i && (cause_i == BYW_CAUSE_STALL);
  end

  `BYW_CHECKS
  `BYW_ASSUME(no_decision_in_an_install, install_i, !accept_i)
  `BYW_ASSERT(predictor_that_is_off_advises_nothing, !on_o && (ALLOC != 0), !dead_o && !hot_o)
  `BYW_ASSERT(trains_only_on_an_event, policy_events_o[BYW_PEV_PC_ASK], accept_i)
endmodule

`default_nettype wire
