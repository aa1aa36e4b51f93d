// SPDX-License-Identifier: Apache-2.0
//
// byw_mrmu - MRMU, the miss rate monitor of the two-level bypass.
//
// Behaviour   In a sampling window, at most 65535 cycles, an accepted load that does not bypass is
//             an access, and a miss if it misses or, with pending_is_miss_i, waits for a fill.
//             code_o, in the cycle behind a window, judges it: few accesses, else low, high or
//             between; at exactly low or high the rate is between.  Accesses - few, 256 misses -
//             low accesses and 256 misses - high accesses - 1 are kept up to date load by load:
//             their signs are the verdict, with neither divider nor multiplier nor a comparison.
//             Each kernel's stand in an entry of their own, so that a held window needs nothing;
//             outside windows the entry is made what a new one begins with, unless held_i.
// Paper       001; MECHANISMS 3.3; rtl/doc/mrmu.md.
// C twin      cmodel/policy/byw_mrmu.c; checked by verif/policy/lockstep_mrmu.c.
// Reset       None: one cycle outside a window comes before each.  low_i, high_i and few_i may
//             change only there.
//
`default_nettype none

module byw_mrmu (
  input  wire        clk_i,

  // settings
  input  wire [8:0]  low_i,               // 1/256, 0..256
  input  wire [8:0]  high_i,              // 1/256, 0..256
  input  wire [15:0] few_i,               // windows with fewer accesses are few
  input  wire        pending_is_miss_i,

  input  wire [2:0]  slot_i,              // the running kernel's entry; stays in windows and
                                          // behind them
  input  wire        window_i,            // a cycle of a window
  input  wire        held_i,              // outside: the entry's goes on, if one begins

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

  // What an access takes off, low - 256 of a miss and low of a hit, has the same low byte, and
  // above it only the sign: it is made without an adder.
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
endmodule

`default_nettype wire
