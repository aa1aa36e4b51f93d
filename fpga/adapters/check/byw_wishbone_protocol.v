// SPDX-License-Identifier: Apache-2.0
//
// byw_wishbone_protocol - checker of a pipelined Wishbone B4 bus between byw_wishbone_mem and a
//                         memory.
//
// Behaviour   Guarantees of the master: a strobe stays unchanged while it is stalled, and only
//             within a cycle (CYC); CYC stays until all strobes are acknowledged; at most BEATS_OUT
//             strobes are unanswered; a read selects all bytes; while idle_i nothing is in flight.
//             Assumptions of the slave: ACK or ERR, not both, only for a strobe in flight.
// Reset       rst_i: nothing is in flight.
//
// Parameter   Default  Range   Meaning
// WB_ADDR_W, DATA_W  29, 64    widths of the bus
// BEATS_OUT   32       1..256  as in byw_wishbone_mem
//
`default_nettype none
`include "byw_assert.vh"

module byw_wishbone_protocol #(
  parameter integer WB_ADDR_W = 29,
  parameter integer DATA_W    = 64,
  parameter integer BEATS_OUT = 32
) (
  input wire                 clk_i,
  input wire                 rst_i,
  input wire                 cyc_i,
  input wire                 stb_i,
  input wire                 stall_i,
  input wire                 we_i,
  input wire [WB_ADDR_W-1:0] adr_i,
  input wire [DATA_W/8-1:0]  sel_i,
  input wire [DATA_W-1:0]    dat_i,
  input wire                 ack_i,
  input wire                 err_i,
  input wire                 idle_i
);
  localparam integer OUT = BEATS_OUT;
  reg  [8:0] out_q;                                 // strobes without an answer
  wire       moves = stb_i && !stall_i;
  wire       back  = ack_i || err_i;

  always @(posedge clk_i) begin : p_out
    if (rst_i) out_q <= 9'd0;
    else       out_q <= out_q + {8'd0, moves} - {8'd0, back};
  end

  byw_held #(.W(1 + WB_ADDR_W + DATA_W/8)) u_stb (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(stb_i), .ready_i(!stall_i),
    .payload_i({we_i, adr_i, sel_i})
  );
  byw_held #(.W(DATA_W)) u_dat (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(stb_i && we_i), .ready_i(!stall_i), .payload_i(dat_i)
  );

  `BYW_CHECKS
  `BYW_ASSERT(strobe_is_within_a_cycle, stb_i, cyc_i)
  `BYW_ASSERT(cycle_lasts_until_the_last_answer, out_q != 9'd0, cyc_i)
  `BYW_ASSERT(strobes_are_bounded, stb_i, out_q < OUT[8:0])
  `BYW_ASSERT(read_selects_all_bytes, stb_i && !we_i, &sel_i)
  `BYW_ASSERT(idle_when_nothing_is_in_flight, idle_i, out_q == 9'd0)
  `BYW_ASSUME(answer_to_a_strobe, back, (out_q != 9'd0) && !(ack_i && err_i))
endmodule

`default_nettype wire
