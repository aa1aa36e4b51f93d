// SPDX-License-Identifier: Apache-2.0
//
// axi4_rules - byw_axi4_mem keeps the rules of byw_axi4_protocol, for all requests of a cache and
// all answers of a memory that follow their own rules: 2 slots, lines of BEATS beats, 4 lines.
//
`default_nettype none

module axi4_rules #(
  parameter integer BEATS = 2,
  parameter integer ORDER = 1
) (
  input wire                  clk_i,
  input wire                  rst_i,
  input wire                  valid_i,
  input wire [1:0]            kind_i,
  input wire                  write_i,
  input wire                  atomic_i,
  input wire [1:0]            line_i,
  input wire [8*BEATS-1:0]    bytes_i,
  input wire [64*BEATS-1:0]   data_i,
  input wire                  id_i,
  input wire                  rsp_ready_i,
  input wire                  awready_i,
  input wire                  wready_i,
  input wire                  arready_i,
  input wire                  bvalid_i,
  input wire                  bid_i,
  input wire [1:0]            bresp_i,
  input wire                  rvalid_i,
  input wire                  rid_i,
  input wire [63:0]           rdata_i,
  input wire [1:0]            rresp_i,
  input wire                  rlast_i
);
  `include "byw_defs.vh"
  localparam integer ADDR_W = 2 + $clog2(8 * BEATS);

  wire              ready, awvalid, wvalid, wlast, bready, arvalid, rready, idle;
  wire              awid, arid;
  wire [ADDR_W-1:0] awaddr, araddr;
  wire [7:0]        awlen, arlen, wstrb;
  wire [2:0]        awsize, arsize;
  wire [1:0]        awburst, arburst;
  wire [63:0]       wdata;

  byw_axi4_mem #(
    .LINE_BYTES(8 * BEATS), .ADDR_W(ADDR_W), .DATA_W(64), .SLOTS(2), .ID_W(1), .ORDER(ORDER)
  ) u_mem (
    .clk_i(clk_i), .rst_i(rst_i), .mem_req_valid_i(valid_i), .mem_req_ready_o(ready),
    .mem_req_kind_i(kind_i), .mem_req_write_i(write_i), .mem_req_atomic_i(atomic_i),
    .mem_req_line_i(line_i), .mem_req_beat_i(1'b0), .mem_req_bytes_i(bytes_i),
    .mem_req_data_i(data_i), .mem_req_id_i(id_i), .mem_rsp_ready_i(rsp_ready_i),
    .axi_awvalid_o(awvalid), .axi_awready_i(awready_i), .axi_awid_o(awid), .axi_awaddr_o(awaddr),
    .axi_awlen_o(awlen), .axi_awsize_o(awsize), .axi_awburst_o(awburst), .axi_wvalid_o(wvalid),
    .axi_wready_i(wready_i), .axi_wdata_o(wdata), .axi_wstrb_o(wstrb), .axi_wlast_o(wlast),
    .axi_bvalid_i(bvalid_i), .axi_bready_o(bready), .axi_bid_i(bid_i), .axi_bresp_i(bresp_i),
    .axi_arvalid_o(arvalid), .axi_arready_i(arready_i), .axi_arid_o(arid), .axi_araddr_o(araddr),
    .axi_arlen_o(arlen), .axi_arsize_o(arsize), .axi_arburst_o(arburst), .axi_rvalid_i(rvalid_i),
    .axi_rready_o(rready), .axi_rid_i(rid_i), .axi_rdata_i(rdata_i), .axi_rresp_i(rresp_i),
    .axi_rlast_i(rlast_i), .idle_o(idle)
  );
  byw_axi4_protocol #(
    .LINE_BYTES(8 * BEATS), .ADDR_W(ADDR_W), .DATA_W(64), .ID_W(1), .ORDER(ORDER)
  ) u_rules (
    .clk_i(clk_i), .rst_i(rst_i), .awvalid_i(awvalid), .awready_i(awready_i), .awid_i(awid),
    .awaddr_i(awaddr), .awlen_i(awlen), .awsize_i(awsize), .awburst_i(awburst), .wvalid_i(wvalid),
    .wready_i(wready_i), .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast), .bvalid_i(bvalid_i),
    .bready_i(bready), .bid_i(bid_i), .arvalid_i(arvalid), .arready_i(arready_i), .arid_i(arid),
    .araddr_i(araddr), .arlen_i(arlen), .arsize_i(arsize), .arburst_i(arburst),
    .rvalid_i(rvalid_i), .rready_i(rready), .rid_i(rid_i), .rlast_i(rlast_i), .idle_i(idle)
  );

  // ---- the cache: a request waits unchanged (rule 3 of rtl/doc/handshake.md)
  localparam integer W = 7 + 72 * BEATS;
  wire [W-1:0] asked = {kind_i, write_i, atomic_i, line_i, id_i, bytes_i, data_i};
  reg  [W-1:0] asked_q;
  reg          waits_q, started = 1'b0;
  always @(posedge clk_i) begin : p_waits
    started <= 1'b1;
    waits_q <= !rst_i && valid_i && !ready;
    asked_q <= asked;
  end

  always @* begin : p_rules
    assume (rst_i || started);
    if (started && waits_q) assume (valid_i && (asked == asked_q));
    assume (write_i == ((kind_i == BYW_MEM_STORE) || (kind_i == BYW_MEM_WRITEBACK)));
    assume (!atomic_i || (kind_i == BYW_MEM_BYPASS));
  end
endmodule

`default_nettype wire
