// SPDX-License-Identifier: Apache-2.0
//
// byw_vortex_protocol - checker of the two buses of byw_vortex_l1d: core to the client, mem to the
//                       next level.
//
// Behaviour   Guarantees of the adapter: an answer stays unchanged until it is taken, and there is
//             one for each load, with its tag, and none for a store; a memory request stays
//             unchanged until it is taken; no store is sent twice, and no tag of a read is in
//             flight twice; while idle_i all is sent and answered.  Assumption of memory: it
//             answers only reads in flight.  Tags are compared by their low bits.
// Reset       rst_i: nothing is in flight.
//
// Parameter   Default  Range  Meaning
// WORD_BYTES, LINE_BYTES, LINE_W, TAG_W, MEM_TAG_W  16, 64, 26, 8, 12: as in byw_vortex_l1d
// DUE_W       6        1..    bits of a client's tag that are compared
// READ_W      7        1..    likewise of a memory tag: all that the adapter uses
//
`default_nettype none
`include "byw_assert.vh"

module byw_vortex_protocol #(
  parameter integer WORD_BYTES = 16,
  parameter integer LINE_BYTES = 64,
  parameter integer LINE_W     = 26,
  parameter integer TAG_W      = 8,
  parameter integer MEM_TAG_W  = 12,
  parameter integer DUE_W      = 6,
  parameter integer READ_W     = 7
) (
  input wire                    clk_i,
  input wire                    rst_i,

  // core
  input wire                    core_req_valid_i,
  input wire                    core_req_ready_i,
  input wire                    core_req_rw_i,
  input wire [TAG_W-1:0]        core_req_tag_i,
  input wire                    core_rsp_valid_i,
  input wire                    core_rsp_ready_i,
  input wire [WORD_BYTES*8-1:0] core_rsp_data_i,
  input wire [TAG_W-1:0]        core_rsp_tag_i,

  // mem
  input wire                    mem_req_valid_i,
  input wire                    mem_req_ready_i,
  input wire                    mem_req_rw_i,
  input wire [LINE_BYTES-1:0]   mem_req_byteen_i,
  input wire [LINE_W-1:0]       mem_req_addr_i,
  input wire [LINE_BYTES*8-1:0] mem_req_data_i,
  input wire [MEM_TAG_W-1:0]    mem_req_tag_i,
  input wire                    mem_rsp_valid_i,
  input wire                    mem_rsp_ready_i,
  input wire [MEM_TAG_W-1:0]    mem_rsp_tag_i,

  input wire                    idle_i
);
  localparam integer READS = 1 << READ_W;
  localparam [READS-1:0] ONE = 1;

  wire             load    = core_req_valid_i && core_req_ready_i && !core_req_rw_i;
  wire             store   = core_req_valid_i && core_req_ready_i && core_req_rw_i;
  wire             write   = mem_req_valid_i && mem_req_ready_i && mem_req_rw_i;
  wire             answer  = core_rsp_valid_i && core_rsp_ready_i;
  wire             read    = mem_req_valid_i && mem_req_ready_i && !mem_req_rw_i;
  wire             back    = mem_rsp_valid_i && mem_rsp_ready_i;
  wire [READS-1:0] ask_hot = ONE << mem_req_tag_i[READ_W-1:0];
  wire [READS-1:0] rsp_hot = ONE << mem_rsp_tag_i[READ_W-1:0];
  wire [7:0]       due_before, due;
  reg  [READS-1:0] read_q;                         // reads in flight
  reg  [8:0]       loads_q;                        // loads without an answer
  reg  [8:0]       stores_q;                       // stores that are not sent yet

  always @(posedge clk_i) begin : p_flight
    if (rst_i) {read_q, loads_q, stores_q} <= {(READS+18){1'b0}};
    else begin
      read_q  <= (read_q | ({READS{read}} & ask_hot)) & ~({READS{back}} & rsp_hot);
      loads_q <= loads_q + {8'd0, load} - {8'd0, answer};
      stores_q <= stores_q + {8'd0, store} - {8'd0, write};
    end
  end

  byw_due #(.AT_W(DUE_W)) u_due (
    .clk_i(clk_i), .rst_i(rst_i), .more_i(load), .more_at_i(core_req_tag_i[DUE_W-1:0]),
    .less_i(answer), .less_at_i(core_rsp_tag_i[DUE_W-1:0]), .more_count_o(due_before),
    .less_count_o(due)
  );
  byw_held #(.W(WORD_BYTES*8 + TAG_W)) u_rsp (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(core_rsp_valid_i), .ready_i(core_rsp_ready_i),
    .payload_i({core_rsp_data_i, core_rsp_tag_i})
  );
  byw_held #(.W(1 + LINE_W)) u_req (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(mem_req_valid_i), .ready_i(mem_req_ready_i),
    .payload_i({mem_req_rw_i, mem_req_addr_i})
  );
  byw_held #(.W(MEM_TAG_W)) u_read (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(mem_req_valid_i && !mem_req_rw_i),
    .ready_i(mem_req_ready_i), .payload_i(mem_req_tag_i)
  );
  byw_held #(.W(LINE_BYTES * 9)) u_write (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(mem_req_valid_i && mem_req_rw_i),
    .ready_i(mem_req_ready_i), .payload_i({mem_req_byteen_i, mem_req_data_i})
  );

  wire unused_ok = &{1'b0, due_before, mem_req_tag_i, mem_rsp_tag_i, core_req_tag_i};

  `BYW_CHECKS
  `BYW_ASSERT(answer_is_to_a_load, core_rsp_valid_i, due != 8'd0)
  `BYW_ASSERT(read_has_a_free_tag, mem_req_valid_i && !mem_req_rw_i, !(|(read_q & ask_hot)))
  `BYW_ASSERT(store_is_sent_once, mem_req_valid_i && mem_req_rw_i, stores_q != 9'd0)
  `BYW_ASSERT(idle_when_nothing_is_in_flight, idle_i, !(|{loads_q, stores_q, read_q}))
  `BYW_ASSUME(answer_to_a_read, mem_rsp_valid_i, |(read_q & rsp_hot))
endmodule

`default_nettype wire
