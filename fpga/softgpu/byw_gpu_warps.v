// SPDX-License-Identifier: Apache-2.0
//
// byw_gpu_warps - the warps of the soft GPU: issue, PCs, lane masks, barrier and CTAs.
//
// Behaviour   A warp has at most one instruction in flight.  In every cycle without hold_i the next
//             live warp in round-robin order without one issues.  Stage x returns it with its new
//             state; with x_wait_i the warp sleeps until it is woken.  Warps at a barrier continue
//             when all live warps have arrived.  When all warps have ended, the next CTA starts.
// Reset       rst_i: no kernel runs.
//
// Parameter   Default  Range        Meaning
// LANES       4        2..32        lanes per warp
// WARPS       4        2^n, 2..32   number of warps
// DEPTH       8        2^n, 2..64   entries of the mask stack of a warp
// PC_W        10       4..16        width of an instruction address
//
`default_nettype none

module byw_gpu_warps #(
  parameter integer LANES  = 4,
  parameter integer WARPS  = 4,
  parameter integer DEPTH  = 8,
  parameter integer PC_W   = 10,
  parameter integer WARP_W = $clog2(WARPS),
  parameter integer SP_W   = $clog2(DEPTH) + 1
) (
  input  wire              clk_i,
  input  wire              rst_i,

  // host
  input  wire              start_i,          // pulse while running_o is 0
  input  wire [PC_W-1:0]   start_pc_i,
  input  wire [15:0]       ctas_i,           // constant until the kernel ends
  input  wire              stop_i,           // pulse: a fault ends the kernel
  output wire              running_o,
  output wire              cta_start_o,      // pulse
  output wire [15:0]       cta_o,
  output reg  [6:0]        active_o,         // live warps that wait for nothing

  // issue
  input  wire              hold_i,
  output wire              issue_valid_o,
  output wire [WARP_W-1:0] issue_warp_o,
  output wire [PC_W-1:0]   issue_pc_o,
  input  wire [WARP_W-1:0] sp_warp_i,
  output wire [SP_W-1:0]   sp_o,
  input  wire [WARP_W-1:0] mask_warp_i,
  output wire [LANES-1:0]  mask_o,

  // x: the result of the instruction
  input  wire              x_valid_i,
  input  wire [WARP_W-1:0] x_warp_i,
  input  wire [PC_W-1:0]   x_pc_i,           // next PC of the warp
  input  wire [LANES-1:0]  x_mask_i,
  input  wire [SP_W-1:0]   x_sp_i,
  input  wire              x_wait_i,
  input  wire              x_barrier_i,
  input  wire              x_exit_i,
  input  wire              wake_valid_i,
  input  wire [WARP_W-1:0] wake_warp_i
);
  reg  [WARPS-1:0]       live_q, busy_q, wait_q, barrier_q;
  reg  [WARPS*PC_W-1:0]  pc_q;
  reg  [WARPS*LANES-1:0] mask_q;
  reg  [WARPS*SP_W-1:0]  sp_q;
  reg                    running_q, start_q;
  reg  [15:0]            cta_q;
  reg  [WARP_W-1:0]      last_q;

  // ---- the next warp in round-robin order
  wire [WARPS-1:0]   ready = live_q & ~busy_q;
  reg  [WARP_W-1:0]  at, pick;
  integer            i, j, k;
  always @* begin : p_pick
    pick = {WARP_W{1'b0}};
    at   = {WARP_W{1'b0}};
    for (i = WARPS; i > 0; i = i - 1) begin
      at = last_q + i[WARP_W-1:0];
      if (ready[at]) pick = at;
    end
  end

  assign issue_valid_o = (|ready) && !hold_i;
  assign issue_warp_o  = pick;
  byw_mux #(.N(WARPS), .W(PC_W)) u_pc (.data_i(pc_q), .sel_i(pick), .data_o(issue_pc_o));
  byw_mux #(.N(WARPS), .W(SP_W)) u_sp (.data_i(sp_q), .sel_i(sp_warp_i), .data_o(sp_o));
  byw_mux #(.N(WARPS), .W(LANES)) u_mask (.data_i(mask_q), .sel_i(mask_warp_i), .data_o(mask_o));

  always @* begin : p_active
    active_o = 7'd0;
    for (j = 0; j < WARPS; j = j + 1) active_o = active_o + {6'd0, live_q[j] && !wait_q[j]};
  end

  // ---- CTAs: start_q is 1 in the cycle before the first instruction of a CTA
  wire over = running_q && !start_q && (live_q == {WARPS{1'b0}});
  wire last = cta_q + 16'd1 == ctas_i;
  assign running_o   = running_q;
  assign cta_start_o = start_q;
  assign cta_o       = cta_q;
  always @(posedge clk_i) begin : p_cta
    start_q <= (start_i && (ctas_i != 16'd0)) || (over && !last && !stop_i);
    if (start_i) cta_q <= 16'd0;
    else if (over && !last) cta_q <= cta_q + 16'd1;
    if (rst_i || stop_i || (over && last)) running_q <= 1'b0;
    else if (start_i) running_q <= ctas_i != 16'd0;
    if (rst_i) start_q <= 1'b0;
  end

  // ---- state of the warps
  wire             met  = (live_q & ~barrier_q) == {WARPS{1'b0}};
  wire [WARPS-1:0] one  = {{WARPS-1{1'b0}}, 1'b1};
  wire [WARPS-1:0] x    = x_valid_i ? (one << x_warp_i) : {WARPS{1'b0}};
  wire [WARPS-1:0] wake = (wake_valid_i ? (one << wake_warp_i) : {WARPS{1'b0}}) |
                          (met ? barrier_q : {WARPS{1'b0}});
  wire             away = x_wait_i || x_barrier_i;
  always @(posedge clk_i) begin : p_flags
    if (issue_valid_o) last_q <= pick;
    busy_q    <= (busy_q & ~(away ? {WARPS{1'b0}} : x) & ~wake) |
                 (issue_valid_o ? (one << pick) : {WARPS{1'b0}});
    wait_q    <= (wait_q | (away ? x : {WARPS{1'b0}})) & ~wake;
    barrier_q <= met ? {WARPS{1'b0}} : (barrier_q | (x_barrier_i ? x : {WARPS{1'b0}}));
    live_q    <= start_q ? {WARPS{1'b1}} : (live_q & ~(x_exit_i ? x : {WARPS{1'b0}}));
    if (rst_i || stop_i) live_q <= {WARPS{1'b0}};
    if (rst_i || start_q) begin
      busy_q    <= {WARPS{1'b0}};
      wait_q    <= {WARPS{1'b0}};
      barrier_q <= {WARPS{1'b0}};
    end
    if (rst_i) last_q <= {WARP_W{1'b0}};
  end

  always @(posedge clk_i) begin : p_place
    for (k = 0; k < WARPS; k = k + 1)
      if (start_q) begin
        pc_q[k*PC_W +: PC_W]     <= start_pc_i;
        mask_q[k*LANES +: LANES] <= {LANES{1'b1}};
        sp_q[k*SP_W +: SP_W]     <= {SP_W{1'b0}};
      end else if (x[k]) begin
        pc_q[k*PC_W +: PC_W]     <= x_pc_i;
        mask_q[k*LANES +: LANES] <= x_mask_i;
        sp_q[k*SP_W +: SP_W]     <= x_sp_i;
      end
  end
endmodule

`default_nettype wire
