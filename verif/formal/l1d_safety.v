// SPDX-License-Identifier: Apache-2.0
//
// l1d_safety - what byw_l1d guarantees at its ports, for all traffic that follows its rules, in a
// very small geometry: one set, one line, two tags, one MSHR that takes two requests, one tracker,
// queues of one entry; two lines of memory, two ids; every operation, hint, mode of the decision
// point, error, kernel start, reset and back pressure.  Data is omitted: it affects no decision.
// prove_l1d.sh proves these guarantees with the lemmas of l1d_lemmas.in.
//
// The environment records outstanding requests. Request ids in flight are unique; memory answers
// only requests that it received.
//
//   answers   only outstanding requests are answered; together with idle and leaks: each is
//             answered exactly once
//   idle      while idle_o is 1, nothing is outstanding on either side
//   leaks     if nothing arrives, nothing stalls and memory owes nothing, all requests are
//             answered and the cache is idle QUIET cycles later: no MSHR, tracker, slot or buffer
//             leaks
//   numbers   no MSHR or tracker number is sent while it is in use
//   stable    a response or a memory request waits unchanged until it is taken
//
`default_nettype none

module l1d_safety #(
  parameter integer QUIET = 4
) (
  input wire         clk_i,
  input wire         rst_i,
  input wire         filter_on_i,
  input wire         kernel_start_i,
  input wire         bypass_i,
  input wire         req_valid_i,
  input wire [2:0]   req_op_i,
  input wire         req_line_i,
  input wire [1:0]   req_id_i,
  input wire [2:0]   req_hint_i,
  input wire         rsp_ready_i,
  input wire         mem_req_ready_i,
  input wire         mem_rsp_valid_i,
  input wire [1:0]   mem_rsp_kind_i,
  input wire [1:0]   mem_rsp_id_i,
  input wire         mem_rsp_error_i,
  input wire [31:0]  cfg_i
);
  `include "byw_defs.vh"

  localparam integer LINE_W = 15, LINE_BYTES = 32;
  wire [LINE_W-2:0]  line_base = 14'd0;

  wire        req_ready, rsp_valid, mem_req_valid, mem_rsp_ready, idle;
  wire [1:0]  rsp_id, mem_req_kind, mem_req_id;
  wire [14:0] mem_req_line;
  reg  [31:0] cfg_q;
  reg         started = 1'b0;

  byw_l1d #(
    .SETS(1), .DATA_WAYS(1), .TAG_WAYS(2), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(0),
    .REPL(0), .RC_W(1), .MSHRS(1), .MERGES(2), .MISS_DEPTH(1), .BYPASS_DEPTH(1), .TRACKERS(1),
    .ID_W(2), .PC_W(1), .PC_PRED(0)
  ) u_l1d (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_q), .filter_on_i(filter_on_i), .protect_i(1'b0),
    .kernel_start_i(kernel_start_i), .bypass_i(bypass_i), .pc_cfg_i(32'd0),
    .req_valid_i(req_valid_i), .req_ready_o(req_ready), .req_op_i(req_op_i),
    .req_line_i({14'd0, req_line_i}), .req_beat_i(1'b0), .req_more_i(1'b0),
    .req_bytes_i(32'hffffffff),
    .req_data_i(256'd0), .req_pc_i(1'b0), .req_id_i(req_id_i), .req_hint_i(req_hint_i),
    .req_func_i(1'b0), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready_i), .rsp_id_o(rsp_id),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_kind_o(mem_req_kind), .mem_req_id_o(mem_req_id),
    .mem_req_line_o(mem_req_line), .mem_rsp_valid_i(mem_rsp_valid_i),
    .mem_rsp_ready_o(mem_rsp_ready), .mem_rsp_kind_i(mem_rsp_kind_i), .mem_rsp_data_i(256'd0),
    .mem_rsp_id_i(mem_rsp_id_i), .mem_rsp_error_i(mem_rsp_error_i), .mem_rsp_mispredict_i(1'b0),
    .idle_o(idle)
  );

  // ---- outstanding requests
  reg  [3:0] due;                // by id: a response to the requester is due
  reg  [3:0] store_due;          // by id: memory's answer to a store is due
  reg        fill_due, pass_due; // memory's answer for MSHR, tracker is due
  reg  [4:0] quiet;              // cycles without an arrival, up to QUIET
  reg        rsp_waits, mem_req_waits;
  reg  [1:0] was_rsp_id, was_kind, was_id;
  reg        was_line;

  wire       takes     = req_valid_i && req_ready;
  wire       answers   = rsp_valid && rsp_ready_i;
  wire       asks      = mem_req_valid && mem_req_ready_i;
  wire       asks_fill = asks && (mem_req_kind == BYW_MEM_FILL);
  wire       asks_pass = asks && (mem_req_kind == BYW_MEM_BYPASS);
  wire       stores    = asks && (mem_req_kind == BYW_MEM_STORE);
  wire       told      = mem_rsp_valid_i && mem_rsp_ready;
  wire       told_fill = told && (mem_rsp_kind_i == BYW_MEM_FILL);
  wire       told_pass = told && (mem_rsp_kind_i == BYW_MEM_BYPASS);
  wire       stored    = told && (mem_rsp_kind_i == BYW_MEM_STORE);
  wire       owes      = fill_due || pass_due || (|store_due);
  wire       flows     = !req_valid_i && !kernel_start_i && rsp_ready_i && mem_req_ready_i &&
                         !mem_rsp_valid_i && !owes && !mem_req_valid;
  wire [3:0] at_req    = 4'd1 << req_id_i;
  wire [3:0] at_rsp    = 4'd1 << rsp_id;
  wire [3:0] at_ask    = 4'd1 << mem_req_id;
  wire [3:0] at_told   = 4'd1 << mem_rsp_id_i;

  always @(posedge clk_i) begin : p_due
    started <= 1'b1;
    if (rst_i) cfg_q <= cfg_i;
    rsp_waits     <= !rst_i && rsp_valid && !rsp_ready_i;
    mem_req_waits <= !rst_i && mem_req_valid && !mem_req_ready_i;
    was_rsp_id    <= rsp_id;
    was_kind      <= mem_req_kind;
    was_id        <= mem_req_id;
    was_line      <= mem_req_line[0];
    if (rst_i) begin
      due       <= 4'd0;
      store_due <= 4'd0;
      fill_due  <= 1'b0;
      pass_due  <= 1'b0;
      quiet     <= 5'd0;
    end else begin
      due       <= (due | (takes ? at_req : 4'd0)) & ~(answers ? at_rsp : 4'd0);
      store_due <= (store_due | (stores ? at_ask : 4'd0)) & ~(stored ? at_told : 4'd0);
      fill_due  <= (fill_due || asks_fill) && !told_fill;
      pass_due  <= (pass_due || asks_pass) && !told_pass;
      quiet     <= !flows ? 5'd0 : (quiet == QUIET) ? quiet : quiet + 5'd1;
    end
  end

  // ---- the rules of requester and memory, assumed
  always @* begin : p_rules
    if (!started) assume (rst_i);
    assume (cfg_i[BYW_CFG_MODE_LSB +: 2] != 2'd3);
    assume (cfg_i[BYW_CFG_BYP_ON_HIT_LSB +: 2] != 2'd3);
    assume (cfg_i[BYW_CFG_STALL_BYPASS_LSB +: 2] != 2'd3);
    assume ((req_op_i <= BYW_OP_FLUSH) && (req_hint_i <= BYW_HINT_VOLATILE));
    assume (!req_id_i[1]);
    if (req_valid_i && started) assume (!due[req_id_i]);
    if (mem_rsp_valid_i && started)
      case (mem_rsp_kind_i)
        BYW_MEM_FILL:   assume (fill_due && (mem_rsp_id_i == 2'd0));
        BYW_MEM_BYPASS: assume (pass_due && (mem_rsp_id_i == 2'd0));
        BYW_MEM_STORE:  assume (store_due[mem_rsp_id_i]);
        default:        assume (1'b0);
      endcase
  end

  always @* begin : p_properties
    if (started && !rst_i) begin
      if (rsp_valid) assert (due[rsp_id]);
      if (idle) assert ((due == 4'd0) && !owes && !mem_req_valid && !rsp_valid);
      if (quiet == QUIET) assert (idle && (due == 4'd0));
      if (mem_req_valid && (mem_req_kind == BYW_MEM_FILL))
        assert (!fill_due && (mem_req_id == 2'd0));
      if (mem_req_valid && (mem_req_kind == BYW_MEM_BYPASS))
        assert (!pass_due && (mem_req_id == 2'd0));
      if (mem_req_valid && (mem_req_kind == BYW_MEM_STORE))
        assert (due[mem_req_id] && !store_due[mem_req_id]);
      if (rsp_waits) assert (rsp_valid && (rsp_id == was_rsp_id));
      if (mem_req_valid) assert (mem_req_line[14:1] == 14'd0);
      if (mem_req_waits)
        assert (mem_req_valid && ({mem_req_kind, mem_req_line[0]} == {was_kind, was_line}) &&
                ((mem_req_kind == BYW_MEM_WRITEBACK) || (mem_req_id == was_id)));
    end
  end
`ifdef L1D_LEMMAS
  `include "l1d_lemmas.vh"
`endif
endmodule

`default_nettype wire
