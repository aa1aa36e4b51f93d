// SPDX-License-Identifier: Apache-2.0
//
// byw_softgpu_tb - byw_softgpu with the native port of its cache made visible: tap_* are the inputs
// and outputs of byw_sm_l1 in this cycle.
//
`default_nettype none
`include "byw_widths.vh"

module byw_softgpu_tb #(
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
  parameter integer RC_W         = 6,
  parameter integer LOOK         = 0,
  parameter integer MSHRS        = 8,
  parameter integer MERGES       = 4,
  parameter integer MISS_DEPTH   = 4,
  parameter integer BYPASS_DEPTH = 4,
  parameter integer TRACKERS     = 8,
  parameter integer PC_ENTRIES   = 64,
  parameter integer PC_BITS      = 4,
  parameter integer ID_W         = 16,
  parameter integer ORDER        = `BYW_DEFAULT_ORDER,
  parameter integer IN_FLIGHT    = `BYW_DEFAULT_IN_FLIGHT,
`ifdef AXI
  parameter integer DATA_W       = 64,
  parameter integer AXI_SLOTS    = 8,
  parameter integer SLOT_IW      = $clog2(AXI_SLOTS),
`endif
  parameter integer PC_W         = $clog2(PROGRAM),
  parameter integer LINE_W       = ADDR_W - $clog2(LINE_BYTES)
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire                    program_we_i,
  input  wire [PC_W-1:0]         program_addr_i,
  input  wire [31:0]             program_data_i,
  input  wire                    param_we_i,
  input  wire [3:0]              param_addr_i,
  input  wire [31:0]             param_data_i,
  input  wire                    start_i,
  input  wire [PC_W-1:0]         start_pc_i,
  input  wire [15:0]             ctas_i,
  output wire                    running_o,
  output wire                    idle_o,
  output wire [2:0]              fault_o,
  output wire [PC_W-1:0]         fault_pc_o,
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
  output wire [1:0]              mem_req_func_o,
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [1:0]              mem_rsp_kind_i,
  input  wire [LINE_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [ID_W-1:0]         mem_rsp_id_i,
  input  wire                    mem_rsp_error_i,
  input  wire                    mem_rsp_mispredict_i,

  output wire                    tap_req_valid_o,
  output wire                    tap_req_ready_o,
  output wire [2:0]              tap_req_op_o,
  output wire [LINE_W-1:0]       tap_req_line_o,
  output wire [LINE_BYTES-1:0]   tap_req_bytes_o,
  output wire [LINE_BYTES*8-1:0] tap_req_data_o,
  output wire [PC_W+1:0]         tap_req_pc_o,
  output wire [ID_W-1:0]         tap_req_id_o,
  output wire [2:0]              tap_req_hint_o,
  output wire [1:0]              tap_req_func_o,
  output wire                    tap_rsp_valid_o,
  output wire                    tap_rsp_ready_o,
  output wire [LINE_BYTES*8-1:0] tap_rsp_data_o,
  output wire [ID_W-1:0]         tap_rsp_id_o,
  output wire [2:0]              tap_rsp_served_o,
  output wire                    tap_rsp_error_o,
  output wire                    tap_cta_placed_o,
  output wire [6:0]              tap_active_o,
  output wire [31:0]             tap_kernel_pc_o,
  output wire                    tap_idle_o,
  output wire [`BYW_EV_W-1:0]    tap_events_o,
  output wire [`BYW_PEV_W-1:0]   tap_policy_events_o,
  output wire [7:0]              tap_pc_counter_o,
  output wire [2:0]              tap_two_level_o,
  output wire                    tap_issue_o,         // an instruction leaves f
  output wire                    tap_mem_req_ready_o,
  output wire                    tap_mem_rsp_valid_o,
  output wire [1:0]              tap_mem_rsp_kind_o,
  output wire [LINE_BYTES*8-1:0] tap_mem_rsp_data_o,
  output wire [ID_W-1:0]         tap_mem_rsp_id_o,
  output wire                    tap_mem_rsp_error_o,
  output wire                    tap_mem_rsp_mispredict_o
`ifdef AXI
  ,
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
`endif
);
`ifdef AXI
  // A netlist takes no parameters: they were set when it was made.
  byw_softgpu_axi
`ifndef NETLIST
  #(
    .LANES(LANES), .WARPS(WARPS), .DEPTH(DEPTH), .PROGRAM(PROGRAM), .SLOTS(SLOTS), .ADDR_W(ADDR_W),
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES), .RC_W(RC_W),
    .LOOK(LOOK), .MSHRS(MSHRS), .MERGES(MERGES), .MISS_DEPTH(MISS_DEPTH),
    .BYPASS_DEPTH(BYPASS_DEPTH), .TRACKERS(TRACKERS), .ID_W(ID_W), .PC_ENTRIES(PC_ENTRIES),
    .PC_BITS(PC_BITS), .DATA_W(DATA_W), .AXI_SLOTS(AXI_SLOTS)
  )
