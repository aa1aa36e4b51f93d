// SPDX-License-Identifier: Apache-2.0
//
// byw_mshr_of_line - the number of the MSHR that fetches a data line.
//
// Behaviour   take_i keeps number mshr_i for line (set_i, way_i); find_mshr_o is that of the line
//             asked for, in the same cycle.  It means something while that line is pending.
// Paper       MECHANISMS 0.2; rtl/doc/mshr.md.
// C twin      byw_mshr_lookup() of cmodel/l1d/byw_mshr.c, which searches by line; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       none: nothing is read before it is written.
//
// Parameter   Default  Range     Meaning
// SETS, DATA_WAYS, MSHRS         as in byw_l1d
//
`default_nettype none
`include "byw_widths.vh"

module byw_mshr_of_line #(
  parameter integer SETS      = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer MSHRS     = `BYW_DEFAULT_MSHRS,
  parameter integer SET_IW    = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer MSHR_IW   = (MSHRS > 1) ? $clog2(MSHRS) : 1
) (
  input  wire               clk_i,

  input  wire               take_i,
  input  wire [SET_IW-1:0]  set_i,
  input  wire [WAY_IW-1:0]  way_i,
  input  wire [MSHR_IW-1:0] mshr_i,

  input  wire [SET_IW-1:0]  find_set_i,
  input  wire [WAY_IW-1:0]  find_way_i,
  output wire [MSHR_IW-1:0] find_mshr_o
);
  localparam integer LINES = 1 << (SET_IW + WAY_IW);

  reg [MSHR_IW-1:0] mshr_q [0:LINES-1];

  assign find_mshr_o = mshr_q[{find_set_i, find_way_i}];

  always @(posedge clk_i) begin : p_mshr
    if (take_i) mshr_q[{set_i, way_i}] <= mshr_i;
  end
endmodule

`default_nettype wire
