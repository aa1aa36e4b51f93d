// SPDX-License-Identifier: Apache-2.0
//
// byw_axi4_lite_protocol - checker of an AXI4-Lite bus between a master and byw_axi4_lite_csr, and
//                          of the register bus behind it.
//
// Behaviour   Guarantees of the slave: B and R stay until taken; B only for a write whose address
//             and data were taken, R only for a read, each once; OKAY or SLVERR; the register
//             request stays until taken, one at a time, only for an access that was taken, and not
//             for a write of part of a word.  Assumption: registers answer what was asked.
// Reset       rst_i: nothing is in flight.
//
`default_nettype none
`include "byw_assert.vh"

module byw_axi4_lite_protocol (
  input wire        clk_i,
  input wire        rst_i,
  input wire        awvalid_i,
  input wire        awready_i,
  input wire [11:0] awaddr_i,
  input wire        wvalid_i,
  input wire        wready_i,
  input wire [31:0] wdata_i,
  input wire [3:0]  wstrb_i,
  input wire        bvalid_i,
  input wire        bready_i,
  input wire [1:0]  bresp_i,
  input wire        arvalid_i,
  input wire        arready_i,
  input wire [11:0] araddr_i,
  input wire        rvalid_i,
  input wire        rready_i,
  input wire [31:0] rdata_i,
  input wire [1:0]  rresp_i,
  input wire        csr_req_valid_i,
  input wire        csr_req_ready_i,
  input wire        csr_req_write_i,
  input wire [11:0] csr_req_addr_i,
  input wire [31:0] csr_req_data_i,
  input wire        csr_rsp_valid_i,
  input wire        csr_rsp_ready_i
);
  reg        aw_q, w_q, ar_q;                       // taken, but not answered yet
  reg        asked_q;                               // the registers owe an answer
  reg [11:0] awaddr_q, araddr_q;
  reg [31:0] wdata_q;
  reg [3:0]  wstrb_q;
  wire       asks = csr_req_valid_i && csr_req_ready_i;

  always @(posedge clk_i) begin : p_taken
    if (awvalid_i && awready_i) awaddr_q <= awaddr_i;
    if (wvalid_i && wready_i) {wdata_q, wstrb_q} <= {wdata_i, wstrb_i};
    if (arvalid_i && arready_i) araddr_q <= araddr_i;
    if (rst_i) {aw_q, w_q, ar_q, asked_q} <= 4'd0;
    else begin
      aw_q    <= (aw_q || (awvalid_i && awready_i)) && !(bvalid_i && bready_i);
      w_q     <= (w_q || (wvalid_i && wready_i)) && !(bvalid_i && bready_i);
      ar_q    <= (ar_q || (arvalid_i && arready_i)) && !(rvalid_i && rready_i);
      asked_q <= (asked_q || asks) && !(csr_rsp_valid_i && csr_rsp_ready_i);
    end
  end

  byw_held #(.W(2)) u_b (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(bvalid_i), .ready_i(bready_i), .payload_i(bresp_i)
  );
  byw_held #(.W(34)) u_r (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(rvalid_i), .ready_i(rready_i),
    .payload_i({rresp_i, rdata_i})
  );
  byw_held #(.W(13)) u_csr (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(csr_req_valid_i), .ready_i(csr_req_ready_i),
    .payload_i({csr_req_write_i, csr_req_addr_i})
  );
  byw_held #(.W(32)) u_csr_data (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(csr_req_valid_i && csr_req_write_i),
    .ready_i(csr_req_ready_i), .payload_i(csr_req_data_i)
  );

  `BYW_CHECKS
  `BYW_ASSERT(answer_to_a_whole_write, bvalid_i, aw_q && w_q)
  `BYW_ASSERT(answer_to_a_read, rvalid_i, ar_q)
  `BYW_ASSERT(one_address_at_a_time, awready_i, !aw_q)
  `BYW_ASSERT(one_word_at_a_time, wready_i, !w_q)
  `BYW_ASSERT(one_read_at_a_time, arready_i, !ar_q)
  `BYW_ASSERT(answer_exists, 1'b1, !(bvalid_i && bresp_i[0]) && !(rvalid_i && rresp_i[0]))
  `BYW_ASSERT(register_access_is_the_one_taken, csr_req_valid_i,
              csr_req_write_i ? aw_q && w_q && (csr_req_addr_i == awaddr_q) &&
                                (csr_req_data_i == wdata_q)
                              : ar_q && (csr_req_addr_i == araddr_q))
  `BYW_ASSERT(part_of_a_word_reaches_no_register, csr_req_valid_i && csr_req_write_i, &wstrb_q)
  `BYW_ASSERT(one_register_access_at_a_time, csr_req_valid_i, !asked_q)
  `BYW_ASSUME(registers_answer_what_was_asked, csr_rsp_valid_i, asked_q)
endmodule

`default_nettype wire