`endif
  u_top (
    .clk_i(clk_i), .rst_i(rst_i), .program_we_i(program_we_i), .program_addr_i(program_addr_i),
    .program_data_i(program_data_i), .param_we_i(param_we_i), .param_addr_i(param_addr_i),
    .param_data_i(param_data_i), .start_i(start_i), .start_pc_i(start_pc_i), .ctas_i(ctas_i),
    .running_o(running_o), .idle_o(idle_o), .fault_o(fault_o), .fault_pc_o(fault_pc_o),
    .cfg_i(cfg_i), .pc_cfg_i(pc_cfg_i), .tl_cfg_i(tl_cfg_i), .tl_window_i(tl_window_i),
    .tl_period_i(tl_period_i), .tl_bound_i(tl_bound_i), .restart_i(restart_i),
    .filter_on_i(filter_on_i), .count_req_i(count_req_i), .count_sel_i(count_sel_i),
    .count_valid_o(count_valid_o), .count_data_o(count_data_o),
    .axi_awvalid_o(axi_awvalid_o), .axi_awready_i(axi_awready_i), .axi_awid_o(axi_awid_o),
    .axi_awaddr_o(axi_awaddr_o), .axi_awlen_o(axi_awlen_o), .axi_awsize_o(axi_awsize_o),
    .axi_awburst_o(axi_awburst_o), .axi_awlock_o(axi_awlock_o), .axi_awcache_o(axi_awcache_o),
    .axi_awprot_o(axi_awprot_o), .axi_wvalid_o(axi_wvalid_o), .axi_wready_i(axi_wready_i),
    .axi_wdata_o(axi_wdata_o), .axi_wstrb_o(axi_wstrb_o), .axi_wlast_o(axi_wlast_o),
    .axi_bvalid_i(axi_bvalid_i), .axi_bready_o(axi_bready_o), .axi_bid_i(axi_bid_i),
    .axi_bresp_i(axi_bresp_i), .axi_arvalid_o(axi_arvalid_o), .axi_arready_i(axi_arready_i),
    .axi_arid_o(axi_arid_o), .axi_araddr_o(axi_araddr_o), .axi_arlen_o(axi_arlen_o),
    .axi_arsize_o(axi_arsize_o), .axi_arburst_o(axi_arburst_o), .axi_arlock_o(axi_arlock_o),
    .axi_arcache_o(axi_arcache_o), .axi_arprot_o(axi_arprot_o), .axi_rvalid_i(axi_rvalid_i),
    .axi_rready_o(axi_rready_o), .axi_rid_i(axi_rid_i), .axi_rdata_i(axi_rdata_i),
    .axi_rresp_i(axi_rresp_i), .axi_rlast_i(axi_rlast_i)
  );
  assign mem_req_valid_o = u_top.mem_req_valid;
  assign mem_req_kind_o = u_top.mem_req_kind;
  assign mem_req_write_o = u_top.mem_req_write;
  assign mem_req_bypass_o = u_top.mem_req_bypass;
  assign mem_req_atomic_o = u_top.mem_req_atomic;
  assign mem_req_line_o = u_top.mem_req_line;
  assign mem_req_bytes_o = u_top.mem_req_bytes;
  assign mem_req_data_o = u_top.mem_req_data;
  assign mem_req_pc_o = u_top.mem_req_pc;
  assign mem_req_id_o = u_top.mem_req_id;
  assign mem_req_predicted_o = u_top.mem_req_predicted;
  assign mem_req_func_o = u_top.mem_req_func;
  assign mem_rsp_ready_o = u_top.mem_rsp_ready;
  assign tap_mem_rsp_valid_o = u_top.mem_rsp_valid;
  assign tap_mem_rsp_kind_o = u_top.mem_rsp_kind;
  assign tap_mem_rsp_data_o = u_top.mem_rsp_data;
  assign tap_mem_rsp_id_o = u_top.mem_rsp_id;
  assign tap_mem_rsp_error_o = u_top.mem_rsp_error;
  assign tap_mem_rsp_mispredict_o = 1'b0;
  assign tap_mem_req_ready_o = u_top.mem_req_ready;
`define GPU u_top.u_gpu
`else
  byw_softgpu
`ifndef NETLIST
  #(
    .LANES(LANES), .WARPS(WARPS), .DEPTH(DEPTH), .PROGRAM(PROGRAM), .SLOTS(SLOTS), .ADDR_W(ADDR_W),
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES), .RC_W(RC_W),
    .LOOK(LOOK), .MSHRS(MSHRS), .MERGES(MERGES), .MISS_DEPTH(MISS_DEPTH),
    .BYPASS_DEPTH(BYPASS_DEPTH), .TRACKERS(TRACKERS), .ID_W(ID_W), .PC_ENTRIES(PC_ENTRIES),
    .PC_BITS(PC_BITS), .ORDER(ORDER), .IN_FLIGHT(IN_FLIGHT)
  )
