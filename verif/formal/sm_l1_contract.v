// SPDX-License-Identifier: Apache-2.0
//
// sm_l1_contract - stands for byw_sm_l1 in proofs of the adapters around it: any cache that keeps
// the contract of rtl/doc/handshake.md and ordering.md, with requester ids that differ in their
// highest and lowest bit only, two MSHRs and two trackers, four lines, and no dirty line.
//
// Assumed of the cache: a response waits unchanged, and belongs to a request that has had none; a
// store's comes after memory has acknowledged the store; each store is sent once; a memory request
// waits unchanged, its flags fit its kind, its bytes are within a sector, its number is not in
// flight; idle_o only when nothing is due.
// Asserted of the adapter: no id is in flight twice, and memory answers what it was asked.
//
`default_nettype none
`include "byw_widths.vh"

module byw_sm_l1 #(
  parameter integer ALLOC = 0, SECTORS = 1, SETS = 1, DATA_WAYS = 1, TAG_WAYS = 1, LINE_BYTES = 8,
  parameter integer LINE_W = 4, INDEX = 0, MSHRS = 2, MERGES = 1, TRACKERS = 2, ID_W = 2,
  parameter integer PC_PRED = 0, STATS = 0, FENCE = 0, UNCACHED = 0, FUNC_W = 0,
  parameter integer FUNC_PW = (FUNC_W > 0) ? FUNC_W : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire [31:0]             cfg_i,
  input  wire [31:0]             pc_cfg_i,
  input  wire [31:0]             tl_cfg_i,
  input  wire [31:0]             tl_window_i,
  input  wire [29:0]             tl_period_i,
  input  wire [30:0]             tl_bound_i,
  input  wire                    restart_i,
  input  wire                    filter_on_i,
  input  wire                    kernel_start_i,
  input  wire [31:0]             kernel_pc_i,
  input  wire                    cta_placed_i,
  input  wire [6:0]              active_warps_i,
  input  wire                    req_valid_i,
  output wire                    req_ready_o,
  input  wire [2:0]              req_op_i,
  input  wire [LINE_W-1:0]       req_line_i,
  input  wire                    req_beat_i,
  input  wire                    req_more_i,
  input  wire [LINE_BYTES-1:0]   req_bytes_i,
  input  wire [LINE_BYTES*8-1:0] req_data_i,
  input  wire [31:0]             req_pc_i,
  input  wire [ID_W-1:0]         req_id_i,
  input  wire [5:0]              req_warp_i,
  input  wire [2:0]              req_hint_i,
  input  wire [FUNC_PW-1:0]      req_func_i,
  output wire                    rsp_valid_o,
  input  wire                    rsp_ready_i,
  output wire [LINE_BYTES*8-1:0] rsp_data_o,
  output wire [ID_W-1:0]         rsp_id_o,
  output wire [2:0]              rsp_served_o,
  output wire                    rsp_error_o,
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire [1:0]              mem_req_kind_o,
  output wire                    mem_req_write_o,
  output wire                    mem_req_bypass_o,
  output wire                    mem_req_atomic_o,
  output wire [LINE_W-1:0]       mem_req_line_o,
  output wire                    mem_req_beat_o,
  output wire                    mem_req_more_o,
  output wire [LINE_BYTES-1:0]   mem_req_bytes_o,
  output wire [LINE_BYTES*8-1:0] mem_req_data_o,
  output wire [31:0]             mem_req_pc_o,
  output wire [ID_W-1:0]         mem_req_id_o,
  output wire                    mem_req_predicted_o,
  output wire [FUNC_PW-1:0]      mem_req_func_o,
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [1:0]              mem_rsp_kind_i,
  input  wire [LINE_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [ID_W-1:0]         mem_rsp_id_i,
  input  wire                    mem_rsp_error_i,
  input  wire                    mem_rsp_mispredict_i,
  output wire                    idle_o,
  output wire [`BYW_EV_W-1:0]    events_o,
  output wire [`BYW_PEV_W-1:0]   policy_events_o,
  output wire [7:0]              pc_counter_o,
  output wire [2:0]              two_level_o,
  output wire [4:0]              trial_events_o,
  input  wire                    count_req_i,
  input  wire [7:0]              count_sel_i,
  output wire                    count_valid_o,
  output wire [63:0]             count_data_o
);
  `include "byw_defs.vh"
  localparam integer SECTOR = LINE_BYTES / SECTORS;
  localparam integer OUT_W  = 8 + LINE_BYTES * 9 + FUNC_PW;

  wire [4:0]       free    = $anyseq;
  wire [OUT_W-1:0] out     = $anyseq;
  wire [1:0]       rsp     = $anyseq;            // highest and lowest bit of an id
  wire [LINE_BYTES*8-1:0] rsp_data = $anyseq;

  assign {req_ready_o, rsp_valid_o, mem_req_valid_o, mem_rsp_ready_o, idle_o} = free;
  wire [1:0]       line, id;
  wire             reads;
  wire [ID_W-1:0]  one    = 1;
  wire [ID_W-1:0]  rsp_id = (rsp[1] ? one << (ID_W - 1) : one ^ one) | rsp[0];
  assign {mem_req_kind_o, mem_req_write_o, mem_req_atomic_o, line, mem_req_bytes_o, mem_req_data_o,
          id, mem_req_func_o} = out;
  assign mem_req_line_o = line;
  assign mem_req_id_o   = ((id[1] && !reads) ? one << (ID_W - 1) : one ^ one) | id[0];
  assign {rsp_id_o, rsp_data_o, rsp_served_o, rsp_error_o} = {rsp_id, rsp_data, 4'd0};
  assign {mem_req_bypass_o, mem_req_beat_o, mem_req_more_o, mem_req_predicted_o} = 4'd0;
  assign {mem_req_pc_o, events_o, policy_events_o, pc_counter_o, two_level_o} = 0;
  assign {trial_events_o, count_valid_o, count_data_o} = 0;

  reg  [3:0] unsent_q, read_q;               // of those due: stores not sent yet; loads and atomics
  reg  [3:0] due_q, store_q, flight_q;       // by {highest, lowest bit of the id}; {bypass, number}
  wire [1:0] ask = {req_id_i[ID_W-1], req_id_i[0]};
  assign     reads = (mem_req_kind_o == BYW_MEM_FILL) || (mem_req_kind_o == BYW_MEM_BYPASS);
  wire [1:0] sent = {reads ? mem_req_kind_o == BYW_MEM_BYPASS : id[1], id[0]};
  wire       done = mem_rsp_kind_i == BYW_MEM_STORE;
  wire [1:0] back = !done ? {mem_rsp_kind_i == BYW_MEM_BYPASS, mem_rsp_id_i[0]}
                          : {mem_rsp_id_i[ID_W-1], mem_rsp_id_i[0]};
  wire       takes = req_valid_i && req_ready_o;
  wire       gives = rsp_valid_o && rsp_ready_i;
  wire       sends = mem_req_valid_o && mem_req_ready_i;
  wire       comes = mem_rsp_valid_i && mem_rsp_ready_o;
  reg        started = 1'b0, out_waits_q, rsp_waits_q;
  reg  [OUT_W-1:0] out_q;
  reg  [2+LINE_BYTES*8-1:0] rsp_q;
  reg  [SECTORS-1:0] sectors;
  integer    i;

  always @* begin : p_sectors
    for (i = 0; i < SECTORS; i = i + 1) sectors[i] = |mem_req_bytes_o[i*SECTOR +: SECTOR];
  end

  always @(posedge clk_i) begin : p_state
    started     <= 1'b1;
    out_waits_q <= !rst_i && mem_req_valid_o && !mem_req_ready_i;
    rsp_waits_q <= !rst_i && rsp_valid_o && !rsp_ready_i;
    out_q       <= out;
    rsp_q       <= {rsp, rsp_data};
    if (takes) begin
      due_q[ask]    <= 1'b1;
      unsent_q[ask] <= req_op_i == BYW_OP_STORE;
      read_q[ask]   <= (req_op_i == BYW_OP_LOAD) || (req_op_i == BYW_OP_ATOMIC);
    end
    if (gives) due_q[rsp] <= 1'b0;
    if (sends && reads)  flight_q[sent] <= 1'b1;
    if (sends && !reads) begin
      store_q[sent]  <= 1'b1;
      unsent_q[sent] <= 1'b0;
    end
    if (comes && !done)  flight_q[back] <= 1'b0;
    if (comes && done)   store_q[back]  <= 1'b0;
    if (rst_i) {due_q, store_q, flight_q} <= 12'd0;
  end

  wire [ID_W-1:0] ends = {1'b1, {(ID_W-1){1'b0}}} | 1'b1;      // the bits that ids may have
  wire [ID_W-1:0] low  = 1'b1;

  always @* begin : p_contract
    if (started && !rst_i) begin
      if (rsp_valid_o) assume (due_q[rsp] && !unsent_q[rsp] && !store_q[rsp]);
      if (rsp_waits_q) assume (rsp_valid_o && ({rsp, rsp_data} == rsp_q));
      if (out_waits_q) assume (mem_req_valid_o && (out == out_q));
      if (mem_req_valid_o) begin
        assume (reads || (mem_req_kind_o == BYW_MEM_STORE));
        assume (mem_req_write_o == !reads);
        assume (!mem_req_atomic_o || (mem_req_kind_o == BYW_MEM_BYPASS));
        if (reads) assume (!flight_q[sent] && |(due_q & read_q));
        else       assume (due_q[sent] && unsent_q[sent]);
        assume (!(|(sectors & (sectors - 1'b1))));
      end
      if (idle_o) assume (!rsp_valid_o && !mem_req_valid_o && !(|{due_q, store_q, flight_q}));
      if (req_valid_i) assert (!due_q[ask] && !(|(req_id_i & ~ends)));
      if (mem_rsp_valid_i) assert (done ? store_q[back] && !(|(mem_rsp_id_i & ~ends))
                                        : flight_q[back] && !(|(mem_rsp_id_i & ~low)));
      if (mem_rsp_valid_i) assert (mem_rsp_kind_i != BYW_MEM_WRITEBACK);
    end
  end
endmodule

`default_nettype wire
