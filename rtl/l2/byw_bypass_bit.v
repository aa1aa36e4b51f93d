// SPDX-License-Identifier: Apache-2.0
//
// byw_bypass_bit - one bit per L2 line, to verify the bypass predictions of the L1s.
//
// Behaviour   The bits of set rd_set_i are read with the tags of the set.  Until the next read,
//             mispredict_o answers for the access (way_i, found_i, load_i, predicted_i) to that
//             set, which is also on set_i.  accept_i applies the access at the clock edge.  Any
//             number of accesses can follow one read.  The bit of a way is undefined until an
//             access with found_i = 0 allocates a line there.
// Paper       002; mechanisms/pc_pred.md 5.1; rtl/doc/bypass_bit.md.
// C twin      cmodel/model/l2/byw_bypass_bit.h; checked by verif/l2/lockstep_bypass_bit.c.
// Reset       none needed: a bit is never used before it is written.
//
// Parameter   Default  Range      Meaning
// SETS        64       1..65536   sets of one L2 slice
// WAYS        16       1..32      ways of a set
//
`default_nettype none
`include "byw_assert.vh"

module byw_bypass_bit #(
  parameter integer SETS   = 64,
  parameter integer WAYS   = 16,
  parameter integer SET_IW = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW = (WAYS > 1) ? $clog2(WAYS) : 1
) (
  input  wire              clk_i,

  // set to read, one cycle ahead
  input  wire              rd_en_i,
  input  wire [SET_IW-1:0] rd_set_i,

  // the access at the tags
  input  wire [SET_IW-1:0] set_i,
  input  wire [WAY_IW-1:0] way_i,
  input  wire              found_i,        // the line is present or in flight
  input  wire              load_i,         // global or local read
  input  wire              predicted_i,    // bypassed by the predictor of an L1
  input  wire              accept_i,
  output wire              mispredict_o    // tells the L1 that the bypass was wrong
);
  generate
    if ((WAYS < 1) || (WAYS > 32)) begin : gen_check_ways
      byw_bypass_bit_WAYS_must_be_1_to_32 u_error ();
    end
    if ((SETS < 1) || (SETS > 65536)) begin : gen_check_sets
      byw_bypass_bit_SETS_must_be_1_to_65536 u_error ();
    end
  endgenerate

  // Bits written since the set was read; the RAM output does not show them.
  reg  [WAYS-1:0] fresh_q;
  reg  [WAYS-1:0] fresh_bit_q;

  wire [WAYS-1:0] stored;
  wire [WAYS-1:0] bits = (stored & ~fresh_q) | (fresh_bit_q & fresh_q);
  wire [WAYS-1:0] written;
  wire            old_bit, new_bit;
  wire            keep = !rd_en_i || (rd_set_i == set_i);
  genvar          g;

  byw_ram_1r1w #(.DEPTH(SETS), .LANES(WAYS), .LANE_W(1)) u_bits (
    .clk_i(clk_i), .rd_en_i(rd_en_i), .rd_addr_i(rd_set_i), .rd_data_o(stored),
    .wr_en_i(accept_i), .wr_addr_i(set_i), .wr_lane_i(written), .wr_data_i({WAYS{new_bit}})
  );
  byw_mux #(.N(WAYS), .W(1)) u_old (.data_i(bits), .sel_i(way_i), .data_o(old_bit));
  byw_bypass_rule u_rule (
    .bit_i(old_bit), .found_i(found_i), .load_i(load_i), .predicted_i(predicted_i),
    .mispredict_o(mispredict_o), .bit_o(new_bit)
  );

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      localparam [WAY_IW-1:0] NUMBER = g;
      assign written[g] = accept_i && (way_i == NUMBER);
    end
  endgenerate

  always @(posedge clk_i) begin : p_fresh
    fresh_q     <= (rd_en_i ? {WAYS{1'b0}} : fresh_q) | (written & {WAYS{keep}});
    fresh_bit_q <= (fresh_bit_q & ~written) | ({WAYS{new_bit}} & written);
  end

`ifdef BYW_CHECKED
  reg              accepted_q = 1'b0;            // an access, and its set is still the one read
  reg [WAY_IW-1:0] accepted_way_q;
  reg              accepted_bit_q;

  always @(posedge clk_i) begin : p_accepted
    accepted_q     <= accept_i && keep && (way_i < WAYS);
    accepted_way_q <= way_i;
    accepted_bit_q <= new_bit;
  end
`endif
  `BYW_HOLDS(next_access_sees_the_bit, accepted_q, bits[accepted_way_q] == accepted_bit_q)
endmodule

`default_nettype wire
