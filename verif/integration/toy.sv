// SPDX-License-Identifier: Apache-2.0
//
// toy - a requester, a cache with structs as ports, and a memory; the scoreboard of rtl/sv is bound to the cache.
//
module toy #(
  parameter int REQUESTS = 5000
) (
  input  logic clk_i,
  output logic done_o,
  output logic failed_o
);
  import byw_agent_pkg::*;
  `include "byw_modes.vh"

  l1_settings_t settings;
  l1_ctrl_t     ctrl;
  l1_req_t      req;
  l1_rsp_t      rsp;
  l1_mem_req_t  mem_req;
  l1_mem_rsp_t  mem_rsp;
  l1_status_t   status;
  logic rst, req_valid, req_ready, rsp_valid, rsp_ready, mem_req_valid, mem_req_ready, mem_rsp_valid, mem_rsp_ready;
  logic count_valid;
  logic [63:0] count_data;

  byw_sm_l1_sv #(
    .SETS(8), .DATA_WAYS(2), .TAG_WAYS(4), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .ID_W(ID_W), .INDEX(0), .RC_W(4),
    .MSHRS(4), .MERGES(3), .MISS_DEPTH(4), .BYPASS_DEPTH(3), .TRACKERS(4), .PC_ENTRIES(16), .PC_BITS(2), .PC_SHIFT(8),
    .settings_t(l1_settings_t), .ctrl_t(l1_ctrl_t), .req_t(l1_req_t), .rsp_t(l1_rsp_t), .mem_req_t(l1_mem_req_t),
    .mem_rsp_t(l1_mem_rsp_t), .status_t(l1_status_t)
  ) u_cache (
    .clk_i(clk_i), .rst_i(rst), .settings_i(settings), .restart_i(1'b0), .ctrl_i(ctrl),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_i(req),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_o(rsp),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready), .mem_req_o(mem_req),
    .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_ready_o(mem_rsp_ready), .mem_rsp_i(mem_rsp),
    .status_o(status), .count_req_i(1'b0), .count_sel_i(8'd0), .count_valid_o(count_valid), .count_data_o(count_data)
  );

  always_comb begin
    settings = '{cfg: `BYW_MODE_DECOUPLED, pc_cfg: `BYW_MODE_DECOUPLED_PC_CFG, tl_cfg: `BYW_MODE_DECOUPLED_TL_CFG,
                 tl_window: `BYW_MODE_DECOUPLED_TL_WINDOW, tl_period: `BYW_MODE_DECOUPLED_TL_PERIOD,
                 tl_bound: `BYW_MODE_DECOUPLED_TL_BOUND};
    ctrl           = '0;
    ctrl.filter_on = 1'b1;
  end

  byw_sequence seq;
  byw_driver   driver;
  byw_monitor  monitor;
  byw_bytes    bytes;
  byw_subscriber observer;
  byw_memory   memory;
  int          cycle = 0;
  bit          sends, accepts, answers;
  l1_req_t     next_req;
  l1_mem_rsp_t next_rsp;

  initial begin
    seq     = new(REQUESTS);
    driver  = new(seq);
    monitor = new;
    bytes   = new;
    memory  = new;
    observer = bytes; // in an assignment: see byw_agent.sv
    monitor.add(observer);
  end

  always @(posedge clk_i) begin
    cycle <= cycle + 1;
    rst   <= cycle < 2;
    if (cycle == 0 || rst) begin
      {req_valid, rsp_ready, mem_req_ready, mem_rsp_valid, done_o, failed_o} <= 6'd0;
      req     <= '0;
      mem_rsp <= '0;
    end else begin
      monitor.tick(req_valid && req_ready, req, rsp_valid && rsp_ready, rsp);
      if (rsp_valid && rsp_ready) driver.answered(rsp.id);
      driver.tick(req_ready, sends, next_req);
      memory.tick(mem_req_valid && mem_req_ready, mem_req, mem_rsp_ready, accepts, answers, next_rsp);
      req_valid     <= sends;
      req           <= next_req;
      rsp_ready     <= $urandom_range(9) != 0;
      mem_req_ready <= accepts;
      mem_rsp_valid <= answers;
      mem_rsp       <= next_rsp;
      done_o        <= bytes.answers == REQUESTS && status.idle;
      failed_o      <= bytes.errors != 0 || cycle > 100 * REQUESTS;
      if (bytes.answers == REQUESTS && status.idle && !done_o)
        $display("toy: %0d answers, %0d hits, %0d cycles, %0d wrong", bytes.answers, bytes.hits, cycle, bytes.errors);
    end
  end
endmodule
