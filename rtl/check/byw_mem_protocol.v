// SPDX-License-Identifier: Apache-2.0
//
// byw_mem_protocol - checker of the ports mem_req and mem_rsp of byw_l1d and byw_sm_l1.
//
// Behaviour   Assumes of the memory: it answers each request once, and the beats of a fill are
//             not mixed with those of another. Checks: a request waits unchanged; flags and mask
//             fit its kind; no number is sent while it is in use; with ORDER no line is in
//             flight twice (1: if one of the two writes).  idle_i only when the memory owes
//             nothing.  rtl/doc/checks.md.
// Reset       rst_i: nothing is in flight.
//
// Parameter   Default  Range  Meaning
// ID_W        4        1..18  width of ids; counters per kind and id
// LINE_W, PORT_BYTES, SECTORS, BEATS, ORDER, STORE_IDS, IN_FLIGHT, ANSWERS_WB: as in byw_l1d;
//                             ANSWERS_WB 1: write-backs are answered (ORDER or FENCE)
//
`default_nettype none
`include "byw_assert.vh"

module byw_mem_protocol #(
  parameter integer ID_W       = 4,
  parameter integer LINE_W     = 33,
  parameter integer PORT_BYTES = 128,
  parameter integer SECTORS    = 1,
  parameter integer BEATS      = 1,
  parameter integer BEAT_PW    = (BEATS > 1) ? $clog2(BEATS) : 1,
  parameter integer ORDER      = 0,
  parameter integer STORE_IDS  = 0,
  parameter integer IN_FLIGHT  = 16,
  parameter integer ANSWERS_WB = 0
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire                    mem_req_valid_i,
  input  wire                    mem_req_ready_i,
  input  wire [1:0]              mem_req_kind_i,
  input  wire                    mem_req_write_i,
  input  wire                    mem_req_bypass_i,
  input  wire                    mem_req_atomic_i,
  input  wire [LINE_W-1:0]       mem_req_line_i,
  input  wire [BEAT_PW-1:0]      mem_req_beat_i,
  input  wire [PORT_BYTES-1:0]   mem_req_bytes_i,
  input  wire [PORT_BYTES*8-1:0] mem_req_data_i,
  input  wire [ID_W-1:0]         mem_req_id_i,
  input  wire                    mem_rsp_valid_i,
  input  wire                    mem_rsp_ready_i,
  input  wire [1:0]              mem_rsp_kind_i,
  input  wire [ID_W-1:0]         mem_rsp_id_i,
  input  wire                    idle_i,
  output wire                    owes_o            // a request is shown or unanswered
);
  `include "byw_defs.vh"

  localparam integer SECTOR  = PORT_BYTES / SECTORS;
  localparam integer FLIGHTS = (ORDER != 0) ? IN_FLIGHT : 1;

  wire [7:0]         due_ask, due_rsp;         // answers due, by kind and id
  reg  [31:0]        all_q;                    // number of answers outstanding
  reg  [31:0]        stores_q;
  reg                filling_q;                // a fill has begun and not ended
  reg  [ID_W-1:0]    filling_id_q;
  reg  [31:0]        beats_q;                  // beats of that fill so far
  wire               asks     = mem_req_valid_i && mem_req_ready_i;
  wire               answers  = mem_rsp_valid_i && mem_rsp_ready_i;
  wire               is_wb    = mem_req_kind_i == BYW_MEM_WRITEBACK;
  wire               writes   = (mem_req_kind_i == BYW_MEM_STORE) || is_wb;
  wire               owed     = asks && (!is_wb || (ANSWERS_WB != 0));
  wire               is_fill  = mem_rsp_kind_i == BYW_MEM_FILL;
  wire               last     = !is_fill || (BEATS == 1) || (beats_q == BEATS - 1);
  wire               returned = answers && last;
  wire [ID_W+1:0]    at_ask   = {mem_req_kind_i, mem_req_id_i};
  wire [ID_W+1:0]    at_rsp   = {mem_rsp_kind_i, mem_rsp_id_i};
  // Ids of write-backs are unique only with the order guard (ORDER 1); those of stores may repeat.
  wire               numbered = (ORDER != 0) || (mem_req_kind_i == BYW_MEM_FILL) ||
                                (mem_req_kind_i == BYW_MEM_BYPASS) ||
                                ((STORE_IDS != 0) && (mem_req_kind_i == BYW_MEM_STORE));
  wire [31:0]        ask_number = {{(32-ID_W){1'b0}}, mem_req_id_i};
  wire [31:0]        rsp_number = {{(32-ID_W){1'b0}}, mem_rsp_id_i};
  integer            i;

  always @(posedge clk_i) begin : p_due
    all_q    <= rst_i ? 32'd0 : all_q + {31'd0, owed} - {31'd0, returned};
    stores_q <= rst_i ? 32'd0 :
                stores_q + {31'd0, owed && (mem_req_kind_i == BYW_MEM_STORE)} -
                {31'd0, returned && (mem_rsp_kind_i == BYW_MEM_STORE)};
    if (rst_i) begin
      filling_q <= 1'b0;
      beats_q   <= 32'd0;
    end else if (answers && is_fill) begin
      filling_q    <= !last;
      filling_id_q <= mem_rsp_id_i;
      beats_q      <= last ? 32'd0 : beats_q + 32'd1;
    end
  end

  byw_due #(.AT_W(ID_W + 2)) u_due (
    .clk_i(clk_i), .rst_i(rst_i), .more_i(owed), .more_at_i(at_ask), .less_i(returned),
    .less_at_i(at_rsp), .more_count_o(due_ask), .less_count_o(due_rsp)
  );

  assign owes_o = mem_req_valid_i || (all_q != 0);

  // ---- order guard: what is in flight, by number
  reg  [FLIGHTS-1:0] flies_q, flies_write_q;
  reg  [FLIGHTS*LINE_W-1:0] flies_line_q;
  reg                meets;                    // the order guard must hold this line back
  reg                number_flies;
  always @* begin : p_meets
    meets        = 1'b0;
    number_flies = 1'b0;
    for (i = 0; i < FLIGHTS; i = i + 1)
      if (flies_q[i]) begin
        if ((flies_line_q[i*LINE_W +: LINE_W] == mem_req_line_i) &&
            ((ORDER == 2) || writes || mem_req_atomic_i || flies_write_q[i])) meets = 1'b1;
        if (ask_number == i) number_flies = 1'b1;
      end
  end
  always @(posedge clk_i) begin : p_flies
    for (i = 0; i < FLIGHTS; i = i + 1)
      if (rst_i) flies_q[i] <= 1'b0;
      else if (asks && (ask_number == i)) begin
        flies_q[i]       <= 1'b1;
        flies_write_q[i] <= writes || mem_req_atomic_i;
        flies_line_q[i*LINE_W +: LINE_W] <= mem_req_line_i;
      end else if (returned && (rsp_number == i)) flies_q[i] <= 1'b0;
  end

  // ---- masks
  reg whole;                                   // a whole sector or beat
  always @* begin : p_whole
    whole = 1'b0;
    for (i = 0; i < SECTORS; i = i + 1)
      if (mem_req_bytes_i == ({PORT_BYTES{1'b1}} >> (PORT_BYTES - SECTOR) << (i * SECTOR)))
        whole = 1'b1;
  end
  reg [PORT_BYTES*8-1:0] sent;                 // request data; bytes without meaning are 0
  always @* begin : p_sent
    for (i = 0; i < PORT_BYTES; i = i + 1)
      sent[i*8 +: 8] = (mem_req_bytes_i[i] && (mem_req_write_i || mem_req_atomic_i)) ?
                       mem_req_data_i[i*8 +: 8] : 8'd0;
  end

  byw_held #(.W(LINE_W + PORT_BYTES * 9 + BEAT_PW + ID_W + 5)) u_mem_req (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(mem_req_valid_i), .ready_i(mem_req_ready_i),
    .payload_i({mem_req_kind_i, mem_req_write_i, mem_req_bypass_i, mem_req_atomic_i,
                mem_req_line_i, (BEATS > 1) ? mem_req_beat_i : {BEAT_PW{1'b0}}, mem_req_bytes_i,
                (numbered || !is_wb) ? mem_req_id_i : {ID_W{1'b0}}, sent})
  );

  `BYW_CHECKS
  `BYW_ASSERT(write_flag_fits_kind, mem_req_valid_i, mem_req_write_i == writes)
  `BYW_ASSERT(bypass_flag_fits_kind, mem_req_valid_i,
              mem_req_bypass_i == (mem_req_kind_i == BYW_MEM_BYPASS))
  `BYW_ASSERT(atomic_is_a_bypass, mem_req_valid_i && mem_req_atomic_i, mem_req_bypass_i)
  `BYW_ASSERT(fill_asks_for_a_whole_sector, mem_req_valid_i && (mem_req_kind_i == BYW_MEM_FILL),
              whole)
  `BYW_ASSERT(write_back_has_a_byte, mem_req_valid_i && is_wb, mem_req_bytes_i != 0)
  `BYW_ASSERT(number_is_not_in_use, mem_req_valid_i && numbered && (ORDER == 0),
              due_ask == 8'd0)
  `BYW_ASSERT(guarded_number_is_not_in_use, mem_req_valid_i && (ORDER != 0),
              (ask_number < IN_FLIGHT) && !number_flies)
  `BYW_ASSERT(line_is_not_in_flight, mem_req_valid_i && (ORDER != 0), !meets)
  `BYW_ASSERT(numbered_stores_are_bounded, mem_req_valid_i && (STORE_IDS != 0) && (ORDER == 0) &&
              (mem_req_kind_i == BYW_MEM_STORE), (ask_number < IN_FLIGHT) && (stores_q < IN_FLIGHT))
  `BYW_ASSERT(idle_when_memory_owes_nothing, idle_i, !owes_o)
  `BYW_ASSUME(answer_was_asked_for, mem_rsp_valid_i, due_rsp != 8'd0)
  `BYW_ASSUME(beats_of_a_fill_stay_together, mem_rsp_valid_i && is_fill && filling_q,
              mem_rsp_id_i == filling_id_q)
endmodule

`default_nettype wire
