// SPDX-License-Identifier: Apache-2.0
//
// byw_write_path - the write-back register and the stores whose acknowledgement is outstanding.
//
// Behaviour   clean_i reads a dirty line of the data store; in the next cycle wb_valid_o is set and
//             the line goes into the queue from the RAM's output, so the register holds no bytes.
//             store_i counts a store on its way, ack_i its acknowledgement.  What stores do is
//             decided in byw_write_decide.  Of a line of several beats each has its clean_i; one
//             without wb_dirty_i is not sent.
// Paper       MECHANISMS 0.3; rtl/doc/write_path.md.
// C twin      struct byw_write_path of cmodel/l1d/byw_write_path.h; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       rst_i: nothing outstanding.
//
// Parameter   Default  Range    Meaning
// ACK_W       16       1..32    fewer than 2^ACK_W stores are unanswered at any time
// WB_ACKS     0        0, 1     write-backs are answered, too, and counted as stores
//
`default_nettype none

module byw_write_path #(
  parameter integer ACK_W   = 16,
  parameter integer WB_ACKS = 0
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire clean_i,
  output wire wb_valid_o,
  output wire s2_turn_o,      // not wb_valid_o: a register of its own, because many wait for it
  input  wire wb_dirty_i,

  input  wire store_i,
  input  wire ack_i,
  output wire idle_o          // no write-back, every store acknowledged
);
  reg             wb_valid_q, s2_turn_q;
  reg [ACK_W-1:0] acks_q;

  wire sent = store_i || ((WB_ACKS != 0) && wb_valid_q && wb_dirty_i);   // never both

  assign wb_valid_o = wb_valid_q;
  assign s2_turn_o  = s2_turn_q;
  assign idle_o     = !wb_valid_q && (acks_q == {ACK_W{1'b0}});

  always @(posedge clk_i) begin : p_state
    if (rst_i) begin
      wb_valid_q <= 1'b0;
      s2_turn_q  <= 1'b1;
      acks_q     <= {ACK_W{1'b0}};
    end else begin
      wb_valid_q <= clean_i;
      s2_turn_q  <= !clean_i;
      if (sent && !ack_i)    acks_q <= acks_q + 1'b1;
      if (!sent && ack_i)    acks_q <= acks_q - 1'b1;
    end
  end

  wire unused_ok = &{1'b0, wb_dirty_i};
endmodule

`default_nettype wire
