// SPDX-License-Identifier: Apache-2.0
//
// byw_repl - the replacement policy for the data ways of one set record, selected by REPL.
//
// Behaviour   victim_o is the way to evict among eligible_i, which must not be empty when it is
//             used.  rank_o is rank_i after an accepted decision.  touch_i touches way_i.  insert_i
//             inserts a line in way_i, with evict_i if it replaces one; last_i inserts it as the
//             next victim.  set_i is the set number.  pc_i is the PC of the request (for a fill: of
//             the load that missed).  random_i is a number that changes when a line is placed
//             (byw_repl_random).  Combinational.  This is the only module that names the policies;
//             a new one adds a branch here.
// Paper       mechanisms/baselines.md 2.5; rtl/doc/repl.md.
// C twin      cmodel/model/record/byw_repl.c; checked by verif/policy/lockstep_policy.c.
//
// Parameter   Default  Range    Meaning
// WAYS        4        1..64    data ways
// REPL        0        0, 1     policy, BYW_REPL_*
// SET_IW      5                 width of a set number
// PC_W        32                width of a PC
// WAY_IW      $clog2(WAYS), at least 1
// RANK_W      rank bits per way; depends on the policy
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_repl #(
  parameter integer WAYS   = 4,
  parameter integer REPL   = 0,
  parameter integer SET_IW = 5,
  parameter integer PC_W   = 32,
  parameter integer WAY_IW = (WAYS > 1) ? $clog2(WAYS) : 1,
  parameter integer RANK_W = `BYW_REPL_RANK_W(REPL, WAY_IW)
) (
  input  wire [WAYS*RANK_W-1:0] rank_i,
  input  wire [WAYS-1:0]        eligible_i,
  output wire [WAY_IW-1:0]      victim_o,

  input  wire [SET_IW-1:0]      set_i,
  input  wire [PC_W-1:0]        pc_i,
  input  wire [`BYW_REPL_RANDOM_W-1:0] random_i,

  input  wire                   touch_i,
  input  wire                   evict_i,
  input  wire                   insert_i,
  input  wire                   last_i,
  input  wire [WAY_IW-1:0]      way_i,
  output wire [WAYS*RANK_W-1:0] rank_o
);
  generate
    if (REPL == `BYW_REPL_LRU) begin : gen_lru
      byw_repl_lru #(.WAYS(WAYS), .SET_IW(SET_IW), .PC_W(PC_W)) u_policy (
        .rank_i(rank_i),
        .eligible_i(eligible_i),
        .victim_o(victim_o),

        .set_i(set_i),
        .pc_i(pc_i),
        .random_i(random_i),

        .touch_i(touch_i),
        .evict_i(evict_i),
        .insert_i(insert_i),
        .last_i(last_i),
        .way_i(way_i),
        .rank_o(rank_o)
      );
    end else if (REPL == `BYW_REPL_SRRIP) begin : gen_srrip
      byw_repl_srrip #(.WAYS(WAYS), .SET_IW(SET_IW), .PC_W(PC_W)) u_policy (
        .rank_i(rank_i),
        .eligible_i(eligible_i),
        .victim_o(victim_o),

        .set_i(set_i),
        .pc_i(pc_i),
        .random_i(random_i),

        .touch_i(touch_i),
        .evict_i(evict_i),
        .insert_i(insert_i),
        .last_i(last_i),
        .way_i(way_i),
        .rank_o(rank_o)
      );
    end else begin : gen_none
      byw_repl_REPL_names_no_policy u_error ();
    end
  endgenerate

  `BYW_HOLDS(victim_is_eligible, |eligible_i, eligible_i[victim_o])
endmodule

`default_nettype wire
