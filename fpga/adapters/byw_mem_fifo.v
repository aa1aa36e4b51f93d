// SPDX-License-Identifier: Apache-2.0
//
// byw_mem_fifo - a small FIFO with fall-through: an entry pushed while it is empty is shown at
// once.
//
// Behaviour   pop_valid_o: an entry is in the FIFO or pushed in this cycle.  pop_data_o: the oldest
//             entry.  The user must count entries and never push into a full FIFO.
// Paper       none; fpga/adapters/README.md.
// Reset       rst_i: empty.
//
// Parameter   Default  Range    Meaning
// DEPTH       8        1..256   number of entries
// W           32                width of an entry
//
`default_nettype none

module byw_mem_fifo #(
  parameter integer DEPTH = 8,
  parameter integer W     = 32
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         push_i,
  input  wire [W-1:0] push_data_i,
  output wire         pop_valid_o,
  input  wire         pop_i,
  output wire [W-1:0] pop_data_o
);
  localparam integer IDX_W   = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam integer LAST_I  = DEPTH - 1;
  localparam [IDX_W-1:0] LAST = LAST_I[IDX_W-1:0];

  reg [W-1:0]     entry_q [0:DEPTH-1];
  reg [IDX_W-1:0] head_q, tail_q;
  reg             any_q;                    // the FIFO is not empty

  wire [IDX_W-1:0] head_next = (head_q == LAST) ? {IDX_W{1'b0}} : head_q + 1'b1;
  wire [IDX_W-1:0] tail_next = (tail_q == LAST) ? {IDX_W{1'b0}} : tail_q + 1'b1;

  assign pop_valid_o = any_q || push_i;
  assign pop_data_o  = any_q ? entry_q[head_q] : push_data_i;

  wire keeps = push_i && (any_q || !pop_i);
  wire frees = pop_i && any_q;

  always @(posedge clk_i) begin : p_pointers
    if (rst_i) begin
      head_q <= {IDX_W{1'b0}};
      tail_q <= {IDX_W{1'b0}};
      any_q  <= 1'b0;
    end else begin
      if (frees) head_q <= head_next;
      if (keeps) tail_q <= tail_next;
      if (keeps)                                 any_q <= 1'b1;
      else if (frees && (head_next == tail_q))   any_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin : p_entries
    if (keeps) entry_q[tail_q] <= push_data_i;
  end
endmodule

`default_nettype wire
