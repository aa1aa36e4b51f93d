// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d - the L1 data cache of one SM: allocate on miss, decided by byw_policy, or allocate on
//           fill with sectored lines, decided by byw_sectored.
//
// Behaviour   s0 accepts a request, s1 matches tags, s2 decides on the state at the start of its
//             cycle, s3 answers hits.  A hit takes 3 cycles from req to rsp, 4 with the look stage;
//             one hit per cycle.  The mode in cfg_i, bypass mode (bypass_i), the PC predictor,
//             stall bypass and hints determine the decision.  Orders and ties:
//             rtl/doc/l1d_pipeline.md; ports and combinational paths: rtl/doc/handshake.md.
// Paper       000, 001; mechanisms/cache.md 0.1 to 0.4, locality.md 1.3; rtl/doc/l1d.md.
// C twin      cmodel/model/l1d/byw_l1d.c; checked by verif/l1d/lockstep_l1d.c.
// Reset       rst_i, one cycle: empty cache, filter off, initial predictor.  RAMs are not reset.
//
// Parameter   Default  Range            Meaning
// ALLOC, SECTORS, SETS, DATA_WAYS, TAG_WAYS, LINE_BYTES, LINE_W, INDEX, REPL, LOOK, RC_W, MSHRS,
// MERGES, MISS_DEPTH, BYPASS_DEPTH, TRACKERS, ID_W, PC_W, PC_PRED, PC_ENTRIES, PC_BITS, PC_SHIFT,
// TRIAL, TRIAL_STEPS, TRIAL_STEP; optional: ORDER, IN_FLIGHT, STORE_IDS, FENCE, UNCACHED, FUNC_W,
// BEAT_BYTES, PARITY: rtl/doc/l1d.md
//
`default_nettype none
`include "byw_widths.vh"

