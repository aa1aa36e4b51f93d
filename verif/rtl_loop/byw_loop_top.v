// SPDX-License-Identifier: Apache-2.0
//
// byw_loop_top - byw_sm_l1 as the timing simulator hosts it: without data, counters and restarts.
//
// Behaviour   Every change of toggle_i is a clock cycle with the inputs that come with it; after it
//             the outputs are those of that cycle, except two_level_o, which is the next cycle's.
//             The settings are taken in a cycle of rst_i, so that reset takes two.  All data buses
//             are zero at the inputs and open at the outputs.
//             All of this is for speed: each cycle is one evaluation instead of two, logic of
//             constant inputs is not evaluated before the edge, and Verilator removes the data
//             paths, because the simulator has no data.
//
`default_nettype none
`include "byw_widths.vh"

module byw_loop_top #(
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
  parameter integer TRIAL        = 0,              // requires ALLOC 0 and LOOK 0
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
  parameter integer TRIAL_DEPTH          = `BYW_DEFAULT_TRIAL_DEPTH
) (
  input  wire                      toggle_i,
  input  wire                      rst_i,
  input  wire [31:0]               cfg_i,
  input  wire [31:0]               pc_cfg_i,
  input  wire [31:0]               tl_cfg_i,
  input  wire [31:0]               tl_window_i,
  input  wire [29:0]               tl_period_i,
  input  wire [30:0]               tl_bound_i,
  input  wire                      filter_on_i,
  input  wire                      kernel_start_i,
  input  wire [31:0]               kernel_pc_i,
  input  wire                      cta_placed_i,
  input  wire [6:0]                active_warps_i,
  input  wire                      req_valid_i,
  output reg                       req_ready_o,
  input  wire [2:0]                req_op_i,
  input  wire [LINE_W-1:0]         req_line_i,
  input  wire [LINE_BYTES-1:0]     req_bytes_i,
  input  wire [PC_W-1:0]           req_pc_i,
  input  wire [ID_W-1:0]           req_id_i,
  input  wire [7:0]                req_warp_i,
  input  wire [2:0]                req_hint_i,
  output reg                       rsp_valid_o,
  input  wire                      rsp_ready_i,
  output reg  [ID_W-1:0]           rsp_id_o,
  output reg  [2:0]                rsp_served_o,
  output reg                       rsp_error_o,
  output reg                       mem_req_valid_o,
  input  wire                      mem_req_ready_i,
  output reg  [1:0]                mem_req_kind_o,
  output reg                       mem_req_write_o,
  output reg                       mem_req_bypass_o,
  output reg                       mem_req_atomic_o,
  output reg  [LINE_W-1:0]         mem_req_line_o,
  output reg  [LINE_BYTES-1:0]     mem_req_bytes_o,
  output reg  [PC_W-1:0]           mem_req_pc_o,
  output reg  [ID_W-1:0]           mem_req_id_o,
  output reg                       mem_req_predicted_o,
  input  wire                      mem_rsp_valid_i,
  output reg                       mem_rsp_ready_o,
  input  wire [1:0]                mem_rsp_kind_i,
  input  wire [ID_W-1:0]           mem_rsp_id_i,
  input  wire                      mem_rsp_error_i,
  input  wire                      mem_rsp_mispredict_i,
  output reg                       idle_o,
  output reg  [`BYW_EV_W-1:0]      events_o,
  output reg  [`BYW_PEV_W-1:0]     policy_events_o,
  output reg  [7:0]                pc_counter_o,
  output wire [2:0]                two_level_o,
  output reg  [4:0]                trial_events_o
);
  reg                     done_q;      // toggle_i of the last cycle
  wire                    clk = toggle_i ^ done_q;
  reg  [31:0]             cfg_q;
  reg  [31:0]             pc_cfg_q;
  reg  [31:0]             tl_cfg_q;
  reg  [31:0]             tl_window_q;
  reg  [29:0]             tl_period_q;
  reg  [30:0]             tl_bound_q;
  wire                    req_ready;
  wire                    rsp_valid;
  wire [ID_W-1:0]         rsp_id;
  wire [2:0]              rsp_served;
  wire                    rsp_error;
  wire                    mem_req_valid;
  wire [1:0]              mem_req_kind;
  wire                    mem_req_write;
  wire                    mem_req_bypass;
  wire                    mem_req_atomic;
  wire [LINE_W-1:0]       mem_req_line;
  wire [LINE_BYTES-1:0]   mem_req_bytes;
  wire [PC_W-1:0]         mem_req_pc;
  wire [ID_W-1:0]         mem_req_id;
  wire                    mem_req_predicted;
  wire                    mem_rsp_ready;
  wire                    idle;
  wire [`BYW_EV_W-1:0]    events;
  wire [`BYW_PEV_W-1:0]   policy_events;
  wire [7:0]              pc_counter;
  wire [LINE_BYTES*8-1:0] rsp_data, mem_req_data;
  wire                    count_valid;
  wire [63:0]             count_data;
  wire                    func, unused_beat, unused_more;
  wire [4:0]              trial_events;
  wire                    unused_ok = &{1'b0, rsp_data, mem_req_data, count_valid, count_data, func,
                                      unused_beat, unused_more};

  always @(posedge clk) begin : p_done
    done_q <= toggle_i;
  end

  always @(posedge clk) begin : p_settings
    if (rst_i) begin
      cfg_q       <= cfg_i;
      pc_cfg_q    <= pc_cfg_i;
      tl_cfg_q    <= tl_cfg_i;
      tl_window_q <= tl_window_i;
      tl_period_q <= tl_period_i;
      tl_bound_q  <= tl_bound_i;
    end
  end

  always @(posedge clk) begin : p_outputs
    req_ready_o         <= req_ready;
    rsp_valid_o         <= rsp_valid;
    rsp_id_o            <= rsp_id;
    rsp_served_o        <= rsp_served;
    rsp_error_o         <= rsp_error;
    mem_req_valid_o     <= mem_req_valid;
    mem_req_kind_o      <= mem_req_kind;
    mem_req_write_o     <= mem_req_write;
    mem_req_bypass_o    <= mem_req_bypass;
    mem_req_atomic_o    <= mem_req_atomic;
    mem_req_line_o      <= mem_req_line;
    mem_req_bytes_o     <= mem_req_bytes;
    mem_req_pc_o        <= mem_req_pc;
    mem_req_id_o        <= mem_req_id;
    mem_req_predicted_o <= mem_req_predicted;
    mem_rsp_ready_o     <= mem_rsp_ready;
    idle_o              <= idle;
    events_o            <= events;
    policy_events_o     <= policy_events;
    pc_counter_o        <= pc_counter;
    trial_events_o      <= trial_events;
  end

  byw_sm_l1 #(
    .ALLOC(ALLOC), .SECTORS(SECTORS), .SETS(SETS), .DATA_WAYS(DATA_WAYS),
    .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(INDEX), .REPL(REPL),
    .LOOK(LOOK), .RC_W(RC_W), .MSHRS(MSHRS), .MERGES(MERGES),
    .MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH), .TRACKERS(TRACKERS), .ID_W(ID_W),
    .PC_W(PC_W), .PC_PRED(PC_PRED), .PC_ENTRIES(PC_ENTRIES), .PC_BITS(PC_BITS),
    .PC_SHIFT(PC_SHIFT), .STATS(0), .WARP_W(8),
    .TRIAL(((ALLOC == 0) && (LOOK == 0)) ? TRIAL : 0),
    .TRIAL_WINDOW(TRIAL_WINDOW), .TRIAL_REUSE_PCT(TRIAL_REUSE_PCT),
    .TRIAL_CONFIRM(TRIAL_CONFIRM),
    .TRIAL_WINDOWS(TRIAL_WINDOWS), .TRIAL_MARGIN_PCT(TRIAL_MARGIN_PCT),
    .TRIAL_OVERTIME_PCT(TRIAL_OVERTIME_PCT), .TRIAL_REST(TRIAL_REST),
    .TRIAL_DOUBLINGS(TRIAL_DOUBLINGS), .TRIAL_DISTANCE(TRIAL_DISTANCE),
    .TRIAL_STEP(TRIAL_STEP), .TRIAL_LINE_WINDOW(TRIAL_LINE_WINDOW),
    .TRIAL_LINE_REUSE_PCT(TRIAL_LINE_REUSE_PCT), .TRIAL_RUN_PCT(TRIAL_RUN_PCT),
    .TRIAL_QUEUES(TRIAL_QUEUES), .TRIAL_DEPTH(TRIAL_DEPTH)
  ) u_sm (
    .clk_i(clk), .rst_i(rst_i), .cfg_i(cfg_q), .pc_cfg_i(pc_cfg_q), .tl_cfg_i(tl_cfg_q),
    .tl_window_i(tl_window_q), .tl_period_i(tl_period_q), .tl_bound_i(tl_bound_q),
    .restart_i(1'b0), .filter_on_i(filter_on_i), .kernel_start_i(kernel_start_i),
    .kernel_pc_i(kernel_pc_i), .cta_placed_i(cta_placed_i), .active_warps_i(active_warps_i),
    .req_valid_i(req_valid_i), .req_ready_o(req_ready), .req_op_i(req_op_i),
    .req_line_i(req_line_i), .req_beat_i(1'b0), .req_more_i(1'b0), .req_bytes_i(req_bytes_i),
    .req_data_i({LINE_BYTES*8{1'b0}}), .req_pc_i(req_pc_i), .req_id_i(req_id_i),
    .req_warp_i(req_warp_i), .req_hint_i(req_hint_i), .req_func_i(1'b0), .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready_i), .rsp_data_o(rsp_data), .rsp_id_o(rsp_id), .rsp_served_o(rsp_served),
    .rsp_error_o(rsp_error), .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_kind_o(mem_req_kind), .mem_req_write_o(mem_req_write),
    .mem_req_bypass_o(mem_req_bypass), .mem_req_atomic_o(mem_req_atomic),
    .mem_req_line_o(mem_req_line), .mem_req_beat_o(unused_beat), .mem_req_more_o(unused_more),
    .mem_req_bytes_o(mem_req_bytes), .mem_req_data_o(mem_req_data), .mem_req_pc_o(mem_req_pc),
    .mem_req_id_o(mem_req_id), .mem_req_predicted_o(mem_req_predicted), .mem_req_func_o(func),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready),
    .mem_rsp_kind_i(mem_rsp_kind_i), .mem_rsp_data_i({LINE_BYTES*8{1'b0}}),
    .mem_rsp_id_i(mem_rsp_id_i), .mem_rsp_error_i(mem_rsp_error_i),
    .mem_rsp_mispredict_i(mem_rsp_mispredict_i), .idle_o(idle), .events_o(events),
    .policy_events_o(policy_events), .pc_counter_o(pc_counter), .two_level_o(two_level_o),
    .trial_events_o(trial_events), .count_req_i(1'b0), .count_sel_i(8'd0),
    .count_valid_o(count_valid), .count_data_o(count_data)
  );
endmodule

`default_nettype wire
