// SPDX-License-Identifier: Apache-2.0
//
// byw_trials - decides when an L1 tries other ways of bypassing, and which one it keeps.
//
// Behaviour   Works in windows of WINDOW accepted loads.  While caching, CONFIRM windows in a row
//             with little reuse start a trial: first protecting, then relieving.  The later half of
//             each is measured, and the faster one stays.  protect_o and stall_o control the cache,
//             by_warp_o makes its loads wait by warp.  Outputs depend only on registers.
// Paper       byway's own; mechanisms/across.md 13.1; rtl/doc/trials.md.
// C twin      cmodel/model/policy/byw_trials.c; checked by verif/policy/lockstep_trials.c.
// Reset       rst_i: caching, nothing counted, no load inside.  restart_i: loads inside stay.
//
// Parameter      Default  Range      Meaning (keys trial.* in lower case)
// WINDOW, REUSE_PCT  256, 40         loads per window, 8..65536; reuse below which it requests
// CONFIRM        3        1..64      requesting windows in a row that start a trial
// WINDOWS        4        1..64      windows per side of a trial
// MARGIN_PCT     5        0..100     relieving must be faster than protecting by this much
// OVERTIME_PCT   15       0..1000    how much longer than before a tried window may take
// REST           4        0..65536   windows without a trial after a failed one; doubles
// DOUBLINGS      8        0..15      maximum number of doublings; REST up to 2^24
// LINE_WINDOW, LINE_REUSE_PCT  128, 50  loads per judgement of fully pending sets, and the reuse
//                                    below which loads to them bypass
// RUN_PCT        50       0..101     loads wait by warp if this share follows one of its warp
// CYCLE_W        24       4..24      width of the cycle count of a window
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_trials #(
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
  parameter integer CYCLE_W        = 24,
  parameter integer WARP_W         = 6
) (
  input  wire              clk_i,
  input  wire              rst_i,
  input  wire              restart_i,        // pulse

  // pulses of this cycle
  input  wire              enter_i,          // a load enters the cache; at most four are inside
  input  wire [WARP_W-1:0] enter_warp_i,
  input  wire              load_i,           // the oldest load inside is accepted
  input  wire              reused_i,         // with load_i: it finds its line

  // valid until the next cycle
  output wire              protect_o,        // lines are protected
  output wire [1:0]        stall_o,          // BYW_STALL_*
  output wire              by_warp_o,

  output wire [2:0]        events_o          // pulses: trial starts, protecting won, relieving won
);
  `include "byw_defs.vh"

  generate
    if ((WINDOW < 8) || (WINDOW > 65536)) begin : gen_check_window
      byw_trials_WINDOW_must_be_8_to_65536 u_error ();
    end
    if ((WINDOWS < 1) || (WINDOWS > 64)) begin : gen_check_windows
      byw_trials_WINDOWS_must_be_1_to_64 u_error ();
    end
    if ((CONFIRM < 1) || (CONFIRM > 64)) begin : gen_check_confirm
      byw_trials_CONFIRM_must_be_1_to_64 u_error ();
    end
    if ((REST < 0) || (REST > 65536)) begin : gen_check_rest
      byw_trials_REST_must_be_0_to_65536 u_error ();
    end
    if ((DOUBLINGS <= 15) && (REST << DOUBLINGS > (1 << 24))) begin : gen_check_longest
      byw_trials_REST_doubled_must_be_at_most_2_to_24 u_error ();
    end
    if ((DOUBLINGS < 0) || (DOUBLINGS > 15)) begin : gen_check_doublings
      byw_trials_DOUBLINGS_must_be_0_to_15 u_error ();
    end
    if ((LINE_WINDOW < 1) || (LINE_WINDOW > 65536)) begin : gen_check_line_window
      byw_trials_LINE_WINDOW_must_be_1_to_65536 u_error ();
    end
    if ((CYCLE_W < 4) || (CYCLE_W > 24)) begin : gen_check_cycle_w
      byw_trials_CYCLE_W_must_be_4_to_24 u_error ();
    end
  endgenerate

  localparam integer LOADS_W   = $clog2(WINDOW + 1);
  localparam integer LINES_W   = $clog2(LINE_WINDOW + 1);
  localparam integer LONGEST   = REST << DOUBLINGS;
  localparam integer MOST      = (LONGEST > WINDOWS) ? LONGEST : WINDOWS;
  localparam integer SIDE_W    = $clog2(WINDOWS + 1);
  localparam integer WINDOWS_W = $clog2(MOST) + 1;
  localparam integer FAILED_W  = $clog2(DOUBLINGS + 2);
  localparam integer CONFIRM_W = $clog2(CONFIRM + 1);
  localparam integer REUSED_N  = (REUSE_PCT * WINDOW + 99) / 100;
  localparam integer RUNS_N    = (RUN_PCT * WINDOW + 99) / 100;
  localparam integer LINES_N   = (LINE_REUSE_PCT * LINE_WINDOW + 99) / 100;
  localparam integer LAST_N    = WINDOW - 1;
  localparam integer LINE_N    = LINE_WINDOW - 1;
  localparam integer WINDOW_N  = WINDOWS - 1;
  localparam integer HALF      = WINDOWS / 2;
  localparam integer ASKED_N   = CONFIRM - 1;
  localparam [31:0]            REUSED   = REUSED_N;
  localparam [31:0]            FEWER    = (REUSED_N > 0) ? REUSED_N - 1 : 0;
  localparam [31:0]            RUNS     = RUNS_N;
  localparam [31:0]            LINES    = LINES_N;
  localparam [LOADS_W-1:0]     LAST     = LAST_N[LOADS_W-1:0];
  localparam [LINES_W-1:0]     LINE     = LINE_N[LINES_W-1:0];
  localparam [WINDOWS_W-1:0]   LAST_WIN = WINDOW_N[WINDOWS_W-1:0];
  localparam [SIDE_W:0]        HALF_WIN = HALF[SIDE_W:0];
  localparam [WINDOWS_W-1:0]   REST_1   = REST[WINDOWS_W-1:0];
  localparam [CONFIRM_W-1:0]   ASKED    = ASKED_N[CONFIRM_W-1:0];
  localparam [FAILED_W-1:0]    DOUBLED  = DOUBLINGS[FAILED_W-1:0];
  localparam [1:0] CACHE = 2'd0, PROTECT = 2'd1, RELIEVE = 2'd2;

  reg  [1:0]           mode_q;
  reg                  trying_q, runs_q, line_bypass_q;
  reg  [LOADS_W-1:0]   loads_q, reused_q, followers_q;
  reg  [WINDOWS_W-1:0] windows_q;            // trying: windows of this side; caching: rest
  reg  [FAILED_W-1:0]  failed_q;
  reg  [CONFIRM_W-1:0] confirmed_q;
  reg  [LINES_W-1:0]   line_loads_q, line_reused_q;
  reg  [WARP_W-1:0]    last_warp_q;
  reg  [2:0]           entered_q;
  reg  [3:0]           follows_q;            // of the loads inside; bit 0: the oldest

  // ---- which loads follow one of the same warp
  wire [2:0] left    = entered_q - {2'd0, load_i};
  wire [3:0] stay    = load_i ? {1'b0, follows_q[3:1]} : follows_q;
  wire       follows = enter_warp_i == last_warp_q;

  always @(posedge clk_i) begin : p_inside
    if (rst_i) begin
      entered_q   <= 3'd0;
      follows_q   <= 4'd0;
      last_warp_q <= {WARP_W{1'b0}};
    end else begin
      entered_q <= left + {2'd0, enter_i};
      follows_q <= stay | ((enter_i && follows) ? 4'd1 << left[1:0] : 4'd0);
      if (enter_i) last_warp_q <= enter_warp_i;
    end
  end

  // ---- the window, including this load
  wire               late, protects;
  wire               overtime  = load_i && trying_q && late;
  wire               full      = load_i && !overtime && (loads_q == LAST);
  wire               one_reuse = load_i && reused_i;
  wire               one_run   = load_i && follows_q[0];
  wire [LOADS_W-1:0] reused    = reused_q + {{(LOADS_W-1){1'b0}}, one_reuse};
  wire [LOADS_W-1:0] followers = followers_q + {{(LOADS_W-1){1'b0}}, one_run};
  wire [31:0]        reuse     = {{(32-LOADS_W){1'b0}}, reused_q};
  wire [31:0]        runs      = {{(32-LOADS_W){1'b0}}, followers};
  wire               asks      = one_reuse ? (reuse < FEWER) : (reuse < REUSED);

  wire               caches    = mode_q == CACHE;
  wire               tried     = full && trying_q;
  wire               cached    = full && caches;
  wire               side_ends = tried && (windows_q == LAST_WIN);
  wire               asked     = cached && (windows_q == {WINDOWS_W{1'b0}}) && asks;
  wire               starts    = asked && (confirmed_q == ASKED);
  wire               stays     = side_ends && (mode_q == RELIEVE);

  // The later half of a side is measured.  A cycle that begins a window belongs to it.  A trial
  // starts with windows_q 0.
  wire [SIDE_W:0]    side     = {1'b0, windows_q[SIDE_W-1:0]};
  wire               later    = (side + {{SIDE_W{1'b0}}, 1'b1}) > HALF_WIN;
  wire               almost   = (side + {{(SIDE_W-1){1'b0}}, 2'd2}) > HALF_WIN;
  wire               measures = (HALF == 0) || (!side_ends && (tried ? almost : later));

  byw_trial_rule #(
    .WINDOWS(WINDOWS), .MARGIN_PCT(MARGIN_PCT), .OVERTIME_PCT(OVERTIME_PCT), .CYCLE_W(CYCLE_W)
  ) u_rule (
    .clk_i(clk_i),
    .rst_i(rst_i || restart_i),

    .begins_i(overtime || full),
    .caches_i(caches),
    .side_ends_i(side_ends),
    .relieves_i(mode_q == RELIEVE),
    .measures_i(measures),

    // with begins_i: the previous window requested a trial; it is the first in a row
    .asked_i(asked),
    .first_i(confirmed_q == {CONFIRM_W{1'b0}}),

    // for the window and the trial so far
    .late_o(late),
    .protects_o(protects)
  );

  assign protect_o = mode_q == PROTECT;
  assign stall_o   = caches ? (line_bypass_q ? BYW_STALL_LINE : BYW_STALL_OFF) :
                     protect_o ? BYW_STALL_LINE : BYW_STALL_ANY;
  assign by_warp_o = protect_o && runs_q;
  assign events_o  = {stays && !protects, stays && protects, starts};

  // ---- counters of the window
  // The load that ends a trial by overtime is the first load of the next window.
  always @(posedge clk_i) begin : p_window
    if (rst_i || restart_i) begin
      loads_q     <= {LOADS_W{1'b0}};
      reused_q    <= {LOADS_W{1'b0}};
      followers_q <= {LOADS_W{1'b0}};
    end else if (load_i) begin
      loads_q     <= full ? {LOADS_W{1'b0}} :
                     (overtime ? {LOADS_W{1'b0}} : loads_q) + {{(LOADS_W-1){1'b0}}, 1'b1};
      reused_q    <= full ? {LOADS_W{1'b0}} :
                     overtime ? {{(LOADS_W-1){1'b0}}, one_reuse} : reused;
      followers_q <= full ? {LOADS_W{1'b0}} :
                     overtime ? {{(LOADS_W-1){1'b0}}, one_run} : followers;
    end
  end

  // ---- modes and trials
  always @(posedge clk_i) begin : p_mode
    if (rst_i || restart_i) begin
      mode_q      <= CACHE;
      trying_q    <= 1'b0;
      runs_q      <= 1'b0;
      windows_q   <= {WINDOWS_W{1'b0}};
      failed_q    <= {FAILED_W{1'b0}};
      confirmed_q <= {CONFIRM_W{1'b0}};
    end else begin
      if (starts)         mode_q <= PROTECT;
      else if (overtime)  mode_q <= CACHE;
      else if (stays)     mode_q <= protects ? PROTECT : RELIEVE;
      else if (side_ends) mode_q <= RELIEVE;
      if (starts || overtime || stays) trying_q <= starts;
      if (cached) runs_q <= (runs + 32'd1) > RUNS;
      if (overtime)                    windows_q <= REST_1 << failed_q;
      else if (starts || side_ends)    windows_q <= {WINDOWS_W{1'b0}};
      else if (tried)                  windows_q <= windows_q + 1'b1;
      else if (cached && (|windows_q)) windows_q <= windows_q - 1'b1;
      if (overtime && (failed_q != DOUBLED)) failed_q <= failed_q + 1'b1;
      if (cached && (windows_q == {WINDOWS_W{1'b0}}))
        confirmed_q <= (asks && !starts) ? confirmed_q + 1'b1 : {CONFIRM_W{1'b0}};
    end
  end

  // ---- bypass for fully pending sets
  wire [LINES_W-1:0] line_reused = line_reused_q + {{(LINES_W-1){1'b0}}, one_reuse};
  wire [31:0]        line_reuse  = {{(32-LINES_W){1'b0}}, line_reused};
  wire               line_full   = line_loads_q == LINE;

  always @(posedge clk_i) begin : p_lines
    if (rst_i || restart_i) begin
      line_bypass_q <= 1'b0;
      line_loads_q  <= {LINES_W{1'b0}};
      line_reused_q <= {LINES_W{1'b0}};
    end else if (load_i) begin
      if (line_full) line_bypass_q <= line_reuse < LINES;
      line_loads_q  <= line_full ? {LINES_W{1'b0}} : line_loads_q + 1'b1;
      line_reused_q <= line_full ? {LINES_W{1'b0}} : line_reused;
    end
  end

  `BYW_CHECKS
  `BYW_ASSUME(load_was_inside, load_i, entered_q != 3'd0)
  `BYW_ASSERT(mode_exists, 1'b1, mode_q != 2'd3)
  `BYW_ASSERT(trial_does_not_cache, trying_q, !caches)
  `BYW_ASSERT(loads_within_the_window, 1'b1, loads_q <= LAST)
endmodule

`default_nettype wire
