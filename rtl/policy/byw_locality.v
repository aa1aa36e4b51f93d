// SPDX-License-Identifier: Apache-2.0
//
// byw_locality - the locality filter: decides a load whose line is not committed.
//
// Behaviour   Filter on: no tag -> the LFU victim becomes a candidate and the load bypasses; a
//             candidate counts in RC and bypasses, or reaches the threshold and gets a data line.
//             Filter off (off_i): a miss installs and commits in one step.  Outputs describe the
//             decision; nothing is written.  Payload is meaningful as the outcome says.  Which tag
//             and which line are meant is worked out in byw_policy_look.  Pure and combinational.
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

  // what byw_policy_look says of the record
  input  wire                        hit_i,          // the line's tag is a candidate
  input  wire [RC_W-1:0]             rc_next_i,
  input  wire                        reached_i,
  input  wire                        any_free_i,
  input  wire                        any_line_i,
  input  wire [WAY_IW-1:0]           line_way_i,
  input  wire [TAG_IW-1:0]           victim_tag_i,
  input  wire                        any_tag_i,
  input  wire [TAG_IW-1:0]           tag_i,
  input  wire                        owns_i,
  input  wire [WAY_IW-1:0]           tag_way_i,
  input  wire [TAG_IW-1:0]           home_tag_i,

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

  wire age_on_alloc = cfg_i[BYW_CFG_AGE_ON_ALLOC_LSB];
  wire age_on_evict = cfg_i[BYW_CFG_AGE_ON_EVICT_LSB];
  wire age_merge    = cfg_i[BYW_CFG_AGE_MERGE_LSB];
  wire byp_rsfail   = cfg_i[BYW_CFG_BYP_ON_RSFAIL_LSB];
  wire rc_init      = cfg_i[BYW_CFG_RC_INIT_LSB];
  wire wants        = off_i || at_once_i || (hit_i && reached_i);

  wire [7:0] rc_start = {7'b0, rc_init};

  // ---- resources of a miss, in the order in which their lack is reported
  wire       way_any  = off_i ? any_line_i : any_tag_i && (owns_i || any_line_i);
  wire       takes    = off_i ? !any_free_i : owns_i || !any_free_i; // from another line
  wire       refused  = !(way_any && res_miss_slot_i && res_mshr_i);
  wire       commits  = wants && !(refused && byp_rsfail && !off_i);
  wire [2:0] lack     = !way_any ? BYW_RSFAIL_LINE :
                        !res_miss_slot_i ? BYW_RSFAIL_MISS_QUEUE : BYW_RSFAIL_MSHR;
  wire       age_line  = age_on_evict && takes;            // for the line that goes
  wire       age_twice = age_on_alloc && age_line && !age_merge;

  always @* begin : p_decide
    outcome_o    = BYW_BYPASS;
    reason_o     = BYW_RSFAIL_ICNT;
    action_o     = hit_i ? BYW_SET_COUNT : any_tag_i ? BYW_SET_INSTALL : BYW_SET_KEEP;
    note_o       = hit_i ? BYW_NOTE_CANDIDATE : any_tag_i ? BYW_NOTE_NEW_TAG : BYW_NOTE_NONE;
    tag_o        = tag_i;
    old_valid_o  = 1'b0;
    old_tag_o    = owns_i ? tag_i : victim_tag_i;
    way_o        = tag_way_i;
    leaves_o     = owns_i;
    writes_key_o = !hit_i;
    keep_tag_o   = 1'b0;
    rc_o         = rc_next_i;
    ages_o       = {1'b0, owns_i && age_on_evict};
    if (commits) begin
      outcome_o    = BYW_MISS;
      action_o     = BYW_SET_COMMIT;
      note_o       = off_i ? BYW_NOTE_NONE : BYW_NOTE_COMMIT;
      old_valid_o  = takes;
      way_o        = (owns_i && !off_i) ? tag_way_i : line_way_i;
      leaves_o     = takes;
      keep_tag_o   = !off_i;
      ages_o       = {age_twice, (age_on_alloc || age_line) && !age_twice};
      if (off_i) begin
        tag_o        = takes ? victim_tag_i : home_tag_i;
        old_tag_o    = victim_tag_i;
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

  wire unused_ok = &{1'b0, cfg_i, rc_start};
endmodule

`default_nettype wire
