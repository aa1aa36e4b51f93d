// SPDX-License-Identifier: Apache-2.0
//
// byw_ventus_protocol - checker of the two sides of byw_ventus_l1d: core to the LSU, mem to the L2.
//
// Behaviour   Guarantees of the adapter: an answer stays unchanged until it is taken, and there is
//             one for each load, store and atomic, with its number and kind, and none for a fence;
//             A stays until taken, aligned, with a mask that its opcode allows and a source that
//             tells reads from writes; no number is used twice in flight; the order of each line
//             (ORDER); FLUSH is sent while nothing is in flight, and nothing until its hint-ack;
//             while idle_i nothing is in flight.  Assumption of the L2: it answers only what is in
//             flight.
// Reset       rst_n_i low: nothing is in flight.
//
// Parameters as in byw_ventus_l1d.
//
`default_nettype none
`include "byw_assert.vh"

module byw_ventus_protocol #(
  parameter integer LANES       = 4,
  parameter integer BLOCK_WORDS = 2,
  parameter integer INSTRID_W   = 3,
  parameter integer SOURCE_W    = 10,
  parameter integer ORDER       = 2
) (
  input wire                      clk_i,
  input wire                      rst_n_i,

  // core
  input wire                      core_req_valid_i,
  input wire                      core_req_ready_i,
  input wire [INSTRID_W-1:0]      core_req_instrid_i,
  input wire [2:0]                core_req_opcode_i,
  input wire [3:0]                core_req_param_i,
  input wire                      core_rsp_valid_i,
  input wire                      core_rsp_ready_i,
  input wire                      core_rsp_is_write_i,
  input wire [INSTRID_W-1:0]      core_rsp_instrid_i,
  input wire [LANES*32-1:0]       core_rsp_data_i,
  input wire [LANES-1:0]          core_rsp_activemask_i,

  // mem
  input wire                      mem_req_valid_i,
  input wire                      mem_req_ready_i,
  input wire [2:0]                mem_req_a_opcode_i,
  input wire [2:0]                mem_req_a_param_i,
  input wire [SOURCE_W-1:0]       mem_req_a_source_i,
  input wire [31:0]               mem_req_a_addr_i,
  input wire [BLOCK_WORDS*32-1:0] mem_req_a_data_i,
  input wire [BLOCK_WORDS*4-1:0]  mem_req_a_mask_i,
  input wire                      mem_rsp_valid_i,
  input wire                      mem_rsp_ready_i,
  input wire [2:0]                mem_rsp_d_opcode_i,
  input wire [SOURCE_W-1:0]       mem_rsp_d_source_i,

  input wire                      idle_i
);
  localparam integer NUMBER_W = SOURCE_W - 3;
  localparam integer NUMBERS  = 1 << NUMBER_W;
  localparam integer OFF      = $clog2(BLOCK_WORDS * 4);
  localparam integer LINE_W   = 32 - OFF;
  localparam [2:0] PUT_FULL = 3'd0, PUT_PARTIAL = 3'd1, ARITHMETIC = 3'd2, LOGICAL = 3'd3,
                   GET = 3'd4, FLUSH = 3'd5, HINT_ACK = 3'd2;
  localparam [NUMBERS-1:0] ONE = 1;

  wire       rst      = !rst_n_i;
  wire       is_fence = core_req_opcode_i == 3'd3;
  wire       is_write = (core_req_opcode_i == 3'd1) && !core_req_param_i[0];
  wire       asked    = core_req_valid_i && core_req_ready_i && !is_fence;
  wire       answered = core_rsp_valid_i && core_rsp_ready_i;
  wire       flushes  = mem_req_a_opcode_i == FLUSH;
  wire       gets     = mem_req_a_opcode_i == GET;
  wire       puts     = (mem_req_a_opcode_i == PUT_FULL) || (mem_req_a_opcode_i == PUT_PARTIAL);
  wire       hint     = mem_rsp_d_opcode_i == HINT_ACK;
  wire       sends    = mem_req_valid_i && mem_req_ready_i;
  wire       comes    = mem_rsp_valid_i && mem_rsp_ready_i;
  wire [7:0] due_before, due;

  wire [LINE_W-1:0]   line    = mem_req_a_addr_i[31:OFF];
  wire [NUMBERS-1:0]  ask_hot = ONE << mem_req_a_source_i[NUMBER_W-1:0];
  wire [NUMBERS-1:0]  rsp_hot = ONE << mem_rsp_d_source_i[NUMBER_W-1:0];
  reg  [NUMBERS-1:0]        busy_q, get_q;
  reg  [NUMBERS*LINE_W-1:0] line_q;
  reg  [NUMBERS-1:0]        same, same_put;        // by number: in flight to the same line
  reg                       flush_q;               // FLUSH was sent, its hint-ack has not come
  reg  [9:0]                due_q;                 // requests of the core without an answer
  integer                   i;

  always @* begin : p_lines
    for (i = 0; i < NUMBERS; i = i + 1) begin
      same[i]     = busy_q[i] && (line_q[i*LINE_W +: LINE_W] == line);
      same_put[i] = same[i] && !get_q[i];
    end
  end

  always @(posedge clk_i) begin : p_flight
    for (i = 0; i < NUMBERS; i = i + 1)
      if (sends && !flushes && ask_hot[i]) {get_q[i], line_q[i*LINE_W +: LINE_W]} <= {gets, line};
    if (rst) {busy_q, flush_q, due_q} <= {(NUMBERS+11){1'b0}};
    else begin
      busy_q  <= (busy_q | ({NUMBERS{sends && !flushes}} & ask_hot)) &
                 ~({NUMBERS{comes && !hint}} & rsp_hot);
      flush_q <= (flush_q || (sends && flushes)) && !(comes && hint);
      due_q   <= due_q + {9'd0, asked} - {9'd0, answered};
    end
  end

  byw_due #(.AT_W(1 + INSTRID_W)) u_due (
    .clk_i(clk_i), .rst_i(rst), .more_i(asked), .more_at_i({is_write, core_req_instrid_i}),
    .less_i(answered), .less_at_i({core_rsp_is_write_i, core_rsp_instrid_i}),
    .more_count_o(due_before), .less_count_o(due)
  );
  byw_held #(.W(1 + INSTRID_W + LANES * 33)) u_rsp (
    .clk_i(clk_i), .rst_i(rst), .valid_i(core_rsp_valid_i), .ready_i(core_rsp_ready_i),
    .payload_i({core_rsp_is_write_i, core_rsp_instrid_i, core_rsp_activemask_i, core_rsp_data_i})
  );
  byw_held #(.W(38 + SOURCE_W + BLOCK_WORDS * 4)) u_a (
    .clk_i(clk_i), .rst_i(rst), .valid_i(mem_req_valid_i), .ready_i(mem_req_ready_i),
    .payload_i({mem_req_a_opcode_i, mem_req_a_param_i, mem_req_a_source_i, mem_req_a_addr_i,
                mem_req_a_mask_i})
  );
  byw_held #(.W(BLOCK_WORDS * 32)) u_a_data (
    .clk_i(clk_i), .rst_i(rst), .valid_i(mem_req_valid_i && !gets && !flushes),
    .ready_i(mem_req_ready_i), .payload_i(mem_req_a_data_i)
  );

  wire rst_i     = rst;                            // for the macros
  wire unused_ok = &{1'b0, due_before, mem_rsp_d_source_i, core_req_param_i};

  `BYW_CHECKS
  `BYW_ASSERT(answer_is_to_a_request, core_rsp_valid_i, due != 8'd0)
  `BYW_ASSERT(opcode_exists, mem_req_valid_i, puts || gets || flushes ||
              (mem_req_a_opcode_i == ARITHMETIC) || (mem_req_a_opcode_i == LOGICAL))
  `BYW_ASSERT(message_is_aligned, mem_req_valid_i, !(|mem_req_a_addr_i[OFF-1:0]))
  `BYW_ASSERT(mask_fits_the_opcode,
              mem_req_valid_i && (gets || flushes || (mem_req_a_opcode_i == PUT_FULL)),
              &mem_req_a_mask_i)
  `BYW_ASSERT(source_tells_reads, mem_req_valid_i && !flushes,
              mem_req_a_source_i[SOURCE_W-1:NUMBER_W] == {2'b00, !puts})
  `BYW_ASSERT(number_is_free, mem_req_valid_i && !flushes, !(|(busy_q & ask_hot)))
  `BYW_ASSERT(write_waits_for_its_line, mem_req_valid_i && !flushes && !gets && (ORDER != 0),
              !(|same))
  `BYW_ASSERT(read_waits_for_its_line, mem_req_valid_i && gets && (ORDER != 0),
              (ORDER == 1) ? !(|same_put) : !(|same))
  `BYW_ASSERT(flush_is_alone, mem_req_valid_i && flushes, !(|busy_q) && (due_q == 10'd0))
  `BYW_ASSERT(nothing_passes_a_flush, mem_req_valid_i, !flush_q)
  `BYW_ASSERT(idle_when_nothing_is_in_flight, idle_i, !(|{busy_q, flush_q, due_q}))
  `BYW_ASSUME(answer_to_a_message, mem_rsp_valid_i, hint ? flush_q : |(busy_q & rsp_hot))
endmodule

`default_nettype wire
