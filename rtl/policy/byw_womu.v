// SPDX-License-Identifier: Apache-2.0
//
// byw_womu - WOMU, the warp occupancy monitor of the two-level bypass.
//
// Behaviour   In each cycle of a window the active warps are added to a sum that starts at -bound.
//             Its sign is the comparison, which needs no divider, multiplier or second carry chain.
//             Each kernel has its own table entry, so a suspended window keeps its sum.  Outside
//             windows the entry is set to its initial value, unless held_i.  below_o, in the cycle
//             after a window: 256 sum < bound_i (average_i), or 256 last < bound_i with the warps
//             of the last cycle.  Equal is not below.
// Paper       001; mechanisms/two_level.md 3.3; rtl/doc/womu.md.
// C twin      cmodel/model/policy/byw_womu.c; checked by verif/policy/lockstep_womu.c.
// Reset       None: at least one cycle outside a window precedes each.  bound_i may change only
//             there.
//
`default_nettype none
`include "byw_assert.vh"

module byw_womu (
  input  wire        clk_i,

  // settings
  input  wire        average_i,   // 1: average over the window, 0: its last cycle
  input  wire [30:0] bound_i,     // 1/256 warps: limit * whole; times the cycles if average_i

  input  wire [2:0]  slot_i,      // entry of the running kernel; see byw_bdu
  input  wire        window_i,    // this cycle is in a window
  input  wire        held_i,      // outside: the entry holds a suspended window
  input  wire [6:0]  warps_i,     // 0..64: active in this cycle

  output wire        below_o
);
  localparam integer TABLE  = 8;
  localparam integer OVER_W = 24;
  localparam integer WARP_W = 7;

  // Signed: sum - bound_i / 256, rounded down.  Since -x is ~x + 1, the sum is one too low until
  // the first cycle is counted.
  reg  [OVER_W-1:0] over_q [0:TABLE-1];
  reg               first_q;
  reg               last_below_q;

  // Only the bound has a fraction, its low byte.  So if the integer parts are equal, the number of
  // warps is below the bound unless the fraction is 0.
  wire [OVER_W-2:0] bound = bound_i[30:8];
  wire              odd   = |bound_i[7:0];
  wire              one   = first_q && !odd;
  wire [OVER_W-1:0] over  = over_q[slot_i];
  wire [OVER_W-1:0] sum;
  wire              unused_carry, last_below;

  byw_below #(.W(WARP_W)) u_last_below (
    .a_i(warps_i), .b_i(bound[WARP_W-1:0]), .equal_i(odd), .below_o(last_below)
  );

  // One carry chain; the extra bit is its carry input.
  assign {sum, unused_carry} = {over, 1'b1} + {{(OVER_W-WARP_W){1'b0}}, warps_i, one};
  assign below_o = average_i ? over[OVER_W-1] : last_below_q;

  always @(posedge clk_i) begin : p_count
    first_q      <= !window_i && !held_i;
    last_below_q <= last_below || (|bound[OVER_W-2:WARP_W]);
    if (window_i || !held_i) over_q[slot_i] <= window_i ? sum : {1'b1, ~bound};
  end

`ifdef BYW_CHECKED
  reg              new_q = 1'b0;
  reg [2:0]        new_slot_q;
  reg [OVER_W-2:0] new_bound_q;
  reg              kept_q = 1'b0;               // a window was suspended
  reg [OVER_W-1:0] kept_over_q;

  always @(posedge clk_i) begin : p_new
    new_q       <= !window_i && !held_i;
    new_slot_q  <= slot_i;
    new_bound_q <= bound;
    kept_q      <= !window_i && held_i;
    kept_over_q <= over;
  end
`endif
  `BYW_HOLDS(sum_starts_at_minus_the_bound, new_q && (slot_i == new_slot_q),
             over == {1'b1, ~new_bound_q})
  `BYW_HOLDS(suspended_window_keeps_its_sum, kept_q && (slot_i == new_slot_q), over == kept_over_q)
endmodule

`default_nettype wire
