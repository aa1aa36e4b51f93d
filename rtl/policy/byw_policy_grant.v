// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_grant - what the request at the decision point gets, and whether it can leave.
//
// Behaviour   Inputs: what the request wants and which resources are free.  A load wants one of
//             load_filtered, pending_hit or force_bypass, or nothing if its line is present; an
//             atomic wants force_bypass; stores and hits want nothing.  req_can_leave_o: the
//             request is not refused and no dirty line must be written back first.  It is the
//             longest path of the cache, so it is a sum of products per kind of request and does
//             not depend on refused_o and reason.  Combinational.
// Paper       000, section 4.3; mechanisms/cache.md 0.2; rtl/doc/policy.md.
// C twin      byw_policy_decide() of cmodel/model/policy/byw_policy.c; checked by
//             verif/policy/lockstep_policy.c.
//
`default_nettype none
`include "byw_assert.vh"

module byw_policy_grant (
  // what the request wants, see byw_policy_plan
  input  wire load_filtered_i,    // a load that the filter decides
  input  wire pending_hit_i,
  input  wire force_bypass_i,
  input  wire predicted_dead_i,   // with load_filtered_i or force_bypass_i: a bypass
  input  wire line_wanted_i,      // with load_filtered_i
  input  wire store_needs_slot_i,
  input  wire bypass_if_stalled_i,
  input  wire filter_fallback_i,
  input  wire clean_line_first_i, // never with load_filtered_i

  // the lines of the set
  input  wire way_available_i,
  input  wire victim_owned_i,     // the allocated line belongs to another tag
  input  wire tag_owns_line_i,    // the selected tag owns a line
  input  wire line_dirty_i,       // the line of way_o of byw_policy is dirty

  // resources available in this cycle
  input  wire miss_slot_free_i,
  input  wire bypass_slot_free_i,
  input  wire mshr_free_i,
  input  wire list_room_i,

  output wire line_granted_o,     // the load gets a line if it wants one
  output wire line_denied_o,      // the load wants a line and gets none
  output wire merge_denied_o,
  output wire bypass_chosen_o,    // a bypass by choice, not for lack of a resource
  output wire store_refused_o,
  output wire refused_o,
  output wire load_miss_o,
  output wire load_merge_o,
  output wire line_given_up_o,    // with line_dirty_i a line must be written back first
  output wire req_can_leave_o
);
  assign line_granted_o = way_available_i && miss_slot_free_i && mshr_free_i;

  wire filter_decides   = load_filtered_i && !predicted_dead_i;
  wire line_needed      = filter_decides && line_wanted_i;
  wire resource_missing = merge_denied_o || line_denied_o;

  assign merge_denied_o  = pending_hit_i && !list_room_i;
  assign line_denied_o   = line_needed && !line_granted_o;
  assign load_miss_o     = line_needed && line_granted_o;
  assign load_merge_o    = pending_hit_i && list_room_i;
  assign bypass_chosen_o = force_bypass_i || predicted_dead_i ||
                           (load_filtered_i && !line_wanted_i);
  assign store_refused_o = store_needs_slot_i && !miss_slot_free_i;
  assign refused_o       = store_refused_o ||
                           (bypass_slot_free_i ? resource_missing && !bypass_if_stalled_i
                                                             : resource_missing || bypass_chosen_o);

  // A load that gets a line evicts another tag's line or uses a free one.  A new tag or candidate
  // that gets no line may replace a tag that owned one.
  wire tag_gives_up_line = line_wanted_i ?
                           (line_granted_o ? victim_owned_i : filter_fallback_i &&
                           tag_owns_line_i) : tag_owns_line_i;
  assign line_given_up_o = clean_line_first_i || merge_denied_o ||
                           (filter_decides && tag_gives_up_line);

  // ---- req_can_leave_o, one product per kind of request
  wire present_line_clean = !(clean_line_first_i && line_dirty_i);
  wire bypass_can_leave   = ((force_bypass_i || predicted_dead_i) && present_line_clean) ||
                            (filter_decides && !line_wanted_i &&
                            !(tag_owns_line_i && line_dirty_i)) ||
                            (pending_hit_i && !list_room_i && bypass_if_stalled_i &&
                            !line_dirty_i) ||
                            (line_needed && !line_granted_o && bypass_if_stalled_i &&
                              !(filter_fallback_i && tag_owns_line_i && line_dirty_i));
  wire needs_no_line = !load_filtered_i && !pending_hit_i && !force_bypass_i;

  assign req_can_leave_o = (line_needed && line_granted_o && !(victim_owned_i && line_dirty_i)) ||
                           (pending_hit_i && list_room_i) ||
                           (bypass_can_leave && bypass_slot_free_i) ||
                           (needs_no_line && !store_refused_o && present_line_clean);

`ifdef BYW_CHECKED
  // What byw_policy_plan guarantees of its outputs.
  wire plan_is_valid = !(load_filtered_i && pending_hit_i) &&
                       !(load_filtered_i && force_bypass_i) && !(pending_hit_i && force_bypass_i) &&
                       (!predicted_dead_i || load_filtered_i || force_bypass_i) &&
                       !(store_needs_slot_i &&
                       (load_filtered_i || pending_hit_i || force_bypass_i)) &&
                       !(clean_line_first_i && load_filtered_i) &&
                       !(clean_line_first_i && pending_hit_i);
`endif
  `BYW_HOLDS(only_what_is_not_refused_leaves, plan_is_valid && req_can_leave_o, !refused_o)
  `BYW_HOLDS(dirty_line_is_written_back_first, plan_is_valid && req_can_leave_o,
             !(line_given_up_o && line_dirty_i))
  `BYW_HOLDS(everything_else_leaves, plan_is_valid && !refused_o &&
             !(line_given_up_o && line_dirty_i), req_can_leave_o)
  `BYW_HOLDS(miss_and_merge_exclude_each_other, plan_is_valid, !(load_miss_o && load_merge_o))
endmodule

`default_nettype wire
