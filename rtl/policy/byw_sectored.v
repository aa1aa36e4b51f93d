// SPDX-License-Identifier: Apache-2.0
//
// byw_sectored - the decision point of an allocate-on-fill cache, with lines of one or more
//                sectors; it replaces byw_policy.
//
// Behaviour   A load finds its sector valid (HIT), pending (HIT_PENDING, or refused if the list is
//             full) or absent (MISS: needs a queue slot and an MSHR, no line and no record).
//             Stores write through; they evict or update a valid sector (a local store updates) and
//             detach the MSHR of a pending one.  Atomics, volatile loads and evicting bypasses drop
//             the line if its sector is valid, and detach.  Advice applies in the order bypass
//             mode, predicted dead, stall bypass.  rec_*_o is the record afterwards.
//             Combinational.
// Paper       001, table 1; mechanisms/cache.md 0.2, 0.3, mechanisms/two_level.md 3.5;
//             rtl/doc/sectored.md.
// C twin      cmodel/model/policy/byw_sectored.c, byw_policy_apply(); checked by
//             verif/policy/lockstep_sectored.c.
//
// Parameter   Default  Range    Meaning
// WAYS        48       1..64    lines per set
// SECTORS     4        1..8     sectors per line
// REPL        0        0, 1     0 LRU, 1 SRRIP
// SET_IW, PC_W 2, 32            widths of a set number and of a PC
// WAY_IW, RANK_W                widths of a way number and of a replacement rank
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_sectored #(
  parameter integer WAYS    = 48,
  parameter integer SECTORS = 4,
  parameter integer REPL    = 0,
  parameter integer SET_IW  = 2,
  parameter integer PC_W    = 32,
  parameter integer WAY_IW  = (WAYS > 1) ? $clog2(WAYS) : 1,
  parameter integer RANK_W  = `BYW_REPL_RANK_W(REPL, WAY_IW)
) (
  input  wire [31:0]             cfg_i,            // policy register

  // the request and its lookup
  input  wire [2:0]              op_i,             // BYW_OP_*, no maintenance
  input  wire [2:0]              hint_i,           // BYW_HINT_*
  input  wire [SECTORS-1:0]      sector_i,         // one-hot
  input  wire                    hit_i,            // way hit_way_i holds its line
  input  wire [WAY_IW-1:0]       hit_way_i,
  input  wire                    pending_i,        // an attached MSHR fetches its sector
  input  wire [SET_IW-1:0]       set_i,            // the next three: for byw_repl only
  input  wire [PC_W-1:0]         pc_i,
  input  wire [`BYW_REPL_RANDOM_W-1:0] random_i,
  input  wire                    adv_bypass_i,     // the load is taken in bypass mode
  input  wire                    adv_dead_i,       // the load's line is predicted dead
  output wire                    asks_o,           // the load asks the PC predictor

  // resources available in this cycle
  input  wire                    res_miss_slot_i,
  input  wire                    res_bypass_slot_i,
  input  wire                    res_mshr_i,
  input  wire                    res_merge_i,

  // the decision
  output wire [`BYW_OUTCOME_W-1:0] outcome_o,        // BYW_HIT .. BYW_RSFAIL
  output wire [`BYW_RSFAIL_W-1:0] reason_o,         // BYW_RSFAIL_*, if refused
  // BYW_SET_KEEP, TOUCH or RELEASE, for way hit_way_i
  output wire [`BYW_ACTION_W-1:0] action_o,
  output wire [`BYW_CAUSE_W-1:0] cause_o,          // BYW_CAUSE_*, if bypassed
  output wire                    orphan_o,         // the MSHR is detached
  // a MISS whose line is inserted as the next victim
  output wire                    last_o,
  output wire                    sector_miss_o,    // a load MISS whose line is present
  output wire                    blind_o,          // mode bypass_all: no tag lookup

  // the record before and after; a way without a valid sector holds no line
  input  wire [WAYS*SECTORS-1:0] rec_sectors_i,
  input  wire [WAYS*RANK_W-1:0]  rec_rank_i,
  input  wire [WAYS-1:0]         rec_reused_i,
  output wire [WAYS*SECTORS-1:0] rec_sectors_o,
  output wire [WAYS*RANK_W-1:0]  rec_rank_o,
  output wire [WAYS-1:0]         rec_reused_o
);
  `include "byw_defs.vh"

  localparam [WAYS-1:0] ONE = 1;

  generate
    if ((WAYS < 1) || (WAYS > 64)) begin : gen_check_ways
      byw_sectored_WAYS_must_be_1_to_64 u_error ();
    end
    if ((SECTORS < 1) || (SECTORS > 8)) begin : gen_check_sectors
      byw_sectored_SECTORS_must_be_1_to_8 u_error ();
    end
  endgenerate

  // ---- the request and its lookup
  wire is_load  = (op_i == BYW_OP_LOAD) || (op_i == BYW_OP_LOCAL_LOAD);
  wire is_store = (op_i == BYW_OP_STORE) || (op_i == BYW_OP_LOCAL_STORE);
  wire is_local = op_i == BYW_OP_LOCAL_STORE;
  wire update   = cfg_i[BYW_CFG_STORE_UPDATE_LSB];

  wire [SECTORS-1:0] sectors;
  wire [2:0]         rdna2_hint;
  wire [1:0]         on_hit;
  wire               hint_bypass, at_once, stalls;

  assign blind_o = cfg_i[BYW_CFG_MODE_LSB +: BYW_CFG_MODE_W] == BYW_MODE_BYPASS_ALL;

  byw_mux #(.N(WAYS), .W(SECTORS)) u_sectors (
    .data_i(rec_sectors_i), .sel_i(hit_way_i), .data_o(sectors)
  );
  byw_hint u_hint (
    // the rules of a hint
    .hint_i(hint_i),
    .on_hit_i(cfg_i[BYW_CFG_BYP_ON_HIT_LSB +: BYW_CFG_BYP_ON_HIT_W]),
    .bypass_o(hint_bypass),
    .at_once_o(at_once),
    .last_o(last_o),
    .on_hit_o(on_hit),

    // the hint of an RDNA2 load at one level
    .volatile_i(1'b0),
    .nontemporal_i(1'b0),
    .level_i(BYW_LEVEL_L1),
    .rdna2_hint_o(rdna2_hint)
  );

  wire found   = hit_i && !blind_o;
  wire valid   = found && (|(sectors & sector_i));
  wire pending = pending_i && !blind_o;

  assign asks_o = is_load && !blind_o && !valid && !pending &&
                  ((hint_i == BYW_HINT_NONE) || (hint_i == BYW_HINT_STREAM));

  // ---- a load, before advice
  wire serves = (valid || pending) && (on_hit == BYW_BYP_SERVE);
  wire cached = !blind_o && (!hint_bypass || serves);
  wire full   = pending && !res_merge_i;
  wire misses = !valid && !pending;
  wire [2:0] lacks  = full ? BYW_RSFAIL_MERGE : !res_miss_slot_i ? BYW_RSFAIL_MISS_QUEUE
                                                                 : BYW_RSFAIL_MSHR;
  wire cached_fails = !valid && (full || (misses && !(res_miss_slot_i && res_mshr_i)));

  byw_rescue u_rescue (
    .cfg_i(cfg_i), .op_i(op_i), .hint_i(hint_i), .reason_i(lacks), .bypass_o(stalls)
  );

  // ---- paths
  wire by_mode  = is_load && adv_bypass_i;
  wire by_dead  = is_load && !adv_bypass_i && adv_dead_i && asks_o;
  wire advised  = by_mode || by_dead;
  wire by_stall = is_load && !advised && cached && cached_fails && stalls;
  wire by_rule  = is_load && !advised && !cached;    // bypassed because of its hint or the mode
  wire past     = by_mode || by_dead || by_stall || by_rule || (op_i == BYW_OP_ATOMIC);
  wire in_cache = is_load && !past;
  wire touches  = valid && (in_cache || (is_store && (is_local || update)));
  wire takes    = (is_store && !touches) || (op_i == BYW_OP_ATOMIC) ||
                  (by_rule && !blind_o && (on_hit == BYW_BYP_EVICT));
  wire refused  = past ? !res_bypass_slot_i : is_store ? !res_miss_slot_i : cached_fails;

  assign outcome_o = refused ? BYW_RSFAIL : past ? BYW_BYPASS : valid ? BYW_HIT :
                     (in_cache && pending) ? BYW_HIT_PENDING : BYW_MISS;
  assign reason_o  = past ? BYW_RSFAIL_ICNT : is_store ? BYW_RSFAIL_MISS_QUEUE : lacks;
  assign action_o  = refused ? BYW_SET_KEEP : touches ? BYW_SET_TOUCH :
                     (takes && valid) ? BYW_SET_RELEASE : BYW_SET_KEEP;
  assign cause_o   = by_mode ? BYW_CAUSE_MODE : by_dead ? BYW_CAUSE_DEAD :
                     by_stall ? BYW_CAUSE_STALL : BYW_CAUSE_NONE;
  assign orphan_o  = !refused && takes && pending;
  assign sector_miss_o = in_cache && (outcome_o == BYW_MISS) && found;

  // ---- the record after the decision
  wire [WAYS-1:0] hot     = ONE << hit_way_i;
  wire            touch   = action_o == BYW_SET_TOUCH;
  wire            drops   = action_o == BYW_SET_RELEASE;
  wire [WAY_IW-1:0] victim;
  genvar          g;

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      assign rec_sectors_o[g*SECTORS +: SECTORS] =
        rec_sectors_i[g*SECTORS +: SECTORS] & {SECTORS{!(drops && hot[g])}};
    end
  endgenerate

  byw_repl #(.WAYS(WAYS), .REPL(REPL), .SET_IW(SET_IW), .PC_W(PC_W)) u_repl (
    .rank_i(rec_rank_i),
    .eligible_i({WAYS{1'b1}}),
    .victim_o(victim),

    .set_i(set_i),
    .pc_i(pc_i),
    .random_i(random_i),

    .touch_i(touch),
    .evict_i(1'b0),
    .insert_i(1'b0),
    .last_i(1'b0),
    .way_i(hit_way_i),
    .rank_o(rec_rank_o)
  );

  assign rec_reused_o = rec_reused_i | (hot & {WAYS{touch}});

  wire unused_ok = &{1'b0, cfg_i, at_once, rdna2_hint, victim};

  `BYW_HOLDS(refusal_changes_nothing, refused, (action_o == BYW_SET_KEEP) && !orphan_o &&
             (rec_sectors_o == rec_sectors_i) && (rec_reused_o == rec_reused_i))
  `BYW_HOLDS(bypass_has_its_slot, outcome_o == BYW_BYPASS, res_bypass_slot_i)
  `BYW_HOLDS(load_miss_has_its_resources, in_cache && (outcome_o == BYW_MISS),
             res_miss_slot_i && res_mshr_i)
  `BYW_HOLDS(merge_has_room, outcome_o == BYW_HIT_PENDING, pending && res_merge_i)
  `BYW_HOLDS(sectors_are_only_dropped, 1'b1,
             (rec_sectors_o & ~rec_sectors_i) == {(WAYS*SECTORS){1'b0}})
endmodule

`default_nettype wire
