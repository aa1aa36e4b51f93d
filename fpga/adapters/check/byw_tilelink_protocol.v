// SPDX-License-Identifier: Apache-2.0
//
// byw_tilelink_protocol - checker of a TileLink-UL bus between byw_tilelink_mem and a memory.
//
// Behaviour   Guarantees of the client: A stays until taken; Get, PutFullData or PutPartialData of
//             one bus beat, aligned, with the mask that the opcode demands; no source is used twice
//             in flight; the order of each line (ORDER): a request of several messages may use its
//             line throughout; while idle_i nothing is in flight.  Assumptions of the manager: D
//             answers a message in flight, with data exactly for a Get.
// Reset       rst_i: nothing is in flight.
//
// Parameter   Default  Range         Meaning
// LINE_BYTES  128                    line size of the cache
// ADDR_W, DATA_W, SOURCE_W  32, 64, 8   widths of the bus
// BEAT_IW     4                      low bits of a source: the beat; those above: the slot
// ORDER       1        0, 1, 2       as in byw_tilelink_mem
//
`default_nettype none
`include "byw_assert.vh"

module byw_tilelink_protocol #(
  parameter integer LINE_BYTES = 128,
  parameter integer ADDR_W     = 32,
  parameter integer DATA_W     = 64,
  parameter integer SOURCE_W   = 8,
  parameter integer BEAT_IW    = 4,
  parameter integer ORDER      = 1
) (
  input wire                clk_i,
  input wire                rst_i,
  input wire                a_valid_i,
  input wire                a_ready_i,
  input wire [2:0]          a_opcode_i,
  input wire [2:0]          a_param_i,
  input wire [3:0]          a_size_i,
  input wire [SOURCE_W-1:0] a_source_i,
  input wire [ADDR_W-1:0]   a_address_i,
  input wire [DATA_W/8-1:0] a_mask_i,
  input wire [DATA_W-1:0]   a_data_i,
  input wire                d_valid_i,
  input wire                d_ready_i,
  input wire [2:0]          d_opcode_i,
  input wire [SOURCE_W-1:0] d_source_i,
  input wire                idle_i
);
  localparam integer SOURCES = 1 << SOURCE_W;
  localparam integer OFF     = $clog2(DATA_W / 8);
  localparam integer WHOLE   = $clog2(LINE_BYTES);
  localparam integer LINE_W  = ADDR_W - WHOLE;
  localparam integer SIZE    = OFF;
  localparam [2:0] PUT_FULL = 3'd0, PUT_PARTIAL = 3'd1, GET = 3'd4, ACK = 3'd0, ACK_DATA = 3'd1;
  localparam [SOURCES-1:0] ONE = 1;

  wire               a_moves = a_valid_i && a_ready_i;
  wire               d_moves = d_valid_i && d_ready_i;
  wire               gets    = a_opcode_i == GET;
  wire [LINE_W-1:0]  line    = a_address_i[ADDR_W-1:WHOLE];
  wire [SOURCES-1:0] a_hot   = ONE << a_source_i;
  wire [SOURCES-1:0] d_hot   = ONE << d_source_i;

  reg  [SOURCES-1:0]        busy_q, get_q;
  reg  [SOURCES*LINE_W-1:0] line_q;
  reg  [SOURCES-1:0]        same, same_put;        // by source: another request's message to the
                                                   // line is in flight
  integer                   i;

  always @* begin : p_lines
    for (i = 0; i < SOURCES; i = i + 1) begin
      same[i]     = busy_q[i] && (line_q[i*LINE_W +: LINE_W] == line) &&
                    (i[SOURCE_W-1:BEAT_IW] != a_source_i[SOURCE_W-1:BEAT_IW]);
      same_put[i] = same[i] && !get_q[i];
    end
  end

  always @(posedge clk_i) begin : p_flight
    for (i = 0; i < SOURCES; i = i + 1)
      if (a_moves && a_hot[i]) {get_q[i], line_q[i*LINE_W +: LINE_W]} <= {gets, line};
    if (rst_i) busy_q <= {SOURCES{1'b0}};
    else       busy_q <= (busy_q | ({SOURCES{a_moves}} & a_hot)) & ~({SOURCES{d_moves}} & d_hot);
  end

  byw_held #(.W(10 + SOURCE_W + ADDR_W + DATA_W/8)) u_a (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(a_valid_i), .ready_i(a_ready_i),
    .payload_i({a_opcode_i, a_param_i, a_size_i, a_source_i, a_address_i, a_mask_i})
  );
  byw_held #(.W(DATA_W)) u_a_data (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(a_valid_i && !gets), .ready_i(a_ready_i),
    .payload_i(a_data_i)
  );

  `BYW_CHECKS
  `BYW_ASSERT(message_is_one_aligned_beat, a_valid_i,
              (a_size_i == SIZE[3:0]) && (a_param_i == 3'd0) && !(|a_address_i[OFF-1:0]))
  `BYW_ASSERT(opcode_exists, a_valid_i,
              gets || (a_opcode_i == PUT_FULL) || (a_opcode_i == PUT_PARTIAL))
  `BYW_ASSERT(mask_fits_the_opcode, a_valid_i && (a_opcode_i != PUT_PARTIAL), &a_mask_i)
  `BYW_ASSERT(source_is_free, a_valid_i, !(|(busy_q & a_hot)))
  `BYW_ASSERT(put_waits_for_its_line, a_valid_i && !gets && (ORDER != 0), !(|same))
  `BYW_ASSERT(get_waits_for_its_line, a_valid_i && gets && (ORDER != 0),
              (ORDER == 1) ? !(|same_put) : !(|same))
  `BYW_ASSERT(idle_when_nothing_is_in_flight, idle_i, !(|busy_q))
  `BYW_ASSUME(answer_to_a_message, d_valid_i, |(busy_q & d_hot))
  `BYW_ASSUME(answer_fits_its_message, d_valid_i,
              d_opcode_i == ((|(get_q & d_hot)) ? ACK_DATA : ACK))
endmodule

`default_nettype wire
