// SPDX-License-Identifier: Apache-2.0
//
// byw_rsp_arb - who uses the response port: hit stage, fill path 1, fill path 2.
//
// Behaviour   Round robin: the search starts behind the source served last, in the order hit, fill,
//             pass.  A choice that is shown and not taken stays.  source_o is meaningful with
//             rsp_valid_o.
// Paper       none; rtl/doc/rsp_arb.md.
// C twin      cmodel/l1d/byw_rsp_arb.c; checked by verif/l1d/lockstep_rsp_arb.c.
// Reset       rst_i: the hit stage comes first.
//
`default_nettype none

module byw_rsp_arb (
  input  wire       clk_i,
  input  wire       rst_i,

  input  wire [2:0] valid_i,        // bit BYW_SRC_*
  input  wire       rsp_ready_i,
  output wire       rsp_valid_o,
  output reg  [1:0] source_o,       // BYW_SRC_*
  output wire       hit_o           // it is the hit stage, if that has something
);
  `include "byw_defs.vh"

  reg [1:0] last_q;                 // source of the last transfer
  reg       held_q;                 // a choice was shown and not taken
  reg [1:0] choice_q;               // which

  assign rsp_valid_o = |valid_i;

  always @* begin : p_choose
    case (last_q)
      BYW_SRC_HIT:
        source_o = valid_i[1] ? BYW_SRC_FILL : valid_i[2] ? BYW_SRC_DIRECT : BYW_SRC_HIT;
      BYW_SRC_FILL:
        source_o = valid_i[2] ? BYW_SRC_DIRECT : valid_i[0] ? BYW_SRC_HIT : BYW_SRC_FILL;
      default:
        source_o = valid_i[0] ? BYW_SRC_HIT : valid_i[1] ? BYW_SRC_FILL : BYW_SRC_DIRECT;
    endcase
    if (held_q) source_o = choice_q;
  end

  // The same for the hit stage alone: what waits for it is in a hurry.
  assign hit_o = held_q ? choice_q == BYW_SRC_HIT :
                 !(valid_i[2] && (last_q != BYW_SRC_DIRECT)) &&
                 !(valid_i[1] && (last_q == BYW_SRC_HIT));

  always @(posedge clk_i) begin : p_state
    if (rst_i) begin
      last_q <= BYW_SRC_DIRECT;
      held_q <= 1'b0;
    end else if (rsp_valid_o) begin
      held_q   <= !rsp_ready_i;
      choice_q <= source_o;
      if (rsp_ready_i) last_q <= source_o;
    end
  end
endmodule

`default_nettype wire
