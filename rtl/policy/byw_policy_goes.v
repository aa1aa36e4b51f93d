// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_goes - what the request at the decision point gets, and whether it can leave.
//
// Behaviour   Inputs: what the request wants and which resources are free.  A load wants one of
//             open, joins or past, or nothing if its line is present; an atomic wants past; stores
//             and hits want nothing.  goes_o: the request is not refused and no dirty line must be
//             written back first.  goes_o is the longest path of the cache.  It is a sum of
//             products per kind of request, so that it does not depend on refused_o and reason.
//             Combinational.
// Paper       000, section 4.3; mechanisms/cache.md 0.2; rtl/doc/policy.md.
// C twin      byw_policy_decide() of cmodel/model/policy/byw_policy.c; checked by
//             verif/policy/lockstep_policy.c.
//
`default_nettype none
`include "byw_assert.vh"

module byw_policy_goes (
  // what it wants, see byw_policy_plan
  input  wire open_i,             // a load that the filter decides
  input  wire joins_i,
  input  wire past_i,
  input  wire dead_i,             // past or open: a bypass in any case
  input  wire wants_line_i,       // with open_i
  input  wire by_slot_i,
  input  wire may_bypass_i,
  input  wire falls_back_i,
  input  wire cleans_sure_i,      // never with open_i

  // the lines of the set
  input  wire place_i,
  input  wire takes_i,            // the allocated line belongs to another tag
  input  wire owns_i,             // the selected tag owns a line
  input  wire dirty_i,            // that line is dirty

  // resources available in this cycle
  input  wire miss_slot_i,
  input  wire bypass_slot_i,
  input  wire mshr_i,
  input  wire merge_i,

  output wire gets_line_o,        // the load gets a line if it wants one
  output wire no_line_o,          // the load wants a line and gets none
  output wire no_merge_o,
  output wire bypasses_o,         // a bypass by choice, not for lack of a resource
  output wire store_refused_o,
  output wire refused_o,
  output wire misses_o,
  output wire merges_o,
  output wire cleans_o,           // with dirty_i a line must be written back first
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

  // A load that gets a line evicts another tag's line or uses a free one.  A new tag or candidate
  // that gets no line may replace a tag that owned one.
  wire gives_line = wants_line_i ? (gets_line_o ? takes_i : falls_back_i && owns_i) : owns_i;
  assign cleans_o = cleans_sure_i || no_merge_o || (filtered && gives_line);

  // ---- goes_o, one product per kind of request
  wire sure_clean = !(cleans_sure_i && dirty_i);
  wire sent       = ((past_i || dead_i) && sure_clean) ||
                    (filtered && !wants_line_i && !(owns_i && dirty_i)) ||
                    (joins_i && !merge_i && may_bypass_i && !dirty_i) ||
                    (for_line && !gets_line_o && may_bypass_i &&
                      !(falls_back_i && owns_i && dirty_i));
  wire other      = !open_i && !joins_i && !past_i;

  assign goes_o = (for_line && gets_line_o && !(takes_i && dirty_i)) || (joins_i && merge_i) ||
                  (sent && bypass_slot_i) || (other && !store_refused_o && sure_clean);

`ifdef BYW_CHECKED
  // What byw_policy_plan guarantees of its outputs.
  wire planned = !(open_i && joins_i) && !(open_i && past_i) && !(joins_i && past_i) &&
                 (!dead_i || open_i || past_i) && !(by_slot_i && (open_i || joins_i || past_i)) &&
                 !(cleans_sure_i && open_i) && !(cleans_sure_i && joins_i);
`endif
  `BYW_HOLDS(only_what_is_not_refused_leaves, planned && goes_o, !refused_o)
  `BYW_HOLDS(dirty_line_is_written_back_first, planned && goes_o, !(cleans_o && dirty_i))
  `BYW_HOLDS(everything_else_leaves, planned && !refused_o && !(cleans_o && dirty_i), goes_o)
  `BYW_HOLDS(miss_and_merge_exclude_each_other, planned, !(misses_o && merges_o))
endmodule

`default_nettype wire
