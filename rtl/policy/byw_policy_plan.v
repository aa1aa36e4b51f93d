// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_plan - what a request wants, before resources and advice are known.
//
// Behaviour   From the kind of request and the result of byw_policy_look: one bit per path the
//             request can take.  The bits stay valid while the record is unchanged.  With the look
//             stage they are registered, so that s2 only combines them with the free resources.
//             Combinational.
// Paper       000; mechanisms/cache.md 0.1 to 0.3, locality.md 1.3; rtl/doc/policy.md.
// C twin      byw_policy_choose() of cmodel/model/policy/byw_policy.c; checked by
//             verif/policy/lockstep_policy.c.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_policy_plan (
  input  wire [31:0] cfg_i,              // policy register
  input  wire       filter_off_i,        // locality filter off
  input  wire       blind_i,             // the mode does no tag lookup

  // the request
  input  wire [2:0] op_i,                // BYW_OP_LOAD .. BYW_OP_LOCAL_STORE
  input  wire [2:0] hint_i,              // BYW_HINT_*
  input  wire       bypass_mode_i,       // two-level: the load is in bypass mode
  input  wire       more_i,              // continues an access: bypasses if its line is absent

  // its line; all 0 if the mode does no tag lookup
  input  wire       candidate_i,
  input  wire       committed_i,
  input  wire       pending_i,           // with committed_i
  input  wire       rc_reached_i,
  input  wire       way_available_i,     // a line can be allocated
  input  wire       pc_on_i,             // the PC predictor is on

  output wire       force_bypass_o,      // a bypass, whatever the filter says
  output wire       mode_bypass_o,       // bypassed by bypass mode: the record stays
  output wire       load_filtered_o,     // a load that the filter decides
  output wire       line_wanted_o,       // with load_filtered_o: the load wants a line
  output wire       wanted_if_hot_o, // with load_filtered_o: the load wants a line if its PC is hot
  output wire       pc_query_o,          // a load that asks the PC predictor, if that is on
  output wire       bypass_if_dead_o,    // with pc_query_o: the load bypasses if predicted dead
  output wire       pending_hit_o,       // a load of a pending line
  output wire       filled_hit_o,
  output wire       hit_answered_o,      // with filled_hit_o: s3 answers, not memory
  output wire       store_needs_slot_o,  // needs a miss queue slot, and is not a miss
  output wire       insert_last_o,       // a load whose line becomes the next victim
  output wire       filter_fallback_o,   // the filter decides if the line is absent
  output wire       bypass_if_stalled_o, // bypasses if it lacks a line, MSHR or list entry
  output wire       line_drop_o,         // a load, store or atomic that drops its line
  output wire       drop_ages_set_o,     // with line_drop_o: the set ages
  output wire       line_store_o,        // a store that writes its line
  output wire       candidate_count_o,   // a store that counts in its candidate's RC
  output wire       clean_line_first_o   // the line must be clean, whatever is available
);
  `include "byw_defs.vh"

  wire       req_is_load        = (op_i == BYW_OP_LOAD) || (op_i == BYW_OP_LOCAL_LOAD);
  wire       req_is_store       = (op_i == BYW_OP_STORE) || (op_i == BYW_OP_LOCAL_STORE);
  wire       req_is_local_store = op_i == BYW_OP_LOCAL_STORE;
  wire       line_is_filled     = committed_i && !pending_i;
  wire       hint_bypass, hint_cache, hint_last;
  wire [1:0] on_hit;
  wire [2:0] rdna2_hint;

  byw_hint u_hint (
    // the rules of a hint
    .hint_i(hint_i),
    .on_hit_i(cfg_i[BYW_CFG_BYP_ON_HIT_LSB +: 2]),
    .bypass_o(hint_bypass),
    .at_once_o(hint_cache),
    .last_o(hint_last),
    .on_hit_o(on_hit),

    // the hint of an RDNA2 load at one level
    .volatile_i(1'b0),
    .nontemporal_i(1'b0),
    .level_i(BYW_LEVEL_L1),
    .rdna2_hint_o(rdna2_hint)
  );

  // hint_forces_bypass: a load bypasses by its hint; hint_is_plain: its hint is none or STREAM
  wire hint_forces_bypass = hint_bypass && !(committed_i && (on_hit == BYW_BYP_SERVE));
  wire hint_is_plain      = (hint_i == BYW_HINT_NONE) || (hint_i == BYW_HINT_STREAM);
  wire load_uses_tags     = req_is_load && !bypass_mode_i && !blind_i;   // decided by neither mode

  // decided by the filter
  wire load_filtered = load_uses_tags && !hint_forces_bypass && !committed_i;

  assign force_bypass_o     = req_is_load ? bypass_mode_i || blind_i || hint_forces_bypass ||
                              (load_filtered && more_i) : !req_is_store;
  assign mode_bypass_o      = req_is_load && bypass_mode_i;
  assign load_filtered_o    = load_filtered && !more_i;
  assign line_wanted_o      = filter_off_i || hint_cache || (candidate_i && rc_reached_i);
  assign wanted_if_hot_o    = pc_on_i && (hint_i == BYW_HINT_NONE);
  assign pc_query_o         = req_is_load && !blind_i && !committed_i && hint_is_plain && !more_i;
  assign bypass_if_dead_o   = pc_on_i && pc_query_o && !candidate_i;
  assign pending_hit_o      = load_uses_tags && !hint_forces_bypass && pending_i;
  assign filled_hit_o       = line_is_filled &&
                              (req_is_load ? load_uses_tags && !hint_forces_bypass : req_is_store);
  assign hit_answered_o     = filled_hit_o && (op_i != BYW_OP_STORE);
  assign store_needs_slot_o = req_is_store && !(req_is_local_store && line_is_filled);
  assign insert_last_o      = req_is_load && hint_last;

  // ---- a load that lacks a resource; rescue rules treat a full queue like full MSHRs
  wire       load_rescued;
  wire [`BYW_RSFAIL_W-1:0] missing_resource = pending_hit_o ? BYW_RSFAIL_MERGE :
                                              !way_available_i ? BYW_RSFAIL_LINE : BYW_RSFAIL_MSHR;

  byw_rescue u_rescue (
    .cfg_i(cfg_i), .op_i(op_i), .hint_i(hint_i), .reason_i(missing_resource),
    .bypass_o(load_rescued)
  );

  assign filter_fallback_o   = cfg_i[BYW_CFG_BYP_ON_RSFAIL_LSB] && !filter_off_i;
  assign bypass_if_stalled_o = load_rescued || (filter_fallback_o && !pending_hit_o);

  // ---- a store or atomic, and everything that drops a line
  wire req_is_atomic = op_i == BYW_OP_ATOMIC;
  wire bypass_evicts = load_uses_tags && hint_forces_bypass && committed_i &&
                       (on_hit == BYW_BYP_EVICT);
  wire write_releases, write_ages_set, write_updates, write_counts;

  byw_write_decide u_write (
    .cfg_i(cfg_i),
    .filter_off_i(filter_off_i),
    .req_is_atomic_i(req_is_atomic),
    .req_is_local_store_i(req_is_local_store),

    // state of the request's line in the set
    .candidate_i(candidate_i),
    .committed_i(committed_i),
    .pending_i(pending_i),

    .line_release_o(write_releases),
    .release_ages_o(write_ages_set),
    .line_write_o(write_updates),
    .candidate_count_o(write_counts)
  );

  assign line_drop_o        = bypass_evicts || ((req_is_store || req_is_atomic) && write_releases);
  assign drop_ages_set_o    = bypass_evicts ? cfg_i[BYW_CFG_AGE_ON_EVICT_LSB] && !filter_off_i :
                              write_ages_set;
  assign line_store_o       = req_is_store && write_updates;
  assign candidate_count_o  = req_is_store && write_counts;
  assign clean_line_first_o = (line_drop_o && !pending_i) || (force_bypass_o && committed_i);

  wire unused_ok = &{1'b0, cfg_i, rdna2_hint};

`ifdef BYW_CHECKED
  wire [2:0] paths = {2'd0, force_bypass_o} + {2'd0, load_filtered_o} + {2'd0,
                     pending_hit_o} + {2'd0, filled_hit_o};
  wire       known = !(candidate_i && committed_i) && (!pending_i || committed_i);
`endif
  `BYW_HOLDS(one_path_per_load, known && req_is_load, paths == 3'd1)
  `BYW_HOLDS(atomic_bypasses, op_i == BYW_OP_ATOMIC, force_bypass_o && !load_filtered_o &&
                                      !pending_hit_o && !filled_hit_o)
  `BYW_HOLDS(only_a_hit_is_answered, hit_answered_o, filled_hit_o)
  `BYW_HOLDS(only_a_store_writes, line_store_o || candidate_count_o, req_is_store)
  `BYW_HOLDS(bypass_mode_ignores_the_filter, bypass_mode_i, !load_filtered_o && !pending_hit_o)
endmodule

`default_nettype wire
