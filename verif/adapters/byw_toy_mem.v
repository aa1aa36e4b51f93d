// SPDX-License-Identifier: Apache-2.0
//
// byw_toy_mem - the memory side of the cache on a toy bus of two signals: the worked example of
//               rtl/doc/integrate.md.
//
// Behaviour   toy_go_o requests one line, with its payload, until toy_done_i, which may come in
//             any cycle and carries the bytes of a read and an error bit. One request at a time,
//             so requests stay in the order of the cache. The cache is answered in the cycle after
//             done.
// Reset       rst_i: no answer waits.
//
`default_nettype none

module byw_toy_mem #(
  parameter integer LINE_BYTES = 128,
  parameter integer ADDR_W     = 32,
  parameter integer ID_W       = 16,
  parameter integer LINE_W     = ADDR_W - $clog2(LINE_BYTES)
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // mem_req, mem_rsp: of byw_l1d
  input  wire                    mem_req_valid_i,
  output wire                    mem_req_ready_o,
  input  wire [1:0]              mem_req_kind_i,
  input  wire                    mem_req_write_i,
  input  wire                    mem_req_atomic_i,
  input  wire [LINE_W-1:0]       mem_req_line_i,
  input  wire [LINE_BYTES-1:0]   mem_req_bytes_i,
  input  wire [LINE_BYTES*8-1:0] mem_req_data_i,
  input  wire [ID_W-1:0]         mem_req_id_i,
  output wire                    mem_rsp_valid_o,
  input  wire                    mem_rsp_ready_i,
  output wire [1:0]              mem_rsp_kind_o,
  output wire [LINE_BYTES*8-1:0] mem_rsp_data_o,
  output wire [ID_W-1:0]         mem_rsp_id_o,
  output wire                    mem_rsp_error_o,

  // the toy bus
  output wire                    toy_go_o,
  output wire                    toy_write_o,
  output wire [LINE_W-1:0]       toy_line_o,
  output wire [LINE_BYTES-1:0]   toy_bytes_o,
  output wire [LINE_BYTES*8-1:0] toy_data_o,
  input  wire                    toy_done_i,
  input  wire                    toy_fail_i,
  input  wire [LINE_BYTES*8-1:0] toy_data_i,

  output wire                    idle_o
);
  `include "byw_defs.vh"

  reg                    valid_q, error_q;
  reg [1:0]              kind_q;
  reg [ID_W-1:0]         id_q;
  reg [LINE_BYTES*8-1:0] data_q;

  // 1. A request is on the bus in the cycle in which the cache offers it, unless an answer waits.
  //    The cache holds it until it is accepted, which is when the bus is done with it.
  assign toy_go_o        = mem_req_valid_i && !mem_req_atomic_i && !valid_q;
  assign toy_write_o     = mem_req_write_i;
  assign toy_line_o      = mem_req_line_i;
  assign toy_bytes_o     = mem_req_bytes_i;
  assign toy_data_o      = mem_req_data_i;
  assign mem_req_ready_o = !valid_q && (mem_req_atomic_i || toy_done_i);

  // 2. Every request except a write-back is answered once, with its kind and id. The bus has no
  //    atomics: the answer to one is an error.
  wire taken   = mem_req_valid_i && mem_req_ready_o;
  wire answers = taken && (mem_req_kind_i != BYW_MEM_WRITEBACK);

  assign mem_rsp_valid_o = valid_q;
  assign {mem_rsp_kind_o, mem_rsp_id_o, mem_rsp_data_o, mem_rsp_error_o} =
         {kind_q, id_q, data_q, error_q};
  assign idle_o = !valid_q;

  always @(posedge clk_i) begin : p_answer
    if (rst_i)        valid_q <= 1'b0;
    else if (!valid_q) valid_q <= answers;
    else              valid_q <= !mem_rsp_ready_i;
    if (taken) {kind_q, id_q, data_q, error_q} <=
               {mem_req_kind_i, mem_req_id_i, toy_data_i, toy_fail_i || mem_req_atomic_i};
  end
endmodule

`default_nettype wire
