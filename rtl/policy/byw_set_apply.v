// SPDX-License-Identifier: Apache-2.0
//
// byw_set_apply - what a decision makes of a set record (all but the replacement ranks).
//
// Behaviour   TOUCH marks the line reused; COUNT writes RC; INSTALL makes tag_i a candidate for
//             the request's key; COMMIT gives it data way way_i, taking it from old_tag_i; RELEASE takes its
//             line.  Then the tag LRU is touched and the other valid tags age.  KEEP leaves the
//             record as it is.  Keys are in byw_tag_store.  Pure and combinational.
// Paper       000, section 4; MECHANISMS 1.3; rtl/doc/tag_store.md.
// C twin      byw_policy_apply() of cmodel/policy/byw_policy.c; checked by
//             verif/policy/lockstep_policy.c.
//
// Parameters as in byw_policy.
//
`default_nettype none
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
  input  wire                        rc_on_hit_i,    // hits count references
  input  wire                        tag_lru_i,      // tag ages are kept
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
  localparam [DATA_WAYS-1:0] ONE_WAY = 1;

  wire touch   = action_i == BYW_SET_TOUCH;
  wire count   = action_i == BYW_SET_COUNT;
  wire install = action_i == BYW_SET_INSTALL;
  wire commit  = action_i == BYW_SET_COMMIT;
  wire release_line = action_i == BYW_SET_RELEASE;

  wire [TAG_WAYS-1:0]  tag_hot = ONE_TAG << tag_i;
  wire [TAG_WAYS-1:0]  old_hot = old_valid_i ? ONE_TAG << old_tag_i : {TAG_WAYS{1'b0}};
  wire [DATA_WAYS-1:0] way_hot = ONE_WAY << way_i;
  wire [TAG_WAYS-1:0]  owner_hot;                    // committed tags

  wire              drops    = off_i && tag_lru_i && (commit || release_line);
  wire              lru      = tag_lru_i && (touch || count || install || commit);
  wire [1:0]        ages     = (action_i == BYW_SET_KEEP) ? 2'd0 : ages_i;
  wire [TAG_IW-1:0] tag_age;                         // of tag_i
  genvar            g, b;

  byw_mux #(.N(TAG_WAYS), .W(TAG_IW)) u_tag_age (
    .data_i(tag_age_i), .sel_i(tag_i), .data_o(tag_age)
  );

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      wire [1:0]        status  = tag_status_i[g*2 +: 2];
      wire [RC_W-1:0]   rc      = tag_rc_i[g*RC_W +: RC_W];
      wire [TAG_IW-1:0] age     = tag_age_i[g*TAG_IW +: TAG_IW];
      wire              dropped = drops && (status == BYW_TAG_CANDIDATE);
      wire              named   = (install || commit) && tag_hot[g];
      wire              loses   = commit ? old_hot[g] && !tag_hot[g] : release_line && tag_hot[g];
      wire              counts  = touch && tag_hot[g] && rc_on_hit_i && !off_i && !(&rc);
      wire              writes  = (named || (count && tag_hot[g]));
      wire [RC_W-1:0]   rc_set  = writes ? rc_i : counts ? rc + 1'b1 :
                                  (loses || dropped) ? {RC_W{1'b0}} : rc;
      wire              spared  = tag_hot[g] || (commit && old_hot[g]);
      // Aged once and twice, before it is known whether: what is not spared has its counter.
      // A bit turns when all below it are 0, which is smaller than a carry chain.
      wire [RC_W-1:0]   down     = rc << 1;
      wire [RC_W-1:0]   rc_once, rc_twice;
      wire              above_0  = |rc;
      wire              above_1  = |(rc >> 1);
      wire [RC_W-1:0]   rc_aged  = ages[1] ? rc_twice : ages[0] ? rc_once : rc;

      for (b = 0; b < RC_W; b = b + 1) begin : gen_bit
        assign rc_once[b]  = above_0 && (rc[b] == |down[b:0]);
        assign rc_twice[b] = above_1 && ((b == 0) ? rc[0] : rc[b] == |(down[b:0] >> 2));
      end

      assign owner_hot[g] = status == BYW_TAG_COMMITTED;
      assign tag_status_o[g*2 +: 2] =
        named ? (commit ? BYW_TAG_COMMITTED : BYW_TAG_CANDIDATE) :
        loses ? (!off_i ? BYW_TAG_CANDIDATE : BYW_TAG_INVALID) :
        dropped ? BYW_TAG_INVALID : status;
      assign tag_rc_o[g*RC_W +: RC_W] =
        (spared || dropped || (status == BYW_TAG_INVALID)) ? rc_set : rc_aged;
      assign tag_pos_o[g*WAY_IW +: WAY_IW] =
        named ? (commit ? way_i : {WAY_IW{1'b0}}) :
        loses ? {WAY_IW{1'b0}} : tag_pos_i[g*WAY_IW +: WAY_IW];
      assign tag_age_o[g*TAG_IW +: TAG_IW] =
        !lru ? age : tag_hot[g] ? {TAG_IW{1'b0}} : (age < tag_age) ? age + 1'b1 : age;
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
endmodule

`default_nettype wire
