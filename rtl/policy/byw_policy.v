// SPDX-License-Identifier: Apache-2.0
//
// byw_policy - the single decision point: maps record, request, mode, hint and resources to an
//              outcome and a new record.
//
// Behaviour   outcome_o is hit, pending hit, miss, bypass, or a refusal with reason_o.  rec_*_o is
//             the record to write if the decision is accepted and writes_record_o is 1; otherwise
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
// LOOK        0        0, 1             without it, clk_i, moves_i and view_i are unused
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
  input  wire                        moves_i,
  input  wire [VIEW_W-1:0]           view_i,           // see byw_tag_look
  input  wire                        view_s2_i,        // view_i shows rec_*_i

  input  wire [31:0]                 cfg_i,            // policy register, see byw_csr.def
  input  wire                        filter_on_i,
  input  wire [2:0]                  op_i,             // BYW_OP_LOAD .. BYW_OP_LOCAL_STORE
  input  wire [2:0]                  hint_i,           // BYW_HINT_*
  input  wire                        more_i,           // continues an access
  input  wire                        hit_i,            // the tag match is valid
  input  wire [TAG_WAYS-1:0]         hit_tags_i,       // the valid tag way whose key matches

  // used only by the replacement policy, see byw_repl
  input  wire [SET_IW-1:0]           set_i,
  input  wire [PC_W-1:0]             pc_i,
  input  wire [`BYW_REPL_RANDOM_W-1:0] random_i,
  input  wire [DATA_WAYS-1:0]        spare_i,          // all ones, or see byw_protection

  // advice of the other mechanisms for a load
  input  wire                        adv_bypass_i,     // two-level: taken in bypass mode
  input  wire                        adv_on_i,         // PC predictor: on
  input  wire                        adv_hot_i,        // PC predictor: cache at the first touch
  input  wire                        adv_dead_i,       // PC predictor: no reuse expected
  output wire                        asks_o,           // the load asks the PC predictor

  // resources available in this cycle
  input  wire                        res_miss_slot_i,
  input  wire                        res_bypass_slot_i,
  input  wire                        res_mshr_i,
  input  wire                        res_merge_i,
  input  wire                        dirty_i,          // the line of way_o is dirty

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
  output wire                        goes_o,           // not refused, and not cleans_o with dirty_i

  // the outcome if not refused, available early
  output wire                        hit_o,            // BYW_HIT
  output wire                        answers_o,        // a hit that s3 answers
  output wire                        misses_o,         // a load with BYW_MISS
  output wire                        merges_o,         // BYW_HIT_PENDING
  output wire                        bypasses_o,       // BYW_BYPASS
  output wire                        writes_o,         // a store that writes its line
  // the line of way_o is evicted or bypassed
  output wire                        cleans_o,
  // rec_*_o is written; 0 for a continued access that would only touch or count
  output wire                        writes_record_o,
  output wire                        ranks_o,          // only by BYW_SET_TOUCH or BYW_SET_COUNT

  output wire [`BYW_RSFAIL_W-1:0]    reason_o,         // valid if refused_o

  // effects, valid if the request leaves
  output wire [`BYW_ACTION_W-1:0]    action_o,         // BYW_SET_*
  output wire [`BYW_NOTE_W-1:0]      note_o,           // BYW_NOTE_*
  output wire [`BYW_CAUSE_W-1:0]     cause_o,          // BYW_CAUSE_*, if bypassed
  output wire [TAG_IW-1:0]           tag_o,
  output wire [WAY_IW-1:0]           way_o,            // of TOUCH, COMMIT, RELEASE, leaves_o, hit
  output wire                        leaves_o,         // the filled line of way_o is evicted
  output wire                        orphan_o,         // the MSHR of the line is detached
  output wire                        drops_o,          // the line is given up
  output wire                        writes_key_o,     // with rec_*_o: the key goes into tag_o

  output wire                        off_o,            // the filter is off
  output wire                        blind_o,          // the mode does no tag lookup
  output wire                        hit_committed_o,  // the line is committed in way_o
  output wire                        hit_pending_o,    // that line is pending
  output wire [WAY_IW-1:0]           look_way_o,       // of the record examined in this cycle
  output wire                        look_committed_o, // its line is committed
  output wire                        seeks_o,          // LOOK: see byw_l1d_look

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

  wire            look_off, never, now_seeks;
  wire [RC_W-1:0] least;
  byw_policy_cfg #(.RC_W(RC_W), .LOOK(LOOK)) u_cfg (
    .clk_i(clk_i), .cfg_i(cfg_i), .filter_on_i(filter_on_i), .off_o(off_o),
    .look_off_o(look_off), .least_o(least), .never_o(never)
  );

  // ---- facts about the record, from this cycle or from the look stage
  localparam integer FACTS_W = 8 + RC_W + WAY_IW + 2*TAG_IW;

  wire [TAG_WAYS-1:0] hit_now = hit_tags_i & {TAG_WAYS{hit_i}};
  wire [2:0]          there;                           // {candidate, committed, pending}
  byw_tag_there #(.TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS)) u_there (
    .equal_i(hit_now), .status_i(rec_status_i), .pos_i(rec_pos_i), .pending_i(rec_pending_i),
    .candidate_o(there[2]), .committed_o(there[1]), .pending_o(there[0])
  );

  wire [VIEW_W-1:0]  view = (LOOK != 0) ? view_i :
    {there, hit_now, rec_status_i, rec_rc_i, rec_pos_i, rec_age_i, rec_owner_i, rec_rank_i,
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

  wire [FACTS_W-1:0] facts_now;
  byw_policy_look #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W), .REPL(REPL), .SET_IW(SET_IW),
    .PC_W(PC_W)
  ) u_look (
    .off_i(look_off), .rc_init_i(cfg_i[BYW_CFG_RC_INIT_LSB]), .least_i(least), .never_i(never),
    .view_i(view), .lfu_i((LOOK != 0) ? {LFU_W{1'b0}} : lfu), .set_i(set_i), .pc_i(pc_i),
    .random_i(random_i), .spare_i(spare_i), .facts_o(facts_now), .seeks_o(now_seeks),
    .hit_way_o(look_way_o)
  );

  byw_policy_lfu #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W), .FLAT(FLAT)
  ) u_lfu (
    .clk_i(clk_i), .look_i(moves_i || view_s2_i), .lfu_all_i(cfg_i[BYW_CFG_LFU_ALL_LSB]),
    .status_i((FLAT != 0) ? view[ST_LSB +: 2*TAG_WAYS] : rec_status_i),
    .rc_i((FLAT != 0) ? view[RC_LSB +: TAG_WAYS*RC_W] : rec_rc_i),
    .pos_i((FLAT != 0) ? view[POS_LSB +: TAG_WAYS*WAY_IW] : rec_pos_i),
    .age_i((FLAT != 0) ? view[AGE_LSB +: TAG_WAYS*TAG_IW] : rec_age_i),
    .pending_i((FLAT != 0) ? view[DATA_WAYS-1:0] : rec_pending_i), .lfu_o(lfu)
  );

  localparam integer SEEN_W = FACTS_W - 1;
  localparam integer PLAN_W = 20;

  wire [RC_W-1:0]   now_rc;
  wire [TAG_IW-1:0] now_tag, now_old_tag;
  wire [WAY_IW-1:0] now_way;
  wire now_candidate, now_committed, now_pending, now_reached, now_any_tag, now_owns, now_place,
       now_takes;

  assign {now_candidate, now_committed, now_pending, now_rc, now_reached, now_any_tag, now_owns,
          now_place, now_takes, now_tag, now_way, now_old_tag} = facts_now;

  wire probes    = hit_i && !blind_o;                  // a match is valid
  wire candidate = now_candidate && probes;
  wire committed = now_committed && probes;
  wire pending   = now_pending && probes;
  assign look_committed_o = committed;
  wire [SEEN_W-1:0] seen_now = {candidate, committed, pending, now_rc, now_any_tag, now_owns,
                                now_place, now_takes, now_tag, now_way, now_old_tag};
  wire [SEEN_W-1:0] seen;

  // ---- facts about the request, likewise
  wire now_past, now_by_mode, now_open, now_wants, now_warm, now_asks, now_joins, now_hits,
       now_answers;
  wire now_by_slot, now_last, now_drops, now_drop_ages, now_stores, now_counts, now_cleans;
  wire now_dies, now_falls_back, now_may_bypass;
  wire [PLAN_W-1:0] plan_now = {now_past, now_by_mode, now_open, now_wants, now_warm, now_asks,
                                now_joins, now_hits, now_answers, now_by_slot, now_last,
                                now_drops, now_drop_ages, now_stores, now_counts, now_cleans,
                                now_dies, now_falls_back, now_may_bypass, more_i};
  wire [PLAN_W-1:0] plan;

  byw_policy_plan u_plan (
    .cfg_i(cfg_i), .off_i(look_off), .blind_i(blind_o), .op_i(op_i), .hint_i(hint_i),
    .bypass_i(adv_bypass_i), .candidate_i(candidate), .committed_i(committed), .pending_i(pending),
    .reached_i(now_reached), .past_o(now_past), .by_mode_o(now_by_mode), .open_o(now_open),
    .wants_o(now_wants), .warm_o(now_warm), .asks_o(now_asks), .joins_o(now_joins),
    .hits_o(now_hits), .answers_o(now_answers), .by_slot_o(now_by_slot), .last_o(now_last),
    .drops_o(now_drops), .drop_ages_o(now_drop_ages), .stores_o(now_stores), .counts_o(now_counts),
    .cleans_o(now_cleans), .more_i(more_i), .place_i(now_place), .pc_on_i(adv_on_i),
    .dies_o(now_dies), .falls_back_o(now_falls_back), .may_bypass_o(now_may_bypass)
  );

  generate
    if (LOOK == 0) begin : gen_now
      assign seen = seen_now;
      assign plan = plan_now;
      assign seeks_o = 1'b0;
      wire unused_look = &{1'b0, clk_i, moves_i, view_i, view_s2_i, now_seeks};
    end else begin : gen_look
      wire sought;
      byw_policy_seen #(
        .TAG_IW(TAG_IW), .WAY_IW(WAY_IW), .RC_W(RC_W), .PLAN_W(PLAN_W)
      ) u_seen (
        .clk_i(clk_i), .moves_i(moves_i), .view_s2_i(view_s2_i), .seeks_i(now_seeks),
        .seen_i(seen_now), .plan_i(plan_now), .lfu_i(lfu), .seen_o(seen), .plan_o(plan),
        .seeks_o(sought)
      );
      assign seeks_o = sought && open;
    end
  endgenerate

  wire [TAG_IW-1:0] old_tag;
  wire [RC_W-1:0]   rc_next;
  wire              hit_candidate, any_tag, owns, place, takes;
  wire              past, by_mode, open, wants, warm, joins, by_slot, inserts_last;
  wire              drops_line, drop_ages, counts, cleans_sure, dies, falls_back, may_bypass;
  wire              more;

  assign {hit_candidate, hit_committed_o, hit_pending_o, rc_next, any_tag, owns, place, takes,
          tag_o, way_o, old_tag} = seen;
  assign {past, by_mode, open, wants, warm, asks_o, joins, hit_o, answers_o, by_slot, inserts_last,
          drops_line, drop_ages, writes_o, counts, cleans_sure, dies, falls_back,
          may_bypass, more} = plan;

  // ---- what a load wants, including the advice
  wire dead       = dies && adv_dead_i;
  (* keep *) wire filtered, writes_there;
  assign filtered = open && !dead;
  wire wants_line = wants || (warm && adv_hot_i);

  // ---- what the load gets.  Each request needs one kind of resource; some loads may lack it
  wire gets_line, no_line, no_merge, bypasses, tag_ages;

  byw_policy_goes u_goes (
    .open_i(open), .joins_i(joins), .past_i(past), .dead_i(dead), .wants_line_i(wants_line),
    .by_slot_i(by_slot), .may_bypass_i(may_bypass), .falls_back_i(falls_back),
    .cleans_sure_i(cleans_sure), .place_i(place), .takes_i(takes), .owns_i(owns),
    .dirty_i(dirty_i), .miss_slot_i(res_miss_slot_i), .bypass_slot_i(res_bypass_slot_i),
    .mshr_i(res_mshr_i), .merge_i(res_merge_i), .gets_line_o(gets_line), .no_line_o(no_line),
    .no_merge_o(no_merge), .bypasses_o(bypasses), .store_refused_o(store_refused_o),
    .refused_o(refused_o), .misses_o(misses_o), .merges_o(merges_o), .cleans_o(cleans_o),
    .goes_o(goes_o)
  );

  // diverted, if it is not refused
  wire diverted     = by_mode || dead || no_merge || (no_line && !falls_back);
  assign bypasses_o = bypasses || no_merge || no_line;

  // ---- the action on the record, assuming that the request is not refused
  wire [`BYW_ACTION_W-1:0] loc_action;
  wire [1:0]        loc_note, line_ages;

  byw_locality u_locality (
    .cfg_i(cfg_i), .off_i(off_o), .commits_i(wants_line && gets_line), .hit_i(hit_candidate),
    .any_tag_i(any_tag), .owns_i(owns), .takes_i(takes), .action_o(loc_action), .note_o(loc_note),
    .line_ages_o(line_ages), .tag_ages_o(tag_ages)
  );

  wire kept        = filtered && !(no_line && !falls_back);      // the filter decides
  wire touches     = answers_o || writes_o || merges_o;
  // The line to clean is the one evicted, except for a load that bypasses a present line.
  wire line_leaves = drops_line ? !hit_pending_o : filtered && cleans_o;

  wire [`BYW_ACTION_W-1:0] action = drops_line ? BYW_SET_RELEASE : touches ? BYW_SET_TOUCH :
                                    counts ? BYW_SET_COUNT : kept ? loc_action : BYW_SET_KEEP;

  // The filter's loads are the ones that do not drop, touch or count a present line.
  assign writes_there    = wants_line ? gets_line || (falls_back && any_tag) : any_tag;
  assign writes_record_o = drops_line || (filtered && writes_there) ||
                           (!more && (answers_o || writes_o || counts || merges_o));

  // ---- outputs of the decision
  assign outcome_o    = refused_o ? BYW_RSFAIL : hit_o ? BYW_HIT : merges_o ? BYW_HIT_PENDING :
                        (misses_o || by_slot) ? BYW_MISS : BYW_BYPASS;
  assign reason_o     = by_slot ? BYW_RSFAIL_MISS_QUEUE :
                        (bypasses || may_bypass) ? BYW_RSFAIL_ICNT :
                        joins ? BYW_RSFAIL_MERGE : !place ? BYW_RSFAIL_LINE :
                        !res_miss_slot_i ? BYW_RSFAIL_MISS_QUEUE : BYW_RSFAIL_MSHR;
  assign action_o     = action;
  assign note_o       = kept ? loc_note : BYW_NOTE_NONE;
  assign drops_o      = drops_line;
  assign leaves_o     = line_leaves;
  assign orphan_o     = drops_line && hit_pending_o;
  assign cause_o      = !diverted ? BYW_CAUSE_NONE : by_mode ? BYW_CAUSE_MODE :
                        dead      ? BYW_CAUSE_DEAD : BYW_CAUSE_STALL;

  // ---- the record after, if it is written; this needs fewer conditions than the decision.  The RC
  // of a touched line is read again, because another touch may have followed the look.
  wire                     touches_if = answers_o || writes_o || joins;
  wire                     commits   = open && wants_line && gets_line;
  wire                     ranks     = touches_if || (hit_candidate && !commits);
  wire [`BYW_ACTION_W-1:0] does      = drops_line ? BYW_SET_RELEASE :
                                       touches_if ? BYW_SET_TOUCH : commits ? BYW_SET_COMMIT :
                                       hit_candidate ? BYW_SET_COUNT : BYW_SET_INSTALL;
  assign ranks_o      = ranks;
  assign writes_key_o = !drops_line && !ranks;
  (* keep *) wire [2:0]    ages_if;                // on commit, otherwise; commits arrives last
  assign ages_if = drops_line ? {1'b0, {2{drop_ages}}} : {line_ages, open && tag_ages};
  wire [1:0]               does_ages = commits ? ages_if[2:1] : {1'b0, ages_if[0]};
  wire [RC_W-1:0] rc_set;

  generate
    if (LOOK == 0) begin : gen_rc
      assign rc_set = rc_next;
    end else begin : gen_rc_now
      wire [RC_W-1:0] rc_hit;
      byw_mux #(.N(TAG_WAYS), .W(RC_W), .TREE(1)) u_rc_hit (
        .data_i(rec_rc_i), .sel_i(tag_o), .data_o(rc_hit)
      );
      assign rc_set = !touches_if ? rc_next : (&rc_hit) ? rc_hit : rc_hit + 1'b1;
    end
  endgenerate

  byw_set_apply #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W)
  ) u_apply (
    .action_i(does), .off_i(off_o), .rc_on_hit_i(rc_on_hit), .tag_lru_i(decoupled), .tag_i(tag_o),
    .old_valid_i(takes), .old_tag_i(old_tag), .way_i(way_o), .rc_i(rc_set), .ages_i(does_ages),
    .tag_status_i(rec_status_i), .tag_rc_i(rec_rc_i), .tag_pos_i(rec_pos_i), .tag_age_i(rec_age_i),
    .way_owner_i(rec_owner_i), .way_reused_i(rec_reused_i), .way_used_i(rec_used_i),
    .way_pending_i(rec_pending_i), .tag_status_o(rec_status_o), .tag_rc_o(rec_rc_o),
    .tag_pos_o(rec_pos_o), .tag_age_o(rec_age_o), .way_owner_o(rec_owner_o),
    .way_reused_o(rec_reused_o), .way_used_o(rec_used_o), .way_pending_o(rec_pending_o)
  );

  wire [DATA_WAYS-1:0] eligible = rec_used_i & ~rec_pending_i;
  wire [WAY_IW-1:0]    no_victim;

  byw_repl #(.WAYS(DATA_WAYS), .REPL(REPL), .SET_IW(SET_IW), .PC_W(PC_W)) u_repl (
    .rank_i(rec_rank_i), .eligible_i(eligible), .victim_o(no_victim), .set_i(set_i), .pc_i(pc_i),
    .random_i(random_i), .touch_i(touches_if), .evict_i(commits && takes),
    .insert_i(commits), .last_i(inserts_last), .way_i(way_o), .rank_o(rec_rank_o)
  );

  wire unused_ok = &{1'b0, cfg_i, no_victim};
  `BYW_HOLDS(what_leaves_is_not_refused, (LOOK == 0) && goes_o, !refused_o)
  `BYW_HOLDS(refusal_is_an_outcome, 1'b1, refused_o == (outcome_o == BYW_RSFAIL))
endmodule

`default_nettype wire
