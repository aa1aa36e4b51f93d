// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_goes - what the request at the decision point can have, and whether it goes.
//
// Behaviour   From what it is after (a load one of open, joins, past, or none if its line is there;
//             stores and hits none; atomics past) and what can be had in this cycle.  goes_o: it is
//             not refused, and no bytes have to be written back before it.  That is a sum of what
//             each kind of request needs, because it is the longest path of the cache: it must not
//             go by way of what is refused and why.  Pure and combinational.
// Paper       000, section 4.3; MECHANISMS 0.2, 2; rtl/doc/policy.md.
// C twin      byw_policy_decide() of cmodel/policy/byw_policy.c; checked by
//             verif/policy/lockstep_policy.c.
//
`default_nettype none

module byw_policy_goes (
  // what it is after, see byw_policy_plan
  input  wire open_i,             // the filter decides it
  input  wire joins_i,
  input  wire past_i,
  input  wire dead_i,             // of past or open: a bypass, whatever else
  input  wire wants_line_i,       // with open_i
  input  wire by_slot_i,
  input  wire may_bypass_i,
  input  wire falls_back_i,
  input  wire cleans_sure_i,      // not with open_i

  // what there is of lines
  input  wire place_i,
  input  wire takes_i,            // the one to be had is another tag's
  input  wire owns_i,             // the tag to be had has one
  input  wire dirty_i,            // bytes of it are not in memory

  // what can be had in this cycle
  input  wire miss_slot_i,
  input  wire bypass_slot_i,
  input  wire mshr_i,
  input  wire merge_i,

  output wire gets_line_o,        // if it wants one
  output wire no_line_o,          // it wants one and gets none
  output wire no_merge_o,
  output wire bypasses_o,         // without that it lacks anything
  output wire store_refused_o,
  output wire refused_o,
  output wire misses_o,
  output wire merges_o,
  output wire cleans_o,           // dirty_i has to be written back before it goes
  output wire goes_o
);
  assign gets_line_o = place_i && miss_slot_i && mshr_i;

  wire filtered = open_i && !dead_i;
  wire for_line = filtered && wants_line_i;
  wire lacks    = no_merge_o || no_line_o;

  assign no_merge_o      = joins_i && !merge_i;
  assign no_line_o       = for_line && !gets_line_o;
  assign misses_o        = for_line && gets_line_o;
  assign merges_o        = joins_i && merge_i;
  assign bypasses_o      = past_i || dead_i || (open_i && !wants_line_i);
  assign store_refused_o = by_slot_i && !miss_slot_i;
  assign refused_o       = store_refused_o || (bypass_slot_i ? lacks && !may_bypass_i
                                                             : lacks || bypasses_o);

  // A load that gets a line takes it from another tag, or finds it unused; a new tag or candidate
  // that gets none may be in the place of one that had a line.
  wire gives_line = wants_line_i ? (gets_line_o ? takes_i : falls_back_i && owns_i) : owns_i;
  assign cleans_o = cleans_sure_i || no_merge_o || (filtered && gives_line);

  // ---- the same, each by itself
  wire sure_clean = !(cleans_sure_i && dirty_i);
  wire sent       = ((past_i || dead_i) && sure_clean) ||
                    (filtered && !wants_line_i && !(owns_i && dirty_i)) ||
                    (joins_i && !merge_i && may_bypass_i && !dirty_i) ||
                    (for_line && !gets_line_o && may_bypass_i &&
                      !(falls_back_i && owns_i && dirty_i));
  wire other      = !open_i && !joins_i && !past_i;

  assign goes_o = (for_line && gets_line_o && !(takes_i && dirty_i)) || (joins_i && merge_i) ||
                  (sent && bypass_slot_i) || (other && !store_refused_o && sure_clean);
endmodule

`default_nettype wire