`endif
  u_gpu (
    .clk_i(clk_i), .rst_i(rst_i), .program_we_i(program_we_i), .program_addr_i(program_addr_i),
    .program_data_i(program_data_i), .param_we_i(param_we_i), .param_addr_i(param_addr_i),
    .param_data_i(param_data_i), .start_i(start_i), .start_pc_i(start_pc_i), .ctas_i(ctas_i),
    .running_o(running_o), .idle_o(idle_o), .fault_o(fault_o), .fault_pc_o(fault_pc_o),
    .cfg_i(cfg_i), .pc_cfg_i(pc_cfg_i), .tl_cfg_i(tl_cfg_i), .tl_window_i(tl_window_i),
    .tl_period_i(tl_period_i), .tl_bound_i(tl_bound_i), .restart_i(restart_i),
    .filter_on_i(filter_on_i), .count_req_i(count_req_i), .count_sel_i(count_sel_i),
    .count_valid_o(count_valid_o), .count_data_o(count_data_o), .mem_req_valid_o(mem_req_valid_o),
    .mem_req_ready_i(mem_req_ready_i), .mem_req_kind_o(mem_req_kind_o),
    .mem_req_write_o(mem_req_write_o), .mem_req_bypass_o(mem_req_bypass_o),
    .mem_req_atomic_o(mem_req_atomic_o), .mem_req_line_o(mem_req_line_o),
    .mem_req_bytes_o(mem_req_bytes_o), .mem_req_data_o(mem_req_data_o), .mem_req_pc_o(mem_req_pc_o),
    .mem_req_id_o(mem_req_id_o), .mem_req_predicted_o(mem_req_predicted_o),
    .mem_req_func_o(mem_req_func_o), .mem_rsp_valid_i(mem_rsp_valid_i),
    .mem_rsp_ready_o(mem_rsp_ready_o), .mem_rsp_kind_i(mem_rsp_kind_i),
    .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_id_i(mem_rsp_id_i),
    .mem_rsp_error_i(mem_rsp_error_i), .mem_rsp_mispredict_i(mem_rsp_mispredict_i)
  );
  assign tap_mem_rsp_valid_o = mem_rsp_valid_i;
  assign tap_mem_rsp_kind_o = mem_rsp_kind_i;
  assign tap_mem_rsp_data_o = mem_rsp_data_i;
  assign tap_mem_rsp_id_o = mem_rsp_id_i;
  assign tap_mem_rsp_error_o = mem_rsp_error_i;
  assign tap_mem_rsp_mispredict_o = mem_rsp_mispredict_i;
  assign tap_mem_req_ready_o = mem_req_ready_i;
`define GPU u_gpu
`endif

  assign tap_req_valid_o     = `GPU.req_valid;
  assign tap_req_ready_o     = `GPU.req_ready;
  assign tap_req_op_o        = `GPU.req_op;
  assign tap_req_line_o      = `GPU.req_line;
  assign tap_req_bytes_o     = `GPU.req_bytes;
  assign tap_req_data_o      = `GPU.req_data;
  assign tap_req_pc_o        = `GPU.req_pc;
  assign tap_req_id_o        = `GPU.req_id;
  assign tap_req_func_o      = `GPU.req_func;
  assign tap_req_hint_o      = `GPU.req_hint;
  assign tap_rsp_valid_o     = `GPU.rsp_valid;
  assign tap_rsp_ready_o     = `GPU.rsp_ready;
  assign tap_rsp_data_o      = `GPU.rsp_data;
  assign tap_rsp_id_o        = `GPU.rsp_id;
  assign tap_rsp_served_o    = `GPU.rsp_served;
  assign tap_rsp_error_o     = `GPU.rsp_error;
  assign tap_cta_placed_o    = `GPU.cta_start;
  assign tap_active_o        = `GPU.active;
  assign tap_kernel_pc_o     = `GPU.kernel_pc;
  assign tap_idle_o          = `GPU.l1_idle;
  assign tap_events_o        = `GPU.events;
  assign tap_policy_events_o = `GPU.policy_events;
  assign tap_pc_counter_o    = `GPU.pc_counter;
  assign tap_two_level_o     = `GPU.two_level;
`ifdef NETLIST
  assign tap_issue_o         = 1'b0;
`else
  assign tap_issue_o         = `GPU.u_core.f_valid;
`endif
endmodule

`default_nettype wire
