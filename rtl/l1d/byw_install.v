// SPDX-License-Identifier: Apache-2.0
//
// byw_install - allocates a line when a fill arrives: the second half of an allocate-on-fill miss.
//
// Behaviour   If the line is present (hit_i), the sector is added to it and, unless last_i, the
//             line is touched.  Otherwise the fill allocates the lowest free way or evicts the
//             victim.  The new line holds only this sector, and last_i inserts it as the next
//             victim.  rec_*_o is the record afterwards.  Combinational.
// Paper       001, table 1; mechanisms/two_level.md 3.5; rtl/doc/install.md.
// C twin      cmodel/model/l1d/byw_install.c; checked by verif/l1d/lockstep_install.c.
//
// Parameters as in byw_sectored; KEY_W: line address bits above the set index.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_install #(
  parameter integer WAYS    = 48,
  parameter integer SECTORS = 4,
  parameter integer KEY_W   = 31,
  parameter integer REPL    = 0,
  parameter integer SET_IW  = 2,
  parameter integer PC_W    = 32,
  parameter integer WAY_IW  = (WAYS > 1) ? $clog2(WAYS) : 1,
  parameter integer RANK_W  = `BYW_REPL_RANK_W(REPL, WAY_IW)
) (
  // the fill
  input  wire [KEY_W-1:0]        key_i,
  input  wire [SECTORS-1:0]      sector_i,         // one-hot
  input  wire                    last_i,           // the streaming hint
  input  wire                    hit_i,            // way hit_way_i holds its line
  input  wire [WAY_IW-1:0]       hit_way_i,

  // used only by the replacement policy, see byw_repl; pc_i is the PC of the load that missed
  input  wire [SET_IW-1:0]       set_i,
  input  wire [PC_W-1:0]         pc_i,
  input  wire [`BYW_REPL_RANDOM_W-1:0] random_i,

  // the allocated way
  output wire                    leaves_o,         // the line in way_o is evicted
  output wire                    leaves_reused_o,  // the evicted line was hit since its fill
  output wire [WAY_IW-1:0]       way_o,

  // the record before and after
  input  wire [WAYS*KEY_W-1:0]   rec_key_i,
  input  wire [WAYS*SECTORS-1:0] rec_sectors_i,
  input  wire [WAYS*RANK_W-1:0]  rec_rank_i,
  input  wire [WAYS-1:0]         rec_reused_i,
  output wire [WAYS*KEY_W-1:0]   rec_key_o,
  output wire [WAYS*SECTORS-1:0] rec_sectors_o,
  output wire [WAYS*RANK_W-1:0]  rec_rank_o,
  output wire [WAYS-1:0]         rec_reused_o
);
  localparam [WAYS-1:0] ONE = 1;

  wire [WAYS-1:0]   vacant;
  wire              any_vacant;
  wire [WAY_IW-1:0] vacant_way, victim;
  wire [WAYS-1:0]   hot    = ONE << way_o;
  wire              joins  = hit_i && !last_i;
  genvar            g;

  byw_prio_enc #(.N(WAYS)) u_vacant (
    .req_i(vacant), .any_o(any_vacant), .index_o(vacant_way)
  );

  assign way_o    = hit_i ? hit_way_i : any_vacant ? vacant_way : victim;
  assign leaves_o = !hit_i && !any_vacant;
  assign leaves_reused_o = |(rec_reused_i & hot);

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      wire [SECTORS-1:0] sectors = rec_sectors_i[g*SECTORS +: SECTORS];
      wire               taken   = hot[g] && !hit_i;
      assign vacant[g] = !(|sectors);
      assign rec_key_o[g*KEY_W +: KEY_W] = taken ? key_i : rec_key_i[g*KEY_W +: KEY_W];
      assign rec_sectors_o[g*SECTORS +: SECTORS] =
        taken ? sector_i : hot[g] ? sectors | sector_i : sectors;
      assign rec_reused_o[g] = rec_reused_i[g] && !taken;
    end
  endgenerate

  byw_repl #(.WAYS(WAYS), .REPL(REPL), .SET_IW(SET_IW), .PC_W(PC_W)) u_repl (
    .rank_i(rec_rank_i),
    .eligible_i({WAYS{1'b1}}),
    .victim_o(victim),

    .set_i(set_i),
    .pc_i(pc_i),
    .random_i(random_i),

    .touch_i(joins),
    .evict_i(leaves_o),
    .insert_i(!hit_i),
    .last_i(last_i),
    .way_i(way_o),
    .rank_o(rec_rank_o)
  );

  `BYW_HOLDS(only_a_full_set_evicts, leaves_o, vacant == {WAYS{1'b0}})
  `BYW_HOLDS(present_line_is_kept, hit_i, (way_o == hit_way_i) && (rec_key_o == rec_key_i))
  `BYW_HOLDS(sector_is_there_afterwards, way_o < WAYS,
             (rec_sectors_o[way_o*SECTORS +: SECTORS] & sector_i) == sector_i)
  `BYW_HOLDS(new_line_has_its_key, !hit_i && (way_o < WAYS),
             rec_key_o[way_o*KEY_W +: KEY_W] == key_i)
endmodule

`default_nettype wire
