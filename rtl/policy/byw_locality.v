// SPDX-License-Identifier: Apache-2.0
//
// byw_locality - the locality filter: decides a load whose line is not committed.
//
// Behaviour   Filter on: no tag -> the LFU victim becomes a candidate and the load bypasses; a
//             candidate counts in RC and bypasses, or reaches the threshold and gets a data line.
//             Filter off (off_i): a miss installs and commits in one step.  Outputs describe the
//             decision; nothing is written.  Payload is meaningful as the outcome says.  Pure and
//             combinational; victims come out of balanced trees.
// Paper       000, section 4; MECHANISMS 1.3, 1.5, choices C0..C7 in 1.6; rtl/doc/locality.md.
// C twin      cmodel/policy/byw_locality.c; checked by verif/policy/lockstep_policy.c.
//
// Parameter   Default  Range              Meaning
// TAG_WAYS    8        DATA_WAYS..128     tag ways of a set
// DATA_WAYS   4        1..64              data ways of a set
// RC_W        6        1..8               reference counter
// TAG_IW, WAY_IW       $clog2 of the two, at least 1
//
`default_nettype none
`include "byw_widths.vh"

module byw_locality #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1
) (
  input  wire [31:0]                 cfg_i,          // policy register
  input  wire                        off_i,          // filter off
  input  wire                        at_once_i,      // commit whatever RC says (hint)
  input  wire                        hit_i,          // the line's tag is candidate hit_tag_i
  input  wire [TAG_IW-1:0]           hit_tag_i,

  // the set record
  input  wire [TAG_WAYS*2-1:0]       tag_status_i,
  input  wire [TAG_WAYS*RC_W-1:0]    tag_rc_i,
  input  wire [TAG_WAYS*WAY_IW-1:0]  tag_pos_i,
  input  wire [TAG_WAYS*TAG_IW-1:0]  tag_age_i,
  input  wire [DATA_WAYS*TAG_IW-1:0] way_owner_i,
  input  wire [DATA_WAYS-1:0]        way_used_i,
  input  wire [DATA_WAYS-1:0]        way_pending_i,
  input  wire [WAY_IW-1:0]           way_victim_i,   // of the replacement policy

  // what can be had in this cycle
  input  wire                        res_miss_slot_i,
  input  wire                        res_bypass_slot_i,
  input  wire                        res_mshr_i,

  // the decision
  output reg  [`BYW_OUTCOME_W-1:0]   outcome_o,      // BYW_MISS, BYW_BYPASS, BYW_RSFAIL
  output reg  [`BYW_RSFAIL_W-1:0]    reason_o,       // BYW_RSFAIL_*
  output reg  [`BYW_ACTION_W-1:0]    action_o,       // BYW_SET_*
  output reg  [`BYW_NOTE_W-1:0]      note_o,         // BYW_NOTE_*
  output reg  [TAG_IW-1:0]           tag_o,
  output reg                         old_valid_o,    // old_tag_o loses its line
  output reg  [TAG_IW-1:0]           old_tag_o,
  output reg  [WAY_IW-1:0]           way_o,          // data way that is taken or given back
  output reg                         leaves_o,       // its filled line leaves the cache
  output reg                         writes_key_o,
  output reg                         keep_tag_o,
  output reg  [RC_W-1:0]             rc_o,
  output reg  [1:0]                  ages_o
);
  `include "byw_defs.vh"

  generate
    if (TAG_WAYS < DATA_WAYS) begin : gen_check_ways
      byw_locality_TAG_WAYS_must_be_at_least_DATA_WAYS u_error ();
    end
    if ((RC_W < 1) || (RC_W > 8)) begin : gen_check_rc
      byw_locality_RC_W_must_be_1_to_8 u_error ();
    end
  endgenerate

  wire       compare_gt   = cfg_i[BYW_CFG_COMPARE_GT_LSB];
  wire       lfu_all      = cfg_i[BYW_CFG_LFU_ALL_LSB];
  wire       age_on_alloc = cfg_i[BYW_CFG_AGE_ON_ALLOC_LSB];
  wire       age_on_evict = cfg_i[BYW_CFG_AGE_ON_EVICT_LSB];
  wire       age_merge    = cfg_i[BYW_CFG_AGE_MERGE_LSB];
  wire       byp_rsfail   = cfg_i[BYW_CFG_BYP_ON_RSFAIL_LSB];
  wire       rc_init      = cfg_i[BYW_CFG_RC_INIT_LSB];
  wire [7:0] threshold    = {2'b0, cfg_i[BYW_CFG_THRESHOLD_LSB +: 6]};

  // ---- the data way that an allocation would get: the lowest free one, else the victim
  wire              any_free;
  wire [WAY_IW-1:0] free_way;
  wire              line_any = any_free || (|(way_used_i & ~way_pending_i));
  wire [WAY_IW-1:0] line_way = any_free ? free_way : way_victim_i;
  wire [TAG_IW-1:0] victim_owner;

  byw_prio_enc #(.N(DATA_WAYS)) u_free_way (
    .req_i(~way_used_i), .any_o(any_free), .index_o(free_way)
  );
  byw_mux #(.N(DATA_WAYS), .W(TAG_IW)) u_owner (
    .data_i(way_owner_i), .sel_i(way_victim_i), .data_o(victim_owner)
  );

  // ---- the tag way for a new candidate: the lowest invalid one, else the least frequently used
  // candidate, of equals the one touched longest ago; committed tags only if they may or must go
  wire [TAG_WAYS-1:0]               invalid;
  wire [TAG_WAYS-1:0]               candidate;
  wire [TAG_WAYS-1:0]               evictable;       // committed and filled
  wire [TAG_WAYS-1:0]               committed = ~invalid & ~candidate;
  wire [TAG_WAYS*(RC_W+TAG_IW)-1:0] lfu_key;
  genvar                            g;

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      wire [DATA_WAYS-1:0] line_pending = way_pending_i >> tag_pos_i[g*WAY_IW +: WAY_IW];
      wire                 unused = &{1'b0, line_pending};
      assign invalid[g]   = tag_status_i[g*2 +: 2] == BYW_TAG_INVALID;
      assign candidate[g] = tag_status_i[g*2 +: 2] == BYW_TAG_CANDIDATE;
      assign evictable[g] = committed[g] && !line_pending[0];
      assign lfu_key[g*(RC_W+TAG_IW) +: RC_W+TAG_IW] =
        {tag_rc_i[g*RC_W +: RC_W], ~tag_age_i[g*TAG_IW +: TAG_IW]};
    end
  endgenerate

  wire [TAG_WAYS-1:0] may_go = (lfu_all || !(|candidate)) ? candidate | evictable : candidate;
  wire                any_invalid;
  wire [TAG_IW-1:0]   invalid_tag;
  wire                any_lfu;
  wire [TAG_IW-1:0]   lfu_tag;

  byw_prio_enc #(.N(TAG_WAYS)) u_invalid_tag (
    .req_i(invalid), .any_o(any_invalid), .index_o(invalid_tag)
  );
  byw_min_tree #(.N(TAG_WAYS), .KEY_W(RC_W+TAG_IW)) u_lfu (
    .valid_i(may_go), .key_i(lfu_key), .any_o(any_lfu), .index_o(lfu_tag)
  );

  // ---- the tag way this load works on, and what it holds
  wire              tag_any = hit_i || any_invalid || any_lfu;
  wire [TAG_IW-1:0] tag     = hit_i ? hit_tag_i : any_invalid ? invalid_tag : lfu_tag;
  wire [TAG_WAYS-1:0] committed_tag = committed >> tag;
  wire              owns    = tag_any && committed_tag[0]; // LFU took a committed tag
  wire [RC_W-1:0]   tag_rc;
  wire [WAY_IW-1:0] tag_pos;

  byw_mux #(.N(TAG_WAYS), .W(RC_W)) u_tag_rc (
    .data_i(tag_rc_i), .sel_i(tag), .data_o(tag_rc)
  );
  byw_mux #(.N(TAG_WAYS), .W(WAY_IW)) u_tag_pos (
    .data_i(tag_pos_i), .sel_i(tag), .data_o(tag_pos)
  );

  wire [7:0]      rc_start = {7'b0, rc_init};
  wire [RC_W-1:0] rc_next  = !hit_i ? rc_start[RC_W-1:0] :
                             (&tag_rc) ? tag_rc : tag_rc + 1'b1;
  wire [8:0]      rc_wide  = {{(9-RC_W){1'b0}}, rc_next};
  wire            reached  = (rc_wide[7:0] > threshold) ||
                             ((rc_wide[7:0] == threshold) && !compare_gt);
  wire            wants    = off_i || at_once_i || (hit_i && reached);

  // ---- resources of a miss, in the order in which their lack is reported
  wire       way_any  = off_i ? line_any : tag_any && (owns || line_any);
  wire       takes    = off_i ? !any_free : owns || !any_free; // from another line
  wire       refused  = !(way_any && res_miss_slot_i && res_mshr_i);
  wire       commits  = wants && !(refused && byp_rsfail && !off_i);
  wire [2:0] lack     = !way_any ? BYW_RSFAIL_LINE :
                        !res_miss_slot_i ? BYW_RSFAIL_MISS_QUEUE : BYW_RSFAIL_MSHR;
  wire       age_line  = age_on_evict && takes;            // for the line that goes
  wire       age_twice = age_on_alloc && age_line && !age_merge;

  // ---- lowest tag that is not committed: the home of a free line while the filter is off
  wire              any_home;
  wire [TAG_IW-1:0] home_tag;

  byw_prio_enc #(.N(TAG_WAYS)) u_home_tag (
    .req_i(~committed), .any_o(any_home), .index_o(home_tag)
  );

  always @* begin : p_decide
    outcome_o    = BYW_BYPASS;
    reason_o     = BYW_RSFAIL_ICNT;
    action_o     = hit_i ? BYW_SET_COUNT : tag_any ? BYW_SET_INSTALL : BYW_SET_KEEP;
    note_o       = hit_i ? BYW_NOTE_CANDIDATE : tag_any ? BYW_NOTE_NEW_TAG : BYW_NOTE_NONE;
    tag_o        = tag;
    old_valid_o  = 1'b0;
    old_tag_o    = owns ? tag : victim_owner;
    way_o        = tag_pos;
    leaves_o     = owns;
    writes_key_o = !hit_i;
    keep_tag_o   = 1'b0;
    rc_o         = rc_next;
    ages_o       = {1'b0, owns && age_on_evict};
    if (commits) begin
      outcome_o    = BYW_MISS;
      action_o     = BYW_SET_COMMIT;
      note_o       = off_i ? BYW_NOTE_NONE : BYW_NOTE_COMMIT;
      old_valid_o  = takes;
      way_o        = (owns && !off_i) ? tag_pos : line_way;
      leaves_o     = takes;
      keep_tag_o   = !off_i;
      ages_o       = {age_twice, (age_on_alloc || age_line) && !age_twice};
      if (off_i) begin
        tag_o        = takes ? victim_owner : home_tag;
        old_tag_o    = victim_owner;
        writes_key_o = 1'b1;
        rc_o         = rc_start[RC_W-1:0];
        ages_o       = 2'd0;
      end
    end
    if (commits ? refused : !res_bypass_slot_i) begin
      outcome_o = BYW_RSFAIL;
      reason_o  = commits ? lack : BYW_RSFAIL_ICNT;
      action_o  = BYW_SET_KEEP;
      note_o    = BYW_NOTE_NONE;
      leaves_o  = 1'b0;
    end
  end

  wire unused_ok = &{1'b0, cfg_i, any_home, rc_start, rc_wide, committed_tag};
endmodule

`default_nettype wire
