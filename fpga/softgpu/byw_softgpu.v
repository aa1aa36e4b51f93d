// SPDX-License-Identifier: Apache-2.0
//
// byw_softgpu - a test-sized GPU: one SM of byw_gpu_core, byw_lane_coalescer and byw_sm_l1.
//
// Behaviour   The host writes program and parameters and then starts a kernel of ctas_i CTAs.  The
//             kernel is complete when idle_o is 1 again.  (While running_o is 0, stores that no
//             fence waited for may still be in flight.)  A start drops all lines of the cache.
//             Settings and memory port are those of byw_sm_l1.
// Reset       rst_i: idle, empty cache.
//
// Parameter   Default  Range   Meaning
// LANES, WARPS, DEPTH, PROGRAM  as in byw_gpu_core; SLOTS as in byw_lane_coalescer
// ADDR_W      20       20..32  width of a byte address
// All others as in byw_sm_l1; ID_W must hold slot, MSHR and tracker numbers.
//
`default_nettype none
`include "byw_widths.vh"

module byw_softgpu #(
  parameter integer LANES        = 4,
  parameter integer WARPS        = 4,
  parameter integer DEPTH        = 8,
  parameter integer PROGRAM      = 256,
  parameter integer SLOTS        = 16,
  parameter integer ADDR_W       = 20,
  parameter integer SETS         = 8,
  parameter integer DATA_WAYS    = 2,
  parameter integer TAG_WAYS     = 4,
  parameter integer LINE_BYTES   = 32,
  parameter integer RC_W         = `BYW_DEFAULT_RC_W,
  parameter integer LOOK         = 0,
  parameter integer MSHRS        = 8,
  parameter integer MERGES       = 4,
  parameter integer MISS_DEPTH   = 4,
  parameter integer BYPASS_DEPTH = 4,
  parameter integer TRACKERS     = 8,
  parameter integer ID_W         = 8,
  parameter integer PC_PRED      = 1,
  parameter integer PC_ENTRIES   = 64,
  parameter integer PC_BITS      = `BYW_DEFAULT_PC_BITS,
  parameter integer STATS        = 1,
  parameter integer ORDER        = `BYW_DEFAULT_ORDER,
  parameter integer IN_FLIGHT    = `BYW_DEFAULT_IN_FLIGHT,
  parameter integer PC_W         = $clog2(PROGRAM),
  parameter integer LINE_W       = ADDR_W - $clog2(LINE_BYTES)
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // host
  input  wire                    program_we_i,
  input  wire [PC_W-1:0]         program_addr_i,
  input  wire [31:0]             program_data_i,
  input  wire                    param_we_i,
  input  wire [3:0]              param_addr_i,
  input  wire [31:0]             param_data_i,
  input  wire                    start_i,            // pulse while idle_o is 1
  input  wire [PC_W-1:0]         start_pc_i,
  input  wire [15:0]             ctas_i,             // constant until idle_o
  output wire                    running_o,
  output wire                    idle_o,
  output wire [2:0]              fault_o,
  output wire [PC_W-1:0]         fault_pc_o,

  // settings and counters of the cache
  input  wire [31:0]             cfg_i,
  input  wire [31:0]             pc_cfg_i,
  input  wire [31:0]             tl_cfg_i,
  input  wire [31:0]             tl_window_i,
  input  wire [29:0]             tl_period_i,
  input  wire [30:0]             tl_bound_i,
  input  wire                    restart_i,
  input  wire                    filter_on_i,
  input  wire                    count_req_i,
  input  wire [7:0]              count_sel_i,
  output wire                    count_valid_o,
  output wire [63:0]             count_data_o,

  // memory
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire [1:0]              mem_req_kind_o,
  output wire                    mem_req_write_o,
  output wire                    mem_req_bypass_o,
  output wire                    mem_req_atomic_o,
  output wire [LINE_W-1:0]       mem_req_line_o,
  output wire [LINE_BYTES-1:0]   mem_req_bytes_o,
  output wire [LINE_BYTES*8-1:0] mem_req_data_o,
  output wire [PC_W+1:0]         mem_req_pc_o,
  output wire [ID_W-1:0]         mem_req_id_o,
  output wire                    mem_req_predicted_o,
  output wire [1:0]              mem_req_func_o,     // operation of an atomic: add, swap, min, max
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [1:0]              mem_rsp_kind_i,
  input  wire [LINE_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [ID_W-1:0]         mem_rsp_id_i,
  input  wire                    mem_rsp_error_i,
  input  wire                    mem_rsp_mispredict_i
);
  localparam integer WARP_W = $clog2(WARPS);

  // The port between core and coalescer; a test bench observes it here.
  wire                    mem_valid, mem_ready, mem_byte, ans_valid, ans_ready, ans_last, ans_error;
  wire [2:0]              mem_op, mem_hint;
  wire [LANES-1:0]        mem_lanes, ans_lanes;
  wire [LANES*32-1:0]     mem_addr, mem_data, ans_data;
  wire [WARP_W-1:0]       mem_warp, ans_warp;
  wire [PC_W-1:0]         mem_pc;
  wire [WARPS-1:0]        stores;
  wire [LANES*ADDR_W-1:0] mem_short;
  wire                    core_idle, lanes_idle, l1_idle, cta_start;
  wire [6:0]              active;
  wire                    req_valid, req_ready, rsp_valid, rsp_ready, rsp_error;
  wire [1:0]              mem_func, req_func;
  wire                    unused_beat, unused_more, req_beat, req_more;
  wire [2:0]              req_op, req_hint, rsp_served, two_level;
  wire [4:0]              trial_events;
  wire [LINE_W-1:0]       req_line;
  wire [LINE_BYTES-1:0]   req_bytes;
  wire [LINE_BYTES*8-1:0] req_data, rsp_data;
  wire [PC_W+1:0]         req_pc;
  wire [ID_W-1:0]         req_id, rsp_id;
  wire [`BYW_EV_W-1:0]    events;
  wire [`BYW_PEV_W-1:0]   policy_events;
  wire [7:0]              pc_counter;
  wire [31:0]             kernel_pc = {{30-PC_W{1'b0}}, start_pc_i, 2'd0};

  assign idle_o = core_idle && lanes_idle && l1_idle;

  byw_gpu_core #(.LANES(LANES), .WARPS(WARPS), .DEPTH(DEPTH), .PROGRAM(PROGRAM)) u_core (
    .clk_i(clk_i), .rst_i(rst_i), .program_we_i(program_we_i), .program_addr_i(program_addr_i),
    .program_data_i(program_data_i), .param_we_i(param_we_i), .param_addr_i(param_addr_i),
    .param_data_i(param_data_i), .start_i(start_i), .start_pc_i(start_pc_i), .ctas_i(ctas_i),
    .running_o(running_o), .idle_o(core_idle), .fault_o(fault_o), .fault_pc_o(fault_pc_o),
    .cta_start_o(cta_start), .active_o(active), .mem_valid_o(mem_valid), .mem_ready_i(mem_ready),
    .mem_op_o(mem_op), .mem_byte_o(mem_byte), .mem_lanes_o(mem_lanes), .mem_addr_o(mem_addr),
    .mem_data_o(mem_data), .mem_warp_o(mem_warp), .mem_pc_o(mem_pc), .mem_hint_o(mem_hint),
    .mem_func_o(mem_func),
    .ans_valid_i(ans_valid), .ans_ready_o(ans_ready), .ans_warp_i(ans_warp),
    .ans_lanes_i(ans_lanes), .ans_data_i(ans_data), .ans_last_i(ans_last), .ans_error_i(ans_error),
    .stores_i(stores)
  );

  genvar g;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_addr
      assign mem_short[g*ADDR_W +: ADDR_W] = mem_addr[g*32 +: ADDR_W];
    end
  endgenerate

  byw_lane_coalescer #(
    .LANES(LANES), .WARPS(WARPS), .LINE_BYTES(LINE_BYTES), .SLOTS(SLOTS), .ADDR_W(ADDR_W),
    .PC_W(PC_W + 2), .ID_W(ID_W), .FUNC_W(2)
  ) u_coalescer (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(mem_valid), .in_ready_o(mem_ready), .in_op_i(mem_op),
    .in_byte_i(mem_byte), .in_lanes_i(mem_lanes), .in_addr_i(mem_short), .in_data_i(mem_data),
    .in_warp_i(mem_warp), .in_pc_i({mem_pc, 2'd0}), .in_hint_i(mem_hint),
    .in_func_i(mem_func), .req_func_o(req_func), .req_valid_o(req_valid),
    .req_ready_i(req_ready), .req_op_o(req_op), .req_line_o(req_line), .req_beat_o(req_beat),
    .req_more_o(req_more), .req_bytes_o(req_bytes),
    .req_data_o(req_data), .req_pc_o(req_pc), .req_id_o(req_id), .req_hint_o(req_hint),
    .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready), .rsp_data_i(rsp_data), .rsp_id_i(rsp_id),
    .rsp_error_i(rsp_error), .out_valid_o(ans_valid), .out_ready_i(ans_ready),
    .out_warp_o(ans_warp), .out_lanes_o(ans_lanes), .out_data_o(ans_data), .out_last_o(ans_last),
    .error_o(ans_error), .stores_o(stores), .idle_o(lanes_idle)
  );

  byw_sm_l1 #(
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES),
    .LINE_W(LINE_W), .INDEX(0), .LOOK(LOOK), .RC_W(RC_W), .MSHRS(MSHRS), .MERGES(MERGES),
    .MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH), .TRACKERS(TRACKERS), .ID_W(ID_W),
    .PC_W(PC_W + 2), .PC_PRED(PC_PRED), .PC_ENTRIES(PC_ENTRIES), .PC_BITS(PC_BITS), .PC_SHIFT(2),
    .STATS(STATS), .ORDER(ORDER), .IN_FLIGHT(IN_FLIGHT), .FUNC_W(2)
  ) u_l1 (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_i), .pc_cfg_i(pc_cfg_i), .tl_cfg_i(tl_cfg_i),
    .tl_window_i(tl_window_i), .tl_period_i(tl_period_i), .tl_bound_i(tl_bound_i),
    .restart_i(restart_i), .filter_on_i(filter_on_i), .kernel_start_i(start_i),
    .kernel_pc_i(kernel_pc), .cta_placed_i(cta_start), .active_warps_i(active),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_line_i(req_line),
    .req_beat_i(req_beat), .req_more_i(req_more), .req_bytes_i(req_bytes), .req_data_i(req_data),
    .req_pc_i(req_pc), .req_id_i(req_id), .req_warp_i(6'd0), .req_hint_i(req_hint),
    .req_func_i(req_func), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_data_o(rsp_data), .rsp_id_o(rsp_id), .rsp_served_o(rsp_served), .rsp_error_o(rsp_error),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_kind_o(mem_req_kind_o), .mem_req_write_o(mem_req_write_o),
    .mem_req_bypass_o(mem_req_bypass_o), .mem_req_atomic_o(mem_req_atomic_o),
    .mem_req_line_o(mem_req_line_o), .mem_req_beat_o(unused_beat), .mem_req_more_o(unused_more),
    .mem_req_bytes_o(mem_req_bytes_o), .mem_req_data_o(mem_req_data_o), .mem_req_pc_o(mem_req_pc_o),
    .mem_req_id_o(mem_req_id_o), .mem_req_predicted_o(mem_req_predicted_o),
    .mem_req_func_o(mem_req_func_o),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_kind_i(mem_rsp_kind_i), .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_id_i(mem_rsp_id_i),
    .mem_rsp_error_i(mem_rsp_error_i), .mem_rsp_mispredict_i(mem_rsp_mispredict_i),
    .idle_o(l1_idle), .events_o(events), .policy_events_o(policy_events), .pc_counter_o(pc_counter),
    .two_level_o(two_level), .trial_events_o(trial_events), .count_req_i(count_req_i),
    .count_sel_i(count_sel_i), .count_valid_o(count_valid_o),
    .count_data_o(count_data_o)
  );

  wire unused = &{1'b0, mem_addr, rsp_served, unused_beat, unused_more, events, policy_events,
                pc_counter, two_level, trial_events};
endmodule

`default_nettype wire
