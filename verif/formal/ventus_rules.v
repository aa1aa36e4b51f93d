// SPDX-License-Identifier: Apache-2.0
//
// ventus_rules - byw_ventus_l1d keeps the rules of byw_ventus_protocol, for all requests of an LSU
// and all answers of an L2 that follow their own rules, around any cache that keeps its contract: 2
// slots, one lane, client lines of one word, SECTORS of them in a line of the cache.
// With: sm_l1_contract.v
//
`default_nettype none

module ventus_rules #(
  parameter integer SECTORS = 2,
  parameter integer ORDER   = 2
) (
  input wire        clk_i,
  input wire        rst_i,
  input wire        valid_i,
  input wire        instrid_i,
  input wire [29:0] block_i,
  input wire        active_i,
  input wire [3:0]  bytes_i,
  input wire [31:0] data_i,
  input wire [2:0]  opcode_i,
  input wire [3:0]  param_i,
  input wire        rsp_ready_i,
  input wire        mem_ready_i,
  input wire        back_i,
  input wire [2:0]  back_opcode_i,
  input wire [3:0]  back_source_i,
  input wire [31:0] back_data_i
);
  wire        ready, rsp_valid, rsp_write, rsp_instrid, rsp_active, mem_valid, back_ready, error;
  wire        idle;
  wire [31:0] rsp_data, mem_addr, mem_data;
  wire [2:0]  mem_opcode, mem_param;
  wire [3:0]  mem_source, mem_mask;

  byw_ventus_l1d #(
    .LANES(1), .BLOCK_WORDS(1), .SETIDX_W(1), .INSTRID_W(1), .SOURCE_W(4), .SLOTS(2),
    .ORDER(ORDER), .PC_PRED_CFG(32'd0), .TWO_LEVEL(32'd0), .SECTORS(SECTORS), .SETS(1),
    .DATA_WAYS(1), .TAG_WAYS(1), .MSHRS(2), .MERGES(1), .TRACKERS(2)
  ) u_l1 (
    .clk(clk_i), .rst_n(!rst_i), .core_req_valid_i(valid_i), .core_req_ready_o(ready),
    .core_req_instrid_i(instrid_i), .core_req_setidx_i(block_i[0]), .core_req_tag_i(block_i[29:1]),
    .core_req_activemask_i(active_i), .core_req_blockoffset_i(1'b0),
    .core_req_wordoffset1h_i(bytes_i), .core_req_data_i(data_i), .core_req_opcode_i(opcode_i),
    .core_req_param_i(param_i), .core_rsp_valid_o(rsp_valid), .core_rsp_ready_i(rsp_ready_i),
    .core_rsp_is_write_o(rsp_write), .core_rsp_instrid_o(rsp_instrid), .core_rsp_data_o(rsp_data),
    .core_rsp_activemask_o(rsp_active), .side_pc_i(32'd0), .side_hint_i(3'd0), .side_warps_i(7'd0),
    .side_kernel_start_i(1'b0), .side_kernel_pc_i(32'd0), .side_cta_placed_i(1'b0),
    .mem_req_valid_o(mem_valid), .mem_req_ready_i(mem_ready_i), .mem_req_a_opcode_o(mem_opcode),
    .mem_req_a_param_o(mem_param), .mem_req_a_source_o(mem_source), .mem_req_a_addr_o(mem_addr),
    .mem_req_a_data_o(mem_data), .mem_req_a_mask_o(mem_mask), .mem_rsp_valid_i(back_i),
    .mem_rsp_ready_o(back_ready), .mem_rsp_d_opcode_i(back_opcode_i),
    .mem_rsp_d_source_i(back_source_i), .mem_rsp_d_addr_i(32'd0), .mem_rsp_d_data_i(back_data_i),
    .error_o(error), .idle_o(idle)
  );
  byw_ventus_protocol #(
    .LANES(1), .BLOCK_WORDS(1), .INSTRID_W(1), .SOURCE_W(4), .ORDER(ORDER)
  ) u_rules (
    .clk_i(clk_i), .rst_n_i(!rst_i), .core_req_valid_i(valid_i), .core_req_ready_i(ready),
    .core_req_instrid_i(instrid_i), .core_req_opcode_i(opcode_i), .core_req_param_i(param_i),
    .core_rsp_valid_i(rsp_valid), .core_rsp_ready_i(rsp_ready_i), .core_rsp_is_write_i(rsp_write),
    .core_rsp_instrid_i(rsp_instrid), .core_rsp_data_i(rsp_data),
    .core_rsp_activemask_i(rsp_active),
    .mem_req_valid_i(mem_valid), .mem_req_ready_i(mem_ready_i), .mem_req_a_opcode_i(mem_opcode),
    .mem_req_a_param_i(mem_param), .mem_req_a_source_i(mem_source), .mem_req_a_addr_i(mem_addr),
    .mem_req_a_data_i(mem_data), .mem_req_a_mask_i(mem_mask), .mem_rsp_valid_i(back_i),
    .mem_rsp_ready_i(back_ready), .mem_rsp_d_opcode_i(back_opcode_i),
    .mem_rsp_d_source_i(back_source_i), .idle_i(idle)
  );

  // ---- the LSU: a request waits unchanged
  localparam integer W = 76;
  wire [W-1:0] asked = {valid_i, instrid_i, block_i, active_i, bytes_i, data_i, opcode_i, param_i};
  reg  [W-1:0] asked_q;
  reg          waits_q, started = 1'b0;
  always @(posedge clk_i) begin : p_waits
    started <= 1'b1;
    waits_q <= !rst_i && valid_i && !ready;
    asked_q <= asked;
  end

  always @* begin : p_rules
    assume (rst_i || started);
    if (started && waits_q) assume (asked == asked_q);
    assume (opcode_i <= 3'd3);
  end
endmodule

`default_nettype wire
