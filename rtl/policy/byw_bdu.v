// SPDX-License-Identifier: Apache-2.0
//
// byw_bdu - BDU, the bypass decision unit of the two-level bypass: sampling windows, mode, kernels.
//
// Behaviour   kernel_start_i starts a lookup in a table of 8 entries, two cycles per entry.  The
//             kernel begins after a match or after the last used entry.  The earliest begin is two
//             cycles after the start: for a match in the first entry, or without per_kernel_pc.
//             The last cycle of a window and the cycle after it delay the begin.  A new kernel
//             start replaces a lookup in progress.  A CTA counts one cycle after its pulse, or one
//             cycle after its kernel begins.  A kernel that begins arms the unit.  The next CTA
//             opens a window of sample_i cycles, in which loads are cached.  In the cycle after the
//             window judged_o samples decision_i, which is the mode from the next cycle on.  The
//             table holds the decision of each kernel, or its suspended window.  hold_o: the open
//             window, of entry slot_o, is suspended from the next cycle on.  held_o: the next
//             window resumes a suspended one (resume_o); otherwise it is new (window_o).  known_o:
//             the kernel that begins has its decision in the table.
// Paper       001; mechanisms/two_level.md 3.3, 3.4; rtl/doc/bdu.md defines each value of
//             resample_i.
// C twin      cmodel/model/policy/byw_bdu.c; checked by verif/policy/lockstep_bdu.c.
// Reset       rst_i: loads are cached, the table is empty.  Settings may change only during reset.
//
`default_nettype none
`include "byw_assert.vh"

