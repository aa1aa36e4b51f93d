// SPDX-License-Identifier: Apache-2.0
//
// byw_write_path - the write-back register and the count of unacknowledged stores.
//
// Behaviour   wb_load_i reads a dirty line of the data store.  In the next cycle wb_valid_o is set
//             and the line goes from the RAM output into the queue, so this register holds no
//             bytes.  store_sent_i counts a store in flight, write_ack_i its acknowledgement.
//             byw_write_decide decides what a store does.  A line of several beats needs one
//             wb_load_i per beat; a beat without wb_dirty_i is not sent.
// Paper       mechanisms/cache.md 0.3; rtl/doc/write_path.md.
// C twin      struct byw_write_path of cmodel/model/l1d/byw_write_path.h; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       rst_i: nothing is outstanding.
//
// Parameter   Default  Range    Meaning
// ACK_W       16       1..32    at most 2^ACK_W - 1 stores are unacknowledged
// WB_ACKS     0        0, 1     1: write-backs are acknowledged, too, and counted as stores
//
`default_nettype none
`include "byw_assert.vh"

module byw_write_path #(
  parameter integer ACK_W   = 16,
  parameter integer WB_ACKS = 0
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire wb_load_i,
  output wire wb_valid_o,
  output wire wb_empty_o, // inverse of wb_valid_o, a copy for fan-out
  input  wire wb_dirty_i,

  input  wire store_sent_i,
  input  wire write_ack_i,
  output wire idle_o      // no write-back, all stores acknowledged
);
  reg             wb_valid_q, wb_empty_q;
  reg [ACK_W-1:0] acks_q;

  wire write_sent = store_sent_i || ((WB_ACKS != 0) && wb_valid_q && wb_dirty_i);   // never both

  assign wb_valid_o = wb_valid_q;
  assign wb_empty_o = wb_empty_q;
  assign idle_o     = !wb_valid_q && (acks_q == {ACK_W{1'b0}});

  always @(posedge clk_i) begin : p_state
    if (rst_i) begin
      wb_valid_q <= 1'b0;
      wb_empty_q <= 1'b1;
      acks_q     <= {ACK_W{1'b0}};
    end else begin
      wb_valid_q <= wb_load_i;
      wb_empty_q <= !wb_load_i;
      if (write_sent && !write_ack_i)    acks_q <= acks_q + 1'b1;
      if (!write_sent && write_ack_i)    acks_q <= acks_q - 1'b1;
    end
  end

  wire unused_ok = &{1'b0, wb_dirty_i};

  `BYW_CHECKS
  `BYW_ASSUME(acknowledged_store_is_in_flight, write_ack_i, acks_q != {ACK_W{1'b0}})
  `BYW_ASSUME(acknowledgements_can_be_counted, write_sent && !write_ack_i, acks_q != {ACK_W{1'b1}})
  `BYW_ASSUME(store_waits_for_the_write_back, store_sent_i, !wb_valid_o)
  `BYW_ASSERT(copy_is_the_inverse, 1'b1, wb_empty_o == !wb_valid_o)
  `BYW_ASSERT(idle_without_a_store_in_flight, idle_o, (acks_q == {ACK_W{1'b0}}) && !wb_valid_o)
endmodule

`default_nettype wire
