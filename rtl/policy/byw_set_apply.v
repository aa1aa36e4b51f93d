// SPDX-License-Identifier: Apache-2.0
//
// byw_set_apply - applies a decision to a set record (all fields except the replacement ranks).
//
// Behaviour   TOUCH marks the line reused.  COUNT writes RC.  INSTALL makes tag_i a candidate for
//             the request's key.  COMMIT gives tag_i data way way_i, taken from old_tag_i.  RELEASE
//             takes its line away.  Then tag_i becomes the most recently used tag, and the other
//             valid tags age.  KEEP leaves the record unchanged.  The RC of an invalid tag and the
//             position of a tag without a line are don't-cares.  Keys are in byw_tag_store.
//             Combinational.
// Paper       000, section 4; mechanisms/locality.md 1.3; rtl/doc/tag_store.md.
// C twin      byw_policy_apply() of cmodel/model/policy/byw_policy.c; checked by
//             verif/policy/lockstep_policy.c.
//
// Parameters as in byw_policy.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_set_apply #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer RC_W      = `BYW_DEFAULT_RC_W,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1
) (
  // the decision
  input  wire [`BYW_ACTION_W-1:0]    action_i,
  input  wire                        off_i,          // filter off
  input  wire                        rc_on_hit_i,    // hits increment RC
  input  wire                        tag_lru_i,      // tag ages are maintained
  input  wire [TAG_IW-1:0]           tag_i,
  input  wire                        old_valid_i,
  input  wire [TAG_IW-1:0]           old_tag_i,
  input  wire [WAY_IW-1:0]           way_i,
  input  wire [RC_W-1:0]             rc_i,
  input  wire [1:0]                  ages_i,

  // the record before
  input  wire [TAG_WAYS*2-1:0]       tag_status_i,
  input  wire [TAG_WAYS*RC_W-1:0]    tag_rc_i,
  input  wire [TAG_WAYS*WAY_IW-1:0]  tag_pos_i,
  input  wire [TAG_WAYS*TAG_IW-1:0]  tag_age_i,
  input  wire [DATA_WAYS*TAG_IW-1:0] way_owner_i,
  input  wire [DATA_WAYS-1:0]        way_reused_i,
  input  wire [DATA_WAYS-1:0]        way_used_i,
  input  wire [DATA_WAYS-1:0]        way_pending_i,

  // the record after
  output wire [TAG_WAYS*2-1:0]       tag_status_o,
  output wire [TAG_WAYS*RC_W-1:0]    tag_rc_o,
  output wire [TAG_WAYS*WAY_IW-1:0]  tag_pos_o,
  output wire [TAG_WAYS*TAG_IW-1:0]  tag_age_o,
  output wire [DATA_WAYS*TAG_IW-1:0] way_owner_o,
  output wire [DATA_WAYS-1:0]        way_reused_o,
  output wire [DATA_WAYS-1:0]        way_used_o,
  output wire [DATA_WAYS-1:0]        way_pending_o
);
  `include "byw_defs.vh"

  localparam [TAG_WAYS-1:0]  ONE_TAG = 1;
  localparam [RC_W-1:0]      LOWEST  = 1;
  localparam [DATA_WAYS-1:0] ONE_WAY = 1;

  wire touch   = action_i == BYW_SET_TOUCH;
  wire count   = action_i == BYW_SET_COUNT;
  wire install = action_i == BYW_SET_INSTALL;
  wire commit  = action_i == BYW_SET_COMMIT;
  wire release_line = action_i == BYW_SET_RELEASE;

  wire [TAG_WAYS-1:0]  tag_hot, moves, counts, clears, commits, first, younger;
  wire [TAG_WAYS-1:0]  old_hot = old_valid_i ? ONE_TAG << old_tag_i : {TAG_WAYS{1'b0}};
  wire [DATA_WAYS-1:0] way_hot = ONE_WAY << way_i;
  wire [TAG_WAYS-1:0]  owner_hot;                    // tags that own a line

  wire              drops    = off_i && tag_lru_i && (commit || release_line);
  wire              lru      = tag_lru_i && (touch || count || install || commit);
  wire              named    = install || commit || release_line;
  wire              sets_rc  = install || commit || count || (touch && rc_on_hit_i && !off_i);
  // a tag that changes state and is not committed becomes a candidate
  wire              as_tag   = install || !off_i;
  wire [TAG_IW-1:0] tag_age;                         // age of tag_i
  wire [TAG_IW-1:0] below_age = tag_age & {TAG_IW{lru}};
  genvar            g, b;

  assign tag_hot = ONE_TAG << tag_i;
  assign moves   = (tag_hot & {TAG_WAYS{named}}) | (old_hot & {TAG_WAYS{commit}});
  assign commits = tag_hot & {TAG_WAYS{commit}};
  assign counts  = tag_hot & {TAG_WAYS{sets_rc}};
  assign first   = tag_hot & {TAG_WAYS{lru}};

  byw_mux #(.N(TAG_WAYS), .W(TAG_IW), .TREE(1)) u_tag_age (
    .data_i(tag_age_i), .sel_i(tag_i), .data_o(tag_age)
  );

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      wire [1:0]        status = tag_status_i[g*2 +: 2];
      wire [RC_W-1:0]   rc     = tag_rc_i[g*RC_W +: RC_W];
      wire [TAG_IW-1:0] age    = tag_age_i[g*TAG_IW +: TAG_IW];
      // The RC of every other tag ages: it decreases by one or two, not below 0.  Above bit 0 that
      // is at most one borrow: a bit toggles if all bits below it are 0, which is smaller than a
      // carry chain.
      wire [RC_W-1:0]   high = rc & ~LOWEST;         // rc without the lowest bit
      wire              above_0;                     // a bit other than the lowest is set
      wire              turns;
      wire [RC_W-1:0]   aged;

      assign above_0 = |high;
      assign turns   = (ages_i[1] || (ages_i[0] && !rc[0])) && above_0;
      assign aged[0] = ages_i[1] ? rc[0] && above_0 : ages_i[0] ? !rc[0] && above_0 : rc[0];
      for (b = 1; b < RC_W; b = b + 1) begin : gen_bit
        assign aged[b] = rc[b] ^ (turns && !(|high[b-1:0]));
      end
      // The oldest age is never incremented, so no carry leaves the highest bit.
      for (b = 0; b < TAG_IW; b = b + 1) begin : gen_age
        wire carry;
        if (b == 0) begin : gen_first
          assign carry = younger[g];
        end else begin : gen_rest
          assign carry = younger[g] && (&age[b-1:0]);
        end
        assign tag_age_o[g*TAG_IW + b] = !first[g] &&
                                         ((b == TAG_IW-1) ? age[b] || carry : age[b] != carry);
      end

      wire              unused = &{1'b0, turns};

      assign owner_hot[g] = status == BYW_TAG_COMMITTED;
      assign clears[g]    = moves[g] && !counts[g];
      assign younger[g]   = age < below_age;
      assign tag_status_o[g*2 +: 2] =
        {moves[g] ? commits[g] : status[1], moves[g] ? as_tag && !commits[g] : status[0] && !drops};
      assign tag_rc_o[g*RC_W +: RC_W] = counts[g] ? rc_i : clears[g] ? {RC_W{1'b0}} : aged;
      assign tag_pos_o[g*WAY_IW +: WAY_IW] = commits[g] ? way_i : tag_pos_i[g*WAY_IW +: WAY_IW];
    end
    for (g = 0; g < DATA_WAYS; g = g + 1) begin : gen_way
      wire taken = commit && way_hot[g];
      wire given = way_hot[g] && (release_line || (install && (|(tag_hot & owner_hot))));
      assign way_owner_o[g*TAG_IW +: TAG_IW] = taken ? tag_i : way_owner_i[g*TAG_IW +: TAG_IW];
      assign way_reused_o[g]  = !taken && (way_reused_i[g] ||
                                           (touch && way_hot[g] && !way_pending_i[g]));
      assign way_used_o[g]    = taken || (way_used_i[g] && !given);
      assign way_pending_o[g] = taken || (way_pending_i[g] && !given);
    end
  endgenerate

`ifdef BYW_CHECKED
  function is_permutation;
    input [TAG_WAYS*TAG_IW-1:0] ages;
    reg   [TAG_WAYS-1:0]        seen;
    integer                     n;
    begin
      seen = {TAG_WAYS{1'b0}};
      for (n = 0; n < TAG_WAYS; n = n + 1) seen = seen | (ONE_TAG << ages[n*TAG_IW +: TAG_IW]);
      is_permutation = &seen;
    end
  endfunction

  wire exist = (tag_i < TAG_WAYS) && (way_i < DATA_WAYS);
`endif
  `BYW_HOLDS(keep_changes_nothing, (action_i == BYW_SET_KEEP) && (ages_i == 2'd0),
             {tag_status_o, tag_rc_o, tag_pos_o, tag_age_o, way_used_o, way_pending_o} ==
             {tag_status_i, tag_rc_i, tag_pos_i, tag_age_i, way_used_i, way_pending_i})
  `BYW_HOLDS(committed_line_and_tag_name_each_other, commit && exist,
             (tag_pos_o[tag_i*WAY_IW +: WAY_IW] == way_i) &&
             (way_owner_o[way_i*TAG_IW +: TAG_IW] == tag_i))
  `BYW_HOLDS(committed_line_is_pending, commit && exist, way_used_o[way_i] && way_pending_o[way_i])
  `BYW_HOLDS(released_line_is_free, release_line && exist,
             !way_used_o[way_i] && !way_pending_o[way_i])
  `BYW_HOLDS(tag_ages_stay_a_permutation, exist && is_permutation(tag_age_i),
             is_permutation(tag_age_o))
endmodule

`default_nettype wire
