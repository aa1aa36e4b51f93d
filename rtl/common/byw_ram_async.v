// SPDX-License-Identifier: Apache-2.0
//
// byw_ram_async - the small RAM that is read in the cycle of the address: one write port, any
//                 number of read ports, one clock.
//
// Behaviour   rd_data_o holds, for each read port, the word of its address before a write of this
//             cycle.  On an ASIC, replace it by a register file; on an FPGA it is LUT RAM.
// Reset       none; the contents are undefined until written.
// C twin      the arrays of cmodel/model/l1d; exercised by every unit that has a memory.
//
// Parameter   Default  Range      Meaning
// DEPTH       32       1..65536   words
// WIDTH       1        1..4096    bits of a word
// READS       1        1..        read ports
// ADDR_W      $clog2(DEPTH), at least 1
//
`default_nettype none
`include "byw_assert.vh"

module byw_ram_async #(
  parameter integer DEPTH  = 32,
  parameter integer WIDTH  = 1,
  parameter integer READS  = 1,
  parameter integer ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  wire                    clk_i,
  input  wire [READS*ADDR_W-1:0] rd_addr_i,
  output wire [READS*WIDTH-1:0]  rd_data_o,
  input  wire                    wr_en_i,
  input  wire [ADDR_W-1:0]       wr_addr_i,
  input  wire [WIDTH-1:0]        wr_data_i
);
  reg    [WIDTH-1:0] mem_q [0:DEPTH-1];
  genvar g;

  always @(posedge clk_i) begin : p_write
    if (wr_en_i) mem_q[wr_addr_i] <= wr_data_i;
  end

  generate
    for (g = 0; g < READS; g = g + 1) begin : gen_read
      assign rd_data_o[g*WIDTH +: WIDTH] = mem_q[rd_addr_i[g*ADDR_W +: ADDR_W]];
    end
  endgenerate

`ifdef BYW_CHECKED
  reg              written_q = 1'b0;             // a word was written in the cycle before
  reg [ADDR_W-1:0] written_addr_q;
  reg [WIDTH-1:0]  written_data_q;

  always @(posedge clk_i) begin : p_written
    written_q      <= wr_en_i;
    written_addr_q <= wr_addr_i;
    written_data_q <= wr_data_i;
  end
`endif
  // Before a reset an address may be beyond the last word.
  `BYW_HOLDS(word_is_what_was_written,
             written_q && (rd_addr_i[ADDR_W-1:0] == written_addr_q) && (written_addr_q < DEPTH),
             rd_data_o[WIDTH-1:0] == written_data_q)
endmodule

`default_nettype wire
