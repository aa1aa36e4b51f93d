// SPDX-License-Identifier: Apache-2.0
//
// four_state_tb - random traffic at byw_l1d in a four-state simulator: nothing that the contract
//                 leaves open may reach an output.
//
// Behaviour   Whatever rtl/doc/handshake.md does not define is x: registers and RAMs before their
//             first write, the payload of a port while its valid is 0, bytes outside a mask, every
//             payload during reset.  In each cycle the handshakes, idle_o and the events must be
//             known, and so must the payload of a valid output and the bytes that it carries.
//             Resets and new settings come at any time.  Prints the first unknown outputs and, in
//             the end, "PASS" or "FAIL", answers, resets, unknown values.
//             Parameters: those of byw_l1d, by iverilog -P; +seed=S, +cycles=N.
//
`timescale 1ns / 1ns
`include "byw_widths.vh"

module four_state_tb;
  parameter ALLOC = 0, SECTORS = 1, SETS = 4, DATA_WAYS = 2, TAG_WAYS = 4, LINE_BYTES = 32;
  parameter LINE_W = 33, INDEX = 0, REPL = 0, RC_W = 6, MSHRS = 4, MERGES = 4, MISS_DEPTH = 2;
  parameter BYPASS_DEPTH = 2, TRACKERS = 8, PC_ENTRIES = 128, PC_BITS = 4, PC_SHIFT = 2;
  parameter PC_PRED = 1, LOOK = 0, ORDER = 0, IN_FLIGHT = 8, STORE_IDS = 0, FENCE = 0;
  parameter UNCACHED = 0, FUNC_W = 0, BEAT_BYTES = 0, PARITY = 0;

  localparam PORT_BYTES = (BEAT_BYTES > 0) ? BEAT_BYTES : LINE_BYTES;
  localparam BEATS      = LINE_BYTES / PORT_BYTES;
  localparam BEAT_PW    = (BEATS > 1) ? $clog2(BEATS) : 1;
  localparam FUNC_PW    = (FUNC_W > 0) ? FUNC_W : 1;
  localparam SECTOR     = PORT_BYTES / SECTORS;       // bytes that one request may access
  localparam W          = PORT_BYTES * 8;
  localparam LINES      = 64;                         // distinct lines of the traffic
  localparam DEPTH      = 512;                        // largest number of answers that memory owes
  localparam KEEPS      = (ORDER != 0) || (FENCE != 0);   // memory answers write-backs, too
  localparam [1:0] FILL = 0, WRITEBACK = 3;
  `include "byw_defs.vh"

  reg clk = 0, rst = 1;
  always #5 clk = !clk;

  // ---- the cache
  reg  [31:0]           cfg, pc_cfg;
  reg                   filter, start, bypass;
  reg                   req_valid = 0;
  reg  [2:0]            op, hint;
  reg  [LINE_W-1:0]     line;
  reg  [BEAT_PW-1:0]    beat;
  reg                   more;
  reg  [PORT_BYTES-1:0] mask;
  reg  [W-1:0]          data;
  reg  [31:0]           pc;
  reg  [15:0]           id;
  reg  [FUNC_PW-1:0]    func;
  wire                  req_ready, rsp_valid, rsp_error;
  reg                   rsp_ready, mem_ready;
  wire [W-1:0]          rsp_data, out_data;
  wire [15:0]           rsp_id, out_id;
  wire [2:0]            rsp_served;
  wire                  out_valid, out_write, out_bypass, out_atomic, out_more, out_predicted;
  wire [1:0]            out_kind;
  wire [LINE_W-1:0]     out_line;
  wire [BEAT_PW-1:0]    out_beat;
  wire [PORT_BYTES-1:0] out_mask;
  wire [31:0]           out_pc;
  wire [FUNC_PW-1:0]    out_func;
  reg                   in_valid = 0, in_error, in_mispredict;
  wire                  in_ready, idle;
  reg  [1:0]            in_kind;
  reg  [W-1:0]          in_data;
  reg  [15:0]           in_id;
  wire [`BYW_EV_W-1:0]  events;
  wire [`BYW_PEV_W-1:0] policy_events;
  wire [7:0]            pc_counter;
  wire [1:0]            parity;

  byw_l1d #(
    .ALLOC(ALLOC), .SECTORS(SECTORS), .SETS(SETS), .DATA_WAYS(DATA_WAYS), .TAG_WAYS(TAG_WAYS),
    .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(INDEX), .REPL(REPL), .LOOK(LOOK),
    .RC_W(RC_W), .MSHRS(MSHRS), .MERGES(MERGES), .MISS_DEPTH(MISS_DEPTH),
    .BYPASS_DEPTH(BYPASS_DEPTH), .TRACKERS(TRACKERS), .PC_PRED(PC_PRED), .PC_ENTRIES(PC_ENTRIES),
    .PC_BITS(PC_BITS), .PC_SHIFT(PC_SHIFT), .ORDER(ORDER), .IN_FLIGHT(IN_FLIGHT),
    .STORE_IDS(STORE_IDS), .FENCE(FENCE), .UNCACHED(UNCACHED), .FUNC_W(FUNC_W),
    .BEAT_BYTES(BEAT_BYTES), .PARITY(PARITY)
  ) dut (
    .clk_i(clk), .rst_i(rst), .cfg_i(cfg), .filter_on_i(filter), .kernel_start_i(start),
    .bypass_i(bypass), .protect_i(1'b0), .protected_o(), .pc_cfg_i(pc_cfg),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(op), .req_line_i(line),
    .req_beat_i(beat), .req_more_i(more), .req_bytes_i(mask), .req_data_i(data), .req_pc_i(pc),
    .req_id_i(id), .req_hint_i(hint), .req_func_i(func),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_data_o(rsp_data), .rsp_id_o(rsp_id),
    .rsp_served_o(rsp_served), .rsp_error_o(rsp_error),
    .mem_req_valid_o(out_valid), .mem_req_ready_i(mem_ready), .mem_req_kind_o(out_kind),
    .mem_req_write_o(out_write), .mem_req_bypass_o(out_bypass), .mem_req_atomic_o(out_atomic),
    .mem_req_line_o(out_line), .mem_req_beat_o(out_beat), .mem_req_more_o(out_more),
    .mem_req_bytes_o(out_mask), .mem_req_data_o(out_data), .mem_req_pc_o(out_pc),
    .mem_req_id_o(out_id), .mem_req_predicted_o(out_predicted), .mem_req_func_o(out_func),
    .mem_rsp_valid_i(in_valid), .mem_rsp_ready_o(in_ready), .mem_rsp_kind_i(in_kind),
    .mem_rsp_data_i(in_data), .mem_rsp_id_i(in_id), .mem_rsp_error_i(in_error),
    .mem_rsp_mispredict_i(in_mispredict),
    .idle_o(idle), .events_o(events), .policy_events_o(policy_events), .pc_counter_o(pc_counter),
    .parity_o(parity)
  );

`ifdef BYW_ASSERT_SIM
  byw_l1d_protocol #(
    .ALLOC(ALLOC), .SECTORS(SECTORS), .SETS(SETS), .DATA_WAYS(DATA_WAYS), .LINE_BYTES(LINE_BYTES),
    .LINE_W(LINE_W), .ID_W(16), .ORDER(ORDER), .IN_FLIGHT(IN_FLIGHT), .STORE_IDS(STORE_IDS),
    .FENCE(FENCE), .UNCACHED(UNCACHED), .BEAT_BYTES(BEAT_BYTES)
  ) u_protocol (
    .clk_i(clk), .rst_i(rst), .kernel_start_i(start), .req_valid_i(req_valid),
    .req_ready_o(req_ready), .req_op_i(op), .req_bytes_i(mask), .req_id_i(id), .req_hint_i(hint),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_id_o(rsp_id), .rsp_served_o(rsp_served),
    .rsp_error_o(rsp_error), .mem_req_valid_o(out_valid), .mem_req_ready_i(mem_ready),
    .mem_req_kind_o(out_kind), .mem_req_write_o(out_write), .mem_req_bypass_o(out_bypass),
    .mem_req_atomic_o(out_atomic), .mem_req_line_o(out_line), .mem_req_beat_o(out_beat),
    .mem_req_bytes_o(out_mask), .mem_req_data_o(out_data), .mem_req_id_o(out_id),
    .mem_rsp_valid_i(in_valid), .mem_rsp_ready_o(in_ready), .mem_rsp_kind_i(in_kind),
    .mem_rsp_id_i(in_id), .idle_o(idle)
  );
  byw_l1d_rules u_rules (
    .clk_i(clk), .rst_i(rst), .kernel_start_i(start), .s2_accept(dut.s2_accept),
    .s2_done(dut.s2_done), .wb_load(dut.wb_load), .mshr_alloc(dut.mshr_alloc),
    .mshr_merge(dut.mshr_merge), .bypass_send(dut.bypass_send), .store_send(dut.store_send),
    .line_wr(dut.line_wr),
    .events_o(events)
  );
