// SPDX-License-Identifier: Apache-2.0
//
// smoke - one directed test of byw_l1d for a simulator that is not Verilator: miss, merged load,
// hit, bypassed load, write-update, write-back of a dirty line by a flush, memory error. Bytes and
// cycles as in rtl/doc/l1d_pipeline.md. Prints "PASS smoke" or what differs, and ends.
//
`default_nettype none

module smoke;
  `include "byw_defs.vh"

  localparam integer LINE_BYTES = 32;
  localparam integer DATA_W     = LINE_BYTES * 8;
  localparam integer LATENCY    = 9;

  reg                   clk = 1'b0;
  reg                   rst = 1'b1;
  reg  [31:0]           cfg = 32'd0;
  reg                   req_valid = 1'b0;
  reg  [2:0]            req_op = 3'd0, req_hint = 3'd0;
  reg  [32:0]           req_line = 33'd0;
  reg  [LINE_BYTES-1:0] req_bytes = {LINE_BYTES{1'b1}};
  reg  [DATA_W-1:0]     req_data = {DATA_W{1'b0}};
  reg  [15:0]           req_id = 16'd0;
  wire                  req_ready, rsp_valid, rsp_error, idle;
  wire [DATA_W-1:0]     rsp_data, mem_req_data;
  wire [15:0]           rsp_id, mem_req_id;
  wire [2:0]            rsp_served;
  wire                  mem_req_valid, mem_req_write, mem_req_bypass, mem_req_atomic;
  wire                  mem_req_predicted, mem_rsp_ready;
  wire [1:0]            mem_req_kind;
  wire [32:0]           mem_req_line;
  wire [LINE_BYTES-1:0] mem_req_bytes;
  wire [31:0]           mem_req_pc;
  wire [25:0]           events;
  wire [16:0]           policy_events;
  wire [7:0]            pc_counter;

  byw_l1d #(
    .SETS(4), .DATA_WAYS(2), .TAG_WAYS(4), .LINE_BYTES(LINE_BYTES), .INDEX(0), .MSHRS(4),
    .MERGES(3), .MISS_DEPTH(4), .BYPASS_DEPTH(2), .TRACKERS(3)
  ) u_l1d (
    .clk_i(clk), .rst_i(rst), .cfg_i(cfg), .filter_on_i(1'b1), .protect_i(1'b0), .protected_o(),
    .kernel_start_i(1'b0), .bypass_i(1'b0), .pc_cfg_i(32'd0), .req_valid_i(req_valid),
    .req_ready_o(req_ready), .req_op_i(req_op), .req_line_i(req_line), .req_beat_i(1'b0),
    .req_more_i(1'b0), .req_bytes_i(req_bytes), .req_data_i(req_data), .req_pc_i(32'd0),
    .req_id_i(req_id), .req_hint_i(req_hint), .req_func_i(1'b0),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(1'b1), .rsp_data_o(rsp_data), .rsp_id_o(rsp_id),
    .rsp_served_o(rsp_served), .rsp_error_o(rsp_error),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(1'b1), .mem_req_kind_o(mem_req_kind),
    .mem_req_write_o(mem_req_write), .mem_req_bypass_o(mem_req_bypass),
    .mem_req_atomic_o(mem_req_atomic), .mem_req_line_o(mem_req_line),
    .mem_req_bytes_o(mem_req_bytes), .mem_req_data_o(mem_req_data), .mem_req_pc_o(mem_req_pc),
    .mem_req_id_o(mem_req_id), .mem_req_predicted_o(mem_req_predicted), .mem_req_func_o(),
    .mem_req_beat_o(), .mem_req_more_o(), .mem_rsp_valid_i(answer_valid[LATENCY]),
    .mem_rsp_ready_o(mem_rsp_ready), .mem_rsp_kind_i(answer_kind[LATENCY]),
    .mem_rsp_data_i(answer_data[LATENCY]), .mem_rsp_id_i(answer_id[LATENCY]),
    .mem_rsp_error_i(answer_error[LATENCY]), .mem_rsp_mispredict_i(1'b0),
    .idle_o(idle), .events_o(events), .policy_events_o(policy_events), .pc_counter_o(pc_counter),
    .parity_o()
  );

  // ---- the memory: performs at once, answers LATENCY cycles later; reads of line 15 fail
  reg [DATA_W-1:0] memory       [0:15];
  reg              answer_valid [0:LATENCY];
  reg [1:0]        answer_kind  [0:LATENCY];
  reg [DATA_W-1:0] answer_data  [0:LATENCY];
  reg [15:0]       answer_id    [0:LATENCY];
  reg              answer_error [0:LATENCY];
  integer          i, cycle, failures, writebacks;

  always @(posedge clk) begin : p_memory
    for (i = LATENCY; i > 1; i = i - 1) begin
      answer_valid[i] <= answer_valid[i-1] && !rst;
      answer_kind[i]  <= answer_kind[i-1];
      answer_data[i]  <= answer_data[i-1];
      answer_id[i]    <= answer_id[i-1];
      answer_error[i] <= answer_error[i-1];
    end
    answer_valid[1] <= mem_req_valid && !rst && (mem_req_kind != BYW_MEM_WRITEBACK);
    answer_kind[1]  <= mem_req_kind;
    answer_data[1]  <= memory[mem_req_line[3:0]];
    answer_id[1]    <= mem_req_id;
    answer_error[1] <= mem_req_line[3:0] == 4'd15;
    if (mem_req_valid && mem_req_write && !rst)
      for (i = 0; i < LINE_BYTES; i = i + 1)
        if (mem_req_bytes[i]) memory[mem_req_line[3:0]][8*i +: 8] <= mem_req_data[8*i +: 8];
    if (mem_req_valid && !rst && (mem_req_kind == BYW_MEM_WRITEBACK)) writebacks = writebacks + 1;
  end

  always @(negedge clk) begin : p_cycle // all use the same number at the rising edge
    cycle = cycle + 1;
  end

  // ---- answers as they arrive: cycle, kind, error and bytes by id
  integer          answered [0:63];
  integer          accepted [0:63];
  reg [2:0]        served   [0:63];
  reg              failed   [0:63];
  reg [DATA_W-1:0] bytes    [0:63];
  integer          answers;

  always @(posedge clk) begin : p_answers
    if (rsp_valid && !rst) begin
      answered[rsp_id[5:0]] = cycle;
      served[rsp_id[5:0]]   = rsp_served;
      failed[rsp_id[5:0]]   = rsp_error;
      bytes[rsp_id[5:0]]    = rsp_data;
      answers               = answers + 1;
    end
  end

  always #5 clk = !clk;

  // Inputs change at the falling edge; a request is accepted at the next rising edge.
  task send(input [2:0] op, input [32:0] line, input [2:0] hint);
    begin
      req_valid = 1'b1;
      req_op    = op;
      req_line  = line;
      req_hint  = hint;
      req_id    = req_id + 1'b1;
      req_data  = {LINE_BYTES{8'h40 + req_id[7:0]}};
      #1;
      while (!req_ready) begin
        @(negedge clk);
        #1;
      end
      @(posedge clk);
      accepted[req_id[5:0]] = cycle;
      @(negedge clk);
      req_valid = 1'b0;
    end
  endtask

  task settle;
    begin
      repeat (4) @(negedge clk);
      while (!idle) @(negedge clk);
      @(negedge clk);
    end
  endtask

  task want(input [15:0] id, input [2:0] how, input integer cycles, input fails,
            input [DATA_W-1:0] data, input has_data);
    begin
      if ((served[id[5:0]] !== how) || (failed[id[5:0]] !== fails) ||
          (has_data && (bytes[id[5:0]] !== data)) ||
          ((cycles != 0) && (answered[id[5:0]] - accepted[id[5:0]] != cycles))) begin
        $display({"FAIL smoke: request %0d: served %0d in %0d cycles, error %b, bytes %h; ",
                  "want %0d, %0d, %b, %h"},
                 id, served[id[5:0]], answered[id[5:0]] - accepted[id[5:0]], failed[id[5:0]],
                 bytes[id[5:0]], how, cycles, fails, data);
        failures = failures + 1;
      end
    end
  endtask

  initial begin : p_test
    cycle      = 0;
    failures   = 0;
    answers    = 0;
    writebacks = 0;
    for (i = 0; i < 16; i = i + 1) memory[i] = {LINE_BYTES{i[7:0]}};
    for (i = 0; i <= LATENCY; i = i + 1) answer_valid[i] = 1'b0;
    cfg[BYW_CFG_STORE_UPDATE_LSB] = 1'b1;
    repeat (3) @(negedge clk);
    rst = 1'b0;

    send(BYW_OP_LOAD, 33'd1, BYW_HINT_NONE);        // 1: miss
    send(BYW_OP_LOAD, 33'd1, BYW_HINT_NONE);        // 2: merged
    send(BYW_OP_LOAD, 33'd2, BYW_HINT_BYPASS);      // 3: bypasses the cache
    settle;
    send(BYW_OP_LOAD, 33'd1, BYW_HINT_NONE);        // 4: hit
    send(BYW_OP_STORE, 33'd1, BYW_HINT_NONE);       // 5: sent to memory, and written into the line
    send(BYW_OP_LOAD, 33'd1, BYW_HINT_NONE);        // 6: sees it
    settle;
    want(16'd1, BYW_SERVED_FILL, LATENCY + 4, 1'b0, {LINE_BYTES{8'd1}}, 1'b1);
    want(16'd2, BYW_SERVED_FILL, LATENCY + 4, 1'b0, {LINE_BYTES{8'd1}}, 1'b1);
    want(16'd3, BYW_SERVED_BYPASS, 0, 1'b0, {LINE_BYTES{8'd2}}, 1'b1);
    want(16'd4, BYW_SERVED_HIT, 3, 1'b0, {LINE_BYTES{8'd1}}, 1'b1);
    want(16'd5, BYW_SERVED_STORE, LATENCY + 4, 1'b0, {DATA_W{1'b0}}, 1'b0);
    want(16'd6, BYW_SERVED_HIT, 3, 1'b0, {LINE_BYTES{8'h45}}, 1'b1);

    send(BYW_OP_LOCAL_LOAD, 33'd3, BYW_HINT_NONE);  // 7
    settle;
    send(BYW_OP_LOCAL_STORE, 33'd3, BYW_HINT_NONE); // 8: stays here
    settle;
    if (memory[3] !== {LINE_BYTES{8'd3}}) begin
      $display("FAIL smoke: a local store reached memory before the flush");
      failures = failures + 1;
    end
    send(BYW_OP_FLUSH, 33'd0, BYW_HINT_NONE);       // 9: writes it back
    settle;
    want(16'd8, BYW_SERVED_STORE, 3, 1'b0, {DATA_W{1'b0}}, 1'b0);
    want(16'd9, BYW_SERVED_DONE, 0, 1'b0, {DATA_W{1'b0}}, 1'b0);
    if ((writebacks != 1) || (memory[3] !== {LINE_BYTES{8'h48}})) begin
      $display("FAIL smoke: %0d write-backs, line 3 in memory is %h", writebacks, memory[3]);
      failures = failures + 1;
    end

    send(BYW_OP_LOAD, 33'd15, BYW_HINT_NONE);       // 10: the memory's error
    settle;
    send(BYW_OP_LOAD, 33'd15, BYW_HINT_NONE);       // 11: no line was kept
    settle;
    want(16'd10, BYW_SERVED_FILL, LATENCY + 4, 1'b1, {DATA_W{1'b0}}, 1'b0);
    want(16'd11, BYW_SERVED_FILL, LATENCY + 4, 1'b1, {DATA_W{1'b0}}, 1'b0);
    if (answers != 11) begin
      $display("FAIL smoke: %0d answers, want 11", answers);
      failures = failures + 1;
    end
    if (failures == 0) $display("PASS smoke: 11 requests, %0d cycles", cycle);
    $finish;
  end

  initial begin : p_limit
    #100000 $display("FAIL smoke: requests never answered");
    $finish;
  end
endmodule

`default_nettype wire
