// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_board - the self-test on a board: clock, reset button, eight LEDs.
//
// Behaviour   led_o: 0 heartbeat (toggles every 2^18 responses), 1 done, 2 pass, 3 fail; 4 to 6 the
//             phase or, after a failure, its code; 7 the clock is running.  The test starts by
//             itself after configuration, and again with the button.  The macro FPGA_PARAMETERS
//             sets the parameters of byw_fpga_test (fpga/configs.txt).
//
// Parameter   Default  Range   Meaning
// DIVIDE      0        0..4    the test runs at the board clock divided by 2^DIVIDE
// BUTTON      1        0, 1    level of a pressed button
// LED_ON      1        0, 1    level that lights an LED
//
`default_nettype none
`ifndef FPGA_PARAMETERS
`define FPGA_PARAMETERS .REQUESTS_W(10)
`endif

module byw_fpga_board #(
  parameter integer DIVIDE = 0,
  parameter integer BUTTON = 1,
  parameter integer LED_ON = 1
) (
  input  wire       clk_i,
  input  wire       button_i,
  output wire [7:0] led_o
);
  wire        clk;
  reg  [23:0] alive_q = 24'd0;
  reg  [3:0]  start_q = 4'd0;
  reg  [1:0]  button_q = 2'd0;
  reg         rst_q = 1'b1;
  reg  [18:0] beats_q = 19'd0;
  wire        done, pass, fail, beat;
  wire [2:0]  code, phase;
  reg  [7:0]  led_q = 8'd0;

  generate
    if (DIVIDE == 0) begin : gen_clock
      assign clk = clk_i;
    end else begin : gen_divided
      reg [DIVIDE-1:0] divider_q = {DIVIDE{1'b0}};
      always @(posedge clk_i) divider_q <= divider_q + 1'b1;
      assign clk = divider_q[DIVIDE-1];
    end
  endgenerate

  always @(posedge clk) begin
    alive_q  <= alive_q + 24'd1;
    button_q <= {button_q[0], button_i == (BUTTON != 0)};
    if (button_q[1]) start_q <= 4'd0;
    else if (!(&start_q)) start_q <= start_q + 4'd1;
    rst_q <= !(&start_q);
    if (beat) beats_q <= beats_q + 19'd1;
    led_q <= {alive_q[23], fail ? code : phase, fail, pass, done, beats_q[18]};
  end
  assign led_o = led_q ^ {8{LED_ON == 0}};

  byw_fpga_test #(`FPGA_PARAMETERS) u_test (
    .clk_i(clk), .rst_i(rst_q), .done_o(done), .pass_o(pass), .fail_o(fail), .code_o(code),
    .phase_o(phase), .beat_o(beat)
  );
endmodule

`default_nettype wire
