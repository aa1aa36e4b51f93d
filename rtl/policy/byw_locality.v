// SPDX-License-Identifier: Apache-2.0
//
// byw_locality - the locality filter: decides a load whose line is not committed.
//
// Behaviour   Filter on: no tag -> the LFU victim becomes a candidate and the load bypasses; a
//             candidate counts in RC and bypasses, or reaches the threshold and gets a data line.
//             Filter off (off_i): a miss installs and commits in one step.  Outputs describe the
//             decision, if it is not refused; nothing is written.  Which tag and which line it is
//             about is worked out in byw_policy_look, whether it gets one in byw_policy.  Pure and
//             combinational.
// Paper       000, section 4; MECHANISMS 1.3, 1.5, choices C0..C7 in 1.6; rtl/doc/locality.md.
// C twin      cmodel/policy/byw_locality.c; checked by verif/policy/lockstep_policy.c.
//
`default_nettype none
`include "byw_widths.vh"

module byw_locality (
  input  wire [31:0]                 cfg_i,          // policy register
  input  wire                        off_i,          // filter off
  // it gets a line: it wants one, and can have it
  input  wire                        commits_i,

  // what byw_policy_look says of the record
  input  wire                        hit_i,          // the line's tag is a candidate
  input  wire                        any_tag_i,
  input  wire                        owns_i,         // the tag has a line that goes with it
  input  wire                        takes_i,        // the line it gets is another tag's

  // the decision
  output wire [`BYW_ACTION_W-1:0]    action_o,       // BYW_SET_*
  output wire [`BYW_NOTE_W-1:0]      note_o,         // BYW_NOTE_*
  output wire [1:0]                  line_ages_o,    // who gets a line ages the set so often,
  output wire                        tag_ages_o      // who does not so
);
  `include "byw_defs.vh"

  wire age_on_alloc = cfg_i[BYW_CFG_AGE_ON_ALLOC_LSB];
  wire age_on_evict = cfg_i[BYW_CFG_AGE_ON_EVICT_LSB];
  wire age_merge    = cfg_i[BYW_CFG_AGE_MERGE_LSB];
  wire age_line     = age_on_evict && takes_i;       // for the line that goes
  wire age_twice    = age_on_alloc && age_line && !age_merge;

  assign action_o = commits_i ? BYW_SET_COMMIT :
                    hit_i ? BYW_SET_COUNT : any_tag_i ? BYW_SET_INSTALL : BYW_SET_KEEP;
  assign note_o   = commits_i ? (off_i ? BYW_NOTE_NONE : BYW_NOTE_COMMIT) :
                    hit_i ? BYW_NOTE_CANDIDATE : any_tag_i ? BYW_NOTE_NEW_TAG : BYW_NOTE_NONE;
  assign tag_ages_o  = owns_i && age_on_evict;
  assign line_ages_o = off_i ? 2'd0 : {age_twice, (age_on_alloc || age_line) && !age_twice};

  wire unused_ok = &{1'b0, cfg_i};
endmodule

`default_nettype wire
