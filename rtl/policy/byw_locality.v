// SPDX-License-Identifier: Apache-2.0
//
// byw_locality - the locality filter: decides a load whose line is not committed.
//
// Behaviour   Filter on: no tag -> the LFU victim becomes a candidate and the load bypasses; a
//             candidate counts in RC and bypasses, or reaches the threshold and gets a data line.
//             Filter off (off_i): a miss installs and commits in one step.  Outputs describe the
//             decision; nothing is written.  Payload is meaningful as the outcome says.  Which tag
//             and which line it is about is worked out in byw_policy_look.  Pure and combinational.
// Paper       000, section 4; MECHANISMS 1.3, 1.5, choices C0..C7 in 1.6; rtl/doc/locality.md.
// C twin      cmodel/policy/byw_locality.c; checked by verif/policy/lockstep_policy.c.
//
`default_nettype none
`include "byw_widths.vh"

module byw_locality (
  input  wire [31:0]                 cfg_i,          // policy register
  input  wire                        off_i,          // filter off
  input  wire                        at_once_i,      // commit whatever RC says (hint)

  // what byw_policy_look says of the record
  input  wire                        hit_i,          // the line's tag is a candidate
  input  wire                        reached_i,
  input  wire                        any_tag_i,
  input  wire                        owns_i,         // the tag has a line that goes with it
  input  wire                        place_i,        // there is a line for a miss
  input  wire                        takes_i,        // which is another tag's

  // what can be had in this cycle
  input  wire                        res_miss_slot_i,
  input  wire                        res_bypass_slot_i,
  input  wire                        res_mshr_i,

  // the decision
  output reg  [`BYW_OUTCOME_W-1:0]   outcome_o,      // BYW_MISS, BYW_BYPASS, BYW_RSFAIL
  output reg  [`BYW_RSFAIL_W-1:0]    reason_o,       // BYW_RSFAIL_*
  output reg  [`BYW_ACTION_W-1:0]    action_o,       // BYW_SET_*
  output reg  [`BYW_NOTE_W-1:0]      note_o,         // BYW_NOTE_*
  output reg                         leaves_o,       // a filled line leaves the cache
  output reg  [1:0]                  ages_o
);
  `include "byw_defs.vh"

  wire age_on_alloc = cfg_i[BYW_CFG_AGE_ON_ALLOC_LSB];
  wire age_on_evict = cfg_i[BYW_CFG_AGE_ON_EVICT_LSB];
  wire age_merge    = cfg_i[BYW_CFG_AGE_MERGE_LSB];
  wire byp_rsfail   = cfg_i[BYW_CFG_BYP_ON_RSFAIL_LSB];
  wire wants        = off_i || at_once_i || (hit_i && reached_i);

  // ---- resources of a miss, in the order in which their lack is reported
  wire       refused  = !(place_i && res_miss_slot_i && res_mshr_i);
  wire       commits  = wants && !(refused && byp_rsfail && !off_i);
  wire [2:0] lack     = !place_i ? BYW_RSFAIL_LINE :
                        !res_miss_slot_i ? BYW_RSFAIL_MISS_QUEUE : BYW_RSFAIL_MSHR;
  wire       age_line  = age_on_evict && takes_i;           // for the line that goes
  wire       age_twice = age_on_alloc && age_line && !age_merge;

  always @* begin : p_decide
    outcome_o = BYW_BYPASS;
    reason_o  = BYW_RSFAIL_ICNT;
    action_o  = hit_i ? BYW_SET_COUNT : any_tag_i ? BYW_SET_INSTALL : BYW_SET_KEEP;
    note_o    = hit_i ? BYW_NOTE_CANDIDATE : any_tag_i ? BYW_NOTE_NEW_TAG : BYW_NOTE_NONE;
    leaves_o  = owns_i;
    ages_o    = {1'b0, owns_i && age_on_evict};
    if (commits) begin
      outcome_o = BYW_MISS;
      action_o  = BYW_SET_COMMIT;
      note_o    = off_i ? BYW_NOTE_NONE : BYW_NOTE_COMMIT;
      leaves_o  = takes_i;
      ages_o    = off_i ? 2'd0 : {age_twice, (age_on_alloc || age_line) && !age_twice};
    end
    if (commits ? refused : !res_bypass_slot_i) begin
      outcome_o = BYW_RSFAIL;
      reason_o  = commits ? lack : BYW_RSFAIL_ICNT;
      action_o  = BYW_SET_KEEP;
      note_o    = BYW_NOTE_NONE;
      leaves_o  = 1'b0;
    end
  end

  wire unused_ok = &{1'b0, cfg_i};
endmodule

`default_nettype wire
