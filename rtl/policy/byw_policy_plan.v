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
  input  wire [31:0] cfg_i,         // policy register
  input  wire       off_i,           // locality filter off
  input  wire       blind_i,         // the mode does no tag lookup

  // the request
  input  wire [2:0] op_i,            // BYW_OP_LOAD .. BYW_OP_LOCAL_STORE
  input  wire [2:0] hint_i,          // BYW_HINT_*
  input  wire       bypass_i,        // two-level: taken in bypass mode
  input  wire       more_i,          // continues an access: bypasses if its line is absent

  // its line; all 0 if the mode does no tag lookup
  input  wire       candidate_i,
  input  wire       committed_i,
  input  wire       pending_i,       // with committed_i
  input  wire       reached_i,
  input  wire       place_i,         // a line can be allocated
  input  wire       pc_on_i,         // the PC predictor is on

  output wire       past_o,          // a bypass, whatever the filter says
  output wire       by_mode_o,       // bypassed by bypass mode: the record stays
  output wire       open_o,          // a load that the filter decides
  output wire       wants_o,         // with open_o: the load wants a line
  output wire       warm_o,          // with open_o: the load wants a line if its PC is hot
  output wire       asks_o,          // a load that asks the PC predictor, if that is on
  output wire       dies_o,          // with asks_o: the load bypasses if predicted dead
  output wire       joins_o,         // a load of a pending line
  output wire       hits_o,
  output wire       answers_o,       // with hits_o: s3 answers, not memory
  output wire       by_slot_o,       // needs a miss queue slot, and is not a miss
  output wire       last_o,          // a load whose line becomes the next victim
  output wire       falls_back_o,    // the filter decides if the line is absent
  output wire       may_bypass_o,    // bypasses if it lacks a line, MSHR or list entry
  output wire       drops_o,         // a load, store or atomic that drops its line
  output wire       drop_ages_o,     // with drops_o: the set ages
  output wire       stores_o,        // a store that writes its line
  output wire       counts_o,        // a store that counts in its candidate's RC
  output wire       cleans_o         // the line must be clean, whatever is available
);
  `include "byw_defs.vh"

  wire       is_load  = (op_i == BYW_OP_LOAD) || (op_i == BYW_OP_LOCAL_LOAD);
  wire       is_store = (op_i == BYW_OP_STORE) || (op_i == BYW_OP_LOCAL_STORE);
  wire       is_local = op_i == BYW_OP_LOCAL_STORE;
  wire       filled   = committed_i && !pending_i;
  wire       hint_past, hint_at_once, hint_last;
  wire [1:0] on_hit;
  wire [2:0] rdna2_hint;

  byw_hint u_hint (
    .hint_i(hint_i), .on_hit_i(cfg_i[BYW_CFG_BYP_ON_HIT_LSB +: 2]), .bypass_o(hint_past),
    .at_once_o(hint_at_once), .last_o(hint_last), .on_hit_o(on_hit), .volatile_i(1'b0),
    .nontemporal_i(1'b0), .level_i(BYW_LEVEL_L1), .rdna2_hint_o(rdna2_hint)
  );

  // a load that bypasses by its hint, and whether it drops a present copy
  wire past  = hint_past && !(committed_i && (on_hit == BYW_BYP_SERVE));
  wire plain = (hint_i == BYW_HINT_NONE) || (hint_i == BYW_HINT_STREAM);
  wire own   = is_load && !bypass_i && !blind_i;   // decided by neither mode

  wire open  = own && !past && !committed_i;       // decided by the filter

  assign past_o    = is_load ? bypass_i || blind_i || past || (open && more_i) : !is_store;
  assign by_mode_o = is_load && bypass_i;
  assign open_o    = open && !more_i;
  assign wants_o   = off_i || hint_at_once || (candidate_i && reached_i);
  assign warm_o    = pc_on_i && (hint_i == BYW_HINT_NONE);
  assign asks_o    = is_load && !blind_i && !committed_i && plain && !more_i;
  assign dies_o    = pc_on_i && asks_o && !candidate_i;
  assign joins_o   = own && !past && pending_i;
  assign hits_o    = filled && (is_load ? own && !past : is_store);
  assign answers_o = hits_o && (op_i != BYW_OP_STORE);
  assign by_slot_o = is_store && !(is_local && filled);
  assign last_o    = is_load && hint_last;

  // ---- a load that lacks a resource; rescue rules treat a full queue like full MSHRs
  wire       rescued;
  wire [`BYW_RSFAIL_W-1:0] lacks = joins_o ? BYW_RSFAIL_MERGE :
                                   !place_i ? BYW_RSFAIL_LINE : BYW_RSFAIL_MSHR;

  byw_rescue u_rescue (
    .cfg_i(cfg_i), .op_i(op_i), .hint_i(hint_i), .reason_i(lacks), .bypass_o(rescued)
  );

  assign falls_back_o = cfg_i[BYW_CFG_BYP_ON_RSFAIL_LSB] && !off_i;
  assign may_bypass_o = rescued || (falls_back_o && !joins_o);

  // ---- a store or atomic, and everything that drops a line
  wire is_atomic = op_i == BYW_OP_ATOMIC;
  wire evicts    = own && past && committed_i && (on_hit == BYW_BYP_EVICT);
  wire releases, release_ages, touches, counts;

  byw_write_decide u_write (
    .cfg_i(cfg_i), .off_i(off_i), .atomic_i(is_atomic), .local_i(is_local),
    .candidate_i(candidate_i), .committed_i(committed_i), .pending_i(pending_i),
    .release_o(releases), .ages_o(release_ages), .touch_o(touches), .count_o(counts)
  );

  assign drops_o     = evicts || ((is_store || is_atomic) && releases);
  assign drop_ages_o = evicts ? cfg_i[BYW_CFG_AGE_ON_EVICT_LSB] && !off_i : release_ages;
  assign stores_o    = is_store && touches;
  assign counts_o    = is_store && counts;
  assign cleans_o    = (drops_o && !pending_i) || (past_o && committed_i);

  wire unused_ok = &{1'b0, cfg_i, rdna2_hint};

`ifdef BYW_CHECKED
  wire [2:0] paths = {2'd0, past_o} + {2'd0, open_o} + {2'd0, joins_o} + {2'd0, hits_o};
  wire       known = !(candidate_i && committed_i) && (!pending_i || committed_i);
`endif
  `BYW_HOLDS(one_path_per_load, known && is_load, paths == 3'd1)
  `BYW_HOLDS(atomic_bypasses, op_i == BYW_OP_ATOMIC, past_o && !open_o && !joins_o && !hits_o)
  `BYW_HOLDS(only_a_hit_is_answered, answers_o, hits_o)
  `BYW_HOLDS(only_a_store_writes, stores_o || counts_o, is_store)
  `BYW_HOLDS(bypass_mode_ignores_the_filter, bypass_i, !open_o && !joins_o)
endmodule

`default_nettype wire
