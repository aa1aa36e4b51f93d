// SPDX-License-Identifier: Apache-2.0
//
// byw_soc_board - byw_rv32_soc on a ULX3S: clock, reset button, LEDs.
//
// Behaviour   led_o: 0 done, 1 code 1 (all checks passed), 2 another code, 3 halted; 4 to 6
//             the lowest bits of the code; 7 the clock is running.  The button starts it again.
//
`default_nettype none

module byw_soc_board (
  input  wire       clk_i,
  input  wire       button_i,
  output wire [7:0] led_o
);
  reg  [23:0] alive_q = 24'd0;
  reg  [3:0]  start_q = 4'd0;
  reg         rst_q = 1'b1, button_q = 1'b0;
  wire        done, halted;
  wire [31:0] code;

  always @(posedge clk_i) begin : p_reset
    alive_q  <= alive_q + 24'd1;
    button_q <= button_i;
    if (button_q) start_q <= 4'd0;
    else if (!(&start_q)) start_q <= start_q + 4'd1;
    rst_q <= !(&start_q);
  end

  byw_rv32_soc u_soc (
    .clk_i(clk_i), .rst_i(rst_q), .done_o(done), .code_o(code), .halted_o(halted)
  );
  assign led_o = {alive_q[23], code[2:0], halted, done && (code != 32'd1),
                  done && (code == 32'd1), done};
endmodule

`default_nettype wire
