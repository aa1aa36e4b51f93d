// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_pipe - the requests in s1 and s2 of the L1D.
//
// Behaviour   take_i brings a request into s1, move_i the one of s1 (or none) into s2; both in one
//             cycle is a full pipeline.  Set, key and record of a request travel in byw_tag_store.
// Paper       rtl/doc/l1d.md, l1d_pipeline.md.
// C twin      struct byw_l1d_pipe of cmodel/l1d/byw_l1d_state.h; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       rst_i: both stages empty.
//
// Parameters as in byw_l1d.
//
`default_nettype none
`include "byw_widths.vh"

module byw_l1d_pipe #(
  parameter integer LINE_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer LINE_W     = 33,
  parameter integer ID_W       = 16,
  parameter integer PC_W       = 32
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // the request taken
  input  wire                    take_i,
  input  wire [2:0]              op_i,              // BYW_OP_*
  input  wire [2:0]              hint_i,            // BYW_HINT_*
  input  wire [LINE_W-1:0]       line_i,
  input  wire [LINE_BYTES-1:0]   bytes_i,
  input  wire [LINE_BYTES*8-1:0] data_i,
  input  wire [PC_W-1:0]         pc_i,
  input  wire [ID_W-1:0]         id_i,
  input  wire                    bypass_i,          // taken in bypass mode
  input  wire                    blind_i,           // decided without the tags

  // s1
  input  wire                    move_i,            // it goes into s2
  output reg                     s1_valid_o,
  output reg  [2:0]              s1_op_o,

  // s2
  output reg                     s2_valid_o,
  output reg  [2:0]              s2_op_o,
  output reg  [2:0]              s2_hint_o,
  output reg  [LINE_W-1:0]       s2_line_o,
  output reg  [LINE_BYTES-1:0]   s2_bytes_o,
  output reg  [LINE_BYTES*8-1:0] s2_data_o,
  output reg  [PC_W-1:0]         s2_pc_o,
  output reg  [ID_W-1:0]         s2_id_o,
  output reg                     s2_bypass_o,
  output reg                     s2_blind_o
);
  reg [2:0]              s1_hint_q;
  reg [LINE_W-1:0]       s1_line_q;
  reg [LINE_BYTES-1:0]   s1_bytes_q;
  reg [LINE_BYTES*8-1:0] s1_data_q;
  reg [PC_W-1:0]         s1_pc_q;
  reg [ID_W-1:0]         s1_id_q;
  reg                    s1_bypass_q;
  reg                    s1_blind_q;

  always @(posedge clk_i) begin : p_valid
    if (rst_i) begin
      s1_valid_o <= 1'b0;
      s2_valid_o <= 1'b0;
    end else begin
      s1_valid_o <= take_i || (s1_valid_o && !move_i);
      if (move_i) s2_valid_o <= s1_valid_o;
    end
  end

  always @(posedge clk_i) begin : p_requests
    if (take_i) begin
      s1_op_o     <= op_i;
      s1_hint_q   <= hint_i;
      s1_line_q   <= line_i;
      s1_bytes_q  <= bytes_i;
      s1_data_q   <= data_i;
      s1_pc_q     <= pc_i;
      s1_id_q     <= id_i;
      s1_bypass_q <= bypass_i;
      s1_blind_q  <= blind_i;
    end
    if (move_i) begin
      s2_op_o     <= s1_op_o;
      s2_hint_o   <= s1_hint_q;
      s2_line_o   <= s1_line_q;
      s2_bytes_o  <= s1_bytes_q;
      s2_data_o   <= s1_data_q;
      s2_pc_o     <= s1_pc_q;
      s2_id_o     <= s1_id_q;
      s2_bypass_o <= s1_bypass_q;
      s2_blind_o  <= s1_blind_q;
    end
  end
endmodule

`default_nettype wire
