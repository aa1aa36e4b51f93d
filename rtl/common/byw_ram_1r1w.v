// SPDX-License-Identifier: Apache-2.0
//
// byw_ram_1r1w - the RAM that every unit uses: one read port, one write port, one clock.
//
// Behaviour   rd_data_o holds the word of rd_addr_i one cycle after rd_en_i, until the next read.
//             A write changes only the lanes in wr_lane_i.  A lane read and written in the same
//             cycle reads as undefined: the user must forward.  In lock step such lanes are random,
//             so a missing forward fails the test.
// Reset       none; the contents are undefined until written.
// C twin      the arrays of cmodel/model/l1d; exercised by every unit that has a memory.
//
// Parameter   Default  Range      Meaning
// DEPTH       32       1..65536   words
// LANES       1        1..256     write lanes per word; above 32, a multiple of 32
// LANE_W      32       1..4096    width of a lane, bits
// BLOCK       0        0, 1       1: ask for block RAM even if the memory is shallow
// ADDR_W      $clog2(DEPTH), at least 1
//
`default_nettype none
`include "byw_assert.vh"

module byw_ram_1r1w #(
  parameter integer DEPTH  = 32,
  parameter integer LANES  = 1,
  parameter integer LANE_W = 32,
  parameter integer BLOCK  = 0,
  parameter integer ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  wire                    clk_i,

  input  wire                    rd_en_i,
  input  wire [ADDR_W-1:0]       rd_addr_i,
  output wire [LANES*LANE_W-1:0] rd_data_o,

  input  wire                    wr_en_i,
  input  wire [ADDR_W-1:0]       wr_addr_i,
  input  wire [LANES-1:0]        wr_lane_i,
  input  wire [LANES*LANE_W-1:0] wr_data_i
);
  // Groups of at most 32 lanes, because Verilator does not unroll longer lane loops.
  localparam integer GROUP  = (LANES > 32) ? 32 : LANES;
  localparam integer GROUPS = LANES / GROUP;
  localparam integer WORD_W = GROUP * LANE_W;

  wire   same_word = wr_en_i && (wr_addr_i == rd_addr_i);
  genvar g;

  generate
    if (GROUPS * GROUP != LANES) begin : gen_check_lanes
      byw_ram_1r1w_LANES_above_32_must_be_a_multiple_of_32 u_error ();
    end
    if ((BLOCK != 0) && (BLOCK != 1)) begin : gen_check_block
      byw_ram_1r1w_BLOCK_must_be_0_or_1 u_error ();
    end
    for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
      (* ram_style = BLOCK ? "block" : "auto" *)
      reg  [WORD_W-1:0] mem_q [0:DEPTH-1];
      reg  [WORD_W-1:0] rd_data_q;
      wire [GROUP-1:0]  lane = wr_lane_i[g*GROUP +: GROUP];
      wire [WORD_W-1:0] data = wr_data_i[g*WORD_W +: WORD_W];
      integer           i, j;

      assign rd_data_o[g*WORD_W +: WORD_W] = rd_data_q;

      always @(posedge clk_i) begin : p_write
        if (wr_en_i)
          for (i = 0; i < GROUP; i = i + 1)
            if (lane[i]) mem_q[wr_addr_i][i*LANE_W +: LANE_W] <= data[i*LANE_W +: LANE_W];
      end

      // Undefined per lane, which is what block RAM guarantees; no bypass logic is inferred.
      always @(posedge clk_i) begin : p_read
        if (rd_en_i) begin
          rd_data_q <= mem_q[rd_addr_i];
          for (j = 0; j < GROUP; j = j + 1)
            if (same_word && lane[j]) rd_data_q[j*LANE_W +: LANE_W] <= {LANE_W{1'bx}};
        end
      end
    end
  endgenerate

`ifdef BYW_CHECKED
  reg was_read = 1'b1;                           // a word was read in the cycle before; true before
                                                 // the first edge
  reg parity_q;

  always @(posedge clk_i) begin : p_last
    was_read <= rd_en_i;
    parity_q <= ^rd_data_o;
  end
`endif
  `BYW_HOLDS(word_stays_until_the_next_read, !was_read, ^rd_data_o == parity_q)
endmodule

`default_nettype wire
