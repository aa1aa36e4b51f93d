// SPDX-License-Identifier: Apache-2.0
//
// byw_mrmu - MRMU, the miss rate monitor of the two-level bypass.
//
// Behaviour   In a sampling window, at most 65535 cycles, an accepted load that does not bypass is
//             an access, and a miss if it misses or, with pending_is_miss_i, waits for a fill.
//             code_o judges the window, this cycle included: few accesses, else low, high or
//             between; at exactly low or high the rate is between.  Accesses - few, 256 misses -
//             low accesses and 256 misses - high accesses - 1 are kept up to date load by load:
//             their signs are the verdict, with neither divider nor multiplier nor a comparison.
//             Outside a window clear_i, which has priority, or resume_i comes in every cycle, and
//             nothing that is said means anything.
// Paper       001; MECHANISMS 3.3; rtl/doc/mrmu.md.
// C twin      cmodel/policy/byw_mrmu.c; checked by verif/policy/lockstep_mrmu.c.
// Reset       rst_i or clear_i: nothing counted.  low_i, high_i and few_i may change only together
//             with one of them.
//
`default_nettype none

module byw_mrmu (
  input  wire        clk_i,
  input  wire        rst_i,

  // settings
  input  wire [8:0]  low_i,               // 1/256, 0..256
  input  wire [8:0]  high_i,              // 1/256, 0..256
  input  wire [15:0] few_i,               // windows with fewer accesses are few
  input  wire        pending_is_miss_i,

  input  wire        clear_i,             // a window begins with the next cycle
  input  wire        resume_i,            // a held one goes on with it
  input  wire [66:0] resume_state_i,      // its state_o when it was held

  // event pulses of this cycle
  input  wire        load_i,
  input  wire        miss_i,
  input  wire        hit_pending_i,
  input  wire        bypass_i,

  output wire [1:0]  code_o,              // BYW_MRMU_*
  output wire [66:0] state_o              // what a held window needs, this cycle included:
                                          // {accesses - few, over low, over high - 1}, signed
);
  `include "byw_defs.vh"

  localparam integer SPARE_W = 17;            // signed: -65535 .. 65535
  localparam integer OVER_W  = 25;            // signed: -256 accesses - 1 .. 256 accesses

  reg  signed [SPARE_W-1:0] spare_q;          // accesses - few
  reg  signed [OVER_W-1:0]  over_low_q;       // 256 misses - low accesses
  reg  signed [OVER_W-1:0]  over_high_q;      // 256 misses - high accesses - 1

  wire access = load_i && !bypass_i;
  wire miss   = miss_i || (hit_pending_i && pending_is_miss_i);

  // low - 256 of a miss and low of a hit have the same low byte, and above it only the sign: what
  // an access takes off is made without an adder, and is 0 without one.
  wire                     low_sign  = access && miss && !low_i[8];
  wire                     high_sign = access && miss && !high_i[8];
  wire signed [OVER_W-1:0] less_low  = {{(OVER_W-9){low_sign}}, access && (miss != low_i[8]),
                                        low_i[7:0] & {8{access}}};
  wire signed [OVER_W-1:0] less_high = {{(OVER_W-9){high_sign}}, access && (miss != high_i[8]),
                                        high_i[7:0] & {8{access}}};
  wire signed [OVER_W-1:0] over_low  = over_low_q - less_low;
  wire signed [OVER_W-1:0] over_high = over_high_q - less_high;

  wire signed [SPARE_W-1:0] spare     = spare_q + {{(SPARE_W-1){1'b0}}, access};

  assign state_o = {spare, over_low, over_high};
  assign code_o  = spare[SPARE_W-1]     ? BYW_MRMU_FEW
                 : over_low[OVER_W-1]   ? BYW_MRMU_LOW
                 : !over_high[OVER_W-1] ? BYW_MRMU_HIGH
                                        : BYW_MRMU_BETWEEN;

  always @(posedge clk_i) begin : p_count
    if (rst_i || clear_i) begin
      spare_q     <= -{1'b0, few_i};
      over_low_q  <= {OVER_W{1'b0}};
      over_high_q <= {OVER_W{1'b1}};
    end else if (resume_i) begin
      {spare_q, over_low_q, over_high_q} <= resume_state_i;
    end else begin
      spare_q     <= spare;
      over_low_q  <= over_low;
      over_high_q <= over_high;
    end
  end
endmodule

`default_nettype wire
