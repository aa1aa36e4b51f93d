// SPDX-License-Identifier: Apache-2.0
//
// byw_cluster - the L1s of N SMs with SM dueling and registers: the module to instantiate in a GPU.
//
// Behaviour   One byw_sm_l1 per SM; field g of a port belongs to SM g.  In mode decoupled with
//             dueling off, all SMs filter.  With dueling on, they follow byw_sm_duel: SM 0 is the
//             leader that filters, SM 1 the leader that does not.  With DUEL.CROSSOVER they follow
//             byw_cross_duel instead.  All settings and counters are accessed over the csr bus
//             (byw_csr, rtl/doc/csr.md), which acts on all SMs alike; the SMs share nothing else.
//             While dueling is unused, both units are held in their initial state.
// Paper       000, section 4.3; rtl/doc/cluster.md.
// C twin      cmodel/model/top/byw_cluster.c; checked by verif/top/lockstep_cluster.c.
// Reset       rst_i, for at least two cycles: the registers take the reset values of their table.
//             The caches are then empty; the PC predictor has its initial counters and dueling its
//             initial decision, both from the registers.  Event counters are zero.
//
// Parameter   Default  Range    Meaning
// SMS         4        1..255   number of SMs
// All others as in byw_sm_l1.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_cluster #(
  parameter integer SMS          = 4,
  parameter integer ALLOC        = 0,
  parameter integer SECTORS      = 1,
  parameter integer SETS         = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS    = `BYW_DEFAULT_DATA_WAYS,
  parameter integer TAG_WAYS     = `BYW_DEFAULT_TAG_WAYS,
  parameter integer LINE_BYTES   = `BYW_DEFAULT_LINE_BYTES,
  parameter integer LINE_W       = 33,
  parameter integer INDEX        = 1,
  parameter integer REPL         = 0,
  parameter integer LOOK         = 0,
  parameter integer RC_W         = `BYW_DEFAULT_RC_W,
  parameter integer MSHRS        = `BYW_DEFAULT_MSHRS,
  parameter integer MERGES       = `BYW_DEFAULT_MERGES,
  parameter integer MISS_DEPTH   = `BYW_DEFAULT_MISS_DEPTH,
  parameter integer BYPASS_DEPTH = `BYW_DEFAULT_BYPASS_DEPTH,
  parameter integer TRACKERS     = `BYW_DEFAULT_TRACKERS,
  parameter integer ID_W         = 16,
  parameter integer PC_W         = 32,
  parameter integer PC_PRED      = 1,
  parameter integer PC_ENTRIES   = `BYW_DEFAULT_PC_ENTRIES,
  parameter integer PC_BITS      = `BYW_DEFAULT_PC_BITS,
  parameter integer PC_SHIFT     = `BYW_DEFAULT_PC_SHIFT,
  parameter integer STATS        = 1,
  parameter integer ORDER        = `BYW_DEFAULT_ORDER,
  parameter integer IN_FLIGHT    = `BYW_DEFAULT_IN_FLIGHT,
  parameter integer STORE_IDS    = `BYW_DEFAULT_STORE_IDS,
  parameter integer FENCE        = `BYW_DEFAULT_FENCE,
  parameter integer UNCACHED     = `BYW_DEFAULT_UNCACHED,
  parameter integer FUNC_W       = `BYW_DEFAULT_FUNC_W,
  parameter integer PARITY       = `BYW_DEFAULT_PARITY,
  parameter integer WARP_W       = 6,
  parameter integer TRIAL        = 0,
  parameter integer TRIAL_WINDOW         = `BYW_DEFAULT_TRIAL_WINDOW,
  parameter integer TRIAL_REUSE_PCT      = `BYW_DEFAULT_TRIAL_REUSE_PCT,
  parameter integer TRIAL_CONFIRM        = `BYW_DEFAULT_TRIAL_CONFIRM,
  parameter integer TRIAL_WINDOWS        = `BYW_DEFAULT_TRIAL_WINDOWS,
  parameter integer TRIAL_MARGIN_PCT     = `BYW_DEFAULT_TRIAL_MARGIN_PCT,
  parameter integer TRIAL_OVERTIME_PCT   = `BYW_DEFAULT_TRIAL_OVERTIME_PCT,
  parameter integer TRIAL_REST           = `BYW_DEFAULT_TRIAL_REST,
  parameter integer TRIAL_DOUBLINGS      = `BYW_DEFAULT_TRIAL_DOUBLINGS,
  parameter integer TRIAL_DISTANCE       = `BYW_DEFAULT_TRIAL_DISTANCE,
  parameter integer TRIAL_STEP           = `BYW_DEFAULT_TRIAL_STEP,
  parameter integer TRIAL_LINE_WINDOW    = `BYW_DEFAULT_TRIAL_LINE_WINDOW,
  parameter integer TRIAL_LINE_REUSE_PCT = `BYW_DEFAULT_TRIAL_LINE_REUSE_PCT,
  parameter integer TRIAL_RUN_PCT        = `BYW_DEFAULT_TRIAL_RUN_PCT,
  parameter integer TRIAL_QUEUES         = `BYW_DEFAULT_TRIAL_QUEUES,
  parameter integer TRIAL_DEPTH          = `BYW_DEFAULT_TRIAL_DEPTH,
  parameter integer FUNC_PW      = (FUNC_W > 0) ? FUNC_W : 1    // derived, must not be set
) (
  input  wire                        clk_i,
  input  wire                        rst_i,

  // csr: register bus of all SMs
  input  wire                        csr_req_valid_i,
  output wire                        csr_req_ready_o,
  input  wire                        csr_req_write_i,
  input  wire [11:0]                 csr_req_addr_i,    // byte address
  input  wire [31:0]                 csr_req_data_i,
  output wire                        csr_rsp_valid_o,
  input  wire                        csr_rsp_ready_i,
  output wire [31:0]                 csr_rsp_data_o,
  output wire                        csr_rsp_error_o,

  // ctrl: inputs of this cycle
  input  wire [SMS-1:0]              kernel_start_i,    // pulse
  input  wire [SMS*32-1:0]           kernel_pc_i,       // with kernel_start_i: its entry PC
  input  wire [SMS-1:0]              cta_placed_i,      // pulse
  input  wire [SMS*7-1:0]            active_warps_i,    // 0..64, with a decoded instruction

  // req: requests from the coalescer
  input  wire [SMS-1:0]              req_valid_i,
  output wire [SMS-1:0]              req_ready_o,
  input  wire [SMS*3-1:0]            req_op_i,          // BYW_OP_*
  input  wire [SMS*LINE_W-1:0]       req_line_i,
  input  wire [SMS*LINE_BYTES-1:0]   req_bytes_i,
  input  wire [SMS*LINE_BYTES*8-1:0] req_data_i,
  input  wire [SMS*PC_W-1:0]         req_pc_i,
  input  wire [SMS*ID_W-1:0]         req_id_i,
  input  wire [SMS*WARP_W-1:0]       req_warp_i,        // used if TRIAL 1
  input  wire [SMS*3-1:0]            req_hint_i,        // BYW_HINT_*; BYW_FENCE_* for a fence
  input  wire [SMS*FUNC_PW-1:0]      req_func_i,        // passed through to memory

  // rsp: responses to the requester
  output wire [SMS-1:0]              rsp_valid_o,
  input  wire [SMS-1:0]              rsp_ready_i,
  output wire [SMS*LINE_BYTES*8-1:0] rsp_data_o,
  output wire [SMS*ID_W-1:0]         rsp_id_o,
  output wire [SMS*3-1:0]            rsp_served_o,      // BYW_SERVED_*
  output wire [SMS-1:0]              rsp_error_o,

  // mem_req: requests to the crossbar
  output wire [SMS-1:0]              mem_req_valid_o,
  input  wire [SMS-1:0]              mem_req_ready_i,
  output wire [SMS*2-1:0]            mem_req_kind_o,    // BYW_MEM_*
  output wire [SMS-1:0]              mem_req_write_o,
  output wire [SMS-1:0]              mem_req_bypass_o,
  output wire [SMS-1:0]              mem_req_atomic_o,
  output wire [SMS*LINE_W-1:0]       mem_req_line_o,
  output wire [SMS*LINE_BYTES-1:0]   mem_req_bytes_o,
  output wire [SMS*LINE_BYTES*8-1:0] mem_req_data_o,
  output wire [SMS*PC_W-1:0]         mem_req_pc_o,
  output wire [SMS*ID_W-1:0]         mem_req_id_o,
  output wire [SMS-1:0]              mem_req_predicted_o,
  output wire [SMS*FUNC_PW-1:0]      mem_req_func_o,

  // mem_rsp: responses from the crossbar
  input  wire [SMS-1:0]              mem_rsp_valid_i,
  output wire [SMS-1:0]              mem_rsp_ready_o,
  input  wire [SMS*2-1:0]            mem_rsp_kind_i,    // BYW_MEM_*
  input  wire [SMS*LINE_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [SMS*ID_W-1:0]         mem_rsp_id_i,
  input  wire [SMS-1:0]              mem_rsp_error_i,
  input  wire [SMS-1:0]              mem_rsp_mispredict_i,

  output wire [SMS-1:0]              idle_o,            // nothing in flight
  output wire [SMS-1:0]              filter_on_o,
  output wire [SMS*`BYW_EV_W-1:0]    events_o,          // bit BYW_EV_*
  output wire [SMS*`BYW_PEV_W-1:0]   policy_events_o,   // bit BYW_PEV_*
  output wire [SMS*3-1:0]            two_level_o,       // bit BYW_TL_*
  output wire [SMS*5-1:0]            trial_events_o     // bit BYW_TRIAL_EV_*
);
  `include "byw_defs.vh"

  generate
    if ((SMS < 1) || (SMS > 255)) begin : gen_check_sms
      byw_cluster_SMS_must_be_1_to_255 u_error ();
    end
  endgenerate

  localparam integer LEADER1 = (SMS > 1) ? 1 : 0;

  // ---- registers
  wire        kernel_start, duel_restart, reset, restart;
  wire        duel_enable, duel_initial_on, duel_bypass_is_miss, duel_by_loads, duel_all_follow,
              duel_crossover;
  wire        duel_on;
  wire [31:0] policy, pc_pred, two_level, two_level_window, kernel_pc;
  wire [30:0] two_level_bound;
  wire [29:0] two_level_period;
  wire [19:0] duel_interval, duel_hold, duel_min_accesses, duel_settle;
  wire [7:0]  duel_speedup;
  wire [6:0]  duel_margin, duel_noise;
  wire [3:0]  duel_hysteresis, duel_votes;
  wire        count_req, count_valid;
  wire [7:0]  count_sm, count_sel;
  wire [63:0] count_data;

  byw_csr #(.SMS(SMS)) u_csr (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // req: one access
    .req_valid_i(csr_req_valid_i),
    .req_ready_o(csr_req_ready_o),
    .req_write_i(csr_req_write_i),
    .req_addr_i(csr_req_addr_i),
    .req_data_i(csr_req_data_i),

    // rsp: its answer
    .rsp_valid_o(csr_rsp_valid_o),
    .rsp_ready_i(csr_rsp_ready_i),
    .rsp_data_o(csr_rsp_data_o),
    .rsp_error_o(csr_rsp_error_o),

    // inputs from the cluster
    .idle_i(&idle_o),
    .duel_on_i(duel_on),
    .duel_votes_i(duel_votes),

    // outputs to the cluster
    .kernel_start_o(kernel_start),
    .kernel_pc_o(kernel_pc),
    .duel_restart_o(duel_restart),
    .reset_o(reset),
    .restart_o(restart),
    .policy_o(policy),
    .pc_pred_o(pc_pred),
    .two_level_o(two_level),
    .two_level_window_o(two_level_window),
    .two_level_period_o(two_level_period),
    .two_level_bound_o(two_level_bound),
    .duel_enable_o(duel_enable),
    .duel_initial_on_o(duel_initial_on),
    .duel_bypass_is_miss_o(duel_bypass_is_miss),
    .duel_by_loads_o(duel_by_loads),
    .duel_all_follow_o(duel_all_follow),
    .duel_crossover_o(duel_crossover),
    .duel_hysteresis_o(duel_hysteresis),
    .duel_margin_o(duel_margin),
    .duel_speedup_o(duel_speedup),
    .duel_noise_o(duel_noise),
    .duel_interval_o(duel_interval),
    .duel_hold_o(duel_hold),
    .duel_settle_o(duel_settle),
    .duel_min_accesses_o(duel_min_accesses),

    // read of one counter: count_req_o stays until count_valid_i
    .count_req_o(count_req),
    .count_sm_o(count_sm),
    .count_sel_o(count_sel),
    .count_valid_i(count_valid),
    .count_data_i(count_data)
  );

  wire [1:0] mode      = policy[BYW_CFG_MODE_LSB +: 2];
  wire       decoupled = mode == BYW_MODE_DECOUPLED;
  wire       dueling   = decoupled && duel_enable;

  // ---- dueling: pulses of the two leaders.  A single SM has no rival, so no sample can vote
  wire [1:0] load, miss, bypass;

  assign load   = {(SMS > 1) && events_o[LEADER1*`BYW_EV_W + BYW_EV_LOAD], events_o[BYW_EV_LOAD]};
  assign miss   = {events_o[LEADER1*`BYW_EV_W + BYW_EV_MISS], events_o[BYW_EV_MISS]};
  assign bypass = {events_o[LEADER1*`BYW_EV_W + BYW_EV_BYPASS], events_o[BYW_EV_BYPASS]};

  wire        duel_rests = duel_restart || reset || !dueling;
  wire        literal_on, leading, cross_on;
  wire [3:0]  literal_votes, cross_votes;
  wire [19:0] literal_cycle;
  wire [20:0] cross_cycle;

  assign duel_on    = duel_crossover ? cross_on : literal_on;
  assign duel_votes = duel_crossover ? cross_votes : literal_votes;

  byw_sm_duel u_duel (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .restart_i(duel_rests || duel_crossover),

    // settings
    .interval_i(duel_interval),
    .hold_i(duel_hold),
    .all_follow_i(duel_all_follow),
    .by_loads_i(duel_by_loads),
    .margin_i(duel_margin),
    .min_accesses_i(duel_min_accesses),
    .hysteresis_i(duel_hysteresis),
    .bypass_is_miss_i(duel_bypass_is_miss),
    .initial_on_i(duel_initial_on),

    // event pulses of the leaders in this cycle
    .load_i(load),
    .miss_i(miss),
    .bypass_i(bypass),

    .on_o(literal_on),
    .leading_o(leading),
    .votes_o(literal_votes),
    .cycle_o(literal_cycle)
  );

  // Crossover dueling chooses its leaders among all SMs.  The unit that is not selected rests.
  wire [SMS-1:0] loads, misses, bypasses, cross_filter;

  byw_cross_duel #(.SMS(SMS)) u_cross (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .restart_i(duel_rests || !duel_crossover),

    // settings
    .interval_i(duel_interval),
    .settle_i(duel_settle),
    .hold_i(duel_hold),
    .min_loads_i(duel_min_accesses),
    .margin_i(duel_margin),
    .speedup_i(duel_speedup),
    .noise_i(duel_noise),
    .hysteresis_i(duel_hysteresis),
    .initial_on_i(duel_initial_on),

    // event pulses of every SM in this cycle
    .load_i(loads),
    .miss_i(misses),
    .bypass_i(bypasses),

    .filter_o(cross_filter),
    .on_o(cross_on),
    .votes_o(cross_votes),
    .cycle_o(cross_cycle)
  );

  // ---- the SMs; only the SM whose counter is read responds
  wire              sm_rst = rst_i || reset;
  wire [SMS-1:0]    sm_count_valid;
  wire [SMS*64-1:0] sm_count_data;
  wire [SMS*8-1:0]  pc_counter;
  genvar            g;

  generate
    for (g = 0; g < SMS; g = g + 1) begin : gen_sm
      localparam integer NUMBER = g;

      wire leads   = (g < 2) && leading;
      wire literal = leads ? (g == 0) : duel_on;
      wire unused_beat, unused_more;
      wire unused_beats = &{1'b0, unused_beat, unused_more};

      assign filter_on_o[g] = decoupled &&
                              (!dueling || (duel_crossover ? cross_filter[g] : literal));
      assign loads[g]       = events_o[g*`BYW_EV_W + BYW_EV_LOAD];
      assign misses[g]      = events_o[g*`BYW_EV_W + BYW_EV_MISS];
      assign bypasses[g]    = events_o[g*`BYW_EV_W + BYW_EV_BYPASS];

      byw_sm_l1 #(
        .ALLOC(ALLOC), .SECTORS(SECTORS), .SETS(SETS), .DATA_WAYS(DATA_WAYS),
        .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(INDEX),
        .REPL(REPL), .LOOK(LOOK), .RC_W(RC_W), .MSHRS(MSHRS),
        .MERGES(MERGES), .MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH),
        .TRACKERS(TRACKERS), .ID_W(ID_W), .PC_W(PC_W), .PC_PRED(PC_PRED),
        .PC_ENTRIES(PC_ENTRIES), .PC_BITS(PC_BITS), .PC_SHIFT(PC_SHIFT), .STATS(STATS),
        .ORDER(ORDER), .IN_FLIGHT(IN_FLIGHT), .STORE_IDS(STORE_IDS), .FENCE(FENCE),
        .UNCACHED(UNCACHED), .FUNC_W(FUNC_W), .PARITY(PARITY), .WARP_W(WARP_W), .TRIAL(TRIAL),
        .TRIAL_WINDOW(TRIAL_WINDOW), .TRIAL_REUSE_PCT(TRIAL_REUSE_PCT),
        .TRIAL_CONFIRM(TRIAL_CONFIRM),
        .TRIAL_WINDOWS(TRIAL_WINDOWS), .TRIAL_MARGIN_PCT(TRIAL_MARGIN_PCT),
        .TRIAL_OVERTIME_PCT(TRIAL_OVERTIME_PCT), .TRIAL_REST(TRIAL_REST),
        .TRIAL_DOUBLINGS(TRIAL_DOUBLINGS), .TRIAL_DISTANCE(TRIAL_DISTANCE),
        .TRIAL_STEP(TRIAL_STEP), .TRIAL_LINE_WINDOW(TRIAL_LINE_WINDOW),
        .TRIAL_LINE_REUSE_PCT(TRIAL_LINE_REUSE_PCT), .TRIAL_RUN_PCT(TRIAL_RUN_PCT),
        .TRIAL_QUEUES(TRIAL_QUEUES), .TRIAL_DEPTH(TRIAL_DEPTH)
      ) u_sm (
        .clk_i(clk_i),
        .rst_i(sm_rst),

        // settings: registers of byw_csr, which change only together with rst_i or restart_i
        .cfg_i(policy),
        .pc_cfg_i(pc_pred),
        .tl_cfg_i(two_level),
        .tl_window_i(two_level_window),
        .tl_period_i(two_level_period),
        .tl_bound_i(two_level_bound),
        .restart_i(restart),

        // ctrl: inputs of this cycle
        .filter_on_i(filter_on_o[g]),
        .kernel_start_i(kernel_start_i[g] || kernel_start),
        .kernel_pc_i(kernel_start_i[g] ? kernel_pc_i[g*32 +: 32] : kernel_pc),
        .cta_placed_i(cta_placed_i[g]),
        .active_warps_i(active_warps_i[g*7 +: 7]),

        // req: requests from the coalescer
        .req_valid_i(req_valid_i[g]),
        .req_ready_o(req_ready_o[g]),
        .req_op_i(req_op_i[g*3 +: 3]),
        .req_line_i(req_line_i[g*LINE_W +: LINE_W]),
        .req_beat_i(1'b0),
        .req_more_i(1'b0),
        .req_bytes_i(req_bytes_i[g*LINE_BYTES +: LINE_BYTES]),
        .req_data_i(req_data_i[g*LINE_BYTES*8 +: LINE_BYTES*8]),
        .req_pc_i(req_pc_i[g*PC_W +: PC_W]),
        .req_id_i(req_id_i[g*ID_W +: ID_W]),
        .req_warp_i(req_warp_i[g*WARP_W +: WARP_W]),
        .req_hint_i(req_hint_i[g*3 +: 3]),
        .req_func_i(req_func_i[g*FUNC_PW +: FUNC_PW]),

        // rsp: responses to the requester
        .rsp_valid_o(rsp_valid_o[g]),
        .rsp_ready_i(rsp_ready_i[g]),
        .rsp_data_o(rsp_data_o[g*LINE_BYTES*8 +: LINE_BYTES*8]),
        .rsp_id_o(rsp_id_o[g*ID_W +: ID_W]),
        .rsp_served_o(rsp_served_o[g*3 +: 3]),
        .rsp_error_o(rsp_error_o[g]),

        // mem_req: requests to the crossbar
        .mem_req_valid_o(mem_req_valid_o[g]),
        .mem_req_ready_i(mem_req_ready_i[g]),
        .mem_req_kind_o(mem_req_kind_o[g*2 +: 2]),
        .mem_req_write_o(mem_req_write_o[g]),
        .mem_req_bypass_o(mem_req_bypass_o[g]),
        .mem_req_atomic_o(mem_req_atomic_o[g]),
        .mem_req_line_o(mem_req_line_o[g*LINE_W +: LINE_W]),
        .mem_req_beat_o(unused_beat),
        .mem_req_more_o(unused_more),
        .mem_req_bytes_o(mem_req_bytes_o[g*LINE_BYTES +: LINE_BYTES]),
        .mem_req_data_o(mem_req_data_o[g*LINE_BYTES*8 +: LINE_BYTES*8]),
        .mem_req_pc_o(mem_req_pc_o[g*PC_W +: PC_W]),
        .mem_req_id_o(mem_req_id_o[g*ID_W +: ID_W]),
        .mem_req_predicted_o(mem_req_predicted_o[g]),
        .mem_req_func_o(mem_req_func_o[g*FUNC_PW +: FUNC_PW]),

        // mem_rsp: responses from the crossbar
        .mem_rsp_valid_i(mem_rsp_valid_i[g]),
        .mem_rsp_ready_o(mem_rsp_ready_o[g]),
        .mem_rsp_kind_i(mem_rsp_kind_i[g*2 +: 2]),
        .mem_rsp_data_i(mem_rsp_data_i[g*LINE_BYTES*8 +: LINE_BYTES*8]),
        .mem_rsp_id_i(mem_rsp_id_i[g*ID_W +: ID_W]),
        .mem_rsp_error_i(mem_rsp_error_i[g]),
        .mem_rsp_mispredict_i(mem_rsp_mispredict_i[g]),

        .idle_o(idle_o[g]),
        .events_o(events_o[g*`BYW_EV_W +: `BYW_EV_W]),
        .policy_events_o(policy_events_o[g*`BYW_PEV_W +: `BYW_PEV_W]),
        .pc_counter_o(pc_counter[g*8 +: 8]),
        .two_level_o(two_level_o[g*3 +: 3]),
        .trial_events_o(trial_events_o[g*5 +: 5]),

        // read of one counter
        .count_req_i(count_req && (count_sm == NUMBER[7:0])),
        .count_sel_i(count_sel),
        .count_valid_o(sm_count_valid[g]),
        .count_data_o(sm_count_data[g*64 +: 64])
      );
    end
  endgenerate

  byw_mux #(.N(SMS), .W(64), .SEL_W(8)) u_count (
    .data_i(sm_count_data), .sel_i(count_sm), .data_o(count_data)
  );

  assign count_valid = (|sm_count_valid) || (count_req && (count_sm >= SMS[7:0]));

  wire unused_ok = &{1'b0, policy, literal_cycle, cross_cycle, pc_counter};

  `BYW_CHECKS
  `BYW_ASSERT(filter_is_for_mode_decoupled, !decoupled, filter_on_o == {SMS{1'b0}})
  `BYW_ASSERT(all_filter_without_dueling, decoupled && !dueling, filter_on_o == {SMS{1'b1}})
endmodule

`default_nettype wire
