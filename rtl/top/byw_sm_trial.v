// SPDX-License-Identifier: Apache-2.0
//
// byw_sm_trial - trials around the L1D of one SM: byw_trials, and the FIFOs in front of the cache.
//
// Behaviour   If cfg_i enables trials, byw_trials counts the pulses of the L1D and controls it.  It
//             sets protect_o and, in cfg_o, the stall bypass if the register asks for less.
//             Requests pass through byw_warp_fifos, in which loads wait while byw_trials says so.
//             Store data bypass the FIFOs: a store is offered only when they are empty.
// Paper       byway's own; mechanisms/across.md 13.1; rtl/doc/trials.md.
// C twin      cmodel/model/comparator/byw_trial.c, offer() and settle() of
//             cmodel/model/top/byw_sm_l1.c; checked by verif/top/lockstep_sm_l1.c.
// Reset       rst_i: as the units.  While cfg_i does not enable trials, byw_trials is held in its
//             initial state.
//
// Parameters as in byw_trials and byw_warp_fifos; REST_W: width of a request except operation, warp
// and data; ALLOC, UNCACHED: those of the L1D, which must be 0.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_sm_trial #(
  parameter integer WINDOW         = `BYW_DEFAULT_TRIAL_WINDOW,
  parameter integer REUSE_PCT      = `BYW_DEFAULT_TRIAL_REUSE_PCT,
  parameter integer CONFIRM        = `BYW_DEFAULT_TRIAL_CONFIRM,
  parameter integer WINDOWS        = `BYW_DEFAULT_TRIAL_WINDOWS,
  parameter integer MARGIN_PCT     = `BYW_DEFAULT_TRIAL_MARGIN_PCT,
  parameter integer OVERTIME_PCT   = `BYW_DEFAULT_TRIAL_OVERTIME_PCT,
  parameter integer REST           = `BYW_DEFAULT_TRIAL_REST,
  parameter integer DOUBLINGS      = `BYW_DEFAULT_TRIAL_DOUBLINGS,
  parameter integer LINE_WINDOW    = `BYW_DEFAULT_TRIAL_LINE_WINDOW,
  parameter integer LINE_REUSE_PCT = `BYW_DEFAULT_TRIAL_LINE_REUSE_PCT,
  parameter integer RUN_PCT        = `BYW_DEFAULT_TRIAL_RUN_PCT,
  parameter integer QUEUES         = `BYW_DEFAULT_TRIAL_QUEUES,
  parameter integer DEPTH          = `BYW_DEFAULT_TRIAL_DEPTH,
  parameter integer WARP_W         = 6,
  parameter integer REST_W         = 64,
  parameter integer ALLOC          = 0,
  parameter integer UNCACHED       = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_i,

  // control of the L1D, and its pulses
  input  wire [31:0]          cfg_i,           // POLICY
  output wire [31:0]          cfg_o,
  output wire                 protect_o,
  input  wire [`BYW_EV_W-1:0] events_i,        // bit BYW_EV_*
  input  wire                 protected_i,     // pulse: a load bypasses a fully protected set

  // req: requests from the coalescer
  input  wire                 req_valid_i,
  output wire                 req_ready_o,
  input  wire [2:0]           req_op_i,        // BYW_OP_*
  input  wire [WARP_W-1:0]    req_warp_i,
  input  wire [REST_W-1:0]    req_rest_i,

  // requests to the L1D
  output wire                 l1d_valid_o,
  input  wire                 l1d_ready_i,
  output wire [2:0]           l1d_op_o,
  output wire [REST_W-1:0]    l1d_rest_o,
  input  wire                 l1d_idle_i,
  output wire                 idle_o,

  output wire [4:0]           events_o         // bit BYW_TRIAL_EV_*
);
  `include "byw_defs.vh"

  generate
    if ((ALLOC != 0) || (UNCACHED != 0)) begin : gen_check_l1d
      byw_sm_trial_TRIAL_needs_ALLOC_0_and_UNCACHED_0 u_error ();
    end
  endgenerate

  wire              on = cfg_i[BYW_CFG_TRIAL_LSB];
  wire              protect, by_warp, waited, waits;
  wire [1:0]        stall;
  wire [1:0]        cfg_stall = cfg_i[BYW_CFG_STALL_BYPASS_LSB +: 2];
  wire [2:0]        won;
  wire [WARP_W-1:0] l1d_warp;
  wire              is_local;                    // a waiting load is BYW_OP_LOCAL_LOAD
  wire              is_load = (req_op_i == BYW_OP_LOAD) || (req_op_i == BYW_OP_LOCAL_LOAD);
  wire              l1d_is_load = (l1d_op_o == BYW_OP_LOAD) || (l1d_op_o == BYW_OP_LOCAL_LOAD);

  // ---- the stronger of the two settings: any, line, off
  wire [1:0]        more = (!on || (cfg_stall == BYW_STALL_ANY)) ? cfg_stall :
                           (stall == BYW_STALL_OFF) ? cfg_stall : stall;
  wire [31:0]       mask = 32'd3 << BYW_CFG_STALL_BYPASS_LSB;

  assign cfg_o     = (cfg_i & ~mask) | ({30'd0, more} << BYW_CFG_STALL_BYPASS_LSB);
  assign protect_o = on && protect;
  assign l1d_op_o  = !waited ? req_op_i : is_local ? BYW_OP_LOCAL_LOAD : BYW_OP_LOAD;
  assign idle_o    = l1d_idle_i && !waited;
  assign events_o  = {protected_i && on, waits, won & {3{on}}};

  byw_warp_fifos #(
    .QUEUES(QUEUES), .DEPTH(DEPTH), .WARP_W(WARP_W), .ENTRY_W(1 + WARP_W + REST_W)
  ) u_fifos (
    .clk_i(clk_i),
    .rst_i(rst_i),

    .in_valid_i(req_valid_i),
    .in_ready_o(req_ready_o),
    .in_waits_i(on && by_warp && is_load),
    .in_warp_i(req_warp_i),
    .in_entry_i({req_op_i == BYW_OP_LOCAL_LOAD, req_warp_i, req_rest_i}),

    .out_valid_o(l1d_valid_o),
    .out_ready_i(l1d_ready_i),
    .out_waited_o(waited),
    .out_entry_o({is_local, l1d_warp, l1d_rest_o}),

    .waits_o(waits)
  );

  byw_trials #(
    .WINDOW(WINDOW), .REUSE_PCT(REUSE_PCT), .CONFIRM(CONFIRM), .WINDOWS(WINDOWS),
    .MARGIN_PCT(MARGIN_PCT), .OVERTIME_PCT(OVERTIME_PCT), .REST(REST), .DOUBLINGS(DOUBLINGS),
    .LINE_WINDOW(LINE_WINDOW), .LINE_REUSE_PCT(LINE_REUSE_PCT), .RUN_PCT(RUN_PCT), .WARP_W(WARP_W)
  ) u_trials (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .restart_i(!on),

    // pulses of this cycle
    .enter_i(l1d_valid_o && l1d_ready_i && l1d_is_load),
    .enter_warp_i(l1d_warp),
    .load_i(events_i[BYW_EV_LOAD]),
    .reused_i(events_i[BYW_EV_HIT] || events_i[BYW_EV_HIT_PENDING]),

    // valid until the next cycle
    .protect_o(protect),
    .stall_o(stall),
    .by_warp_o(by_warp),

    .events_o(won)
  );

  `BYW_CHECKS
  `BYW_ASSERT(stall_bypass_is_not_weakened, cfg_stall == BYW_STALL_ANY,
              cfg_o[BYW_CFG_STALL_BYPASS_LSB +: 2] == BYW_STALL_ANY)
  `BYW_ASSERT(off_changes_nothing, !on, (cfg_o == cfg_i) && !protect_o)
  `BYW_ASSERT(only_the_stall_bypass_changes, 1'b1, (cfg_o & ~mask) == (cfg_i & ~mask))
endmodule

`default_nettype wire
