// SPDX-License-Identifier: Apache-2.0
//
// dbi_props - what byw_dbi guarantees about any one line: a lookup shows its bit exactly when the
// line is dirty, the line is offered only while it is dirty, and an offer stays until it is taken.
// Operations and taken offers make the line dirty and clean.
// Proof: pdr
//
`default_nettype none

module dbi_props (
  input wire       clk_i,
  input wire       rst_i,
  input wire       req_valid_i,
  input wire [2:0] req_op_i,
  input wire [1:0] req_row_i,
  input wire       req_block_i,
  input wire       rinse_ready_i
);
  `include "byw_defs.vh"

  (* anyconst *) wire [1:0] watched_row;
  (* anyconst *) wire       watched_block;

  wire       ready, done, offers, busy;
  wire [1:0] done_dirty;
  wire [1:0] offer_row;
  wire       offer_block;

  byw_dbi #(.SETS(1), .WAYS(2), .BLOCKS(2), .ROW_W(2)) u_dbi (
    .clk_i(clk_i), .rst_i(rst_i), .req_valid_i(req_valid_i), .req_ready_o(ready),
    .req_op_i(req_op_i), .req_row_i(req_row_i), .req_block_i(req_block_i), .done_o(done),
    .done_dirty_o(done_dirty), .rinse_valid_o(offers), .rinse_ready_i(rinse_ready_i),
    .rinse_row_o(offer_row), .rinse_block_o(offer_block), .busy_o(busy)
  );

  reg       started = 1'b0;
  reg       dirty   = 1'b0;       // the watched line
  reg       op_valid = 1'b0;      // an operation is being decided
  reg [2:0] op;
  reg       op_row_watched, op_watched;
  reg       stood;                // an offer was not taken in the cycle before
  reg [1:0] stood_row;
  reg       stood_block;

  wire accept  = req_valid_i && ready;
  wire taken   = offers && rinse_ready_i;
  wire watched = (req_row_i == watched_row) && (req_block_i == watched_block);
  wire offered = offers && (offer_row == watched_row) && (offer_block == watched_block);
  wire cleans  = op_valid && op_watched && ((op == BYW_DBI_EVICT) || (op == BYW_DBI_CLEAN));

  always @(posedge clk_i) begin : p_history
    started  <= 1'b1;
    op_valid <= !rst_i && (accept || (op_valid && !done));
    if (accept) begin
      op             <= req_op_i;
      op_row_watched <= req_row_i == watched_row;
      op_watched     <= watched;
    end
    if (rst_i) dirty <= 1'b0;
    else if (accept && watched && (req_op_i == BYW_DBI_SET)) dirty <= 1'b1;
    else if (accept && watched && ((req_op_i == BYW_DBI_EVICT) || (req_op_i == BYW_DBI_CLEAN)))
      dirty <= 1'b0;
    else if (taken && offered) dirty <= 1'b0;
    stood       <= !rst_i && offers && !rinse_ready_i;
    stood_row   <= offer_row;
    stood_block <= offer_block;
  end

  always @* begin : p_properties
    if (!started) assume (rst_i);
    assume (req_op_i <= BYW_DBI_FLUSH);
    if (started) begin
      if (op_valid && done && (op == BYW_DBI_LOOKUP) && op_row_watched)
        assert (done_dirty[watched_block] == dirty);
      if (offered) assert (dirty || cleans);
      if (stood) assert (offers && (offer_row == stood_row) && (offer_block == stood_block));
      if (dirty || op_valid) assert (busy || dirty);
    end
  end
endmodule

`default_nettype wire
