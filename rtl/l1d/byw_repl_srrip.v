// SPDX-License-Identifier: Apache-2.0
//
// byw_repl_srrip - 2-bit SRRIP with hit priority for the data ways of one set record.
//
// Behaviour   A rank is a re-reference prediction value (RRPV).  victim_o is the lowest eligible
//             way with the largest RRPV.  evict_i adds 3 minus the victim's RRPV to every way,
//             saturating at 3.  insert_i sets way_i to 2, or to 3 with last_i.  touch_i sets way_i
//             to 0.  Within one decision evict_i applies before insert_i.  Combinational.
// Paper       compared in 000, figure 12; mechanisms/baselines.md 2.5; rtl/doc/repl.md.
// C twin      cmodel/model/record/byw_repl_srrip.c; checked by verif/policy/lockstep_policy.c.
//
// Parameters and ports as in byw_repl.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_repl_srrip #(
  parameter integer WAYS   = 4,
  parameter integer SET_IW = 5,
  parameter integer PC_W   = 32,
  parameter integer WAY_IW = (WAYS > 1) ? $clog2(WAYS) : 1,
  parameter integer RANK_W = `BYW_REPL_RANK_W(`BYW_REPL_SRRIP, WAY_IW)
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
  localparam [WAYS-1:0] ONE         = 1;
  localparam [1:0]      RRPV_MAX    = 2'd3;
  localparam [1:0]      RRPV_INSERT = 2'd2;

  wire [1:0]      largest;
  wire [1:0]      growth = evict_i ? RRPV_MAX - largest : 2'd0;
  wire [WAYS-1:0] hot    = ONE << way_i;
  wire            any;
  genvar          g;

  byw_min_tree #(.N(WAYS), .KEY_W(2)) u_victim (
    .valid_i(eligible_i), .key_i(~rank_i), .any_o(any), .index_o(victim_o)
  );
  byw_mux #(.N(WAYS), .W(2)) u_largest (.data_i(rank_i), .sel_i(victim_o), .data_o(largest));

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      wire [2:0] sum   = {1'b0, rank_i[g*2 +: 2]} + {1'b0, growth};
      wire [1:0] grown = sum[2] ? RRPV_MAX : sum[1:0];
      assign rank_o[g*2 +: 2] = (touch_i && hot[g])  ? 2'd0 :
                                (insert_i && hot[g]) ? (last_i ? RRPV_MAX : RRPV_INSERT) : grown;
    end
  endgenerate

  wire unused_ok = &{1'b0, any, set_i, pc_i, random_i};

  `BYW_HOLDS(victim_is_eligible, |eligible_i, eligible_i[victim_o])
  `BYW_HOLDS(way_touched_is_re_referenced_next, touch_i && (way_i < WAYS),
             rank_o[way_i*2 +: 2] == 2'd0)
  `BYW_HOLDS(way_inserted_is_not_re_referenced_soon, insert_i && !touch_i && (way_i < WAYS),
             rank_o[way_i*2 +: 2] == (last_i ? RRPV_MAX : RRPV_INSERT))
endmodule

`default_nettype wire
