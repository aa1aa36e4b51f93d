// SPDX-License-Identifier: Apache-2.0
//
// wishbone_rules - byw_wishbone_mem keeps the rules of byw_wishbone_protocol, for all requests of a
// cache and all answers of a memory that follow their own rules: 2 slots, 3 strobes in flight,
// lines of BEATS beats, 4 lines.
//
`default_nettype none

module wishbone_rules #(
  parameter integer BEATS = 2
) (
  input wire                  clk_i,
  input wire                  rst_i,
  input wire                  valid_i,
  input wire [1:0]            kind_i,
  input wire                  write_i,
  input wire                  atomic_i,
  input wire [1:0]            line_i,
  input wire [8*BEATS-1:0]    bytes_i,
  input wire [64*BEATS-1:0]   data_i,
  input wire                  id_i,
  input wire                  rsp_ready_i,
  input wire                  stall_i,
  input wire                  ack_i,
  input wire                  err_i,
  input wire [63:0]           dat_i
);
  `include "byw_defs.vh"
  localparam integer ADDR_W = 2 + $clog2(8 * BEATS);

  wire              ready, cyc, stb, we, idle;
  wire [ADDR_W-4:0] adr;
  wire [7:0]        sel;
  wire [63:0]       dat;

  byw_wishbone_mem #(
    .LINE_BYTES(8 * BEATS), .ADDR_W(ADDR_W), .DATA_W(64), .SLOTS(2), .BEATS_OUT(3), .ID_W(1)
  ) u_mem (
    .clk_i(clk_i), .rst_i(rst_i), .mem_req_valid_i(valid_i), .mem_req_ready_o(ready),
    .mem_req_kind_i(kind_i), .mem_req_write_i(write_i), .mem_req_atomic_i(atomic_i),
    .mem_req_line_i(line_i), .mem_req_bytes_i(bytes_i), .mem_req_data_i(data_i),
    .mem_req_id_i(id_i), .mem_rsp_ready_i(rsp_ready_i),
    .wb_cyc_o(cyc), .wb_stb_o(stb), .wb_stall_i(stall_i), .wb_we_o(we), .wb_adr_o(adr),
    .wb_sel_o(sel), .wb_dat_o(dat), .wb_ack_i(ack_i), .wb_err_i(err_i), .wb_dat_i(dat_i),
    .idle_o(idle)
  );
  byw_wishbone_protocol #(.WB_ADDR_W(ADDR_W - 3), .DATA_W(64), .BEATS_OUT(3)) u_rules (
    .clk_i(clk_i), .rst_i(rst_i), .cyc_i(cyc), .stb_i(stb), .stall_i(stall_i), .we_i(we),
    .adr_i(adr), .sel_i(sel), .dat_i(dat), .ack_i(ack_i), .err_i(err_i), .idle_i(idle)
  );

  // ---- the cache: a request waits unchanged (rule 3 of rtl/doc/handshake.md)
  localparam integer W = 7 + 72 * BEATS;
  wire [W-1:0] asked = {kind_i, write_i, atomic_i, line_i, id_i, bytes_i, data_i};
  reg  [W-1:0] asked_q;
  reg          waits_q, started = 1'b0;
  always @(posedge clk_i) begin : p_waits
    started <= 1'b1;
    waits_q <= !rst_i && valid_i && !ready;
    asked_q <= asked;
  end

  always @* begin : p_rules
    assume (rst_i || started);
    if (started && waits_q) assume (valid_i && (asked == asked_q));
    assume (write_i == ((kind_i == BYW_MEM_STORE) || (kind_i == BYW_MEM_WRITEBACK)));
    assume (!atomic_i || (kind_i == BYW_MEM_BYPASS));
  end
endmodule

`default_nettype wire
