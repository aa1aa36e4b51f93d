// SPDX-License-Identifier: Apache-2.0
//
// byw_req_protocol - checker of the ports req and rsp of byw_l1d and byw_sm_l1.
//
// Behaviour   Assumes of the requester: operations, hints and masks that exist.  Checks: a response
//             waits unchanged; only outstanding requests are answered, as their operation demands;
//             idle_i only when nothing is due; with a requester and a memory that owe nothing an
//             answer comes within BOUND cycles.  Counts up to 255 requests per id.
//             rtl/doc/checks.md.
// Reset       rst_i: nothing is due.
//
// Parameter   Default  Range  Meaning
// ID_W        4        1..20  width of ids; one counter per id
// PORT_BYTES  128             bytes of the data ports
// SECTORS     1               ALLOC 1: sectors of a line; a request touches one
// FENCE, UNCACHED  0   0, 1   as in byw_l1d
// BOUND       1024            cycles; more than the cache has lines, because FLUSH visits each
//
`default_nettype none
`include "byw_assert.vh"

module byw_req_protocol #(
  parameter integer ID_W       = 4,
  parameter integer PORT_BYTES = 128,
  parameter integer SECTORS    = 1,
  parameter integer FENCE      = 0,
  parameter integer UNCACHED   = 0,
  parameter integer BOUND      = 1024
) (
  input wire                    clk_i,
  input wire                    rst_i,
  input wire                    kernel_start_i,
  input wire                    req_valid_i,
  input wire                    req_ready_i,
  input wire [2:0]              req_op_i,
  input wire [PORT_BYTES-1:0]   req_bytes_i,
  input wire [ID_W-1:0]         req_id_i,
  input wire [2:0]              req_hint_i,
  input wire                    rsp_valid_i,
  input wire                    rsp_ready_i,
  input wire [ID_W-1:0]         rsp_id_i,
  input wire [2:0]              rsp_served_i,
  input wire                    rsp_error_i,
  input wire                    memory_owes_i,     // a request is on mem_req or unanswered
  input wire                    idle_i
);
  `include "byw_defs.vh"

  localparam integer SECTOR = PORT_BYTES / SECTORS;
  localparam integer WAIT_W = $clog2(BOUND + 2);

  reg [31:0]       due_q;                      // requests without a response
  reg [WAIT_W-1:0] quiet_q;                    // cycles in which only the cache could act
  wire             takes    = req_valid_i && req_ready_i;
  wire             answers  = rsp_valid_i && rsp_ready_i;
  wire             is_store = (req_op_i == BYW_OP_STORE) || (req_op_i == BYW_OP_LOCAL_STORE);
  wire             is_other = req_op_i >= BYW_OP_INVALIDATE;
  wire             is_load  = !is_store && !is_other;
  wire             stored   = rsp_served_i == BYW_SERVED_STORE;
  wire             done     = rsp_served_i == BYW_SERVED_DONE;
  wire             loaded   = !stored && !done;
  wire             quiet    = (due_q != 0) && !rsp_valid_i && !takes && !memory_owes_i &&
                              !kernel_start_i;
  integer          i;

  always @(posedge clk_i) begin : p_due
    due_q   <= rst_i ? 32'd0 : due_q + {31'd0, takes} - {31'd0, answers};
    quiet_q <= (rst_i || !quiet) ? {WAIT_W{1'b0}} : quiet_q + 1'b1;
  end

  // Outstanding requests by id and by kind of answer.
  wire [7:0]  loads, stores, others;
  wire [23:0] at_ask;
  wire        unused = &{1'b0, at_ask, is_load, req_hint_i, req_bytes_i};
  byw_due #(.AT_W(ID_W)) u_loads (
    .clk_i(clk_i), .rst_i(rst_i), .more_i(takes && is_load), .more_at_i(req_id_i),
    .less_i(answers && loaded), .less_at_i(rsp_id_i), .more_count_o(at_ask[0*8 +: 8]),
    .less_count_o(loads)
  );
  byw_due #(.AT_W(ID_W)) u_stores (
    .clk_i(clk_i), .rst_i(rst_i), .more_i(takes && is_store), .more_at_i(req_id_i),
    .less_i(answers && stored), .less_at_i(rsp_id_i), .more_count_o(at_ask[1*8 +: 8]),
    .less_count_o(stores)
  );
  byw_due #(.AT_W(ID_W)) u_others (
    .clk_i(clk_i), .rst_i(rst_i), .more_i(takes && is_other), .more_at_i(req_id_i),
    .less_i(answers && done), .less_at_i(rsp_id_i), .more_count_o(at_ask[2*8 +: 8]),
    .less_count_o(others)
  );

  // The mask touches one sector at most.
  reg one_sector;
  always @* begin : p_sector
    one_sector = 1'b0;
    for (i = 0; i < SECTORS; i = i + 1)
      if ((req_bytes_i & ~({PORT_BYTES{1'b1}} >> (PORT_BYTES - SECTOR) << (i * SECTOR))) == 0)
        one_sector = 1'b1;
  end

  byw_held #(.W(ID_W + 4)) u_rsp (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(rsp_valid_i), .ready_i(rsp_ready_i),
    .payload_i({rsp_id_i, rsp_served_i, rsp_error_i})
  );

  `BYW_CHECKS
  `BYW_ASSUME(operation_exists, req_valid_i, (FENCE != 0) || (req_op_i != BYW_OP_FENCE))
  `BYW_ASSUME(hint_exists, req_valid_i, (req_op_i >= BYW_OP_INVALIDATE) ||
              (req_hint_i <= BYW_HINT_VOLATILE) ||
              ((UNCACHED != 0) && (req_hint_i == BYW_HINT_UNCACHED)))
  `BYW_ASSUME(fence_kind_exists, req_valid_i && (req_op_i == BYW_OP_FENCE),
              req_hint_i <= BYW_FENCE_INVALIDATE)
  `BYW_ASSUME(mask_within_a_sector, req_valid_i && !is_other, one_sector)
  `BYW_ASSERT(served_code_exists, rsp_valid_i, rsp_served_i <= BYW_SERVED_DONE)
  `BYW_ASSERT(load_is_answered_once, rsp_valid_i && loaded, loads != 8'd0)
  `BYW_ASSERT(store_is_answered_once, rsp_valid_i && stored, stores != 8'd0)
  `BYW_ASSERT(maintenance_is_answered_once, rsp_valid_i && done, others != 8'd0)
  `BYW_ASSERT(maintenance_never_fails, rsp_valid_i && done, !rsp_error_i)
  `BYW_ASSERT(idle_when_nothing_is_due, idle_i, due_q == 0)
  `BYW_ASSERT(answer_within_bound, quiet, quiet_q <= BOUND[WAIT_W-1:0])
endmodule

`default_nettype wire
