// SPDX-License-Identifier: Apache-2.0
//
// byw_synth_l1 - the cache of one SM with a switch per mechanism, to measure the area of each:
// synthesis removes what a switch ties to a constant.
//
// Behaviour   With all switches 0 it is a plain cache: as many tags as lines, and one tracker,
//             which atomics need.  The counters of byw_stats are not a mechanism and are omitted.
//
// Parameter   Default  Range   Meaning
// SETS, LINE_BYTES, BEAT_BYTES, INDEX, MERGES  32, 32, 0, 1, 8   as in byw_l1d
// BYPASS      1        0, 1    1: 64 trackers; the mode that bypasses every load
// HINTS       1        0, 1    1: software hints (needs BYPASS)
// STALL       1        0, 1    1: stall bypass (needs BYPASS)
// FILTER      1        0, 1    1: locality filter and twice as many tags as lines (needs BYPASS)
// DUEL        1        0, 1    1: SM dueling: the whole unit, once (needs FILTER)
// TWO_LEVEL   1        0, 1    1: WOMU, MRMU, BDU (needs BYPASS)
// PC_PRED     1        0, 1    1: PC predictor (needs BYPASS)
// TRIAL       0        0, 1    1: trials (needs BYPASS)
// LOOK        0        0, 1    1: look stage (not a mechanism), see byw_l1d
//
`default_nettype none
`include "byw_widths.vh"

