// SPDX-License-Identifier: Apache-2.0
//
// byw_miss_queue - the single ordered queue from the cache to the crossbar.
//
// Behaviour   A FIFO with two pools of credits: one for misses, stores and write-backs, one for
//             bypasses.  A push needs a credit of its pool at the start of the cycle; the entry can
//             leave from the next cycle on.  One push and one pop per cycle.  The oldest entry is
//             in a register, the others in a RAM.  The next free place is written in every cycle,
//             pushed or not, because push_*_i arrives late and the entry is wide.
// Paper       000, section 3.2; mechanisms/cache.md 0.2; rtl/doc/miss_queue.md.
// C twin      cmodel/model/l1d/byw_miss_queue.c; checked by verif/l1d/lockstep_miss_queue.c.
// Reset       rst_i: the queue is empty.  The RAM keeps its contents.
//
// Parameter     Default  Range    Meaning
// MISS_DEPTH    8        1..256   credits for misses, stores and write-backs
// BYPASS_DEPTH  8        1..256   credits for bypasses
// ENTRY_W       64       1..      width of an entry
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_miss_queue #(
  parameter integer MISS_DEPTH   = `BYW_DEFAULT_MISS_DEPTH,
  parameter integer BYPASS_DEPTH = `BYW_DEFAULT_BYPASS_DEPTH,
  parameter integer ENTRY_W      = 64
) (
  input  wire               clk_i,
  input  wire               rst_i,

  output wire               miss_room_o,
  output wire               bypass_room_o,
  input  wire               push_miss_i,      // needs a credit, as the next; never both
  input  wire               push_bypass_i,
  input  wire [ENTRY_W-1:0] push_entry_i,

  output wire               pop_valid_o,
  input  wire               pop_ready_i,
  output wire               pop_bypass_o,
  output wire [ENTRY_W-1:0] pop_entry_o
);
  generate
    if ((MISS_DEPTH < 1) || (MISS_DEPTH > 256)) begin : gen_check_miss
      byw_miss_queue_MISS_DEPTH_must_be_1_to_256 u_error ();
    end
    if ((BYPASS_DEPTH < 1) || (BYPASS_DEPTH > 256)) begin : gen_check_bypass
      byw_miss_queue_BYPASS_DEPTH_must_be_1_to_256 u_error ();
    end
  endgenerate

  localparam integer DEPTH      = MISS_DEPTH + BYPASS_DEPTH - 1;  // behind the oldest entry
  localparam integer PTR_W      = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam integer MISS_W     = $clog2(MISS_DEPTH + 1);
  localparam integer BYPASS_W   = $clog2(BYPASS_DEPTH + 1);
  localparam integer LAST_N     = DEPTH - 1;
  localparam integer MISS_LAST   = MISS_DEPTH - 1;       // a push at this count fills it
  localparam integer BYPASS_LAST = BYPASS_DEPTH - 1;
  localparam [PTR_W-1:0]    LAST       = LAST_N[PTR_W-1:0];
  localparam [MISS_W-1:0]   ONE_MISS   = 1;
  localparam [BYPASS_W-1:0] ONE_BYPASS = 1;

  reg  [PTR_W-1:0]    next_q;                // second oldest entry
  reg  [PTR_W-1:0]    tail_q;
  reg  [MISS_W-1:0]   miss_q;                // entries in each pool
  reg  [BYPASS_W-1:0] bypass_q;
  reg                 miss_full_q, bypass_full_q, any_q;
  reg  [ENTRY_W:0]    head_q;
  wire [ENTRY_W:0]    next;

  wire                pop        = pop_valid_o && pop_ready_i;
  wire                no_miss    = miss_q == {MISS_W{1'b0}};
  wire                no_bypass  = bypass_q == {BYPASS_W{1'b0}};
  wire                one        = (no_miss && (bypass_q == ONE_BYPASS)) ||
                                   (no_bypass && (miss_q == ONE_MISS));
  wire                to_head    = !pop_valid_o || (one && pop);   // a push goes into head_q
  wire [PTR_W-1:0]    next_after = (next_q == LAST) ? {PTR_W{1'b0}} : next_q + 1'b1;
  wire [PTR_W-1:0]    tail_after = (tail_q == LAST) ? {PTR_W{1'b0}} : tail_q + 1'b1;
  wire [ENTRY_W:0]    push_entry = {push_bypass_i, push_entry_i};

  assign miss_room_o   = !miss_full_q;
  assign bypass_room_o = !bypass_full_q;
  assign pop_valid_o   = any_q;
  assign {pop_bypass_o, pop_entry_o} = head_q;

  byw_ram_async #(.DEPTH(DEPTH), .WIDTH(ENTRY_W + 1)) u_rest (
    .clk_i(clk_i), .rd_addr_i(next_q), .rd_data_o(next),
    .wr_en_i(miss_room_o || bypass_room_o), .wr_addr_i(tail_q), .wr_data_i(push_entry)
  );

  always @(posedge clk_i) begin : p_head
    if (!pop_valid_o || pop) head_q <= to_head ? push_entry : next;
  end

  always @(posedge clk_i) begin : p_pointers
    next_q <= ((pop && !to_head) ? next_after : next_q) & {PTR_W{!rst_i}};
    tail_q <= (((push_miss_i || push_bypass_i) && !to_head) ? tail_after : tail_q) &
              {PTR_W{!rst_i}};
  end

  wire miss_in    = push_miss_i;
  wire miss_out   = pop && !pop_bypass_o;
  wire bypass_in  = push_bypass_i;
  wire bypass_out = pop && pop_bypass_o;

  wire miss_last   = miss_q == MISS_LAST[MISS_W-1:0];
  wire bypass_last = bypass_q == BYPASS_LAST[BYPASS_W-1:0];

  always @(posedge clk_i) begin : p_credits
    if (rst_i) begin
      miss_q        <= {MISS_W{1'b0}};
      bypass_q      <= {BYPASS_W{1'b0}};
      miss_full_q   <= 1'b0;
      bypass_full_q <= 1'b0;
      any_q         <= 1'b0;
    end else begin
      any_q         <= push_miss_i || push_bypass_i || (any_q && !(one && pop));
      // The pushes arrive last, so both results are prepared.
      miss_full_q   <= miss_in ? (miss_out ? miss_full_q : miss_last) : miss_full_q && !miss_out;
      bypass_full_q <= bypass_in ? (bypass_out ? bypass_full_q : bypass_last) :
                       bypass_full_q && !bypass_out;
      miss_q        <= miss_in ? (miss_out ? miss_q : miss_q + 1'b1) :
                       (miss_out ? miss_q - 1'b1 : miss_q);
      bypass_q      <= bypass_in ? (bypass_out ? bypass_q : bypass_q + 1'b1)
                                 : (bypass_out ? bypass_q - 1'b1 : bypass_q);
    end
  end

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg             waits_q = 1'b0;            // the oldest entry was not taken
  reg [ENTRY_W:0] was_q;

  always @(posedge clk_i) begin : p_waits
    waits_q <= pop_valid_o && !pop && !rst_i;
    was_q   <= head_q;
  end
`endif
  `BYW_ASSUME(miss_needs_a_credit, push_miss_i, miss_room_o)
  `BYW_ASSUME(bypass_needs_a_credit, push_bypass_i, bypass_room_o)
  `BYW_ASSUME(one_push_per_cycle, push_miss_i, !push_bypass_i)
  `BYW_ASSERT(credits_within_pools, 1'b1, (miss_q <= MISS_DEPTH) && (bypass_q <= BYPASS_DEPTH))
  `BYW_ASSERT(room_is_a_credit, 1'b1, (miss_room_o == (miss_q != MISS_DEPTH)) &&
              (bypass_room_o == (bypass_q != BYPASS_DEPTH)))
  `BYW_ASSERT(valid_while_not_empty, 1'b1, pop_valid_o == !(no_miss && no_bypass))
  // === because bits of an entry may be unknown.
  `BYW_ASSERT(oldest_entry_stays_until_taken, waits_q, pop_valid_o && (head_q === was_q))
endmodule

`default_nettype wire
