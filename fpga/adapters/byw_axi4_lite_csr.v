// SPDX-License-Identifier: Apache-2.0
//
// byw_axi4_lite_csr - an AXI4-Lite slave for the register bus of byw_csr and byw_cluster.
//
// Behaviour   One access at a time; reads and writes alternate.  Address and data of a write may
//             arrive in either order.  A write of part of a word is an error and changes nothing; a
//             write of no byte does nothing.  Register errors return SLVERR.  There is no
//             combinational path from a bus input to a bus output.
// Paper       none; fpga/adapters/README.md.
// Reset       rst_i: no access in progress.
//
`default_nettype none

module byw_axi4_lite_csr (
  input  wire        clk_i,
  input  wire        rst_i,

  // AXI4-Lite, byte addresses
  input  wire        axi_awvalid_i,
  output wire        axi_awready_o,
  input  wire [11:0] axi_awaddr_i,
  input  wire        axi_wvalid_i,
  output wire        axi_wready_o,
  input  wire [31:0] axi_wdata_i,
  input  wire [3:0]  axi_wstrb_i,
  output wire        axi_bvalid_o,
  input  wire        axi_bready_i,
  output wire [1:0]  axi_bresp_o,
  input  wire        axi_arvalid_i,
  output wire        axi_arready_o,
  input  wire [11:0] axi_araddr_i,
  output wire        axi_rvalid_o,
  input  wire        axi_rready_i,
  output wire [31:0] axi_rdata_o,
  output wire [1:0]  axi_rresp_o,

  // csr_req, csr_rsp: to the registers
  output wire        csr_req_valid_o,
  input  wire        csr_req_ready_i,
  output wire        csr_req_write_o,
  output wire [11:0] csr_req_addr_o,
  output wire [31:0] csr_req_data_o,
  input  wire        csr_rsp_valid_i,
  output wire        csr_rsp_ready_o,
  input  wire [31:0] csr_rsp_data_i,
  input  wire        csr_rsp_error_i
);
  localparam [1:0] ST_IDLE  = 2'd0;         // selects the next access
  localparam [1:0] ST_ASK   = 2'd1;         // csr_req is shown
  localparam [1:0] ST_WAIT  = 2'd2;         // waits for csr_rsp
  localparam [1:0] ST_REPLY = 2'd3;         // B or R is shown

  reg [1:0]  state_q;
  reg        write_q;                       // the access is a write; in ST_IDLE: the last one was
  reg        aw_q, w_q, ar_q;               // accepted and not completed
  reg [11:0] awaddr_q, araddr_q;
  reg [31:0] wdata_q, rdata_q;
  reg [3:0]  wstrb_q;
  reg        error_q;

  wire can_write = aw_q && w_q;
  wire whole     = (wstrb_q == 4'hF);
  wire write_now = can_write && (!ar_q || !write_q);
  wire replied   = write_q ? axi_bready_i : axi_rready_i;
  wire over      = (state_q == ST_REPLY) && replied;

  assign axi_awready_o   = !aw_q;
  assign axi_wready_o    = !w_q;
  assign axi_arready_o   = !ar_q;
  assign axi_bvalid_o    = (state_q == ST_REPLY) && write_q;
  assign axi_rvalid_o    = (state_q == ST_REPLY) && !write_q;
  assign axi_bresp_o     = {error_q, 1'b0};
  assign axi_rresp_o     = {error_q, 1'b0};
  assign axi_rdata_o     = rdata_q;
  assign csr_req_valid_o = (state_q == ST_ASK);
  assign csr_req_write_o = write_q;
  assign csr_req_addr_o  = write_q ? awaddr_q : araddr_q;
  assign csr_req_data_o  = wdata_q;
  assign csr_rsp_ready_o = (state_q == ST_WAIT);

  always @(posedge clk_i) begin : p_state
    if (rst_i) begin
      state_q <= ST_IDLE;
      write_q <= 1'b0;
      {aw_q, w_q, ar_q} <= 3'b000;
    end else begin
      if (axi_awvalid_i && !aw_q) aw_q <= 1'b1;
      if (axi_wvalid_i && !w_q)   w_q  <= 1'b1;
      if (axi_arvalid_i && !ar_q) ar_q <= 1'b1;
      case (state_q)
        ST_IDLE:
          if (can_write || ar_q) begin
            write_q <= write_now;
            state_q <= (write_now && !whole) ? ST_REPLY : ST_ASK;
          end
        ST_ASK:  if (csr_req_ready_i) state_q <= ST_WAIT;
        ST_WAIT: if (csr_rsp_valid_i) state_q <= ST_REPLY;
        default:
          if (over) begin
            state_q <= ST_IDLE;
            if (write_q) {aw_q, w_q} <= 2'b00;
            else         ar_q        <= 1'b0;
          end
      endcase
    end
  end

  always @(posedge clk_i) begin : p_payload
    if (!aw_q) awaddr_q <= axi_awaddr_i;
    if (!w_q)  {wdata_q, wstrb_q} <= {axi_wdata_i, axi_wstrb_i};
    if (!ar_q) araddr_q <= axi_araddr_i;
    if (state_q == ST_IDLE) error_q <= write_now && (wstrb_q != 4'h0);
    else if (state_q == ST_WAIT) {error_q, rdata_q} <= {csr_rsp_error_i, csr_rsp_data_i};
  end
endmodule

`default_nettype wire
