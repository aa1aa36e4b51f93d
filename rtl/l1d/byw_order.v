// SPDX-License-Identifier: Apache-2.0
//
// byw_order - the order guard between miss queue and memory: numbers the requests in flight and
//             holds the head of the queue while an older request of its line is unanswered.
//
// Behaviour   A request gets number next_q when it leaves; numbers are used in turn, modulo
//             IN_FLIGHT.  Its answer frees the number, and own_id_o is the id the cache gave it.
//             req_go_o: number next_q is free and no request in flight blocks the head; once set,
//             it stays set until the head is taken.  ORDER 1: a write waits for all older requests
//             of its line; a read waits for older writes.  ORDER 2: every request waits for all
//             older ones of its line.  ORDER 0: only stores get numbers, all others keep their ids.
//             The guard adds no cycle.
// Paper       no paper: rtl/doc/order.md, rtl/doc/ordering.md.
// C twin      cmodel/model/l1d/byw_order.c; checked by verif/l1d/lockstep_order.c.
// Reset       rst_i: nothing is in flight; lines and ids keep their values.
//
// Parameter   Default  Range    Meaning
// ORDER       1        0, 1, 2  off, writes, all requests of a line
// IN_FLIGHT   16       1..256   requests in flight (ORDER 0: stores)
// LINE_W      33       1..64    line address
// ID_W        16       8..32    width of an id
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_order #(
  parameter integer ORDER     = 1,
  parameter integer IN_FLIGHT = `BYW_DEFAULT_IN_FLIGHT,
  parameter integer LINE_W    = 33,
  parameter integer ID_W      = 16,
  parameter integer NUMBER_W  = (IN_FLIGHT > 1) ? $clog2(IN_FLIGHT) : 1
) (
  input  wire              clk_i,
  input  wire              rst_i,

  // the head of the queue
  input  wire              req_valid_i,
  input  wire [1:0]        req_kind_i,        // BYW_MEM_*
  input  wire              req_atomic_i,
  input  wire [LINE_W-1:0] req_line_i,
  input  wire [ID_W-1:0]   req_id_i,
  output wire              req_go_o,          // the head may leave
  output wire [ID_W-1:0]   req_id_o,          // the id that memory sees
  input  wire              req_taken_i,       // the head leaves; needs req_go_o

  // an answer
  input  wire              rsp_taken_i,
  input  wire [1:0]        rsp_kind_i,
  input  wire [ID_W-1:0]   rsp_id_i,
  output wire [ID_W-1:0]   own_id_o           // the id that the cache gave it
);
  `include "byw_defs.vh"

  generate
    if ((ORDER < 0) || (ORDER > 2)) begin : gen_check_order
      byw_order_ORDER_must_be_0_to_2 u_error ();
    end
    if ((IN_FLIGHT < 1) || (IN_FLIGHT > 256)) begin : gen_check_in_flight
      byw_order_IN_FLIGHT_must_be_1_to_256 u_error ();
    end
    if (ID_W < NUMBER_W) begin : gen_check_id
      byw_order_ID_W_must_hold_the_numbers u_error ();
    end
  endgenerate

  localparam integer LAST = IN_FLIGHT - 1;
  localparam [IN_FLIGHT-1:0] ONE = 1;

  reg  [IN_FLIGHT-1:0] busy_q;                // the number is in use
  reg  [NUMBER_W-1:0]  next_q;
  reg  [ID_W-1:0]      id_q [0:IN_FLIGHT-1];
  wire                 conflict;

  wire                 numbered = (ORDER != 0) || (req_kind_i == BYW_MEM_STORE);
  wire                 answers  = (ORDER != 0) || (rsp_kind_i == BYW_MEM_STORE);
  wire                 take     = req_taken_i && numbered;
  wire                 give     = rsp_taken_i && answers;
  wire [NUMBER_W-1:0]  number   = rsp_id_i[NUMBER_W-1:0];
  wire [IN_FLIGHT-1:0] taken    = take ? (ONE << next_q) : {IN_FLIGHT{1'b0}};
  wire [IN_FLIGHT-1:0] given    = give ? (ONE << number) : {IN_FLIGHT{1'b0}};

  assign req_go_o = req_valid_i && (!numbered || (!busy_q[next_q] && !conflict));
  assign req_id_o = numbered ? {{(ID_W-NUMBER_W){1'b0}}, next_q} : req_id_i;
  assign own_id_o = answers ? id_q[number] : rsp_id_i;

  always @(posedge clk_i) begin : p_numbers
    if (rst_i) begin
      busy_q <= {IN_FLIGHT{1'b0}};
      next_q <= {NUMBER_W{1'b0}};
    end else begin
      busy_q <= (busy_q & ~given) | taken;
      if (take) next_q <= (next_q == LAST[NUMBER_W-1:0]) ? {NUMBER_W{1'b0}} : next_q + 1'b1;
    end
  end

  always @(posedge clk_i) begin : p_ids
    if (take) id_q[next_q] <= req_id_i;
  end

  generate
    if (ORDER == 0) begin : gen_free
      assign conflict = 1'b0;
      wire unused_free = &{1'b0, req_line_i, req_atomic_i};
    end else begin : gen_guard
      wire [IN_FLIGHT-1:0] same;              // by number: in flight to the head's line
      wire [IN_FLIGHT-1:0] writes;
      wire                 write = (req_kind_i == BYW_MEM_STORE) ||
                                   (req_kind_i == BYW_MEM_WRITEBACK) || req_atomic_i;
      genvar g;

      for (g = 0; g < IN_FLIGHT; g = g + 1) begin : gen_entry
        reg [LINE_W-1:0] line_q;
        reg              write_q;

        assign same[g]   = busy_q[g] && (line_q == req_line_i);
        assign writes[g] = write_q;

        always @(posedge clk_i) begin : p_entry
          if (taken[g]) begin
            line_q  <= req_line_i;
            write_q <= write;
          end
        end
      end

      assign conflict = ((ORDER == 2) || write) ? (|same) : (|(same & writes));
    end
  endgenerate

  wire unused_ok = &{1'b0, rsp_id_i};

  `BYW_CHECKS
`ifdef BYW_CHECKED
  wire [LINE_W+2:0] head = {req_kind_i, req_atomic_i, req_line_i};
  reg               offered_q = 1'b0;         // the head was offered and not taken
  reg  [LINE_W+2:0] was_q;

  always @(posedge clk_i) begin : p_offered
    offered_q <= req_go_o && !req_taken_i && !rst_i;
    was_q     <= head;
  end
`endif
  `BYW_ASSUME(head_leaves_when_it_may, req_taken_i, req_go_o)
  `BYW_ASSUME(answer_names_a_number_in_use, give, busy_q[number])
  `BYW_ASSERT(number_is_given_once, take, !busy_q[next_q])
  `BYW_ASSERT(offer_stays_until_taken, offered_q && req_valid_i && (head == was_q), req_go_o)
endmodule

`default_nettype wire
