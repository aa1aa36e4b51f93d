// SPDX-License-Identifier: Apache-2.0
//
// protocol_tb - breaks each rule of the checkers of rtl/check once.
//
// Behaviour   Plays requester, cache, memory and register bus at the ports of the checkers.
//             +case=0 keeps every rule and prints PASS.  +case=N breaks one in an otherwise sound
//             run, which the checker must end with the name of that rule (see t_protocol.sh).
//             Parameters: ORDER, STORE_IDS of the checkers.
//
`timescale 1ns / 1ns

module protocol_tb;
  parameter ORDER = 0, STORE_IDS = 0, FENCE = 0, SECTORS = 1, BEAT_BYTES = 0;
  localparam PORT = (BEAT_BYTES > 0) ? BEAT_BYTES : 16;

  reg             clk = 0, rst = 1, start = 0, idle = 0;
  reg             req_valid = 0, req_ready = 1, rsp_valid = 0, rsp_ready = 1, rsp_error = 0;
  reg  [2:0]      op = 0, hint = 0, served = 1;
  reg  [PORT-1:0] bytes = 1, out_bytes = {PORT{1'b1}} >> (PORT - PORT / SECTORS);
  reg  [3:0]      id = 0, rsp_id = 0, out_id = 0, in_id = 0;
  reg             out_valid = 0, out_ready = 1, out_write = 0, out_bypass = 0, out_atomic = 0;
  reg  [1:0]      out_kind = 0, in_kind = 0;
  reg  [16:0]     out_line = 5;
  reg  [PORT*8-1:0] out_data = 0;
  reg             out_beat = 0, in_valid = 0;
  reg             csr_req = 0, csr_ready = 1, csr_rsp = 0, csr_error = 0;
  reg  [31:0]     csr_data = 0;
  integer         which;
  always #5 clk = !clk;

  byw_l1d_protocol #(
    .ALLOC(SECTORS > 1), .SECTORS(SECTORS), .LINE_BYTES(16), .LINE_W(17), .ID_W(4), .ORDER(ORDER),
    .IN_FLIGHT(4), .STORE_IDS(STORE_IDS), .FENCE(FENCE), .BEAT_BYTES(BEAT_BYTES), .BOUND(20)
  ) u_l1d (
    .clk_i(clk), .rst_i(rst), .kernel_start_i(start), .req_valid_i(req_valid),
    .req_ready_o(req_ready), .req_op_i(op), .req_bytes_i(bytes), .req_id_i(id), .req_hint_i(hint),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_id_o(rsp_id), .rsp_served_o(served),
    .rsp_error_o(rsp_error), .mem_req_valid_o(out_valid), .mem_req_ready_i(out_ready),
    .mem_req_kind_o(out_kind), .mem_req_write_o(out_write), .mem_req_bypass_o(out_bypass),
    .mem_req_atomic_o(out_atomic), .mem_req_line_o(out_line), .mem_req_beat_o(out_beat),
    .mem_req_bytes_o(out_bytes), .mem_req_data_o(out_data), .mem_req_id_o(out_id),
    .mem_rsp_valid_i(in_valid), .mem_rsp_ready_o(1'b1), .mem_rsp_kind_i(in_kind),
    .mem_rsp_id_i(in_id), .idle_o(idle)
  );
  byw_csr_protocol u_csr (
    .clk_i(clk), .rst_i(rst), .csr_req_valid_i(csr_req), .csr_req_ready_o(csr_ready),
    .csr_rsp_valid_o(csr_rsp), .csr_rsp_ready_i(rsp_ready), .csr_rsp_data_o(csr_data),
    .csr_rsp_error_o(csr_error)
  );

  task step;
    begin
      @(posedge clk);
      #1;
      req_valid = 0; rsp_valid = 0; out_valid = 0; in_valid = 0; csr_req = 0; csr_rsp = 0;
      rsp_ready = 1; out_ready = 1; idle = 0; csr_ready = 1; csr_error = 0; rsp_error = 0;
    end
  endtask

  task ask(input [2:0] o, input [3:0] i);
    begin req_valid = 1; op = o; id = i; step; end
  endtask
  task answer(input [2:0] s, input [3:0] i);
    begin rsp_valid = 1; served = s; rsp_id = i; step; end
  endtask
  task send(input [1:0] k, input [3:0] i);
    begin
      out_valid = 1; out_kind = k; out_id = i; out_write = (k >= 2); out_bypass = (k == 1); step;
    end
  endtask
  task told(input [1:0] k, input [3:0] i);
    begin in_valid = 1; in_kind = k; in_id = i; step; end
  endtask

  initial begin
    if (!$value$plusargs("case=%d", which)) which = 0;
    step;
    step;
    rst = 0;
    // A run that obeys all rules: a load, a store, a flush; an access on the register bus.
    ask(0, 3);
    send(0, 1);
    if (BEAT_BYTES > 0) told(0, 1);
    told(0, 1);
    answer(1, 3);
    ask(1, 3);
    out_line = 6;
    send(2, 3);
    told(2, 3);
    answer(3, 3);
    ask(6, 2);
    answer(4, 2);
    csr_req = 1; step;
    csr_ready = 0; csr_rsp = 1; csr_data = 7; step;
    idle = 1; step;
    case (which)
      1: begin ask(0, 1); rsp_ready = 0; answer(0, 1); step; end
      2: begin ask(0, 1); ask(0, 2); rsp_ready = 0; answer(0, 1); answer(0, 2); end
      3: ask(7, 1);
      4: begin hint = 6; ask(0, 1); end
      5: begin hint = 3; ask(7, 1); end
      6: begin bytes = 3 << 7; ask(0, 1); end
      7: begin ask(0, 1); answer(5, 1); end
      8: begin ask(0, 1); answer(0, 1); answer(0, 1); end
      9: begin ask(0, 1); answer(3, 1); end
      10: begin ask(0, 1); answer(4, 1); end
      11: begin ask(5, 1); rsp_error = 1; answer(4, 1); end
      12: begin ask(0, 1); idle = 1; step; end
      13: begin ask(0, 1); repeat (40) step; end
      14: begin out_ready = 0; send(0, 1); step; end
      15: begin out_ready = 0; send(0, 1); out_line = 9; send(0, 1); end
      16: begin out_valid = 1; out_kind = 2; out_write = 0; step; end
      17: begin out_valid = 1; out_kind = 0; out_write = 0; out_bypass = 1; step; end
      18: begin out_atomic = 1; send(0, 1); end
      19: begin out_bytes = 3; send(0, 1); end
      20: begin out_bytes = 0; send(3, 1); end
      21: begin send(0, 1); send(0, 1); end
      22: begin send(0, 1); out_line = 9; send(1, 1); end
      23: begin out_line = 9; send(2, 1); out_line = 9; send(0, 2); end
      24: begin send(2, 0); send(2, 1); send(2, 2); send(2, 3); send(2, 4); end
      25: begin send(0, 1); idle = 1; step; end
      26: told(1, 1);
      27: begin send(3, 1); told(3, 1); end
      28: begin send(0, 1); send(0, 2); told(0, 1); told(0, 2); end
      29: begin csr_req = 1; step; csr_ready = 1; step; end
      30: begin csr_ready = 1; csr_rsp = 1; step; end
      31: begin csr_req = 1; step; repeat (40) begin csr_ready = 0; step; end end
      32: begin csr_req = 1; step; csr_ready = 0; csr_rsp = 1; csr_error = 1; step; end
      33: begin
        csr_req = 1; step;
        csr_ready = 0; csr_rsp = 1; rsp_ready = 0; step;
        csr_ready = 0; step;
      end
      34: begin out_line = 9; send(0, 0); out_line = 9; send(1, 1); end
      default: ;
    endcase
    step;
    $display("PASS");
    $finish;
  end
endmodule
