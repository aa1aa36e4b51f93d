// SPDX-License-Identifier: Apache-2.0
//
// byw_hint - the L1's rules for a load's software hint, and the hint of RDNA2 load flags.
//
// Behaviour   bypass: the load takes the bypass path.  volatile: the same, and a present copy is
//             evicted.  cache: the filter commits the line at the first touch.  stream: the line is
//             inserted as the next victim.  RDNA2 flags: volatile has priority and applies above
//             the L2; nontemporal streams in the L2 only.  The two halves are independent.
//             Combinational.
// Paper       003; mechanisms/hints.md 6.1; rtl/doc/hint.md.
// C twin      byw_hint_rules() and byw_hint_rdna2() of cmodel/model/policy/byw_hint.h; checked by
//             verif/policy/lockstep_hint.c.
//
`default_nettype none
`include "byw_assert.vh"

module byw_hint (
  // the rules of a hint
  input  wire [2:0] hint_i,         // BYW_HINT_*
  input  wire [1:0] on_hit_i,       // BYW_BYP_*: setting policy.bypass_on_hit
  output wire       bypass_o,       // unless the line is present and on_hit_o serves it
  output wire       at_once_o,
  output wire       last_o,
  output wire [1:0] on_hit_o,       // BYW_BYP_*, with bypass_o

  // the hint of an RDNA2 load at one level
  input  wire       volatile_i,
  input  wire       nontemporal_i,
  input  wire [1:0] level_i,        // BYW_LEVEL_*
  output wire [2:0] rdna2_hint_o    // BYW_HINT_*
);
  `include "byw_defs.vh"

  wire is_volatile = hint_i == BYW_HINT_VOLATILE;
  wire at_l2       = level_i == BYW_LEVEL_L2;

  assign bypass_o  = (hint_i == BYW_HINT_BYPASS) || is_volatile;
  assign at_once_o = hint_i == BYW_HINT_CACHE;
  assign last_o    = hint_i == BYW_HINT_STREAM;
  assign on_hit_o  = is_volatile ? BYW_BYP_EVICT : on_hit_i;

  assign rdna2_hint_o = (volatile_i && !at_l2)                  ? BYW_HINT_VOLATILE
                      : (!volatile_i && nontemporal_i && at_l2) ? BYW_HINT_STREAM
                                                                : BYW_HINT_NONE;

  `BYW_HOLDS(cached_hints_do_not_bypass, (hint_i == BYW_HINT_NONE) || at_once_o || last_o,
             !bypass_o)
  `BYW_HOLDS(volatile_evicts_a_copy, hint_i == BYW_HINT_VOLATILE,
             bypass_o && (on_hit_o == BYW_BYP_EVICT))
  `BYW_HOLDS(streams_in_the_l2_only, rdna2_hint_o == BYW_HINT_STREAM, level_i == BYW_LEVEL_L2)
endmodule

`default_nettype wire
