// SPDX-License-Identifier: Apache-2.0
//
// byw_held - checker of a valid output: it stays, with its payload, until it is taken.
//
// Behaviour   Rule 3 of rtl/doc/handshake.md.  payload_i: the meaningful bits.
// Reset       rst_i: nothing waits.
//
// Parameter   Default  Range  Meaning
// W           1        1..    width of the payload
//
`default_nettype none
`include "byw_assert.vh"

module byw_held #(
  parameter integer W = 1
) (
  input wire         clk_i,
  input wire         rst_i,
  input wire         valid_i,
  input wire         ready_i,
  input wire [W-1:0] payload_i
);
  reg         waits_q;
  reg [W-1:0] payload_q;

  always @(posedge clk_i) begin : p_waits
    waits_q   <= !rst_i && valid_i && !ready_i;
    payload_q <= payload_i;
  end

  `BYW_CHECKS
  `BYW_ASSERT(valid_stays_until_taken, waits_q, valid_i)
  `BYW_ASSERT(payload_stays_until_taken, waits_q && valid_i, payload_i == payload_q)
endmodule

`default_nettype wire
