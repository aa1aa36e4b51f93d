// SPDX-License-Identifier: Apache-2.0
//
// byw_warp_fifos - FIFOs by warp in front of the L1D, in which loads wait.
//
// Behaviour   While all FIFOs are empty, in passes to out in the same cycle.  A request that is not
//             taken at once enters the FIFO of its warp (warp number modulo QUEUES).  This needs
//             in_waits_i, and room in the FIFO at the start of the cycle.  The first FIFO that is
//             not empty offers its oldest entry and keeps its turn until the entry is taken.
//             in_ready_o depends combinationally on in_valid_i, in_waits_i and out_ready_i.
// Paper       MRPB, compared in 000; mechanisms/baselines.md 2.3, mechanisms/across.md 13.1;
//             rtl/doc/warp_fifos.md.
// C twin      cmodel/model/comparator/byw_warp_fifos.c; checked by verif/top/lockstep_warp_fifos.c.
// Reset       rst_i: empty.  The entries keep their contents.
//
// Parameter   Default  Range    Meaning
// QUEUES      8        1..64    number of FIFOs
// DEPTH       2        1..64    entries per FIFO
// ENTRY_W     64       1..      width of an entry
// WARP_W      6        1..8     width of a warp number
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_warp_fifos #(
  parameter integer QUEUES  = `BYW_DEFAULT_TRIAL_QUEUES,
  parameter integer DEPTH   = `BYW_DEFAULT_TRIAL_DEPTH,
  parameter integer ENTRY_W = 64,
  parameter integer WARP_W  = 6
) (
  input  wire               clk_i,
  input  wire               rst_i,

  input  wire               in_valid_i,
  output wire               in_ready_o,
  input  wire               in_waits_i,       // the request may enter a FIFO
  input  wire [WARP_W-1:0]  in_warp_i,
  input  wire [ENTRY_W-1:0] in_entry_i,

  output wire               out_valid_o,
  input  wire               out_ready_i,
  output wire               out_waited_o,     // out_entry_o comes from a FIFO, not from in
  output wire [ENTRY_W-1:0] out_entry_o,

  output wire               waits_o           // pulse: an entry enters a FIFO
);
  generate
    if ((QUEUES < 1) || (QUEUES > 64)) begin : gen_check_queues
      byw_warp_fifos_QUEUES_must_be_1_to_64 u_error ();
    end
    if ((DEPTH < 1) || (DEPTH > 64)) begin : gen_check_depth
      byw_warp_fifos_DEPTH_must_be_1_to_64 u_error ();
    end
    if ((WARP_W < 1) || (WARP_W > 8)) begin : gen_check_warp
      byw_warp_fifos_WARP_W_must_be_1_to_8 u_error ();
    end
  endgenerate

  localparam integer QUEUE_IW = (QUEUES > 1) ? $clog2(QUEUES) : 1;
  localparam integer PLACE_IW = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam integer COUNT_W  = $clog2(DEPTH + 1);
  localparam integer ALL      = QUEUES * DEPTH;
  localparam integer ADDR_W   = (ALL > 1) ? $clog2(ALL) : 1;
  localparam integer LAST_N   = DEPTH - 1;
  localparam [PLACE_IW-1:0] LAST = LAST_N[PLACE_IW-1:0];
  localparam [COUNT_W-1:0]  FULL = DEPTH[COUNT_W-1:0];
  localparam [COUNT_W-1:0]  ONE  = 1;

  reg  [QUEUES*PLACE_IW-1:0] first_q, next_q;  // oldest entry, first free place
  reg  [QUEUES*COUNT_W-1:0]  count_q;
  reg                        held_q;           // FIFO turn_q has the turn
  reg  [QUEUE_IW-1:0]        turn_q;

  wire [QUEUES-1:0]   waiting;
  wire [QUEUE_IW-1:0] first_waiting;
  wire                any;
  wire [QUEUE_IW-1:0] turn = held_q ? turn_q : first_waiting;

  // ---- the FIFO of the incoming request
  localparam integer QUEUES_N = QUEUES;
  wire [31:0]         warp  = {{(32-WARP_W){1'b0}}, in_warp_i};
  wire [31:0]         queue = warp % QUEUES_N[31:0];
  wire [QUEUE_IW-1:0] into  = queue[QUEUE_IW-1:0];
  wire [COUNT_W-1:0]  into_count;
  wire [PLACE_IW-1:0] into_place, turn_place;

  wire enters = in_valid_i && in_waits_i && (into_count != FULL);
  wire pop    = any && out_ready_i;
  wire push   = enters && (any || !out_ready_i);

  assign in_ready_o   = enters || (!any && out_ready_i);
  assign out_valid_o  = any || in_valid_i;
  assign out_waited_o = any;
  assign waits_o      = push;

  byw_prio_enc #(.N(QUEUES)) u_first (.req_i(waiting), .any_o(any), .index_o(first_waiting));
  byw_mux #(.N(QUEUES), .W(COUNT_W)) u_count (
    .data_i(count_q), .sel_i(into), .data_o(into_count)
  );
  byw_mux #(.N(QUEUES), .W(PLACE_IW)) u_into (
    .data_i(next_q), .sel_i(into), .data_o(into_place)
  );
  byw_mux #(.N(QUEUES), .W(PLACE_IW)) u_turn (
    .data_i(first_q), .sel_i(turn), .data_o(turn_place)
  );

  // ---- entries
  wire [31:0]       into_at = {{(32-QUEUE_IW){1'b0}}, into} * DEPTH[31:0] +
                              {{(32-PLACE_IW){1'b0}}, into_place};
  wire [31:0]       turn_at = {{(32-QUEUE_IW){1'b0}}, turn} * DEPTH[31:0] +
                              {{(32-PLACE_IW){1'b0}}, turn_place};
  wire [ADDR_W-1:0] into_addr = into_at[ADDR_W-1:0];
  wire [ADDR_W-1:0] turn_addr = turn_at[ADDR_W-1:0];

  wire [ENTRY_W-1:0] oldest;

  byw_ram_async #(.DEPTH(ALL), .WIDTH(ENTRY_W)) u_entries (
    .clk_i(clk_i), .rd_addr_i(turn_addr), .rd_data_o(oldest),
    .wr_en_i(push), .wr_addr_i(into_addr), .wr_data_i(in_entry_i)
  );

  assign out_entry_o = any ? oldest : in_entry_i;

  always @(posedge clk_i) begin : p_turn
    held_q <= any && !pop && !rst_i;
    turn_q <= turn;
  end

  genvar g;
  generate
    for (g = 0; g < QUEUES; g = g + 1) begin : gen_queue
      wire                in    = push && (into == g[QUEUE_IW-1:0]);
      wire                out   = pop && (turn == g[QUEUE_IW-1:0]);
      wire [PLACE_IW-1:0] first = first_q[g*PLACE_IW +: PLACE_IW];
      wire [PLACE_IW-1:0] next  = next_q[g*PLACE_IW +: PLACE_IW];
      wire [COUNT_W-1:0]  count = count_q[g*COUNT_W +: COUNT_W];

      assign waiting[g] = |count;

      always @(posedge clk_i) begin : p_queue
        if (rst_i) begin
          first_q[g*PLACE_IW +: PLACE_IW] <= {PLACE_IW{1'b0}};
          next_q[g*PLACE_IW +: PLACE_IW]  <= {PLACE_IW{1'b0}};
          count_q[g*COUNT_W +: COUNT_W]   <= {COUNT_W{1'b0}};
        end else begin
          if (out) first_q[g*PLACE_IW +: PLACE_IW] <= (first == LAST) ? {PLACE_IW{1'b0}}
                                                                      : first + 1'b1;
          if (in) next_q[g*PLACE_IW +: PLACE_IW] <= (next == LAST) ? {PLACE_IW{1'b0}}
                                                                   : next + 1'b1;
          if (in && !out) count_q[g*COUNT_W +: COUNT_W] <= count + ONE;
          if (out && !in) count_q[g*COUNT_W +: COUNT_W] <= count - ONE;
        end
      end
    end
  endgenerate

  wire unused_ok = &{1'b0, queue, into_at, turn_at};

  `BYW_CHECKS
  `BYW_ASSERT(turn_stays_until_its_entry_is_taken, held_q, any && waiting[turn_q])
  `BYW_ASSERT(request_passes_empty_fifos, in_valid_i && !any, out_entry_o == in_entry_i)
  `BYW_ASSERT(only_what_may_wait_enters, waits_o, in_valid_i && in_waits_i)
  `BYW_ASSERT(entry_waits_or_leaves, in_valid_i && in_ready_o, push || (!any && out_ready_i))
endmodule

`default_nettype wire
