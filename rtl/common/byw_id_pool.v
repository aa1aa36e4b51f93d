// SPDX-License-Identifier: Apache-2.0
//
// byw_id_pool - numbers 0 .. N-1 handed out lowest free first.
//
// Behaviour   take_id_o is the lowest free number while take_ready_o; take_i takes it at the edge.
//             give_i frees give_id_i.  A number freed in a cycle can be taken in the next.
//             take_i without take_ready_o, and giving a free number, are not allowed.
// C twin      cmodel/common/byw_id_pool.c; checked by verif/l1d/lockstep_mshr.c and
//             lockstep_bypass_tracker.c.
// Reset       rst_i: all free.
//
// Parameter   Default  Range     Meaning
// N           8        1..4096   numbers
// IDX_W       $clog2(N), at least 1
//
`default_nettype none

module byw_id_pool #(
  parameter integer N     = 8,
  parameter integer IDX_W = (N > 1) ? $clog2(N) : 1
) (
  input  wire             clk_i,
  input  wire             rst_i,

  input  wire             take_i,
  output wire             take_ready_o,
  output wire [IDX_W-1:0] take_id_o,

  input  wire             give_i,
  input  wire [IDX_W-1:0] give_id_i,

  output wire             all_free_o
);
  localparam [N-1:0] ONE = 1;

  reg  [N-1:0] free_q;
  wire [N-1:0] taken = take_i ? (ONE << take_id_o) : {N{1'b0}};
  wire [N-1:0] given = give_i ? (ONE << give_id_i) : {N{1'b0}};

  assign all_free_o = &free_q;

  byw_prio_enc #(.N(N), .IDX_W(IDX_W)) u_lowest (
    .req_i(free_q), .any_o(take_ready_o), .index_o(take_id_o)
  );

  always @(posedge clk_i) begin : p_free
    if (rst_i) free_q <= {N{1'b1}};
    else       free_q <= (free_q & ~taken) | given;
  end
endmodule

`default_nettype wire
