// SPDX-License-Identifier: Apache-2.0
//
// tilelink_rules - byw_tilelink_mem keeps the rules of byw_tilelink_protocol, for all requests of a
// cache and all answers of a memory that follow their own rules: 2 slots, lines of BEATS beats, 4
// lines.
//
`default_nettype none

module tilelink_rules #(
  parameter integer BEATS = 2,
  parameter integer ORDER = 1
) (
  input wire                  clk_i,
  input wire                  rst_i,
  input wire                  valid_i,
  input wire [1:0]            kind_i,
  input wire                  write_i,
  input wire                  atomic_i,
  input wire [1:0]            line_i,
  input wire [8*BEATS-1:0]    bytes_i,
  input wire [64*BEATS-1:0]   data_i,
  input wire                  id_i,
  input wire                  rsp_ready_i,
  input wire                  a_ready_i,
  input wire                  d_valid_i,
  input wire [2:0]            d_opcode_i,
  input wire [1:0]            d_source_i,
  input wire                  d_denied_i,
  input wire [63:0]           d_data_i,
  input wire                  d_corrupt_i
);
  `include "byw_defs.vh"
  localparam integer ADDR_W = 2 + $clog2(8 * BEATS);

  wire              ready, a_valid, d_ready, idle;
  wire [2:0]        opcode, param;
  wire [3:0]        size;
  wire [1:0]        source;
  wire [ADDR_W-1:0] address;
  wire [7:0]        mask;
  wire [63:0]       data;

  byw_tilelink_mem #(
    .LINE_BYTES(8 * BEATS), .ADDR_W(ADDR_W), .DATA_W(64), .SLOTS(2), .ID_W(1), .ORDER(ORDER)
  ) u_mem (
    .clk_i(clk_i), .rst_i(rst_i), .mem_req_valid_i(valid_i), .mem_req_ready_o(ready),
    .mem_req_kind_i(kind_i), .mem_req_write_i(write_i), .mem_req_atomic_i(atomic_i),
    .mem_req_line_i(line_i), .mem_req_bytes_i(bytes_i), .mem_req_data_i(data_i),
    .mem_req_id_i(id_i), .mem_rsp_ready_i(rsp_ready_i),
    .tl_a_valid_o(a_valid), .tl_a_ready_i(a_ready_i), .tl_a_opcode_o(opcode),
    .tl_a_param_o(param), .tl_a_size_o(size), .tl_a_source_o(source), .tl_a_address_o(address),
    .tl_a_mask_o(mask), .tl_a_data_o(data), .tl_d_valid_i(d_valid_i), .tl_d_ready_o(d_ready),
    .tl_d_opcode_i(d_opcode_i), .tl_d_source_i(d_source_i), .tl_d_denied_i(d_denied_i),
    .tl_d_data_i(d_data_i), .tl_d_corrupt_i(d_corrupt_i), .idle_o(idle)
  );
  byw_tilelink_protocol #(
    .LINE_BYTES(8 * BEATS), .ADDR_W(ADDR_W), .DATA_W(64), .SOURCE_W(2), .BEAT_IW(1), .ORDER(ORDER)
  ) u_rules (
    .clk_i(clk_i), .rst_i(rst_i), .a_valid_i(a_valid), .a_ready_i(a_ready_i), .a_opcode_i(opcode),
    .a_param_i(param), .a_size_i(size), .a_source_i(source), .a_address_i(address),
    .a_mask_i(mask), .a_data_i(data), .d_valid_i(d_valid_i), .d_ready_i(d_ready),
    .d_opcode_i(d_opcode_i), .d_source_i(d_source_i), .idle_i(idle)
  );

  // ---- the cache: a request waits unchanged (rule 3 of rtl/doc/handshake.md)
  localparam integer W = 7 + 72 * BEATS;
  wire [W-1:0] asked = {kind_i, write_i, atomic_i, line_i, id_i, bytes_i, data_i};
  reg  [W-1:0] asked_q;
  reg          waits_q, started = 1'b0;
  always @(posedge clk_i) begin : p_waits
    started <= 1'b1;
    waits_q <= !rst_i && valid_i && !ready;
    asked_q <= asked;
  end

  always @* begin : p_rules
    assume (rst_i || started);
    if (started && waits_q) assume (valid_i && (asked == asked_q));
    assume (write_i == ((kind_i == BYW_MEM_STORE) || (kind_i == BYW_MEM_WRITEBACK)));
    assume (!atomic_i || (kind_i == BYW_MEM_BYPASS));
  end
endmodule

`default_nettype wire
