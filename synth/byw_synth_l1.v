// SPDX-License-Identifier: Apache-2.0
//
// byw_synth_l1 - one SM's cache with its mechanisms taken out one by one, to weigh them: what a
// switch ties to a constant, synthesis removes.
//
// Parameter   Default  Range   Meaning
// BYPASS      1        0, 1    hints and bypass trackers (1 tracker is left for atomics)
// FILTER      1        0, 1    policy register and filter; 0 also leaves as many tags as lines
// DUEL        1        0, 1    its share of dueling: the whole unit, once
//
`default_nettype none

module byw_synth_l1 #(
  parameter integer BYPASS = 1,
  parameter integer FILTER = 1,
  parameter integer DUEL   = 1
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire [31:0]  cfg_i,
  input  wire [51:0]  duel_i,
  input  wire [1:0]   leader_i,
  input  wire         filter_on_i,
  input  wire         kernel_start_i,
  input  wire         req_valid_i,
  output wire         req_ready_o,
  input  wire [2:0]   req_op_i,
  input  wire [28:0]  req_line_i,
  input  wire [31:0]  req_bytes_i,
  input  wire [255:0] req_data_i,
  input  wire [31:0]  req_pc_i,
  input  wire [15:0]  req_id_i,
  input  wire [2:0]   req_hint_i,
  output wire         rsp_valid_o,
  input  wire         rsp_ready_i,
  output wire [255:0] rsp_data_o,
  output wire [15:0]  rsp_id_o,
  output wire [2:0]   rsp_served_o,
  output wire         rsp_error_o,
  output wire         mem_req_valid_o,
  input  wire         mem_req_ready_i,
  output wire [1:0]   mem_req_kind_o,
  output wire         mem_req_write_o,
  output wire         mem_req_bypass_o,
  output wire         mem_req_atomic_o,
  output wire [28:0]  mem_req_line_o,
  output wire [31:0]  mem_req_bytes_o,
  output wire [255:0] mem_req_data_o,
  output wire [31:0]  mem_req_pc_o,
  output wire [15:0]  mem_req_id_o,
  input  wire         mem_rsp_valid_i,
  output wire         mem_rsp_ready_o,
  input  wire [1:0]   mem_rsp_kind_i,
  input  wire [255:0] mem_rsp_data_i,
  input  wire [15:0]  mem_rsp_id_i,
  input  wire         mem_rsp_error_i,
  output wire         idle_o,
  output wire [25:0]  events_o
);
  `include "byw_defs.vh"

  wire on;

  generate
    if (DUEL != 0) begin : gen_duel
      wire [3:0]  votes;
      wire [19:0] cycle;
      byw_sm_duel u_duel (
        .clk_i(clk_i), .rst_i(rst_i), .restart_i(kernel_start_i), .interval_i(duel_i[19:0]),
        .margin_i(duel_i[26:20]), .min_accesses_i(duel_i[46:27]), .hysteresis_i(duel_i[50:47]),
        .bypass_is_miss_i(duel_i[51]), .initial_on_i(leader_i[0]),
        .load_i(leader_i & {2{events_o[BYW_EV_LOAD]}}),
        .miss_i({2{events_o[BYW_EV_MISS]}}), .bypass_i({2{events_o[BYW_EV_BYPASS]}}),
        .on_o(on), .votes_o(votes), .cycle_o(cycle)
      );
      wire unused_ok = &{1'b0, votes, cycle};
    end else begin : gen_no_duel
      assign on = filter_on_i;
    end
  endgenerate

  byw_l1d #(
    .TAG_WAYS((FILTER != 0) ? 8 : 4), .LINE_BYTES(32), .LINE_W(29),
    .TRACKERS((BYPASS != 0) ? 64 : 1)
  ) u_l1d (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_i((FILTER != 0) ? cfg_i : 32'd0),
    .filter_on_i((FILTER != 0) && on), .kernel_start_i(kernel_start_i),
    .req_valid_i(req_valid_i), .req_ready_o(req_ready_o), .req_op_i(req_op_i),
    .req_line_i(req_line_i), .req_bytes_i(req_bytes_i), .req_data_i(req_data_i),
    .req_pc_i(req_pc_i), .req_id_i(req_id_i), .req_hint_i((BYPASS != 0) ? req_hint_i : 3'd0),
    .rsp_valid_o(rsp_valid_o), .rsp_ready_i(rsp_ready_i), .rsp_data_o(rsp_data_o),
    .rsp_id_o(rsp_id_o), .rsp_served_o(rsp_served_o), .rsp_error_o(rsp_error_o),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_kind_o(mem_req_kind_o), .mem_req_write_o(mem_req_write_o),
    .mem_req_bypass_o(mem_req_bypass_o), .mem_req_atomic_o(mem_req_atomic_o),
    .mem_req_line_o(mem_req_line_o), .mem_req_bytes_o(mem_req_bytes_o),
    .mem_req_data_o(mem_req_data_o), .mem_req_pc_o(mem_req_pc_o), .mem_req_id_o(mem_req_id_o),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_kind_i(mem_rsp_kind_i), .mem_rsp_data_i(mem_rsp_data_i),
    .mem_rsp_id_i(mem_rsp_id_i), .mem_rsp_error_i(mem_rsp_error_i), .idle_o(idle_o),
    .events_o(events_o)
  );
endmodule

`default_nettype wire
