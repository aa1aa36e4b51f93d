// SPDX-License-Identifier: Apache-2.0
//
// byw_policy - the one decision point: (record, request, mode, hint, resources) to outcome and
//              new record.
//
// Behaviour   outcome_o is hit, pending hit, miss, bypass or a refusal with reason_o; rec_*_o is
//             the record as it must be written if the decision is accepted, equal to rec_*_i when
//             action_o is KEEP (every refusal).  Modes: base, bypass_all (no probe), decoupled (the
//             locality filter while filter_on_i).  Each mode combines with bypass mode, the PC
//             predictor's advice and stall bypass, which are tested in this order; a load that they
//             divert leaves the record alone.  Pure and combinational; with LOOK, what the decision
//             needs to know of the record (byw_policy_look) is that of view_i in the last cycle of
//             look_i, and hit_i says whether its match counts.
// Paper       000; MECHANISMS 0.1 to 0.3, 1.3, 1.5; rtl/doc/policy.md.
// C twin      cmodel/policy/byw_policy.c; checked by verif/policy/lockstep_policy.c.
//
// Parameter   Default  Range            Meaning
// TAG_WAYS    8        DATA_WAYS..128   tag ways of a set
// DATA_WAYS   4        1..64            data ways of a set
// KEY_W       28       1..60            line address bits above the set index
// RC_W        6        1..8             reference counter
// REPL        0        0, 1             replacement: 0 LRU, 1 SRRIP
// SET_IW      5                         number of a set
// PC_W        32                        PC
// LOOK        0        0, 1             the look stage; without it clk_i, look_i, view_i mean nothing
// TAG_IW, WAY_IW, RANK_W                derived, not to be set
//
`default_nettype none
`include "byw_widths.vh"

