// SPDX-License-Identifier: Apache-2.0
//
// byw_womu - WOMU, the warp occupancy monitor of the two-level bypass.
//
// Behaviour   The active warps of each cycle are added to what they are over a bound, which begins
//             at -bound: its sign is the comparison, without a division, a multiplier or a second
//             carry chain.  below_o, this cycle included: 256 sum < bound_i (average_i), or the
//             warps of this cycle, 256 last < bound_i.  Equality is not below.  Outside a sampling
//             window clear_i or resume_i comes in every cycle, and nothing that is said means
//             anything.
// Paper       001; MECHANISMS 3.3; rtl/doc/womu.md.
// C twin      cmodel/policy/byw_womu.c; checked by verif/policy/lockstep_womu.c.
// Reset       rst_i or clear_i: nothing counted.  bound_i may change only together with one of
//             them.
//
`default_nettype none

module byw_womu (
  input  wire        clk_i,
  input  wire        rst_i,

  // settings
  input  wire        average_i,   // over the window, else of its last cycle
  input  wire [30:0] bound_i,     // 1/256 warps: limit * whole, with average_i times the cycles

  input  wire        clear_i,     // a window begins with the next cycle
  input  wire        resume_i,    // a held one goes on with it
  input  wire [23:0] resume_over_i, // its over_o when it was held
  input  wire [6:0]  warps_i,     // 0..64: active in this cycle

  output wire        below_o,
  // signed: sum - bound_i / 256, rounded down, this cycle's included
  output wire [23:0] over_o
);
  localparam integer OVER_W = 24;
  localparam integer WARP_W = 7;

  reg  [OVER_W-1:0] over_q;

  // The value's low byte would be 0: of equals it is below if the bound's is not.
  wire [OVER_W-2:0] bound = bound_i[30:8];
  wire              odd   = |bound_i[7:0];
  wire [OVER_W-1:0] start = {1'b1, ~bound} + {{(OVER_W-1){1'b0}}, !odd};
  wire              last_below;

  byw_below #(.W(WARP_W)) u_last_below (
    .a_i(warps_i), .b_i(bound[WARP_W-1:0]), .equal_i(odd), .below_o(last_below)
  );

  assign over_o  = over_q + {{(OVER_W-WARP_W){1'b0}}, warps_i};
  assign below_o = average_i ? over_o[OVER_W-1] : last_below || (|bound[OVER_W-2:WARP_W]);

  always @(posedge clk_i) begin : p_count
    if (rst_i || clear_i) over_q <= start;
    else if (resume_i)    over_q <= resume_over_i;
    else                  over_q <= over_o;
  end
endmodule

`default_nettype wire
