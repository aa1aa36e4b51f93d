// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_known - in a four-state simulation: the cache's outputs are known for any initial
//                  contents of its RAMs.
//
// Behaviour   From the cycle after reset on: handshakes, pulses and idle in every cycle; payload
//             while it is valid; bytes that have a meaning (rtl/doc/handshake.md, rule 2): those in
//             the mask of a write, and those that an answer returns.  Prints the first unknown
//             output and ends.  Instantiated only in byw_fpga_tb; reads signals inside
//             byw_fpga_test.
//
`default_nettype none
`timescale 1ns / 1ns

module byw_fpga_known #(
  parameter integer BYTES = 32
) (
  input  wire                    clk_i,
  input  wire                    on_i,
  input  wire [127:0]            always_i,        // known in every cycle
  input  wire                    rsp_valid_i,
  input  wire [127:0]            rsp_i,           // id, served, error
  input  wire                    rsp_bytes_i,     // the answer carries bytes
  input  wire [BYTES-1:0]        rsp_mask_i,
  input  wire [BYTES*8-1:0]      rsp_data_i,
  input  wire                    mem_req_valid_i,
  input  wire [127:0]            mem_req_i,       // kind, address, mask and so on
  input  wire                    mem_req_bytes_i,
  input  wire [BYTES-1:0]        mem_req_mask_i,
  input  wire [BYTES*8-1:0]      mem_req_data_i
);
  integer checked = 0;                            // bytes looked at
  integer i;

  task unknown;
    input [8*24-1:0] what;
    begin
      $display("FAIL unknown %0s at %0t", what, $time);
      $finish;
    end
  endtask

  always @(negedge clk_i) if (on_i) begin
    if ((^always_i) === 1'bx) unknown("handshake or pulse");
    else if ((rsp_valid_i === 1'b1) && ((^rsp_i) === 1'bx)) unknown("rsp");
    else if ((mem_req_valid_i === 1'b1) && ((^mem_req_i) === 1'bx || (^mem_req_mask_i) === 1'bx))
      unknown("mem_req");
    else begin
      if ((rsp_valid_i === 1'b1) && rsp_bytes_i)
        for (i = 0; i < BYTES; i = i + 1)
          if (rsp_mask_i[i]) begin
            checked = checked + 1;
            if ((^rsp_data_i[i*8 +: 8]) === 1'bx) unknown("rsp_data");
          end
      if ((mem_req_valid_i === 1'b1) && mem_req_bytes_i)
        for (i = 0; i < BYTES; i = i + 1)
          if (mem_req_mask_i[i]) begin
            checked = checked + 1;
            if ((^mem_req_data_i[i*8 +: 8]) === 1'bx) unknown("mem_req_data");
          end
    end
  end
endmodule

`default_nettype wire
