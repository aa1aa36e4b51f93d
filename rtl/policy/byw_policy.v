// SPDX-License-Identifier: Apache-2.0
//
// byw_policy - the single decision point: maps record, request, mode, hint and resources to an
//              outcome and a new record.
//
// Behaviour   outcome_o is hit, pending hit, miss, bypass, or a refusal with reason_o.  rec_*_o is
//             the record to write if the decision is accepted and rec_write_o is 1; otherwise
//             it is undefined.  Modes: base, bypass_all (no tag lookup), decoupled (the locality
//             filter while filter_on_i).  Bypass mode, the PC predictor and stall bypass apply in
//             each mode, in this order; a load that they divert leaves the record unchanged.
//             Combinational.  With LOOK, record and request are those that view_i, op_i, hint_i,
//             adv_bypass_i and hit_i showed in look, or when s2 last looked again.
// Paper       000; mechanisms/cache.md 0.1-0.3, locality.md 1.3, sm_duel.md 1.5; rtl/doc/policy.md.
// C twin      cmodel/model/policy/byw_policy.c; checked by verif/policy/lockstep_policy.c.
//
// Parameter   Default  Range            Meaning
// TAG_WAYS    8        DATA_WAYS..128   tag ways of a set
// DATA_WAYS   4        1..64            data ways of a set
// RC_W        6        1..8             width of the reference counter
// REPL        0        0, 1             replacement: 0 LRU, 1 SRRIP
// SET_IW      5                         width of a set number
// PC_W        32                        width of a PC
// LOOK        0        0, 1             without it, clk_i, look_moves_i and view_i are unused
// TAG_IW, WAY_IW, RANK_W                derived, must not be set
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_policy #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer REPL      = 0, SET_IW = 5, PC_W = 32, LOOK = 0,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer RANK_W    = `BYW_REPL_RANK_W(REPL, WAY_IW),
  parameter integer VIEW_W    = 3 + TAG_WAYS * (3 + RC_W + WAY_IW + TAG_IW) +
                                DATA_WAYS * (TAG_IW + RANK_W + 2)
) (
  input  wire                        clk_i,
  input  wire                        look_moves_i,
  input  wire [VIEW_W-1:0]           view_i,           // see byw_tag_look
  input  wire                        view_s2_i,        // view_i shows rec_*_i

  input  wire [31:0]                 cfg_i,            // policy register, see byw_csr.def
  input  wire                        filter_on_i,
  input  wire [2:0]                  op_i,             // BYW_OP_LOAD .. BYW_OP_LOCAL_STORE
  input  wire [2:0]                  hint_i,           // BYW_HINT_*
  input  wire                        req_more_i,       // continues an access
  input  wire                        hit_i,            // the tag match is valid
  input  wire [TAG_WAYS-1:0]         hit_tags_i,       // the valid tag way whose key matches

  // used only by the replacement policy, see byw_repl
  input  wire [SET_IW-1:0]           set_i,
  input  wire [PC_W-1:0]             pc_i,
  input  wire [`BYW_REPL_RANDOM_W-1:0] random_i,
  input  wire [DATA_WAYS-1:0]        unprotected_i,    // all ones, or see byw_protection

  // advice of the other mechanisms for a load
  input  wire                        adv_bypass_i,     // two-level: taken in bypass mode
  input  wire                        adv_on_i,         // PC predictor: on
  input  wire                        adv_hot_i,        // PC predictor: cache at the first touch
  input  wire                        adv_dead_i,       // PC predictor: no reuse expected
  output wire                        pc_query_o,       // the load asks the PC predictor

  // resources available in this cycle
  input  wire                        res_miss_slot_i,
  input  wire                        res_bypass_slot_i,
  input  wire                        res_mshr_i,
  input  wire                        res_merge_i,
  input  wire                        line_dirty_i,     // the line of way_o is dirty

  // the record before the decision
  input  wire [TAG_WAYS*2-1:0]       rec_status_i,
  input  wire [TAG_WAYS*RC_W-1:0]    rec_rc_i,
  input  wire [TAG_WAYS*WAY_IW-1:0]  rec_pos_i,
  input  wire [TAG_WAYS*TAG_IW-1:0]  rec_age_i,
  input  wire [DATA_WAYS*TAG_IW-1:0] rec_owner_i,
  input  wire [DATA_WAYS*RANK_W-1:0] rec_rank_i,
  input  wire [DATA_WAYS-1:0]        rec_reused_i,
  input  wire [DATA_WAYS-1:0]        rec_used_i,
  input  wire [DATA_WAYS-1:0]        rec_pending_i,

  // the decision
  output wire [`BYW_OUTCOME_W-1:0]   outcome_o,        // BYW_HIT .. BYW_RSFAIL
  // the request is a store and refused; a store needs only a queue slot
  output wire                        store_refused_o,
  output wire                        refused_o,        // outcome_o is BYW_RSFAIL
  // the request is not refused, and not line_given_up_o with line_dirty_i
  output wire                        req_can_leave_o,

  // the outcome if not refused, available early
  output wire                        hit_o,            // BYW_HIT
  output wire                        hit_answered_o,   // a hit that s3 answers
  output wire                        load_miss_o,      // a load with BYW_MISS
  output wire                        load_merge_o,     // BYW_HIT_PENDING
  output wire                        req_bypass_o,     // BYW_BYPASS
  output wire                        line_store_o,     // a store that writes its line
  // the line of way_o is evicted or bypassed
  output wire                        line_given_up_o,
  // rec_*_o is written; 0 for a continued access that would only touch or count
  output wire                        rec_write_o,
  output wire                        rec_rank_only_o,  // only by BYW_SET_TOUCH or BYW_SET_COUNT

  output wire [`BYW_RSFAIL_W-1:0]    reason_o,         // valid if refused_o

  // effects, valid if the request leaves
  output wire [`BYW_ACTION_W-1:0]    action_o,         // BYW_SET_*
  output wire [`BYW_NOTE_W-1:0]      note_o,           // BYW_NOTE_*
  output wire [`BYW_CAUSE_W-1:0]     cause_o,          // BYW_CAUSE_*, if bypassed
  output wire [TAG_IW-1:0]           tag_o,
  output wire [WAY_IW-1:0]           way_o, // way of TOUCH, COMMIT, RELEASE, line_evict_o, hit
  output wire                        line_evict_o,     // the filled line of way_o is evicted
  output wire                        mshr_detach_o,    // the MSHR of the line is detached
  output wire                        line_drop_o,      // the line is given up
  output wire                        key_write_o,      // with rec_*_o: the key goes into tag_o

  output wire                        filter_off_o,     // the filter is off
  output wire                        blind_o,          // the mode does no tag lookup
  output wire                        hit_committed_o,  // the line is committed in way_o
  output wire                        hit_pending_o,    // the line in way_o is pending
  output wire [WAY_IW-1:0]           look_way_o,       // way in the record examined in this cycle
  output wire                        look_committed_o, // the line in that record is committed
  output wire                        lfu_search_o,     // LOOK: see byw_l1d_look

  // the record after the decision
  output wire [TAG_WAYS*2-1:0]       rec_status_o,
  output wire [TAG_WAYS*RC_W-1:0]    rec_rc_o,
  output wire [TAG_WAYS*WAY_IW-1:0]  rec_pos_o,
  output wire [TAG_WAYS*TAG_IW-1:0]  rec_age_o,
  output wire [DATA_WAYS*TAG_IW-1:0] rec_owner_o,
  output wire [DATA_WAYS*RANK_W-1:0] rec_rank_o,
  output wire [DATA_WAYS-1:0]        rec_reused_o,
  output wire [DATA_WAYS-1:0]        rec_used_o,
  output wire [DATA_WAYS-1:0]        rec_pending_o
);
  `include "byw_defs.vh"

  generate
    if ((DATA_WAYS < 1) || (DATA_WAYS > 64)) begin : gen_check_data_ways
      byw_policy_DATA_WAYS_must_be_1_to_64 u_error ();
    end
    if ((TAG_WAYS < DATA_WAYS) || (TAG_WAYS > 128)) begin : gen_check_tag_ways
      byw_policy_TAG_WAYS_must_be_DATA_WAYS_to_128 u_error ();
    end
    if ((RC_W < 1) || (RC_W > 8)) begin : gen_check_rc
      byw_policy_RC_W_must_be_1_to_8 u_error ();
    end
  endgenerate

  wire [1:0] mode         = cfg_i[BYW_CFG_MODE_LSB +: 2];
  wire       rc_on_hit    = cfg_i[BYW_CFG_RC_ON_HIT_LSB];
  wire       decoupled    = mode == BYW_MODE_DECOUPLED;

  assign blind_o = mode == BYW_MODE_BYPASS_ALL;

  wire            look_filter_off, rc_never, look_lfu_search;
  wire [RC_W-1:0] rc_least;
  byw_policy_cfg #(.RC_W(RC_W), .LOOK(LOOK)) u_cfg (
    .clk_i(clk_i), .cfg_i(cfg_i), .filter_on_i(filter_on_i), .filter_off_o(filter_off_o),
    .look_filter_off_o(look_filter_off), .rc_least_o(rc_least), .rc_never_o(rc_never)
  );

  // ---- facts about the record, from this cycle or from the look stage
  localparam integer FACTS_W = 8 + RC_W + WAY_IW + 2*TAG_IW;

  wire [TAG_WAYS-1:0] look_hit_tags = hit_tags_i & {TAG_WAYS{hit_i}};
  wire [2:0]          tag_state;                           // {candidate, committed, pending}
  byw_tag_match #(.TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS)) u_there (
    .equal_i(look_hit_tags), .status_i(rec_status_i), .pos_i(rec_pos_i), .pending_i(rec_pending_i),
    .candidate_o(tag_state[2]), .committed_o(tag_state[1]), .pending_o(tag_state[0])
  );

  wire [VIEW_W-1:0]  view = (LOOK != 0) ? view_i :
    {tag_state, look_hit_tags, rec_status_i, rec_rc_i, rec_pos_i, rec_age_i, rec_owner_i,
        rec_rank_i,
     rec_used_i, rec_pending_i};
  // With LOOK the LFU tag is searched in s2; a request that needs it waits one cycle.  The eligible
  // tags and their pairwise order are computed in look.
  localparam integer LFU_W   = TAG_IW + 1 + WAY_IW;
  localparam integer FLAT    = ((LOOK != 0) && (TAG_WAYS <= 8)) ? 1 : 0;
  localparam integer AGE_LSB = DATA_WAYS * (TAG_IW + RANK_W + 2);
  localparam integer POS_LSB = AGE_LSB + TAG_WAYS * TAG_IW;
  localparam integer RC_LSB  = POS_LSB + TAG_WAYS * WAY_IW;
  localparam integer ST_LSB  = RC_LSB + TAG_WAYS * RC_W;
  wire [LFU_W-1:0]   lfu;

  wire [FACTS_W-1:0] look_view_facts;
  byw_policy_look #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W), .REPL(REPL), .SET_IW(SET_IW),
    .PC_W(PC_W)
  ) u_look (
    .filter_off_i(look_filter_off),
    .rc_init_i(cfg_i[BYW_CFG_RC_INIT_LSB]),
    .rc_least_i(rc_least),
    .rc_never_i(rc_never),
    .view_i(view),
    .lfu_i((LOOK != 0) ? {LFU_W{1'b0}} : lfu),

    // used only by the replacement policy, see byw_repl
    .set_i(set_i),
    .pc_i(pc_i),
    .random_i(random_i),
    .unprotected_i(unprotected_i),

    .facts_o(look_view_facts),
    .lfu_search_o(look_lfu_search),
    .hit_way_o(look_way_o)
  );

  byw_policy_lfu #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W), .FLAT(FLAT)
  ) u_lfu (
    .clk_i(clk_i), .look_i(look_moves_i || view_s2_i), .lfu_all_i(cfg_i[BYW_CFG_LFU_ALL_LSB]),
    .status_i((FLAT != 0) ? view[ST_LSB +: 2*TAG_WAYS] : rec_status_i),
    .rc_i((FLAT != 0) ? view[RC_LSB +: TAG_WAYS*RC_W] : rec_rc_i),
    .pos_i((FLAT != 0) ? view[POS_LSB +: TAG_WAYS*WAY_IW] : rec_pos_i),
    .age_i((FLAT != 0) ? view[AGE_LSB +: TAG_WAYS*TAG_IW] : rec_age_i),
    .pending_i((FLAT != 0) ? view[DATA_WAYS-1:0] : rec_pending_i), .lfu_o(lfu)
  );

  localparam integer SEEN_W = FACTS_W - 1;
  localparam integer PLAN_W = 20;

  wire [RC_W-1:0]   look_rc;
  wire [TAG_IW-1:0] look_tag, look_old_tag;
  wire [WAY_IW-1:0] look_way;
  wire look_view_candidate, look_view_committed, look_view_pending, look_rc_reached,
       look_tag_available, look_tag_owns_line, look_way_available, look_victim_owned;

  assign {look_view_candidate, look_view_committed, look_view_pending, look_rc, look_rc_reached,
          look_tag_available, look_tag_owns_line, look_way_available, look_victim_owned, look_tag,
          look_way, look_old_tag} = look_view_facts;

  wire look_match_valid = hit_i && !blind_o;                  // a match is valid
  wire look_candidate   = look_view_candidate && look_match_valid;
  wire look_committed   = look_view_committed && look_match_valid;
  wire look_pending     = look_view_pending && look_match_valid;
  assign look_committed_o = look_committed;
  wire [SEEN_W-1:0] look_facts = {look_candidate, look_committed, look_pending, look_rc,
                                  look_tag_available, look_tag_owns_line, look_way_available,
                                  look_victim_owned, look_tag, look_way, look_old_tag};
  wire [SEEN_W-1:0] s2_facts;

  // ---- facts about the request, likewise
  wire look_force_bypass, look_mode_bypass, look_load_filtered, look_line_wanted,
       look_wanted_if_hot, look_pc_query, look_pending_hit, look_filled_hit, look_hit_answered;
  wire look_store_needs_slot, look_insert_last, look_line_drop, look_drop_ages_set, look_line_store,
       look_candidate_count, look_clean_line_first;
  wire look_bypass_if_dead, look_filter_fallback, look_bypass_if_stalled;
  wire [PLAN_W-1:0] look_plan = {look_force_bypass, look_mode_bypass, look_load_filtered,
                                 look_line_wanted, look_wanted_if_hot, look_pc_query,
                                 look_pending_hit, look_filled_hit, look_hit_answered,
                                 look_store_needs_slot, look_insert_last, look_line_drop,
                                 look_drop_ages_set, look_line_store, look_candidate_count,
                                 look_clean_line_first, look_bypass_if_dead, look_filter_fallback,
                                 look_bypass_if_stalled, req_more_i};
  wire [PLAN_W-1:0] s2_plan;

  byw_policy_plan u_plan (
    .cfg_i(cfg_i),
    .filter_off_i(look_filter_off),
    .blind_i(blind_o),

    // the request
    .op_i(op_i),
    .hint_i(hint_i),
    .bypass_mode_i(adv_bypass_i),
    .more_i(req_more_i),

    // its line; all 0 if the mode does no tag lookup
    .candidate_i(look_candidate),
    .committed_i(look_committed),
    .pending_i(look_pending),
    .rc_reached_i(look_rc_reached),
    .way_available_i(look_way_available),
    .pc_on_i(adv_on_i),

    .force_bypass_o(look_force_bypass),
    .mode_bypass_o(look_mode_bypass),
    .load_filtered_o(look_load_filtered),
    .line_wanted_o(look_line_wanted),
    .wanted_if_hot_o(look_wanted_if_hot),
    .pc_query_o(look_pc_query),
    .bypass_if_dead_o(look_bypass_if_dead),
    .pending_hit_o(look_pending_hit),
    .filled_hit_o(look_filled_hit),
    .hit_answered_o(look_hit_answered),
    .store_needs_slot_o(look_store_needs_slot),
    .insert_last_o(look_insert_last),
    .filter_fallback_o(look_filter_fallback),
    .bypass_if_stalled_o(look_bypass_if_stalled),
    .line_drop_o(look_line_drop),
    .drop_ages_set_o(look_drop_ages_set),
    .line_store_o(look_line_store),
    .candidate_count_o(look_candidate_count),
    .clean_line_first_o(look_clean_line_first)
  );

  generate
    if (LOOK == 0) begin : gen_now
      assign s2_facts = look_facts;
      assign s2_plan  = look_plan;
      assign lfu_search_o = 1'b0;
      wire unused_look = &{1'b0, clk_i, look_moves_i, view_i, view_s2_i, look_lfu_search};
    end else begin : gen_look
      wire lfu_search_done;
      byw_policy_seen #(
        .TAG_IW(TAG_IW), .WAY_IW(WAY_IW), .RC_W(RC_W), .PLAN_W(PLAN_W)
      ) u_seen (
        .clk_i(clk_i),
        .look_moves_i(look_moves_i),
        .view_s2_i(view_s2_i),
        .lfu_search_i(look_lfu_search),

        .look_facts_i(look_facts),
        .look_plan_i(look_plan),
        .lfu_i(lfu),

        .s2_facts_o(s2_facts),
        .s2_plan_o(s2_plan),
        .lfu_search_o(lfu_search_done)
      );
      assign lfu_search_o = lfu_search_done && load_filtered;
    end
  endgenerate

  wire [TAG_IW-1:0] old_tag;
  wire [RC_W-1:0]   rc_next;
  wire              hit_candidate, tag_available, tag_owns_line, way_available, victim_owned;
  wire              force_bypass, mode_bypass, load_filtered, plan_line_wanted, wanted_if_hot,
                    pending_hit, store_needs_slot, insert_last;
  wire              line_drop, drop_ages_set, candidate_count, clean_line_first, bypass_if_dead,
                    filter_fallback, bypass_if_stalled;
  wire              req_more;

  assign {hit_candidate, hit_committed_o, hit_pending_o, rc_next, tag_available, tag_owns_line,
          way_available, victim_owned, tag_o, way_o, old_tag} = s2_facts;
  assign {force_bypass, mode_bypass, load_filtered, plan_line_wanted, wanted_if_hot, pc_query_o,
          pending_hit, hit_o, hit_answered_o, store_needs_slot, insert_last, line_drop,
          drop_ages_set, line_store_o, candidate_count, clean_line_first, bypass_if_dead,
          filter_fallback, bypass_if_stalled, req_more} = s2_plan;

  // ---- what a load wants, including the advice
  wire predicted_dead = bypass_if_dead && adv_dead_i;
  (* keep *) wire filter_decides, filter_writes_rec;
  assign filter_decides = load_filtered && !predicted_dead;
  wire line_wanted      = plan_line_wanted || (wanted_if_hot && adv_hot_i);

  // ---- what the load gets.  Each request needs one kind of resource; some loads may lack it
  wire line_granted, line_denied, merge_denied, bypass_chosen, tag_loss_ages;

  byw_policy_grant u_grant (
    // what the request wants, see byw_policy_plan
    .load_filtered_i(load_filtered),
    .pending_hit_i(pending_hit),
    .force_bypass_i(force_bypass),
    .predicted_dead_i(predicted_dead),
    .line_wanted_i(line_wanted),
    .store_needs_slot_i(store_needs_slot),
    .bypass_if_stalled_i(bypass_if_stalled),
    .filter_fallback_i(filter_fallback),
    .clean_line_first_i(clean_line_first),

    // the lines of the set
    .way_available_i(way_available),
    .victim_owned_i(victim_owned),
    .tag_owns_line_i(tag_owns_line),
    .line_dirty_i(line_dirty_i),

    // resources available in this cycle
    .miss_slot_free_i(res_miss_slot_i),
    .bypass_slot_free_i(res_bypass_slot_i),
    .mshr_free_i(res_mshr_i),
    .list_room_i(res_merge_i),

    .line_granted_o(line_granted),
    .line_denied_o(line_denied),
    .merge_denied_o(merge_denied),
    .bypass_chosen_o(bypass_chosen),
    .store_refused_o(store_refused_o),
    .refused_o(refused_o),
    .load_miss_o(load_miss_o),
    .load_merge_o(load_merge_o),
    .line_given_up_o(line_given_up_o),
    .req_can_leave_o(req_can_leave_o)
  );

  // diverted, if it is not refused
  wire load_diverted  = mode_bypass || predicted_dead || merge_denied ||
                        (line_denied && !filter_fallback);
  assign req_bypass_o = bypass_chosen || merge_denied || line_denied;

  // ---- the action on the record, assuming that the request is not refused
  wire [`BYW_ACTION_W-1:0] loc_action;
  wire [1:0]        loc_note, commit_ages;

  byw_locality u_locality (
    .cfg_i(cfg_i),
    .filter_off_i(filter_off_o),
    .line_commit_i(line_wanted && line_granted),

    // result of byw_policy_look
    .candidate_i(hit_candidate),
    .tag_available_i(tag_available),
    .tag_owns_line_i(tag_owns_line),
    .victim_owned_i(victim_owned),

    // the decision
    .action_o(loc_action),
    .note_o(loc_note),
    .commit_ages_o(commit_ages),
    .tag_loss_ages_o(tag_loss_ages)
  );

  // the filter decides
  wire filter_result_used = filter_decides && !(line_denied && !filter_fallback);
  wire line_touch         = hit_answered_o || line_store_o || load_merge_o;
  // The line to clean is the one evicted, except for a load that bypasses a present line.
  wire line_evict = line_drop ? !hit_pending_o : filter_decides && line_given_up_o;

  wire [`BYW_ACTION_W-1:0] action = line_drop ? BYW_SET_RELEASE : line_touch ? BYW_SET_TOUCH :
                                    candidate_count ? BYW_SET_COUNT : filter_result_used ?
                                    loc_action : BYW_SET_KEEP;

  // The filter's loads are the ones that do not drop, touch or count a present line.
  assign filter_writes_rec = line_wanted ? line_granted || (filter_fallback && tag_available) :
                             tag_available;
  assign rec_write_o       = line_drop || (filter_decides && filter_writes_rec) ||
                             (!req_more &&
                             (hit_answered_o || line_store_o || candidate_count || load_merge_o));

  // ---- outputs of the decision
  assign outcome_o = refused_o ? BYW_RSFAIL : hit_o ? BYW_HIT : load_merge_o ? BYW_HIT_PENDING :
                     (load_miss_o || store_needs_slot) ? BYW_MISS : BYW_BYPASS;
  assign reason_o = store_needs_slot ? BYW_RSFAIL_MISS_QUEUE :
                    (bypass_chosen || bypass_if_stalled) ? BYW_RSFAIL_ICNT :
                    pending_hit ? BYW_RSFAIL_MERGE : !way_available ? BYW_RSFAIL_LINE :
                    !res_miss_slot_i ? BYW_RSFAIL_MISS_QUEUE : BYW_RSFAIL_MSHR;
  assign action_o      = action;
  assign note_o        = filter_result_used ? loc_note : BYW_NOTE_NONE;
  assign line_drop_o   = line_drop;
  assign line_evict_o  = line_evict;
  assign mshr_detach_o = line_drop && hit_pending_o;
  assign cause_o       = !load_diverted ? BYW_CAUSE_NONE : mode_bypass ? BYW_CAUSE_MODE :
                         predicted_dead      ? BYW_CAUSE_DEAD : BYW_CAUSE_STALL;

  // ---- the record after, if it is written; this needs fewer conditions than the decision.  The RC
  // of a touched line is read again, because another touch may have followed the look.
  wire                     touch_if_accepted = hit_answered_o || line_store_o || pending_hit;
  wire                     line_commit   = load_filtered && line_wanted && line_granted;
  wire                     rec_rank_only = touch_if_accepted || (hit_candidate && !line_commit);
  wire [`BYW_ACTION_W-1:0] set_action    = line_drop ? BYW_SET_RELEASE :
                                           touch_if_accepted ? BYW_SET_TOUCH : line_commit ?
                                           BYW_SET_COMMIT :
                                           hit_candidate ? BYW_SET_COUNT : BYW_SET_INSTALL;
  assign rec_rank_only_o = rec_rank_only;
  assign key_write_o     = !line_drop && !rec_rank_only;
  // ages on a commit (high bits), otherwise (low bit); line_commit arrives last
  (* keep *) wire [2:0]    ages_if_accepted;
  assign ages_if_accepted = line_drop ? {1'b0, {2{drop_ages_set}}} :
                            {commit_ages, load_filtered && tag_loss_ages};
  wire [1:0]               set_ages = line_commit ? ages_if_accepted[2:1] :
                                      {1'b0, ages_if_accepted[0]};
  wire [RC_W-1:0] rc_next_now;

  generate
    if (LOOK == 0) begin : gen_rc
      assign rc_next_now = rc_next;
    end else begin : gen_rc_now
      wire [RC_W-1:0] rc_hit;
      byw_mux #(.N(TAG_WAYS), .W(RC_W), .TREE(1)) u_rc_hit (
        .data_i(rec_rc_i), .sel_i(tag_o), .data_o(rc_hit)
      );
      assign rc_next_now = !touch_if_accepted ? rc_next : (&rc_hit) ? rc_hit : rc_hit + 1'b1;
    end
  endgenerate

  byw_set_apply #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W)
  ) u_apply (
    // the decision
    .action_i(set_action),
    .off_i(filter_off_o),
    .rc_on_hit_i(rc_on_hit),
    .tag_lru_i(decoupled),
    .tag_i(tag_o),
    .old_valid_i(victim_owned),
    .old_tag_i(old_tag),
    .way_i(way_o),
    .rc_i(rc_next_now),
    .ages_i(set_ages),

    // the record before
    .tag_status_i(rec_status_i),
    .tag_rc_i(rec_rc_i),
    .tag_pos_i(rec_pos_i),
    .tag_age_i(rec_age_i),
    .way_owner_i(rec_owner_i),
    .way_reused_i(rec_reused_i),
    .way_used_i(rec_used_i),
    .way_pending_i(rec_pending_i),

    // the record after
    .tag_status_o(rec_status_o),
    .tag_rc_o(rec_rc_o),
    .tag_pos_o(rec_pos_o),
    .tag_age_o(rec_age_o),
    .way_owner_o(rec_owner_o),
    .way_reused_o(rec_reused_o),
    .way_used_o(rec_used_o),
    .way_pending_o(rec_pending_o)
  );

  wire [DATA_WAYS-1:0] eligible = rec_used_i & ~rec_pending_i;
  wire [WAY_IW-1:0]    no_victim;

  byw_repl #(.WAYS(DATA_WAYS), .REPL(REPL), .SET_IW(SET_IW), .PC_W(PC_W)) u_repl (
    .rank_i(rec_rank_i),
    .eligible_i(eligible),
    .victim_o(no_victim),

    .set_i(set_i),
    .pc_i(pc_i),
    .random_i(random_i),

    .touch_i(touch_if_accepted),
    .evict_i(line_commit && victim_owned),
    .insert_i(line_commit),
    .last_i(insert_last),
    .way_i(way_o),
    .rank_o(rec_rank_o)
  );

  wire unused_ok = &{1'b0, cfg_i, no_victim};
  `BYW_HOLDS(what_leaves_is_not_refused, (LOOK == 0) && req_can_leave_o, !refused_o)
  `BYW_HOLDS(refusal_is_an_outcome, 1'b1, refused_o == (outcome_o == BYW_RSFAIL))
endmodule

`default_nettype wire
