// SPDX-License-Identifier: Apache-2.0
//
// byw_typedef.svh - the structs of byw_sm_l1_sv's ports, for given widths.
// Generated from rtl/top/byw_sm_l1.v by rtl/sv.sh (make rtl-sv); not edited.
//
// `BYW_TYPEDEF(l1, 27, 32, 1, 16, 32, 6, 1) defines l1_settings_t, l1_ctrl_t, l1_req_t, l1_rsp_t, l1_mem_req_t,
// l1_mem_rsp_t and l1_status_t.  The widths are the parameters of these names; PORT_BYTES, BEAT_PW and FUNC_PW are
// derived: bytes of a beat or line, bits of a beat's number (at least 1), FUNC_W or 1.  For the meaning of a field see
// the port of the same name in rtl/top/byw_sm_l1.v.
//
`ifndef BYW_TYPEDEF_SVH
`define BYW_TYPEDEF_SVH
`include "byw_widths.vh"
`define BYW_TYPEDEF(PREFIX, LINE_W, PORT_BYTES, BEAT_PW, ID_W, PC_W, WARP_W, FUNC_PW) \
  typedef struct packed { \
    logic [31:0] cfg; \
    logic [31:0] pc_cfg; \
    logic [31:0] tl_cfg; \
    logic [31:0] tl_window; \
    logic [29:0] tl_period; \
    logic [30:0] tl_bound; \
  } PREFIX``_settings_t; \
  typedef struct packed { \
    logic filter_on; \
    logic kernel_start; \
    logic [31:0] kernel_pc; \
    logic cta_placed; \
    logic [6:0] active_warps; \
  } PREFIX``_ctrl_t; \
  typedef struct packed { \
    logic [2:0] op; \
    logic [(LINE_W)-1:0] line; \
    logic [(BEAT_PW)-1:0] beat; \
    logic more; \
    logic [(PORT_BYTES)-1:0] bytes; \
    logic [(PORT_BYTES)*8-1:0] data; \
    logic [(PC_W)-1:0] pc; \
    logic [(ID_W)-1:0] id; \
    logic [(WARP_W)-1:0] warp; \
    logic [2:0] hint; \
    logic [(FUNC_PW)-1:0] func; \
  } PREFIX``_req_t; \
  typedef struct packed { \
    logic [(PORT_BYTES)*8-1:0] data; \
    logic [(ID_W)-1:0] id; \
    logic [2:0] served; \
    logic error; \
  } PREFIX``_rsp_t; \
  typedef struct packed { \
    logic [1:0] kind; \
    logic write; \
    logic bypass; \
    logic atomic; \
    logic [(LINE_W)-1:0] line; \
    logic [(BEAT_PW)-1:0] beat; \
    logic more; \
    logic [(PORT_BYTES)-1:0] bytes; \
    logic [(PORT_BYTES)*8-1:0] data; \
    logic [(PC_W)-1:0] pc; \
    logic [(ID_W)-1:0] id; \
    logic predicted; \
    logic [(FUNC_PW)-1:0] func; \
  } PREFIX``_mem_req_t; \
  typedef struct packed { \
    logic [1:0] kind; \
    logic [(PORT_BYTES)*8-1:0] data; \
    logic [(ID_W)-1:0] id; \
    logic error; \
    logic mispredict; \
  } PREFIX``_mem_rsp_t; \
  typedef struct packed { \
    logic idle; \
    logic [`BYW_EV_W-1:0] events; \
    logic [`BYW_PEV_W-1:0] policy_events; \
    logic [7:0] pc_counter; \
    logic [2:0] two_level; \
    logic [4:0] trial_events; \
  } PREFIX``_status_t;
`endif
