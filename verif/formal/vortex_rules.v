// SPDX-License-Identifier: Apache-2.0
//
// vortex_rules - byw_vortex_l1d keeps the rules of byw_vortex_protocol, for all requests of a
// client and all answers of a memory that follow their own rules, around any cache that keeps its
// contract: 2 slots, words of 4 and lines of 8 bytes, tags of 2 bits.
// With: sm_l1_contract.v
//
`default_nettype none

module vortex_rules (
  input wire        clk_i,
  input wire        rst_i,
  input wire        valid_i,
  input wire        rw_i,
  input wire [3:0]  byteen_i,
  input wire [4:0]  addr_i,
  input wire [2:0]  flags_i,
  input wire [31:0] data_i,
  input wire [1:0]  tag_i,
  input wire        rsp_ready_i,
  input wire        mem_ready_i,
  input wire        back_i,
  input wire [63:0] back_data_i,
  input wire [1:0]  back_tag_i
);
  wire        ready, rsp_valid, mem_valid, mem_rw, back_ready, idle;
  wire [31:0] rsp_data;
  wire [1:0]  rsp_tag, mem_tag;
  wire [7:0]  mem_bytes;
  wire [3:0]  mem_line;
  wire [63:0] mem_data;

  byw_vortex_l1d #(
    .WORD_BYTES(4), .LINE_BYTES(8), .ADDR_W(7), .TAG_W(2), .MEM_TAG_W(2), .SLOTS(2), .SETS(1),
    .DATA_WAYS(1), .TAG_WAYS(1), .MSHRS(2), .MERGES(1), .TRACKERS(2), .PC_PRED_CFG(32'd0),
    .TWO_LEVEL(32'd0)
  ) u_l1 (
    .clk_i(clk_i), .rst_i(rst_i), .core_req_valid_i(valid_i), .core_req_ready_o(ready),
    .core_req_rw_i(rw_i), .core_req_byteen_i(byteen_i), .core_req_addr_i(addr_i),
    .core_req_flags_i(flags_i), .core_req_data_i(data_i), .core_req_tag_i(tag_i),
    .core_rsp_valid_o(rsp_valid), .core_rsp_ready_i(rsp_ready_i), .core_rsp_data_o(rsp_data),
    .core_rsp_tag_o(rsp_tag), .side_pc_i(32'd0), .side_hint_i(3'd0), .side_warps_i(7'd0),
    .side_kernel_start_i(1'b0), .side_kernel_pc_i(32'd0), .side_cta_placed_i(1'b0),
    .mem_req_valid_o(mem_valid), .mem_req_ready_i(mem_ready_i), .mem_req_rw_o(mem_rw),
    .mem_req_byteen_o(mem_bytes), .mem_req_addr_o(mem_line), .mem_req_data_o(mem_data),
    .mem_req_tag_o(mem_tag), .mem_rsp_valid_i(back_i), .mem_rsp_ready_o(back_ready),
    .mem_rsp_data_i(back_data_i), .mem_rsp_tag_i(back_tag_i), .idle_o(idle)
  );
  byw_vortex_protocol #(
    .WORD_BYTES(4), .LINE_BYTES(8), .LINE_W(4), .TAG_W(2), .MEM_TAG_W(2), .DUE_W(2), .READ_W(2)
  ) u_rules (
    .clk_i(clk_i), .rst_i(rst_i), .core_req_valid_i(valid_i), .core_req_ready_i(ready),
    .core_req_rw_i(rw_i), .core_req_tag_i(tag_i), .core_rsp_valid_i(rsp_valid),
    .core_rsp_ready_i(rsp_ready_i), .core_rsp_data_i(rsp_data), .core_rsp_tag_i(rsp_tag),
    .mem_req_valid_i(mem_valid), .mem_req_ready_i(mem_ready_i), .mem_req_rw_i(mem_rw),
    .mem_req_byteen_i(mem_bytes), .mem_req_addr_i(mem_line), .mem_req_data_i(mem_data),
    .mem_req_tag_i(mem_tag), .mem_rsp_valid_i(back_i), .mem_rsp_ready_i(back_ready),
    .mem_rsp_tag_i(back_tag_i), .idle_i(idle)
  );

  reg started = 1'b0;
  always @(posedge clk_i) started <= 1'b1;
  always @* assume (rst_i || started);
endmodule

`default_nettype wire
