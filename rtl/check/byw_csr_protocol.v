// SPDX-License-Identifier: Apache-2.0
//
// byw_csr_protocol - checker of the register bus of byw_cluster and byw_csr.
//
// Behaviour   Checks: a response waits unchanged; one access at a time; a response only to an
//             access, within BOUND cycles of it; an access with an error reads 0.
//             rtl/doc/checks.md.
// Reset       rst_i: no access is outstanding.
//
// Parameter   Default  Range  Meaning
// BOUND       16              cycles from a request to its response
//
`default_nettype none
`include "byw_assert.vh"

module byw_csr_protocol #(
  parameter integer BOUND = 16
) (
  input wire        clk_i,
  input wire        rst_i,
  input wire        csr_req_valid_i,
  input wire        csr_req_ready_o,
  input wire        csr_rsp_valid_o,
  input wire        csr_rsp_ready_i,
  input wire [31:0] csr_rsp_data_o,
  input wire        csr_rsp_error_o
);
  reg        open_q;
  reg [31:0] waits_q;                          // cycles since the request was taken
  wire       takes   = csr_req_valid_i && csr_req_ready_o;
  wire       answers = csr_rsp_valid_o && csr_rsp_ready_i;

  always @(posedge clk_i) begin : p_open
    open_q  <= !rst_i && (takes || (open_q && !answers));
    waits_q <= (takes || !open_q || csr_rsp_valid_o) ? 32'd0 : waits_q + 32'd1;
  end

  byw_held #(.W(33)) u_rsp (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(csr_rsp_valid_o), .ready_i(csr_rsp_ready_i),
    .payload_i({csr_rsp_data_o, csr_rsp_error_o})
  );

  `BYW_CHECKS
  `BYW_ASSERT(one_access_at_a_time, open_q, !csr_req_ready_o)
  `BYW_ASSERT(response_only_to_an_access, csr_rsp_valid_o, open_q)
  `BYW_ASSERT(access_is_answered_within_bound, open_q, waits_q <= BOUND)
  `BYW_ASSERT(error_reads_0, csr_rsp_valid_o && csr_rsp_error_o, csr_rsp_data_o == 32'd0)
endmodule

`default_nettype wire