module byw_l1d #(
  parameter integer ALLOC        = 0, SECTORS = 1,
  parameter integer SETS         = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS    = `BYW_DEFAULT_DATA_WAYS, TAG_WAYS = `BYW_DEFAULT_TAG_WAYS,
  parameter integer LINE_BYTES   = `BYW_DEFAULT_LINE_BYTES,
  parameter integer LINE_W       = 33, INDEX = 1,
  parameter integer REPL         = 0, LOOK = 0,
  parameter integer RC_W         = `BYW_DEFAULT_RC_W, TRACKERS = `BYW_DEFAULT_TRACKERS,
  parameter integer MSHRS        = `BYW_DEFAULT_MSHRS, MERGES = `BYW_DEFAULT_MERGES,
  parameter integer MISS_DEPTH   = `BYW_DEFAULT_MISS_DEPTH,
  parameter integer BYPASS_DEPTH = `BYW_DEFAULT_BYPASS_DEPTH,
  parameter integer ID_W         = 16, PC_W = 32, PC_PRED = 1,
  parameter integer PC_ENTRIES   = `BYW_DEFAULT_PC_ENTRIES,
  parameter integer PC_BITS      = `BYW_DEFAULT_PC_BITS, PC_SHIFT = `BYW_DEFAULT_PC_SHIFT,
  parameter integer ORDER        = `BYW_DEFAULT_ORDER, IN_FLIGHT = `BYW_DEFAULT_IN_FLIGHT,
  parameter integer STORE_IDS    = `BYW_DEFAULT_STORE_IDS, FENCE = `BYW_DEFAULT_FENCE,
  parameter integer UNCACHED     = `BYW_DEFAULT_UNCACHED, FUNC_W = `BYW_DEFAULT_FUNC_W,
  parameter integer BEAT_BYTES   = `BYW_DEFAULT_BEAT_BYTES, PARITY = `BYW_DEFAULT_PARITY,
  parameter integer TRIAL        = 0, TRIAL_STEPS = 3, TRIAL_STEP = `BYW_DEFAULT_TRIAL_STEP,
  // derived, must not be set; so are the next two
  parameter integer FUNC_PW      = (FUNC_W > 0) ? FUNC_W : 1,
  parameter integer PORT_BYTES   = (BEAT_BYTES > 0) ? BEAT_BYTES : LINE_BYTES,
  parameter integer BEAT_PW      = (PORT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/PORT_BYTES) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // ctrl: quasi-static policy register; the filter and kernel start take effect in the same cycle
  input  wire [31:0]             cfg_i,
  input  wire                    filter_on_i,
  input  wire                    kernel_start_i,
  input  wire                    bypass_i,             // two-level: loads accepted now bypass
  input  wire                    protect_i,            // TRIAL 1: lines are protected in this cycle
  output wire                    protected_o,          // pulse: a load bypasses because of that
  input  wire [31:0]             pc_cfg_i,             // quasi-static register of the PC predictor

  // req: requests from the coalescer
  input  wire                    req_valid_i,
  output wire                    req_ready_o,
  input  wire [2:0]              req_op_i,             // BYW_OP_*
  input  wire [LINE_W-1:0]       req_line_i,
  input  wire [BEAT_PW-1:0]      req_beat_i, // used only with BEAT_BYTES, as is req_more_i
  input  wire                    req_more_i, // continues the access of the previous request
  input  wire [PORT_BYTES-1:0]   req_bytes_i,
  input  wire [PORT_BYTES*8-1:0] req_data_i,
  input  wire [PC_W-1:0]         req_pc_i,
  input  wire [ID_W-1:0]         req_id_i,
  input  wire [2:0]              req_hint_i,           // BYW_HINT_*; BYW_FENCE_* for a fence
  input  wire [FUNC_PW-1:0]      req_func_i,           // passed through to memory

  // rsp: responses to the requester
  output wire                    rsp_valid_o,
  input  wire                    rsp_ready_i,
  output wire [PORT_BYTES*8-1:0] rsp_data_o,
  output wire [ID_W-1:0]         rsp_id_o,
  output wire [2:0]              rsp_served_o,         // BYW_SERVED_*
  output wire                    rsp_error_o,

  // mem_req: requests to the crossbar
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire [1:0]              mem_req_kind_o,       // BYW_MEM_*
  output wire                    mem_req_write_o,
  output wire                    mem_req_bypass_o,
  output wire                    mem_req_atomic_o,
  output wire [LINE_W-1:0]       mem_req_line_o,
  output wire [BEAT_PW-1:0]      mem_req_beat_o,
  output wire                    mem_req_more_o,       // req_more_i of the request
  output wire [PORT_BYTES-1:0]   mem_req_bytes_o,
  output wire [PORT_BYTES*8-1:0] mem_req_data_o,
  output wire [PC_W-1:0]         mem_req_pc_o,
  output wire [ID_W-1:0]         mem_req_id_o,
  output wire                    mem_req_predicted_o,  // bypassed by the PC predictor
  output wire [FUNC_PW-1:0]      mem_req_func_o,       // req_func_i of the request

  // mem_rsp: responses from the crossbar
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [1:0]              mem_rsp_kind_i,       // BYW_MEM_*
  input  wire [PORT_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [ID_W-1:0]         mem_rsp_id_i,
  input  wire                    mem_rsp_error_i,
  input  wire                    mem_rsp_mispredict_i, // the L2 saw the bypassed line reused

  output wire                    idle_o,               // nothing in flight
  output wire [`BYW_EV_W-1:0]    events_o,             // bit BYW_EV_*
  output wire [`BYW_PEV_W-1:0]   policy_events_o,      // bit BYW_PEV_*; two-level bits are 0
  output wire [7:0]              pc_counter_o,         // with BYW_PEV_PC_ASK: the counter's value
  // pulses: s3 fails; a write-back is wrong or, with ALLOC 1, a fill is not installed
  output wire [1:0]              parity_o
);
  `include "byw_defs.vh"

  localparam integer SET_IW     = (SETS > 1) ? $clog2(SETS) : 1;
  localparam integer WAY_IW     = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1;
  localparam integer MSHR_IW    = (MSHRS > 1) ? $clog2(MSHRS) : 1;
  localparam integer LIST_IW    = (MERGES > 1) ? $clog2(MERGES) : 1;
  localparam integer TRACKER_IW = (TRACKERS > 1) ? $clog2(TRACKERS) : 1;
  localparam integer DATA_W     = PORT_BYTES * 8;
  localparam integer BEAT_W     = (PORT_BYTES < LINE_BYTES) ? BEAT_PW : 0;
  localparam integer BLOCK_W    = LINE_W + $clog2(SECTORS);   // address of an MSHR: line or sector
  localparam integer PLACE_W    = (ALLOC != 0) ? 1 : WAY_IW;  // place stored in an MSHR

  generate
    if ((BEAT_W != 0) && ((ALLOC != 0) || (TRIAL != 0))) begin : gen_check_beats
      byw_l1d_BEAT_BYTES_below_LINE_BYTES_needs_ALLOC_0_and_TRIAL_0 u_error ();
    end
    if ((ALLOC == 0) && (SECTORS != 1)) begin : gen_check_sectors
      byw_l1d_SECTORS_above_1_need_ALLOC_1 u_error ();
    end
  endgenerate

  // ---- control
  wire beat_taken, fill_taken, fill_fails, fill_wr_if_owned, fill_wr, direct_taken, tracker_free,
       store_ack, wb_ack, lines_clear, clear_if_done, line_must_clean, clean_last,
       clean_other_line, s2_accept, s2_done, walk_restart, walk_step, wb_load, s3_load, line_rd,
       line_wr, line_wr_early, mshr_alloc, mshr_merge, bypass_send, store_send, miss_queue_push,
       s2_leaves, s1_blocked, s0_blocked, s1_move, s2_move, req_taken, req_blind, rec_read,
       tag_bad, tag_fail, f2_bad, s3_fail;

  // ---- requests in the pipeline
  wire                  s1_valid, look_valid, s2_valid, look_full, all_full, s2_decidable,
                        s2_needs_line, look_walks, s2_walks, same_set, look_bypass, look_blind,
                        s2_bypass, s2_blind, look_more, look_uncached, s2_uncached, s2_more,
                        s2_any_byte, s2_rec_unchanged;
  wire [2:0]            take_op, s1_op, look_op, look_hint, s2_op, s2_hint, s3_served, rsp_turn;
  wire [LINE_W-1:0]     s2_line, rd_line;
  wire [BEAT_PW-1:0]    s2_beat, rd_beat, fill_next;
  wire [PORT_BYTES-1:0] s2_bytes, s2_fetch;         // bytes of the request; of its beat or sector
  wire [FUNC_PW-1:0]    s2_func;
  wire [ID_W+BEAT_W-1:0] s2_target;                 // {beat, id}
  wire [DATA_W-1:0]     s2_data;
  wire [PC_W-1:0]       s2_pc, look_pc;
  wire [SET_IW-1:0]     s2_set, next_set;
  // ---- the decision
  wire                  s2_store_refused, s2_refused, s2_can_leave, s2_is_hit, s2_hit_answered,
                        s2_is_miss, s2_is_merge, s2_is_bypass, s2_stores_line, s2_gives_up_line,
                        line_evict, evict_reused, mshr_detach, mode_blind, s2_sector_miss;
  wire [`BYW_RSFAIL_W-1:0] s2_reason;
  wire [`BYW_ACTION_W-1:0] s2_action;
  wire [`BYW_NOTE_W-1:0] s2_note;
  wire [`BYW_CAUSE_W-1:0] s2_cause;
  wire [WAY_IW-1:0]     s2_way, fill_way;              // way of its line, or of the line freed
  wire [BLOCK_W-1:0]    s2_block;                   // line or sector of the request in s2
  wire [PLACE_W-1:0]    s2_place;

  // ---- units
  wire                  mshr_free, mshr_match, list_room, list_full, list_one_left, hit_one_left,
                        mshrs_idle, fill_attached, fill_last, fill_failed, rd_dirty;
  wire [MSHR_IW-1:0]    alloc_mshr, hit_mshr, f2_mshr;
  wire [LIST_IW:0]      hit_count, list_count;
  wire [SET_IW-1:0]     fill_set, mshr_set;
  wire [PORT_BYTES-1:0] fill_mask, rd_mask, rd_bad;
  wire [DATA_W-1:0]     fill_data, f2_data, rd_data;
  wire [PLACE_W-1:0]    fill_place, query_place;
  wire [BLOCK_W-1:0]    query_block;
  wire [ID_W-1:0]       tracker_req_id, rsp_id;
  wire [TRACKER_IW-1:0] bypass_tracker, free_tracker;
  wire                  f2_installs, f2_merged, install_evict, install_evict_reused, miss_room,
                        miss_slot, bypass_slot, wb_valid, queue_valid, trackers_idle, writes_idle,
                        any_dirty, query_dirty, walk_dirty, s3_valid, fill_ready, fill_room,
                        fill_valid, direct_valid, s2_maint_done, maint_done;
  wire [MSHR_IW-1:0]    rsp_mshr    = rsp_id[MSHR_IW-1:0];

  // ---- an uncached store updates no line and does not train the tags
  localparam [31:0] TRAINS = (32'd1 << BYW_CFG_STORE_UPDATE_LSB) | (32'd1 << BYW_CFG_STORE_RC_LSB);
  wire [31:0] s2_cfg   = cfg_i & ~(s2_uncached ? TRAINS : 32'd0);
  wire [31:0] look_cfg = cfg_i & ~(look_uncached ? TRAINS : 32'd0);

  byw_l1d_pipe #(
    .LOOK(LOOK), .BEAT_BYTES(PORT_BYTES), .BEAT_W(BEAT_W), .LINE_W(LINE_W), .ID_W(ID_W),
    .PC_W(PC_W), .FUNC_W(FUNC_W), .UNCACHED(UNCACHED)
  ) u_pipe (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // the request that enters
    .s2_leaves_i(s2_leaves),
    .s1_blocked_i(s1_blocked),
    .s0_blocked_i(s0_blocked),
    .req_valid_i(req_valid_i),
    .req_ready_i(req_ready_o),
    .req_taken_i(req_taken),
    .req_op_i(req_op_i),
    .req_hint_i(req_hint_i),
    .req_line_i(req_line_i),
    .req_beat_i(req_beat_i),
    .req_more_i(req_more_i),
    .req_bytes_i(req_bytes_i),
    .req_data_i(req_data_i),
    .req_pc_i(req_pc_i),
    .req_id_i(req_id_i),
    .req_func_i(req_func_i),
    .req_bypass_i(bypass_i),
    .req_blind_i(req_blind),
    .taken_op_o(take_op),

    // s1
    .s1_move_i(s1_move),
    .s1_valid_o(s1_valid),
    .s1_op_o(s1_op),

    // look; empty without LOOK
    .s2_move_i(s2_move),
    .look_valid_o(look_valid),
    .look_op_o(look_op),
    .look_hint_o(look_hint),
    .look_pc_o(look_pc),
    .look_bypass_o(look_bypass),
    .look_blind_o(look_blind),
    .look_walks_o(look_walks),

    // s2
    .s2_valid_o(s2_valid),
    .s2_op_o(s2_op),
    .s2_needs_line_o(s2_needs_line),
    .s2_walks_o(s2_walks),
    .maint_done_i(maint_done),
    .s2_maint_done_o(s2_maint_done),
    .s2_hint_o(s2_hint),
    .s2_line_o(s2_line),
    .s2_beat_o(s2_beat),
    .s2_more_o(s2_more),
    .s2_bytes_o(s2_bytes),
    .s2_any_byte_o(s2_any_byte),
    .s2_data_o(s2_data),
    .s2_pc_o(s2_pc),
    .s2_target_o(s2_target),
    .s2_func_o(s2_func),
    .s2_bypass_o(s2_bypass),
    .s2_blind_o(s2_blind),
    .look_more_o(look_more),
    .look_uncached_o(look_uncached),
    .s2_uncached_o(s2_uncached),

    .look_full_o(look_full),
    .all_full_o(all_full)
  );

  generate
    if (ALLOC == 0) begin : gen_on_miss
      byw_l1d_decide #(
        .SETS(SETS), .DATA_WAYS(DATA_WAYS), .TAG_WAYS(TAG_WAYS), .LINE_BYTES(LINE_BYTES),
        .LINE_W(LINE_W), .INDEX(INDEX), .REPL(REPL), .LOOK(LOOK), .RC_W(RC_W), .MSHRS(MSHRS),
        .MERGES(MERGES), .TRACKERS(TRACKERS), .PC_W(PC_W), .PC_PRED(PC_PRED),
        .PC_ENTRIES(PC_ENTRIES), .PC_BITS(PC_BITS), .PC_SHIFT(PC_SHIFT), .TRIAL(TRIAL),
        .TRIAL_STEPS(TRIAL_STEPS), .TRIAL_STEP(TRIAL_STEP), .PARITY(PARITY)
      ) u_decide (
        .clk_i(clk_i),
        .rst_i(rst_i),

        // settings
        .cfg_i(s2_cfg),
        .look_cfg_i(look_cfg),
        .pc_cfg_i(pc_cfg_i),
        .filter_on_i(filter_on_i),
        .protect_i(protect_i),
        .protected_o(protected_o),

        // pipeline
        .s0_ready_i(req_ready_o),
        .s0_read_i(rec_read),
        .s0_line_i(req_line_i),
        .s1_move_i(s1_move),
        .s2_move_i(s2_move),
        .s2_leaves_i(s2_leaves),
        .s0_unblocked_i(!s0_blocked),
        .s1_unblocked_i(!s1_blocked),
        .s2_valid_i(s2_valid),
        .s2_op_i(s2_op),
        .s2_hint_i(s2_hint),
        .s2_pc_i(s2_pc),
        .look_valid_i(look_valid),
        .look_op_i(look_op),
        .look_hint_i(look_hint),
        .look_pc_i(look_pc),
        .look_more_i(look_more),
        .look_bypass_i(look_bypass),
        .look_blind_i(look_blind),
        .s2_bypass_i(s2_bypass),
        .s2_blind_i(s2_blind),
        .s2_more_i(s2_more),
        .s2_set_o(s2_set),
        .next_set_o(next_set),
        .s2_decidable_o(s2_decidable),
        .tag_bad_o(tag_bad),
        .tag_fail_o(tag_fail),
        .same_set_o(same_set),

        // resources available in this cycle
        .miss_slot_free_i(miss_slot),
        .bypass_slot_free_i(bypass_slot),
        .mshr_free_i(mshr_free),
        .line_dirty_i(query_dirty),

        // the decision, see byw_policy
        .store_refused_o(s2_store_refused),
        .refused_o(s2_refused),
        .req_can_leave_o(s2_can_leave),
        .hit_o(s2_is_hit),
        .hit_answered_o(s2_hit_answered),
        .load_miss_o(s2_is_miss),
        .load_merge_o(s2_is_merge),
        .req_bypass_o(s2_is_bypass),
        .line_store_o(s2_stores_line),
        .line_given_up_o(s2_gives_up_line),
        .reason_o(s2_reason),
        .action_o(s2_action),
        .note_o(s2_note),
        .cause_o(s2_cause),
        .way_o(s2_way),
        .line_evict_o(line_evict),
        .evict_reused_o(evict_reused),
        .mshr_detach_o(mshr_detach),
        .blind_o(mode_blind),
        .hit_mshr_o(hit_mshr),
        .hit_count_o(hit_count),
        .hit_one_left_o(hit_one_left),
        .rec_unchanged_o(s2_rec_unchanged),

        // acceptance of the request
        .s2_accept_i(s2_accept),
        .mshr_alloc_i(mshr_alloc),
        .alloc_mshr_i(alloc_mshr),
        .mshr_merge_i(mshr_merge),
        .list_count_i(list_count),
        .list_full_i(list_full),
        .list_one_left_i(list_one_left),
        .bypass_send_i(bypass_send),
        .bypass_tracker_i(bypass_tracker),

        // an accepted response
        .fill_taken_i(fill_taken),
        .fill_mshr_i(rsp_mshr),
        .fill_attached_i(fill_attached),
        .fill_set_i(mshr_set),
        .fill_way_i(fill_place),
        .fill_error_i(fill_fails),
        .tracker_free_i(tracker_free),
        .free_tracker_i(free_tracker),
        .mispredict_i(mem_rsp_mispredict_i),

        .lines_clear_i(lines_clear),
        .kernel_start_i(kernel_start_i),
        .clear_if_done_i(clear_if_done),
        .policy_events_o(policy_events_o),
        .pc_counter_o(pc_counter_o)
      );

      assign {s2_block, s2_fetch, s2_place} = {s2_line, {PORT_BYTES{1'b1}}, s2_way};
      assign {fill_set, fill_way} = {mshr_set, fill_place};
      assign {fill_mask, fill_data} = {{PORT_BYTES{1'b1}}, mem_rsp_data_i};
      assign {s2_sector_miss, install_evict, install_evict_reused, f2_bad} = 4'd0;
      assign parity_o[1] = wb_valid && rd_dirty && |(rd_bad & rd_mask);

      wire unused_on_miss = &{1'b0, fill_wr, mshr_match, list_room, query_block, query_place,
                              f2_data, f2_mshr, f2_merged};
    end else begin : gen_on_fill
      byw_l1d_decide_fill #(
        .SETS(SETS), .DATA_WAYS(DATA_WAYS), .SECTORS(SECTORS), .LINE_BYTES(LINE_BYTES),
        .LINE_W(LINE_W), .INDEX(INDEX), .REPL(REPL), .MSHRS(MSHRS), .TRACKERS(TRACKERS),
        .PC_W(PC_W), .PC_PRED(PC_PRED), .PC_ENTRIES(PC_ENTRIES), .PC_BITS(PC_BITS),
        .PC_SHIFT(PC_SHIFT), .PARITY(PARITY)
      ) u_decide (
        .clk_i(clk_i),
        .rst_i(rst_i),

        // settings
        .cfg_i(s2_cfg),
        .pc_cfg_i(pc_cfg_i),

        // pipeline
        .s0_take_i(req_taken),
        .s0_read_i(rec_read),
        .s0_line_i(req_line_i),
        .s1_move_i(s2_move),
        .s2_op_i(s2_op),
        .s2_hint_i(s2_hint),
        .s2_line_i(s2_line),
        .s2_bytes_i(s2_bytes),
        .s2_pc_i(s2_pc),
        .s2_bypass_i(s2_bypass),
        .s2_blind_i(s2_blind),
        .s2_set_o(s2_set),
        .s2_block_o(s2_block),
        .s2_fetch_o(s2_fetch),
        .tag_bad_o(tag_bad),

        // resources available in this cycle
        .miss_slot_free_i(miss_slot),
        .bypass_slot_free_i(bypass_slot),
        .mshr_free_i(mshr_free),
        .pending_i(mshr_match),
        .list_room_i(list_room),

        // the decision, see byw_sectored
        .refused_o(s2_refused),
        .hit_o(s2_is_hit),
        .hit_answered_o(s2_hit_answered),
        .load_miss_o(s2_is_miss),
        .load_merge_o(s2_is_merge),
        .req_bypass_o(s2_is_bypass),
        .line_store_o(s2_stores_line),
        .reason_o(s2_reason),
        .action_o(s2_action),
        .cause_o(s2_cause),
        .line_evict_o(line_evict),
        .evict_reused_o(evict_reused),
        .mshr_detach_o(mshr_detach),
        .insert_last_o(s2_place),
        .sector_miss_o(s2_sector_miss),
        .blind_o(mode_blind),
        .hit_way_o(s2_way),

        // acceptance of the request
        .s2_accept_i(s2_accept),
        .mshr_alloc_i(mshr_alloc),
        .alloc_mshr_i(alloc_mshr),
        .bypass_send_i(bypass_send),
        .bypass_tracker_i(bypass_tracker),

        // response to a bypass
        .tracker_free_i(tracker_free),
        .free_tracker_i(free_tracker),
        .mispredict_i(mem_rsp_mispredict_i),

        // the accepted fill, from its MSHR
        .f0_take_i(fill_taken),
        .f0_mshr_i(rsp_mshr),
        .f0_block_i(query_block),
        .f0_last_i(query_place),

        // the fill in f2
        .install_i(fill_wr),
        .f2_mshr_i(f2_mshr),
        .f2_merged_i(f2_merged),
        .f2_bad_o(f2_bad),
        .install_set_o(fill_set),
        .install_way_o(fill_way),
        .install_bytes_o(fill_mask),
        .install_evict_o(install_evict),
        .install_evict_reused_o(install_evict_reused),

        .lines_clear_i(lines_clear),
        .policy_events_o(policy_events_o),
        .pc_counter_o(pc_counter_o)
      );

      assign {s2_rec_unchanged, same_set, s2_decidable} = 3'b001;
      assign {s2_gives_up_line, protected_o} = 2'd0; // no line is ever dirty
      assign tag_fail = tag_bad;
      assign parity_o[1] = f2_installs && f2_bad && !kernel_start_i;
      assign {hit_mshr, hit_count, hit_one_left} = {(MSHR_IW+LIST_IW+2){1'b0}};
      assign {next_set, s2_note} = {{SET_IW{1'b0}}, BYW_NOTE_NONE};
      assign {s2_store_refused, s2_can_leave, fill_data} = {s2_refused, !s2_refused, f2_data};

      wire unused_on_fill = &{1'b0, clear_if_done, fill_fails, list_full, list_one_left, list_count,
                            protect_i,
                              filter_on_i, look_op, look_hint, look_pc, look_bypass, look_blind,
                              look_more, look_cfg, mshr_set, fill_place, TAG_WAYS[0], RC_W[0]};
    end
  endgenerate

  byw_l1d_ctrl #(.ALLOC(ALLOC), .LOOK(LOOK), .FENCE(FENCE)) u_ctrl (
    // ports of the cache
    .kernel_start_i(kernel_start_i),
    .bypass_i(bypass_i),
    .req_valid_i(req_valid_i),
    .req_op_i(take_op),
    .rsp_ready_i(rsp_ready_i),
    .mem_req_ready_i(mem_req_ready_i),
    .mem_rsp_valid_i(mem_rsp_valid_i),
    .mem_rsp_kind_i(mem_rsp_kind_i),
    .mem_rsp_error_i(mem_rsp_error_i),

    // pipeline
    .s1_valid_i(s1_valid),
    .s1_op_i(s1_op),
    .look_valid_i(look_valid),
    .look_op_i(look_op),
    .s2_valid_i(s2_valid),
    .look_full_i(look_full),
    .all_full_i(all_full),
    .s1_same_set_i(same_set),
    .s2_decidable_i(s2_decidable),
    .s3_valid_i(s3_valid),
    .s2_op_i(s2_op),
    .s2_needs_line_i(s2_needs_line),
    .s2_walks_i(s2_walks),
    .s2_maint_done_i(s2_maint_done),
    .s2_hint_i(s2_hint),
    .s2_uncached_i(s2_uncached),
    .s2_more_i(s2_more),
    .s2_rec_unchanged_i(s2_rec_unchanged),

    // units
    .rsp_turn_i(rsp_turn),
    .fill_ready_i(fill_ready),
    .fill_room_i(fill_room),
    .fill_last_i(fill_last),
    .fill_failed_i(fill_failed),
    .fill_valid_i(fill_valid),
    .fill_attached_i(fill_attached),
    .direct_valid_i(direct_valid),
    .queue_valid_i(queue_valid),
    .mem_req_valid_i(mem_req_valid_o),
    .queue_write_i(mem_req_write_o),
    .queue_miss_room_i(miss_room),
    .wb_valid_i(wb_valid),
    .any_dirty_i(any_dirty),
    .query_dirty_i(query_dirty),
    .walk_dirty_i(walk_dirty),
    .clean_last_i(clean_last),
    .clean_other_line_i(clean_other_line),
    .mshrs_idle_i(mshrs_idle),
    .trackers_idle_i(trackers_idle),
    .writes_idle_i(writes_idle),

    // the decision
    .tag_bad_i(tag_bad),
    .tag_fail_i(tag_fail),
    .store_refused_i(s2_store_refused),
    .req_refused_i(s2_refused),
    .req_can_leave_i(s2_can_leave),
    .hit_i(s2_is_hit),
    .hit_answered_i(s2_hit_answered),
    .load_miss_i(s2_is_miss),
    .load_merge_i(s2_is_merge),
    .req_bypass_i(s2_is_bypass),
    .line_store_i(s2_stores_line),
    .line_given_up_i(s2_gives_up_line),
    .reason_i(s2_reason),
    .action_i(s2_action),
    .note_i(s2_note),
    .line_evict_i(line_evict),
    .mshr_detach_i(mshr_detach),
    .evict_reused_i(evict_reused),
    .blind_i(mode_blind),
    .sector_miss_i(s2_sector_miss),

    // allocate on fill: the fill in f2
    .install_i(f2_installs && !f2_bad),
    .install_evict_i(install_evict),
    .install_evict_reused_i(install_evict_reused),

    // responses
    .mem_rsp_ready_o(mem_rsp_ready_o),
    .beat_taken_o(beat_taken),
    .fill_taken_o(fill_taken),
    .fill_fails_o(fill_fails),
    .fill_wr_if_owned_o(fill_wr_if_owned),
    .fill_wr_o(fill_wr),
    .direct_taken_o(direct_taken),
    .lines_clear_o(lines_clear),
    .clear_if_done_o(clear_if_done),

    // s2
    .s2_accept_o(s2_accept),
    .s2_done_o(s2_done),
    .s3_fail_o(s3_fail),
    .maint_done_o(maint_done),
    .walk_restart_o(walk_restart),
    .walk_step_o(walk_step),
    .line_must_clean_o(line_must_clean),
    .wb_load_o(wb_load),
    .mshr_alloc_o(mshr_alloc),
    .mshr_merge_o(mshr_merge),
    .bypass_send_o(bypass_send),
    .store_send_o(store_send),
    .miss_queue_push_o(miss_queue_push),
    .s3_load_o(s3_load),
    .s3_served_o(s3_served),
    .line_rd_o(line_rd),
    .line_wr_o(line_wr),
    .line_wr_early_o(line_wr_early),

    .s2_leaves_o(s2_leaves),
    .s1_blocked_o(s1_blocked),
    .s0_blocked_o(s0_blocked),
    .s2_move_o(s2_move),
    .s1_move_o(s1_move),
    .req_ready_o(req_ready_o),
    .req_taken_o(req_taken),
    .req_blind_o(req_blind),
    .rec_read_o(rec_read),
    .idle_o(idle_o),
    .events_o(events_o)
  );

  byw_l1d_lines #(
    .ALLOC(ALLOC), .SETS(SETS), .DATA_WAYS(DATA_WAYS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W),
    .LOOK(LOOK), .BEAT_BYTES(PORT_BYTES), .PARITY(PARITY)
  ) u_lines (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // the request in s2, and its outcome
    .s2_valid_i(s2_valid),
    .s2_op_i(s2_op),
    .s2_walks_i(s2_walks),
    .s2_set_i(s2_set),
    .s2_line_i(s2_line),
    .s2_beat_i(s2_beat),
    .s2_bytes_i(s2_bytes),
    .s2_some_i(s2_any_byte),
    .s2_data_i(s2_data),
    .way_i(s2_way),
    .hit_i(s2_is_hit),
    .leaves_i(s2_accept || s2_done),
    .store_i(line_wr),
    .store_comes_i(line_wr_early),

    // the stage before s2; move_i moves it into s2
    .move_i(s2_move),
    .look_walks_i(look_walks),
    .look_set_i(next_set),

    // the walk and the write-back
    .restart_i(walk_restart),
    .step_i(walk_step),
    .clean_i(wb_load),
    .cleans_i(line_must_clean),
    .clean_last_o(clean_last),
    .clean_other_o(clean_other_line),
    .query_dirty_o(query_dirty),
    .walk_dirty_o(walk_dirty),
    .any_dirty_o(any_dirty),

    // a beat of a fill
    .fill_i((LOOK != 0) ? beat_taken : fill_wr_if_owned),
    .fill_keeps_i((ALLOC != 0) || fill_attached),
    .fill_set_i(fill_set),
    .fill_way_i(fill_way),
    .fill_beat_i(fill_next),
    .fill_mask_i(fill_mask),
    .fill_data_i(fill_data),

    // the line read, valid from the next cycle on
    .read_i(line_rd),
    .data_o(rd_data),
    .bad_o(rd_bad),
    .mask_o(rd_mask),
    .beat_o(rd_beat),
    .dirty_o(rd_dirty),
    .line_o(rd_line),

    .clear_i(lines_clear)
  );

  byw_l1d_send #(
    .BEAT_BYTES(PORT_BYTES), .BEAT_W(BEAT_W), .LINE_W(LINE_W), .MSHR_IW(MSHR_IW),
    .MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH), .TRACKERS(TRACKERS), .ID_W(ID_W),
    .PC_W(PC_W), .FUNC_W(FUNC_W), .ORDER(ORDER), .IN_FLIGHT(IN_FLIGHT), .STORE_IDS(STORE_IDS),
    .WB_ACKS(((ORDER != 0) || (FENCE != 0)) ? 1 : 0)
  ) u_send (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // the request in s2, and its outcome
    .line_i(s2_line),
    .beat_i(s2_beat),
    .more_i(s2_more),
    .bytes_i(s2_bytes),
    .data_i(s2_data),
    .pc_i(s2_pc),
    .id_i(s2_target[ID_W-1:0]),
    .func_i(s2_func),
    .atomic_i((s2_op == BYW_OP_ATOMIC) && !s2_uncached),
    .misses_i(s2_is_miss),
    .bypasses_i(s2_is_bypass),
    .fetch_i(s2_fetch),
    .alloc_mshr_i(alloc_mshr),
    .send_bypass_i(bypass_send),
    .predicted_i(s2_cause == BYW_CAUSE_DEAD),
    .bypass_tracker_o(bypass_tracker),
    .store_i(store_send),
    .to_miss_i(miss_queue_push),

    // a dirty line; the data store shows it one cycle later
    .clean_i(wb_load),
    .wb_line_i(rd_line),
    .wb_beat_i(rd_beat),
    .wb_dirty_i(rd_dirty),
    .wb_mask_i(rd_mask),
    .wb_data_i(rd_data),

    // responses
    .rsp_taken_i(mem_rsp_valid_i && mem_rsp_ready_o && !(beat_taken && !fill_last)),
    .rsp_kind_i(mem_rsp_kind_i),
    .rsp_id_i(mem_rsp_id_i),
    .own_id_o(rsp_id),
    .direct_taken_i(direct_taken),
    .give_o(tracker_free),
    .give_tracker_o(free_tracker),
    .give_id_o(tracker_req_id),
    .store_ack_o(store_ack),
    .wb_ack_o(wb_ack),

    // resources available in this cycle
    .miss_room_o(miss_room),
    .miss_slot_o(miss_slot),
    .bypass_slot_o(bypass_slot),
    .wb_valid_o(wb_valid),
    .queue_valid_o(queue_valid),
    .trackers_idle_o(trackers_idle),
    .writes_idle_o(writes_idle),

    // mem_req
    .mem_req_valid_o(mem_req_valid_o),
    .mem_req_ready_i(mem_req_ready_i),
    .mem_req_kind_o(mem_req_kind_o),
    .mem_req_write_o(mem_req_write_o),
    .mem_req_bypass_o(mem_req_bypass_o),
    .mem_req_atomic_o(mem_req_atomic_o),
    .mem_req_predicted_o(mem_req_predicted_o),
    .mem_req_line_o(mem_req_line_o),
    .mem_req_beat_o(mem_req_beat_o),
    .mem_req_more_o(mem_req_more_o),
    .mem_req_bytes_o(mem_req_bytes_o),
    .mem_req_data_o(mem_req_data_o),
    .mem_req_pc_o(mem_req_pc_o),
    .mem_req_func_o(mem_req_func_o),
    .mem_req_id_o(mem_req_id_o)
  );

  byw_l1d_rsp #(
    .ALLOC(ALLOC), .LINE_BYTES(LINE_BYTES), .BEAT_BYTES(PORT_BYTES), .MSHRS(MSHRS), .MERGES(MERGES),
    .BLOCK_W(BLOCK_W), .SET_IW(SET_IW), .PLACE_W(PLACE_W), .ID_W(ID_W), .PARITY(PARITY)
  ) u_rsp (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // the request in s2, and its MSHR
    .block_i(s2_block),
    .set_i(s2_set),
    .place_i(s2_place),
    .target_i(s2_target),
    .alloc_i(mshr_alloc),
    .alloc_mshr_o(alloc_mshr),
    .joins_i(s2_is_merge),
    .merge_i(mshr_merge),
    .join_mshr_i(hit_mshr),
    .join_count_i(hit_count),
    .join_last_i(hit_one_left),
    .list_count_o(list_count),
    .fills_o(list_full),
    .last_o(list_one_left),
    .free_o(mshr_free),
    .match_o(mshr_match),
    .room_o(list_room),
    .detach_i(s2_accept && mshr_detach),
    .detach_all_i(lines_clear),
    .mshrs_idle_o(mshrs_idle),

    // its response, if it is answered from a line (hit stage)
    .answers_i(s3_load),
    .served_i(s3_served),
    .fails_i(s3_fail),
    .fetch_i(s2_fetch),
    .line_data_i(rd_data),
    .line_bad_i(rd_bad),

    // from memory
    .beat_taken_i(beat_taken),
    .fill_taken_i(fill_taken),
    .fill_mshr_i(rsp_mshr),
    .fill_attached_o(fill_attached),
    .fill_set_o(mshr_set),
    .fill_place_o(fill_place),
    .query_block_o(query_block),
    .query_place_o(query_place),
    .direct_take_i(direct_taken && !wb_ack),
    .direct_store_i(store_ack),
    .direct_id_i(rsp_id),
    .give_id_i(tracker_req_id),
    .error_i(mem_rsp_error_i),
    .data_i(mem_rsp_data_i),

    // allocate on fill: the fill that allocates its line
    .f2_installs_o(f2_installs),
    .f2_mshr_o(f2_mshr),
    .f2_merged_o(f2_merged),
    .f2_data_o(f2_data),

    // state
    .s3_valid_o(s3_valid),
    .fill_ready_o(fill_ready),
    .fill_room_o(fill_room),
    .fill_next_o(fill_next),
    .fill_last_o(fill_last),
    .fill_failed_o(fill_failed),
    .fill_valid_o(fill_valid),
    .direct_valid_o(direct_valid),
    .turn_o(rsp_turn),

    // rsp
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_data_o(rsp_data_o),
    .rsp_id_o(rsp_id_o),
    .rsp_served_o(rsp_served_o),
    .rsp_error_o(rsp_error_o),
    .hit_failed_o(parity_o[0])
  );
endmodule

`default_nettype wire
