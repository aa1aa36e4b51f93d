// SPDX-License-Identifier: Apache-2.0
//
// byw_tag_match - tells whether a record holds the requested line.
//
// Behaviour   equal_i marks the tags whose key matches; invalid ones do not count.  candidate_o:
//             one is a candidate.  committed_o: one has a data line.  pending_o: that line is
//             pending.  Combinational.
// Paper       000, section 4; mechanisms/locality.md 1.1; rtl/doc/tag_store.md.
// C twin      byw_set_match() of cmodel/model/record/byw_set.c; checked by
//             verif/l1d/lockstep_l1d.c.
//
// Parameters as in byw_tag_store.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_tag_match #(
  parameter integer TAG_WAYS  = `BYW_DEFAULT_TAG_WAYS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1
) (
  input  wire [TAG_WAYS-1:0]        equal_i,
  input  wire [TAG_WAYS*2-1:0]      status_i,
  input  wire [TAG_WAYS*WAY_IW-1:0] pos_i,
  input  wire [DATA_WAYS-1:0]       pending_i,

  output wire                       candidate_o,
  output wire                       committed_o,
  output wire                       pending_o
);
  wire [TAG_WAYS-1:0] is_candidate, has_line, line_pending;  // one bit per tag way
  genvar              g;

  generate
    for (g = 0; g < TAG_WAYS; g = g + 1) begin : gen_tag
      wire [DATA_WAYS-1:0] pending_at_pos = pending_i >> pos_i[g*WAY_IW +: WAY_IW];
      wire                 unused         = &{1'b0, pending_at_pos};
      assign {has_line[g], is_candidate[g]} = status_i[g*2 +: 2];
      assign line_pending[g] = pending_at_pos[0];
    end
  endgenerate

  assign candidate_o = |(equal_i & is_candidate);
  assign committed_o = |(equal_i & has_line);
  assign pending_o   = |(equal_i & has_line & line_pending);

  `BYW_HOLDS(pending_line_is_committed, pending_o, committed_o)
  `BYW_HOLDS(nothing_without_a_match, equal_i == {TAG_WAYS{1'b0}},
             !candidate_o && !committed_o && !pending_o)
endmodule

`default_nettype wire
