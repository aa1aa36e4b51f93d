// SPDX-License-Identifier: Apache-2.0
//
// byw_soc_ram - a block RAM behind an AXI4 slave port: one transaction at a time, INCR bursts.
//
// Behaviour   A write is answered after its last beat; a read delivers a beat every two cycles.
//             Addresses wrap at the size of the RAM.
// Reset       rst_i: no transaction; the RAM keeps its contents.
//
// Parameter   Default  Range   Meaning
// WORDS_W     11       1..     log2 of the number of 64-bit words
// ADDR_W, ID_W  20, 3          widths of the bus
//
`default_nettype none

module byw_soc_ram #(
  parameter integer WORDS_W = 11,
  parameter integer ADDR_W  = 20,
  parameter integer ID_W    = 3
) (
  input  wire              clk_i,
  input  wire              rst_i,
  input  wire              axi_awvalid_i,
  output wire              axi_awready_o,
  input  wire [ID_W-1:0]   axi_awid_i,
  input  wire [ADDR_W-1:0] axi_awaddr_i,
  input  wire              axi_wvalid_i,
  output wire              axi_wready_o,
  input  wire [63:0]       axi_wdata_i,
  input  wire [7:0]        axi_wstrb_i,
  input  wire              axi_wlast_i,
  output wire              axi_bvalid_o,
  input  wire              axi_bready_i,
  output wire [ID_W-1:0]   axi_bid_o,
  input  wire              axi_arvalid_i,
  output wire              axi_arready_o,
  input  wire [ID_W-1:0]   axi_arid_i,
  input  wire [ADDR_W-1:0] axi_araddr_i,
  input  wire [7:0]        axi_arlen_i,
  output wire              axi_rvalid_o,
  input  wire              axi_rready_i,
  output wire [ID_W-1:0]   axi_rid_o,
  output wire [63:0]       axi_rdata_o,
  output wire              axi_rlast_o
);
  localparam [2:0] IDLE = 3'd0, WRITE = 3'd1, ANSWER = 3'd2, READ = 3'd3, SHOW = 3'd4;

  reg  [2:0]         state_q;
  reg  [WORDS_W-1:0] at_q;
  reg  [7:0]         left_q;
  reg  [ID_W-1:0]    id_q;
  reg  [63:0]        mem_q [0:(1<<WORDS_W)-1];
  reg  [63:0]        data_q;
  wire               writes = axi_wvalid_i && axi_wready_o;
  integer            i;

  assign axi_awready_o = state_q == IDLE;
  assign axi_arready_o = (state_q == IDLE) && !axi_awvalid_i;
  assign axi_wready_o  = state_q == WRITE;
  assign axi_bvalid_o  = state_q == ANSWER;
  assign axi_rvalid_o  = state_q == SHOW;
  assign axi_rlast_o   = left_q == 8'd0;
  assign axi_rdata_o   = data_q;
  assign {axi_bid_o, axi_rid_o} = {id_q, id_q};

  always @(posedge clk_i) begin : p_ram
    if (writes)
      for (i = 0; i < 8; i = i + 1)
        if (axi_wstrb_i[i]) mem_q[at_q][i*8 +: 8] <= axi_wdata_i[i*8 +: 8];
    data_q <= mem_q[at_q];
  end

  always @(posedge clk_i) begin : p_state
    case (state_q)
      IDLE: begin
        left_q <= axi_arlen_i;
        if (axi_awvalid_i) begin
          {id_q, at_q} <= {axi_awid_i, axi_awaddr_i[3 +: WORDS_W]};
          state_q      <= WRITE;
        end else if (axi_arvalid_i) begin
          {id_q, at_q} <= {axi_arid_i, axi_araddr_i[3 +: WORDS_W]};
          state_q      <= READ;
        end
      end
      WRITE: if (writes) begin
        at_q <= at_q + 1'b1;
        if (axi_wlast_i) state_q <= ANSWER;
      end
      ANSWER: if (axi_bready_i) state_q <= IDLE;
      READ: state_q <= SHOW;                         // the RAM shows the word afterwards
      default: if (axi_rready_i) begin
        at_q    <= at_q + 1'b1;
        left_q  <= left_q - 8'd1;
        state_q <= axi_rlast_o ? IDLE : READ;
      end
    endcase
    if (rst_i) state_q <= IDLE;
  end

  wire unused = &{1'b0, axi_awaddr_i, axi_araddr_i};
endmodule

`default_nettype wire
