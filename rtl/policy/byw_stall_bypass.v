// SPDX-License-Identifier: Apache-2.0
//
// byw_stall_bypass - decides whether a load that the L1 path refuses bypasses instead.
//
// Behaviour   when_i = line: a load refused for lack of a line bypasses.  when_i = any: so does a
//             load refused for lack of an MSHR, a merge list entry or a miss queue slot.  A load
//             refused by the bypass path itself waits.  For loads only.  Combinational.
// Paper       MRPB's associativity stall bypass, mechanisms/baselines.md 2.3;
//             rtl/doc/stall_bypass.md.
// C twin      cmodel/model/policy/byw_stall_bypass.c; checked by
//             verif/policy/lockstep_rescue.c.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_stall_bypass (
  input  wire [1:0] when_i,     // BYW_STALL_*
  input  wire [2:0] op_i,
  input  wire [2:0] hint_i,
  input  wire [`BYW_RSFAIL_W-1:0] reason_i,   // BYW_RSFAIL_* of the refused load
  output reg        bypass_o
);
  `include "byw_defs.vh"

  always @* begin : p_bypass
    case (reason_i)
      BYW_RSFAIL_LINE:       bypass_o = when_i != BYW_STALL_OFF;
      BYW_RSFAIL_MSHR,
      BYW_RSFAIL_MERGE,
      BYW_RSFAIL_MISS_QUEUE: bypass_o = when_i == BYW_STALL_ANY;
      default:               bypass_o = 1'b0;
    endcase
  end

  wire unused_ok = &{1'b0, op_i, hint_i};

  `BYW_HOLDS(off_never_bypasses, when_i == BYW_STALL_OFF, !bypass_o)
  `BYW_HOLDS(full_bypass_path_is_waited_for, reason_i == BYW_RSFAIL_ICNT, !bypass_o)
  `BYW_HOLDS(line_is_for_a_missing_line, (when_i == BYW_STALL_LINE) && bypass_o,
             reason_i == BYW_RSFAIL_LINE)
endmodule

`default_nettype wire
