// SPDX-License-Identifier: Apache-2.0
//
// soc_tb - runs byw_rv32_soc: the program must end with code 1, and RAM must hold the sorted array
// after the FLUSH.  Prints PASS with cycles and memory traffic.
//
`timescale 1ns / 1ns
module soc_tb;
  reg         clk = 1'b0, rst = 1'b1;
  wire        done, halted;
  wire [31:0] code;
  integer     cycles = 0, reads = 0, writes = 0, i, j, bad = 0;
  reg  [31:0] want [0:63];
  reg  [31:0] x, y, got;

  byw_rv32_soc u_soc (
    .clk_i(clk), .rst_i(rst), .done_o(done), .code_o(code), .halted_o(halted)
  );

  always #5 clk = !clk;
  always @(posedge clk) begin
    cycles = cycles + 1;
    if (u_soc.arvalid && u_soc.arready) reads = reads + 1;
    if (u_soc.awvalid && u_soc.awready) writes = writes + 1;
    if (cycles == 4) rst <= 1'b0;
    if (halted && !rst && (cycles > 6)) begin
      $display("FAIL halted at %h", u_soc.u_core.pc_q);
      $finish;
    end
    if (cycles == 400000) begin
      $display("FAIL no end after %0d cycles", cycles);
      $finish;
    end
  end

  initial begin
    x = 32'h2545f491;
    for (i = 0; i < 64; i = i + 1) begin
      x = x ^ (x << 13);
      x = x ^ (x >> 17);
      x = x ^ (x << 5);
      y = x;
      for (j = i; j > 0 && want[j-1] > y; j = j - 1) want[j] = want[j-1];
      want[j] = y;
    end
    wait (!rst && done);
    repeat (500) @(posedge clk);             // FLUSH does not wait for memory
    for (i = 0; i < 64; i = i + 1) begin
      got = u_soc.u_ram.mem_q[128 + i/2][(i%2)*32 +: 32];
      if (got !== want[i]) begin
        if (bad == 0) $display("word %0d is %h, expected %h", i, got, want[i]);
        bad = bad + 1;
      end
    end
    if ((code == 32'd1) && (bad == 0) && u_soc.l1_idle && u_soc.bus_idle)
      $display("PASS soc: %0d cycles, %0d reads, %0d writes", cycles, reads, writes);
    else $display("FAIL code %0d, %0d words differ, idle %b%b", code, bad, u_soc.l1_idle,
                  u_soc.bus_idle);
    $finish;
  end
endmodule
