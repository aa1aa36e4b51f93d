// SPDX-License-Identifier: Apache-2.0
//
// byw_ram_1r1w - the one memory of the project: one read port, one write port, one clock.
//
// Behaviour   rd_data_o is the word of rd_addr_i one cycle after rd_en_i and stays until the next
//             read.  A read of the word written in the same cycle returns an undefined value: the
//             user forwards, which lock-step proves because Verilator then returns random bits.
//             A write changes the lanes of wr_lane_i only.
// Reset       none; the contents are undefined until written.
// C twin      the arrays of cmodel/l1d; exercised by every unit that has a memory.
//
// Parameter   Default  Range      Meaning
// DEPTH       32       1..65536   words
// LANES       1        1..256     write lanes of a word
// LANE_W      32       1..4096    bits of a lane
// ADDR_W      $clog2(DEPTH), at least 1
//
`default_nettype none

module byw_ram_1r1w #(
  parameter integer DEPTH  = 32,
  parameter integer LANES  = 1,
  parameter integer LANE_W = 32,
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
  reg [LANES*LANE_W-1:0] mem_q [0:DEPTH-1];
  reg [LANES*LANE_W-1:0] rd_data_q;
  integer                i;

  assign rd_data_o = rd_data_q;

  always @(posedge clk_i) begin : p_write
    for (i = 0; i < LANES; i = i + 1)
      if (wr_en_i && wr_lane_i[i])
        mem_q[wr_addr_i][i*LANE_W +: LANE_W] <= wr_data_i[i*LANE_W +: LANE_W];
  end

  always @(posedge clk_i) begin : p_read
    if (rd_en_i) begin
      if (wr_en_i && (wr_addr_i == rd_addr_i)) rd_data_q <= {LANES*LANE_W{1'bx}};
      else rd_data_q <= mem_q[rd_addr_i];
    end
  end
endmodule

`default_nettype wire
