// SPDX-License-Identifier: Apache-2.0
//
// csr_props - what the bus of byw_csr guarantees: a response stays with its payload until it is
// taken, every request gets exactly one response, and a counter request stays until it is answered.
// Proof: pdr
//
`default_nettype none

module csr_props (
  input wire        clk_i,
  input wire        rst_i,
  input wire        req_valid_i,
  input wire        req_write_i,
  input wire [11:0] req_addr_i,
  input wire [31:0] req_data_i,
  input wire        rsp_ready_i,
  input wire        idle_i,
  input wire        count_valid_i,
  input wire [63:0] count_data_i
);
  wire        req_ready, rsp_valid, rsp_error, count_req, kernel_start, duel_restart;
  wire [31:0] rsp_data;
  wire [7:0]  count_sel;

  byw_csr u_csr (
    .clk_i(clk_i), .rst_i(rst_i), .req_valid_i(req_valid_i), .req_ready_o(req_ready),
    .req_write_i(req_write_i), .req_addr_i(req_addr_i), .req_data_i(req_data_i),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready_i), .rsp_data_o(rsp_data),
    .rsp_error_o(rsp_error), .idle_i(idle_i), .duel_on_i(1'b0), .duel_votes_i(4'd0),
    .kernel_start_o(kernel_start), .duel_restart_o(duel_restart), .count_req_o(count_req),
    .count_sel_o(count_sel), .count_valid_i(count_req && count_valid_i),
    .count_data_i(count_data_i)
  );

  reg         started = 1'b0;
  reg         owed;                  // a request without an answer
  reg         was_valid, was_error, was_count, was_taken;
  reg  [31:0] was_data;
  reg  [7:0]  was_sel;
  wire        taken = req_valid_i && req_ready;

  always @(posedge clk_i) begin : p_history
    started   <= 1'b1;
    owed      <= !rst_i && (taken || (owed && !(rsp_valid && rsp_ready_i)));
    was_valid <= !rst_i && rsp_valid && !rsp_ready_i;
    was_count <= !rst_i && count_req && !count_valid_i;
    was_taken <= !rst_i && taken && req_write_i;
    was_data  <= rsp_data;
    was_error <= rsp_error;
    was_sel   <= count_sel;
  end

  always @* begin : p_properties
    if (!started) assume (rst_i);
    if (started) begin
      assert (owed == (rsp_valid || count_req));
      assert (req_ready == !owed);
      assert (!(rsp_valid && count_req));
      if (was_valid) assert (rsp_valid && (rsp_data == was_data) && (rsp_error == was_error));
      if (was_count) assert (count_req && (count_sel == was_sel));
      if (kernel_start || duel_restart) assert (was_taken);
    end
  end
endmodule

`default_nettype wire
