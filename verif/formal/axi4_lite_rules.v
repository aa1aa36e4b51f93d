// SPDX-License-Identifier: Apache-2.0
//
// axi4_lite_rules - byw_axi4_lite_csr keeps the rules of byw_axi4_lite_protocol, for every master
// and all answers of the registers that follow their own rules.
//
`default_nettype none

module axi4_lite_rules (
  input wire        clk_i,
  input wire        rst_i,
  input wire        awvalid_i,
  input wire [11:0] awaddr_i,
  input wire        wvalid_i,
  input wire [31:0] wdata_i,
  input wire [3:0]  wstrb_i,
  input wire        bready_i,
  input wire        arvalid_i,
  input wire [11:0] araddr_i,
  input wire        rready_i,
  input wire        csr_ready_i,
  input wire        csr_valid_i,
  input wire [31:0] csr_data_i,
  input wire        csr_error_i
);
  wire        awready, wready, bvalid, arready, rvalid, ask, write, csr_ready;
  wire [1:0]  bresp, rresp;
  wire [11:0] addr;
  wire [31:0] rdata, data;

  byw_axi4_lite_csr u_csr (
    .clk_i(clk_i), .rst_i(rst_i), .axi_awvalid_i(awvalid_i), .axi_awready_o(awready),
    .axi_awaddr_i(awaddr_i), .axi_wvalid_i(wvalid_i), .axi_wready_o(wready),
    .axi_wdata_i(wdata_i), .axi_wstrb_i(wstrb_i), .axi_bvalid_o(bvalid), .axi_bready_i(bready_i),
    .axi_bresp_o(bresp), .axi_arvalid_i(arvalid_i), .axi_arready_o(arready),
    .axi_araddr_i(araddr_i), .axi_rvalid_o(rvalid), .axi_rready_i(rready_i), .axi_rdata_o(rdata),
    .axi_rresp_o(rresp), .csr_req_valid_o(ask), .csr_req_ready_i(csr_ready_i),
    .csr_req_write_o(write), .csr_req_addr_o(addr), .csr_req_data_o(data),
    .csr_rsp_valid_i(csr_valid_i), .csr_rsp_ready_o(csr_ready), .csr_rsp_data_i(csr_data_i),
    .csr_rsp_error_i(csr_error_i)
  );
  byw_axi4_lite_protocol u_rules (
    .clk_i(clk_i), .rst_i(rst_i), .awvalid_i(awvalid_i), .awready_i(awready), .awaddr_i(awaddr_i),
    .wvalid_i(wvalid_i), .wready_i(wready), .wdata_i(wdata_i), .wstrb_i(wstrb_i),
    .bvalid_i(bvalid), .bready_i(bready_i), .bresp_i(bresp), .arvalid_i(arvalid_i),
    .arready_i(arready), .araddr_i(araddr_i), .rvalid_i(rvalid), .rready_i(rready_i),
    .rdata_i(rdata), .rresp_i(rresp), .csr_req_valid_i(ask), .csr_req_ready_i(csr_ready_i),
    .csr_req_write_i(write), .csr_req_addr_i(addr), .csr_req_data_i(data),
    .csr_rsp_valid_i(csr_valid_i), .csr_rsp_ready_i(csr_ready)
  );

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @* assume (rst_i || started);
endmodule

`default_nettype wire
