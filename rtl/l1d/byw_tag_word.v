// SPDX-License-Identifier: Apache-2.0
//
// byw_tag_word - turns a word of the record RAM into the record, by the flags of its set.
//
// Behaviour   empty_i: the record is empty.  dropped_i: it has no candidates.  A line in fail_i is
//             gone; with keep_i its tag stays as a candidate and keeps its counter.  Idempotent.
//             Keys, counters, positions, owners and reused bits pass unchanged; those of an absent
//             tag or line are don't-cares.  Combinational.
// Paper       000, section 4.1; rtl/doc/tag_store.md.
// C twin      byw_set_clear(), byw_set_drop_candidates(), byw_set_fail() of
//             cmodel/model/record/byw_set.c; checked by verif/l1d/lockstep_tag_store.c.
//
// Parameters as in byw_policy.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_tag_word #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer REPL      = 0,
  parameter integer TAG_IW    = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer RANK_W    = `BYW_REPL_RANK_W(REPL, WAY_IW)
) (
  // the flags of the set
  input  wire                        empty_i,
  input  wire                        dropped_i,
  input  wire [DATA_WAYS-1:0]        fail_i,
  input  wire [DATA_WAYS-1:0]        keep_i,
  input  wire [DATA_WAYS-1:0]        pending_i,

  // the word
  input  wire [TAG_WAYS*2-1:0]       status_i,
  input  wire [TAG_WAYS*WAY_IW-1:0]  pos_i,
  input  wire [TAG_WAYS*TAG_IW-1:0]  age_i,
  input  wire [DATA_WAYS*RANK_W-1:0] rank_i,
  input  wire [DATA_WAYS-1:0]        used_i,

  // the record
  output wire [TAG_WAYS*2-1:0]       status_o,
  output wire [TAG_WAYS*TAG_IW-1:0]  age_o,
  output wire [DATA_WAYS*RANK_W-1:0] rank_o,
  output wire [DATA_WAYS-1:0]        used_o,
  output wire [DATA_WAYS-1:0]        pending_o
);
  genvar g;

  assign used_o    = used_i & ~fail_i & {DATA_WAYS{!empty_i}};
  assign pending_o = pending_i & ~fail_i & {DATA_WAYS{!empty_i}};

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      localparam integer WAY = g;
      wire [1:0]           status  = status_i[g*2 +: 2];
      wire [WAY_IW-1:0]    pos     = pos_i[g*WAY_IW +: WAY_IW];
      wire [DATA_WAYS-1:0] failed  = fail_i >> pos;
      wire [DATA_WAYS-1:0] kept    = keep_i >> pos;
      // Status bits: {committed, candidate}.
      wire                 loses   = status[1] && failed[0];
      wire                 unused  = &{1'b0, failed, kept};
      assign status_o[g*2 +: 2] = {status[1] && !failed[0],
                                  loses ? kept[0] : status[0] && !dropped_i} &
                                  {2{!empty_i}};
      assign age_o[g*TAG_IW +: TAG_IW] = empty_i ? WAY[TAG_IW-1:0] : age_i[g*TAG_IW +: TAG_IW];
    end
    for (g = 0; g < DATA_WAYS; g = g + 1) begin : gen_way
      localparam integer WAY = g;
      assign rank_o[g*RANK_W +: RANK_W] = empty_i ? WAY[RANK_W-1:0] : rank_i[g*RANK_W +: RANK_W];
    end
  endgenerate

  `BYW_HOLDS(empty_record_holds_nothing, empty_i,
             (status_o == {(TAG_WAYS*2){1'b0}}) && (used_o == {DATA_WAYS{1'b0}}) &&
             (pending_o == {DATA_WAYS{1'b0}}))
  `BYW_HOLDS(failed_line_is_gone, 1'b1, ((used_o | pending_o) & fail_i) == {DATA_WAYS{1'b0}})
endmodule

`default_nettype wire
