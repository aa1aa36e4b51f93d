// SPDX-License-Identifier: Apache-2.0
//
// byw_id_pool - a pool of the numbers 0 .. N-1; freed numbers are reused in FIFO order.
//
// Behaviour   take_id_o is valid while take_ready_o is high.  It is the lowest number never taken
//             since reset; once every number has been taken, it is the number that has been free
//             longest.  take_i takes it at the clock edge.  give_i frees give_id_i, which can be
//             taken again in the next cycle.  take_i without take_ready_o, or freeing a free
//             number, is not allowed.
// C twin      cmodel/model/common/byw_id_pool.c; checked by verif/l1d/lockstep_mshr.c and
//             lockstep_bypass_tracker.c.
// Reset       rst_i: all numbers are free.
//
// Parameter   Default  Range     Meaning
// N           8        1..4096   size of the pool
// IDX_W       $clog2(N), at least 1
//
`default_nettype none
`include "byw_assert.vh"

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
  localparam integer     LAST_N = N - 1;
  localparam [IDX_W-1:0] LAST   = LAST_N[IDX_W-1:0];
  localparam integer     WRAPS  = (N == (1 << IDX_W)) ? 1 : 0;

  // The ring is read only after every number has been taken once; until then head_q itself is the
  // next number.  head_q == tail_q means that all numbers are taken or none.  none_q and all_q tell
  // the two apart; the next state of both is known before take_i and give_i arrive.
  reg  [IDX_W-1:0] ring_q [0:N-1];           // freed numbers
  reg  [IDX_W-1:0] head_q, tail_q;           // next entry to take, next entry to fill
  reg              fresh_q;
  reg              none_q, all_q;            // no number is free, all are free
  wire             head_last  = head_q == LAST;
  wire             tail_last  = tail_q == LAST;
  wire [IDX_W-1:0] head_after, tail_after;
  genvar           g;

  // A ripple increment is smaller than a carry chain.  If N is a power of two, it wraps by itself.
  generate
    for (g = 0; g < IDX_W; g = g + 1) begin : gen_after
      wire head_turns, tail_turns;
      if (g == 0) begin : gen_low
        assign {head_turns, tail_turns} = 2'b11;
      end else begin : gen_high
        assign {head_turns, tail_turns} = {&head_q[g-1:0], &tail_q[g-1:0]};
      end
      assign head_after[g] = (head_q[g] != head_turns) && ((WRAPS != 0) || !head_last);
      assign tail_after[g] = (tail_q[g] != tail_turns) && ((WRAPS != 0) || !tail_last);
    end
  endgenerate

  assign take_ready_o = !none_q;
  assign take_id_o    = fresh_q ? head_q : ring_q[head_q];
  assign all_free_o   = all_q;

  always @(posedge clk_i) begin : p_ring
    if (give_i) ring_q[tail_q] <= give_id_i;
  end

  // No if statement: Yosys 0.23 fails if the read address is a register with a reset.
  always @(posedge clk_i) begin : p_ends
    head_q <= (take_i ? head_after : head_q) & {IDX_W{!rst_i}};
    tail_q <= (give_i ? tail_after : tail_q) & {IDX_W{!rst_i}};
  end

  always @(posedge clk_i) begin : p_state
    if (rst_i) begin
      fresh_q <= 1'b1;
      none_q  <= 1'b0;
      all_q   <= 1'b1;
    end else begin
      if (take_i && head_last) fresh_q <= 1'b0;
      if (take_i != give_i) begin
        none_q <= take_i && (head_after == tail_q);
        all_q  <= give_i && (tail_after == head_q);
      end
    end
  end

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg  [N-1:0] used_q;
  wire [N-1:0] one = {{(N-1){1'b0}}, 1'b1};
  always @(posedge clk_i) begin : p_used
    used_q <= rst_i ? {N{1'b0}} : (used_q | (take_i ? one << take_id_o : {N{1'b0}})) &
                                  ~(give_i ? one << give_id_i : {N{1'b0}});
  end
`endif
  `BYW_ASSUME(take_needs_a_free_number, take_i, take_ready_o)
  `BYW_ASSUME(freed_number_was_taken, give_i, (give_id_i < N) && used_q[give_id_i])
  `BYW_ASSERT(number_to_take_is_free, take_ready_o, !used_q[take_id_o])
  `BYW_ASSERT(ready_while_a_number_is_free, 1'b1, take_ready_o == !(&used_q))
  `BYW_ASSERT(all_free_when_none_is_used, 1'b1, all_free_o == !(|used_q))
endmodule

`default_nettype wire
