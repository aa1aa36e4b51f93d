// SPDX-License-Identifier: Apache-2.0
//
// byw_widths.vh - widths, replacement policies and defaults of parameters, as macros for port
// lists.  Generated like byw_defs.vh (make rtl-defs); not edited.  Include it before a module.
`ifndef BYW_WIDTHS_VH
`define BYW_WIDTHS_VH
`define BYW_EV_W 27
`define BYW_PEV_W 17
`define BYW_OUTCOME_W 3
`define BYW_RSFAIL_W 3
`define BYW_ACTION_W 3
`define BYW_NOTE_W 2
`define BYW_CAUSE_W 2
`define BYW_REPL_RANDOM_W 16
`define BYW_REPL_LRU 0
`define BYW_REPL_SRRIP 1
// Width of the number per data way; way_iw: that of a way's number.
`define BYW_REPL_RANK_W(repl, way_iw) (((repl) == 1) ? 2 : (way_iw))
// Defaults of the parameters: those of the configuration keys.
`define BYW_DEFAULT_SETS 32
`define BYW_DEFAULT_DATA_WAYS 4
`define BYW_DEFAULT_TAG_WAYS 8
`define BYW_DEFAULT_RC_W 6
`define BYW_DEFAULT_LINE_BYTES 128
`define BYW_DEFAULT_MSHRS 32
`define BYW_DEFAULT_MERGES 8
`define BYW_DEFAULT_MISS_DEPTH 8
`define BYW_DEFAULT_BYPASS_DEPTH 8
`define BYW_DEFAULT_TRACKERS 64
`define BYW_DEFAULT_PC_ENTRIES 128
`define BYW_DEFAULT_PC_BITS 4
`define BYW_DEFAULT_PC_SHIFT 2
`define BYW_DEFAULT_ORDER 0
`define BYW_DEFAULT_IN_FLIGHT 16
`define BYW_DEFAULT_STORE_IDS 0
`define BYW_DEFAULT_FENCE 0
`define BYW_DEFAULT_UNCACHED 0
`define BYW_DEFAULT_FUNC_W 0
`define BYW_DEFAULT_BEAT_BYTES 0
`define BYW_DEFAULT_PARITY 0
`define BYW_DEFAULT_TRIAL_WINDOW 256
`define BYW_DEFAULT_TRIAL_REUSE_PCT 40
`define BYW_DEFAULT_TRIAL_CONFIRM 3
`define BYW_DEFAULT_TRIAL_WINDOWS 4
`define BYW_DEFAULT_TRIAL_MARGIN_PCT 5
`define BYW_DEFAULT_TRIAL_OVERTIME_PCT 15
`define BYW_DEFAULT_TRIAL_REST 4
`define BYW_DEFAULT_TRIAL_DOUBLINGS 8
`define BYW_DEFAULT_TRIAL_DISTANCE 48
`define BYW_DEFAULT_TRIAL_STEP 16
`define BYW_DEFAULT_TRIAL_LINE_WINDOW 128
`define BYW_DEFAULT_TRIAL_LINE_REUSE_PCT 50
`define BYW_DEFAULT_TRIAL_RUN_PCT 50
`define BYW_DEFAULT_TRIAL_QUEUES 8
`define BYW_DEFAULT_TRIAL_DEPTH 2
`endif
