// SPDX-License-Identifier: Apache-2.0
//
// byw_two_level - the two-level bypass of one SM: WOMU and MRMU observe a window, BDU decides.
//
// Behaviour   bypass_o is the mode: loads accepted in this cycle bypass.  The verdict on a window
//             becomes the mode after the window:
//               miss rate < low: cached; miss rate > high, or too few loads: bypass;
//               between: bypass if fewer warps are active than the bound, otherwise cached.
//             The pulses of a cycle count one cycle later; those of the L1D only if that later
//             cycle is in a window.  A kernel start is first looked up in the table (byw_bdu).  A
//             window that is suspended while other kernels run keeps its counts.  While disabled,
//             and in a cycle of rst_i, there are no event pulses.
// Paper       001; mechanisms/two_level.md 3; rtl/doc/two_level.md.
// C twin      cmodel/model/policy/byw_two_level.c; checked by verif/top/lockstep_two_level.c.
// Reset       rst_i: loads are cached, no window, empty table.  The settings may change only
//             together with it.  A disabled unit is held in reset.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_two_level (
  input  wire        clk_i,
  input  wire        rst_i,

  // registers of the same names (rtl/doc/csr.md)
  input  wire [31:0] two_level_i,
  input  wire [31:0] window_i,
  input  wire [29:0] period_i,
  input  wire [30:0] bound_i,

  // inputs of this cycle
  input  wire        kernel_start_i,
  input  wire [31:0] kernel_pc_i,
  input  wire        cta_placed_i,
  input  wire [6:0]  active_warps_i,    // 0..64
  input  wire [`BYW_EV_W-1:0] events_i,          // bit BYW_EV_*, from the L1D

  output wire        bypass_o,
  output wire [`BYW_PEV_W-1:0] events_o,          // bit BYW_PEV_TL_*, other bits 0
  output wire [2:0]  state_o            // bit BYW_TL_*: state in this cycle; 0 while disabled
);
  `include "byw_defs.vh"
  `include "byw_csr.vh"

  wire        enable  = two_level_i[BYW_CSR_TWO_LEVEL_ENABLE_LSB];
  wire        rst     = rst_i || !enable;
  wire        sampling, judged, window, known, below, armed;
  wire        hold, resume, held;
  wire [2:0]  slot;
  wire [1:0]  code;

  wire        is_low  = code == BYW_MRMU_LOW;
  wire        is_high = code == BYW_MRMU_HIGH;
  wire        is_few  = code == BYW_MRMU_FEW;
  wire        between = code == BYW_MRMU_BETWEEN;

  // The pulses of the L1D arrive late in the cycle.
  reg  load_q, miss_q, hit_pending_q, bypass_q;

  always @(posedge clk_i) begin : p_late
    load_q        <= !rst && events_i[BYW_EV_LOAD];
    miss_q        <= events_i[BYW_EV_MISS];
    hit_pending_q <= events_i[BYW_EV_HIT_PENDING];
    bypass_q      <= events_i[BYW_EV_BYPASS];
  end

  byw_womu u_womu (
    .clk_i(clk_i), .average_i(!two_level_i[BYW_CSR_TWO_LEVEL_LAST_LSB]), .bound_i(bound_i),
    .slot_i(slot), .window_i(sampling), .held_i(held), .warps_i(active_warps_i), .below_o(below)
  );

  byw_mrmu u_mrmu (
    .clk_i(clk_i),

    // settings
    .low_i(two_level_i[BYW_CSR_TWO_LEVEL_LOW_LSB +: 9]),
    .high_i(two_level_i[BYW_CSR_TWO_LEVEL_HIGH_LSB +: 9]),
    .few_i(window_i[BYW_CSR_TWO_LEVEL_WINDOW_MIN_LSB +: 16]),
    .pending_is_miss_i(two_level_i[BYW_CSR_TWO_LEVEL_PENDING_IS_MISS_LSB]),

    .slot_i(slot),
    .window_i(sampling),
    .held_i(held),

    // event pulses of this cycle
    .load_i(load_q),
    .miss_i(miss_q),
    .hit_pending_i(hit_pending_q),
    .bypass_i(bypass_q),

    .code_o(code)
  );

  byw_bdu u_bdu (
    .clk_i(clk_i),
    .rst_i(rst),

    // settings
    .resample_i(two_level_i[BYW_CSR_TWO_LEVEL_RESAMPLE_LSB +: 2]),
    .sample_i(window_i[BYW_CSR_TWO_LEVEL_WINDOW_SAMPLE_LSB +: 16]),
    .period_i(period_i),

    // pulses of this cycle
    .kernel_start_i(kernel_start_i),
    .kernel_pc_i(kernel_pc_i),
    .cta_placed_i(cta_placed_i),
    .decision_i(is_high || is_few || (between && below)),

    .bypass_o(bypass_o),
    .armed_o(armed),
    .sampling_o(sampling),
    .judged_o(judged),
    .window_o(window),
    .resume_o(resume),
    .held_o(held),
    .hold_o(hold),
    .slot_o(slot),
    .known_o(known)
  );

  reg [`BYW_PEV_W-1:0] pulses;
  reg [2:0]  state;

  always @* begin : p_pulses
    pulses                    = {`BYW_PEV_W{1'b0}};
    pulses[BYW_PEV_TL_WINDOW] = window;
    pulses[BYW_PEV_TL_LOW]    = judged && is_low;
    pulses[BYW_PEV_TL_HIGH]   = judged && is_high;
    pulses[BYW_PEV_TL_BUSY]   = judged && between && !below;
    pulses[BYW_PEV_TL_LAZY]   = judged && between && below;
    pulses[BYW_PEV_TL_FEW]    = judged && is_few;
    pulses[BYW_PEV_TL_KNOWN]  = known;
    state                     = 3'd0;
    state[BYW_TL_SAMPLE]      = sampling;
    state[BYW_TL_BYPASS]      = !sampling && bypass_o;
    state[BYW_TL_CACHE]       = !sampling && !bypass_o;
  end

  assign events_o = rst ? {`BYW_PEV_W{1'b0}} : pulses;
  assign state_o  = rst ? 3'd0 : state;

  wire unused_ok = &{1'b0, two_level_i, events_i, armed, hold, resume};

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg [31:0] setting_q;
  always @(posedge clk_i) setting_q <= two_level_i;
`endif
  `BYW_ASSUME(setting_changes_only_in_a_reset, 1'b1, two_level_i == setting_q)
  `BYW_ASSERT(one_state, enable && !rst_i,
              {1'b0, state_o[0]} + {1'b0, state_o[1]} + {1'b0, state_o[2]} == 2'd1)
  `BYW_ASSERT(one_verdict_per_window, enable,
              {2'd0, events_o[BYW_PEV_TL_LOW]} + {2'd0, events_o[BYW_PEV_TL_HIGH]} +
              {2'd0, events_o[BYW_PEV_TL_BUSY]} + {2'd0, events_o[BYW_PEV_TL_LAZY]} +
              {2'd0, events_o[BYW_PEV_TL_FEW]} == {2'd0, judged})
  `BYW_ASSERT(disabled_caches, !enable, (events_o == {`BYW_PEV_W{1'b0}}) && (state_o == 3'd0))
endmodule

`default_nettype wire
