// SPDX-License-Identifier: Apache-2.0
//
// byw_protection_rule - which lines of a set are protected, which may be evicted, and how an
//                       accepted load changes their distances.
//
// Behaviour   Each way has a remaining distance, in steps of STEP loads to the set.  full_o: no way
//             is free, and no filled way has distance 0.  spare_o: the filled ways with the
//             smallest distance.  After a load the line used gets distance STEPS.  At the end of a
//             step all distances decrease by one.  A newly placed line gets distance STEPS.
//             Combinational.
// Paper       PDP, compared in 000; mechanisms/comparators.md 2.4, mechanisms/across.md 13.1;
//             rtl/doc/protection.md.
// C twin      cmodel/model/comparator/byw_protection.c; checked by verif/formal/prove_protection.c
//             and verif/policy/lockstep_protection.c.
//
// Parameter   Default  Range    Meaning
// WAYS        4        1..64    data ways
// STEPS       3        0..255   protection distance, steps
// STEP        16       1..256   loads per step
// WAY_IW, DIST_W, SINCE_W       derived, must not be set
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_protection_rule #(
  parameter integer WAYS    = `BYW_DEFAULT_DATA_WAYS,
  parameter integer STEPS   = `BYW_DEFAULT_TRIAL_DISTANCE / `BYW_DEFAULT_TRIAL_STEP,
  parameter integer STEP    = `BYW_DEFAULT_TRIAL_STEP,
  parameter integer WAY_IW  = (WAYS > 1) ? $clog2(WAYS) : 1,
  parameter integer DIST_W  = (STEPS > 0) ? $clog2(STEPS + 1) : 1,
  parameter integer SINCE_W = (STEP > 1) ? $clog2(STEP) : 1
) (
  // the set
  input  wire [WAYS*DIST_W-1:0] dist_i,
  input  wire [SINCE_W-1:0]     since_i,       // loads in this step so far
  input  wire [WAYS-1:0]        used_i,
  input  wire [WAYS-1:0]        pending_i,     // the line's fill is in flight
  output wire                   full_o,
  output wire [WAYS-1:0]        spare_o,

  // the load
  input  wire                   use_i,         // hits in way_i
  input  wire                   place_i,       // allocates way_i
  input  wire [WAY_IW-1:0]      way_i,
  output wire [WAYS*DIST_W-1:0] dist_o,
  output wire [SINCE_W-1:0]     since_o
);
  localparam [DIST_W-1:0]  NEW    = STEPS[DIST_W-1:0];
  localparam integer       LAST_N = STEP - 1;
  localparam [SINCE_W-1:0] LAST   = LAST_N[SINCE_W-1:0];
  localparam [WAYS-1:0]    ONE    = 1;

  wire [WAYS-1:0] hot   = ONE << way_i;
  wire [WAYS-1:0] held;
  wire            steps = since_i == LAST;
  reg  [WAYS-1:0] least, zeros;
  genvar          g;

  assign full_o  = &held;
  assign spare_o = least;
  assign since_o = steps ? {SINCE_W{1'b0}} : since_i + {{(SINCE_W-1){1'b0}}, 1'b1};

  // ---- the smallest distance, from the highest bit down: ways with a 1 drop out if another has a
  // 0
  integer i, j;

  always @* begin : p_least
    least = used_i & ~pending_i;
    zeros = least;
    for (i = DIST_W - 1; i >= 0; i = i - 1) begin
      for (j = 0; j < WAYS; j = j + 1) zeros[j] = least[j] && !dist_i[j*DIST_W + i];
      if (|zeros) least = zeros;
    end
  end

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      wire [DIST_W-1:0] gap = dist_i[g*DIST_W +: DIST_W];
      wire [DIST_W-1:0] used = (use_i && hot[g]) ? NEW : gap;
      wire [DIST_W-1:0] aged = used - {{(DIST_W-1){1'b0}}, steps && (|used)};
      assign held[g] = used_i[g] && (pending_i[g] || (|gap));
      assign dist_o[g*DIST_W +: DIST_W] = (place_i && hot[g]) ? NEW : aged;
    end
  endgenerate

  `BYW_HOLDS(spare_line_is_filled, 1'b1, (spare_o & ~(used_i & ~pending_i)) == {WAYS{1'b0}})
  `BYW_HOLDS(filled_set_has_a_spare_line, |(used_i & ~pending_i), |spare_o)
  `BYW_HOLDS(full_set_has_no_free_way, full_o, &used_i)
endmodule

`default_nettype wire
