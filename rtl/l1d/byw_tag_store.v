// SPDX-License-Identifier: Apache-2.0
//
// byw_tag_store - the records of all sets, and the pipeline registers that carry one to s2.
//
// Behaviour   s0_ready_i takes set and key of a request, if one is offered.  s0_read_i, which needs
//             s0_ready_i, also reads the record of its set.  s1_move_i moves the request into s2,
//             where rec_*_o is the architectural record at the start of every cycle and s2_hit_o
//             the tag match.  For a request without s0_read_i both are undefined.  With LOOK the
//             request passes through byw_tag_look: s2_move_i moves it into s2, and view_o shows
//             record and match.  wr_en_i writes the record of the s2 set; s2 must move in that
//             cycle.  The write reaches the RAMs one cycle later, and earlier reads get it by
//             forwarding.
//             A set is one RAM word and some flags (byw_tag_flags: empty, drop, and fail and
//             pending per data way, so that a fill needs no record access).  Reading an empty set
//             gives the empty record; drop removes its candidates, fail the lines of failed fills.
//             A record write clears all three.  PARITY: s2_tag_bad_o tells that a valid tag of the
//             s2 set had wrong parity when it was read; undefined for a request without s0_read_i.
// Paper       000, section 4.1; rtl/doc/tag_store.md, l1d_pipeline.md.
// C twin      cmodel/model/l1d/byw_tag_store.c; checked by verif/l1d/lockstep_tag_store.c.
// Reset       rst_i: every set is empty.  The RAM is never reset.
//
// Parameters as in byw_policy; SETS 1..4096 (32), a power of two; LOOK 0, 1 (0): the look stage;
// PARITY 0, 1 (0): a parity bit per key.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_tag_store #(
  parameter integer SETS      = `BYW_DEFAULT_SETS,
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer KEY_W     = 28,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer REPL      = 0,
  parameter integer LOOK      = 0,
  parameter integer PARITY    = 0,
  parameter integer SET_IW    = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer RANK_W    = `BYW_REPL_RANK_W(REPL, WAY_IW),
  parameter integer VIEW_W    = 3 + TAG_WAYS * (3 + RC_W + WAY_IW + TAG_IW) +
                                DATA_WAYS * (TAG_IW + RANK_W + 2)
) (
  input  wire                        clk_i,
  input  wire                        rst_i,

  // pipeline
  input  wire                        s0_ready_i,     // s1 is free for a request
  input  wire                        s0_read_i,      // the request reads its record
  input  wire [SET_IW-1:0]           s0_set_i,
  input  wire [KEY_W-1:0]            s0_key_i,
  output wire [SET_IW-1:0]           s1_set_o,
  input  wire                        s1_move_i,      // s1 moves into s2, or look
  input  wire                        s2_move_i,      // look moves into s2
  // s2_leaves_i: the s2 request leaves, and s0_ready_i and s1_move_i are 1; otherwise they equal
  // s0_unblocked_i and s1_unblocked_i
  input  wire                        s2_leaves_i,
  input  wire                        s0_unblocked_i,
  input  wire                        s1_unblocked_i,
  input  wire [3:0]                  view_s2_i,      // view_o shows s2, not look; see byw_l1d_look
  output wire                        s1_marked_o,    // LOOK: the RAM word of s1 is not its record
  input  wire                        s2_cold_i,      // the record in s2 is rebuilt
  output wire [SET_IW-1:0]           next_set_o,     // set of the stage before s2
  output wire [VIEW_W-1:0]           view_o,         // see byw_tag_look
  output wire [SET_IW-1:0]           view_set_o,     // set of the record in view_o
  output wire [SET_IW-1:0]           s2_set_o,       // equal to s2_set_copy_o
  output wire [SET_IW-1:0]           s2_set_copy_o,
  output wire [KEY_W-1:0]            s2_key_o,
  output wire [TAG_WAYS-1:0]         s2_hit_o,       // the valid tag way whose key matches
  output wire                        s2_tag_bad_o,

  // the record of the s2 set at the start of this cycle
  output wire [TAG_WAYS*2-1:0]       rec_status_o,
  output wire [TAG_WAYS*RC_W-1:0]    rec_rc_o,
  output wire [TAG_WAYS*WAY_IW-1:0]  rec_pos_o,
  output wire [TAG_WAYS*TAG_IW-1:0]  rec_age_o,
  output wire [DATA_WAYS*TAG_IW-1:0] rec_owner_o,
  output wire [DATA_WAYS*RANK_W-1:0] rec_rank_o,
  output wire [DATA_WAYS-1:0]        rec_reused_o,
  output wire [DATA_WAYS-1:0]        rec_used_o,
  output wire [DATA_WAYS-1:0]        rec_pending_o,

  // the write of the record
  input  wire                        wr_if_i,        // LOOK: s2 writes if it is accepted
  input  wire                        wr_en_i,
  input  wire                        wr_new_key_i,   // way wr_tag_i gets the key of s2
  input  wire [TAG_IW-1:0]           wr_tag_i,
  input  wire [TAG_WAYS*2-1:0]       rec_status_i,
  input  wire [TAG_WAYS*RC_W-1:0]    rec_rc_i,
  input  wire [TAG_WAYS*WAY_IW-1:0]  rec_pos_i,
  input  wire [TAG_WAYS*TAG_IW-1:0]  rec_age_i,
  input  wire [DATA_WAYS*TAG_IW-1:0] rec_owner_i,
  input  wire [DATA_WAYS*RANK_W-1:0] rec_rank_i,
  input  wire [DATA_WAYS-1:0]        rec_reused_i,
  input  wire [DATA_WAYS-1:0]        rec_used_i,
  input  wire [DATA_WAYS-1:0]        rec_pending_i,

  // a fill whose MSHR was attached at the start of the cycle: its line is not pending any more or,
  // with fill_error_i, is given back
  input  wire                        fill_en_i,
  input  wire [SET_IW-1:0]           fill_set_i,
  input  wire [WAY_IW-1:0]           fill_way_i,
  input  wire                        fill_error_i,   // never with wr_en_i
  input  wire                        fill_keep_i,    // the failed fill's tag stays a candidate

  // all sets at once
  input  wire                        clear_i,        // empties all sets
  input  wire                        drop_i          // drops all candidates, visible in this cycle
);
  `include "byw_defs.vh"

  localparam integer REC_W = TAG_WAYS * (2 + RC_W + WAY_IW + TAG_IW) +
                             DATA_WAYS * (TAG_IW + RANK_W + 2);
  localparam integer PART_W = 2;                      // bits of a key compared together
  localparam integer PARTS  = (KEY_W + PART_W - 1) / PART_W;
  localparam integer TAG_W  = KEY_W + PARITY;         // a key, with its parity bit above it
  localparam integer PARITY_PARTS = (TAG_W + 3) / 4;  // parts of 4 bits whose parity is computed

  // ---- the flags of the sets in s1 and s2
  wire                 s1_empty, s1_drop, s2_empty;
  wire [DATA_WAYS-1:0] s1_fail, s2_fail;
  wire [DATA_WAYS-1:0] s1_waits, s2_waits;            // pending; for a failed way: its tag stays

  // ---- s3: the write goes into the RAMs, with at most one key: that of s2
  wire [REC_W-1:0]     wr_rec = {rec_status_i, rec_rc_i, rec_pos_i, rec_age_i,
                                 rec_owner_i, rec_rank_i, rec_reused_i, rec_used_i};
  wire [TAG_WAYS-1:0]  wr_key_onehot;
  reg                  late_en_q;
  reg  [SET_IW-1:0]    late_set_q;
  reg  [REC_W-1:0]     late_rec_q;
  reg  [KEY_W-1:0]     late_key_q;
  reg  [TAG_WAYS-1:0]  late_key_onehot_q;             // the way that gets it

  always @(posedge clk_i) begin : p_late
    late_en_q         <= wr_en_i && !rst_i;
    late_set_q        <= s2_set_o;
    late_rec_q        <= wr_rec;
    late_key_q        <= s2_key_o;
    late_key_onehot_q <= wr_key_onehot;
  end

  // ---- s1: the record, and its key matches.  The word comes from the RAM, from the write in s3,
  // or from the write of s2, which is in s3 in the first cycle of the request in s1.
  reg  [SET_IW-1:0]    s1_set_q;
  reg  [KEY_W-1:0]     s1_key_q;
  reg                  s1_first_q;                    // first cycle in s1, and s2 wrote its set
  reg                  forward_q;
  reg  [REC_W-1:0]     forward_rec_q;

  // With LOOK, the RAM is read in every cycle in which s0 is ready, even if no request is taken:
  // a shorter path.
  wire                 s0_rd_en = (LOOK != 0) ? s0_ready_i : s0_read_i;
  wire [REC_W-1:0]     ram_rec;
  // Not gated with s0_ready_i, which has a high fan-out.
  (* keep *) wire      forward_early;
  assign               forward_early = s0_unblocked_i || s1_first_q;
  // Key match of each way in the RAM, per part.  Kept as nets, because sharing them costs area.
  (* keep *)
  wire [TAG_WAYS*PARTS-1:0] s1_equal;
  wire [TAG_WAYS-1:0]  s1_known, s1_same;             // match of a key that is not in the RAM yet
  wire [TAG_WAYS*PARITY_PARTS-1:0] s1_key_parity;     // parity of each part of the keys in the RAM
  wire [TAG_WAYS-1:0]  s2_key_bad;                    // the key in the RAM had wrong parity
  wire                 late_is_s0_set = late_en_q && (late_set_q == s0_set_i);
  // With LOOK, s1 moves behind a request of the same set only if that request leaves, too.
  wire                 s1_hazard = ((LOOK != 0) ? wr_if_i : wr_en_i) && (s2_set_o == s1_set_q);
  genvar               g, k;

  assign s1_set_o = s1_set_q;

  byw_ram_1r1w #(.DEPTH(SETS), .LANES(1), .LANE_W(REC_W), .BLOCK(1)) u_records (
    .clk_i(clk_i), .rd_en_i(s0_rd_en), .rd_addr_i(s0_set_i), .rd_data_o(ram_rec),
    .wr_en_i(late_en_q), .wr_addr_i(late_set_q), .wr_lane_i(1'b1), .wr_data_i(late_rec_q)
  );

  always @(posedge clk_i) begin : p_s1
    if (s0_ready_i) begin
      s1_set_q <= s0_set_i;
      s1_key_q <= s0_key_i;
    end
    s1_first_q <= s0_ready_i && wr_en_i && (s2_set_o == s0_set_i);
    forward_q  <= s0_ready_i ? late_is_s0_set : forward_q || s1_first_q;
    if (forward_early || s2_leaves_i) forward_rec_q <= late_rec_q;
  end

  // One key RAM per tag way; only the match moves on into s2.  To keep the path behind the RAM
  // short, with LOOK the parts of a match are combined in look.
  wire s2_key_same   = s2_key_o == s1_key_q;
  wire late_key_same = late_key_q == s1_key_q;

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_match
      localparam integer WAY = g;
      wire               known_late  = s1_first_q && late_key_onehot_q[g];
      wire               known_s2    = s1_hazard && wr_key_onehot[g];
      reg                known_q, same_q;             // match of a key written while s1 was read
      wire [TAG_W-1:0]   key, wr_key;

      assign s1_known[g]      = known_s2 || known_late || known_q;
      assign s1_same[g]       = known_s2 ? s2_key_same : known_late ? late_key_same : same_q;
      assign wr_key_onehot[g] = wr_new_key_i && (wr_tag_i == WAY[TAG_IW-1:0]);

      byw_ram_1r1w #(.DEPTH(SETS), .LANES(1), .LANE_W(TAG_W), .BLOCK(1)) u_keys (
        .clk_i(clk_i), .rd_en_i(s0_rd_en), .rd_addr_i(s0_set_i), .rd_data_o(key),
        .wr_en_i(late_en_q && late_key_onehot_q[g]), .wr_addr_i(late_set_q), .wr_lane_i(1'b1),
        .wr_data_i(wr_key)
      );

      if (PARITY == 0) begin : gen_no_parity
        assign wr_key = late_key_q;
        assign s1_key_parity[g*PARITY_PARTS +: PARITY_PARTS] = {PARITY_PARTS{1'b0}};
      end else begin : gen_parity
        assign wr_key = {^late_key_q, late_key_q};
        for (k = 0; k < PARITY_PARTS; k = k + 1) begin : gen_key_parity
          localparam integer LSB = k * 4;
          localparam integer W   = (TAG_W - LSB < 4) ? TAG_W - LSB : 4;
          assign s1_key_parity[g*PARITY_PARTS + k] = ^key[LSB +: W];
        end
      end

      // Next state if a request is taken, and if not; s0_ready_i arrives last.
      (* keep *) wire known_if_taken, known_if_held, same_if_held;
      assign known_if_taken = late_is_s0_set && late_key_onehot_q[g];
      assign known_if_held  = known_q || known_late;
      assign same_if_held   = known_late ? late_key_same : same_q;

      always @(posedge clk_i) begin : p_known
        known_q <= s0_ready_i ? known_if_taken : known_if_held;
        same_q  <= s0_ready_i ? late_key_q == s0_key_i : same_if_held;
      end

      for (k = 0; k < PARTS; k = k + 1) begin : gen_part
        localparam integer LSB = k * PART_W;
        localparam integer W   = (KEY_W - LSB < PART_W) ? KEY_W - LSB : PART_W;
        assign s1_equal[g*PARTS + k] = key[LSB +: W] == s1_key_q[LSB +: W];
      end
    end
  endgenerate

  wire [SET_IW-1:0] s2_set_flags;               // copy of s2_set_o

  byw_tag_flags #(.SETS(SETS), .DATA_WAYS(DATA_WAYS), .LOOK(LOOK)) u_flags (
    .clk_i(clk_i),
    .rst_i(rst_i),

    .late_en_i(late_en_q),
    .late_set_i(late_set_q),
    .wr_pending_i(rec_pending_i),
    .fill_en_i(fill_en_i),
    .fill_set_i(fill_set_i),
    .fill_way_i(fill_way_i),
    .fill_error_i(fill_error_i),
    .fill_keep_i(fill_keep_i),
    .clear_i(clear_i),
    .drop_i(drop_i),

    .s1_set_i(s1_set_q),
    .s1_written_i(s1_first_q),
    .s1_empty_o(s1_empty),
    .s1_drop_o(s1_drop),
    .s1_marked_o(s1_marked_o),
    .s1_fail_o(s1_fail),
    .s1_waits_o(s1_waits),

    .s2_set_i(s2_set_flags),
    .s2_empty_o(s2_empty),
    .s2_fail_o(s2_fail),
    .s2_waits_o(s2_waits)
  );

  // ---- the record that moves on: one of four sources by two select bits (two LUTs per bit), or
  // the empty record
  wire [1:0]                  s1_source = {s1_hazard || s1_first_q,
                                           s1_hazard || (forward_q && !s1_first_q)};
  wire [TAG_WAYS*TAG_IW-1:0]  empty_age;
  wire [DATA_WAYS*RANK_W-1:0] empty_rank;
  wire [REC_W-1:0] empty_rec = {{(TAG_WAYS*(2+RC_W+WAY_IW)){1'b0}}, empty_age,
                               {(DATA_WAYS*TAG_IW){1'b0}},
                                empty_rank, {(DATA_WAYS*2){1'b0}}};

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_empty
      localparam integer WAY = g;
      assign empty_age[g*TAG_IW +: TAG_IW] = WAY[TAG_IW-1:0];
      if (g < DATA_WAYS) begin : gen_rank
        assign empty_rank[g*RANK_W +: RANK_W] = WAY[RANK_W-1:0];
      end
    end

    if (LOOK == 0) begin : gen_s2
      reg  [SET_IW-1:0]           s2_set_q;
      reg  [KEY_W-1:0]            s2_key_q;
      reg  [REC_W-1:0]            s2_rec_q;
      reg  [TAG_WAYS-1:0]         s2_equal_q;         // ways whose key matches s2, valid or not
      reg  [TAG_WAYS-1:0]         s2_key_bad_q;
      wire [TAG_WAYS*2-1:0]       word_status;
      wire [TAG_WAYS*TAG_IW-1:0]  word_age;
      wire [DATA_WAYS*RANK_W-1:0] word_rank;
      wire [DATA_WAYS-1:0]        word_used;
      wire [TAG_WAYS-1:0]         s1_match, s1_key_bad, valid;

      // Flags of the set in s2: selected while the set is in s1, then updated by writes and fills.
      // The record of an empty set is made here, in place of the word from the RAM.
      localparam [DATA_WAYS-1:0] ONE_WAY = 1;
      reg                  s2_drop_q;
      reg  [DATA_WAYS-1:0] s2_fail_q, s2_waits_q;
      wire [SET_IW-1:0]    set_d       = s1_move_i ? s1_set_q : s2_set_q;
      wire                 rec_written = wr_en_i && (s1_move_i ? s1_hazard : 1'b1);
      wire                 set_filled  = fill_en_i && (fill_set_i == set_d);
      wire [DATA_WAYS-1:0] fill_onehot = set_filled ? ONE_WAY << fill_way_i : {DATA_WAYS{1'b0}};
      wire [DATA_WAYS-1:0] failed_way  = fill_onehot & {DATA_WAYS{fill_error_i}};
      wire [DATA_WAYS-1:0] fail        = s1_move_i ? s1_fail : s2_fail_q;
      wire [DATA_WAYS-1:0] waits       = s1_move_i ? s1_waits : s2_waits_q;

      wire                 load_empty  = rst_i || clear_i || (s1_move_i && s1_empty && !s1_hazard);

      always @(posedge clk_i) begin : p_s2_flags
        s2_drop_q <= !rst_i && !clear_i && !rec_written &&
                        (drop_i || (s1_move_i ? s1_drop : s2_drop_q));
        s2_fail_q <= (rec_written ? {DATA_WAYS{1'b0}} : fail) | failed_way;
        if (load_empty) s2_waits_q <= {DATA_WAYS{1'b0}};
        else            s2_waits_q <= ((rec_written ? rec_pending_i : waits &
                                      ~(fail & {DATA_WAYS{drop_i}})) & ~fill_onehot) |
                                      (failed_way & {DATA_WAYS{fill_keep_i}});
      end

      always @(posedge clk_i) begin : p_s2
        if (s1_move_i) begin
          s2_set_q     <= s1_set_q;
          s2_key_q     <= s1_key_q;
          s2_equal_q   <= s1_match;
          s2_key_bad_q <= s1_key_bad;
        end
        if (load_empty)
          s2_rec_q <= empty_rec;
        else if (s1_move_i)
          s2_rec_q <= s1_source[1] ? (s1_source[0] ? wr_rec : late_rec_q) :
                      (s1_source[0] ? forward_rec_q : ram_rec);
      end

      assign {word_status, rec_rc_o, rec_pos_o, word_age, rec_owner_o, word_rank,
              rec_reused_o, word_used} = s2_rec_q;
      assign next_set_o = s1_set_q;
      assign {s2_set_o, s2_set_copy_o, s2_set_flags} = {3{s2_set_q}};
      assign s2_key_o   = s2_key_q;
      assign view_o     = {VIEW_W{1'b0}};
      assign view_set_o = s2_set_q;

      byw_tag_word #(
        .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .REPL(REPL)
      ) u_word (
        // the flags of the set
        .empty_i(1'b0),
        .dropped_i(s2_drop_q || drop_i),
        .fail_i(s2_fail_q),
        .keep_i(s2_waits_q & {DATA_WAYS{!drop_i}}),
        .pending_i(s2_waits_q),

        // the word
        .status_i(word_status),
        .pos_i(rec_pos_o),
        .age_i(word_age),
        .rank_i(word_rank),
        .used_i(word_used),

        // the record
        .status_o(rec_status_o),
        .age_o(rec_age_o),
        .rank_o(rec_rank_o),
        .used_o(rec_used_o),
        .pending_o(rec_pending_o)
      );

      for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_valid
        assign s1_key_bad[g] = !s1_known[g] && (^s1_key_parity[g*PARITY_PARTS +: PARITY_PARTS]);
        assign s1_match[g]   = s1_known[g] ? s1_same[g] : &s1_equal[g*PARTS +: PARTS];
        assign valid[g]      = rec_status_o[g*2 +: 2] != BYW_TAG_INVALID;
      end

      assign s2_hit_o   = s2_equal_q & valid;
      assign s2_key_bad = s2_key_bad_q;

      wire unused_s2 = &{1'b0, s1_unblocked_i, s2_move_i, view_s2_i, s2_cold_i, wr_if_i, s2_empty,
                         s2_fail, s2_waits};
    end else begin : gen_look
      localparam integer FLAGS_W = 2 + 3*DATA_WAYS;
      wire [REC_W-1:0]     s2_rec;
      wire [DATA_WAYS-1:0] failed_tag_kept = s2_waits & {DATA_WAYS{!drop_i}};
      wire                 s2_dropped;
      wire [FLAGS_W-1:0]   s2_flags = {s2_empty, s2_dropped, s2_fail, failed_tag_kept, s2_waits};

      byw_tag_look #(
        .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .KEY_W(KEY_W), .RC_W(RC_W), .REPL(REPL),
        .SET_IW(SET_IW), .PARTS(PARTS), .PARITY_PARTS(PARITY_PARTS)
      ) u_look (
        .clk_i(clk_i),
        .rst_i(rst_i),

        // pipeline
        .s1_move_i(s1_move_i),
        .s2_move_i(s2_move_i),
        .s2_leaves_i(s2_leaves_i),
        .s1_unblocked_i(s1_unblocked_i),
        .view_s2_i(view_s2_i),
        .s2_cold_i(s2_cold_i),

        .s1_set_i(s1_set_q),
        .s1_key_i(s1_key_q),
        .s1_source_i(s1_source),
        .s1_empty_i(s1_empty),
        .empty_rec_i(empty_rec),
        .s1_ram_i(ram_rec),
        .s1_late_i(late_rec_q),
        .s1_forward_i(forward_rec_q),
        .s1_pending_i(s1_waits),
        .s1_dropped_i(s1_drop),
        .s1_equal_i(s1_equal),
        .s1_key_parity_i(s1_key_parity),
        .s1_known_i(s1_known),
        .s1_same_i(s1_same),
        .look_set_o(next_set_o),

        .s2_flags_i(s2_flags),
        .s2_dropped_o(s2_dropped),
        .s2_set_o(s2_set_o),
        .s2_set_copy_o(s2_set_flags),
        .s2_set_copy2_o(s2_set_copy_o),
        .s2_key_o(s2_key_o),
        .s2_key_bad_o(s2_key_bad),
        .s2_rec_o(s2_rec),
        .s2_pending_o(rec_pending_o),

        .view_o(view_o),
        .view_set_o(view_set_o),

        // changes in this cycle: a write of the s2 record if the s2 request leaves (it does if s1
        .wr_if_i(wr_if_i),
        .wr_new_key_i(wr_new_key_i),
        .wr_tag_i(wr_tag_i),
        .wr_rec_i(wr_rec),
        .wr_pending_i(rec_pending_i),
        .fill_en_i(fill_en_i),
        .fill_set_i(fill_set_i),
        .fill_way_i(fill_way_i),
        .drop_i(drop_i)
      );

      assign {rec_status_o, rec_rc_o, rec_pos_o, rec_age_o, rec_owner_o, rec_rank_o,
              rec_reused_o, rec_used_o} = s2_rec;
      assign s2_hit_o = {TAG_WAYS{1'b0}};             // the tag match is in view_o

      wire unused_look = &{1'b0, s1_fail};
    end
  endgenerate

  generate
    if (PARITY == 0) begin : gen_right
      assign s2_tag_bad_o = 1'b0;
      wire unused_wrong   = &{1'b0, s2_key_bad};
    end else begin : gen_wrong
      wire [TAG_WAYS-1:0] tag_bad;
      for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_bad
        assign tag_bad[g] = s2_key_bad[g] && (rec_status_o[g*2 +: 2] != BYW_TAG_INVALID);
      end
      assign s2_tag_bad_o = |tag_bad;
    end
  endgenerate

  `BYW_CHECKS
  `BYW_ASSUME(failed_fill_needs_the_write_port, fill_en_i && fill_error_i, !wr_en_i)
  `BYW_HOLDS(one_key_per_write, 1'b1, (wr_key_onehot & (wr_key_onehot - 1'b1)) == {TAG_WAYS{1'b0}})
endmodule

`default_nettype wire
