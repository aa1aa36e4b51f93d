// SPDX-License-Identifier: Apache-2.0
//
// byw_tag_look - the records in look and s2, and the one that byw_policy_look examines.
//
// Behaviour   s1_move_i moves the record of s1 into look, s2_move_i that of look into s2.  Both are
//             kept up to date, except in events that affect all records and in failed fills.  After
//             such an event s2_cold_i rebuilds the record in s2 from the flags of its set.
//             Switching the filter off drops the candidates once; candidates that a failed fill
//             leaves later stay.  view_o is the record of s2 (view_s2_i) or of look, with its key
//             match.
// Paper       rtl/doc/tag_store.md, l1d_pipeline.md (look stage).
// C twin      cmodel/model/l1d/byw_tag_store.c, which reads the record where it is; checked by
//             verif/l1d/lockstep_l1d.c.
//
// Parameters as in byw_tag_store; PARTS 1.. (1): number of parts of a key match;
// ODDS 1.. (1): number of parts of a key's parity.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_tag_look #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer KEY_W     = 28,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer REPL      = 0,
  parameter integer SET_IW    = 5,
  parameter integer PARTS     = 1,
  parameter integer PARITY_PARTS = 1,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer RANK_W    = `BYW_REPL_RANK_W(REPL, WAY_IW),
  parameter integer REC_W     = TAG_WAYS * (2 + RC_W + WAY_IW + TAG_IW) +
                                DATA_WAYS * (TAG_IW + RANK_W + 2),
  parameter integer FLAGS_W   = 2 + 3*DATA_WAYS,
  parameter integer VIEW_W    = 3 + TAG_WAYS * (3 + RC_W + WAY_IW + TAG_IW) +
                                DATA_WAYS * (TAG_IW + RANK_W + 2)
) (
  input  wire                 clk_i,
  input  wire                 rst_i,

  // pipeline
  input  wire                 s1_move_i,
  input  wire                 s2_move_i,
  input  wire                 s2_leaves_i,     // as in byw_tag_store
  input  wire                 s1_unblocked_i,
  input  wire [3:0]           view_s2_i,       // see byw_l1d_look
  input  wire                 s2_cold_i,       // the record in s2 is rebuilt; never with s2_move_i

  // s1: the record {status, rc, pos, age, owner, rank, reused, used}.  s1_source_i selects one of
  // four words: RAM, forwarded, late, wr_rec_i; s1_empty_i selects the empty record instead.
  // s1_dropped_i: its candidates are dropped
  input  wire [SET_IW-1:0]    s1_set_i,
  input  wire [KEY_W-1:0]     s1_key_i,
  input  wire [1:0]           s1_source_i,
  input  wire                 s1_empty_i,
  input  wire [REC_W-1:0]     empty_rec_i,     // constant
  input  wire [REC_W-1:0]     s1_ram_i,
  input  wire [REC_W-1:0]     s1_late_i,
  input  wire [REC_W-1:0]     s1_forward_i,
  input  wire [DATA_WAYS-1:0] s1_pending_i,
  input  wire                 s1_dropped_i,
  input  wire [TAG_WAYS*PARTS-1:0] s1_equal_i, // ways whose key matches s1, valid or not, per part
  input  wire [TAG_WAYS*PARITY_PARTS-1:0] s1_key_parity_i,  // parity of the keys, per part
  input  wire [TAG_WAYS-1:0]  s1_known_i,      // s1_same_i replaces the match of these ways
  input  wire [TAG_WAYS-1:0]  s1_same_i,
  output wire [SET_IW-1:0]    look_set_o,

  // s2: {empty, dropped, fail, keep, pending} of its set; dropped: the filter was switched off
  // after the record was written
  input  wire [FLAGS_W-1:0]   s2_flags_i,
  output wire                 s2_dropped_o,
  // copies of the s2 set, for fan-out
  output wire [SET_IW-1:0]    s2_set_o,
  output wire [SET_IW-1:0]    s2_set_copy_o,
  output wire [SET_IW-1:0]    s2_set_copy2_o,
  output wire [KEY_W-1:0]     s2_key_o,
  output wire [TAG_WAYS-1:0]  s2_key_bad_o,    // ways whose key was read with wrong parity
  output wire [REC_W-1:0]     s2_rec_o,
  output wire [DATA_WAYS-1:0] s2_pending_o,

  // {candidate, committed, pending: see byw_tag_match; tag way whose key matches, status, rc, pos,
  // age, owner, rank, used, pending}
  output wire [VIEW_W-1:0]    view_o,
  output wire [SET_IW-1:0]    view_set_o,

  // changes in this cycle: a write of the s2 record, valid if the s2 request leaves (which it does
  // if an s1 request to the same set moves on), and a fill for fill_set_i
  input  wire                 wr_if_i,
  input  wire                 wr_new_key_i,
  input  wire [TAG_IW-1:0]    wr_tag_i,
  input  wire [REC_W-1:0]     wr_rec_i,
  input  wire [DATA_WAYS-1:0] wr_pending_i,
  input  wire                 fill_en_i,
  input  wire [SET_IW-1:0]    fill_set_i,
  input  wire [WAY_IW-1:0]    fill_way_i,
  input  wire                 drop_i           // the filter is switched off
);
  `include "byw_defs.vh"

  localparam integer           FIX_W = TAG_WAYS * (2 + RC_W + WAY_IW + TAG_IW);
  localparam [DATA_WAYS-1:0]   ONE   = 1;

  reg  [SET_IW-1:0]    look_set_q, s2_set_q, s2_set_n_q, s2_set_r_q;
  reg  [KEY_W-1:0]     look_key_q, s2_key_q;
  reg  [REC_W-1:0]     look_rec_q, s2_rec_q;
  reg  [DATA_WAYS-1:0] look_pending_q, s2_pending_q;
  reg  [TAG_WAYS*PARTS-1:0] look_equal_q;
  reg  [TAG_WAYS-1:0]  look_known_q, look_same_q;
  reg  [TAG_WAYS-1:0]  s2_equal_q, s2_key_bad_q;
  reg  [TAG_WAYS*PARITY_PARTS-1:0] look_key_parity_q;
  reg                  look_dropped_q, s2_dropped_q;
  reg  [FLAGS_W-1:0]   flags_q;

  assign look_set_o     = look_set_q;
  assign s2_set_o       = s2_set_q;
  assign s2_set_copy_o  = ~s2_set_n_q;
  assign s2_set_copy2_o = s2_set_r_q;
  assign s2_key_o       = s2_key_q;
  assign s2_key_bad_o   = s2_key_bad_q;
  assign s2_rec_o       = s2_rec_q;
  assign s2_pending_o   = s2_pending_q;
  assign s2_dropped_o   = s2_dropped_q;

  wire [DATA_WAYS-1:0] fill_onehot = fill_en_i ? ONE << fill_way_i : {DATA_WAYS{1'b0}};
  wire [DATA_WAYS-1:0] s2_filled   = (fill_set_i == s2_set_q)   ? fill_onehot : {DATA_WAYS{1'b0}};

  // ---- rebuild of a cold record from the s2 word and the flags of its set
  wire [REC_W-1:0]            s2_rebuilt;
  wire [DATA_WAYS-1:0]        s2_pending_rebuilt;
  wire [TAG_WAYS*2-1:0]       status, new_status;
  wire [TAG_WAYS*RC_W-1:0]    rc;
  wire [TAG_WAYS*WAY_IW-1:0]  pos;
  wire [TAG_WAYS*TAG_IW-1:0]  age,    new_age;
  wire [DATA_WAYS*TAG_IW-1:0] owner;
  wire [DATA_WAYS*RANK_W-1:0] rank,   new_rank;
  wire [DATA_WAYS-1:0]        reused, used, new_used, fail, keep, waits;
  wire                        empty, dropped;
  genvar                      g;

  assign {status, rc, pos, age, owner, rank, reused, used} = s2_rec_q;
  assign {empty, dropped, fail, keep, waits} = flags_q;   // flags as read in the cycle before

  always @(posedge clk_i) begin : p_flags
    flags_q <= s2_flags_i & ~{{(2+2*DATA_WAYS){1'b0}}, s2_filled};
  end
  assign s2_rebuilt = {new_status, rc, pos, new_age, owner, new_rank, reused, new_used};

  byw_tag_word #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .REPL(REPL)
  ) u_word (
    // the flags of the set
    .empty_i(empty),
    .dropped_i(dropped),
    .fail_i(fail),
    .keep_i(keep),
    .pending_i(waits),

    // the word
    .status_i(status),
    .pos_i(pos),
    .age_i(age),
    .rank_i(rank),
    .used_i(used),

    // the record
    .status_o(new_status),
    .age_o(new_age),
    .rank_o(new_rank),
    .used_o(new_used),
    .pending_o(s2_pending_rebuilt)
  );

  // ---- changes of this cycle
  wire                 s1_hazard   = wr_if_i && (s2_set_q == s1_set_i);     // valid with s1_move_i
  // valid with s2_move_i
  wire                 look_hazard = wr_if_i && (s2_set_q == look_set_q);
  wire [DATA_WAYS-1:0] s1_filled   = (fill_set_i == s1_set_i)   ? fill_onehot : {DATA_WAYS{1'b0}};
  wire [DATA_WAYS-1:0] look_filled = (fill_set_i == look_set_q) ? fill_onehot : {DATA_WAYS{1'b0}};
  wire [TAG_WAYS-1:0]  look_match;               // tag match of look, computed in s1
  wire [TAG_WAYS-1:0]  look_equal, look_key_bad;

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_match
      localparam integer WAY = g;
      assign look_match[g]   = look_known_q[g] ? look_same_q[g] : &look_equal_q[g*PARTS +: PARTS];
      wire new_key           = look_hazard && wr_new_key_i && (wr_tag_i == WAY[TAG_IW-1:0]);
      assign look_equal[g]   = new_key ? s2_key_q == look_key_q : look_match[g];
      assign look_key_bad[g] = !new_key && !look_known_q[g] &&
                               (^look_key_parity_q[g*PARITY_PARTS +: PARITY_PARTS]);
    end
  endgenerate

  always @(posedge clk_i) begin : p_look
    if (s1_move_i) begin
      look_set_q        <= s1_set_i;
      look_key_q        <= s1_key_i;
      look_equal_q      <= s1_equal_i;
      look_key_parity_q <= s1_key_parity_i;
      look_known_q      <= s1_known_i;
      look_same_q       <= s1_same_i;
    end
  end

  // Not gated with s1_move_i, which has a high fan-out.
  (* keep *) wire load_empty, load_empty_early;
  assign load_empty       = s1_empty_i && !s1_hazard;
  assign load_empty_early = load_empty && s1_unblocked_i;

  always @(posedge clk_i) begin : p_look_rec
    if (load_empty_early || (load_empty && s2_leaves_i)) begin
      look_rec_q <= empty_rec_i;
    end else if (s1_move_i) begin
      look_rec_q <= s1_source_i[1] ? (s1_source_i[0] ? wr_rec_i : s1_late_i)
                                   : (s1_source_i[0] ? s1_forward_i : s1_ram_i);
    end
  end

  // look_hazard arrives late.
  wire             rec_written = look_hazard && !s2_cold_i;
  (* keep *) wire [REC_W-1:0] rec_held;
  assign rec_held = s2_cold_i ? s2_rebuilt : look_rec_q;

  always @(posedge clk_i) begin : p_s2
    if (s2_move_i) begin
      s2_set_q     <= look_set_q;
      s2_set_n_q   <= ~look_set_q;           // inverted and, below, with a reset: otherwise
      s2_key_q     <= look_key_q;            // synthesis merges the three registers
      s2_equal_q   <= look_equal;
      s2_key_bad_q <= look_key_bad;
    end
    if (rst_i)          s2_set_r_q <= {SET_IW{1'b0}};
    else if (s2_move_i) s2_set_r_q <= look_set_q;
    // s2_cold_i arrives before s2_move_i, and never with it.  Written as gates, so that the record
    // has one enable: from a choice a tool would infer one per field.
    if (s2_cold_i || s2_move_i) begin
      s2_rec_q     <= ({REC_W{rec_written}} & wr_rec_i) | ({REC_W{!rec_written}} & rec_held);
    end
  end

  // s1_move_i and s2_move_i arrive last and select between prepared values.
  (* keep *) wire [DATA_WAYS-1:0] look_pending_if_moved, look_pending_if_held;
  (* keep *) wire [DATA_WAYS-1:0] s2_pending_if_moved, s2_pending_if_held;
  (* keep *) wire [3:0]           dropped_next;  // look if s1 moves or not, s2 if s2 moves or not
  assign look_pending_if_moved = (s1_hazard ? wr_pending_i : s1_pending_i) & ~s1_filled &
                                 {DATA_WAYS{!load_empty}};
  assign look_pending_if_held = look_pending_q & ~look_filled;
  assign s2_pending_if_moved  = (look_hazard ? wr_pending_i : look_pending_q) & ~look_filled;
  assign s2_pending_if_held   = (s2_cold_i ? s2_pending_rebuilt : s2_pending_q) & ~s2_filled;
  assign dropped_next         = {s1_dropped_i && !s1_hazard, look_dropped_q,
                         look_dropped_q && !look_hazard, s2_dropped_q && !s2_cold_i} | {4{drop_i}};

  always @(posedge clk_i) begin : p_flags_move
    look_pending_q <= s1_move_i ? look_pending_if_moved : look_pending_if_held;
    s2_pending_q   <= s2_move_i ? s2_pending_if_moved : s2_pending_if_held;
    look_dropped_q <= s1_move_i ? dropped_next[3] : dropped_next[2];
    s2_dropped_q   <= s2_move_i ? dropped_next[1] : dropped_next[0];
  end

  // ---- the record to examine; separate selects for its quarters, for fan-out
  localparam integer WAYS_W = DATA_WAYS * (TAG_IW + RANK_W);
  localparam integer HALF_W = FIX_W / 2;
  wire [TAG_WAYS-1:0]    equal = view_s2_i[0] ? s2_equal_q : look_match;
  wire [FIX_W-1:0]       view_tags;
  wire [WAYS_W-1:0]      view_ways = view_s2_i[0] ? s2_rec_q[2*DATA_WAYS +: WAYS_W]
                                                  : look_rec_q[2*DATA_WAYS +: WAYS_W];
  wire [2*DATA_WAYS-1:0] view_bits = view_s2_i[0] ? {s2_rec_q[DATA_WAYS-1:0], s2_pending_q}
                                                  : {look_rec_q[DATA_WAYS-1:0], look_pending_q};
  assign view_tags[FIX_W-1 -: HALF_W] = view_s2_i[1] ? s2_rec_q[REC_W-1 -: HALF_W]
                                                     : look_rec_q[REC_W-1 -: HALF_W];
  assign view_tags[FIX_W-HALF_W-1:0]  = view_s2_i[2] ? s2_rec_q[REC_W-HALF_W-1 -: FIX_W-HALF_W]
                                                     : look_rec_q[REC_W-HALF_W-1 -: FIX_W-HALF_W];
  wire [TAG_WAYS-1:0] valid;

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_valid
      assign valid[g] = view_tags[FIX_W-2*TAG_WAYS + g*2 +: 2] != BYW_TAG_INVALID;
    end
  endgenerate

  // The line match is the longest path of the look stage: computed for both records, then selected.
  localparam integer POS_LSB = REC_W - TAG_WAYS*(2 + RC_W + WAY_IW);
  (* keep *) wire [2:0] look_line_state, s2_line_state;

  byw_tag_match #(.TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS)) u_look_match (
    .equal_i(look_match), .status_i(look_rec_q[REC_W-1 -: 2*TAG_WAYS]),
    .pos_i(look_rec_q[POS_LSB +: TAG_WAYS*WAY_IW]), .pending_i(look_pending_q),
    .candidate_o(look_line_state[2]), .committed_o(look_line_state[1]),
    .pending_o(look_line_state[0])
  );
  byw_tag_match #(.TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS)) u_s2_match (
    .equal_i(s2_equal_q), .status_i(s2_rec_q[REC_W-1 -: 2*TAG_WAYS]),
    .pos_i(s2_rec_q[POS_LSB +: TAG_WAYS*WAY_IW]), .pending_i(s2_pending_q),
    .candidate_o(s2_line_state[2]), .committed_o(s2_line_state[1]), .pending_o(s2_line_state[0])
  );

  wire [2:0] line_state = view_s2_i[3] ? s2_line_state : look_line_state;

  assign view_set_o = view_s2_i[3] ? s2_set_q : look_set_q;
  assign view_o     = {line_state, equal & valid, view_tags, view_ways, view_bits};

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg moved_q = 1'b0;                            // s2 has a set
  always @(posedge clk_i) moved_q <= !rst_i && (moved_q || s2_move_i);
`endif
  `BYW_ASSUME(no_move_while_a_record_is_rebuilt, s2_cold_i, !s2_move_i)
  `BYW_HOLDS(copies_of_the_set_agree, moved_q,
             (s2_set_copy_o == s2_set_o) && (s2_set_copy2_o == s2_set_o))
endmodule

`default_nettype wire
