// SPDX-License-Identifier: Apache-2.0
//
// byw_locality - the locality filter: decides a load whose line is not committed.
//
// Behaviour   Filter on, no tag: the LFU victim becomes a candidate and the load bypasses.  Filter
//             on, candidate: its RC counts, and the load bypasses or, at the threshold, gets a data
//             line.  Filter off (filter_off_i): a miss installs and commits in one step.  The
//             outputs describe the decision if it is not refused; the record is not written here.
//             byw_policy_look selects the tag and line, byw_policy decides whether the load gets
//             the line.  Combinational.
// Paper       000, section 4; mechanisms/locality.md 1.3, mechanisms/sm_duel.md 1.5, choices
//             C0..C7 in 1.6; rtl/doc/locality.md.
// C twin      cmodel/model/policy/byw_locality.c; checked by verif/policy/lockstep_policy.c.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_locality (
  input  wire [31:0]                 cfg_i,           // policy register
  input  wire                        filter_off_i,    // filter off
  // the load wants a line and one is available
  input  wire                        line_commit_i,

  // result of byw_policy_look
  input  wire                        candidate_i,     // the tag of the line is a candidate
  input  wire                        tag_available_i,
  // the selected tag owns a line, which it loses
  input  wire                        tag_owns_line_i,
  input  wire                        victim_owned_i,  // the allocated line belongs to another tag

  // the decision
  output wire [`BYW_ACTION_W-1:0]    action_o,        // BYW_SET_*
  output wire [`BYW_NOTE_W-1:0]      note_o,          // BYW_NOTE_*
  output wire [1:0]                  commit_ages_o,   // times the set ages if the load gets a line
  output wire                        tag_loss_ages_o  // the set ages if the load gets no line
);
  `include "byw_defs.vh"

  wire age_on_alloc   = cfg_i[BYW_CFG_AGE_ON_ALLOC_LSB];
  wire age_on_evict   = cfg_i[BYW_CFG_AGE_ON_EVICT_LSB];
  wire age_merge      = cfg_i[BYW_CFG_AGE_MERGE_LSB];
  wire age_for_victim = age_on_evict && victim_owned_i;       // aging for the evicted line
  wire age_twice      = age_on_alloc && age_for_victim && !age_merge;

  assign action_o = line_commit_i ? BYW_SET_COMMIT :
                    candidate_i ? BYW_SET_COUNT : tag_available_i ? BYW_SET_INSTALL : BYW_SET_KEEP;
  assign note_o = line_commit_i ? (filter_off_i ? BYW_NOTE_NONE : BYW_NOTE_COMMIT) :
                  candidate_i ? BYW_NOTE_CANDIDATE : tag_available_i ? BYW_NOTE_NEW_TAG :
                  BYW_NOTE_NONE;
  assign tag_loss_ages_o = tag_owns_line_i && age_on_evict;
  assign commit_ages_o   = filter_off_i ? 2'd0 :
                           {age_twice, (age_on_alloc || age_for_victim) && !age_twice};

  wire unused_ok = &{1'b0, cfg_i};

  `BYW_HOLDS(line_for_what_commits, 1'b1, (action_o == BYW_SET_COMMIT) == line_commit_i)
  `BYW_HOLDS(set_ages_at_most_twice, 1'b1, commit_ages_o != 2'd3)
  `BYW_HOLDS(no_ageing_while_off, filter_off_i, commit_ages_o == 2'd0)
  `BYW_HOLDS(candidate_counts_or_commits, candidate_i && !line_commit_i, action_o == BYW_SET_COUNT)
endmodule

`default_nettype wire
