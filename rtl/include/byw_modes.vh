// SPDX-License-Identifier: Apache-2.0
//
// byw_modes.vh - the settings of byw_l1d and byw_sm_l1 by name of the policy: BYW_MODE_NAME for
// cfg_i, _FILTER_ON for filter_on_i, _PC_CFG for pc_cfg_i, and of byw_sm_l1 _TL_* for tl_*_i.
// Generated from the policy files by verif/cosim/byw_gen_modes.c (make rtl-defs); not edited.
`ifndef BYW_MODES_VH
`define BYW_MODES_VH
// Or it to a mode: a store updates the line it hits, instead of dropping it.
`define BYW_MODE_STORE_UPDATE 32'h00000010
// bl: caches every load; a refused one waits (the baseline)
`define BYW_MODE_BL 32'h00022700
`define BYW_MODE_BL_FILTER_ON 1'h0
`define BYW_MODE_BL_PC_CFG 32'h02000082
`define BYW_MODE_BL_TL_CFG 32'h0e608004
`define BYW_MODE_BL_TL_WINDOW 32'h00401388
`define BYW_MODE_BL_TL_PERIOD 30'h00030d40
`define BYW_MODE_BL_TL_BOUND 31'h0249f000
// ball: bypasses every load without reading the tags
`define BYW_MODE_BALL 32'h00022705
`define BYW_MODE_BALL_FILTER_ON 1'h0
`define BYW_MODE_BALL_PC_CFG 32'h02000082
`define BYW_MODE_BALL_TL_CFG 32'h0e608004
`define BYW_MODE_BALL_TL_WINDOW 32'h00401388
`define BYW_MODE_BALL_TL_PERIOD 30'h00030d40
`define BYW_MODE_BALL_TL_BOUND 31'h0249f000
// decoupled: caches a line once its tag has been referenced decoupled.threshold times; all SMs
// filter
`define BYW_MODE_DECOUPLED 32'h00022702
`define BYW_MODE_DECOUPLED_FILTER_ON 1'h1
`define BYW_MODE_DECOUPLED_PC_CFG 32'h02000082
`define BYW_MODE_DECOUPLED_TL_CFG 32'h0e608004
`define BYW_MODE_DECOUPLED_TL_WINDOW 32'h00401388
`define BYW_MODE_DECOUPLED_TL_PERIOD 30'h00030d40
`define BYW_MODE_DECOUPLED_TL_BOUND 31'h0249f000
// pc: bypasses loads whose PC brings in lines that die without reuse
`define BYW_MODE_PC 32'h00022700
`define BYW_MODE_PC_FILTER_ON 1'h0
`define BYW_MODE_PC_PC_CFG 32'h02000083
`define BYW_MODE_PC_TL_CFG 32'h0e608004
`define BYW_MODE_PC_TL_WINDOW 32'h00401388
`define BYW_MODE_PC_TL_PERIOD 30'h00030d40
`define BYW_MODE_PC_TL_BOUND 31'h0249f000
// stall: a load that would be refused, for any reason, bypasses
`define BYW_MODE_STALL 32'h00822700
`define BYW_MODE_STALL_FILTER_ON 1'h0
`define BYW_MODE_STALL_PC_CFG 32'h02000082
`define BYW_MODE_STALL_TL_CFG 32'h0e608004
`define BYW_MODE_STALL_TL_WINDOW 32'h00401388
`define BYW_MODE_STALL_TL_PERIOD 30'h00030d40
`define BYW_MODE_STALL_TL_BOUND 31'h0249f000
// stall_line: a load bypasses when every line of its set is pending
`define BYW_MODE_STALL_LINE 32'h00422700
`define BYW_MODE_STALL_LINE_FILTER_ON 1'h0
`define BYW_MODE_STALL_LINE_PC_CFG 32'h02000082
`define BYW_MODE_STALL_LINE_TL_CFG 32'h0e608004
`define BYW_MODE_STALL_LINE_TL_WINDOW 32'h00401388
`define BYW_MODE_STALL_LINE_TL_PERIOD 30'h00030d40
`define BYW_MODE_STALL_LINE_TL_BOUND 31'h0249f000
// two_level: each SM samples, then caches or bypasses loads by miss rate and warp occupancy
`define BYW_MODE_TWO_LEVEL 32'h00022700
`define BYW_MODE_TWO_LEVEL_FILTER_ON 1'h0
`define BYW_MODE_TWO_LEVEL_PC_CFG 32'h02000082
`define BYW_MODE_TWO_LEVEL_TL_CFG 32'h0e608005
`define BYW_MODE_TWO_LEVEL_TL_WINDOW 32'h00401388
`define BYW_MODE_TWO_LEVEL_TL_PERIOD 30'h00030d40
`define BYW_MODE_TWO_LEVEL_TL_BOUND 31'h0249f000
// threshold: loads bypass when the sampled miss rate is above 0.9
`define BYW_MODE_THRESHOLD 32'h00022700
`define BYW_MODE_THRESHOLD_FILTER_ON 1'h0
`define BYW_MODE_THRESHOLD_PC_CFG 32'h02000082
`define BYW_MODE_THRESHOLD_TL_CFG 32'h0e60e605
`define BYW_MODE_THRESHOLD_TL_WINDOW 32'h00401388
`define BYW_MODE_THRESHOLD_TL_PERIOD 30'h00030d40
`define BYW_MODE_THRESHOLD_TL_BOUND 31'h00000000
// hybrid_t: an L1 with little reuse tries protecting lines and relieving refusals, and keeps the
// faster
`define BYW_MODE_HYBRID_T 32'h00026700
`define BYW_MODE_HYBRID_T_FILTER_ON 1'h0
`define BYW_MODE_HYBRID_T_PC_CFG 32'h02000082
`define BYW_MODE_HYBRID_T_TL_CFG 32'h0e608004
`define BYW_MODE_HYBRID_T_TL_WINDOW 32'h00401388
`define BYW_MODE_HYBRID_T_TL_PERIOD 30'h00030d40
`define BYW_MODE_HYBRID_T_TL_BOUND 31'h0249f000
`endif
