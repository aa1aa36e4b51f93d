// SPDX-License-Identifier: Apache-2.0
//
// byw_rescue - the rescue rules: whether a load that the L1 path refuses bypasses instead.
//
// Behaviour   A load is rescued if one of the rules says so.  Generated from
//             cmodel/configs/byw_rescues.def by verif/cosim/byw_gen_defs.c (make rescues); not
//             edited.  Combinational.
// Paper       mechanisms/baselines.md 2.3; rtl/doc/rescue.md.
// C twin      cmodel/model/policy/byw_rescue.c; checked by verif/policy/lockstep_rescue.c.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_rescue (
  input  wire [31:0] cfg_i,          // policy register
  input  wire [2:0]  op_i,           // BYW_OP_LOAD or BYW_OP_LOCAL_LOAD
  input  wire [2:0]  hint_i,         // BYW_HINT_*
  input  wire [`BYW_RSFAIL_W-1:0] reason_i,   // BYW_RSFAIL_* of the refused load
  output wire        bypass_o
);
  `include "byw_defs.vh"

  wire [0:0] by_rule;

  byw_stall_bypass u_stall_bypass (
    .when_i(cfg_i[BYW_CFG_STALL_BYPASS_LSB +: BYW_CFG_STALL_BYPASS_W]), .op_i(op_i),
    .hint_i(hint_i), .reason_i(reason_i), .bypass_o(by_rule[0])
  );

  assign bypass_o = |by_rule;

  wire unused_ok = &{1'b0, cfg_i};

  `BYW_HOLDS(off_never_bypasses, cfg_i[23:22] == 0, !bypass_o)
endmodule

`default_nettype wire
