// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_protocol - checker of all ports of byw_l1d: its contract with requester and memory.
//
// Behaviour   byw_req_protocol and byw_mem_protocol on ports with the names of byw_l1d, so that
//             `.*` connects them (byw_l1d_bind.sv).  Does nothing unless byw_assert.vh has a back
//             end.  Synthesizable.  rtl/doc/checks.md.
// Reset       rst_i: nothing is in flight.
//
// Parameter   As in byw_l1d.  BOUND: cycles until an answer when nothing else is owed.
//
`default_nettype none

module byw_l1d_protocol #(
  parameter integer ALLOC      = 0,
  parameter integer SECTORS    = 1,
  parameter integer SETS       = 32,
  parameter integer DATA_WAYS  = 4,
  parameter integer LINE_BYTES = 128,
  parameter integer LINE_W     = 33,
  parameter integer ID_W       = 4,
  parameter integer ORDER      = 0,
  parameter integer IN_FLIGHT  = 16,
  parameter integer STORE_IDS  = 0,
  parameter integer FENCE      = 0,
  parameter integer UNCACHED   = 0,
  parameter integer BEAT_BYTES = 0,
  parameter integer BOUND      = SETS * DATA_WAYS + 64,
  parameter integer PORT_BYTES = (BEAT_BYTES > 0) ? BEAT_BYTES : LINE_BYTES,
  parameter integer BEAT_PW    = (PORT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/PORT_BYTES) : 1
) (
  input wire                    clk_i,
  input wire                    rst_i,
  input wire                    kernel_start_i,
  input wire                    req_valid_i,
  input wire                    req_ready_o,
  input wire [2:0]              req_op_i,
  input wire [PORT_BYTES-1:0]   req_bytes_i,
  input wire [ID_W-1:0]         req_id_i,
  input wire [2:0]              req_hint_i,
  input wire                    rsp_valid_o,
  input wire                    rsp_ready_i,
  input wire [ID_W-1:0]         rsp_id_o,
  input wire [2:0]              rsp_served_o,
  input wire                    rsp_error_o,
  input wire                    mem_req_valid_o,
  input wire                    mem_req_ready_i,
  input wire [1:0]              mem_req_kind_o,
  input wire                    mem_req_write_o,
  input wire                    mem_req_bypass_o,
  input wire                    mem_req_atomic_o,
  input wire [LINE_W-1:0]       mem_req_line_o,
  input wire [BEAT_PW-1:0]      mem_req_beat_o,
  input wire [PORT_BYTES-1:0]   mem_req_bytes_o,
  input wire [PORT_BYTES*8-1:0] mem_req_data_o,
  input wire [ID_W-1:0]         mem_req_id_o,
  input wire                    mem_rsp_valid_i,
  input wire                    mem_rsp_ready_o,
  input wire [1:0]              mem_rsp_kind_i,
  input wire [ID_W-1:0]         mem_rsp_id_i,
  input wire                    idle_o
);
  wire owes;

  byw_req_protocol #(
    .ID_W(ID_W), .PORT_BYTES(PORT_BYTES), .SECTORS((ALLOC != 0) ? SECTORS : 1), .FENCE(FENCE),
    .UNCACHED(UNCACHED), .BOUND(BOUND)
  ) u_req (
    .clk_i(clk_i), .rst_i(rst_i), .kernel_start_i(kernel_start_i), .req_valid_i(req_valid_i),
    .req_ready_i(req_ready_o), .req_op_i(req_op_i), .req_bytes_i(req_bytes_i),
    .req_id_i(req_id_i), .req_hint_i(req_hint_i), .rsp_valid_i(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i), .rsp_id_i(rsp_id_o), .rsp_served_i(rsp_served_o),
    .rsp_error_i(rsp_error_o), .memory_owes_i(owes), .idle_i(idle_o)
  );

  byw_mem_protocol #(
    .ID_W(ID_W), .LINE_W(LINE_W), .PORT_BYTES(PORT_BYTES), .SECTORS((ALLOC != 0) ? SECTORS : 1),
    .BEATS(LINE_BYTES / PORT_BYTES), .ORDER(ORDER), .STORE_IDS(STORE_IDS),
    .IN_FLIGHT(IN_FLIGHT), .ANSWERS_WB(((ORDER != 0) || (FENCE != 0)) ? 1 : 0)
  ) u_mem (
    .clk_i(clk_i), .rst_i(rst_i), .mem_req_valid_i(mem_req_valid_o),
    .mem_req_ready_i(mem_req_ready_i), .mem_req_kind_i(mem_req_kind_o),
    .mem_req_write_i(mem_req_write_o), .mem_req_bypass_i(mem_req_bypass_o),
    .mem_req_atomic_i(mem_req_atomic_o), .mem_req_line_i(mem_req_line_o),
    .mem_req_beat_i(mem_req_beat_o), .mem_req_bytes_i(mem_req_bytes_o),
    .mem_req_data_i(mem_req_data_o), .mem_req_id_i(mem_req_id_o),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_i(mem_rsp_ready_o),
    .mem_rsp_kind_i(mem_rsp_kind_i), .mem_rsp_id_i(mem_rsp_id_i), .idle_i(idle_o), .owes_o(owes)
  );
endmodule

`default_nettype wire
