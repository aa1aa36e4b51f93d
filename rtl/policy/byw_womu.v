// SPDX-License-Identifier: Apache-2.0
//
// byw_womu - WOMU, the warp occupancy monitor of the two-level bypass.
//
// Behaviour   The active warps of each cycle are added to a sum.  below_o compares it, this cycle's
//             included, with bound_i, without a division: 256 sum < limit whole cycles (average_i),
//             or the warps of this cycle, 256 last < limit whole.  The right side is a constant of
//             the configuration, so there is no multiplier.  Equality is not below.  Outside a
//             sampling window clear_i or resume_i comes in every cycle, and nothing that is said
//             means anything.
// Paper       001; MECHANISMS 3.3; rtl/doc/womu.md.
// C twin      cmodel/policy/byw_womu.c; checked by verif/policy/lockstep_womu.c.
// Reset       rst_i or clear_i: nothing counted.
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
  input  wire [22:0] resume_sum_i, // its sum_o when it was held
  input  wire [6:0]  warps_i,     // 0..64: active in this cycle

  output wire        below_o,
  output wire [22:0] sum_o        // this cycle's included
);
  localparam integer SUM_W  = 23;
  localparam integer WARP_W = 7;

  reg  [SUM_W-1:0]  sum_q;

  // The value's low byte would be 0: of equals it is below if the bound's is not.
  wire [SUM_W-1:0]  bound = bound_i[30:8];
  wire              odd   = |bound_i[7:0];
  wire              sum_below, last_below;

  byw_below #(.W(SUM_W)) u_sum_below (
    .a_i(sum_o), .b_i(bound), .equal_i(odd), .below_o(sum_below)
  );
  byw_below #(.W(WARP_W)) u_last_below (
    .a_i(warps_i), .b_i(bound[WARP_W-1:0]), .equal_i(odd), .below_o(last_below)
  );

  assign sum_o   = sum_q + {{(SUM_W-WARP_W){1'b0}}, warps_i};
  assign below_o = average_i ? sum_below : last_below || (|bound[SUM_W-1:WARP_W]);

  always @(posedge clk_i) begin : p_count
    if (rst_i || clear_i) sum_q <= {SUM_W{1'b0}};
    else if (resume_i)    sum_q <= resume_sum_i;
    else                  sum_q <= sum_o;
  end
endmodule

`default_nettype wire