module byw_policy #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer KEY_W     = 28,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer REPL      = 0,
  parameter integer SET_IW    = 5,
  parameter integer PC_W      = 32,
  parameter integer LOOK      = 0,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer RANK_W    = `BYW_REPL_RANK_W(REPL, WAY_IW),
  parameter integer VIEW_W    = TAG_WAYS * (3 + RC_W + WAY_IW + TAG_IW) +
                                DATA_WAYS * (TAG_IW + RANK_W + 2)
) (
  input  wire                        clk_i,
  input  wire                        look_i,
  input  wire [VIEW_W-1:0]           view_i,           // see byw_tag_look

  input  wire [31:0]                 cfg_i,            // policy register, see byw_csr.def
  input  wire                        filter_on_i,
  input  wire [2:0]                  op_i,             // BYW_OP_LOAD .. BYW_OP_LOCAL_STORE
  input  wire [2:0]                  hint_i,           // BYW_HINT_*
  input  wire [KEY_W-1:0]            key_i,
  input  wire                        hit_i,            // the match counts
  input  wire [TAG_WAYS-1:0]         hit_tags_i,       // the valid tag way that holds key_i

  // what only the replacement policy looks at, see byw_repl
  input  wire [SET_IW-1:0]           set_i,
  input  wire [PC_W-1:0]             pc_i,
  input  wire [`BYW_REPL_RANDOM_W-1:0] random_i,
  input  wire [DATA_WAYS-1:0]        spare_i,          // all ones, or see byw_protection

  // advice: what the other mechanisms say about a load
  input  wire                        adv_bypass_i,     // two-level: it was taken in bypass mode
  input  wire                        adv_hot_i,        // PC predictor: worth a line at once
  input  wire                        adv_dead_i,       // PC predictor: no reuse expected
  output wire                        asks_o,           // it asks the PC predictor

  // what can be had in this cycle
  input  wire                        res_miss_slot_i,
  input  wire                        res_bypass_slot_i,
  input  wire                        res_mshr_i,
  input  wire                        res_merge_i,

  // the record before
  input  wire [TAG_WAYS*KEY_W-1:0]   rec_key_i,
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
  output wire                        refused_o,        // outcome_o is BYW_RSFAIL
  output wire                        hit_o,            // it is BYW_HIT, if not refused
  output wire [`BYW_RSFAIL_W-1:0]    reason_o,         // when refused
  output wire [`BYW_ACTION_W-1:0]    action_o,         // BYW_SET_*
  output wire [`BYW_NOTE_W-1:0]      note_o,           // BYW_NOTE_*
  output wire [`BYW_CAUSE_W-1:0]     cause_o,          // BYW_CAUSE_*, of a bypass
  output wire [TAG_IW-1:0]           tag_o,
  output wire [WAY_IW-1:0]           way_o,            // TOUCH, COMMIT, RELEASE, leaves_o, hit
  output wire                        leaves_o,         // the filled line of way_o leaves
  output wire                        orphan_o,         // the MSHR of the line is detached
  output wire                        writes_key_o,     // key_i goes into tag_o (with KEEP: not)
  output wire                        off_o,            // the filter is off
  output wire                        blind_o,          // mode without a probe
  output wire                        hit_committed_o,  // the line is committed in way_o
  output wire                        hit_pending_o,    // and its fill is outstanding
  output wire [WAY_IW-1:0]           look_way_o,       // of the record looked at in this cycle

  // the record after
  output wire [TAG_WAYS*KEY_W-1:0]   rec_key_o,
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
  wire [1:0] byp_on_hit   = cfg_i[BYW_CFG_BYP_ON_HIT_LSB +: 2];
  wire [1:0] stall        = cfg_i[BYW_CFG_STALL_BYPASS_LSB +: 2];
  wire       rc_on_hit    = cfg_i[BYW_CFG_RC_ON_HIT_LSB];
  wire       age_on_evict = cfg_i[BYW_CFG_AGE_ON_EVICT_LSB];
  wire       decoupled    = mode == BYW_MODE_DECOUPLED;
  wire       is_load      = (op_i == BYW_OP_LOAD) || (op_i == BYW_OP_LOCAL_LOAD);
  wire       is_store     = (op_i == BYW_OP_STORE) || (op_i == BYW_OP_LOCAL_STORE);

  assign blind_o = mode == BYW_MODE_BYPASS_ALL;
  assign off_o   = !decoupled || !filter_on_i || (cfg_i[BYW_CFG_THRESHOLD_LSB +: 6] == 6'd0);

  // ---- what the record says, now or when it was looked at
  localparam integer FACTS_W = 8 + RC_W + WAY_IW + 2*TAG_IW;

  wire [VIEW_W-1:0]  view = (LOOK != 0) ? view_i :
    {hit_tags_i & {TAG_WAYS{hit_i}}, rec_status_i, rec_rc_i, rec_pos_i, rec_age_i, rec_owner_i, rec_rank_i,
     rec_used_i, rec_pending_i};
  wire [FACTS_W-1:0] facts_now, facts;

  byw_policy_look #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .RC_W(RC_W), .REPL(REPL), .SET_IW(SET_IW),
    .PC_W(PC_W), .FLAT(((LOOK != 0) && (TAG_WAYS <= 8)) ? 1 : 0)
  ) u_look (
    .cfg_i(cfg_i), .off_i(off_o), .view_i(view), .set_i(set_i), .pc_i(pc_i), .random_i(random_i),
    .spare_i(spare_i), .facts_o(facts_now), .hit_way_o(look_way_o)
  );

  generate
    if (LOOK == 0) begin : gen_now
      assign facts = facts_now;
      wire unused_look = &{1'b0, clk_i, look_i, view_i};
    end else begin : gen_look
      reg [FACTS_W-1:0] facts_q;
      always @(posedge clk_i) begin : p_facts
        if (look_i) facts_q <= facts_now;
      end
      assign facts = facts_q;
    end
  endgenerate

  wire [TAG_IW-1:0] old_tag;
  wire [RC_W-1:0]   rc_next;
  wire              candidate, committed, pending, reached, any_tag, owns, place, takes;

  assign {candidate, committed, pending, rc_next, reached, any_tag, owns, place, takes, tag_o,
          way_o, old_tag} = facts;

  wire hit_counts    = (LOOK == 0) || hit_i;
  wire hit_candidate = candidate && hit_counts;

  assign hit_committed_o = committed && hit_counts;
  assign hit_pending_o   = pending && hit_counts;

  // ---- the three deciders, in parallel
  wire [`BYW_OUTCOME_W-1:0] loc_outcome;
  wire [`BYW_RSFAIL_W-1:0] loc_reason;
  wire [`BYW_ACTION_W-1:0] loc_action;
  wire [`BYW_OUTCOME_W-1:0] wr_outcome;
  wire [`BYW_RSFAIL_W-1:0] wr_reason;
  wire [1:0]        loc_note, loc_ages;
  wire              loc_leaves;
  wire              wr_release, wr_ages, wr_touch, wr_count;

  wire       hint_past, hint_at_once, hint_last;
  wire [1:0] hint_on_hit;
  wire [2:0] rdna2_hint;
  wire       at_once = hint_at_once || (adv_hot_i && (hint_i == BYW_HINT_NONE));

  byw_hint u_hint (
    .hint_i(hint_i), .on_hit_i(byp_on_hit), .bypass_o(hint_past), .at_once_o(hint_at_once),
    .last_o(hint_last), .on_hit_o(hint_on_hit), .volatile_i(1'b0), .nontemporal_i(1'b0),
    .level_i(BYW_LEVEL_L1), .rdna2_hint_o(rdna2_hint)
  );

  byw_locality u_locality (
    .cfg_i(cfg_i), .off_i(off_o), .at_once_i(at_once),
    .hit_i(hit_candidate), .reached_i(reached), .any_tag_i(any_tag), .owns_i(owns),
    .place_i(place), .takes_i(takes), .res_miss_slot_i(res_miss_slot_i), .res_bypass_slot_i(res_bypass_slot_i),
    .res_mshr_i(res_mshr_i),
    .outcome_o(loc_outcome), .reason_o(loc_reason), .action_o(loc_action), .note_o(loc_note),
    .leaves_o(loc_leaves), .ages_o(loc_ages)
  );

  byw_write_decide u_write (
    .cfg_i(cfg_i), .off_i(off_o), .op_i(op_i),
    .candidate_i(hit_candidate), .committed_i(hit_committed_o), .pending_i(hit_pending_o),
    .res_miss_slot_i(res_miss_slot_i), .res_bypass_slot_i(res_bypass_slot_i),
    .outcome_o(wr_outcome), .reason_o(wr_reason), .release_o(wr_release), .ages_o(wr_ages),
    .touch_o(wr_touch), .count_o(wr_count)
  );

  // a load sent past the cache by its hint, and whether it drops a present copy
  wire past         = hint_past && !(hit_committed_o && (hint_on_hit == BYW_BYP_SERVE));
  wire past_release = hit_committed_o && (hint_on_hit == BYW_BYP_EVICT);

  wire plain_hint = (hint_i == BYW_HINT_NONE) || (hint_i == BYW_HINT_STREAM);

  assign asks_o = is_load && !blind_o && !hit_committed_o && plain_hint;

  // ---- the choice by the mode alone
  reg  [`BYW_OUTCOME_W-1:0] outcome;
  reg  [`BYW_RSFAIL_W-1:0] reason;
  reg  [`BYW_ACTION_W-1:0] action;
  reg  [`BYW_NOTE_W-1:0] note;
  reg             leaves;
  reg             drops_line;                          // RELEASE of the hit line
  reg  [1:0]      ages;

  always @* begin : p_choose
    outcome    = loc_outcome;
    reason     = loc_reason;
    action     = BYW_SET_KEEP;
    note       = BYW_NOTE_NONE;
    leaves     = 1'b0;
    drops_line = 1'b0;
    ages       = 2'd0;
    if (blind_o) begin
      outcome = is_store ? (res_miss_slot_i ? BYW_MISS : BYW_RSFAIL)
                         : (res_bypass_slot_i ? BYW_BYPASS : BYW_RSFAIL);
      reason  = is_store ? BYW_RSFAIL_MISS_QUEUE : BYW_RSFAIL_ICNT;
    end else if (!is_load) begin
      outcome    = wr_outcome;
      reason     = wr_reason;
      drops_line = wr_release;
      ages       = {1'b0, wr_release && wr_ages};
      if (wr_touch) action = BYW_SET_TOUCH;
      if (wr_count) action = BYW_SET_COUNT;
    end else if (past) begin
      outcome    = res_bypass_slot_i ? BYW_BYPASS : BYW_RSFAIL;
      reason     = BYW_RSFAIL_ICNT;
      drops_line = res_bypass_slot_i && past_release;
      ages       = {1'b0, age_on_evict && !off_o};
    end else if (hit_committed_o) begin
      outcome = !hit_pending_o ? BYW_HIT : res_merge_i ? BYW_HIT_PENDING : BYW_RSFAIL;
      reason  = BYW_RSFAIL_MERGE;
      action  = (hit_pending_o && !res_merge_i) ? BYW_SET_KEEP : BYW_SET_TOUCH;
    end else begin
      action     = loc_action;
      note       = loc_note;
      leaves     = loc_leaves;
      ages       = loc_ages;
    end
    if (drops_line) begin
      action = BYW_SET_RELEASE;
      leaves = !hit_pending_o;
    end
  end

  // ---- a load diverted before its tags are searched, or because it would be refused
  // What it would be refused for is known without what can be had: to stall bypass the queue is as the MSHRs.
  wire stall_bypasses;
  wire [`BYW_RSFAIL_W-1:0] want = hit_committed_o ? BYW_RSFAIL_MERGE :
                                  !place ? BYW_RSFAIL_LINE : BYW_RSFAIL_MSHR;

  byw_stall_bypass u_stall_bypass (
    .when_i(stall), .reason_i(want), .bypass_o(stall_bypasses)
  );

  wire wants_line = off_o || at_once || (hit_candidate && reached);
  wire falls_back = cfg_i[BYW_CFG_BYP_ON_RSFAIL_LSB] && !off_o;
  wire gets_line  = place && res_miss_slot_i && res_mshr_i;
  wire lacks      = hit_committed_o ? hit_pending_o && !res_merge_i
                                    : wants_line && !gets_line && !falls_back;

  wire mode_byp  = is_load && adv_bypass_i;
  wire dead_byp  = asks_o && adv_dead_i && !hit_candidate;
  wire stall_byp = is_load && !blind_o && !past && lacks && stall_bypasses;
  wire diverted  = mode_byp || dead_byp || stall_byp;

  assign outcome_o    = !diverted ? outcome : res_bypass_slot_i ? BYW_BYPASS : BYW_RSFAIL;
  assign reason_o     = diverted ? BYW_RSFAIL_ICNT : reason;
  assign action_o     = diverted ? BYW_SET_KEEP : action;
  assign note_o       = diverted ? BYW_NOTE_NONE : note;
  assign leaves_o     = leaves && !diverted;
  assign writes_key_o = (action_o == BYW_SET_INSTALL) || (action_o == BYW_SET_COMMIT);
  assign orphan_o     = drops_line && hit_pending_o && !diverted;
  assign cause_o      = !(diverted && res_bypass_slot_i) ? BYW_CAUSE_NONE :
                        mode_byp ? BYW_CAUSE_MODE : dead_byp ? BYW_CAUSE_DEAD : BYW_CAUSE_STALL;

  // ---- the same decision asked for two things only, which are needed early: every request needs one
  // kind of resource, and some loads that lack it may bypass instead
  wire filled     = hit_committed_o && !hit_pending_o;
  wire is_local   = op_i == BYW_OP_LOCAL_STORE;
  wire by_bypass  = is_load ? mode_byp || dead_byp || blind_o || past || (!hit_committed_o && !wants_line)
                            : !is_store;
  wire by_slot    = is_store && (blind_o || !(is_local && filled));
  wire by_merge   = is_load && hit_committed_o && hit_pending_o;
  wire by_mshr    = is_load && !hit_committed_o;

  assign hit_o     = filled && !blind_o && (is_load ? !past && !mode_byp : is_store);
  assign refused_o = by_bypass ? !res_bypass_slot_i :
                     by_slot   ? !res_miss_slot_i :
                     by_merge  ? !res_merge_i && !(stall_bypasses && res_bypass_slot_i) :
                     by_mshr   ? !gets_line && !((stall_bypasses || falls_back) && res_bypass_slot_i)
                               : 1'b0;

  // ---- the record after
  byw_set_apply #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .KEY_W(KEY_W), .RC_W(RC_W)
  ) u_apply (
    .action_i(action_o), .off_i(off_o), .rc_on_hit_i(rc_on_hit), .tag_lru_i(decoupled),
    .key_i(key_i), .tag_i(tag_o), .old_valid_i(takes), .old_tag_i(old_tag), .way_i(way_o),
    .rc_i(rc_next), .ages_i(ages),
    .tag_key_i(rec_key_i), .tag_status_i(rec_status_i), .tag_rc_i(rec_rc_i),
    .tag_pos_i(rec_pos_i), .tag_age_i(rec_age_i), .way_owner_i(rec_owner_i),
    .way_reused_i(rec_reused_i), .way_used_i(rec_used_i), .way_pending_i(rec_pending_i),
    .tag_key_o(rec_key_o), .tag_status_o(rec_status_o), .tag_rc_o(rec_rc_o),
    .tag_pos_o(rec_pos_o), .tag_age_o(rec_age_o), .way_owner_o(rec_owner_o),
    .way_reused_o(rec_reused_o), .way_used_o(rec_used_o), .way_pending_o(rec_pending_o)
  );

  wire                 commits  = action_o == BYW_SET_COMMIT;
  wire                 touches  = action_o == BYW_SET_TOUCH;
  wire                 inserts_last = is_load && hint_last;
  wire [DATA_WAYS-1:0] eligible = rec_used_i & ~rec_pending_i;
  wire [WAY_IW-1:0]    no_victim;

  byw_repl #(.WAYS(DATA_WAYS), .REPL(REPL), .SET_IW(SET_IW), .PC_W(PC_W)) u_repl (
    .rank_i(rec_rank_i), .eligible_i(eligible), .victim_o(no_victim),
    .set_i(set_i), .pc_i(pc_i), .random_i(random_i),
    .touch_i(touches), .evict_i(commits && takes), .insert_i(commits),
    .last_i(inserts_last), .way_i(way_o), .rank_o(rec_rank_o)
  );

  wire unused_ok = &{1'b0, cfg_i, no_victim, rdna2_hint};
endmodule

`default_nettype wire
