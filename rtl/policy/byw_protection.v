// SPDX-License-Identifier: Apache-2.0
//
// byw_protection - the protection distances of the lines of all sets.
//
// Behaviour   One RAM word per set.  The word is read when next_i moves a request of next_set_i to
//             the decision point, and held until the next one.  load_i, the acceptance of a load of
//             that set, writes it.  After clear_i the first load of a set finds all distances 0.
// Paper       PDP, compared in 000; mechanisms/comparators.md 2.4, mechanisms/across.md 13.1;
//             rtl/doc/protection.md.
// C twin      cmodel/model/comparator/byw_protection.c; checked by
//             verif/policy/lockstep_protection.c.
// Reset       same as clear_i.  The RAM keeps its contents.
//
// Parameter   Default  Range      Meaning
// SETS        32       1..4096    sets
// The others as in byw_protection_rule.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_protection #(
  parameter integer SETS   = `BYW_DEFAULT_SETS,
  parameter integer WAYS   = `BYW_DEFAULT_DATA_WAYS,
  parameter integer STEPS  = `BYW_DEFAULT_TRIAL_DISTANCE / `BYW_DEFAULT_TRIAL_STEP,
  parameter integer STEP   = `BYW_DEFAULT_TRIAL_STEP,
  parameter integer SET_IW = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW = (WAYS > 1) ? $clog2(WAYS) : 1
) (
  input  wire              clk_i,
  input  wire              clear_i,        // drops all lines

  // the request that reaches the decision point in the next cycle
  input  wire              next_i,
  input  wire [SET_IW-1:0] next_set_i,

  // the request at the decision point
  input  wire [SET_IW-1:0] set_i,
  input  wire [WAYS-1:0]   used_i,         // ways of its set, see byw_protection_rule
  input  wire [WAYS-1:0]   pending_i,
  output wire              full_o,
  output wire [WAYS-1:0]   spare_o,
  input  wire              load_i,         // the request is an accepted load
  input  wire              use_i,
  input  wire              place_i,
  input  wire [WAY_IW-1:0] way_i
);
  generate
    if ((STEPS < 0) || (STEPS > 255)) begin : gen_check_steps
      byw_protection_STEPS_must_be_0_to_255 u_error ();
    end
    if ((STEP < 1) || (STEP > 256)) begin : gen_check_step
      byw_protection_STEP_must_be_1_to_256 u_error ();
    end
  endgenerate

  localparam integer DIST_W  = (STEPS > 0) ? $clog2(STEPS + 1) : 1;
  localparam integer SINCE_W = (STEP > 1) ? $clog2(STEP) : 1;
  localparam integer WORD_W  = WAYS*DIST_W + SINCE_W;

  reg  [SETS-1:0]   live_q;                // the word of the set is valid
  reg               kept_q;                // the word was written in the cycle of its read
  reg  [WORD_W-1:0] word_q;
  wire [WORD_W-1:0] read, word, word_next;
  wire [SETS-1:0]   live = live_q >> set_i;

  assign word = !live[0] ? {WORD_W{1'b0}} : kept_q ? word_q : read;

  byw_ram_1r1w #(.DEPTH(SETS), .LANES(1), .LANE_W(WORD_W)) u_words (
    .clk_i(clk_i), .rd_en_i(next_i), .rd_addr_i(next_set_i), .rd_data_o(read),
    .wr_en_i(load_i), .wr_addr_i(set_i), .wr_lane_i(1'b1), .wr_data_i(word_next)
  );

  byw_protection_rule #(.WAYS(WAYS), .STEPS(STEPS), .STEP(STEP)) u_rule (
    // the set
    .dist_i(word[WORD_W-1:SINCE_W]),
    .since_i(word[SINCE_W-1:0]),
    .used_i(used_i),
    .pending_i(pending_i),
    .full_o(full_o),
    .spare_o(spare_o),

    // the load
    .use_i(use_i),
    .place_i(place_i),
    .way_i(way_i),
    .dist_o(word_next[WORD_W-1:SINCE_W]),
    .since_o(word_next[SINCE_W-1:0])
  );

  localparam [SETS-1:0] ONE = 1;

  always @(posedge clk_i) begin : p_live
    if (clear_i)     live_q <= {SETS{1'b0}};
    else if (load_i) live_q <= live_q | (ONE << set_i);
  end

  always @(posedge clk_i) begin : p_kept
    if (next_i) begin
      kept_q <= load_i && (set_i == next_set_i);
      word_q <= word_next;
    end
  end

  wire unused_ok = &{1'b0, live};

`ifdef BYW_CHECKED
  reg              loaded_q = 1'b0, cleared_q = 1'b0;
  reg [SET_IW-1:0] loaded_set_q;

  always @(posedge clk_i) begin : p_before
    loaded_q     <= load_i && !clear_i;
    loaded_set_q <= set_i;
    cleared_q    <= clear_i;
  end
`endif
  `BYW_HOLDS(loaded_set_is_live, loaded_q && (loaded_set_q < SETS), live_q[loaded_set_q])
  `BYW_HOLDS(no_set_is_live_after_a_clear, cleared_q, live_q == {SETS{1'b0}})
endmodule

`default_nettype wire
