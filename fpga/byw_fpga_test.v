// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_test - the self-test: the L1 of an SM between a requester that knows the expected
//                 responses and a memory; the same in simulation and on a board.
//
// Behaviour   Eight phases, each with its own policy setting.  A phase clears the tables, restarts
//             with the setting, and sends 2^REQUESTS_W random requests and a FLUSH.  It waits until
//             all are answered and compares the memory with the stored values.  Then done_o is 1,
//             and the phases repeat with other requests.  fail_o is 1 from the first failure on;
//             code_o tells which:
//               1 bytes of a response   2 response: id, class, error   3 write or fill at memory
//               4 not idle, or events that do not add up   5 memory after the flush
//               6 no progress in 4096 cycles   7 a way of serving was never seen
// Reset       rst_i.
//
// Parameter   Default  Range        Meaning
// REQUESTS_W  10       8..24        2^REQUESTS_W requests per phase
// GRAIN, LINES_W, IDS_W             as in byw_fpga_request
// LEAN        0        0, 1         1: a smaller test, see byw_fpga_check and byw_fpga_memory
// BEAT_BYTES and all others as in byw_fpga_l1; a beat has at least two elements.
//
`default_nettype none
`include "byw_widths.vh"

module byw_fpga_test #(
  parameter integer REQUESTS_W   = 10,
  parameter integer GRAIN        = 1,
  parameter integer LINES_W      = 8,
  parameter integer IDS_W        = 5,
  parameter integer BYPASS       = 1,
  parameter integer FILTER       = 1,
  parameter integer TWO_LEVEL    = 1,
  parameter integer PC_PRED      = 1,
  parameter integer STATS        = 1,
  parameter integer SETS         = 32,
  parameter integer DATA_WAYS    = 4,
  parameter integer LINE_BYTES   = 128,
  parameter integer LINE_W       = 29,
  parameter integer LOOK         = 0,
  parameter integer MSHRS        = `BYW_DEFAULT_MSHRS,
  parameter integer MERGES       = `BYW_DEFAULT_MERGES,
  parameter integer MISS_DEPTH   = `BYW_DEFAULT_MISS_DEPTH,
  parameter integer BYPASS_DEPTH = `BYW_DEFAULT_BYPASS_DEPTH,
  parameter integer TRACKERS     = `BYW_DEFAULT_TRACKERS,
  parameter integer ID_W         = 16,
  parameter integer PC_W         = 32,
  parameter integer LEAN         = 0,
  parameter integer BEAT_BYTES   = 0
) (
  input  wire       clk_i,
  input  wire       rst_i,
  output reg        done_o,      // the first round is complete
  output wire       pass_o,      // done, no failure
  output reg        fail_o,
  output reg  [2:0] code_o,
  output reg  [2:0] phase_o,     // the current phase, or that of the failure
  output wire       beat_o       // pulse: a request was answered
);
  `include "byw_defs.vh"
  `include "byw_csr.vh"

  // A request covers one place: a line, or a beat of a line.
  localparam integer BYTES    = ((BEAT_BYTES > 0) && (BEAT_BYTES < LINE_BYTES)) ? BEAT_BYTES :
                                LINE_BYTES;
  localparam integer BEATS    = LINE_BYTES / BYTES;
  localparam integer BEAT_PW  = (BEATS > 1) ? $clog2(BEATS) : 1;
  localparam integer PLACES_W = LINES_W + ((BEATS > 1) ? BEAT_PW : 0);
  localparam integer ELEMENTS = BYTES / GRAIN;
  localparam integer UPPER    = LINE_W - LINES_W;
  localparam [2:0]   CLEAR = 3'd0, START = 3'd1, RUN = 3'd2, FLUSH = 3'd3, DRAIN = 3'd4,
                     AUDIT = 3'd5, NEXT = 3'd6;

  // ---- the settings of the phase
  localparam [31:0] UPDATE   = 32'd1 << BYW_CFG_STORE_UPDATE_LSB;
  localparam [31:0] STALL_1  = {30'd0, BYW_STALL_LINE} << BYW_CFG_STALL_BYPASS_LSB;
  localparam [31:0] STALL_2  = {30'd0, BYW_STALL_ANY} << BYW_CFG_STALL_BYPASS_LSB;
  localparam [31:0] ALL      = {30'd0, BYW_MODE_BYPASS_ALL} << BYW_CFG_MODE_LSB;
  localparam [31:0] EVICT    = {30'd0, BYW_BYP_EVICT} << BYW_CFG_BYP_ON_HIT_LSB;
  localparam [31:0] FILTERED = (BYW_CSR_POLICY_RESET & ~(32'd3 << BYW_CFG_MODE_LSB)) |
                               ({30'd0, BYW_MODE_DECOUPLED} << BYW_CFG_MODE_LSB);
  localparam [31:0] RSFAIL   = 32'd1 << BYW_CFG_BYP_ON_RSFAIL_LSB;
  localparam [31:0] PC_ON    = (BYW_CSR_PC_PRED_RESET & ~(32'hff << BYW_PC_PRED_THRESHOLD_LSB)) |
                               (32'd2 << BYW_PC_PRED_THRESHOLD_LSB) |
                               (32'd1 << BYW_PC_PRED_ENABLE_LSB);
  localparam [31:0] TL_ON    = (BYW_CSR_TWO_LEVEL_RESET &
                               ~(32'd3 << BYW_CSR_TWO_LEVEL_RESAMPLE_LSB)) |
                               ({30'd0, BYW_BDU_PERIODIC} << BYW_CSR_TWO_LEVEL_RESAMPLE_LSB) |
                               (32'd1 << BYW_CSR_TWO_LEVEL_ENABLE_LSB);

  reg [2:0]  state_q;
  reg [PLACES_W-1:0] walk_q;
  reg [31:0] cfg_q, pc_cfg_q, tl_cfg_q;
  always @(posedge clk_i) begin : p_settings
    if ((state_q == CLEAR) && (&walk_q)) begin   // restart_q is set, too
      case (phase_o)
        3'd0: cfg_q <= 32'd0;
        3'd1: cfg_q <= UPDATE | STALL_1;
        3'd2: cfg_q <= ALL;
        3'd3: cfg_q <= ALL | EVICT | UPDATE;
        3'd4: cfg_q <= FILTERED;
        3'd5: cfg_q <= FILTERED | RSFAIL | UPDATE;
        3'd6: cfg_q <= UPDATE | STALL_2;
        default: cfg_q <= UPDATE;
      endcase
      pc_cfg_q <= (phase_o == 3'd6) ? PC_ON : (PC_ON & ~32'd1);
      tl_cfg_q <= (phase_o == 3'd7) ? TL_ON : 32'd0;
    end
    if (rst_i) begin
      cfg_q    <= 32'd0;
      pc_cfg_q <= PC_ON & ~32'd1;
      tl_cfg_q <= 32'd0;
    end
  end

  // ---- random stimulus other than requests: CTA, filter, restart, active warps
  reg [15:0] random_q;
  reg        filter_q, cta_q, restart_q;
  reg [6:0]  warps_q;
  always @(posedge clk_i) begin : p_beside
    random_q  <= {random_q[14:0], random_q[15] ^ random_q[13] ^ random_q[12] ^ random_q[10]};
    filter_q  <= (phase_o == 3'd4) || ((phase_o == 3'd5) && ((random_q[4:0] == 5'd0) != filter_q));
    cta_q     <= random_q[6:0] == 7'd1;
    warps_q   <= {1'b0, random_q[5:0]};
    restart_q <= (state_q == CLEAR) && (&walk_q);
    if (rst_i) begin
      random_q  <= 16'h1d0c;
      filter_q  <= 1'b0;
      cta_q     <= 1'b0;
      warps_q   <= 7'd0;
      restart_q <= 1'b0;
    end
  end

  // ---- requester, checker, memory
  reg                     audit_q, throttle_q;
  wire                    last;              // the last request of the phase was drawn
  wire                    drawn, empty, expect_valid, quiet, answered, bad_data, bad_id;
  wire [IDS_W-1:0]        expect_id, req_id;
  wire [PLACES_W-1:0]     expect_place, req_place;
  wire [BEAT_PW-1:0]      req_beat, mem_req_beat;
  wire [2*ELEMENTS-1:0]   expect_version, audit_memory, audit_known;
  wire [ELEMENTS-1:0]     expect_mask;
  wire [1:0]              expect_class;
  wire [(1<<IDS_W)-1:0]   busy;
  wire [2:0]              served;
  wire                    load;
  wire                    req_more, mem_req_more;
  wire                    req_valid, req_ready, rsp_valid, rsp_ready, rsp_error;
  wire [2:0]              req_op, req_hint, rsp_served;
  wire [BYTES-1:0]        req_bytes, mem_req_bytes;
  wire [BYTES*8-1:0]      req_data, rsp_data, mem_req_data, mem_rsp_data;
  wire [7:0]              req_pc;
  wire [ID_W-1:0]         rsp_id, mem_req_id, mem_rsp_id;
  wire                    mem_req_valid, mem_req_ready, mem_req_atomic, mem_req_predicted;
  wire                    mem_rsp_valid, mem_rsp_ready, mem_rsp_mispredict;
  wire [1:0]              mem_req_kind, mem_rsp_kind;
  wire [LINE_W-1:0]       mem_req_line;
  wire                    memory_quiet, bad_write, idle;
  wire [`BYW_EV_W-1:0]    events;

  byw_fpga_request #(
    .BYTES(BYTES), .GRAIN(GRAIN), .PLACES_W(PLACES_W), .BEATS(BEATS), .IDS_W(IDS_W), .LEAN(LEAN)
  ) u_request (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(state_q == CLEAR), .clear_place_i(walk_q),
    .audit_i(state_q == AUDIT), .audit_place_i(walk_q), .audit_version_o(audit_known),
    .run_i(state_q == RUN), .flush_i((state_q == RUN) && last), .empty_o(empty), .busy_i(busy),
    .drawn_o(drawn), .expect_valid_o(expect_valid), .expect_id_o(expect_id),
    .expect_place_o(expect_place), .expect_version_o(expect_version), .expect_mask_o(expect_mask),
    .expect_class_o(expect_class), .req_valid_o(req_valid), .req_ready_i(req_ready),
    .req_op_o(req_op), .req_place_o(req_place), .req_more_o(req_more), .req_bytes_o(req_bytes),
    .req_data_o(req_data), .req_pc_o(req_pc), .req_id_o(req_id), .req_hint_o(req_hint)
  );

  byw_fpga_check #(
    .BYTES(BYTES), .GRAIN(GRAIN), .PLACES_W(PLACES_W), .IDS_W(IDS_W), .ID_W(ID_W), .LEAN(LEAN)
  ) u_check (
    .clk_i(clk_i), .rst_i(rst_i), .throttle_i(throttle_q), .expect_valid_i(expect_valid),
    .expect_id_i(expect_id), .expect_place_i(expect_place), .expect_version_i(expect_version),
    .expect_mask_i(expect_mask), .expect_class_i(expect_class), .busy_o(busy),
    .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready), .rsp_data_i(rsp_data), .rsp_id_i(rsp_id),
    .rsp_served_i(rsp_served), .rsp_error_i(rsp_error), .quiet_o(quiet), .answered_o(answered),
    .served_o(served), .load_o(load), .bad_data_o(bad_data), .bad_id_o(bad_id)
  );

  byw_fpga_memory #(
    .BYTES(BYTES), .GRAIN(GRAIN), .PLACES_W(PLACES_W), .BEATS(BEATS), .LINE_W(LINE_W), .ID_W(ID_W),
    .LEAN(LEAN)
  ) u_memory (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(state_q == CLEAR), .clear_place_i(walk_q),
    .audit_i(state_q == AUDIT), .audit_place_i(walk_q), .audit_version_o(audit_memory),
    .throttle_i(throttle_q), .mem_req_valid_i(mem_req_valid), .mem_req_ready_o(mem_req_ready),
    .mem_req_kind_i(mem_req_kind), .mem_req_atomic_i(mem_req_atomic),
    .mem_req_predicted_i(mem_req_predicted), .mem_req_line_i(mem_req_line),
    .mem_req_beat_i(mem_req_beat), .mem_req_bytes_i(mem_req_bytes), .mem_req_data_i(mem_req_data),
    .mem_req_id_i(mem_req_id), .mem_rsp_valid_o(mem_rsp_valid), .mem_rsp_ready_i(mem_rsp_ready),
    .mem_rsp_kind_o(mem_rsp_kind), .mem_rsp_data_o(mem_rsp_data), .mem_rsp_id_o(mem_rsp_id),
    .mem_rsp_mispredict_o(mem_rsp_mispredict), .quiet_o(memory_quiet), .bad_write_o(bad_write)
  );

  // ---- the cache; the upper address bits are a function of the lower ones
  wire [LINE_W-1:0] line;
  genvar            u;
  assign line[LINES_W-1:0] = req_place[PLACES_W-1 -: LINES_W];
  generate
    if (BEATS > 1) begin : gen_beat
      assign req_beat = req_place[BEAT_PW-1:0];
    end else begin : gen_no_beat
      assign req_beat = 1'b0;
    end
    for (u = 0; u < UPPER; u = u + 1) begin : gen_upper
      assign line[LINES_W + u] = !line[u % LINES_W];
    end
  endgenerate

  wire                 mem_req_write, mem_req_bypass, count_valid;
  wire [PC_W-1:0]      mem_req_pc;
  wire [`BYW_PEV_W-1:0] policy_events;
  wire [7:0]           pc_counter;
  wire [2:0]           two_level;
  wire [63:0]          count_data;
  byw_fpga_l1 #(
    .BYPASS(BYPASS), .FILTER(FILTER), .TWO_LEVEL(TWO_LEVEL), .PC_PRED(PC_PRED), .STATS(STATS),
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .LOOK(LOOK),
    .MSHRS(MSHRS), .MERGES(MERGES), .MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH),
    .TRACKERS(TRACKERS), .ID_W(ID_W), .PC_W(PC_W), .BEAT_BYTES(BEAT_BYTES)
  ) u_l1 (
    .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_q), .pc_cfg_i(pc_cfg_q), .tl_cfg_i(tl_cfg_q),
    .tl_window_i({16'd16, 16'd300}), .tl_period_i(30'd500), .tl_bound_i(31'd9000),
    .restart_i(restart_q), .filter_on_i(filter_q), .kernel_start_i(1'b0), .kernel_pc_i(32'd0),
    .cta_placed_i(cta_q), .active_warps_i(warps_q), .req_valid_i(req_valid),
    .req_ready_o(req_ready), .req_op_i(req_op), .req_line_i(line), .req_beat_i(req_beat),
    .req_more_i(req_more), .req_bytes_i(req_bytes), .req_data_i(req_data),
    .req_pc_i({{(PC_W-7){1'b0}}, req_pc[6:0]}), .req_id_i({{(ID_W-IDS_W){1'b0}}, req_id}),
    .req_hint_i(req_hint), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_data_o(rsp_data), .rsp_id_o(rsp_id), .rsp_served_o(rsp_served), .rsp_error_o(rsp_error),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready),
    .mem_req_kind_o(mem_req_kind), .mem_req_write_o(mem_req_write),
    .mem_req_bypass_o(mem_req_bypass), .mem_req_atomic_o(mem_req_atomic),
    .mem_req_line_o(mem_req_line), .mem_req_beat_o(mem_req_beat), .mem_req_more_o(mem_req_more),
    .mem_req_bytes_o(mem_req_bytes),
    .mem_req_data_o(mem_req_data), .mem_req_pc_o(mem_req_pc), .mem_req_id_o(mem_req_id),
    .mem_req_predicted_o(mem_req_predicted), .mem_rsp_valid_i(mem_rsp_valid),
    .mem_rsp_ready_o(mem_rsp_ready), .mem_rsp_kind_i(mem_rsp_kind),
    .mem_rsp_data_i(mem_rsp_data), .mem_rsp_id_i(mem_rsp_id), .mem_rsp_error_i(1'b0),
    .mem_rsp_mispredict_i(mem_rsp_mispredict), .idle_o(idle), .events_o(events),
    .policy_events_o(policy_events), .pc_counter_o(pc_counter), .two_level_o(two_level),
    .count_req_i(1'b0), .count_sel_i(8'd0), .count_valid_o(count_valid), .count_data_o(count_data)
  );

  // ---- what each phase must have seen: {load bypassed, fill, hit, store}
  reg  [3:0] seen_q, need;
  reg  [4:0] event_q;
  reg  [7:0] balance_q;
  always @* begin : p_need
    case (phase_o)
      3'd2, 3'd3: need = (BYPASS != 0) ? 4'b1001 : 4'b0111;
      3'd4, 3'd5: need = {FILTER != 0, 3'b111};
      3'd6: need = {PC_PRED != 0, 3'b111};
      3'd7: need = {TWO_LEVEL != 0, 3'b111};
      default: need = 4'b0111;
    endcase
  end

  // ---- the sequence of a phase
  reg  [REQUESTS_W-1:0] drawn_q;
  reg  [11:0]           still_q;
  reg                   idle_q, audit_bad_q;
  reg  [4:0]            settle_q;
  assign last = drawn && (&drawn_q);
  assign pass_o = done_o && !fail_o;
  assign beat_o = answered;

  always @(posedge clk_i) begin : p_program
    idle_q     <= idle;
    throttle_q <= drawn_q[REQUESTS_W-1];
    event_q    <= {events[BYW_EV_LOAD] || events[BYW_EV_STORE], events[BYW_EV_HIT],
                   events[BYW_EV_HIT_PENDING], events[BYW_EV_MISS], events[BYW_EV_BYPASS]};
    balance_q  <= balance_q + {7'd0, event_q[4]} - {7'd0, event_q[3]} - {7'd0, event_q[2]} -
                  {7'd0, event_q[1]} - {7'd0, event_q[0]};
    audit_q     <= state_q == AUDIT;
    audit_bad_q <= audit_q && (audit_memory != audit_known);
    if (answered) begin
      case (served)
        BYW_SERVED_STORE: seen_q[0] <= 1'b1;
        BYW_SERVED_HIT: seen_q[1] <= seen_q[1] || load;
        BYW_SERVED_FILL: seen_q[2] <= 1'b1;
        BYW_SERVED_BYPASS: seen_q[3] <= seen_q[3] || load;
        default: ;
      endcase
    end
    still_q <= (drawn || answered) ? 12'd0 : (still_q + 12'd1);
    if (drawn) drawn_q <= drawn_q + 1'b1;

    case (state_q)
      CLEAR: begin
        walk_q  <= walk_q + 1'b1;
        seen_q  <= 4'd0;
        still_q <= 12'd0;
        if (&walk_q) state_q <= START;
      end
      START: state_q <= RUN;   // restart_i is 1 here
      RUN: if (last) state_q <= FLUSH;
      FLUSH: if (empty) state_q <= DRAIN;
      DRAIN: begin
        settle_q <= (empty && quiet && memory_quiet) ? (settle_q + 5'd1) : 5'd0;
        if (&settle_q) state_q <= AUDIT;
      end
      AUDIT: begin
        settle_q <= 5'd0;
        walk_q   <= walk_q + 1'b1;
        still_q  <= 12'd0;
        if (&walk_q) state_q <= NEXT;
      end
      default: begin
        settle_q <= settle_q + 5'd1;
        if (settle_q[2]) begin
          settle_q <= 5'd0;
          state_q  <= CLEAR;
          phase_o  <= fail_o ? phase_o : (phase_o + 3'd1);
          if (phase_o == 3'd7) done_o <= 1'b1;
        end
      end
    endcase

    if (!fail_o) begin
      if (bad_data) {fail_o, code_o} <= {1'b1, 3'd1};
      else if (bad_id) {fail_o, code_o} <= {1'b1, 3'd2};
      else if (bad_write) {fail_o, code_o} <= {1'b1, 3'd3};
      else if ((state_q == AUDIT) && (!idle_q || (balance_q != 8'd0)))
        {fail_o, code_o} <= {1'b1, 3'd4};
      else if (audit_bad_q) {fail_o, code_o} <= {1'b1, 3'd5};
      else if (&still_q) {fail_o, code_o} <= {1'b1, 3'd6};
      else if ((state_q == NEXT) && ((seen_q & need) != need)) {fail_o, code_o} <= {1'b1, 3'd7};
    end
    // After a failure the cache may hang, so the verdict does not wait for it.
    if (fail_o) done_o <= 1'b1;
    if (rst_i) begin
      state_q     <= CLEAR;
      done_o      <= 1'b0;
      fail_o      <= 1'b0;
      code_o      <= 3'd0;
      phase_o     <= 3'd0;
      walk_q      <= {PLACES_W{1'b0}};
      drawn_q     <= {REQUESTS_W{1'b0}};
      still_q     <= 12'd0;
      settle_q    <= 5'd0;
      balance_q   <= 8'd0;
      event_q     <= 5'd0;
      seen_q      <= 4'd0;
      idle_q      <= 1'b0;
      audit_q     <= 1'b0;
      audit_bad_q <= 1'b0;
      throttle_q  <= 1'b0;
    end
  end

  wire unused = &{1'b0, mem_req_more, mem_req_write, mem_req_bypass, mem_req_pc, policy_events,
                  pc_counter, two_level, count_valid, count_data, events};
endmodule

`default_nettype wire
