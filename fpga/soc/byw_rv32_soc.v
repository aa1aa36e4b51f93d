// SPDX-License-Identifier: Apache-2.0
//
// byw_rv32_soc - an example of integration: a RISC-V core whose loads and stores go through
//                byw_sm_l1 and byw_axi4_mem to a RAM on AXI4.
//
// Behaviour   The program ROM is filled from fpga/soc/program.hex.  Addresses below 0x80000000 are
//             memory; they are accessed as local memory, so lines become dirty and FLUSH writes
//             them back.  0x80000000: a store ends the program with that code (code_o, done_o).
//             0x80000004: a store sends FLUSH and is answered with it.
// Reset       rst_i: the program starts again with an empty cache.
//
// Parameter   Default             Meaning
// PROGRAM     "fpga/soc/program.hex"   the ROM's words, hexadecimal
//
`default_nettype none
`include "byw_widths.vh"
`include "byw_modes.vh"

module byw_rv32_soc #(
  parameter PROGRAM = "fpga/soc/program.hex"
) (
  input  wire        clk_i,
  input  wire        rst_i,
  output reg         done_o,
  output reg  [31:0] code_o,
  output wire        halted_o          // stopped without a code: a fault of the program
);
  `include "byw_defs.vh"
  localparam integer PC_W = 7, ADDR_W = 20, LINE_BYTES = 32, LINE_W = 15, ID_W = 8, SLOT_IW = 2;

  // ---- core and program
  reg  [31:0]     rom_q [0:(1<<PC_W)-1];
  reg  [31:0]     insn_q;
  wire [PC_W-1:0] rom_addr;
  wire            ask, ask_ready, ask_write, halted;
  wire [31:0]     ask_addr, ask_data, ask_pc;
  wire [3:0]      ask_bytes;
  reg             io_q;                              // an access without the cache is answered
  wire            rsp_valid, rsp_error;
  wire [LINE_BYTES*8-1:0] rsp_data;
  reg  [2:0]      word_q;

  initial $readmemh(PROGRAM, rom_q);
  always @(posedge clk_i) insn_q <= rom_q[rom_addr];

  byw_rv32_core #(.PC_W(PC_W)) u_core (
    .clk_i(clk_i), .rst_i(rst_i), .rom_addr_o(rom_addr), .rom_data_i(insn_q),
    .req_valid_o(ask), .req_ready_i(ask_ready), .req_write_o(ask_write), .req_addr_o(ask_addr),
    .req_bytes_o(ask_bytes), .req_data_o(ask_data), .req_pc_o(ask_pc),
    .rsp_valid_i(rsp_valid || io_q), .rsp_data_i(rsp_data[word_q*32 +: 32]),
    .rsp_error_i(rsp_valid && rsp_error), .halted_o(halted)
  );
  assign halted_o = halted && !done_o;

  // ---- addresses: memory and FLUSH go to the cache, the end of the program does not
  wire        io      = ask_addr[31];
  wire        flush   = io && ask_addr[2];
  wire        to_l1   = !io || flush;
  wire        l1_ready;
  wire [2:0]  op      = flush ? BYW_OP_FLUSH : ask_write ? BYW_OP_LOCAL_STORE : BYW_OP_LOCAL_LOAD;
  wire [31:0] bytes   = flush ? 32'd0 : {28'd0, ask_bytes} << {ask_addr[4:2], 2'b00};
  assign ask_ready    = !to_l1 || l1_ready;

  always @(posedge clk_i) begin : p_io
    io_q <= ask && !to_l1 && !rst_i;
    if (ask) word_q <= ask_addr[4:2];
    if (ask && !to_l1 && ask_write) {done_o, code_o} <= {1'b1, ask_data};
    if (rst_i) done_o <= 1'b0;
  end

  // ---- the cache: 1 KB, lines of 32 bytes, the policy without mechanisms
  wire                    mem_req_valid, mem_req_ready, mem_req_write, mem_req_atomic;
  wire [1:0]              mem_req_kind, mem_rsp_kind;
  wire [LINE_W-1:0]       mem_req_line;
  wire [LINE_BYTES-1:0]   mem_req_bytes;
  wire [LINE_BYTES*8-1:0] mem_req_data, mem_rsp_data;
  wire [ID_W-1:0]         mem_req_id, mem_rsp_id, rsp_id;
  wire                    mem_rsp_valid, mem_rsp_ready, mem_rsp_error;
  wire [`BYW_EV_W-1:0]    events;
  wire [`BYW_PEV_W-1:0]   policy_events;
  wire [31:0]             mem_req_pc;
  wire [63:0]             count_data;
  wire [7:0]              pc_counter;
  wire [4:0]              trial_events;
  wire [2:0]              rsp_served, two_level;
  wire                    mem_req_bypass, mem_req_beat, mem_req_more, mem_req_predicted,
                          mem_req_func, count_valid, l1_idle, bus_idle;

  byw_sm_l1 #(
    .SETS(16), .DATA_WAYS(2), .TAG_WAYS(2), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(0),
    .ID_W(ID_W), .MSHRS(2), .MERGES(2), .MISS_DEPTH(2), .BYPASS_DEPTH(2), .TRACKERS(2),
    .PC_PRED(0), .STATS(0)
  ) u_l1 (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_i(`BYW_MODE_BL), .filter_on_i(`BYW_MODE_BL_FILTER_ON),
    .pc_cfg_i(`BYW_MODE_BL_PC_CFG), .tl_cfg_i(`BYW_MODE_BL_TL_CFG),
    .tl_window_i(`BYW_MODE_BL_TL_WINDOW), .tl_period_i(`BYW_MODE_BL_TL_PERIOD),
    .tl_bound_i(`BYW_MODE_BL_TL_BOUND), .restart_i(1'b0), .kernel_start_i(1'b0),
    .kernel_pc_i(32'd0), .cta_placed_i(1'b0), .active_warps_i(7'd0),
    .req_valid_i(ask && to_l1), .req_ready_o(l1_ready), .req_op_i(op),
    .req_line_i(ask_addr[ADDR_W-1:5]), .req_bytes_i(bytes), .req_data_i({8{ask_data}}),
    .req_id_i({ID_W{1'b0}}), .req_pc_i(ask_pc), .req_warp_i(6'd0), .req_hint_i(3'd0),
    .req_beat_i(1'b0), .req_more_i(1'b0), .req_func_i(1'b0),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(1'b1), .rsp_data_o(rsp_data), .rsp_id_o(rsp_id),
    .rsp_served_o(rsp_served), .rsp_error_o(rsp_error),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready),
    .mem_req_kind_o(mem_req_kind), .mem_req_write_o(mem_req_write),
    .mem_req_bypass_o(mem_req_bypass), .mem_req_atomic_o(mem_req_atomic),
    .mem_req_line_o(mem_req_line), .mem_req_bytes_o(mem_req_bytes),
    .mem_req_data_o(mem_req_data), .mem_req_id_o(mem_req_id), .mem_req_pc_o(mem_req_pc),
    .mem_req_beat_o(mem_req_beat), .mem_req_more_o(mem_req_more),
    .mem_req_predicted_o(mem_req_predicted), .mem_req_func_o(mem_req_func),
    .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_ready_o(mem_rsp_ready),
    .mem_rsp_kind_i(mem_rsp_kind), .mem_rsp_data_i(mem_rsp_data), .mem_rsp_id_i(mem_rsp_id),
    .mem_rsp_error_i(mem_rsp_error), .mem_rsp_mispredict_i(1'b0), .idle_o(l1_idle),
    .events_o(events), .policy_events_o(policy_events), .pc_counter_o(pc_counter),
    .two_level_o(two_level), .trial_events_o(trial_events), .count_req_i(1'b0),
    .count_sel_i(8'd0), .count_valid_o(count_valid), .count_data_o(count_data)
  );

  // ---- AXI4 and the RAM
  wire               awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready;
  wire               rvalid, rready, rlast, awlock, arlock;
  wire [SLOT_IW-1:0] awid, bid, arid, rid;
  wire [ADDR_W-1:0]  awaddr, araddr;
  wire [7:0]         awlen, arlen, wstrb;
  wire [63:0]        wdata, rdata;
  wire [2:0]         awsize, arsize, awprot, arprot;
  wire [1:0]         awburst, arburst;
  wire [3:0]         awcache, arcache;

  byw_axi4_mem #(
    .LINE_BYTES(LINE_BYTES), .ADDR_W(ADDR_W), .DATA_W(64), .SLOTS(1 << SLOT_IW), .ID_W(ID_W)
  ) u_bus (
    .clk_i(clk_i), .rst_i(rst_i), .mem_req_valid_i(mem_req_valid), .mem_req_ready_o(mem_req_ready),
    .mem_req_kind_i(mem_req_kind), .mem_req_write_i(mem_req_write),
    .mem_req_atomic_i(mem_req_atomic), .mem_req_line_i(mem_req_line), .mem_req_beat_i(1'b0),
    .mem_req_bytes_i(mem_req_bytes), .mem_req_data_i(mem_req_data), .mem_req_id_i(mem_req_id),
    .mem_rsp_valid_o(mem_rsp_valid), .mem_rsp_ready_i(mem_rsp_ready),
    .mem_rsp_kind_o(mem_rsp_kind), .mem_rsp_data_o(mem_rsp_data), .mem_rsp_id_o(mem_rsp_id),
    .mem_rsp_error_o(mem_rsp_error), .axi_awvalid_o(awvalid), .axi_awready_i(awready),
    .axi_awid_o(awid), .axi_awaddr_o(awaddr), .axi_awlen_o(awlen), .axi_awsize_o(awsize),
    .axi_awburst_o(awburst), .axi_awlock_o(awlock), .axi_awcache_o(awcache),
    .axi_awprot_o(awprot), .axi_wvalid_o(wvalid), .axi_wready_i(wready), .axi_wdata_o(wdata),
    .axi_wstrb_o(wstrb), .axi_wlast_o(wlast), .axi_bvalid_i(bvalid), .axi_bready_o(bready),
    .axi_bid_i(bid), .axi_bresp_i(2'b00), .axi_arvalid_o(arvalid), .axi_arready_i(arready),
    .axi_arid_o(arid), .axi_araddr_o(araddr), .axi_arlen_o(arlen), .axi_arsize_o(arsize),
    .axi_arburst_o(arburst), .axi_arlock_o(arlock), .axi_arcache_o(arcache),
    .axi_arprot_o(arprot), .axi_rvalid_i(rvalid), .axi_rready_o(rready), .axi_rid_i(rid),
    .axi_rdata_i(rdata), .axi_rresp_i(2'b00), .axi_rlast_i(rlast), .idle_o(bus_idle)
  );

  byw_soc_ram #(.WORDS_W(11), .ADDR_W(ADDR_W), .ID_W(SLOT_IW)) u_ram (
    .clk_i(clk_i), .rst_i(rst_i), .axi_awvalid_i(awvalid), .axi_awready_o(awready),
    .axi_awid_i(awid), .axi_awaddr_i(awaddr), .axi_wvalid_i(wvalid), .axi_wready_o(wready),
    .axi_wdata_i(wdata), .axi_wstrb_i(wstrb), .axi_wlast_i(wlast), .axi_bvalid_o(bvalid),
    .axi_bready_i(bready), .axi_bid_o(bid), .axi_arvalid_i(arvalid), .axi_arready_o(arready),
    .axi_arid_i(arid), .axi_araddr_i(araddr), .axi_arlen_i(arlen), .axi_rvalid_o(rvalid),
    .axi_rready_i(rready), .axi_rid_o(rid), .axi_rdata_o(rdata), .axi_rlast_o(rlast)
  );

  wire unused = &{1'b0, events, policy_events, mem_req_pc, count_data, pc_counter, trial_events,
                  rsp_served, two_level, mem_req_bypass, mem_req_beat, mem_req_more,
                  mem_req_predicted, mem_req_func, count_valid, l1_idle, bus_idle, rsp_id,
                  awlen, awsize, arsize, awprot, arprot, awburst, arburst, awcache, arcache,
                  awlock, arlock, ask_addr};
endmodule

`default_nettype wire
