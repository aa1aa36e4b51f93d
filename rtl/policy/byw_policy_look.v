// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_look - what a decision needs to know of the record, whatever the request is.
//
// Behaviour   Where the line is; else which tag and which data line the decision would be about,
//             whose that was, and whether the counter reaches the threshold.  It asks for nothing
//             that can be had or not in a cycle, so that its answer can be kept while the record
//             stays as it is.  Pure and combinational; victims come out of balanced trees.
// Paper       000, section 4; MECHANISMS 1.3, 1.5; rtl/doc/policy.md.
// C twin      byw_locality_lfu() and the rest of the looks of cmodel/policy/byw_locality.c;
//             checked by verif/policy/lockstep_policy.c.
//
// Parameters as in byw_policy; FLAT 0, 1 (0): every pair of tags is compared at once to find the
// least frequently used one, of both records that may be looked at; fast, and grows with TAG_WAYS
// squared.
//
`default_nettype none
`include "byw_widths.vh"

module byw_policy_look #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer REPL      = 0,
  parameter integer SET_IW    = 5,
  parameter integer PC_W      = 32,
  parameter integer FLAT      = 0,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer RANK_W    = `BYW_REPL_RANK_W(REPL, WAY_IW),
  parameter integer VIEW_W    = TAG_WAYS * (3 + RC_W + WAY_IW + TAG_IW) +
                                DATA_WAYS * (TAG_IW + RANK_W + 2),
  parameter integer TAGS_W    = TAG_WAYS * (3 + RC_W + WAY_IW + TAG_IW) + DATA_WAYS,
  parameter integer FACTS_W   = 8 + RC_W + WAY_IW + 2*TAG_IW
) (
  input  wire [31:0]                 cfg_i,          // policy register
  input  wire                        off_i,          // filter off: a candidate counts as no tag
  input  wire [VIEW_W-1:0]           view_i,         // the record and the match, see byw_tag_look
  input  wire                        view_s2_i,      // FLAT: it is that of s2_i, not of ahead_i:
  // {tags that hold the key, if they are valid, status, rc, pos, age, pending} of both records
  input  wire [TAGS_W-1:0]           ahead_i,
  input  wire [TAGS_W-1:0]           s2_i,

  // what only the replacement policy looks at, see byw_repl
  input  wire [SET_IW-1:0]           set_i,
  input  wire [PC_W-1:0]             pc_i,
  input  wire [`BYW_REPL_RANDOM_W-1:0] random_i,
  // of the filled ways those that it chooses among
  input  wire [DATA_WAYS-1:0]        spare_i,

  // {candidate, committed, pending, rc_next, reached, any_tag, owns, place, takes, tag, way,
  // old_tag}: see byw_locality; tag and way are those of the line if it is committed
  output wire [FACTS_W-1:0]          facts_o,
  output wire [WAY_IW-1:0]           hit_way_o       // of the line
);
  `include "byw_defs.vh"

  localparam integer KEY_W = RC_W + TAG_IW;

  wire       compare_gt = cfg_i[BYW_CFG_COMPARE_GT_LSB];
  wire       lfu_all    = cfg_i[BYW_CFG_LFU_ALL_LSB];
  wire       rc_init    = cfg_i[BYW_CFG_RC_INIT_LSB];
  wire [7:0] threshold  = {2'b0, cfg_i[BYW_CFG_THRESHOLD_LSB +: 6]};

  // ---- the record
  wire [TAG_WAYS-1:0]         hit_tags;              // the valid tag way that holds the key
  wire [TAG_WAYS*2-1:0]       rec_status;
  wire [TAG_WAYS*RC_W-1:0]    rec_rc;
  wire [TAG_WAYS*WAY_IW-1:0]  rec_pos;
  wire [TAG_WAYS*TAG_IW-1:0]  rec_age;
  wire [DATA_WAYS*TAG_IW-1:0] rec_owner;
  wire [DATA_WAYS*RANK_W-1:0] rec_rank;
  wire [DATA_WAYS-1:0]        rec_used;
  wire [DATA_WAYS-1:0]        rec_pending;

  assign {hit_tags, rec_status, rec_rc, rec_pos, rec_age, rec_owner, rec_rank, rec_used,
          rec_pending} = view_i;

  // ---- the line: its data line if it is committed; its counter, or a new tag's, with this access
  // One way at most has it: what is known of each is gated by that, without its number.
  wire [TAG_WAYS-1:0]  is_candidate;                 // a status has a bit for each
  wire [TAG_WAYS-1:0]  has_line;
  wire [TAG_WAYS-1:0]  line_pending;
  wire [TAG_WAYS-1:0]  hit_line  = hit_tags & has_line;
  wire [RC_W-1:0]      hit_rc;
  wire [WAY_IW-1:0]    hit_way;
  wire [TAG_IW-1:0]    hit_tag;
  wire                 candidate, committed, pending;
  wire [7:0]           rc_start  = {7'b0, rc_init};
  wire                 known     = (|hit_tags) && !off_i;
  wire [RC_W-1:0]      rc_next   = !known ? rc_start[RC_W-1:0] :
                                   (&hit_rc) ? hit_rc : hit_rc + 1'b1;
  // The counter as it was is compared with what it must have been: the threshold, or one less if to
  // reach it is enough.  A bit of that turns when all below it are 0.
  localparam [8:0]     RC_MAX    = (1 << RC_W) - 1;
  wire [8:0]           wide      = {1'b0, threshold};
  wire                 never     = compare_gt ? wide >= RC_MAX : wide > RC_MAX;
  wire                 lowers    = !compare_gt && (|threshold);
  reg  [RC_W-1:0]      least;
  wire                 below;                        // the counter is
  wire                 at_start  = (rc_start > threshold) ||
                                   ((rc_start == threshold) && !compare_gt);
  wire                 reached   = candidate ? !never && !below : at_start;
  integer              b;

  always @* begin : p_least
    for (b = 0; b < RC_W; b = b + 1)
      least[b] = threshold[b] ^ (lowers && ((threshold & ((8'd1 << b) - 8'd1)) == 8'd0));
  end

  byw_below #(.W(RC_W)) u_below (
    .a_i(hit_rc), .b_i(least), .equal_i(1'b0), .below_o(below)
  );

  byw_onehot_mux #(.N(TAG_WAYS), .W(RC_W)) u_hit_rc (
    .data_i(rec_rc), .sel_i(hit_tags), .data_o(hit_rc)
  );
  byw_onehot_mux #(.N(TAG_WAYS), .W(WAY_IW)) u_hit_way (
    .data_i(rec_pos), .sel_i(hit_line), .data_o(hit_way)
  );
  byw_onehot_mux #(.N(TAG_WAYS), .W(TAG_IW)) u_hit_tag (
    .data_i(numbers), .sel_i(hit_tags), .data_o(hit_tag)
  );

  // ---- the data line of an allocation: the lowest free one, else the victim's; and whose that is
  wire [DATA_WAYS-1:0] eligible = rec_used & ~rec_pending;
  wire [WAY_IW-1:0]    free_way, victim;
  wire [TAG_IW-1:0]    victim_tag;
  wire                 any_free;
  wire                 any_line = any_free || (|eligible);
  wire [DATA_WAYS*RANK_W-1:0] no_rank;

  byw_prio_enc #(.N(DATA_WAYS)) u_free_way (
    .req_i(~rec_used), .any_o(any_free), .index_o(free_way)
  );
  byw_repl #(.WAYS(DATA_WAYS), .REPL(REPL), .SET_IW(SET_IW), .PC_W(PC_W)) u_repl (
    .rank_i(rec_rank), .eligible_i(eligible & spare_i), .victim_o(victim),
    .set_i(set_i), .pc_i(pc_i), .random_i(random_i),
    .touch_i(1'b0), .evict_i(1'b0), .insert_i(1'b0), .last_i(1'b0), .way_i({WAY_IW{1'b0}}),
    .rank_o(no_rank)
  );
  byw_mux #(.N(DATA_WAYS), .W(TAG_IW), .TREE(1)) u_victim_tag (
    .data_i(rec_owner), .sel_i(victim), .data_o(victim_tag)
  );

  // ---- the tag that the load works on: its own, the lowest invalid one, or of the least
  // frequently used candidates the one touched longest ago; committed tags only if they may or must
  // go
  wire [TAG_WAYS-1:0]       evictable = has_line & ~line_pending;
  wire [TAG_WAYS*KEY_W-1:0] lfu_key;
  wire [TAG_WAYS*TAG_IW-1:0] numbers;                // of each tag way its own
  genvar                    g;

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      localparam integer   TAG = g;
      wire [DATA_WAYS-1:0] pending_line = rec_pending >> rec_pos[g*WAY_IW +: WAY_IW];
      wire                 unused = &{1'b0, pending_line};
      assign numbers[g*TAG_IW +: TAG_IW] = TAG[TAG_IW-1:0];
      assign line_pending[g] = pending_line[0];
      assign {has_line[g], is_candidate[g]} = rec_status[g*2 +: 2];
      assign lfu_key[g*KEY_W +: KEY_W] =
        {rec_rc[g*RC_W +: RC_W], ~rec_age[g*TAG_IW +: TAG_IW]};
    end
  endgenerate

  // What the decision is about: with the filter off a line's tag is the victim's, or for a free one
  // the lowest that has none.
  wire                any_tag, owns, place, takes;   // takes: from another tag
  wire [TAG_IW-1:0]   the_tag, old_tag;
  wire [WAY_IW-1:0]   the_way;

  generate
    if (FLAT == 0) begin : gen_tree
      assign candidate = (|(hit_tags & is_candidate)) && !off_i;
      assign committed = |hit_line;
      assign pending   = |(hit_line & line_pending);

      // With the filter off a candidate is as good as none.
      wire [TAG_WAYS-1:0] may_go = is_candidate |
                                   ((lfu_all || !(|is_candidate)) ? evictable : {TAG_WAYS{1'b0}});
      wire [TAG_WAYS-1:0] vacant = ~has_line & ~(is_candidate & {TAG_WAYS{!off_i}});
      wire                any_vacant, any_lfu;
      wire [TAG_IW-1:0]   vacant_tag, lfu_tag;
      wire [WAY_IW-1:0]   lfu_way;
      wire [TAG_WAYS-1:0] lfu_has_line = has_line >> lfu_tag;

      byw_prio_enc #(.N(TAG_WAYS)) u_vacant_tag (
        .req_i(vacant), .any_o(any_vacant), .index_o(vacant_tag)
      );
      byw_min_tree #(.N(TAG_WAYS), .KEY_W(KEY_W)) u_lfu (
        .valid_i(may_go), .key_i(lfu_key), .any_o(any_lfu), .index_o(lfu_tag)
      );
      byw_mux #(.N(TAG_WAYS), .W(WAY_IW), .TREE(1)) u_lfu_way (
        .data_i(rec_pos), .sel_i(lfu_tag), .data_o(lfu_way)
      );

      // One of four each, by two bits: two LUTs for a bit.
      wire       is_hit    = committed || candidate;
      wire       is_vacant = off_i ? any_free : any_vacant;
      wire [1:0] tag_sel   = {is_hit || is_vacant, is_hit || (!is_vacant && off_i)};
      wire [1:0] way_sel   = {committed || owns, committed || (!owns && any_free)};
      assign any_tag = candidate || any_vacant || any_lfu;
      assign owns    = !candidate && !any_vacant && any_lfu && lfu_has_line[0] && !off_i;
      assign place   = off_i ? any_line : any_tag && (owns || any_line);
      assign takes   = !any_free || owns;
      assign the_tag = tag_sel[1] ? (tag_sel[0] ? hit_tag : vacant_tag) :
                       (tag_sel[0] ? victim_tag : lfu_tag);
      assign the_way = way_sel[1] ? (way_sel[0] ? hit_way : lfu_way) :
                       (way_sel[0] ? free_way : victim);
      assign old_tag = owns ? lfu_tag : victim_tag;
      wire unused_tree = &{1'b0, lfu_has_line, view_s2_i, ahead_i, s2_i};
    end else begin : gen_flat
      wire                any_invalid, any_home;
      wire [TAG_IW-1:0]   invalid_tag, home_tag;
      wire [TAG_WAYS-1:0] may_go;
      wire                any_lfu = |may_go;
      // Whether the line is there and who goes before whom are the longest ways through here: both
      // are worked out for both records, and the one that is looked at chosen behind that.
      (* keep *) wire [5:0]          there;      // of each {candidate, committed, pending}
      // bit (r*N + i)*N + j: of record r, tag j goes before i
      reg  [2*TAG_WAYS*TAG_WAYS-1:0] earlier;
      wire [2*TAG_WAYS-1:0]          may;
      reg  [TAG_WAYS-1:0]            hot;
      integer                        r, i, j;
      reg  [KEY_W-1:0]               own, other;
      wire [2*TAG_WAYS*RC_W-1:0]     count;
      wire [2*TAG_WAYS*TAG_IW-1:0]   ages;

      for (g = 0; g < 2; g = g + 1) begin : gen_record
        genvar                       t;
        wire [TAG_WAYS-1:0]          equal;    // holds the key, valid or not
        wire [TAG_WAYS*2-1:0]        status;
        wire [TAG_WAYS*RC_W-1:0]     rc;
        wire [TAG_WAYS*WAY_IW-1:0]   pos;
        wire [TAG_WAYS*TAG_IW-1:0]   age;
        wire [DATA_WAYS-1:0]         waits;
        wire [TAG_WAYS-1:0]          candidates, evicts, holds, waiting;
        assign {equal, status, rc, pos, age, waits} = (g == 0) ? ahead_i : s2_i;
        for (t = 0; t < TAG_WAYS; t = t + 1) begin : gen_key
          wire [DATA_WAYS-1:0] line = waits >> pos[t*WAY_IW +: WAY_IW];
          wire                 unused = &{1'b0, line};
          assign {holds[t], candidates[t]} = status[t*2 +: 2];
          assign evicts[t] = holds[t] && !line[0];
          assign waiting[t] = line[0];
        end
        assign there[g*3 +: 3] = {|(equal & candidates), |(equal & holds),
                                  |(equal & holds & waiting)};
        assign count[g*TAG_WAYS*RC_W +: TAG_WAYS*RC_W]    = rc;
        assign ages[g*TAG_WAYS*TAG_IW +: TAG_WAYS*TAG_IW] = age;
        assign may[g*TAG_WAYS +: TAG_WAYS] =
          candidates | ((lfu_all || !(|candidates)) ? evicts : {TAG_WAYS{1'b0}});
      end

      always @* begin : p_pairs
        earlier = {2*TAG_WAYS*TAG_WAYS{1'b0}};
        own    = {KEY_W{1'b0}};
        other  = {KEY_W{1'b0}};
        for (r = 0; r < 2; r = r + 1)
          for (i = 0; i < TAG_WAYS; i = i + 1)
            for (j = 0; j < i; j = j + 1) begin
              // The older of two goes first: each age stands with the other's counter, which needs
              // no inverter.
              own   = {count[(r*TAG_WAYS + i)*RC_W +: RC_W],
                      ages[(r*TAG_WAYS + j)*TAG_IW +: TAG_IW]};
              other = {count[(r*TAG_WAYS + j)*RC_W +: RC_W],
                      ages[(r*TAG_WAYS + i)*TAG_IW +: TAG_IW]};
              earlier[(r*TAG_WAYS + i)*TAG_WAYS + j] = other <= own;
              earlier[(r*TAG_WAYS + j)*TAG_WAYS + i] = !earlier[(r*TAG_WAYS + i)*TAG_WAYS + j];
            end
      end

      assign committed = view_s2_i ? there[4] : there[1];
      assign pending   = view_s2_i ? there[3] : there[0];
      assign candidate = (view_s2_i ? there[5] : there[2]) && !off_i;
      assign may_go = view_s2_i ? may[TAG_WAYS +: TAG_WAYS] : may[0 +: TAG_WAYS];

      always @* begin : p_hot
        for (i = 0; i < TAG_WAYS; i = i + 1)
          hot[i] = may_go[i] && !(|((view_s2_i ? earlier[(TAG_WAYS + i)*TAG_WAYS +: TAG_WAYS]
                                               : earlier[i*TAG_WAYS +: TAG_WAYS]) & may_go));
      end

      byw_prio_enc #(.N(TAG_WAYS)) u_invalid_tag (
        .req_i(~has_line & ~is_candidate), .any_o(any_invalid), .index_o(invalid_tag)
      );
      byw_prio_enc #(.N(TAG_WAYS)) u_home_tag (
        .req_i(~has_line), .any_o(any_home), .index_o(home_tag)
      );
      // The least frequently used tag is known late: what would be if it were this one or that is
      // worked out before, and gated by who it is.  It has a line only if there is one that may go.
      // That is asked as if the line had no tag; whether it has one comes last.
      localparam integer  ABOUT_W  = 2 + WAY_IW + 2*TAG_IW;
      wire                names    = !any_invalid && !off_i;
      wire [TAG_IW-1:0]   else_tag = off_i ? (any_free ? home_tag : victim_tag) : invalid_tag;
      wire [WAY_IW-1:0]   line_way = any_free ? free_way : victim;
      wire [ABOUT_W-1:0]  if_none  = {1'b0, !any_free, names ? {TAG_IW{1'b0}} : else_tag, line_way,
                                      victim_tag};
      wire [TAG_WAYS*ABOUT_W-1:0] if_tag;
      wire [ABOUT_W-1:0]  if_lfu;
      wire                new_owns, new_takes;
      wire [TAG_IW-1:0]   new_tag, new_old_tag;
      wire [WAY_IW-1:0]   new_way;

      for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_if
        localparam integer TAG = g;
        wire leads = names && has_line[g];           // its line goes with it
        assign if_tag[g*ABOUT_W +: ABOUT_W] =
          {leads, !any_free || leads, names ? TAG[TAG_IW-1:0] : else_tag,
           leads ? rec_pos[g*WAY_IW +: WAY_IW] : line_way, leads ? TAG[TAG_IW-1:0] : victim_tag};
      end

      byw_onehot_mux #(.N(TAG_WAYS), .W(ABOUT_W)) u_if_lfu (
        .data_i(if_tag), .sel_i(hot), .data_o(if_lfu)
      );
      assign {new_owns, new_takes, new_tag, new_way, new_old_tag} =
        if_lfu | (if_none & {ABOUT_W{!any_lfu}});
      assign any_tag = candidate || any_invalid || any_lfu;
      assign place   = any_line && (off_i || any_tag);
      assign owns    = new_owns && !candidate;
      assign takes   = candidate ? !any_free : new_takes;
      assign the_tag = (committed || candidate) ? hit_tag : new_tag;
      assign the_way = committed ? hit_way : candidate ? line_way : new_way;
      assign old_tag = candidate ? victim_tag : new_old_tag;
      wire unused_flat = &{1'b0, evictable, lfu_key, any_home};
    end
  endgenerate

  assign hit_way_o = hit_way;
  assign facts_o   = {candidate, committed, pending, rc_next, reached, any_tag, owns, place, takes,
                      the_tag, the_way, old_tag};

  wire unused_ok = &{1'b0, cfg_i, rc_start, no_rank};
endmodule

`default_nettype wire
