// SPDX-License-Identifier: Apache-2.0
//
// byw_sector_store - the records of all sets of an allocate-on-fill cache, and the pipeline
//                    registers that carry them to the decision point and to the fill.
//
// Behaviour   Two read paths.  Requests: s0_take_i with s0_read_i reads the record of s0_set_i, and
//             s1_move_i moves it into s2, where it may stay.  Fills: f0_take_i reads the record of
//             f0_set_i, which is in f2 two cycles later, for one cycle.  s2_*_o and f2_*_o are the
//             architectural records at the start of each cycle, including all earlier writes, and
//             the key match.  wr_en_i writes the record of wr_set_i; only the key of wr_way_i can
//             change, to wr_key_i with wr_new_key_i.  A way without a valid sector holds no line.
//             PARITY: s2_bad_o and f2_bad_o tell that the key of a line of the set had wrong parity
//             when it was read; a record that has one must not be written back.
// Paper       001, table 1; mechanisms/two_level.md 3.5; rtl/doc/sector_store.md, l1d_pipeline.md.
// C twin      cmodel/model/l1d/byw_tag_store.c; checked by verif/l1d/lockstep_sector_store.c.
// Reset       rst_i or clear_i: every set is empty.  The two RAMs are never reset.
//
// Parameters as in byw_install; SETS 1..4096 (4), a power of two; PARITY 0, 1 (0): the highest bit
// of each key is its parity bit, so that the key with it is even.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_sector_store #(
  parameter integer SETS    = 4,
  parameter integer WAYS    = 48,
  parameter integer SECTORS = 4,
  parameter integer KEY_W   = 31,
  parameter integer REPL    = 0,
  parameter integer PARITY  = 0,
  parameter integer SET_IW  = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW  = (WAYS > 1) ? $clog2(WAYS) : 1,
  parameter integer RANK_W  = `BYW_REPL_RANK_W(REPL, WAY_IW)
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // the request pipeline
  input  wire                    s0_take_i,        // a request enters s1
  input  wire                    s0_read_i,        // the request reads its record
  input  wire [SET_IW-1:0]       s0_set_i,
  input  wire [KEY_W-1:0]        s0_key_i,
  input  wire                    s1_move_i,        // s1 moves into s2
  output wire [SET_IW-1:0]       s1_set_o,
  output wire [SET_IW-1:0]       s2_set_o,
  output wire                    s2_hit_o,         // way s2_hit_way_o holds its line
  output wire [WAY_IW-1:0]       s2_hit_way_o,
  output wire                    s2_bad_o,         // PARITY: a line's key is wrong
  output wire [WAYS*KEY_W-1:0]   s2_key_o,
  output wire [WAYS*SECTORS-1:0] s2_sectors_o,
  output wire [WAYS*RANK_W-1:0]  s2_rank_o,
  output wire [WAYS-1:0]         s2_reused_o,

  // the fill pipeline
  input  wire                    f0_take_i,        // a fill enters f1
  input  wire [SET_IW-1:0]       f0_set_i,
  input  wire [KEY_W-1:0]        f0_key_i,
  output wire [SET_IW-1:0]       f1_set_o,
  output wire [SET_IW-1:0]       f2_set_o,
  output wire [KEY_W-1:0]        f2_fill_key_o,    // key of the fill
  output wire                    f2_hit_o,
  output wire [WAY_IW-1:0]       f2_hit_way_o,
  output wire                    f2_bad_o,
  output wire [WAYS*KEY_W-1:0]   f2_key_o,
  output wire [WAYS*SECTORS-1:0] f2_sectors_o,
  output wire [WAYS*RANK_W-1:0]  f2_rank_o,
  output wire [WAYS-1:0]         f2_reused_o,

  // the write port, shared by both
  input  wire                    wr_en_i,
  input  wire [SET_IW-1:0]       wr_set_i,
  input  wire                    wr_new_key_i,
  input  wire [WAY_IW-1:0]       wr_way_i,
  input  wire [KEY_W-1:0]        wr_key_i,
  input  wire [WAYS*KEY_W-1:0]   wr_rec_key_i,
  input  wire [WAYS*SECTORS-1:0] wr_rec_sectors_i,
  input  wire [WAYS*RANK_W-1:0]  wr_rec_rank_i,
  input  wire [WAYS-1:0]         wr_rec_reused_i,

  input  wire                    clear_i
);
  localparam integer REC_W = WAYS * (KEY_W + SECTORS + RANK_W + 1);
  localparam [SETS-1:0] ONE_SET = 1;

  wire [REC_W-1:0]   wr_rec = {wr_rec_key_i, wr_rec_sectors_i, wr_rec_rank_i, wr_rec_reused_i};
  wire [REC_W-1:0]   s_ram, f_ram;
  reg  [SETS-1:0]    empty_q;

  // ---- the request pipeline
  reg  [SET_IW-1:0]  s1_set_q, s2_set_q;
  reg  [KEY_W-1:0]   s1_key_q, s2_key_q;
  reg                s1_new_q;                     // the record of s1 was written since its read
  reg  [REC_W-1:0]   s1_rec_q, s2_rec_q;
  reg  [WAYS-1:0]    s2_equal_q;                   // ways whose key matches s2, valid or not
  wire [REC_W-1:0]   s1_rec     = s1_new_q ? s1_rec_q : s_ram;
  wire               s1_written = wr_en_i && (wr_set_i == s1_set_q);
  wire               s2_written = wr_en_i && (wr_set_i == s2_set_q);
  wire [WAYS-1:0]    s1_equal, s2_equal;
  reg  [WAYS-1:0]    s2_odd_q;                     // ways whose key was read with wrong parity
  wire [WAYS-1:0]    s1_odd, s2_odd;

  // ---- the fill pipeline
  reg  [SET_IW-1:0]  f1_set_q, f2_set_q;
  reg  [KEY_W-1:0]   f1_key_q, f2_key_q;
  reg                f1_new_q;
  reg  [REC_W-1:0]   f1_rec_q, f2_rec_q;
  reg  [WAYS-1:0]    f2_equal_q;
  wire [REC_W-1:0]   f1_rec     = f1_new_q ? f1_rec_q : f_ram;
  wire               f1_written = wr_en_i && (wr_set_i == f1_set_q);
  wire [WAYS-1:0]    f1_equal;
  reg  [WAYS-1:0]    f2_odd_q;
  wire [WAYS-1:0]    f1_odd;
  genvar             g;

  byw_ram_1r1w #(.DEPTH(SETS), .LANES(1), .LANE_W(REC_W), .BLOCK(1)) u_s_records (
    .clk_i(clk_i), .rd_en_i(s0_take_i && s0_read_i), .rd_addr_i(s0_set_i), .rd_data_o(s_ram),
    .wr_en_i(wr_en_i), .wr_addr_i(wr_set_i), .wr_lane_i(1'b1), .wr_data_i(wr_rec)
  );
  byw_ram_1r1w #(.DEPTH(SETS), .LANES(1), .LANE_W(REC_W), .BLOCK(1)) u_f_records (
    .clk_i(clk_i), .rd_en_i(f0_take_i), .rd_addr_i(f0_set_i), .rd_data_o(f_ram),
    .wr_en_i(wr_en_i), .wr_addr_i(wr_set_i), .wr_lane_i(1'b1), .wr_data_i(wr_rec)
  );

  // A write changes at most one key, so the match is updated without comparing the record again.
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_match
      localparam integer KEY_LSB = REC_W - WAYS*KEY_W + g*KEY_W;
      localparam integer WAY     = g;
      wire   renamed = wr_new_key_i && (wr_way_i == WAY[WAY_IW-1:0]);
      assign s1_equal[g] = (s1_written && renamed) ? wr_key_i == s1_key_q
                                                   : s1_rec[KEY_LSB +: KEY_W] == s1_key_q;
      assign s2_equal[g] = (s2_written && renamed) ? wr_key_i == s2_key_q : s2_equal_q[g];
      assign f1_equal[g] = (f1_written && renamed) ? wr_key_i == f1_key_q
                                                   : f1_rec[KEY_LSB +: KEY_W] == f1_key_q;
      // A key found wrong stays so for this request or fill until the way gets another one, because
      // its match was made with the wrong key.
      assign s1_odd[g] = (PARITY != 0) && !(s1_written && renamed) && ^s1_rec[KEY_LSB +: KEY_W];
      assign s2_odd[g] = (PARITY != 0) && !(s2_written && renamed) && s2_odd_q[g];
      assign f1_odd[g] = (PARITY != 0) && !(f1_written && renamed) && ^f1_rec[KEY_LSB +: KEY_W];
    end
  endgenerate

  always @(posedge clk_i) begin : p_requests
    if (s0_take_i) begin
      s1_set_q <= s0_set_i;
      s1_key_q <= s0_key_i;
      s1_new_q <= wr_en_i && (wr_set_i == s0_set_i);
      s1_rec_q <= wr_rec;
    end else if (s1_written) begin
      s1_new_q <= 1'b1;
      s1_rec_q <= wr_rec;
    end
    if (s1_move_i) begin
      s2_set_q   <= s1_set_q;
      s2_key_q   <= s1_key_q;
      s2_rec_q   <= s1_written ? wr_rec : s1_rec;
      s2_equal_q <= s1_equal;
      s2_odd_q   <= s1_odd;
    end else begin
      if (s2_written) s2_rec_q <= wr_rec;
      s2_equal_q <= s2_equal;
      s2_odd_q   <= s2_odd;
    end
  end

  always @(posedge clk_i) begin : p_fills
    f1_set_q   <= f0_set_i;
    f1_key_q   <= f0_key_i;
    f1_new_q   <= wr_en_i && (wr_set_i == f0_set_i);
    f1_rec_q   <= wr_rec;
    f2_set_q   <= f1_set_q;
    f2_key_q   <= f1_key_q;
    f2_rec_q   <= f1_written ? wr_rec : f1_rec;
    f2_equal_q <= f1_equal;
    f2_odd_q   <= f1_odd;
  end

  always @(posedge clk_i) begin : p_empty
    if (rst_i || clear_i) empty_q <= {SETS{1'b1}};
    else if (wr_en_i)     empty_q <= empty_q & ~(ONE_SET << wr_set_i);
  end

  // ---- an empty set reads as the empty record
  wire                    s2_empty = empty_q[s2_set_q];
  wire                    f2_empty = empty_q[f2_set_q];
  wire [WAYS*SECTORS-1:0] s2_sectors, f2_sectors;
  wire [WAYS*RANK_W-1:0]  s2_rank, f2_rank;
  wire [WAYS-1:0]         s2_lines, f2_lines;

  assign {s2_key_o, s2_sectors, s2_rank, s2_reused_o} = s2_rec_q;
  assign {f2_key_o, f2_sectors, f2_rank, f2_reused_o} = f2_rec_q;
  assign s2_sectors_o  = s2_sectors & {(WAYS*SECTORS){!s2_empty}};
  assign f2_sectors_o  = f2_sectors & {(WAYS*SECTORS){!f2_empty}};
  assign s1_set_o      = s1_set_q;
  assign s2_set_o      = s2_set_q;
  assign f1_set_o      = f1_set_q;
  assign f2_set_o      = f2_set_q;
  assign f2_fill_key_o = f2_key_q;

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      localparam integer WAY = g;
      assign s2_rank_o[g*RANK_W +: RANK_W] = s2_empty ? WAY[RANK_W-1:0]
                                                      : s2_rank[g*RANK_W +: RANK_W];
      assign f2_rank_o[g*RANK_W +: RANK_W] = f2_empty ? WAY[RANK_W-1:0]
                                                      : f2_rank[g*RANK_W +: RANK_W];
      assign s2_lines[g] = |s2_sectors_o[g*SECTORS +: SECTORS];
      assign f2_lines[g] = |f2_sectors_o[g*SECTORS +: SECTORS];
    end
  endgenerate

  assign s2_bad_o = |(s2_odd_q & s2_lines);
  assign f2_bad_o = |(f2_odd_q & f2_lines);

  byw_prio_enc #(.N(WAYS)) u_s2_hit (
    .req_i(s2_equal_q & s2_lines), .any_o(s2_hit_o), .index_o(s2_hit_way_o)
  );
  byw_prio_enc #(.N(WAYS)) u_f2_hit (
    .req_i(f2_equal_q & f2_lines), .any_o(f2_hit_o), .index_o(f2_hit_way_o)
  );

`ifdef BYW_CHECKED
  reg cleared_q = 1'b0;
  always @(posedge clk_i) cleared_q <= rst_i || clear_i;
`endif
  `BYW_HOLDS(no_line_after_a_clear, cleared_q, !s2_hit_o && !f2_hit_o && !s2_bad_o && !f2_bad_o)
  `BYW_HOLDS(way_found_holds_a_sector, s2_hit_o, s2_lines[s2_hit_way_o])
  `BYW_HOLDS(way_of_a_fill_holds_a_sector, f2_hit_o, f2_lines[f2_hit_way_o])
endmodule

`default_nettype wire
