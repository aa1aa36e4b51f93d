// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_decide - the decision point of the L1D: the set records, byw_policy for the request in
//                  s2, and the PC predictor that advises it.
//
// Behaviour   A request of line s0_line_i enters with s0_ready_i.  In s2 it is decided again in
//             every cycle, from the record at the start of that cycle.  s2_accept_i makes the
//             decision take effect: the record is written and the predictor is trained.  A request
//             with s2_blind_i is decided as if no tag matched.  A request with s2_more_i continues
//             an access: it bypasses if its line is absent, and neither touches nor counts
//             (rec_unchanged_o). Fills and lines_clear_i can change records in any cycle.  With
//             LOOK the decision is valid only while s2_decidable_o.
// Paper       000; mechanisms/cache.md 0.1 to 0.4, locality.md 1.3, pc_pred.md 5.1;
//             rtl/doc/l1d.md, l1d_pipeline.md.
// C twin      byw_l1d_comb_s2() of cmodel/model/l1d/byw_l1d_ctrl.c; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       rst_i: every set is empty, the filter is off; predictor as byw_pc_pred.
//
// Parameters as in byw_l1d.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_decide #(
  parameter integer SETS       = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS  = `BYW_DEFAULT_DATA_WAYS,
  parameter integer TAG_WAYS   = `BYW_DEFAULT_TAG_WAYS,
  parameter integer LINE_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer LINE_W     = 33,
  parameter integer INDEX      = 1,
  parameter integer REPL       = 0,
  parameter integer LOOK       = 0, PARITY = 0,
  parameter integer RC_W       = `BYW_DEFAULT_RC_W,
  parameter integer MSHRS      = `BYW_DEFAULT_MSHRS, MERGES = `BYW_DEFAULT_MERGES,
  parameter integer TRACKERS   = `BYW_DEFAULT_TRACKERS,
  parameter integer PC_W       = 32,
  parameter integer PC_PRED    = 1,
  parameter integer PC_ENTRIES = `BYW_DEFAULT_PC_ENTRIES,
  parameter integer PC_BITS    = `BYW_DEFAULT_PC_BITS,
  parameter integer PC_SHIFT   = `BYW_DEFAULT_PC_SHIFT,
  parameter integer TRIAL      = 0,
  parameter integer TRIAL_STEPS = `BYW_DEFAULT_TRIAL_DISTANCE / `BYW_DEFAULT_TRIAL_STEP,
  parameter integer TRIAL_STEP = `BYW_DEFAULT_TRIAL_STEP,
  parameter integer SET_IW     = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW     = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer MSHR_IW    = (MSHRS > 1) ? $clog2(MSHRS) : 1,
  parameter integer COUNT_W    = ((MERGES > 1) ? $clog2(MERGES) : 1) + 1,
  parameter integer TRACKER_IW = (TRACKERS > 1) ? $clog2(TRACKERS) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_i,

  // settings
  input  wire [31:0]           cfg_i,           // settings for the request in s2
  input  wire [31:0]           look_cfg_i,      // settings for the request in look
  input  wire [31:0]           pc_cfg_i,
  input  wire                  filter_on_i,
  input  wire                  protect_i,       // TRIAL 1: lines are protected in this cycle
  output wire                  protected_o,     // pulse: a load bypasses because of that

  // pipeline
  input  wire                  s0_ready_i,
  input  wire                  s0_read_i,       // reads the record of its set
  input  wire [LINE_W-1:0]     s0_line_i,
  input  wire                  s1_move_i,
  input  wire                  s2_move_i,
  input  wire                  s2_leaves_i,     // the s2 request leaves: s0 and s1 move
  input  wire                  s0_unblocked_i,  // otherwise s0 and s1 move if unblocked
  input  wire                  s1_unblocked_i,
  input  wire                  s2_valid_i,
  input  wire [2:0]            s2_op_i,         // BYW_OP_*
  input  wire [2:0]            s2_hint_i,       // BYW_HINT_*
  input  wire [PC_W-1:0]       s2_pc_i,
  input  wire                  look_valid_i,
  input  wire [2:0]            look_op_i,       // LOOK 1: the request in look, as the next
  input  wire [2:0]            look_hint_i,
  input  wire [PC_W-1:0]       look_pc_i,
  input  wire                  look_more_i,
  input  wire                  look_bypass_i,
  input  wire                  look_blind_i,
  input  wire                  s2_bypass_i,     // s2's load is in bypass mode
  input  wire                  s2_blind_i,
  input  wire                  s2_more_i,
  output wire [SET_IW-1:0]     s2_set_o,
  output wire [SET_IW-1:0]     next_set_o,      // set of the stage before s2
  output wire                  s2_decidable_o,
  output wire                  tag_bad_o,       // PARITY: it looks at a tag with wrong parity
  output wire                  tag_fail_o,      // the answer is an error, once s3 is free
  output wire                  same_set_o,      // LOOK: s1 and s2 have the same set

  // resources available in this cycle
  input  wire                  miss_slot_free_i,
  input  wire                  bypass_slot_free_i,
  input  wire                  mshr_free_i,
  input  wire                  line_dirty_i,    // the line of way_o is dirty

  // the decision, see byw_policy
  output wire                  store_refused_o, // the request is a store and refused
  output wire                  refused_o,       // outcome BYW_RSFAIL
  // the request is not refused, and not line_given_up_o with line_dirty_i
  output wire                  req_can_leave_o,
  output wire                  hit_o,           // if not refused: outcome BYW_HIT
  output wire                  hit_answered_o,  // a hit that s3 answers
  output wire                  load_miss_o,     // a load with outcome BYW_MISS
  output wire                  load_merge_o,    // outcome BYW_HIT_PENDING
  output wire                  req_bypass_o,    // outcome BYW_BYPASS
  output wire                  line_store_o,    // a store that writes its line
  output wire                  line_given_up_o, // the line of way_o is evicted or bypassed
  output wire [`BYW_RSFAIL_W-1:0] reason_o,     // BYW_RSFAIL_*
  // valid if the request leaves, up to blind_o
  output wire [`BYW_ACTION_W-1:0] action_o,     // BYW_SET_*
  output wire [`BYW_NOTE_W-1:0] note_o,         // BYW_NOTE_*
  output wire [`BYW_CAUSE_W-1:0] cause_o,       // BYW_CAUSE_*
  output wire [WAY_IW-1:0]     way_o,           // way of the line hit, allocated or freed
  output wire                  line_evict_o,
  output wire                  evict_reused_o,  // the evicted line was hit since its fill
  output wire                  mshr_detach_o,
  output wire                  blind_o,
  output wire [MSHR_IW-1:0]    hit_mshr_o,      // valid if the line is pending: its MSHR
  output wire [COUNT_W-1:0]    hit_count_o,     // valid if pending: length of its list
  output wire                  hit_one_left_o,  // valid if pending: room for only one more
  output wire                  rec_unchanged_o, // the record is not written

  // acceptance of the request
  input  wire                  s2_accept_i,
  input  wire                  mshr_alloc_i,
  input  wire [MSHR_IW-1:0]    alloc_mshr_i,
  input  wire                  mshr_merge_i,    // the request merges into the MSHR of its line
  // length of that MSHR's list afterwards
  input  wire [COUNT_W-1:0]    list_count_i,
  input  wire                  list_full_i,     // the list is full afterwards
  input  wire                  list_one_left_i, // the list has room for only one more
  input  wire                  bypass_send_i,
  input  wire [TRACKER_IW-1:0] bypass_tracker_i,

  // an accepted response
  input  wire                  fill_taken_i,
  input  wire [MSHR_IW-1:0]    fill_mshr_i,
  input  wire                  fill_attached_i,
  input  wire [SET_IW-1:0]     fill_set_i,
  input  wire [WAY_IW-1:0]     fill_way_i,
  input  wire                  fill_error_i,
  input  wire                  tracker_free_i,  // the response to a bypass
  input  wire [TRACKER_IW-1:0] free_tracker_i,
  input  wire                  mispredict_i,

  input  wire                  lines_clear_i,   // all lines and tags are dropped
  input  wire                  kernel_start_i,  // cause of lines_clear_i: a kernel starts
  input  wire                  clear_if_done_i, // lines_clear_i follows if the s2 request leaves
  output wire [`BYW_PEV_W-1:0] policy_events_o, // bit BYW_PEV_*
  output wire [7:0]            pc_counter_o
);
  `include "byw_defs.vh"

  generate
    if ((TRIAL != 0) && ((TRIAL != 1) || (LOOK != 0))) begin : gen_check_trial
      byw_l1d_decide_TRIAL_must_be_0_or_1_and_needs_LOOK_0 u_error ();
    end
  endgenerate

  localparam integer KEY_W  = LINE_W - $clog2(SETS);
  localparam integer TAG_IW = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1;
  localparam integer RANK_W = `BYW_REPL_RANK_W(REPL, WAY_IW);
  localparam integer VIEW_W = 3 + TAG_WAYS * (3 + RC_W + WAY_IW + TAG_IW) +
                              DATA_WAYS * (TAG_IW + RANK_W + 2);

  // ---- the record before and after the decision
  wire [TAG_WAYS*2-1:0]       rec_status, new_rec_status;
  wire [TAG_WAYS*RC_W-1:0]    rec_rc,     new_rec_rc;
  wire [TAG_WAYS*WAY_IW-1:0]  rec_pos,    new_rec_pos;
  wire [TAG_WAYS*TAG_IW-1:0]  rec_age,    new_rec_age;
  wire [DATA_WAYS*TAG_IW-1:0] rec_owner,  new_rec_owner;
  wire [DATA_WAYS*RANK_W-1:0] rec_rank,   new_rec_rank;
  wire [DATA_WAYS-1:0]        rec_reused, new_rec_reused;
  wire [DATA_WAYS-1:0]        rec_used,   new_rec_used;
  wire [DATA_WAYS-1:0]        rec_pending, new_rec_pending;

  wire [SET_IW-1:0] s0_set, s1_set, s2_set_two, view_set;
  wire [WAY_IW-1:0] look_way;
  wire [VIEW_W-1:0] view;
  wire [KEY_W-1:0]  s0_key, s2_key;
  wire [TAG_IW-1:0] tag;
  wire [TAG_WAYS-1:0] s2_hit;
  wire              s2_cold, s1_marked, look_committed, lfu_search;
  wire [3:0]        view_s2_copies;
  wire              view_s2 = view_s2_copies[3];
  wire [`BYW_OUTCOME_W-1:0] outcome;
  wire              rec_write, rec_rank_only, hit_committed, line_drop;
  assign            same_set_o = (LOOK != 0) && (s1_set == s2_set_o);
  // valid if the s2 request is accepted
  wire              s2_tag_bad, s2_rec_complete;
  assign            tag_bad_o          = s2_tag_bad && !s2_blind_i && !blind_o;
  assign            tag_fail_o         = tag_bad_o && s2_rec_complete;
  wire              rec_wr_if_accepted = s2_valid_i && rec_write && !tag_bad_o;
  wire              rec_wr_en          = s2_accept_i && rec_wr_if_accepted;
  wire              fill_en            = fill_taken_i && fill_attached_i;
  wire              key_write, filter_off, hit_pending, pc_query, pc_on, pc_dead, pc_hot,
                    look_list_room, list_room;
  reg               filter_q;
  wire [`BYW_REPL_RANDOM_W-1:0] random;

  byw_set_index #(
    .SETS(SETS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(INDEX)
  ) u_set_index (.line_i(s0_line_i), .set_o(s0_set), .key_o(s0_key));

  byw_tag_store #(
    .SETS(SETS), .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .KEY_W(KEY_W), .RC_W(RC_W),
    .REPL(REPL), .LOOK(LOOK), .PARITY(PARITY)
  ) u_tags (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // pipeline
    .s0_ready_i(s0_ready_i),
    .s0_read_i(s0_read_i),
    .s0_set_i(s0_set),
    .s0_key_i(s0_key),
    .s1_set_o(s1_set),
    .s1_move_i(s1_move_i),
    .s2_move_i(s2_move_i),
    .s2_leaves_i(s2_leaves_i),
    .s0_unblocked_i(s0_unblocked_i),
    .s1_unblocked_i(s1_unblocked_i),
    .view_s2_i(view_s2_copies),
    .s1_marked_o(s1_marked),
    .s2_cold_i(s2_cold),
    .next_set_o(next_set_o),
    .view_o(view),
    .view_set_o(view_set),
    .s2_set_o(s2_set_o),
    .s2_set_copy_o(s2_set_two),
    .s2_key_o(s2_key),
    .s2_hit_o(s2_hit),
    .s2_tag_bad_o(s2_tag_bad),

    // the record of the s2 set at the start of this cycle
    .rec_status_o(rec_status),
    .rec_rc_o(rec_rc),
    .rec_pos_o(rec_pos),
    .rec_age_o(rec_age),
    .rec_owner_o(rec_owner),
    .rec_rank_o(rec_rank),
    .rec_reused_o(rec_reused),
    .rec_used_o(rec_used),
    .rec_pending_o(rec_pending),

    // the write of the record
    .wr_if_i(rec_wr_if_accepted),
    .wr_en_i(rec_wr_en),
    .wr_new_key_i(key_write),
    .wr_tag_i(tag),
    .rec_status_i(new_rec_status),
    .rec_rc_i(new_rec_rc),
    .rec_pos_i(new_rec_pos),
    .rec_age_i(new_rec_age),
    .rec_owner_i(new_rec_owner),
    .rec_rank_i(new_rec_rank),
    .rec_reused_i(new_rec_reused),
    .rec_used_i(new_rec_used),
    .rec_pending_i(new_rec_pending),

    // a fill whose MSHR was attached at the start of the cycle: its line is not pending any more
    .fill_en_i(fill_en),
    .fill_set_i(fill_set_i),
    .fill_way_i(fill_way_i),
    .fill_error_i(fill_error_i),
    .fill_keep_i(!filter_off),

    // all sets at once
    .clear_i(lines_clear_i),
    .drop_i(filter_q && !filter_on_i)
  );

  generate
    if (LOOK == 0) begin : gen_at_once
      assign {s2_decidable_o, s2_rec_complete} = 2'b11;
      assign view_s2_copies = 4'd0;
      assign s2_cold        = 1'b0;
      assign list_room = look_list_room;
      wire unused_look = &{1'b0, s1_set, s1_marked, look_committed, look_valid_i, look_op_i,
                           look_hint_i, look_pc_i, look_bypass_i, look_blind_i, look_cfg_i,
                           look_more_i, kernel_start_i, clear_if_done_i, lfu_search};
    end else begin : gen_look
      reg               list_room_q;
      wire              look_list_full = mshr_merge_i && list_full_i && (view_set == s2_set_o) &&
                                         (look_way == way_o);

      always @(posedge clk_i) begin : p_mshr
        if (s2_move_i || view_s2) list_room_q <= look_list_room && !look_list_full;
      end
      assign list_room = list_room_q;

      byw_l1d_look #(.SET_IW(SET_IW)) u_look (
        .clk_i(clk_i),
        .rst_i(rst_i),

        // pipeline
        .s1_move_i(s1_move_i),
        .s2_move_i(s2_move_i),
        .s1_set_i(s1_set),
        .look_set_i(next_set_o),
        .s2_set_i(s2_set_o),
        .look_valid_i(look_valid_i),
        .look_free_i((look_op_i >= BYW_OP_INVALIDATE) || look_blind_i || blind_o),
        .look_committed_i(look_committed),
        .lfu_search_i(lfu_search),

        // what changes records in this cycle
        .wr_if_i(rec_wr_if_accepted),
        .wr_ranks_i(rec_rank_only),
        .fill_en_i(fill_en),
        .fill_error_i(fill_error_i),
        .fill_set_i(fill_set_i),
        .lines_clear_i(lines_clear_i),
        .kernel_start_i(kernel_start_i),
        .clear_if_done_i(clear_if_done_i),
        .filter_changed_i(filter_q != filter_on_i),
        .s1_marked_i(s1_marked),

        .s2_decidable_o(s2_decidable_o),
        .s2_rec_complete_o(s2_rec_complete),
        .view_s2_o(view_s2_copies),
        .s2_cold_o(s2_cold)
      );
    end
  endgenerate

  wire from_look = (LOOK != 0) && !view_s2;        // the record in look is examined, not that of s2

  wire [DATA_WAYS-1:0] unprotected;                      // lines that are not protected
  wire [2:0]           hint;

  byw_policy #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W), .REPL(REPL), .SET_IW(SET_IW),
    .PC_W(PC_W), .LOOK(LOOK)
  ) u_policy (
    .clk_i(clk_i),
    .look_moves_i(s2_move_i),
    .view_i(view),
    .view_s2_i(view_s2_copies[1]),

    .cfg_i(from_look ? look_cfg_i : cfg_i),
    .filter_on_i(filter_on_i),
    .op_i(from_look ? look_op_i : s2_op_i),
    .hint_i(from_look ? look_hint_i : hint),
    .req_more_i(from_look ? look_more_i : s2_more_i),
    .hit_i(!(from_look ? look_blind_i : s2_blind_i)),
    .hit_tags_i(s2_hit),

    // used only by the replacement policy, see byw_repl
    .set_i(s2_set_o),
    .pc_i(s2_pc_i),
    .random_i(random),
    .unprotected_i(unprotected),

    // advice of the other mechanisms for a load
    .adv_bypass_i(from_look ? look_bypass_i : s2_bypass_i),
    .adv_on_i(pc_on),
    .adv_hot_i(pc_hot),
    .adv_dead_i(pc_dead),
    .pc_query_o(pc_query),

    // resources available in this cycle
    .res_miss_slot_i(miss_slot_free_i),
    .res_bypass_slot_i(bypass_slot_free_i),
    .res_mshr_i(mshr_free_i),
    .res_merge_i(list_room),
    .line_dirty_i(line_dirty_i),

    // the record before the decision
    .rec_status_i(rec_status),
    .rec_rc_i(rec_rc),
    .rec_pos_i(rec_pos),
    .rec_age_i(rec_age),
    .rec_owner_i(rec_owner),
    .rec_rank_i(rec_rank),
    .rec_reused_i(rec_reused),
    .rec_used_i(rec_used),
    .rec_pending_i(rec_pending),

    // the decision
    .outcome_o(outcome),
    .store_refused_o(store_refused_o),
    .refused_o(refused_o),
    .req_can_leave_o(req_can_leave_o),

    .hit_o(hit_o),
    .hit_answered_o(hit_answered_o),
    .load_miss_o(load_miss_o),
    .load_merge_o(load_merge_o),
    .req_bypass_o(req_bypass_o),
    .line_store_o(line_store_o),
    .line_given_up_o(line_given_up_o),
    .rec_write_o(rec_write),
    .rec_rank_only_o(rec_rank_only),

    .reason_o(reason_o),

    // effects, valid if the request leaves
    .action_o(action_o),
    .note_o(note_o),
    .cause_o(cause_o),
    .tag_o(tag),
    .way_o(way_o),
    .line_evict_o(line_evict_o),
    .mshr_detach_o(mshr_detach_o),
    .line_drop_o(line_drop),
    .key_write_o(key_write),

    .filter_off_o(filter_off),
    .blind_o(blind_o),
    .hit_committed_o(hit_committed),
    .hit_pending_o(hit_pending),
    .look_way_o(look_way),
    .look_committed_o(look_committed),
    .lfu_search_o(lfu_search),

    // the record after the decision
    .rec_status_o(new_rec_status),
    .rec_rc_o(new_rec_rc),
    .rec_pos_o(new_rec_pos),
    .rec_age_o(new_rec_age),
    .rec_owner_o(new_rec_owner),
    .rec_rank_o(new_rec_rank),
    .rec_reused_o(new_rec_reused),
    .rec_used_o(new_rec_used),
    .rec_pending_o(new_rec_pending)
  );

  byw_mshr_of_line #(
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .MSHRS(MSHRS), .MERGES(MERGES), .LOOK(LOOK)
  ) u_mshr_of_line (
    .clk_i(clk_i),

    .take_i(mshr_alloc_i),
    .join_i(mshr_merge_i),
    .set_i(s2_set_two),
    .way_i(way_o),
    .mshr_i(alloc_mshr_i),
    .count_i(list_count_i),
    .fills_i(list_full_i),
    .last_i(list_one_left_i),

    .find_set_i(view_set),
    .find_way_i(look_way),
    .find_mshr_o(hit_mshr_o),
    .find_count_o(hit_count_o),
    .find_last_o(hit_one_left_o),
    .find_room_o(look_list_room)
  );

  byw_repl_random u_random (
    .clk_i(clk_i), .rst_i(rst_i), .step_i(s2_accept_i && (action_o == BYW_SET_COMMIT)),
    .random_o(random)
  );

  wire [DATA_WAYS-1:0] leaves_reused = rec_reused >> way_o;
  assign evict_reused_o = leaves_reused[0];

  wire s2_is_load = (s2_op_i == BYW_OP_LOAD) || (s2_op_i == BYW_OP_LOCAL_LOAD);

  assign rec_unchanged_o = s2_more_i && rec_rank_only;

  byw_l1d_pc #(
    .LOOK(LOOK), .PC_PRED(PC_PRED), .PC_ENTRIES(PC_ENTRIES), .PC_BITS(PC_BITS), .PC_SHIFT(PC_SHIFT),
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .MSHRS(MSHRS), .TRACKERS(TRACKERS), .PC_W(PC_W)
  ) u_pc (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .pc_cfg_i(pc_cfg_i),

    // the set that moves from s1 into s2
    .s1_move_i(s2_move_i),
    .s1_set_i(next_set_o),

    // the request in s2, and the advice to byw_policy
    .set_i(s2_set_o),
    .pc_i((LOOK != 0) ? look_pc_i : s2_pc_i),
    .load_i(s2_is_load),
    .more_i(s2_more_i),
    .bypass_i(s2_bypass_i),
    .policy_asks_i(pc_query),
    .on_o(pc_on),
    .dead_o(pc_dead),
    .hot_o(pc_hot),
    .counter_o(pc_counter_o),

    // the decision
    .accept_i(s2_accept_i),
    .found_i(hit_o || load_merge_o),
    .drops_i(line_drop),
    .leaves_i(line_evict_o),
    .cause_i(cause_o),
    .way_i(way_o),
    .alloc_i(mshr_alloc_i),
    .alloc_mshr_i(alloc_mshr_i),
    .send_bypass_i(bypass_send_i),
    .bypass_tracker_i(bypass_tracker_i),

    // an accepted response
    .fill_taken_i(fill_taken_i),
    .fill_mshr_i(fill_mshr_i),
    .give_i(tracker_free_i),
    .give_tracker_i(free_tracker_i),
    .mispredict_i(mispredict_i),

    // allocate on fill: the fills in f1 and f2; otherwise all 0
    .f1_set_i({SET_IW{1'b0}}),
    .install_i(1'b0),
    .install_set_i({SET_IW{1'b0}}),
    .install_mshr_i({MSHR_IW{1'b0}}),
    .install_new_i(1'b0),
    .install_leaves_i(1'b0),
    .install_merged_i(1'b0),
    .install_way_i({WAY_IW{1'b0}}),

    .policy_events_o(policy_events_o)
  );

  // ---- a load bypasses if all lines of its set are protected
  generate
    if (TRIAL == 0) begin : gen_no_trial
      assign unprotected = {DATA_WAYS{1'b1}};
      assign hint        = s2_hint_i;
      assign protected_o = 1'b0;
      wire unused_trial = &{1'b0, protect_i};
    end else begin : gen_trial
      wire                 set_protected;
      wire [DATA_WAYS-1:0] trial_unprotected;
      wire                 trial_bypass = protect_i && set_protected && s2_is_load &&
                                          !hit_committed &&
                                          (s2_hint_i == BYW_HINT_NONE) && !s2_bypass_i && !blind_o;

      assign unprotected = protect_i ? trial_unprotected : {DATA_WAYS{1'b1}};
      assign hint        = trial_bypass ? BYW_HINT_BYPASS : s2_hint_i;
      assign protected_o = trial_bypass && s2_accept_i && (outcome == BYW_BYPASS);

      byw_protection #(
        .SETS(SETS), .WAYS(DATA_WAYS), .STEPS(TRIAL_STEPS), .STEP(TRIAL_STEP)
      ) u_protection (
        .clk_i(clk_i),
        .clear_i(lines_clear_i || rst_i),

        // the request that reaches the decision point in the next cycle
        .next_i(s2_move_i),
        .next_set_i(next_set_o),

        // the request at the decision point
        .set_i(s2_set_o),
        .used_i(rec_used),
        .pending_i(rec_pending),
        .full_o(set_protected),
        .spare_o(trial_unprotected),
        .load_i(s2_accept_i && s2_is_load),
        .use_i(action_o == BYW_SET_TOUCH),
        .place_i(action_o == BYW_SET_COMMIT),
        .way_i(way_o)
      );
    end
  endgenerate

  always @(posedge clk_i) begin : p_filter
    filter_q <= filter_on_i && !rst_i;
  end

  wire unused_ok = &{1'b0, leaves_reused, s2_key, hit_committed, hit_pending, outcome};

  `BYW_CHECKS
`ifdef BYW_CHECKED
  wire       decides  = s2_valid_i && s2_decidable_o && (s2_op_i < BYW_OP_INVALIDATE);
  wire [2:0] outcomes = {2'd0, hit_o} + {2'd0, load_miss_o} + {2'd0, load_merge_o} + {2'd0,
                        req_bypass_o};
`endif
  `BYW_ASSUME(allocation_belongs_to_an_accepted_load, mshr_alloc_i, s2_accept_i)
  `BYW_ASSUME(failed_fill_needs_no_decision, fill_en && fill_error_i, !rec_wr_en)
  `BYW_ASSERT(one_outcome_at_most, decides, outcomes <= 3'd1)
  `BYW_ASSERT(what_leaves_is_not_refused, decides && req_can_leave_o, !refused_o)
endmodule

`default_nettype wire
