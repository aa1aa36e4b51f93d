// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_tb - runs byw_fpga_test to its verdict in a simulator and prints it, "PASS" or "FAIL
//               code phase", and the cycles.  Parameters come from the command line of the
//               compiler, as macros (fpga/sim.sh).
//
`default_nettype none
`timescale 1ns / 1ns
`ifndef FPGA_PARAMETERS
`define FPGA_PARAMETERS .REQUESTS_W(10)
`define FPGA_BYTES 128
`endif

module byw_fpga_tb;
  reg        clk = 1'b0;
  reg        rst = 1'b1;
  wire       done, pass, fail, beat;
  wire [2:0] code, phase;
  integer    cycle = 0;
  integer    answers = 0;

  byw_fpga_test #(`FPGA_PARAMETERS) u_test (
    .clk_i(clk), .rst_i(rst), .done_o(done), .pass_o(pass), .fail_o(fail), .code_o(code),
    .phase_o(phase), .beat_o(beat)
  );

  always #5 clk = !clk;

  // ---- initial RAM contents never reach an output of the cache
  localparam integer BYTES = `FPGA_BYTES;      // of an answer
  integer                i;
  reg  [BYTES-1:0]       due [0:255];       // bytes that the answer with this id carries
  reg  [255:0]           brings;
  wire [7:0]             rsp_id = u_test.rsp_id;
  always @(posedge clk) if (u_test.expect_valid) begin
    for (i = 0; i < BYTES; i = i +
      1) due[u_test.expect_id][i] <= u_test.expect_mask[i/u_test.GRAIN];
    brings[u_test.expect_id] <= !u_test.expect_class[1];
  end

  byw_fpga_known #(.BYTES(BYTES)) u_known (
    .clk_i(clk), .on_i(cycle > 5),
    .always_i({12'd0, u_test.req_ready, u_test.rsp_valid, u_test.mem_req_valid,
    u_test.mem_rsp_ready, u_test.idle,
               u_test.events, u_test.policy_events, u_test.two_level, u_test.count_valid}),
    .rsp_valid_i(u_test.rsp_valid),
    .rsp_i({32'd0, u_test.rsp_id, u_test.rsp_served, u_test.rsp_error}),
    .rsp_bytes_i(brings[rsp_id]), .rsp_mask_i(due[rsp_id]), .rsp_data_i(u_test.rsp_data),
    .mem_req_valid_i(u_test.mem_req_valid),
    .mem_req_i({32'd0, u_test.mem_req_beat, u_test.mem_req_more, u_test.mem_req_kind,
    u_test.mem_req_write,
                u_test.mem_req_bypass, u_test.mem_req_atomic, u_test.mem_req_predicted,
                  u_test.mem_req_line,
                u_test.mem_req_id}),
    .mem_req_bytes_i(u_test.mem_req_write || u_test.mem_req_atomic),
    .mem_req_mask_i(u_test.mem_req_bytes), .mem_req_data_i(u_test.mem_req_data)
  );

  always @(posedge clk) begin : p_watch
    cycle <= cycle + 1;
    if (cycle == 3) rst <= 1'b0;
    if (beat === 1'b1) answers <= answers + 1;
    if (cycle > 4) begin
      if ((^{done, pass, fail, code, phase, beat}) === 1'bx) begin
        $display("FAIL unknown: done %b pass %b fail %b code %b phase %b beat %b in cycle %0d",
                 done, pass, fail, code, phase, beat, cycle);
        $finish;
      end
      if (done) begin
        if (pass) $display("PASS %0d answers in %0d cycles, %0d bytes known", answers, cycle,
            u_known.checked);
        else $display("FAIL code %0d in phase %0d, %0d answers, cycle %0d", code, phase, answers,
          cycle);
        $finish;
      end
    end
  end
endmodule

`default_nettype wire
