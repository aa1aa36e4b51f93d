// SPDX-License-Identifier: Apache-2.0
//
// byw_policy_look - the facts about a record that a decision needs, for any kind of request.
//
// Behaviour   Tells where the line is.  If it is absent: which tag and data line the decision would
//             use, who owns that data line now, and whether a candidate's RC reaches the threshold.
//             No resource is consulted, so the result stays valid while the record is unchanged.
//             lfu_search_o: the result depends on the least frequently used tag, which
//             byw_policy_lfu delivers in lfu_i.  Combinational.
// Paper       000, section 4; mechanisms/locality.md 1.3, mechanisms/sm_duel.md 1.5;
//             rtl/doc/policy.md.
// C twin      the lookup functions of cmodel/model/policy/byw_locality.c; checked by
//             verif/policy/lockstep_policy.c.
//
// Parameters as in byw_policy.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_policy_look #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer REPL      = 0,
  parameter integer SET_IW    = 5,
  parameter integer PC_W      = 32,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer RANK_W    = `BYW_REPL_RANK_W(REPL, WAY_IW),
  parameter integer VIEW_W    = 3 + TAG_WAYS * (3 + RC_W + WAY_IW + TAG_IW) +
                                DATA_WAYS * (TAG_IW + RANK_W + 2),
  parameter integer FACTS_W   = 8 + RC_W + WAY_IW + 2*TAG_IW
) (
  input  wire                        filter_off_i, // filter off: a candidate is treated as no tag
  input  wire                        rc_init_i,    // initial RC of a new tag
  input  wire [RC_W-1:0]             rc_least_i,   // see byw_policy_cfg
  input  wire                        rc_never_i,
  input  wire [VIEW_W-1:0]           view_i,       // record and match, see byw_tag_look
  input  wire [WAY_IW+TAG_IW:0]      lfu_i,        // see byw_policy_lfu

  // used only by the replacement policy, see byw_repl
  input  wire [SET_IW-1:0]           set_i,
  input  wire [PC_W-1:0]             pc_i,
  input  wire [`BYW_REPL_RANDOM_W-1:0] random_i,
  // filled ways that it may evict
  input  wire [DATA_WAYS-1:0]        unprotected_i,

  // {candidate, committed, pending, rc_next, rc_reached, tag_available, tag_owns_line,
  // way_available, victim_owned, tag, way, old_tag}: see byw_locality; if the line is committed,
  // tag and way are its own
  output wire [FACTS_W-1:0]          facts_o,
  output wire                        lfu_search_o,
  output wire [WAY_IW-1:0]           hit_way_o     // way of the line, if it is committed
);
  // ---- the record
  wire                        tag_is_candidate, committed, pending;   // see byw_tag_match
  wire [TAG_WAYS-1:0]         hit_tags;              // the valid tag way whose key matches
  wire [TAG_WAYS*2-1:0]       rec_status;
  wire [TAG_WAYS*RC_W-1:0]    rec_rc;
  wire [TAG_WAYS*WAY_IW-1:0]  rec_pos;
  wire [TAG_WAYS*TAG_IW-1:0]  rec_age;
  wire [DATA_WAYS*TAG_IW-1:0] rec_owner;
  wire [DATA_WAYS*RANK_W-1:0] rec_rank;
  wire [DATA_WAYS-1:0]        rec_used;
  wire [DATA_WAYS-1:0]        rec_pending;

  assign {tag_is_candidate, committed, pending, hit_tags, rec_status, rec_rc, rec_pos, rec_age,
          rec_owner, rec_rank, rec_used, rec_pending} = view_i;

  // ---- the requested line: its way if it is committed; its RC, or that of a new tag, after this
  // access.  At most one way matches, so the fields are selected one-hot, without encoding.
  wire [TAG_WAYS-1:0]  is_candidate;                 // one bit per tag way
  wire [TAG_WAYS-1:0]  has_line;
  wire [TAG_WAYS-1:0]  line_pending;
  wire [RC_W-1:0]      hit_rc;
  wire [WAY_IW-1:0]    hit_way;
  wire [TAG_IW-1:0]    hit_tag;
  wire                 candidate    = tag_is_candidate && !filter_off_i;
  wire                 tag_is_known = (|hit_tags) && !filter_off_i;
  wire [7:0]           rc_start     = {7'b0, rc_init_i};
  wire [RC_W-1:0]      rc_next      = !tag_is_known ? rc_start[RC_W-1:0] :
                                      (&hit_rc) ? hit_rc : hit_rc + 1'b1;
  // All RCs are compared in parallel, because the match arrives late.
  wire [TAG_WAYS-1:0]  tags_below;
  wire                 rc_reached = !rc_never_i && !(|(hit_tags & tags_below));

  wire [TAG_WAYS*TAG_IW-1:0] numbers;                // the number of each tag way

  byw_onehot_mux #(.N(TAG_WAYS), .W(RC_W)) u_hit_rc (
    .data_i(rec_rc), .sel_i(hit_tags), .data_o(hit_rc)
  );
  byw_onehot_mux #(.N(TAG_WAYS), .W(WAY_IW)) u_hit_way (
    .data_i(rec_pos), .sel_i(hit_tags), .data_o(hit_way)
  );
  byw_onehot_mux #(.N(TAG_WAYS), .W(TAG_IW)) u_hit_tag (
    .data_i(numbers), .sel_i(hit_tags), .data_o(hit_tag)
  );

  // ---- the data line to allocate: the lowest free way, otherwise the victim; and its owner
  wire [DATA_WAYS-1:0] eligible = rec_used & ~rec_pending;
  wire [WAY_IW-1:0]    free_way, victim;
  wire [TAG_IW-1:0]    victim_tag;
  wire                 any_free;
  wire                 any_line_available = any_free || (|eligible);
  wire [DATA_WAYS*RANK_W-1:0] no_rank;

  byw_prio_enc #(.N(DATA_WAYS)) u_free_way (
    .req_i(~rec_used), .any_o(any_free), .index_o(free_way)
  );
  byw_repl #(.WAYS(DATA_WAYS), .REPL(REPL), .SET_IW(SET_IW), .PC_W(PC_W)) u_repl (
    .rank_i(rec_rank),
    .eligible_i(eligible & unprotected_i),
    .victim_o(victim),

    .set_i(set_i),
    .pc_i(pc_i),
    .random_i(random_i),

    .touch_i(1'b0),
    .evict_i(1'b0),
    .insert_i(1'b0),
    .last_i(1'b0),
    .way_i({WAY_IW{1'b0}}),
    .rank_o(no_rank)
  );
  byw_mux #(.N(DATA_WAYS), .W(TAG_IW), .TREE(1)) u_victim_tag (
    .data_i(rec_owner), .sel_i(victim), .data_o(victim_tag)
  );

  // ---- the tag to use: the line's own, otherwise the lowest invalid one, otherwise the least
  // frequently used one.  With the filter off a candidate is treated as no tag: the tag of an
  // evicted line is reused, and a free line gets the lowest tag without a line.
  wire [TAG_WAYS-1:0]        evictable = has_line & ~line_pending;
  wire [TAG_WAYS-1:0]        vacant    = ~has_line & ~(is_candidate & {TAG_WAYS{!filter_off_i}});
  wire                       any_vacant;
  wire [TAG_IW-1:0]          vacant_tag;
  genvar                     g;

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      localparam integer   TAG = g;
      wire [DATA_WAYS-1:0] pending_line = rec_pending >> rec_pos[g*WAY_IW +: WAY_IW];
      wire                 unused = &{1'b0, pending_line};
      byw_below #(.W(RC_W)) u_below (
        .a_i(rec_rc[g*RC_W +: RC_W]), .b_i(rc_least_i), .equal_i(1'b0), .below_o(tags_below[g])
      );
      assign numbers[g*TAG_IW +: TAG_IW] = TAG[TAG_IW-1:0];
      assign line_pending[g] = pending_line[0];
      assign {has_line[g], is_candidate[g]} = rec_status[g*2 +: 2];
    end
  endgenerate

  byw_prio_enc #(.N(TAG_WAYS)) u_vacant_tag (
    .req_i(vacant), .any_o(any_vacant), .index_o(vacant_tag)
  );

  wire              lfu_line;
  wire [WAY_IW-1:0] lfu_way;
  wire [TAG_IW-1:0] lfu_tag;
  assign {lfu_line, lfu_way, lfu_tag} = lfu_i;

  // Each selects one of four by two bits: two LUTs per bit.
  wire              is_hit        = committed || candidate;
  wire              is_vacant     = filter_off_i ? any_free : any_vacant;
  wire              tag_owns_line = lfu_search_o && lfu_line;
  wire [1:0]        tag_sel       = {is_hit || is_vacant, is_hit || (!is_vacant && filter_off_i)};
  wire [1:0]        way_sel       = {committed || tag_owns_line, committed ||
                                    (!tag_owns_line && any_free)};
  wire              tag_available = candidate || any_vacant || (|is_candidate) || (|evictable);
  wire              way_available = any_line_available && (filter_off_i || tag_available);
  // the line is taken from another tag
  wire              victim_owned  = !any_free || tag_owns_line;
  wire [TAG_IW-1:0] chosen_tag    = tag_sel[1] ? (tag_sel[0] ? hit_tag : vacant_tag) :
                                    (tag_sel[0] ? victim_tag : lfu_tag);
  wire [WAY_IW-1:0] chosen_way = way_sel[1] ? (way_sel[0] ? hit_way : lfu_way) :
                                 (way_sel[0] ? free_way : victim);
  wire [TAG_IW-1:0] old_tag = tag_owns_line ? lfu_tag : victim_tag;

  assign lfu_search_o = !is_hit && !any_vacant && !filter_off_i;
  assign hit_way_o    = hit_way;
  assign facts_o      = {candidate, committed, pending, rc_next, rc_reached, tag_available,
                         tag_owns_line, way_available, victim_owned, chosen_tag, chosen_way,
                         old_tag};

  wire unused_ok = &{1'b0, no_rank, rec_age, rc_start};

`ifdef BYW_CHECKED
  wire chosen_here = way_available && !is_hit && !tag_owns_line &&
                     (any_free || (|(eligible & unprotected_i)));
`endif
  `BYW_HOLDS(allocated_way_is_free_or_filled, chosen_here && (chosen_way < DATA_WAYS),
             !rec_used[chosen_way] || eligible[chosen_way])
  `BYW_HOLDS(set_of_pending_lines_has_no_place, &(rec_used & rec_pending), !way_available)
  `BYW_HOLDS(new_tag_is_vacant, !is_hit && is_vacant && any_vacant, vacant[chosen_tag])
endmodule

`default_nettype wire
