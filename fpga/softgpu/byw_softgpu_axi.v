// SPDX-License-Identifier: Apache-2.0
//
// byw_softgpu_axi - the soft GPU with an AXI4 master for memory: byw_softgpu, byw_gpu_atomic and
//                   byw_axi4_mem.
//
// Behaviour   As byw_softgpu.  The adapter keeps the order within a line for any bus.
// Reset       rst_i: idle, empty cache.  Reset the bus together with it.
//
// Parameter   Default  Range   Meaning
// DATA_W      64       2^n, 8..line  width of the bus, bits
// AXI_SLOTS   8        1..256  requests in flight on the bus
// All others as in byw_softgpu.
//
`default_nettype none
`include "byw_widths.vh"

module byw_softgpu_axi #(
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
  parameter integer DATA_W       = 64,
  parameter integer AXI_SLOTS    = 8,
  parameter integer PC_W         = $clog2(PROGRAM),
  parameter integer LINE_W       = ADDR_W - $clog2(LINE_BYTES),
  parameter integer SLOT_IW      = (AXI_SLOTS > 1) ? $clog2(AXI_SLOTS) : 1
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

  // AXI4
  output wire                    axi_awvalid_o,
  input  wire                    axi_awready_i,
  output wire [SLOT_IW-1:0]      axi_awid_o,
  output wire [ADDR_W-1:0]       axi_awaddr_o,
  output wire [7:0]              axi_awlen_o,
  output wire [2:0]              axi_awsize_o,
  output wire [1:0]              axi_awburst_o,
  output wire                    axi_awlock_o,
  output wire [3:0]              axi_awcache_o,
  output wire [2:0]              axi_awprot_o,
  output wire                    axi_wvalid_o,
  input  wire                    axi_wready_i,
  output wire [DATA_W-1:0]       axi_wdata_o,
  output wire [DATA_W/8-1:0]     axi_wstrb_o,
  output wire                    axi_wlast_o,
  input  wire                    axi_bvalid_i,
  output wire                    axi_bready_o,
  input  wire [SLOT_IW-1:0]      axi_bid_i,
  input  wire [1:0]              axi_bresp_i,
  output wire                    axi_arvalid_o,
  input  wire                    axi_arready_i,
  output wire [SLOT_IW-1:0]      axi_arid_o,
  output wire [ADDR_W-1:0]       axi_araddr_o,
  output wire [7:0]              axi_arlen_o,
  output wire [2:0]              axi_arsize_o,
  output wire [1:0]              axi_arburst_o,
  output wire                    axi_arlock_o,
  output wire [3:0]              axi_arcache_o,
  output wire [2:0]              axi_arprot_o,
  input  wire                    axi_rvalid_i,
  output wire                    axi_rready_o,
  input  wire [SLOT_IW-1:0]      axi_rid_i,
  input  wire [DATA_W-1:0]       axi_rdata_i,
  input  wire [1:0]              axi_rresp_i,
  input  wire                    axi_rlast_i
);
  // The memory port of the cache; a test bench observes it here.
  wire                    mem_req_valid, mem_req_ready, mem_req_write, mem_req_bypass,
                          mem_req_atomic;
  wire                    mem_req_predicted, mem_rsp_valid, mem_rsp_ready, mem_rsp_error;
  wire [1:0]              mem_req_func, mem_req_kind, mem_rsp_kind, low_req_kind, low_rsp_kind;
  wire [LINE_W-1:0]       mem_req_line, low_req_line;
  wire [LINE_BYTES-1:0]   mem_req_bytes, low_req_bytes;
  wire [LINE_BYTES*8-1:0] mem_req_data, mem_rsp_data, low_req_data, low_rsp_data;
  wire [PC_W+1:0]         mem_req_pc;
  wire [ID_W-1:0]         mem_req_id, mem_rsp_id, low_req_id, low_rsp_id;
  wire                    low_req_valid, low_req_ready, low_req_write;
  wire                    low_rsp_valid, low_rsp_ready, low_rsp_error, gpu_idle, bus_idle;

  assign idle_o = gpu_idle && bus_idle;

  byw_softgpu #(
    .LANES(LANES), .WARPS(WARPS), .DEPTH(DEPTH), .PROGRAM(PROGRAM), .SLOTS(SLOTS), .ADDR_W(ADDR_W),
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES), .RC_W(RC_W),
    .LOOK(LOOK), .MSHRS(MSHRS), .MERGES(MERGES), .MISS_DEPTH(MISS_DEPTH),
    .BYPASS_DEPTH(BYPASS_DEPTH), .TRACKERS(TRACKERS), .ID_W(ID_W), .PC_PRED(PC_PRED),
    .PC_ENTRIES(PC_ENTRIES), .PC_BITS(PC_BITS), .STATS(STATS)
  ) u_gpu (
    .clk_i(clk_i), .rst_i(rst_i), .program_we_i(program_we_i), .program_addr_i(program_addr_i),
    .program_data_i(program_data_i), .param_we_i(param_we_i), .param_addr_i(param_addr_i),
    .param_data_i(param_data_i), .start_i(start_i), .start_pc_i(start_pc_i), .ctas_i(ctas_i),
    .running_o(running_o), .idle_o(gpu_idle), .fault_o(fault_o), .fault_pc_o(fault_pc_o),
    .cfg_i(cfg_i), .pc_cfg_i(pc_cfg_i), .tl_cfg_i(tl_cfg_i), .tl_window_i(tl_window_i),
    .tl_period_i(tl_period_i), .tl_bound_i(tl_bound_i), .restart_i(restart_i),
    .filter_on_i(filter_on_i), .count_req_i(count_req_i), .count_sel_i(count_sel_i),
    .count_valid_o(count_valid_o), .count_data_o(count_data_o),
    .mem_req_valid_o(mem_req_valid), .mem_req_kind_o(mem_req_kind), .mem_req_write_o(mem_req_write),
    .mem_req_bypass_o(mem_req_bypass), .mem_req_atomic_o(mem_req_atomic),
    .mem_req_line_o(mem_req_line), .mem_req_bytes_o(mem_req_bytes), .mem_req_data_o(mem_req_data),
    .mem_req_pc_o(mem_req_pc), .mem_req_id_o(mem_req_id), .mem_req_predicted_o(mem_req_predicted),
    .mem_req_func_o(mem_req_func), .mem_req_ready_i(mem_req_ready),
    .mem_rsp_ready_o(mem_rsp_ready), .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_kind_i(mem_rsp_kind),
    .mem_rsp_data_i(mem_rsp_data), .mem_rsp_id_i(mem_rsp_id), .mem_rsp_error_i(mem_rsp_error),
    .mem_rsp_mispredict_i(1'b0)
  );

  byw_gpu_atomic #(.LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .ID_W(ID_W)) u_atomic (
    .clk_i(clk_i), .rst_i(rst_i), .up_req_valid_i(mem_req_valid), .up_req_ready_o(mem_req_ready),
    .up_req_kind_i(mem_req_kind), .up_req_write_i(mem_req_write), .up_req_atomic_i(mem_req_atomic),
    .up_req_line_i(mem_req_line), .up_req_bytes_i(mem_req_bytes), .up_req_data_i(mem_req_data),
    .up_req_id_i(mem_req_id), .up_req_func_i(mem_req_func), .up_rsp_valid_o(mem_rsp_valid),
    .up_rsp_ready_i(mem_rsp_ready), .up_rsp_kind_o(mem_rsp_kind), .up_rsp_data_o(mem_rsp_data),
    .up_rsp_id_o(mem_rsp_id), .up_rsp_error_o(mem_rsp_error), .down_req_valid_o(low_req_valid),
    .down_req_ready_i(low_req_ready), .down_req_kind_o(low_req_kind),
    .down_req_write_o(low_req_write), .down_req_line_o(low_req_line),
    .down_req_bytes_o(low_req_bytes), .down_req_data_o(low_req_data), .down_req_id_o(low_req_id),
    .down_rsp_valid_i(low_rsp_valid), .down_rsp_ready_o(low_rsp_ready),
    .down_rsp_kind_i(low_rsp_kind), .down_rsp_data_i(low_rsp_data), .down_rsp_id_i(low_rsp_id),
    .down_rsp_error_i(low_rsp_error)
  );

  byw_axi4_mem #(
    .LINE_BYTES(LINE_BYTES), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .SLOTS(AXI_SLOTS), .ID_W(ID_W),
    .ORDER(1), .WB_ACKS(1)
  ) u_axi (
    .clk_i(clk_i), .rst_i(rst_i), .mem_req_valid_i(low_req_valid), .mem_req_ready_o(low_req_ready),
    .mem_req_kind_i(low_req_kind), .mem_req_write_i(low_req_write), .mem_req_line_i(low_req_line),
    .mem_req_beat_i(1'b0), .mem_req_bytes_i(low_req_bytes), .mem_req_data_i(low_req_data),
    .mem_req_id_i(low_req_id), .mem_req_atomic_i(1'b0), .mem_rsp_valid_o(low_rsp_valid),
    .mem_rsp_ready_i(low_rsp_ready), .mem_rsp_kind_o(low_rsp_kind), .mem_rsp_data_o(low_rsp_data),
    .mem_rsp_id_o(low_rsp_id), .mem_rsp_error_o(low_rsp_error), .axi_awvalid_o(axi_awvalid_o),
    .axi_awready_i(axi_awready_i), .axi_awid_o(axi_awid_o), .axi_awaddr_o(axi_awaddr_o),
    .axi_awlen_o(axi_awlen_o), .axi_awsize_o(axi_awsize_o), .axi_awburst_o(axi_awburst_o),
    .axi_awlock_o(axi_awlock_o), .axi_awcache_o(axi_awcache_o), .axi_awprot_o(axi_awprot_o),
    .axi_wvalid_o(axi_wvalid_o), .axi_wready_i(axi_wready_i), .axi_wdata_o(axi_wdata_o),
    .axi_wstrb_o(axi_wstrb_o), .axi_wlast_o(axi_wlast_o), .axi_bvalid_i(axi_bvalid_i),
    .axi_bready_o(axi_bready_o), .axi_bid_i(axi_bid_i), .axi_bresp_i(axi_bresp_i),
    .axi_arvalid_o(axi_arvalid_o), .axi_arready_i(axi_arready_i),
    .axi_arid_o(axi_arid_o), .axi_araddr_o(axi_araddr_o), .axi_arlen_o(axi_arlen_o),
    .axi_arsize_o(axi_arsize_o), .axi_arburst_o(axi_arburst_o), .axi_arlock_o(axi_arlock_o),
    .axi_arcache_o(axi_arcache_o), .axi_arprot_o(axi_arprot_o), .axi_rvalid_i(axi_rvalid_i),
    .axi_rready_o(axi_rready_o), .axi_rid_i(axi_rid_i), .axi_rdata_i(axi_rdata_i),
    .axi_rresp_i(axi_rresp_i), .axi_rlast_i(axi_rlast_i), .idle_o(bus_idle)
  );

  wire unused = &{1'b0, mem_req_bypass, mem_req_pc, mem_req_predicted};
endmodule

`default_nettype wire