`endif

  // ---- outstanding requests
  reg  [W-1:0]          memory [0:LINES*BEATS-1];
  reg  [1:0]            owed_kind [0:DEPTH-1];
  reg  [15:0]           owed_id   [0:DEPTH-1];
  reg  [5:0]            owed_line [0:DEPTH-1];
  reg  [W-1:0]          owed_data [0:DEPTH-1];        // bytes of the beat; of a fill once answered
  integer               owed_head, owed_tail, fill_beat;
  reg  [PORT_BYTES-1:0] asked [0:65535];              // bytes carried by the answer with this id
  integer               waiting;

  integer seed, cycles, answers = 0, resets = 0, unknown = 0, n, i;
  reg     taken, given, fresh;

  function integer below(input integer limit);
    below = $unsigned($random(seed)) % limit;
  endfunction

  task bad(input [8*16-1:0] what);
    begin
      unknown = unknown + 1;
      if (unknown < 6) $display("unknown %0s in cycle %0d", what, n);
    end
  endtask

  task blank_request;
    begin
      op = 'bx; line = 'bx; beat = 'bx; more = 'bx; mask = 'bx; data = 'bx; pc = 'bx; id = 'bx;
      hint = 'bx; func = 'bx;
    end
  endtask

  task blank_answer;
    begin
      in_kind = 'bx; in_data = 'bx; in_id = 'bx; in_error = 'bx; in_mispredict = 'bx;
    end
  endtask

  task fill_with_lines;
    for (i = 0; i < LINES*BEATS; i = i + 1) memory[i] = {PORT_BYTES{i[7:0]}};
  endtask

  // New settings: in the last cycle of a reset, or with a kernel start while the cache is idle.
  task new_settings;
    begin
      cfg = $random(seed) & 32'h00ff3fff;
      if (cfg[1:0] == 3) cfg[1:0] = 0;
      if (cfg[3:2] == 3) cfg[3:2] = 0;
      if (cfg[23:22] == 3) cfg[23:22] = 0;
      cfg[21:16] = cfg[17:16];
      pc_cfg = ($random(seed) & 32'h0000000f) | 32'h00000020 | (($random(seed) & 7) << 20);
    end
  endtask

  task new_request;
    integer kind, first, bytes;
    begin
      req_valid = 1;
      kind = below(20);
      op   = (kind < 10) ? 0 : (kind < 14) ? 1 : (kind < 16) ? 2 : (kind < 18) ? 4 :
             (kind == 18) ? 3 : (below(6) != 0) ? 0 : (FENCE != 0) ? 5 + below(3) : 5 + below(2);
      i    = (below(2) == 0) ? below(8) : below(LINES);
      line = {LINE_W{1'b1}} - LINES + 1 + i;          // its low six bits select the line
      hint = (op == 7) ? below(3) : (below(3) == 0) ? below((UNCACHED != 0) ? 6 : 5) : 0;
      beat = below(BEATS);
      more = (BEATS > 1) && (below(8) == 0);
      first = below(PORT_BYTES);
      bytes = 1 + below(SECTOR - first % SECTOR);
      mask = (({PORT_BYTES{1'b1}} >> (PORT_BYTES - bytes)) << first);
      for (i = 0; i < PORT_BYTES; i = i + 1)
        data[i*8 +: 8] = (mask[i] && (op != 0) && (op != 3)) ? $random(seed) : 8'bx;
      pc   = below(8) * 4;
      func = $random(seed);
      id   = answers + waiting + n;
      while (asked[id] !== {PORT_BYTES{1'b0}} && waiting != 0) id = id + 1;
    end
  endtask

  // The answer that has been owed longest; fills are answered beat by beat.
  task new_answer;
    begin
      in_valid = 1;
      in_kind  = owed_kind[owed_head % DEPTH];
      in_id    = owed_id[owed_head % DEPTH];
      in_data  = (in_kind == FILL) ? memory[owed_line[owed_head % DEPTH]*BEATS + fill_beat]
                                   : owed_data[owed_head % DEPTH];
      in_error = below(24) == 0;
      in_mispredict = below(5) == 0;
      if ((in_kind == FILL) && (fill_beat + 1 < BEATS)) fill_beat = fill_beat + 1;
      else begin
        fill_beat = 0;
        owed_head = owed_head + 1;
      end
    end
  endtask

  task watch;
    begin
      if ((^{req_ready, rsp_valid, out_valid, in_ready, idle}) === 1'bx) bad("handshake");
      if ((^events) === 1'bx) bad("event");
      if ((^policy_events) === 1'bx) bad("policy event");
      if (policy_events[BYW_PEV_PC_ASK] === 1'b1 && (^pc_counter) === 1'bx) bad("pc_counter_o");
      if ((^parity) === 1'bx) bad("parity_o");
      if (rsp_valid === 1'b1) begin
        if ((^{rsp_id, rsp_served, rsp_error}) === 1'bx) bad("rsp");
        else if (rsp_error === 1'b0)
          for (i = 0; i < PORT_BYTES; i = i + 1)
            if (asked[rsp_id][i] && (^rsp_data[i*8 +: 8]) === 1'bx) bad("rsp_data_o");
      end
      if (out_valid === 1'b1) begin
        if ((^{out_kind, out_write, out_bypass, out_atomic, out_line, out_mask}) === 1'bx)
          bad("mem_req");
        if ((BEATS > 1) && (^{out_beat, out_more}) === 1'bx) bad("mem_req_beat_o");
        if ((KEEPS || (out_kind != WRITEBACK)) && (^out_id) === 1'bx) bad("mem_req_id_o");
        if ((out_kind != WRITEBACK) && (^{out_pc, out_predicted}) === 1'bx) bad("mem_req_pc_o");
        if ((FUNC_W > 0) && (^out_func) === 1'bx) bad("mem_req_func_o");
        if (out_write || out_atomic)
          for (i = 0; i < PORT_BYTES; i = i + 1)
            if (out_mask[i] && (^out_data[i*8 +: 8]) === 1'bx) bad("mem_req_data_o");
      end
    end
  endtask

  // Memory performs a request when it accepts it.
  task perform;
    integer word;
    begin
      word = out_line[5:0]*BEATS + ((BEATS > 1) ? out_beat : 0);
      owed_kind[owed_tail % DEPTH] = out_kind;
      owed_id[owed_tail % DEPTH]   = out_id;
      owed_line[owed_tail % DEPTH] = out_line[5:0];
      owed_data[owed_tail % DEPTH] = {W{1'bx}};
      for (i = 0; i < PORT_BYTES; i = i + 1)
        if (out_mask[i]) begin
          if (!out_write) owed_data[owed_tail % DEPTH][i*8 +: 8] = memory[word][i*8 +: 8];
          if (out_write || out_atomic) memory[word][i*8 +: 8] = out_data[i*8 +: 8];
        end
      if ((out_kind != WRITEBACK) || KEEPS) owed_tail = owed_tail + 1;
    end
  endtask

  task forget;                                        // forgets requests lost by a reset
    begin
      owed_head = 0; owed_tail = 0; fill_beat = 0; waiting = 0;
      req_valid = 0; in_valid = 0; fresh = 1;
      blank_request;
      blank_answer;
      for (i = 0; i < 65536; i = i + 1) asked[i] = 0;
    end
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 20000;
    fill_with_lines;
    forget;
    cfg = 'bx; pc_cfg = 'bx; filter = 'bx; start = 'bx; bypass = 'bx; rsp_ready = 'bx;
    mem_ready = 'bx;
    @(posedge clk);
    #1;
    new_settings;
    @(posedge clk);
    for (n = 0; n < cycles; n = n + 1) begin
      #1;
      start = 0;
      if (rst) begin                                  // the reset ends
        rst    = 0;
        filter = below(2);
        bypass = below(2);
      end else if (below(700) == 0) begin
        rst    = 1;
        resets = resets + 1;
        forget;
        new_settings;
      end else if ((idle === 1'b1) && (waiting == 0) && !req_valid && (below(40) == 0)) begin
        new_settings;
        start = 1;
      end
      if (!rst && (below(300) == 0)) start = 1;
      if (below(60) == 0) filter = !filter;
      if (below(60) == 0) bypass = !bypass;
      rsp_ready = below(4) != 0;
      mem_ready = below(4) != 0;
      if (!rst && !start && !req_valid && (waiting < 200) && (below(3) != 0)) new_request;
      if (!rst && !in_valid && (owed_head != owed_tail) && (below(3) != 0)) new_answer;
      #3;
      if (!rst) watch;
      given = in_valid && (in_ready === 1'b1);
      taken = req_valid && (req_ready === 1'b1);
      if (!rst && (rsp_valid === 1'b1) && rsp_ready) begin
        answers = answers + 1;
        waiting = waiting - 1;
        asked[rsp_id] = 0;
      end
      if (!rst && (out_valid === 1'b1) && mem_ready) perform;
      if (!rst && taken) begin
        waiting = waiting + 1;
        asked[id] = ((op == 0) || (op == 2) || (op == 3)) ? mask : {PORT_BYTES{1'b0}};
      end
      @(posedge clk);
      #0;
      if (taken || rst) begin
        req_valid = 0;
        blank_request;
      end
      if (given || rst) begin
        in_valid = 0;
        blank_answer;
      end
    end
    $display("%0s %0d answers, %0d resets, %0d unknown values",
             (unknown == 0) ? "PASS" : "FAIL", answers, resets, unknown);
    $finish;
  end
endmodule
