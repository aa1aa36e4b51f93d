// SPDX-License-Identifier: Apache-2.0
//
// byw_vortex_l1d - the L1 of one SM between two memory buses of Vortex.
//
// Behaviour   core_*: words of WORD_BYTES from the coalescer of the client.  Loads are answered
//             with their tag, stores never.  A load with flag FLUSH is a fence: it is answered when
//             everything before it is complete, and drops all lines.  IO bypasses the cache.  LOCAL
//             is ignored.  mem_*: lines.  A tag is {bypass, MSHR or tracker}.  Stores have no
//             responses, so memory must perform the requests of a line in the order in which it
//             accepts them.  One cycle is added, at mem_rsp.
// Paper       none; fpga/adapters/README.md.
// Reset       rst_i, one cycle: empty cache, nothing in flight.
//
// Parameter      Default  Range          Meaning
// WORD_BYTES     16       2^n, 4..LINE   size of a client word
// LINE_BYTES     64       32, 64, 128    line size
// ADDR_W         32                      width of a byte address
// TAG_W          8        1..60          width of the client's tag
// MEM_TAG_W      12                      width of the memory tag {bypass, MSHR or tracker}
// SLOTS          32       1..256         requests in flight
// SIDEBAND_PC, SIDEBAND_WARPS, POLICY, PC_PRED_CFG, TWO_LEVEL*: as in byw_ventus_l1d
// SETS, DATA_WAYS, TAG_WAYS, MSHRS, MERGES, TRACKERS, PC_PRED: as in byw_l1d
//
`default_nettype none

module byw_vortex_l1d #(
  parameter integer WORD_BYTES     = 16,
  parameter integer LINE_BYTES     = 64,
  parameter integer ADDR_W         = 32,
  parameter integer TAG_W          = 8,
  parameter integer MEM_TAG_W      = 12,
  parameter integer SLOTS          = 32,
  parameter integer SIDEBAND_PC    = 0,
  parameter integer SIDEBAND_WARPS = 0,
  parameter [31:0]  POLICY           = 32'h0002_2710,   // write-update, base
  parameter [31:0]  PC_PRED_CFG      = 32'h0200_0082,
  parameter [31:0]  TWO_LEVEL        = 32'h0E60_8004,
  parameter [31:0]  TWO_LEVEL_WINDOW = 32'h0040_1388,
  parameter [29:0]  TWO_LEVEL_PERIOD = 30'h0003_0D40,
  parameter [30:0]  TWO_LEVEL_BOUND  = 31'h0249_F000,
  parameter integer SETS           = 64,
  parameter integer DATA_WAYS      = 4,
  parameter integer TAG_WAYS       = 8,
  parameter integer MSHRS          = 64,
  parameter integer MERGES         = 8,
  parameter integer TRACKERS       = 64,
  parameter integer PC_PRED        = 0,
  parameter integer WORD_AW        = ADDR_W - $clog2(WORD_BYTES),
  parameter integer LINE_W         = ADDR_W - $clog2(LINE_BYTES)
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // core: the bus of the LSU's coalescer
  input  wire                    core_req_valid_i,
  output wire                    core_req_ready_o,
  input  wire                    core_req_rw_i,
  input  wire [WORD_BYTES-1:0]   core_req_byteen_i,
  input  wire [WORD_AW-1:0]      core_req_addr_i,     // word address
  input  wire [2:0]              core_req_flags_i,    // {LOCAL, IO, FLUSH}
  input  wire [WORD_BYTES*8-1:0] core_req_data_i,
  input  wire [TAG_W-1:0]        core_req_tag_i,
  output wire                    core_rsp_valid_o,
  input  wire                    core_rsp_ready_i,
  output wire [WORD_BYTES*8-1:0] core_rsp_data_o,
  output wire [TAG_W-1:0]        core_rsp_tag_o,

  // side: for the request at core_req, and for the SM
  input  wire [31:0]             side_pc_i,
  input  wire [2:0]              side_hint_i,         // BYW_HINT_*
  input  wire [6:0]              side_warps_i,        // active warps
  input  wire                    side_kernel_start_i,
  input  wire [31:0]             side_kernel_pc_i,
  input  wire                    side_cta_placed_i,

  // mem: the bus to the next level
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire                    mem_req_rw_o,
  output wire [LINE_BYTES-1:0]   mem_req_byteen_o,
  output wire [LINE_W-1:0]       mem_req_addr_o,      // line address
  output wire [LINE_BYTES*8-1:0] mem_req_data_o,
  output wire [MEM_TAG_W-1:0]    mem_req_tag_o,
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [LINE_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [MEM_TAG_W-1:0]    mem_rsp_tag_i,

  output wire                    idle_o
);
  `include "byw_defs.vh"
  `include "byw_widths.vh"

  localparam integer LANES   = WORD_BYTES / 4;
  localparam integer WORDS   = LINE_BYTES / 4;
  localparam integer WORD_IW = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam integer PLACE_W = $clog2(LINE_BYTES) - $clog2(WORD_BYTES);
  localparam integer LANE_IW = $clog2(LANES);
  localparam integer SLOT_IW = (SLOTS > 1) ? $clog2(SLOTS) : 1;
  localparam integer MSHR_IW = (MSHRS > 1) ? $clog2(MSHRS) : 1;
  localparam integer TRACKER_IW = (TRACKERS > 1) ? $clog2(TRACKERS) : 1;
  localparam integer NUMBER_W = (MSHR_IW > TRACKER_IW) ? MSHR_IW : TRACKER_IW;
  localparam integer ID_W    = ((SLOT_IW > NUMBER_W) ? SLOT_IW : NUMBER_W) + 1;

  generate
    if ((SIDEBAND_PC == 0) && PC_PRED_CFG[0]) begin : gen_check_pc
      byw_vortex_l1d_PC_predictor_needs_SIDEBAND_PC u_error ();
    end
    if ((SIDEBAND_WARPS == 0) && TWO_LEVEL[0]) begin : gen_check_warps
      byw_vortex_l1d_two_level_needs_SIDEBAND_WARPS u_error ();
    end
    if ((WORD_BYTES < 4) || (WORD_BYTES > LINE_BYTES)) begin : gen_check_word
      byw_vortex_l1d_WORD_BYTES_must_be_4_to_a_line u_error ();
    end
    if (MEM_TAG_W <= NUMBER_W) begin : gen_check_tag
      byw_vortex_l1d_MEM_TAG_W_is_too_small_for_MSHRS_or_TRACKERS u_error ();
    end
  endgenerate

  // ---- the words of the client line are treated as lanes
  wire [LANES*WORD_IW-1:0] words;
  wire                     line_valid, req_ready, rsp_valid, rsp_ready, lanes_valid, lanes_idle;
  wire                     rsp_write, l1_idle, answer_idle;
  wire [LINE_BYTES-1:0]    line_bytes;
  wire [LINE_BYTES*8-1:0]  line_data, rsp_data;
  wire [SLOT_IW-1:0]       line_id;
  wire [ID_W-1:0]          rsp_id;
  wire [LANES-1:0]         unused_lanes;
  wire                     fence = core_req_flags_i[0] && !core_req_rw_i;
  wire                     io    = core_req_flags_i[1];
  genvar                   g;

  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_word
      if (LANES == WORDS) begin : gen_line
        assign words[g*WORD_IW +: WORD_IW] = g[WORD_IW-1:0];
      end else if (LANES == 1) begin : gen_one
        assign words[g*WORD_IW +: WORD_IW] = core_req_addr_i[PLACE_W-1:0];
      end else begin : gen_some
        assign words[g*WORD_IW +: WORD_IW] = {core_req_addr_i[PLACE_W-1:0], g[LANE_IW-1:0]};
      end
    end
  endgenerate

  byw_lanes #(
    .LANES(LANES), .LINE_BYTES(LINE_BYTES), .SLOTS(SLOTS), .TAG_W(1+TAG_W), .RIGHT(0)
  ) u_lanes (
    .clk_i(clk_i), .rst_i(rst_i),
    .req_valid_i(core_req_valid_i), .req_ready_o(core_req_ready_o), .req_lanes_i({LANES{1'b1}}),
    .req_words_i(words), .req_bytes_i(core_req_byteen_i), .req_data_i(core_req_data_i),
    .req_tag_i({core_req_rw_i, core_req_tag_i}),
    .line_req_valid_o(line_valid), .line_req_ready_i(req_ready), .line_req_bytes_o(line_bytes),
    .line_req_data_o(line_data), .line_req_id_o(line_id),
    .line_rsp_valid_i(rsp_valid), .line_rsp_ready_o(rsp_ready), .line_rsp_data_i(rsp_data),
    .line_rsp_id_i(rsp_id[SLOT_IW-1:0]),
    .rsp_valid_o(lanes_valid), .rsp_ready_i(rsp_write || core_rsp_ready_i),
    .rsp_tag_o({rsp_write, core_rsp_tag_o}), .rsp_lanes_o(unused_lanes),
    .rsp_data_o(core_rsp_data_o), .idle_o(lanes_idle)
  );

  assign core_rsp_valid_o = lanes_valid && !rsp_write;
  assign idle_o           = l1_idle && lanes_idle && answer_idle;

  // ---- the cache
  wire                  out_valid, out_ready, in_valid, in_ready, in_error;
  wire [1:0]            out_kind, in_kind;
  wire [ID_W-1:0]       out_id, in_id;
  wire [LINE_BYTES*8-1:0] in_data;
  wire [2:0]            unused_served, unused_two_level;
  wire                  unused_error, unused_bypass, unused_atomic, unused_predicted;
  wire                  unused_func, unused_count_valid, unused_beat, unused_more;
  wire [31:0]           unused_pc;
  wire [`BYW_EV_W-1:0]  unused_events;
  wire [`BYW_PEV_W-1:0] unused_policy_events;
  wire [7:0]            unused_counter;
  wire [4:0]            unused_trial;
  wire [63:0]           unused_count;

  byw_sm_l1 #(
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES),
    .LINE_W(LINE_W), .INDEX(0), .MSHRS(MSHRS), .MERGES(MERGES), .TRACKERS(TRACKERS), .ID_W(ID_W),
    .PC_PRED(PC_PRED), .STATS(0), .FENCE(1), .UNCACHED(1)
  ) u_l1 (
    .clk_i(clk_i), .rst_i(rst_i),
    .cfg_i(POLICY), .pc_cfg_i(PC_PRED_CFG), .tl_cfg_i(TWO_LEVEL), .tl_window_i(TWO_LEVEL_WINDOW),
    .tl_period_i(TWO_LEVEL_PERIOD), .tl_bound_i(TWO_LEVEL_BOUND), .restart_i(1'b0),
    .filter_on_i(1'b1),
    .kernel_start_i((SIDEBAND_WARPS != 0) && side_kernel_start_i), .kernel_pc_i(side_kernel_pc_i),
    .cta_placed_i((SIDEBAND_WARPS != 0) && side_cta_placed_i),
    .active_warps_i((SIDEBAND_WARPS != 0) ? side_warps_i : 7'd0),
    .req_valid_i(line_valid), .req_ready_o(req_ready),
    .req_op_i(fence ? BYW_OP_FENCE : core_req_rw_i ? BYW_OP_STORE : BYW_OP_LOAD),
    .req_line_i(core_req_addr_i[WORD_AW-1 -: LINE_W]), .req_beat_i(1'b0), .req_more_i(1'b0),
    .req_bytes_i(line_bytes), .req_data_i(line_data),
    .req_pc_i((SIDEBAND_PC != 0) ? side_pc_i : 32'd0), .req_id_i({{(ID_W-SLOT_IW){1'b0}}, line_id}),
    .req_warp_i(6'd0), .req_hint_i(fence ? BYW_FENCE_INVALIDATE : io ? BYW_HINT_UNCACHED :
                (SIDEBAND_PC != 0) ? side_hint_i : BYW_HINT_NONE),
    .req_func_i(1'b0),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_data_o(rsp_data), .rsp_id_o(rsp_id),
    .rsp_served_o(unused_served), .rsp_error_o(unused_error),
    .mem_req_valid_o(out_valid), .mem_req_ready_i(out_ready), .mem_req_kind_o(out_kind),
    .mem_req_write_o(mem_req_rw_o), .mem_req_bypass_o(unused_bypass),
    .mem_req_atomic_o(unused_atomic), .mem_req_line_o(mem_req_addr_o), .mem_req_beat_o(unused_beat),
    .mem_req_more_o(unused_more), .mem_req_bytes_o(mem_req_byteen_o),
    .mem_req_data_o(mem_req_data_o), .mem_req_pc_o(unused_pc),
    .mem_req_id_o(out_id), .mem_req_predicted_o(unused_predicted), .mem_req_func_o(unused_func),
    .mem_rsp_valid_i(in_valid), .mem_rsp_ready_o(in_ready), .mem_rsp_kind_i(in_kind),
    .mem_rsp_data_i(in_data), .mem_rsp_id_i(in_id), .mem_rsp_error_i(in_error),
    .mem_rsp_mispredict_i(1'b0),
    .idle_o(l1_idle), .events_o(unused_events), .policy_events_o(unused_policy_events),
    .pc_counter_o(unused_counter), .two_level_o(unused_two_level), .trial_events_o(unused_trial),
    .count_req_i(1'b0), .count_sel_i(8'd0), .count_valid_o(unused_count_valid),
    .count_data_o(unused_count)
  );

  // ---- memory: a store is acknowledged here as it leaves
  wire done_ready;
  wire bypass = (out_kind == BYW_MEM_BYPASS);
  wire [ID_W-1:0] back = {{(ID_W-NUMBER_W){1'b0}}, mem_rsp_tag_i[NUMBER_W-1:0]};

  assign mem_req_valid_o = out_valid && (!mem_req_rw_o || done_ready);
  assign out_ready       = mem_req_ready_i && (!mem_req_rw_o || done_ready);

  generate
    if (MEM_TAG_W > NUMBER_W + 1) begin : gen_wide_tag
      wire unused_tag_ok = &{1'b0, mem_rsp_tag_i[MEM_TAG_W-1:NUMBER_W+1]};
      assign mem_req_tag_o = {{(MEM_TAG_W-NUMBER_W-1){1'b0}}, bypass, out_id[NUMBER_W-1:0]};
    end else begin : gen_tag
      assign mem_req_tag_o = {bypass, out_id[NUMBER_W-1:0]};
    end
  endgenerate

  byw_mem_answer #(
    .LINE_BYTES(LINE_BYTES), .DATA_W(LINE_BYTES*8), .SLOTS(1), .ENTRY_W(2+ID_W)
  ) u_answer (
    .clk_i(clk_i), .rst_i(rst_i),
    .beat_valid_i(mem_rsp_valid_i), .beat_ready_o(mem_rsp_ready_o), .beat_slot_i(1'b0),
    .beat_at_i(1'b0), .beat_last_i(1'b1), .beat_data_i(mem_rsp_data_i),
    .beat_entry_i({mem_rsp_tag_i[NUMBER_W] ? BYW_MEM_BYPASS : BYW_MEM_FILL, back}),
    .beat_error_i(1'b0),
    .done_valid_i(out_valid && mem_req_rw_o && mem_req_ready_i), .done_ready_o(done_ready),
    .done_entry_i({out_kind, out_id}), .done_error_i(1'b0),
    .mem_rsp_valid_o(in_valid), .mem_rsp_ready_i(in_ready), .mem_rsp_entry_o({in_kind, in_id}),
    .mem_rsp_data_o(in_data), .mem_rsp_error_o(in_error), .idle_o(answer_idle)
  );

  wire unused_ok = &{1'b0, core_req_flags_i[2], unused_lanes, rsp_id, unused_served, unused_error,
                     unused_bypass, unused_atomic, unused_predicted, unused_func, unused_beat,
                     unused_more, unused_pc, unused_events, unused_policy_events, unused_counter,
                     unused_two_level, unused_count_valid, unused_count, core_req_addr_i};
endmodule

`default_nettype wire
