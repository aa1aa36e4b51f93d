// SPDX-License-Identifier: Apache-2.0
//
// byw_gpu_alu - the ALU of one lane of the soft GPU; multiplication is in byw_gpu_mul.
//
// Behaviour   y_o = a_i FUNCTION b_i; FUNCTION is the low four bits of an ALU operation
//             (gpu_isa.def).  Combinational.  One adder serves add, sub and the comparisons, one
//             shifter all shifts.
//
`default_nettype none

module byw_gpu_alu (
  input  wire [3:0]  function_i,
  input  wire [31:0] a_i,
  input  wire [31:0] b_i,
  output reg  [31:0] y_o
);
  `include "byw_gpu_isa.vh"

  wire        minus = function_i != GPU_ADD[3:0];
  wire [32:0] sum   = {1'b0, a_i} + {1'b0, b_i ^ {32{minus}}} + {32'd0, minus};
  wire        below = !sum[32];                           // a < b, unsigned
  wire        less  = below ^ a_i[31] ^ b_i[31];          // a < b, signed
  wire        same  = a_i == b_i;

  // A left shift is a right shift of the bits in reverse order.
  wire         left = function_i == GPU_SHL[3:0];
  wire         sign = (function_i == GPU_SAR[3:0]) && a_i[31];
  reg  [31:0]  mirrored;
  reg  [31:0]  shift_y;
  wire [31:0]  shift_a = left ? mirrored : a_i;
  wire [15:0]  fill    = {16{sign}};
  wire [31:0]  shift_1 = b_i[0] ? {fill[0], shift_a[31:1]} : shift_a;
  wire [31:0]  shift_2 = b_i[1] ? {fill[1:0], shift_1[31:2]} : shift_1;
  wire [31:0]  shift_3 = b_i[2] ? {fill[3:0], shift_2[31:4]} : shift_2;
  wire [31:0]  shift_4 = b_i[3] ? {fill[7:0], shift_3[31:8]} : shift_3;
  wire [31:0]  shifted = b_i[4] ? {fill[15:0], shift_4[31:16]} : shift_4;
  integer      i;

  always @* begin : p_mirror
    for (i = 0; i < 32; i = i + 1) begin
      mirrored[i] = a_i[31-i];
      shift_y[i]  = left ? shifted[31-i] : shifted[i];
    end
  end

  always @* begin : p_result
    case (function_i)
      GPU_ADD[3:0], GPU_SUB[3:0]:               y_o = sum[31:0];
      GPU_AND[3:0]:                             y_o = a_i & b_i;
      GPU_OR[3:0]:                              y_o = a_i | b_i;
      GPU_XOR[3:0]:                             y_o = a_i ^ b_i;
      GPU_SHL[3:0], GPU_SHR[3:0], GPU_SAR[3:0]: y_o = shift_y;
      GPU_SLT[3:0]:                             y_o = {31'd0, less};
      GPU_SLTU[3:0]:                            y_o = {31'd0, below};
      GPU_SEQ[3:0]:                             y_o = {31'd0, same};
      GPU_SNE[3:0]:                             y_o = {31'd0, !same};
      GPU_MIN[3:0]:                             y_o = less ? a_i : b_i;
      GPU_MAX[3:0]:                             y_o = less ? b_i : a_i;
      default:                                  y_o = 32'd0;
    endcase
  end
endmodule

`default_nettype wire
