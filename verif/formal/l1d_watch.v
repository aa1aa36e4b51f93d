// SPDX-License-Identifier: Apache-2.0
//
// l1d_watch - a load returns the byte stored last: one byte of one line, both symbolic, in a small
// byw_l1d under any policy.  Filter, bypass mode, hints, errors and back pressure are free in every
// cycle; the policy register with mode and stall bypass is free, but constant; so is the order of
// the answers.
//
// Memory performs a request when it takes it, and answers after any delay. One arbitrary load is
// watched: its response, unless it is an error, carries the byte of the last store accepted before
// it, or the initial byte of memory. Bit 0 represents the byte, because all bits are treated alike.
//
// LOCAL 0: loads, stores, INVALIDATE, FLUSH and kernel starts at any time.  LOCAL 1: loads, local
// loads, stores, local stores and FLUSH; nothing drops a dirty line.  Atomics are omitted.
//
// PROPERTY 0 is the property itself; 1 to 4 claim that an event never happens, which prove_watch.sh
// refutes: a hit, a fill or a bypass that answers the watched load after a store, and a write to
// memory (LOCAL 1: a write-back).
//
`default_nettype none

module l1d_watch #(
  parameter integer LOOK     = 0,
  parameter integer LOCAL    = 0,
  parameter integer PROPERTY = 0
) (
  input wire         clk_i,
  input wire         rst_i,
  input wire         filter_on_i,
  input wire         kernel_start_i,
  input wire         bypass_i,
  input wire         req_valid_i,
  input wire [2:0]   req_op_i,
  input wire         req_mine_i,      // the watched line, otherwise the neighbouring line
  input wire [7:0]   req_bytes_i,
  input wire [63:0]  req_data_i,
  input wire [1:0]   req_id_i,
  input wire [2:0]   req_hint_i,
  input wire         watch_i,         // watches the load accepted now
  input wire         rsp_ready_i,
  input wire         mem_req_ready_i,
  input wire         mem_rsp_valid_i,
  input wire [1:0]   mem_rsp_kind_i,
  input wire [63:0]  mem_rsp_data_i,
  input wire [1:0]   mem_rsp_id_i,
  input wire         mem_rsp_error_i,
  input wire [31:0]  cfg_i,
  input wire [16:0]  line_i,
  input wire [2:0]   byte_i,
  input wire         held_i           // content of memory at the reset
);
  `include "byw_defs.vh"

  reg  [31:0] cfg_q;
  reg  [16:0] line_q;                 // the watched byte
  reg  [2:0]  byte_q;
  reg         started = 1'b0;
  wire        req_ready, rsp_valid, rsp_error, mem_req_valid, mem_req_write, mem_rsp_ready, idle;
  wire [1:0]  rsp_id, mem_req_kind, mem_req_id;
  wire [2:0]  rsp_served;
  wire [16:0] mem_req_line;
  wire [7:0]  mem_req_bytes;
  wire [63:0] rsp_data, mem_req_data;
  wire [5:0]  at = {byte_q, 3'd0};    // bit 0 of the byte

  byw_l1d #(
    .SETS(1), .DATA_WAYS(1), .TAG_WAYS(2), .LINE_BYTES(8), .LINE_W(17), .INDEX(0), .REPL(0),
    .LOOK(LOOK), .RC_W(1), .MSHRS(2), .MERGES(2), .MISS_DEPTH(2), .BYPASS_DEPTH(1), .TRACKERS(1),
    .ID_W(2), .PC_W(1), .PC_PRED(0)
  ) u_l1d (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_q), .filter_on_i(filter_on_i), .protect_i(1'b0),
    .kernel_start_i(kernel_start_i), .bypass_i(bypass_i), .pc_cfg_i(32'd0),
    .req_valid_i(req_valid_i), .req_ready_o(req_ready), .req_op_i(req_op_i),
    .req_line_i(req_mine_i ? line_q : line_q ^ 17'd1), .req_beat_i(1'b0), .req_more_i(1'b0),
    .req_bytes_i(req_bytes_i), .req_data_i(req_data_i), .req_pc_i(1'b0), .req_id_i(req_id_i),
    .req_hint_i(req_hint_i), .req_func_i(1'b0), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready_i),
    .rsp_data_o(rsp_data), .rsp_id_o(rsp_id), .rsp_served_o(rsp_served), .rsp_error_o(rsp_error),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_kind_o(mem_req_kind), .mem_req_write_o(mem_req_write), .mem_req_line_o(mem_req_line),
    .mem_req_bytes_o(mem_req_bytes), .mem_req_data_o(mem_req_data), .mem_req_id_o(mem_req_id),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready),
    .mem_rsp_kind_i(mem_rsp_kind_i), .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_id_i(mem_rsp_id_i),
    .mem_rsp_error_i(mem_rsp_error_i), .mem_rsp_mispredict_i(1'b0), .idle_o(idle)
  );

  wire       takes   = req_valid_i && req_ready;
  wire       is_load = (req_op_i == BYW_OP_LOAD) || (req_op_i == BYW_OP_LOCAL_LOAD);
  wire       is_store = (req_op_i == BYW_OP_STORE) || (req_op_i == BYW_OP_LOCAL_STORE);
  wire       answers = rsp_valid && rsp_ready_i;
  wire       asks    = mem_req_valid && mem_req_ready_i;
  wire       mine    = mem_req_line == line_q;
  wire       told    = mem_rsp_valid_i && mem_rsp_ready;
  wire [3:0] at_req  = 4'd1 << req_id_i;
  wire [3:0] at_rsp  = 4'd1 << rsp_id;
  wire [3:0] at_ask  = 4'd1 << mem_req_id;
  wire [3:0] at_told = 4'd1 << mem_rsp_id_i;

  // ---- outstanding requests, and the byte
  reg  [3:0] due, store_due;
  reg  [3:0] fill_due, fill_mine, fill_value;    // by MSHR: the value that memory read
  reg        pass_due, pass_mine, pass_value;
  reg        last_q;                             // after the stores accepted so far
  reg        memory_q;                           // after the writes performed so far
  reg        watching, awaited, changed;
  reg  [1:0] watched;

  always @(posedge clk_i) begin : p_model
    started <= 1'b1;
    if (!started) begin
      cfg_q  <= cfg_i;
      line_q <= line_i;
      byte_q <= byte_i;
    end
    if (rst_i) begin
      {due, store_due, fill_due} <= 12'd0;
      {pass_due, watching, changed} <= 3'd0;
      last_q   <= held_i;
      memory_q <= held_i;
    end else begin
      due       <= (due | (takes ? at_req : 4'd0)) & ~(answers ? at_rsp : 4'd0);
      store_due <= (store_due | ((asks && (mem_req_kind == BYW_MEM_STORE)) ? at_ask : 4'd0)) &
                   ~((told && (mem_rsp_kind_i == BYW_MEM_STORE)) ? at_told : 4'd0);
      fill_due  <= (fill_due | ((asks && (mem_req_kind == BYW_MEM_FILL)) ? at_ask : 4'd0)) &
                   ~((told && (mem_rsp_kind_i == BYW_MEM_FILL)) ? at_told : 4'd0);
      pass_due  <= (pass_due || (asks && (mem_req_kind == BYW_MEM_BYPASS))) &&
                   !(told && (mem_rsp_kind_i == BYW_MEM_BYPASS));
      if (asks && (mem_req_kind == BYW_MEM_FILL)) begin
        fill_mine[mem_req_id]  <= mine;
        fill_value[mem_req_id] <= memory_q;
      end
      if (asks && (mem_req_kind == BYW_MEM_BYPASS)) {pass_mine, pass_value} <= {mine, memory_q};
      if (asks && mem_req_write && mine && mem_req_bytes[byte_q]) memory_q <= mem_req_data[at];
      if (takes && is_store && req_mine_i && req_bytes_i[byte_q]) begin
        last_q  <= req_data_i[at];
        changed <= 1'b1;
      end
      if (takes && is_load && req_mine_i && watch_i && !watching) begin
        watching <= 1'b1;
        watched  <= req_id_i;
        awaited  <= last_q;
      end else if (watching && answers && (rsp_id == watched)) watching <= 1'b0;
    end
  end

  // ---- the rules of requester and memory, assumed
  always @* begin : p_rules
    assume (rst_i == !started);
    assume (cfg_i[BYW_CFG_MODE_LSB +: 2] != 2'd3);
    assume (cfg_i[BYW_CFG_BYP_ON_HIT_LSB +: 2] != 2'd3);
    assume (cfg_i[BYW_CFG_STALL_BYPASS_LSB +: 2] != 2'd3);
    assume (req_hint_i <= BYW_HINT_VOLATILE);
    if (LOCAL == 0)
      assume ((req_op_i == BYW_OP_LOAD) || (req_op_i == BYW_OP_STORE) ||
              (req_op_i == BYW_OP_INVALIDATE) || (req_op_i == BYW_OP_FLUSH));
    else
      assume (!kernel_start_i && (req_op_i != BYW_OP_ATOMIC) && (req_op_i != BYW_OP_INVALIDATE) &&
              (req_op_i <= BYW_OP_FLUSH));
    if (req_valid_i && started) assume (!due[req_id_i]);
    if (mem_rsp_valid_i && started)
      case (mem_rsp_kind_i)
        BYW_MEM_FILL: assume (fill_due[mem_rsp_id_i] &&
                              (!fill_mine[mem_rsp_id_i] ||
                               (mem_rsp_data_i[at] == fill_value[mem_rsp_id_i])));
        BYW_MEM_BYPASS: assume (pass_due && (mem_rsp_id_i == 2'd0) &&
                                (!pass_mine || (mem_rsp_data_i[at] == pass_value)));
        BYW_MEM_STORE: assume (store_due[mem_rsp_id_i]);
        default:       assume (1'b0);
      endcase
  end

  wire seen = started && watching && rsp_valid && (rsp_id == watched) && !rsp_error;

  always @* begin : p_property
    case (PROPERTY)
      0: if (seen) assert (rsp_data[at] == awaited);
      1: if (seen) assert (!(changed && (rsp_served == BYW_SERVED_HIT)));
      2: if (seen) assert (!(changed && (rsp_served == BYW_SERVED_FILL)));
      3: if (seen) assert (!(changed && (rsp_served == BYW_SERVED_BYPASS)));
      default: if (started && asks && mine && mem_req_bytes[byte_q])
        assert (mem_req_kind != ((LOCAL != 0) ? BYW_MEM_WRITEBACK : BYW_MEM_STORE));
    endcase
  end
endmodule

`default_nettype wire
