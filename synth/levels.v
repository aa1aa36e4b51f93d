// SPDX-License-Identifier: Apache-2.0
//
// levels.v - used only to count logic levels: reduces a LUT RAM to the path from read address to
// data.
//
module TRELLIS_DPR16X4 (
  input  wire [3:0] DI,
  input  wire [3:0] WAD,
  input  wire       WRE,
  input  wire       WCK,
  input  wire [3:0] RAD,
  output wire [3:0] DO
);
  parameter WCKMUX  = "WCK";
  parameter WREMUX  = "WRE";
  parameter INITVAL = 64'h0;
  byw_lut_ram_read u_read (.address_i(RAD), .data_o(DO));
endmodule

(* blackbox *)
module byw_lut_ram_read (
  input  wire [3:0] address_i,
  output wire [3:0] data_o
);
endmodule