module byw_bdu (
  input  wire        clk_i,
  input  wire        rst_i,

  // settings
  input  wire [1:0]  resample_i,       // BYW_BDU_*
  input  wire [15:0] sample_i,         // cycles, 1 or more
  input  wire [29:0] period_i,         // cycles, 1 or more

  // pulses of this cycle
  input  wire        kernel_start_i,
  input  wire [31:0] kernel_pc_i,      // with kernel_start_i: the kernel's entry PC
  input  wire        cta_placed_i,
  input  wire        decision_i,       // with judged_o: the verdict is bypass

  output wire        bypass_o,         // the mode: loads bypass
  output wire        armed_o,
  output wire        sampling_o,       // this cycle is in a window
  output wire        judged_o,         // the first cycle after a window
  output wire        window_o,         // a new window starts with the next cycle
  output wire        resume_o,         // the suspended window resumes with the next cycle
  output wire        held_o,           // outside a window: one is suspended, and no other can start
  output wire        hold_o,           // the open window is suspended from the next cycle on
  output wire [2:0]  slot_o,           // table entry of the running kernel
  output wire        known_o
);
  `include "byw_defs.vh"

  localparam integer TABLE    = 8;
  localparam integer TABLE_W  = 3;
  localparam integer PC_W     = 32;
  localparam integer TIMER_W  = 30;
  localparam integer WINDOW_W = 16;

  wire by_kernel    = resample_i == BYW_BDU_PER_KERNEL_PC;
  wire every_launch = resample_i == BYW_BDU_EVERY_LAUNCH;
  wire periodic     = resample_i == BYW_BDU_PERIODIC;

  // ---- the open window, or the period until the next one.  The low part of its remaining cycles
  // is in the table, for suspended windows.
  reg                        bypass_q, armed_q, sampling_q, judged_q, any_ended_q;
  reg  [TIMER_W-1:WINDOW_W]  high_q;
  wire [WINDOW_W-1:0]        low;
  wire [TIMER_W-1:0]         left      = {high_q, low};
  wire [TIMER_W-1:0]         left_next = left - 1'b1;
  wire running = sampling_q || (periodic && any_ended_q);
  wire expires = running && (left == {{(TIMER_W-1){1'b0}}, 1'b1});
  wire reopens = expires && !sampling_q;
  wire ends    = expires && sampling_q;
  wire open    = sampling_q && !ends;

  // ---- the table.  The entries below next_q are in use, or all of them if full_q.
  reg  [PC_W-1:0]     pc_q [0:TABLE-1];
  reg  [1:0]          says_q [0:TABLE-1];    // {decided, mode} or {0, window started}
  reg  [WINDOW_W-1:0] low_q [0:TABLE-1];
  reg  [TABLE_W-1:0]  next_q;                // next entry to replace
  reg                 full_q;
  reg  [TABLE_W-1:0]  kernel_q;              // entry of the running kernel
  reg                 held_q;                // the kernel's window has started and waits for a CTA

  // ---- lookup of a starting kernel; the comparisons are registered and known one cycle later
  reg                 looks_q, second_q;     // second cycle at an entry
  reg  [TABLE_W-1:0]  at_q;
  reg  [PC_W-1:0]     start_pc_q;
  reg                 found_q, last_q;
  wire                unused_entry = !full_q && (at_q == next_q);
  wire                ready  = found_q || last_q || !by_kernel;
  wire                waits  = ends || judged_q;
  wire                begins = looks_q && second_q && ready && !waits;
  wire                decided, says;

  assign {decided, says} = says_q[at_q];
  assign low = low_q[kernel_q];

  always @(posedge clk_i) begin : p_look
    looks_q  <= !rst_i && (kernel_start_i || (looks_q && !begins));
    second_q <= looks_q && !kernel_start_i && (!second_q || (ready && waits));
    found_q  <= (pc_q[at_q] == start_pc_q) && !unused_entry;
    last_q   <= unused_entry || (&at_q);
    if (kernel_start_i)                      at_q <= {TABLE_W{1'b0}};
    else if (looks_q && second_q && !ready)  at_q <= at_q + 1'b1;
    if (kernel_start_i) start_pc_q <= kernel_pc_i;
  end

  // ---- a kernel begins; a CTA counts only when no lookup is in progress
  reg  cta_q;
  wire same  = found_q && (at_q == kernel_q);
  wire takes = begins && by_kernel && !(open && same);
  wire gives = takes && !found_q;
  wire known = takes && found_q && decided;
  wire cta   = cta_q && !looks_q;
  wire opens = cta && armed_q;

  always @(posedge clk_i) begin : p_kernel
    cta_q <= !rst_i && (cta_placed_i || (cta_q && looks_q));
    if (rst_i) begin
      kernel_q <= {TABLE_W{1'b0}};
      next_q   <= {TABLE_W{1'b0}};
      full_q   <= 1'b0;
      held_q   <= 1'b0;
    end else if (takes) begin
      kernel_q <= found_q ? at_q : next_q;
      next_q   <= next_q + {{(TABLE_W-1){1'b0}}, gives};
      full_q   <= full_q || (gives && (&next_q));
      held_q   <= found_q && !decided && says;
    end
  end

  // The entry of an armed kernel is rewritten until its window starts.  No kernel becomes armed
  // while another one is judged.
  always @(posedge clk_i) begin : p_table
    if (gives) pc_q[next_q] <= start_pc_q;
    if (judged_q || armed_q)
      says_q[kernel_q] <= {judged_q, judged_q ? decision_i : opens || held_q};
  end

  // ---- the mode
  wire closes = takes || (begins && every_launch);
  wire first  = !any_ended_q && !sampling_q;

  always @(posedge clk_i) begin : p_mode
    if (rst_i) begin
      bypass_q    <= 1'b0;
      armed_q     <= 1'b0;
      sampling_q  <= 1'b0;
      judged_q    <= 1'b0;
      any_ended_q <= 1'b0;
    end else begin
      if (opens || reopens) bypass_q <= 1'b0;
      else if (judged_q)    bypass_q <= decision_i;
      else if (known)       bypass_q <= says;
      if (begins)   armed_q <= by_kernel ? takes && !known : every_launch || first;
      else if (cta) armed_q <= 1'b0;
      sampling_q  <= opens || reopens || (open && !closes);
      judged_q    <= ends;
      any_ended_q <= any_ended_q || ends;
    end
  end

  // ---- the timer.  While it is stopped, it holds the length of the next window, so that its load
  // does not depend on opens.  After a window comes a period, after a period a window.
  wire [TIMER_W-1:0] left_new = (periodic && sampling_q)
                              ? period_i : {{(TIMER_W-WINDOW_W){1'b0}}, sample_i};
  wire [TIMER_W-1:0] left_d   = (expires || !running) ? left_new : left_next;

  always @(posedge clk_i) begin : p_timer
    high_q <= left_d[TIMER_W-1:WINDOW_W];
    if (running || !held_q) low_q[kernel_q] <= left_d[WINDOW_W-1:0];
  end

  assign bypass_o   = bypass_q;
  assign armed_o    = armed_q;
  assign sampling_o = sampling_q;
  assign judged_o   = judged_q;
  assign window_o   = reopens || (opens && !held_q);
  assign resume_o   = opens && held_q;
  assign held_o     = held_q;
  assign hold_o     = takes && open;
  assign slot_o     = kernel_q;
  assign known_o    = known;

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg       sampled_q;
  reg [1:0] resample_q;

  always @(posedge clk_i) begin : p_last
    sampled_q  <= !rst_i && sampling_q;
    resample_q <= resample_i;
  end
`endif
  `BYW_ASSUME(setting_changes_only_in_a_reset, 1'b1, resample_i == resample_q)
  `BYW_ASSERT(verdict_follows_its_window, judged_o, sampled_q)
  `BYW_ASSERT(window_is_held_only_while_open, hold_o, sampling_o)
  `BYW_ASSERT(new_window_is_not_a_resumed_one, 1'b1, !(resume_o && window_o))
endmodule

`default_nettype wire
