// SPDX-License-Identifier: Apache-2.0
//
// byw_bypass_rule - how one L2 access changes the BypassBit of its line.
//
// Behaviour   A load that finds the bit set refutes the bypass that set it: mispredict_o.  The bit
//             is set by a load that the predictor of an L1 bypassed.  It is cleared by any other
//             access that brings the line in, and by a refuting load that was not bypassed.
//             Combinational.
// Paper       002; mechanisms/pc_pred.md 5.1; rtl/doc/bypass_bit.md.
// C twin      byw_bypass_bit() of cmodel/model/l2/byw_bypass_bit.h; checked by
//             verif/l2/lockstep_bypass_bit.c.
//
`default_nettype none
`include "byw_assert.vh"

module byw_bypass_rule (
  input  wire bit_i,
  input  wire found_i,        // the line is present or in flight
  input  wire load_i,         // global or local read
  input  wire predicted_i,    // bypassed by the predictor of an L1

  output wire mispredict_o,
  output wire bit_o
);
  wire marks = load_i && predicted_i;

  assign mispredict_o = found_i && load_i && bit_i;
  assign bit_o        = (!found_i || mispredict_o || marks) ? marks : bit_i;

  `BYW_HOLDS(only_a_load_that_hits_refutes, mispredict_o, found_i && load_i && bit_i)
  `BYW_HOLDS(new_line_is_marked_by_a_bypass, !found_i, bit_o == (load_i && predicted_i))
endmodule

`default_nettype wire
