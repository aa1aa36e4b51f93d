// SPDX-License-Identifier: Apache-2.0
//
// byw_sm_l1 - the L1 of one SM: data cache and policy, two-level bypass, trials, event counters.
//
// Behaviour   Connects byw_l1d, byw_two_level (which controls its bypass mode) and byw_stats (which
//             counts the pulses of both).  All ports of the cache are ports here.  restart_i comes
//             with new settings: it drops all lines, as a kernel start does, and restarts the
//             two-level bypass.  count_req_i reads a counter (numbers: rtl/doc/csr.md); hold it and
//             count_sel_i until count_valid_o.  With PARITY the last counter counts the pulses of
//             parity_o of byw_l1d; it stops below 2^32.
// Paper       000, 001, 002; rtl/doc/sm_l1.md.
// C twin      cmodel/model/top/byw_sm_l1.c; checked by verif/top/lockstep_sm_l1.c.
// Reset       rst_i: empty cache, counters zero.
//
// Parameter   Default  Range    Meaning
// STATS       1        0, 1     1: the counters exist; 0: every counter reads 0 immediately
// TRIAL       0        0, 1     1: the policy register can enable trials: byw_trials with the
//                               parameters TRIAL_*, byw_warp_fifos in front of the cache
// WARP_W      6        1..8     width of a warp number, which trials need
// All others as in byw_l1d.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_sm_l1 #(
  parameter integer ALLOC        = 0,
  parameter integer SECTORS      = 1,
  parameter integer SETS         = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS    = `BYW_DEFAULT_DATA_WAYS,
  parameter integer TAG_WAYS     = `BYW_DEFAULT_TAG_WAYS,
  parameter integer LINE_BYTES   = `BYW_DEFAULT_LINE_BYTES,
  parameter integer LINE_W       = 33,
  parameter integer INDEX        = 1,
  parameter integer REPL         = 0,
  parameter integer LOOK         = 0,
  parameter integer RC_W         = `BYW_DEFAULT_RC_W,
  parameter integer MSHRS        = `BYW_DEFAULT_MSHRS,
  parameter integer MERGES       = `BYW_DEFAULT_MERGES,
  parameter integer MISS_DEPTH   = `BYW_DEFAULT_MISS_DEPTH,
  parameter integer BYPASS_DEPTH = `BYW_DEFAULT_BYPASS_DEPTH,
  parameter integer TRACKERS     = `BYW_DEFAULT_TRACKERS,
  parameter integer ID_W         = 16,
  parameter integer PC_W         = 32,
  parameter integer PC_PRED      = 1,
  parameter integer PC_ENTRIES   = `BYW_DEFAULT_PC_ENTRIES,
  parameter integer PC_BITS      = `BYW_DEFAULT_PC_BITS,
  parameter integer PC_SHIFT     = `BYW_DEFAULT_PC_SHIFT,
  parameter integer STATS        = 1,
  parameter integer ORDER        = `BYW_DEFAULT_ORDER,
  parameter integer IN_FLIGHT    = `BYW_DEFAULT_IN_FLIGHT,
  parameter integer STORE_IDS    = `BYW_DEFAULT_STORE_IDS,
  parameter integer FENCE        = `BYW_DEFAULT_FENCE,
  parameter integer UNCACHED     = `BYW_DEFAULT_UNCACHED,
  parameter integer FUNC_W       = `BYW_DEFAULT_FUNC_W,
  parameter integer BEAT_BYTES   = `BYW_DEFAULT_BEAT_BYTES,
  parameter integer PARITY       = `BYW_DEFAULT_PARITY,
  parameter integer WARP_W       = 6,
  parameter integer TRIAL        = 0,
  parameter integer TRIAL_WINDOW         = `BYW_DEFAULT_TRIAL_WINDOW,
  parameter integer TRIAL_REUSE_PCT      = `BYW_DEFAULT_TRIAL_REUSE_PCT,
  parameter integer TRIAL_CONFIRM        = `BYW_DEFAULT_TRIAL_CONFIRM,
  parameter integer TRIAL_WINDOWS        = `BYW_DEFAULT_TRIAL_WINDOWS,
  parameter integer TRIAL_MARGIN_PCT     = `BYW_DEFAULT_TRIAL_MARGIN_PCT,
  parameter integer TRIAL_OVERTIME_PCT   = `BYW_DEFAULT_TRIAL_OVERTIME_PCT,
  parameter integer TRIAL_REST           = `BYW_DEFAULT_TRIAL_REST,
  parameter integer TRIAL_DOUBLINGS      = `BYW_DEFAULT_TRIAL_DOUBLINGS,
  parameter integer TRIAL_DISTANCE       = `BYW_DEFAULT_TRIAL_DISTANCE,
  parameter integer TRIAL_STEP           = `BYW_DEFAULT_TRIAL_STEP,
  parameter integer TRIAL_LINE_WINDOW    = `BYW_DEFAULT_TRIAL_LINE_WINDOW,
  parameter integer TRIAL_LINE_REUSE_PCT = `BYW_DEFAULT_TRIAL_LINE_REUSE_PCT,
  parameter integer TRIAL_RUN_PCT        = `BYW_DEFAULT_TRIAL_RUN_PCT,
  parameter integer TRIAL_QUEUES         = `BYW_DEFAULT_TRIAL_QUEUES,
  parameter integer TRIAL_DEPTH          = `BYW_DEFAULT_TRIAL_DEPTH,
  // derived, must not be set; so are the next two
  parameter integer FUNC_PW      = (FUNC_W > 0) ? FUNC_W : 1,
  parameter integer PORT_BYTES   = (BEAT_BYTES > 0) ? BEAT_BYTES : LINE_BYTES,
  parameter integer BEAT_PW      = (PORT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/PORT_BYTES) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // settings: registers of byw_csr, which change only together with rst_i or restart_i
  input  wire [31:0]             cfg_i,             // POLICY
  input  wire [31:0]             pc_cfg_i,          // PC_PRED
  input  wire [31:0]             tl_cfg_i,          // TWO_LEVEL; the next three likewise
  input  wire [31:0]             tl_window_i,
  input  wire [29:0]             tl_period_i,
  input  wire [30:0]             tl_bound_i,
  input  wire                    restart_i,         // pulse

  // ctrl: inputs of this cycle
  input  wire                    filter_on_i,
  input  wire                    kernel_start_i,    // pulse
  input  wire [31:0]             kernel_pc_i,       // with kernel_start_i: the kernel's entry PC
  input  wire                    cta_placed_i,      // pulse
  input  wire [6:0]              active_warps_i,    // 0..64, warps with a decoded next instruction

  // req: requests from the coalescer
  input  wire                    req_valid_i,
  output wire                    req_ready_o,
  input  wire [2:0]              req_op_i,          // BYW_OP_*
  input  wire [LINE_W-1:0]       req_line_i,
  input  wire [BEAT_PW-1:0]      req_beat_i,        // used only with BEAT_BYTES, as is req_more_i
  input  wire                    req_more_i,        // continues the access of the previous request
  input  wire [PORT_BYTES-1:0]   req_bytes_i,
  input  wire [PORT_BYTES*8-1:0] req_data_i,
  input  wire [PC_W-1:0]         req_pc_i,
  input  wire [ID_W-1:0]         req_id_i,
  input  wire [WARP_W-1:0]       req_warp_i,        // used if TRIAL 1
  input  wire [2:0]              req_hint_i,        // BYW_HINT_*; BYW_FENCE_* for a fence
  input  wire [FUNC_PW-1:0]      req_func_i,        // passed through to memory

  // rsp: responses to the requester
  output wire                    rsp_valid_o,
  input  wire                    rsp_ready_i,
  output wire [PORT_BYTES*8-1:0] rsp_data_o,
  output wire [ID_W-1:0]         rsp_id_o,
  output wire [2:0]              rsp_served_o,      // BYW_SERVED_*
  output wire                    rsp_error_o,

  // mem_req: requests to the crossbar
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire [1:0]              mem_req_kind_o,    // BYW_MEM_*
  output wire                    mem_req_write_o,
  output wire                    mem_req_bypass_o,
  output wire                    mem_req_atomic_o,
  output wire [LINE_W-1:0]       mem_req_line_o,
  output wire [BEAT_PW-1:0]      mem_req_beat_o,
  output wire                    mem_req_more_o,
  output wire [PORT_BYTES-1:0]   mem_req_bytes_o,
  output wire [PORT_BYTES*8-1:0] mem_req_data_o,
  output wire [PC_W-1:0]         mem_req_pc_o,
  output wire [ID_W-1:0]         mem_req_id_o,
  output wire                    mem_req_predicted_o,
  output wire [FUNC_PW-1:0]      mem_req_func_o,

  // mem_rsp: responses from the crossbar
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [1:0]              mem_rsp_kind_i,    // BYW_MEM_*
  input  wire [PORT_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [ID_W-1:0]         mem_rsp_id_i,
  input  wire                    mem_rsp_error_i,
  input  wire                    mem_rsp_mispredict_i,

  output wire                    idle_o,            // nothing in flight
  output wire [`BYW_EV_W-1:0]    events_o,          // bit BYW_EV_*
  output wire [`BYW_PEV_W-1:0]   policy_events_o,   // bit BYW_PEV_*
  output wire [7:0]              pc_counter_o,      // with BYW_PEV_PC_ASK
  output wire [2:0]              two_level_o,       // bit BYW_TL_*: state in this cycle
  output wire [4:0]              trial_events_o,    // bit BYW_TRIAL_EV_*

  // read of one counter
  input  wire                    count_req_i,
  input  wire [7:0]              count_sel_i,
  output wire                    count_valid_o,
  output wire [63:0]             count_data_o
);
  `include "byw_defs.vh"

  generate
    if ((STATS != 0) && (STATS != 1)) begin : gen_check_stats
      byw_sm_l1_STATS_must_be_0_or_1 u_error ();
    end
  endgenerate

  // ---- trials: their outputs to the cache, and the requests offered to it
  wire        bypass, protect, protected_load;
  wire [31:0] cfg;
  wire        l1d_valid, l1d_ready, l1d_idle;
  wire [2:0]            l1d_op, l1d_hint;
  wire [LINE_W-1:0]     l1d_line;
  wire [PORT_BYTES-1:0] l1d_bytes;
  wire [PC_W-1:0]       l1d_pc;
  wire [ID_W-1:0]       l1d_id;
  wire [FUNC_PW-1:0]    l1d_func;

  generate
    if (TRIAL == 0) begin : gen_no_trial
      assign cfg         = cfg_i;
      assign protect     = 1'b0;
      assign l1d_valid   = req_valid_i;
      assign req_ready_o = l1d_ready;
      assign {l1d_op, l1d_hint, l1d_line, l1d_bytes, l1d_pc, l1d_id, l1d_func} =
        {req_op_i, req_hint_i, req_line_i, req_bytes_i, req_pc_i, req_id_i, req_func_i};
      assign idle_o         = l1d_idle;
      assign trial_events_o = 5'd0;
      wire unused_trial = &{1'b0, req_warp_i, protected_load};
    end else begin : gen_trial
      byw_sm_trial #(
        .WINDOW(TRIAL_WINDOW), .REUSE_PCT(TRIAL_REUSE_PCT),
        .CONFIRM(TRIAL_CONFIRM), .WINDOWS(TRIAL_WINDOWS), .MARGIN_PCT(TRIAL_MARGIN_PCT),
        .OVERTIME_PCT(TRIAL_OVERTIME_PCT), .REST(TRIAL_REST), .DOUBLINGS(TRIAL_DOUBLINGS),
        .LINE_WINDOW(TRIAL_LINE_WINDOW), .LINE_REUSE_PCT(TRIAL_LINE_REUSE_PCT),
        .RUN_PCT(TRIAL_RUN_PCT), .QUEUES(TRIAL_QUEUES), .DEPTH(TRIAL_DEPTH), .WARP_W(WARP_W),
        .REST_W(3 + LINE_W + PORT_BYTES + PC_W + ID_W + FUNC_PW), .ALLOC(ALLOC),
        .UNCACHED(UNCACHED)
      ) u_trial (
        .clk_i(clk_i),
        .rst_i(rst_i),

        // control of the L1D, and its pulses
        .cfg_i(cfg_i),
        .cfg_o(cfg),
        .protect_o(protect),
        .events_i(events_o),
        .protected_i(protected_load),

        // req: requests from the coalescer
        .req_valid_i(req_valid_i),
        .req_ready_o(req_ready_o),
        .req_op_i(req_op_i),
        .req_warp_i(req_warp_i),
        .req_rest_i({req_hint_i, req_line_i, req_bytes_i, req_pc_i, req_id_i, req_func_i}),

        // requests to the L1D
        .l1d_valid_o(l1d_valid),
        .l1d_ready_i(l1d_ready),
        .l1d_op_o(l1d_op),
        .l1d_rest_o({l1d_hint, l1d_line, l1d_bytes, l1d_pc, l1d_id, l1d_func}),
        .l1d_idle_i(l1d_idle),
        .idle_o(idle_o),

        .events_o(trial_events_o)
      );
    end
  endgenerate

  wire [`BYW_PEV_W-1:0] l1d_events, tl_events;
  wire [1:0]            parity;

  assign policy_events_o = l1d_events | tl_events;

  byw_two_level u_two_level (
    .clk_i(clk_i),
    .rst_i(rst_i || restart_i),

    // registers of the same names (rtl/doc/csr.md)
    .two_level_i(tl_cfg_i),
    .window_i(tl_window_i),
    .period_i(tl_period_i),
    .bound_i(tl_bound_i),

    // inputs of this cycle
    .kernel_start_i(kernel_start_i),
    .kernel_pc_i(kernel_pc_i),
    .cta_placed_i(cta_placed_i),
    .active_warps_i(active_warps_i),
    .events_i(events_o),

    .bypass_o(bypass),
    .events_o(tl_events),
    .state_o(two_level_o)
  );

  byw_l1d #(
    .ALLOC(ALLOC), .SECTORS(SECTORS), .SETS(SETS), .DATA_WAYS(DATA_WAYS),
    .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(INDEX), .REPL(REPL),
    .LOOK(LOOK), .RC_W(RC_W), .MSHRS(MSHRS), .MERGES(MERGES), .MISS_DEPTH(MISS_DEPTH),
    .BYPASS_DEPTH(BYPASS_DEPTH), .TRACKERS(TRACKERS), .ID_W(ID_W),
    .PC_W(PC_W), .PC_PRED(PC_PRED), .PC_ENTRIES(PC_ENTRIES), .PC_BITS(PC_BITS),
    .PC_SHIFT(PC_SHIFT), .ORDER(ORDER), .IN_FLIGHT(IN_FLIGHT), .STORE_IDS(STORE_IDS),
    .FENCE(FENCE), .UNCACHED(UNCACHED), .FUNC_W(FUNC_W), .BEAT_BYTES(BEAT_BYTES),
    .PARITY(PARITY), .TRIAL(TRIAL), .TRIAL_STEPS(TRIAL_DISTANCE / TRIAL_STEP),
    .TRIAL_STEP(TRIAL_STEP)
  ) u_l1d (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // ctrl: quasi-static policy register; the filter and kernel start take effect in the same cycle
    .cfg_i(cfg),
    .filter_on_i(filter_on_i),
    .kernel_start_i(kernel_start_i || restart_i),
    .bypass_i(bypass),
    .protect_i(protect),
    .protected_o(protected_load),
    .pc_cfg_i(pc_cfg_i),

    // req: requests from the coalescer
    .req_valid_i(l1d_valid),
    .req_ready_o(l1d_ready),
    .req_op_i(l1d_op),
    .req_line_i(l1d_line),
    .req_beat_i(req_beat_i),
    .req_more_i(req_more_i),
    .req_bytes_i(l1d_bytes),
    .req_data_i(req_data_i),
    .req_pc_i(l1d_pc),
    .req_id_i(l1d_id),
    .req_hint_i(l1d_hint),
    .req_func_i(l1d_func),

    // rsp: responses to the requester
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_data_o(rsp_data_o),
    .rsp_id_o(rsp_id_o),
    .rsp_served_o(rsp_served_o),
    .rsp_error_o(rsp_error_o),

    // mem_req: requests to the crossbar
    .mem_req_valid_o(mem_req_valid_o),
    .mem_req_ready_i(mem_req_ready_i),
    .mem_req_kind_o(mem_req_kind_o),
    .mem_req_write_o(mem_req_write_o),
    .mem_req_bypass_o(mem_req_bypass_o),
    .mem_req_atomic_o(mem_req_atomic_o),
    .mem_req_line_o(mem_req_line_o),
    .mem_req_beat_o(mem_req_beat_o),
    .mem_req_more_o(mem_req_more_o),
    .mem_req_bytes_o(mem_req_bytes_o),
    .mem_req_data_o(mem_req_data_o),
    .mem_req_pc_o(mem_req_pc_o),
    .mem_req_id_o(mem_req_id_o),
    .mem_req_predicted_o(mem_req_predicted_o),
    .mem_req_func_o(mem_req_func_o),

    // mem_rsp: responses from the crossbar
    .mem_rsp_valid_i(mem_rsp_valid_i),
    .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_kind_i(mem_rsp_kind_i),
    .mem_rsp_data_i(mem_rsp_data_i),
    .mem_rsp_id_i(mem_rsp_id_i),
    .mem_rsp_error_i(mem_rsp_error_i),
    .mem_rsp_mispredict_i(mem_rsp_mispredict_i),

    .idle_o(l1d_idle),
    .events_o(events_o),
    .policy_events_o(l1d_events),
    .pc_counter_o(pc_counter_o),
    .parity_o(parity)
  );

  generate
    if (STATS != 0) begin : gen_stats
      wire [63:0] counter;

      byw_stats u_stats (
        .clk_i(clk_i),
        .rst_i(rst_i),

        .events_i(events_o),
        .policy_events_i(policy_events_o),
        .pc_counter_i(pc_counter_o),
        .filter_on_i(filter_on_i),
        .two_level_i(two_level_o),
        .active_warps_i(active_warps_i),

        // read one counter
        .rd_req_i(count_req_i),
        .rd_sel_i(count_sel_i),
        .rd_valid_o(count_valid_o),
        .rd_data_o(counter)
      );

      if (PARITY == 0) begin : gen_no_parity
        assign count_data_o = counter;
        wire unused_parity = &{1'b0, parity};
      end else begin : gen_parity
        // The number after those of byw_stats. As there, a read returns the sum of all pulses up to
        // the cycle after the first one of the read.
        localparam integer NUMBER = BYW_EV_COUNT + 2 + BYW_PEV_COUNT + BYW_TL_STATES + 1 +
                                    BYW_PC_VALUES;
        reg  [31:0] errors_q, sample_q;
        reg         reading_q;                     // a read is in its second cycle or later
        reg  [1:0]  after_q;                       // the first and the second cycle after it
        wire        begins = count_req_i && !reading_q;
        wire [31:0] more   = {31'd0, parity[0]} + {31'd0, parity[1]};
        wire        room   = errors_q <= 32'hffffffff - 32'd2;

        always @(posedge clk_i) begin : p_parity
          if (rst_i)     errors_q <= 32'd0;
          else if (room) errors_q <= errors_q + more;
          reading_q <= !rst_i && (begins || (reading_q && !count_valid_o));
          after_q   <= {after_q[0], begins};
          if (after_q[1]) sample_q <= errors_q;
        end
        assign count_data_o = (count_sel_i == NUMBER[7:0]) ? {32'd0, sample_q} : counter;
      end
    end else begin : gen_no_stats
      wire unused_sel = &{1'b0, count_sel_i, parity};
      assign count_valid_o = count_req_i;
      assign count_data_o  = 64'd0;
    end
  endgenerate

  `BYW_CHECKS
  `BYW_ASSERT(idle_owes_nothing, idle_o, !rsp_valid_o && !mem_req_valid_o)
  `BYW_ASSERT(counter_answers_a_read, count_valid_o, count_req_i)
endmodule

`default_nettype wire
