// SPDX-License-Identifier: Apache-2.0
//
// byw_rsp_arb - arbiter of the response port: hit stage, fill path 1, fill path 2.
//
// Behaviour   Round robin in the order hit, fill, direct, starting after the source served last.  A
//             response that is shown and not taken stays.  turn_o: per source, shown if it is
//             valid; exactly one valid source is shown.
// Paper       none; rtl/doc/rsp_arb.md.
// C twin      cmodel/model/l1d/byw_rsp_arb.c; checked by verif/l1d/lockstep_rsp_arb.c.
// Reset       rst_i: the hit stage has priority.
//
`default_nettype none
`include "byw_assert.vh"

module byw_rsp_arb (
  input  wire       clk_i,
  input  wire       rst_i,

  input  wire [2:0] valid_i,        // bit BYW_SRC_*
  input  wire       rsp_ready_i,
  output wire       rsp_valid_o,
  output wire [2:0] turn_o          // bit BYW_SRC_*
);
  `include "byw_defs.vh"

  reg [1:0] last_q;                 // source of the last transfer
  reg       held_q;                 // a response was shown and not taken
  reg [2:0] choice_q;               // source of the response shown, bit BYW_SRC_*

  wire       hit    = valid_i[BYW_SRC_HIT];
  wire       fill   = valid_i[BYW_SRC_FILL];
  wire       direct = valid_i[BYW_SRC_DIRECT];
  wire       behind_hit    = last_q == BYW_SRC_HIT;
  wire       behind_fill   = last_q == BYW_SRC_FILL;
  wire       behind_direct = !behind_hit && !behind_fill;
  wire [2:0] shown = turn_o & valid_i;

  assign rsp_valid_o = |valid_i;

  // One equation per source, because the users of these bits are timing critical.
  wire [2:0] first;

  assign first[BYW_SRC_HIT]    = behind_direct || (!direct && (behind_fill || !fill));
  assign first[BYW_SRC_FILL]   = behind_hit || (!hit && (behind_direct || !direct));
  assign first[BYW_SRC_DIRECT] = behind_fill || (!fill && (behind_hit || !hit));
  assign turn_o = held_q ? choice_q : first;

  always @(posedge clk_i) begin : p_state
    if (rst_i) begin
      last_q <= BYW_SRC_DIRECT;
      held_q <= 1'b0;
    end else if (rsp_valid_o) begin
      held_q   <= !rsp_ready_i;
      choice_q <= shown;
      if (rsp_ready_i) last_q <= shown[BYW_SRC_HIT] ? BYW_SRC_HIT :
                                 shown[BYW_SRC_FILL] ? BYW_SRC_FILL : BYW_SRC_DIRECT;
    end
  end

  `BYW_CHECKS
  `BYW_ASSUME(waiting_source_stays_valid, held_q, |(choice_q & valid_i))
  `BYW_ASSERT(one_valid_source_is_shown, rsp_valid_o,
              (shown == 3'b001) || (shown == 3'b010) || (shown == 3'b100))
  `BYW_ASSERT(shown_source_stays, held_q, shown == choice_q)
endmodule

`default_nettype wire
