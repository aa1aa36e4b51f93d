// SPDX-License-Identifier: Apache-2.0
//
// byw_womu - WOMU, the warp occupancy monitor of the two-level bypass.
//
// Behaviour   The active warps of each cycle of a window are added to what they are over a bound,
//             which begins at -bound: its sign is the comparison, without a division, a multiplier
//             or a second carry chain.  Each kernel's stands in an entry of its own, so that a held
//             window needs nothing; outside windows the entry is made what a new one begins with,
//             unless held_i.  below_o, in the cycle behind a window: 256 sum < bound_i (average_i),
//             or the warps of its last cycle, 256 last < bound_i.  Equality is not below.
// Paper       001; MECHANISMS 3.3; rtl/doc/womu.md.
// C twin      cmodel/policy/byw_womu.c; checked by verif/policy/lockstep_womu.c.
// Reset       None: one cycle outside a window comes before each.  bound_i may change only there.
//
`default_nettype none

module byw_womu (
  input  wire        clk_i,

  // settings
  input  wire        average_i,   // over the window, else of its last cycle
  input  wire [30:0] bound_i,     // 1/256 warps: limit * whole, with average_i times the cycles

  input  wire [2:0]  slot_i,      // the running kernel's entry; stays in windows and behind them
  input  wire        window_i,    // a cycle of a window
  input  wire        held_i,      // outside: the entry's goes on, if one begins
  input  wire [6:0]  warps_i,     // 0..64: active in this cycle

  output wire        below_o
);
  localparam integer TABLE  = 8;
  localparam integer OVER_W = 24;
  localparam integer WARP_W = 7;

  // Signed: sum - bound_i / 256, rounded down.  As -x is ~x + 1, one is missing until the first
  // cycle is counted.
  reg  [OVER_W-1:0] over_q [0:TABLE-1];
  reg               first_q;
  reg               last_below_q;

  // The value's low byte would be 0: of equals it is below if the bound's is not.
  wire [OVER_W-2:0] bound = bound_i[30:8];
  wire              odd   = |bound_i[7:0];
  wire              one   = first_q && !odd;
  wire [OVER_W-1:0] over  = over_q[slot_i];
  wire [OVER_W-1:0] sum;
  wire              unused_carry, last_below;

  byw_below #(.W(WARP_W)) u_last_below (
    .a_i(warps_i), .b_i(bound[WARP_W-1:0]), .equal_i(odd), .below_o(last_below)
  );

  // One carry chain, with what comes in at its end.
  assign {sum, unused_carry} = {over, 1'b1} + {{(OVER_W-WARP_W){1'b0}}, warps_i, one};
  assign below_o = average_i ? over[OVER_W-1] : last_below_q;

  always @(posedge clk_i) begin : p_count
    first_q      <= !window_i && !held_i;
    last_below_q <= last_below || (|bound[OVER_W-2:WARP_W]);
    if (window_i || !held_i) over_q[slot_i] <= window_i ? sum : {1'b1, ~bound};
  end
endmodule

`default_nettype wire
