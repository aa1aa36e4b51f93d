// SPDX-License-Identifier: Apache-2.0
//
// byw_axi4_protocol - checker of an AXI4 bus between byw_axi4_mem and a memory.
//
// Behaviour   Guarantees of the master: AW, W and AR stay until taken; bursts are INCR, of whole
//             beats, aligned, and stay within their line; W comes with its AW or after it, one
//             write at a time, with WLAST in its last beat; no id is used twice in flight; the
//             order of each line (ORDER); while idle_i nothing is in flight, nor half sent.
//             Assumptions of the slave: B answers a write that was sent whole, R a read; RLAST
//             in its last beat.
// Reset       rst_i: nothing is in flight.
//
// Parameter   Default  Range         Meaning
// LINE_BYTES  128                    line size of the cache
// ADDR_W, DATA_W, ID_W  32, 64, 4    widths of the bus
// ORDER       1        0, 1, 2       as in byw_axi4_mem
// SHARED      0        0, 1          1: ids with the highest bit set may be used twice (fills)
//
`default_nettype none
`include "byw_assert.vh"

module byw_axi4_protocol #(
  parameter integer LINE_BYTES = 128,
  parameter integer ADDR_W     = 32,
  parameter integer DATA_W     = 64,
  parameter integer ID_W       = 4,
  parameter integer ORDER      = 1,
  parameter integer SHARED     = 0
) (
  input wire                clk_i,
  input wire                rst_i,
  input wire                awvalid_i,
  input wire                awready_i,
  input wire [ID_W-1:0]     awid_i,
  input wire [ADDR_W-1:0]   awaddr_i,
  input wire [7:0]          awlen_i,
  input wire [2:0]          awsize_i,
  input wire [1:0]          awburst_i,
  input wire                wvalid_i,
  input wire                wready_i,
  input wire [DATA_W-1:0]   wdata_i,
  input wire [DATA_W/8-1:0] wstrb_i,
  input wire                wlast_i,
  input wire                bvalid_i,
  input wire                bready_i,
  input wire [ID_W-1:0]     bid_i,
  input wire                arvalid_i,
  input wire                arready_i,
  input wire [ID_W-1:0]     arid_i,
  input wire [ADDR_W-1:0]   araddr_i,
  input wire [7:0]          arlen_i,
  input wire [2:0]          arsize_i,
  input wire [1:0]          arburst_i,
  input wire                rvalid_i,
  input wire                rready_i,
  input wire [ID_W-1:0]     rid_i,
  input wire                rlast_i,
  input wire                idle_i
);
  localparam integer IDS   = 1 << ID_W;
  localparam integer OFF   = $clog2(DATA_W / 8);
  localparam integer WHOLE = $clog2(LINE_BYTES);
  localparam integer LINE_W = ADDR_W - WHOLE;
  localparam integer LAST  = LINE_BYTES * 8 / DATA_W - 1;
  localparam integer SIZE  = OFF;
  localparam [IDS-1:0] ONE = 1;

  // The first beat of a burst within its line.
  wire [7:0] aw_first, ar_first;
  generate
    if (WHOLE > OFF) begin : gen_first
      assign aw_first = {{(8-WHOLE+OFF){1'b0}}, awaddr_i[WHOLE-1:OFF]};
      assign ar_first = {{(8-WHOLE+OFF){1'b0}}, araddr_i[WHOLE-1:OFF]};
    end else begin : gen_one
      assign {aw_first, ar_first} = 16'd0;
    end
  endgenerate

  wire aw_moves = awvalid_i && awready_i;
  wire w_moves  = wvalid_i && wready_i;
  wire b_moves  = bvalid_i && bready_i;
  wire ar_moves = arvalid_i && arready_i;
  wire r_moves  = rvalid_i && rready_i;

  // ---- the write that is being sent
  reg             aw_taken_q, w_begun_q, w_done_q;
  reg [7:0]       w_at_q, len_q;
  reg [ID_W-1:0]  id_q;
  wire [7:0]      len   = aw_taken_q ? len_q : awlen_i;
  wire [ID_W-1:0] w_id  = aw_taken_q ? id_q : awid_i;
  wire            whole = (aw_taken_q || aw_moves) && (w_done_q || (w_moves && wlast_i));

  // ---- in flight, by id
  reg  [IDS-1:0]        writes_q, sent_q, reads_q;
  reg  [IDS*LINE_W-1:0] write_line_q, read_line_q;
  reg  [IDS*8-1:0]      left_q;                    // beats of R after the next one
  wire [IDS-1:0]        aw_hot = ONE << awid_i;
  wire [IDS-1:0]        ar_hot = ONE << arid_i;
  wire [IDS-1:0]        b_hot  = ONE << bid_i;
  wire [IDS-1:0]        r_hot  = ONE << rid_i;
  wire [IDS-1:0]        w_hot  = ONE << w_id;
  wire [LINE_W-1:0]     aw_line = awaddr_i[ADDR_W-1:WHOLE];
  wire [LINE_W-1:0]     ar_line = araddr_i[ADDR_W-1:WHOLE];
  wire                  aw_shared = (SHARED != 0) && awid_i[ID_W-1];
  wire                  ar_shared = (SHARED != 0) && arid_i[ID_W-1];
  wire                  r_shared  = (SHARED != 0) && rid_i[ID_W-1];
  reg  [IDS-1:0]        aw_w, aw_r, ar_w, ar_r;    // by id: in flight to the line of AW or AR
  reg  [7:0]            left;
  integer               i;

  always @* begin : p_lines
    left = 8'd0;
    for (i = 0; i < IDS; i = i + 1) begin
      aw_w[i] = writes_q[i] && (write_line_q[i*LINE_W +: LINE_W] == aw_line);
      aw_r[i] = reads_q[i] && (read_line_q[i*LINE_W +: LINE_W] == aw_line);
      ar_w[i] = writes_q[i] && (write_line_q[i*LINE_W +: LINE_W] == ar_line);
      ar_r[i] = reads_q[i] && (read_line_q[i*LINE_W +: LINE_W] == ar_line);
      left    = left | (left_q[i*8 +: 8] & {8{r_hot[i]}});
    end
  end

  always @(posedge clk_i) begin : p_flight
    for (i = 0; i < IDS; i = i + 1) begin
      if (aw_moves && aw_hot[i]) write_line_q[i*LINE_W +: LINE_W] <= aw_line;
      if (ar_moves && ar_hot[i]) read_line_q[i*LINE_W +: LINE_W] <= ar_line;
      if (ar_moves && ar_hot[i])     left_q[i*8 +: 8] <= arlen_i;
      else if (r_moves && r_hot[i]) left_q[i*8 +: 8] <= left_q[i*8 +: 8] - 8'd1;
    end
    if (aw_moves) {id_q, len_q} <= {awid_i, awlen_i};
    if (rst_i) begin
      {writes_q, sent_q, reads_q}         <= {(3*IDS){1'b0}};
      {aw_taken_q, w_begun_q, w_done_q}   <= 3'd0;
      w_at_q <= 8'd0;
    end else begin
      writes_q   <= (writes_q | ({IDS{aw_moves}} & aw_hot)) & ~({IDS{b_moves}} & b_hot);
      sent_q     <= (sent_q | ({IDS{whole}} & w_hot)) & ~({IDS{b_moves}} & b_hot);
      reads_q    <= (reads_q | ({IDS{ar_moves}} & ar_hot)) & ~({IDS{r_moves && rlast_i}} & r_hot);
      aw_taken_q <= (aw_taken_q || aw_moves) && !whole;
      w_begun_q  <= (w_begun_q || w_moves) && !whole;
      w_done_q   <= (w_done_q || (w_moves && wlast_i)) && !whole;
      w_at_q     <= whole ? 8'd0 : w_at_q + {7'd0, w_moves};
    end
  end

  byw_held #(.W(ID_W + ADDR_W + 13)) u_aw (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(awvalid_i), .ready_i(awready_i),
    .payload_i({awid_i, awaddr_i, awlen_i, awsize_i, awburst_i})
  );
  byw_held #(.W(DATA_W + DATA_W/8 + 1)) u_w (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(wvalid_i), .ready_i(wready_i),
    .payload_i({wdata_i, wstrb_i, wlast_i})
  );
  byw_held #(.W(ID_W + ADDR_W + 13)) u_ar (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(arvalid_i), .ready_i(arready_i),
    .payload_i({arid_i, araddr_i, arlen_i, arsize_i, arburst_i})
  );

  `BYW_CHECKS
  `BYW_ASSERT(write_burst_is_of_whole_beats, awvalid_i,
              (awsize_i == SIZE[2:0]) && (awburst_i == 2'b01) && !(|awaddr_i[OFF-1:0]))
  `BYW_ASSERT(read_burst_is_of_whole_beats, arvalid_i,
              (arsize_i == SIZE[2:0]) && (arburst_i == 2'b01) && !(|araddr_i[OFF-1:0]))
  `BYW_ASSERT(write_burst_stays_in_its_line, awvalid_i,
              {1'b0, aw_first} + {1'b0, awlen_i} <= LAST[8:0])
  `BYW_ASSERT(read_burst_stays_in_its_line, arvalid_i,
              {1'b0, ar_first} + {1'b0, arlen_i} <= LAST[8:0])
  `BYW_ASSERT(data_come_with_their_address, wvalid_i, (aw_taken_q || awvalid_i) && !w_done_q)
  `BYW_ASSERT(one_write_at_a_time, awvalid_i, !aw_taken_q)
  `BYW_ASSERT(last_beat_is_marked, wvalid_i, wlast_i == (w_at_q == len))
  `BYW_ASSERT(write_id_is_free, awvalid_i && !aw_shared, !(|(writes_q & aw_hot)))
  `BYW_ASSERT(read_id_is_free, arvalid_i && !ar_shared, !(|(reads_q & ar_hot)))
  `BYW_ASSERT(write_waits_for_its_line, awvalid_i && (ORDER != 0), !(|(aw_w | aw_r)))
  `BYW_ASSERT(read_waits_for_its_line, arvalid_i && (ORDER != 0),
              !(|ar_w) && ((ORDER == 1) || !(|ar_r)))
  `BYW_ASSERT(idle_when_nothing_is_in_flight, idle_i,
              !(|writes_q) && !(|reads_q) && !aw_taken_q && !w_begun_q)
  `BYW_ASSUME(answer_to_a_write, bvalid_i, |(sent_q & b_hot))
  `BYW_ASSUME(answer_to_a_read, rvalid_i, |(reads_q & r_hot))
  `BYW_ASSUME(last_answer_is_marked, rvalid_i && !r_shared, rlast_i == (left == 8'd0))
endmodule

`default_nettype wire