module byw_synth_l1 #(
  parameter integer SETS       = `BYW_DEFAULT_SETS,
  parameter integer LINE_BYTES = 32,
  parameter integer BEAT_BYTES = 0,
  parameter integer INDEX      = 1,
  parameter integer MERGES     = `BYW_DEFAULT_MERGES,
  parameter integer BYPASS     = 1,
  parameter integer HINTS      = 1,
  parameter integer STALL      = 1,
  parameter integer FILTER     = 1,
  parameter integer DUEL       = 1,
  parameter integer TWO_LEVEL  = 1,
  parameter integer PC_PRED    = 1,
  parameter integer TRIAL      = 0,
  parameter integer LOOK       = 0,
  // derived, as are the next
  parameter integer PORT_BYTES = (BEAT_BYTES > 0) ? BEAT_BYTES : LINE_BYTES,
  parameter integer BEAT_PW    = (PORT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/PORT_BYTES) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire [31:0]             cfg_i,
  input  wire [31:0]             pc_cfg_i,
  input  wire [31:0]             tl_cfg_i,
  input  wire [31:0]             tl_window_i,
  input  wire [29:0]             tl_period_i,
  input  wire [30:0]             tl_bound_i,
  input  wire [73:0]             duel_i,
  input  wire [1:0]              leader_i,
  input  wire                    filter_on_i,
  input  wire                    kernel_start_i,
  input  wire [31:0]             kernel_pc_i,
  input  wire                    cta_placed_i,
  input  wire [6:0]              active_warps_i,
  input  wire                    req_valid_i,
  output wire                    req_ready_o,
  input  wire [2:0]              req_op_i,
  input  wire [28:0]             req_line_i,
  input  wire [BEAT_PW-1:0]      req_beat_i,
  input  wire                    req_more_i,
  input  wire [PORT_BYTES-1:0]   req_bytes_i,
  input  wire [PORT_BYTES*8-1:0] req_data_i,
  input  wire [31:0]             req_pc_i,
  input  wire [15:0]             req_id_i,
  input  wire [5:0]              req_warp_i,
  input  wire [2:0]              req_hint_i,
  output wire                    rsp_valid_o,
  input  wire                    rsp_ready_i,
  output wire [PORT_BYTES*8-1:0] rsp_data_o,
  output wire [15:0]             rsp_id_o,
  output wire [2:0]              rsp_served_o,
  output wire                    rsp_error_o,
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire [1:0]              mem_req_kind_o,
  output wire                    mem_req_write_o,
  output wire                    mem_req_bypass_o,
  output wire                    mem_req_atomic_o,
  output wire [28:0]             mem_req_line_o,
  output wire [BEAT_PW-1:0]      mem_req_beat_o,
  output wire                    mem_req_more_o,
  output wire [PORT_BYTES-1:0]   mem_req_bytes_o,
  output wire [PORT_BYTES*8-1:0] mem_req_data_o,
  output wire [31:0]             mem_req_pc_o,
  output wire [15:0]             mem_req_id_o,
  output wire                    mem_req_predicted_o,
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [1:0]              mem_rsp_kind_i,
  input  wire [PORT_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [15:0]             mem_rsp_id_i,
  input  wire                    mem_rsp_error_i,
  input  wire                    mem_rsp_mispredict_i,
  output wire                    idle_o,
  output wire [`BYW_EV_W-1:0]    events_o
);
  `include "byw_defs.vh"

  localparam [31:0] BASE_CFG   = 32'd1 << BYW_CFG_STORE_UPDATE_LSB;
  localparam [31:0] BYPASS_CFG = (32'd1 << BYW_CFG_MODE_LSB) | (32'd3 << BYW_CFG_BYP_ON_HIT_LSB);
  localparam [31:0] STALL_CFG  = 32'd3 << BYW_CFG_STALL_BYPASS_LSB;
  localparam [31:0] KEPT_CFG   = BASE_CFG | ((BYPASS != 0) ? BYPASS_CFG : 32'd0) |
                                 ((STALL != 0) ? STALL_CFG : 32'd0) |
                                 ((FILTER != 0) ? ~STALL_CFG : 32'd0);

  wire        filter_on, mode_bypass;
  wire [`BYW_PEV_W-1:0] policy_events;
  wire [7:0]  pc_counter;
  wire [1:0]  parity;
  wire        unused_policy = &{1'b0, policy_events, pc_counter, parity};

  generate
    if (DUEL != 0) begin : gen_duel
      wire [3:0]  votes;
      wire [19:0] cycle;
      wire        leading;
      byw_sm_duel u_duel (
        .clk_i(clk_i), .rst_i(rst_i), .restart_i(kernel_start_i), .interval_i(duel_i[19:0]),
        .hold_i(duel_i[71:52]), .all_follow_i(duel_i[72]), .by_loads_i(duel_i[73]),
        .margin_i(duel_i[26:20]), .min_accesses_i(duel_i[46:27]), .hysteresis_i(duel_i[50:47]),
        .bypass_is_miss_i(duel_i[51]), .initial_on_i(leader_i[0]),
        .load_i(leader_i & {2{events_o[BYW_EV_LOAD]}}), .miss_i({2{events_o[BYW_EV_MISS]}}),
        .bypass_i({2{events_o[BYW_EV_BYPASS]}}), .on_o(filter_on), .leading_o(leading),
        .votes_o(votes), .cycle_o(cycle)
      );
      wire unused_duel = &{1'b0, votes, cycle, leading};
    end else begin : gen_no_duel
      assign filter_on = filter_on_i && (FILTER != 0);
    end
    if (TWO_LEVEL != 0) begin : gen_two_level
      wire [`BYW_PEV_W-1:0] tl_events;
      wire [2:0]  tl_state;
      byw_two_level u_two_level (
        .clk_i(clk_i), .rst_i(rst_i), .two_level_i(tl_cfg_i), .window_i(tl_window_i),
        .period_i(tl_period_i), .bound_i(tl_bound_i), .kernel_start_i(kernel_start_i),
        .kernel_pc_i(kernel_pc_i), .cta_placed_i(cta_placed_i), .active_warps_i(active_warps_i),
        .events_i(events_o), .bypass_o(mode_bypass), .events_o(tl_events), .state_o(tl_state)
      );
      wire unused_tl = &{1'b0, tl_events, tl_state};
    end else begin : gen_no_two_level
      assign mode_bypass = 1'b0;
    end
  endgenerate

  wire        unused_func, l1d_valid, l1d_ready, l1d_idle, protect, protected_load;
  wire [31:0] cfg;
  wire [2:0]  l1d_op, l1d_hint;
  wire [28:0] l1d_line;
  wire [PORT_BYTES-1:0] l1d_bytes;
  wire [31:0] l1d_pc;
  wire [15:0] l1d_id;
  wire [4:0]  trial_events;
  wire [31:0] trial_cfg = (cfg_i & KEPT_CFG) | (32'd1 << BYW_CFG_TRIAL_LSB);

  generate
    if (TRIAL != 0) begin : gen_trial
      byw_sm_trial #(.REST_W(3 + 29 + PORT_BYTES + 32 + 16)) u_trial (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_i(trial_cfg), .cfg_o(cfg), .protect_o(protect),
        .events_i(events_o), .protected_i(protected_load), .req_valid_i(req_valid_i),
        .req_ready_o(req_ready_o), .req_op_i(req_op_i), .req_warp_i(req_warp_i),
        .req_rest_i({req_hint_i, req_line_i, req_bytes_i, req_pc_i, req_id_i}),
        .l1d_valid_o(l1d_valid), .l1d_ready_i(l1d_ready), .l1d_op_o(l1d_op),
        .l1d_rest_o({l1d_hint, l1d_line, l1d_bytes, l1d_pc, l1d_id}), .l1d_idle_i(l1d_idle),
        .idle_o(idle_o), .events_o(trial_events)
      );
    end else begin : gen_no_trial
      assign cfg         = cfg_i & KEPT_CFG;
      assign protect     = 1'b0;
      assign l1d_valid   = req_valid_i;
      assign req_ready_o = l1d_ready;
      assign {l1d_op, l1d_hint, l1d_line, l1d_bytes, l1d_pc, l1d_id} =
        {req_op_i, req_hint_i, req_line_i, req_bytes_i, req_pc_i, req_id_i};
      assign idle_o       = l1d_idle;
      assign trial_events = 5'd0;
      wire unused_trial = &{1'b0, req_warp_i, trial_cfg, protected_load};
    end
  endgenerate
  wire unused_events = &{1'b0, trial_events};

  byw_l1d #(
    .SETS(SETS), .TAG_WAYS((FILTER != 0) ? 8 : 4), .LINE_BYTES(LINE_BYTES),
    .BEAT_BYTES(BEAT_BYTES), .INDEX(INDEX), .MERGES(MERGES), .LINE_W(29),
    .TRACKERS((BYPASS != 0) ? 64 : 1), .PC_PRED(PC_PRED), .LOOK(LOOK), .TRIAL(TRIAL)
  ) u_l1d (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg), .filter_on_i(filter_on), .protect_i(protect),
    .protected_o(protected_load), .kernel_start_i(kernel_start_i), .bypass_i(mode_bypass),
    .pc_cfg_i((PC_PRED != 0) ? pc_cfg_i : 32'd0), .req_valid_i(l1d_valid), .req_ready_o(l1d_ready),
    .req_op_i(l1d_op), .req_line_i(l1d_line), .req_beat_i(req_beat_i), .req_more_i(req_more_i),
    .req_bytes_i(l1d_bytes), .req_data_i(req_data_i), .req_pc_i(l1d_pc), .req_id_i(l1d_id),
    .req_hint_i((HINTS != 0) ? l1d_hint : 3'd0), .req_func_i(1'b0), .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i), .rsp_data_o(rsp_data_o), .rsp_id_o(rsp_id_o),
    .rsp_served_o(rsp_served_o), .rsp_error_o(rsp_error_o), .mem_req_valid_o(mem_req_valid_o),
    .mem_req_ready_i(mem_req_ready_i), .mem_req_kind_o(mem_req_kind_o),
    .mem_req_write_o(mem_req_write_o), .mem_req_bypass_o(mem_req_bypass_o),
    .mem_req_atomic_o(mem_req_atomic_o), .mem_req_line_o(mem_req_line_o),
    .mem_req_beat_o(mem_req_beat_o), .mem_req_more_o(mem_req_more_o),
    .mem_req_bytes_o(mem_req_bytes_o), .mem_req_data_o(mem_req_data_o), .mem_req_pc_o(mem_req_pc_o),
    .mem_req_id_o(mem_req_id_o), .mem_req_predicted_o(mem_req_predicted_o),
    .mem_req_func_o(unused_func), .mem_rsp_valid_i(mem_rsp_valid_i),
    .mem_rsp_ready_o(mem_rsp_ready_o), .mem_rsp_kind_i(mem_rsp_kind_i),
    .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_id_i(mem_rsp_id_i), .mem_rsp_error_i(mem_rsp_error_i),
    .mem_rsp_mispredict_i(mem_rsp_mispredict_i), .idle_o(l1d_idle), .events_o(events_o),
    .policy_events_o(policy_events), .pc_counter_o(pc_counter), .parity_o(parity)
  );
endmodule

`default_nettype wire
