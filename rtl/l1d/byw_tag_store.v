// SPDX-License-Identifier: Apache-2.0
//
// byw_tag_store - the records of all sets, and the pipeline registers that carry one to s2.
//
// Behaviour   s0_take_i reads the record of s0_set_i, if s0_read_i; s1_move_i brings it into s2,
//             where rec_*_o is the architectural record at the start of every cycle and s2_hit_o
//             the tag match.  Of a request that was not read these mean nothing.
//             wr_en_i writes the record of s2's set; s2 must move in that cycle.  A set is one RAM
//             word and some flip-flops: empty and drop (all sets change in one cycle),
//             pending, fail and keep per data way (a fill needs no record).  A word read while a
//             set is empty is the empty record; drop takes its candidates, fail the lines of
//             failed fills.  A record write clears all of them.
// Paper       000, section 4.1; rtl/doc/tag_store.md, l1d_pipeline.md.
// C twin      cmodel/l1d/byw_tag_store.c; checked by verif/l1d/lockstep_tag_store.c.
// Reset       rst_i: every set is empty.  The RAM is never reset.
//
// Parameters as in byw_policy; SETS 1..4096 (32), a power of two.
//
`default_nettype none
`include "byw_widths.vh"

module byw_tag_store #(
  parameter integer SETS      = `BYW_DEFAULT_SETS,
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer KEY_W     = 28,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer REPL      = 0,
  parameter integer SET_IW    = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer RANK_W    = `BYW_REPL_RANK_W(REPL, WAY_IW)
) (
  input  wire                        clk_i,
  input  wire                        rst_i,

  // pipeline
  input  wire                        s0_take_i,      // a request goes into s1
  input  wire                        s0_read_i,      // with its record
  input  wire [SET_IW-1:0]           s0_set_i,
  input  wire [KEY_W-1:0]            s0_key_i,
  output wire [SET_IW-1:0]           s1_set_o,
  input  wire                        s1_move_i,      // s1 goes into s2
  output wire [SET_IW-1:0]           s2_set_o,
  output wire [KEY_W-1:0]            s2_key_o,
  output wire                        s2_hit_o,       // a valid tag way holds the key
  output wire [TAG_IW-1:0]           s2_hit_tag_o,

  // the record of s2's set at the start of this cycle
  output wire [TAG_WAYS*KEY_W-1:0]   rec_key_o,
  output wire [TAG_WAYS*2-1:0]       rec_status_o,
  output wire [TAG_WAYS*RC_W-1:0]    rec_rc_o,
  output wire [TAG_WAYS*WAY_IW-1:0]  rec_pos_o,
  output wire [TAG_WAYS*TAG_IW-1:0]  rec_age_o,
  output wire [DATA_WAYS*TAG_IW-1:0] rec_owner_o,
  output wire [DATA_WAYS*RANK_W-1:0] rec_rank_o,
  output wire [DATA_WAYS-1:0]        rec_reused_o,
  output wire [DATA_WAYS-1:0]        rec_used_o,
  output wire [DATA_WAYS-1:0]        rec_pending_o,

  // its write
  input  wire                        wr_en_i,
  input  wire                        wr_new_key_i,   // way wr_tag_i gets s2's key
  input  wire [TAG_IW-1:0]           wr_tag_i,
  input  wire [TAG_WAYS*KEY_W-1:0]   rec_key_i,
  input  wire [TAG_WAYS*2-1:0]       rec_status_i,
  input  wire [TAG_WAYS*RC_W-1:0]    rec_rc_i,
  input  wire [TAG_WAYS*WAY_IW-1:0]  rec_pos_i,
  input  wire [TAG_WAYS*TAG_IW-1:0]  rec_age_i,
  input  wire [DATA_WAYS*TAG_IW-1:0] rec_owner_i,
  input  wire [DATA_WAYS*RANK_W-1:0] rec_rank_i,
  input  wire [DATA_WAYS-1:0]        rec_reused_i,
  input  wire [DATA_WAYS-1:0]        rec_used_i,
  input  wire [DATA_WAYS-1:0]        rec_pending_i,

  // a fill whose MSHR was attached at the start of the cycle: its line is not pending any more, or
  // with fill_error_i given back
  input  wire                        fill_en_i,
  input  wire [SET_IW-1:0]           fill_set_i,
  input  wire [WAY_IW-1:0]           fill_way_i,
  input  wire                        fill_error_i,   // never together with wr_en_i
  input  wire                        fill_keep_i,    // its tag stays as a candidate

  // all sets at once
  input  wire                        clear_i,        // empty
  input  wire                        drop_i          // no candidates, seen in this cycle already
);
  `include "byw_defs.vh"

  localparam integer REC_W = TAG_WAYS * (KEY_W + 2 + RC_W + WAY_IW + TAG_IW) +
                             DATA_WAYS * (TAG_IW + RANK_W + 2);
  localparam [SETS-1:0] ONE_SET = 1;

  // ---- state in flip-flops
  reg  [SETS-1:0]      empty_q;
  reg  [SETS-1:0]      drop_q;
  reg  [DATA_WAYS-1:0] pending_q [0:SETS-1];
  reg  [DATA_WAYS-1:0] fail_q    [0:SETS-1];
  reg  [DATA_WAYS-1:0] keep_q    [0:SETS-1];          // of the failed ways

  // ---- pipeline registers
  reg  [SET_IW-1:0]    s1_set_q;
  reg  [KEY_W-1:0]     s1_key_q;
  reg                  forward_q;                     // s1's record was written as it was read
  reg  [REC_W-1:0]     forward_rec_q;
  reg  [SET_IW-1:0]    s2_set_q;
  reg  [KEY_W-1:0]     s2_key_q;
  reg  [REC_W-1:0]     s2_rec_q;
  reg  [TAG_WAYS-1:0]  s2_equal_q;                    // ways whose key is s2's, valid or not

  // ---- s1: the word, and which of its keys are the request's
  wire [REC_W-1:0]     wr_rec = {rec_key_i, rec_status_i, rec_rc_i, rec_pos_i, rec_age_i,
                                 rec_owner_i, rec_rank_i, rec_reused_i, rec_used_i};
  wire [REC_W-1:0]     ram_rec;
  wire [REC_W-1:0]     s1_rec = forward_q ? forward_rec_q : ram_rec;
  wire [TAG_WAYS-1:0]  s1_equal;
  wire                 s1_hazard = wr_en_i && (s2_set_q == s1_set_q);
  genvar               g;

  byw_ram_1r1w #(.DEPTH(SETS), .LANES(1), .LANE_W(REC_W), .BLOCK(1)) u_records (
    .clk_i(clk_i), .rd_en_i(s0_take_i && s0_read_i), .rd_addr_i(s0_set_i), .rd_data_o(ram_rec),
    .wr_en_i(wr_en_i), .wr_addr_i(s2_set_q), .wr_lane_i(1'b1), .wr_data_i(wr_rec)
  );

  // A write changes one key at most, to s2's own: the match needs no second look at the record.
  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_match
      localparam integer KEY_LSB = REC_W - TAG_WAYS*KEY_W + g*KEY_W;
      localparam integer WAY     = g;
      assign s1_equal[g] =
        (s1_hazard && wr_new_key_i && (wr_tag_i == WAY[TAG_IW-1:0])) ? s2_key_q == s1_key_q
                                                     : s1_rec[KEY_LSB +: KEY_W] == s1_key_q;
    end
  endgenerate

  always @(posedge clk_i) begin : p_pipeline
    if (s0_take_i) begin
      s1_set_q      <= s0_set_i;
      s1_key_q      <= s0_key_i;
      forward_q     <= wr_en_i && (s2_set_q == s0_set_i);
      forward_rec_q <= wr_rec;
    end
    if (s1_move_i) begin
      s2_set_q   <= s1_set_q;
      s2_key_q   <= s1_key_q;
      s2_rec_q   <= s1_hazard ? wr_rec : s1_rec;
      s2_equal_q <= s1_equal;
    end
  end

  // ---- s2: the word as the flip-flops say it is to be read
  wire [TAG_WAYS*2-1:0]       word_status;
  wire [TAG_WAYS*RC_W-1:0]    word_rc;
  wire [TAG_WAYS*WAY_IW-1:0]  word_pos;
  wire [TAG_WAYS*TAG_IW-1:0]  word_age;
  wire [DATA_WAYS*RANK_W-1:0] word_rank;
  wire [DATA_WAYS-1:0]        word_used;
  wire [TAG_WAYS-1:0]         valid;
  wire                        any_hit;

  assign {rec_key_o, word_status, word_rc, word_pos, word_age, rec_owner_o, word_rank,
          rec_reused_o, word_used} = s2_rec_q;
  assign s1_set_o = s1_set_q;
  assign s2_set_o = s2_set_q;
  assign s2_key_o = s2_key_q;

  wire                 empty   = empty_q[s2_set_q];
  wire                 dropped = drop_q[s2_set_q] || drop_i;
  wire [DATA_WAYS-1:0] fail    = fail_q[s2_set_q];
  wire [DATA_WAYS-1:0] keep    = keep_q[s2_set_q] & {DATA_WAYS{!drop_i}};

  assign rec_used_o    = word_used & ~fail & {DATA_WAYS{!empty}};
  assign rec_pending_o = pending_q[s2_set_q] & ~fail & {DATA_WAYS{!empty}};

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      localparam integer WAY = g;
      wire [1:0]           status  = word_status[g*2 +: 2];
      wire [WAY_IW-1:0]    pos     = word_pos[g*WAY_IW +: WAY_IW];
      wire [DATA_WAYS-1:0] failed  = fail >> pos;
      wire [DATA_WAYS-1:0] kept    = keep >> pos;
      wire                 loses   = (status == BYW_TAG_COMMITTED) && failed[0];
      wire                 goes    = empty || (dropped && (status == BYW_TAG_CANDIDATE)) ||
                                     (loses && !kept[0]);
      wire                 unused  = &{1'b0, failed, kept};
      assign rec_status_o[g*2 +: 2] =
        goes ? BYW_TAG_INVALID : loses ? BYW_TAG_CANDIDATE : status;
      assign rec_rc_o[g*RC_W +: RC_W]      = (goes || loses) ? {RC_W{1'b0}}
                                                             : word_rc[g*RC_W +: RC_W];
      assign rec_pos_o[g*WAY_IW +: WAY_IW] = (goes || loses) ? {WAY_IW{1'b0}} : pos;
      assign rec_age_o[g*TAG_IW +: TAG_IW] = empty ? WAY[TAG_IW-1:0]
                                                   : word_age[g*TAG_IW +: TAG_IW];
      assign valid[g] = rec_status_o[g*2 +: 2] != BYW_TAG_INVALID;
    end
    for (g = 0; g < DATA_WAYS; g = g + 1) begin : gen_way
      localparam integer WAY = g;
      assign rec_rank_o[g*RANK_W +: RANK_W] = empty ? WAY[RANK_W-1:0]
                                                    : word_rank[g*RANK_W +: RANK_W];
    end
  endgenerate

  byw_prio_enc #(.N(TAG_WAYS)) u_hit (
    .req_i(s2_equal_q & valid), .any_o(any_hit), .index_o(s2_hit_tag_o)
  );
  assign s2_hit_o = any_hit;

  always @(posedge clk_i) begin : p_empty
    if (rst_i || clear_i) empty_q <= {SETS{1'b1}};
    else if (wr_en_i)     empty_q <= empty_q & ~(ONE_SET << s2_set_q);
  end

  always @(posedge clk_i) begin : p_drop
    if (rst_i || clear_i) drop_q <= {SETS{1'b0}};
    else drop_q <= (drop_i ? {SETS{1'b1}} : drop_q) &
                   (wr_en_i ? ~(ONE_SET << s2_set_q) : {SETS{1'b1}});
  end

  // Nothing reads these under `empty`, so they need no reset and no clear.
  always @(posedge clk_i) begin : p_ways
    if (wr_en_i) begin
      pending_q[s2_set_q] <= rec_pending_i;
      fail_q[s2_set_q]    <= {DATA_WAYS{1'b0}};
    end
    if (fill_en_i) pending_q[fill_set_i][fill_way_i] <= 1'b0;
    if (fill_en_i && fill_error_i) fail_q[fill_set_i][fill_way_i] <= 1'b1;
  end

  integer i;
  always @(posedge clk_i) begin : p_keep
    if (drop_i)
      for (i = 0; i < SETS; i = i + 1) keep_q[i] <= {DATA_WAYS{1'b0}};
    if (fill_en_i && fill_error_i) keep_q[fill_set_i][fill_way_i] <= fill_keep_i;
  end
endmodule

`default_nettype wire
