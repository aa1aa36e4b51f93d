// SPDX-License-Identifier: Apache-2.0
//
// byw_repl_lru - exact LRU for the data ways of one set record.
//
// Behaviour   Rank 0 is the most recently used way; the ranks are a permutation.  victim_o is the
//             eligible way with the highest rank.  touch_i or insert_i moves way_i to rank 0;
//             insert_i with last_i moves it to the highest rank.  evict_i has no effect.
//             Combinational.
// Paper       000, table 2; mechanisms/baselines.md 2.5; rtl/doc/repl.md.
// C twin      cmodel/model/record/byw_repl_lru.c; checked by verif/policy/lockstep_policy.c.
//
// Parameters and ports as in byw_repl.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_repl_lru #(
  parameter integer WAYS   = 4,
  parameter integer SET_IW = 5,
  parameter integer PC_W   = 32,
  parameter integer WAY_IW = (WAYS > 1) ? $clog2(WAYS) : 1,
  parameter integer RANK_W = WAY_IW
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
  localparam [WAYS-1:0] ONE    = 1;
  localparam integer    OLDEST = WAYS - 1;

  wire [WAY_IW-1:0] rank;
  wire [WAYS-1:0]   hot      = ONE << way_i;
  wire              to_front = touch_i || (insert_i && !last_i);
  wire              to_back  = insert_i && last_i;
  wire              any;
  genvar            g;

  byw_min_tree #(.N(WAYS), .KEY_W(WAY_IW)) u_victim (
    .valid_i(eligible_i), .key_i(~rank_i), .any_o(any), .index_o(victim_o)
  );
  byw_mux #(.N(WAYS), .W(WAY_IW)) u_rank (.data_i(rank_i), .sel_i(way_i), .data_o(rank));

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      wire [WAY_IW-1:0] own   = rank_i[g*WAY_IW +: WAY_IW];
      wire [WAY_IW-1:0] front = hot[g] ? {WAY_IW{1'b0}} : (own < rank) ? own + 1'b1 : own;
      wire [WAY_IW-1:0] back  = hot[g] ? OLDEST[WAY_IW-1:0] : (own > rank) ? own - 1'b1 : own;
      assign rank_o[g*WAY_IW +: WAY_IW] = to_front ? front : to_back ? back : own;
    end
  endgenerate

  wire unused_ok = &{1'b0, any, evict_i, set_i, pc_i, random_i};

`ifdef BYW_CHECKED
  function is_permutation;
    input [WAYS*RANK_W-1:0] ranks;
    reg   [WAYS-1:0]        seen;
    integer                 n;
    begin
      seen = {WAYS{1'b0}};
      for (n = 0; n < WAYS; n = n + 1) seen = seen | (ONE << ranks[n*RANK_W +: RANK_W]);
      is_permutation = &seen;
    end
  endfunction
`endif
  `BYW_HOLDS(victim_is_eligible, |eligible_i, eligible_i[victim_o])
  `BYW_HOLDS(ranks_stay_a_permutation, (way_i < WAYS) && is_permutation(rank_i),
             is_permutation(rank_o))
  `BYW_HOLDS(way_used_last_has_rank_0, to_front && (way_i < WAYS),
             rank_o[way_i*RANK_W +: RANK_W] == {RANK_W{1'b0}})
endmodule

`default_nettype wire
