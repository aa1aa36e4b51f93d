// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_l1 - byw_sm_l1 for the self-test: a mechanism that the configuration leaves out is tied
//               to a constant, so that synthesis removes it.
//
// Behaviour   As byw_sm_l1.  With all switches 0 it is a plain cache: as many tags as lines, and
//             one tracker, which atomics and volatile loads need.
//
// Parameter   Default  Range   Meaning
// BYPASS      1        0, 1    1: TRACKERS trackers; bypass mode, hints, stall bypass
// FILTER      1        0, 1    1: locality filter, twice as many tags as lines (needs BYPASS)
// TWO_LEVEL   1        0, 1    1: two-level bypass (needs BYPASS)
// PC_PRED     1        0, 1    1: PC predictor (needs BYPASS)
// STATS       1        0, 1    1: event counters
// BEAT_BYTES and all others as in byw_sm_l1.
//
`default_nettype none
`include "byw_widths.vh"

module byw_fpga_l1 #(
  parameter integer BYPASS       = 1,
  parameter integer FILTER       = 1,
  parameter integer TWO_LEVEL    = 1,
  parameter integer PC_PRED      = 1,
  parameter integer STATS        = 1,
  parameter integer SETS         = 32,
  parameter integer DATA_WAYS    = 4,
  parameter integer LINE_BYTES   = 128,
  parameter integer LINE_W       = 29,
  parameter integer INDEX        = 0,
  parameter integer LOOK         = 0,
  parameter integer MSHRS        = `BYW_DEFAULT_MSHRS,
  parameter integer MERGES       = `BYW_DEFAULT_MERGES,
  parameter integer MISS_DEPTH   = `BYW_DEFAULT_MISS_DEPTH,
  parameter integer BYPASS_DEPTH = `BYW_DEFAULT_BYPASS_DEPTH,
  parameter integer TRACKERS     = `BYW_DEFAULT_TRACKERS,
  parameter integer ID_W         = 16,
  parameter integer PC_W         = 32,
  parameter integer BEAT_BYTES   = 0,
  // both are derived from the others
  parameter integer PORT_BYTES   = (BEAT_BYTES > 0) ? BEAT_BYTES : LINE_BYTES,
  parameter integer BEAT_PW      = (PORT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/PORT_BYTES) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire [31:0]             cfg_i,
  input  wire [31:0]             pc_cfg_i,
  input  wire [31:0]             tl_cfg_i,
  input  wire [31:0]             tl_window_i,
  input  wire [29:0]             tl_period_i,
  input  wire [30:0]             tl_bound_i,
  input  wire                    restart_i,
  input  wire                    filter_on_i,
  input  wire                    kernel_start_i,
  input  wire [31:0]             kernel_pc_i,
  input  wire                    cta_placed_i,
  input  wire [6:0]              active_warps_i,
  input  wire                    req_valid_i,
  output wire                    req_ready_o,
  input  wire [2:0]              req_op_i,
  input  wire [LINE_W-1:0]       req_line_i,
  input  wire [BEAT_PW-1:0]      req_beat_i,
  input  wire                    req_more_i,
  input  wire [PORT_BYTES-1:0]   req_bytes_i,
  input  wire [PORT_BYTES*8-1:0] req_data_i,
  input  wire [PC_W-1:0]         req_pc_i,
  input  wire [ID_W-1:0]         req_id_i,
  input  wire [2:0]              req_hint_i,
  output wire                    rsp_valid_o,
  input  wire                    rsp_ready_i,
  output wire [PORT_BYTES*8-1:0] rsp_data_o,
  output wire [ID_W-1:0]         rsp_id_o,
  output wire [2:0]              rsp_served_o,
  output wire                    rsp_error_o,
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire [1:0]              mem_req_kind_o,
  output wire                    mem_req_write_o,
  output wire                    mem_req_bypass_o,
  output wire                    mem_req_atomic_o,
  output wire [LINE_W-1:0]       mem_req_line_o,
  output wire [BEAT_PW-1:0]      mem_req_beat_o,
  output wire                    mem_req_more_o,
  output wire [PORT_BYTES-1:0]   mem_req_bytes_o,
  output wire [PORT_BYTES*8-1:0] mem_req_data_o,
  output wire [PC_W-1:0]         mem_req_pc_o,
  output wire [ID_W-1:0]         mem_req_id_o,
  output wire                    mem_req_predicted_o,
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [1:0]              mem_rsp_kind_i,
  input  wire [PORT_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [ID_W-1:0]         mem_rsp_id_i,
  input  wire                    mem_rsp_error_i,
  input  wire                    mem_rsp_mispredict_i,
  output wire                    idle_o,
  output wire [`BYW_EV_W-1:0]    events_o,
  output wire [`BYW_PEV_W-1:0]   policy_events_o,
  output wire [7:0]              pc_counter_o,
  output wire [2:0]              two_level_o,
  input  wire                    count_req_i,
  input  wire [7:0]              count_sel_i,
  output wire                    count_valid_o,
  output wire [63:0]             count_data_o
);
  `include "byw_defs.vh"

  localparam [31:0] STORE  = 32'd1 << BYW_CFG_STORE_UPDATE_LSB;
  localparam [31:0] STALL  = 32'd3 << BYW_CFG_STALL_BYPASS_LSB;
  localparam [31:0] BYPASSED = (32'd1 << BYW_CFG_MODE_LSB) | (32'd3 << BYW_CFG_BYP_ON_HIT_LSB) |
                               STALL;
  localparam [31:0] KEPT   = (FILTER != 0) ? 32'hffff_ffff :
                             (STORE | ((BYPASS != 0) ? BYPASSED : 32'd0));

  wire unused_func;
  wire [4:0] unused_trial;

  byw_sm_l1 #(
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .TAG_WAYS((FILTER != 0) ? 2 * DATA_WAYS : DATA_WAYS),
    .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(INDEX), .LOOK(LOOK), .MSHRS(MSHRS),
    .MERGES(MERGES), .MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH),
    .TRACKERS((BYPASS != 0) ? TRACKERS : 1), .ID_W(ID_W), .PC_W(PC_W), .PC_PRED(PC_PRED),
    .STATS(STATS), .BEAT_BYTES(BEAT_BYTES)
  ) u_sm_l1 (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_i & KEPT),
    .pc_cfg_i((PC_PRED != 0) ? pc_cfg_i : 32'd0), .tl_cfg_i((TWO_LEVEL != 0) ? tl_cfg_i : 32'd0),
    .tl_window_i((TWO_LEVEL != 0) ? tl_window_i : 32'd0),
    .tl_period_i((TWO_LEVEL != 0) ? tl_period_i : 30'd0),
    .tl_bound_i((TWO_LEVEL != 0) ? tl_bound_i : 31'd0), .restart_i(restart_i),
    .filter_on_i(filter_on_i && (FILTER != 0)), .kernel_start_i(kernel_start_i),
    .kernel_pc_i(kernel_pc_i), .cta_placed_i(cta_placed_i), .active_warps_i(active_warps_i),
    .req_valid_i(req_valid_i), .req_ready_o(req_ready_o), .req_op_i(req_op_i),
    .req_line_i(req_line_i), .req_beat_i(req_beat_i), .req_more_i(req_more_i),
    .req_bytes_i(req_bytes_i), .req_data_i(req_data_i), .req_pc_i(req_pc_i), .req_id_i(req_id_i),
    .req_warp_i(6'd0), .req_hint_i((BYPASS != 0) ? req_hint_i : 3'd0), .req_func_i(1'b0),
    .rsp_valid_o(rsp_valid_o), .rsp_ready_i(rsp_ready_i), .rsp_data_o(rsp_data_o),
    .rsp_id_o(rsp_id_o), .rsp_served_o(rsp_served_o), .rsp_error_o(rsp_error_o),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_kind_o(mem_req_kind_o), .mem_req_write_o(mem_req_write_o),
    .mem_req_bypass_o(mem_req_bypass_o), .mem_req_atomic_o(mem_req_atomic_o),
    .mem_req_line_o(mem_req_line_o), .mem_req_beat_o(mem_req_beat_o),
    .mem_req_more_o(mem_req_more_o), .mem_req_bytes_o(mem_req_bytes_o),
    .mem_req_data_o(mem_req_data_o), .mem_req_pc_o(mem_req_pc_o), .mem_req_id_o(mem_req_id_o),
    .mem_req_predicted_o(mem_req_predicted_o), .mem_req_func_o(unused_func),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_kind_i(mem_rsp_kind_i), .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_id_i(mem_rsp_id_i),
    .mem_rsp_error_i(mem_rsp_error_i), .mem_rsp_mispredict_i(mem_rsp_mispredict_i),
    .idle_o(idle_o), .events_o(events_o), .policy_events_o(policy_events_o),
    .pc_counter_o(pc_counter_o), .two_level_o(two_level_o), .trial_events_o(unused_trial),
    .count_req_i(count_req_i), .count_sel_i(count_sel_i), .count_valid_o(count_valid_o),
    .count_data_o(count_data_o)
  );
endmodule

`default_nettype wire
