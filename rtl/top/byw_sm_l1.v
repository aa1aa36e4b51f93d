// SPDX-License-Identifier: Apache-2.0
//
// byw_sm_l1 - the L1 of one SM: data cache with its policy, and the counters of its events.
//
// Behaviour   byw_l1d with byw_stats behind its event pulses; every port of the cache is a port
//             here.  count_req_i reads a counter; it stays with count_sel_i until count_valid_o.
// Paper       DESIGN section 2; rtl/doc/cluster.md.
// C twin      cmodel/top/byw_sm_l1.c; checked by verif/top/lockstep_cluster.c.
// Reset       rst_i: empty cache, counters zero.
//
// Parameters as in byw_l1d.
//
`default_nettype none

module byw_sm_l1 #(
  parameter integer SETS         = 32,
  parameter integer DATA_WAYS    = 4,
  parameter integer TAG_WAYS     = 8,
  parameter integer LINE_BYTES   = 128,
  parameter integer LINE_W       = 33,
  parameter integer INDEX        = 1,
  parameter integer REPL         = 0,
  parameter integer RC_W         = 6,
  parameter integer MSHRS        = 32,
  parameter integer MERGES       = 8,
  parameter integer MISS_DEPTH   = 8,
  parameter integer BYPASS_DEPTH = 8,
  parameter integer TRACKERS     = 64,
  parameter integer ID_W         = 16,
  parameter integer PC_W         = 32
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // ctrl: quasi-static policy register; filter and kernel start work in their cycle
  input  wire [31:0]             cfg_i,
  input  wire                    filter_on_i,
  input  wire                    kernel_start_i,

  // req: from the coalescer
  input  wire                    req_valid_i,
  output wire                    req_ready_o,
  input  wire [2:0]              req_op_i,          // BYW_OP_*
  input  wire [LINE_W-1:0]       req_line_i,
  input  wire [LINE_BYTES-1:0]   req_bytes_i,
  input  wire [LINE_BYTES*8-1:0] req_data_i,
  input  wire [PC_W-1:0]         req_pc_i,
  input  wire [ID_W-1:0]         req_id_i,
  input  wire [2:0]              req_hint_i,        // BYW_HINT_*

  // rsp: to the requester
  output wire                    rsp_valid_o,
  input  wire                    rsp_ready_i,
  output wire [LINE_BYTES*8-1:0] rsp_data_o,
  output wire [ID_W-1:0]         rsp_id_o,
  output wire [2:0]              rsp_served_o,      // BYW_SERVED_*
  output wire                    rsp_error_o,

  // mem_req: to the crossbar
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire [1:0]              mem_req_kind_o,    // BYW_MEM_*
  output wire                    mem_req_write_o,
  output wire                    mem_req_bypass_o,
  output wire                    mem_req_atomic_o,
  output wire [LINE_W-1:0]       mem_req_line_o,
  output wire [LINE_BYTES-1:0]   mem_req_bytes_o,
  output wire [LINE_BYTES*8-1:0] mem_req_data_o,
  output wire [PC_W-1:0]         mem_req_pc_o,
  output wire [ID_W-1:0]         mem_req_id_o,

  // mem_rsp: from the crossbar
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [1:0]              mem_rsp_kind_i,    // BYW_MEM_*, no write-back
  input  wire [LINE_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [ID_W-1:0]         mem_rsp_id_i,
  input  wire                    mem_rsp_error_i,

  output wire                    idle_o,            // nothing in flight
  output wire [25:0]             events_o,          // bit BYW_EV_*
  output wire                    stall_bypass_o,    // pulse: a load bypassed instead of waiting

  // one counter
  input  wire                    count_req_i,
  input  wire [7:0]              count_sel_i,       // BYW_EV_*, then stall and filter cycles
  output wire                    count_valid_o,
  output wire [63:0]             count_data_o
);
  `include "byw_defs.vh"

  wire        predicted;
  wire [16:0] policy_events;
  wire [7:0]  pc_counter;
  wire        unused_ok = &{1'b0, predicted, policy_events, pc_counter};

  assign stall_bypass_o = policy_events[BYW_PEV_STALL_BYPASS];

  byw_l1d #(
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES),
    .LINE_W(LINE_W), .INDEX(INDEX), .REPL(REPL), .RC_W(RC_W), .MSHRS(MSHRS), .MERGES(MERGES),
    .MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH), .TRACKERS(TRACKERS), .ID_W(ID_W),
    .PC_W(PC_W), .PC_PRED(0)
  ) u_l1d (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_i), .filter_on_i(filter_on_i),
    .kernel_start_i(kernel_start_i), .bypass_i(1'b0), .pc_cfg_i(32'd0), .req_valid_i(req_valid_i), .req_ready_o(req_ready_o),
    .req_op_i(req_op_i), .req_line_i(req_line_i), .req_bytes_i(req_bytes_i),
    .req_data_i(req_data_i), .req_pc_i(req_pc_i), .req_id_i(req_id_i), .req_hint_i(req_hint_i),
    .rsp_valid_o(rsp_valid_o), .rsp_ready_i(rsp_ready_i), .rsp_data_o(rsp_data_o),
    .rsp_id_o(rsp_id_o), .rsp_served_o(rsp_served_o), .rsp_error_o(rsp_error_o),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_kind_o(mem_req_kind_o), .mem_req_write_o(mem_req_write_o),
    .mem_req_bypass_o(mem_req_bypass_o), .mem_req_atomic_o(mem_req_atomic_o),
    .mem_req_line_o(mem_req_line_o), .mem_req_bytes_o(mem_req_bytes_o),
    .mem_req_data_o(mem_req_data_o), .mem_req_pc_o(mem_req_pc_o), .mem_req_id_o(mem_req_id_o),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_kind_i(mem_rsp_kind_i), .mem_rsp_data_i(mem_rsp_data_i),
    .mem_rsp_id_i(mem_rsp_id_i), .mem_rsp_error_i(mem_rsp_error_i), .idle_o(idle_o),
    .events_o(events_o),
    .mem_req_predicted_o(predicted), .mem_rsp_mispredict_i(1'b0),
    .policy_events_o(policy_events), .pc_counter_o(pc_counter)
  );

  byw_stats u_stats (
    .clk_i(clk_i), .rst_i(rst_i), .events_i(events_o), .filter_on_i(filter_on_i),
    .rd_req_i(count_req_i), .rd_sel_i(count_sel_i), .rd_valid_o(count_valid_o),
    .rd_data_o(count_data_o)
  );
endmodule

`default_nettype wire
