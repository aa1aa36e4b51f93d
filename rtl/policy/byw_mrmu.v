// SPDX-License-Identifier: Apache-2.0
//
// byw_mrmu - MRMU, the miss rate monitor of the two-level bypass.
//
// Behaviour   In a sampling window (at most 65535 cycles) each accepted load that does not bypass
//             is an access.  It is a miss if it misses or, with pending_is_miss_i, waits for a
//             fill.  In the cycle after the window code_o is the verdict: few accesses, otherwise a
//             rate below low, above high, or between.  A rate of exactly low or high counts as
//             between.  Three sums are updated per load: accesses - few, 256 misses - low accesses,
//             and 256 misses - high accesses - 1.  Their signs are the verdict, which needs no
//             divider, multiplier or comparator.  Each kernel has its own table entry, so a
//             suspended window keeps its sums.  Outside windows the entry is set to its initial
//             values, unless held_i.
// Paper       001; mechanisms/two_level.md 3.3; rtl/doc/mrmu.md.
// C twin      cmodel/model/policy/byw_mrmu.c; checked by verif/policy/lockstep_mrmu.c.
// Reset       None: at least one cycle outside a window precedes each window.  low_i, high_i and
//             few_i may change only there.
//
`default_nettype none
`include "byw_assert.vh"

module byw_mrmu (
  input  wire        clk_i,

  // settings
  input  wire [8:0]  low_i,               // 1/256, 0..256
  input  wire [8:0]  high_i,              // 1/256, 0..256
  input  wire [15:0] few_i,               // a window with fewer accesses is "few"
  input  wire        pending_is_miss_i,

  input  wire [2:0]  slot_i,              // entry of the running kernel; see byw_bdu
  input  wire        window_i,            // this cycle is in a window
  input  wire        held_i,              // outside: the entry holds a suspended window

  // event pulses of this cycle
  input  wire        load_i,
  input  wire        miss_i,
  input  wire        hit_pending_i,
  input  wire        bypass_i,

  output wire [1:0]  code_o               // BYW_MRMU_*
);
  `include "byw_defs.vh"

  localparam integer TABLE   = 8;
  localparam integer SPARE_W = 17;            // signed: -65536 .. 65534
  localparam integer OVER_W  = 25;            // signed: -256 accesses - 1 .. 256 accesses

  reg  [SPARE_W-1:0] spare_q [0:TABLE-1];     // accesses - few - 1: -x is ~x + 1
  reg  [OVER_W-1:0]  over_low_q [0:TABLE-1];  // 256 misses - low accesses
  reg  [OVER_W-1:0]  over_high_q [0:TABLE-1]; // 256 misses - high accesses - 1

  wire [SPARE_W-1:0] spare     = spare_q[slot_i];
  wire [OVER_W-1:0]  over_low  = over_low_q[slot_i];
  wire [OVER_W-1:0]  over_high = over_high_q[slot_i];

  wire access = load_i && !bypass_i;
  wire miss   = miss_i || (hit_pending_i && pending_is_miss_i);

  // The subtrahend of an access is low - 256 for a miss and low for a hit: the same low byte, and
  // above it only sign bits.  It needs no adder.
  wire              low_sign  = miss && !low_i[8];
  wire              high_sign = miss && !high_i[8];
  wire [OVER_W-1:0] less_low  = {{(OVER_W-9){low_sign}}, miss != low_i[8], low_i[7:0]};
  wire [OVER_W-1:0] less_high = {{(OVER_W-9){high_sign}}, miss != high_i[8], high_i[7:0]};

  assign code_o = (spare[SPARE_W-1] && !(&spare[SPARE_W-2:0])) ? BYW_MRMU_FEW
                : over_low[OVER_W-1]                           ? BYW_MRMU_LOW
                : !over_high[OVER_W-1]                         ? BYW_MRMU_HIGH
                                                               : BYW_MRMU_BETWEEN;

  always @(posedge clk_i) begin : p_count
    if (window_i ? access : !held_i) begin
      spare_q[slot_i]     <= window_i ? spare + 1'b1 : {1'b1, ~few_i};
      over_low_q[slot_i]  <= window_i ? over_low - less_low : {OVER_W{1'b0}};
      over_high_q[slot_i] <= window_i ? over_high - less_high : {OVER_W{1'b1}};
    end
  end

`ifdef BYW_CHECKED
  reg       new_q = 1'b0;
  reg       any_q;                               // a window may have too few accesses
  reg [2:0] new_slot_q;
  reg       kept_q = 1'b0;                       // nothing to count, or a window was suspended
  reg [SPARE_W+2*OVER_W-1:0] kept_sums_q;

  always @(posedge clk_i) begin : p_new
    new_q      <= !window_i && !held_i;
    any_q      <= |few_i;
    new_slot_q <= slot_i;
    kept_q      <= window_i ? !access : held_i;
    kept_sums_q <= {spare, over_low, over_high};
  end
`endif
  `BYW_HOLDS(empty_window_has_few_accesses, new_q && any_q && (slot_i == new_slot_q),
             code_o == BYW_MRMU_FEW)
  `BYW_HOLDS(only_an_access_counts, kept_q && (slot_i == new_slot_q),
             {spare, over_low, over_high} == kept_sums_q)
endmodule

`default_nettype wire
