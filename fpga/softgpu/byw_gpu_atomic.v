// SPDX-License-Identifier: Apache-2.0
//
// byw_gpu_atomic - performs atomics on a memory that supports only reads and writes.
//
// Behaviour   Sits between the memory port of the cache (up) and an adapter (down) that keeps the
//             order within a line.  An atomic becomes a read of its bytes, its operation on each
//             word (add, swap, min, max), and a write.  The write is sent as a write-back, which
//             the adapter must acknowledge; acknowledgements of the cache's own write-backs are
//             dropped here.  No other request is sent meanwhile, so the atomic is indivisible for
//             this SM; other masters are not excluded.  All other requests and responses pass in
//             the same cycle.
// Reset       rst_i: no atomic is in progress.
//
// Parameter   Default  Range   Meaning
// LINE_BYTES, LINE_W, ID_W     as in byw_l1d
//
`default_nettype none

module byw_gpu_atomic #(
  parameter integer LINE_BYTES = 32,
  parameter integer LINE_W     = 15,
  parameter integer ID_W       = 8
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  input  wire                    up_req_valid_i,
  output wire                    up_req_ready_o,
  input  wire [1:0]              up_req_kind_i,
  input  wire                    up_req_write_i,
  input  wire                    up_req_atomic_i,
  input  wire [LINE_W-1:0]       up_req_line_i,
  input  wire [LINE_BYTES-1:0]   up_req_bytes_i,
  input  wire [LINE_BYTES*8-1:0] up_req_data_i,
  input  wire [ID_W-1:0]         up_req_id_i,
  input  wire [1:0]              up_req_func_i,     // add, swap, min, max
  output wire                    up_rsp_valid_o,
  input  wire                    up_rsp_ready_i,
  output wire [1:0]              up_rsp_kind_o,
  output wire [LINE_BYTES*8-1:0] up_rsp_data_o,
  output wire [ID_W-1:0]         up_rsp_id_o,
  output wire                    up_rsp_error_o,

  output wire                    down_req_valid_o,
  input  wire                    down_req_ready_i,
  output wire [1:0]              down_req_kind_o,
  output wire                    down_req_write_o,
  output wire [LINE_W-1:0]       down_req_line_o,
  output wire [LINE_BYTES-1:0]   down_req_bytes_o,
  output wire [LINE_BYTES*8-1:0] down_req_data_o,
  output wire [ID_W-1:0]         down_req_id_o,
  input  wire                    down_rsp_valid_i,
  output wire                    down_rsp_ready_o,
  input  wire [1:0]              down_rsp_kind_i,
  input  wire [LINE_BYTES*8-1:0] down_rsp_data_i,
  input  wire [ID_W-1:0]         down_rsp_id_i,
  input  wire                    down_rsp_error_i
);
  `include "byw_defs.vh"

  localparam integer WORDS = LINE_BYTES / 4;
  localparam [2:0]   ST_PASS = 3'd0, ST_READ = 3'd1, ST_WAIT = 3'd2, ST_WRITE = 3'd3,
                     ST_DONE = 3'd4,
                     ST_ANSWER = 3'd5;

  reg  [2:0]              state_q;
  reg  [LINE_W-1:0]       line_q;
  reg  [LINE_BYTES-1:0]   bytes_q;
  reg  [LINE_BYTES*8-1:0] data_q, old_q;
  reg  [ID_W-1:0]         id_q;
  reg                     error_q;
  reg  [1:0]              func_q;
  wire [LINE_BYTES*8-1:0] result;
  genvar                  g;

  generate
    for (g = 0; g < WORDS; g = g + 1) begin : gen_word
      wire [31:0] old  = old_q[g*32 +: 32];
      wire [31:0] other = data_q[g*32 +: 32];
      wire        less = (old[31] != other[31]) ? old[31] : (old < other);
      assign result[g*32 +: 32] = (func_q == 2'd0) ? (old + other) :
                                  (func_q == 2'd1) ? other : (less == func_q[0]) ? other : old;
    end
  endgenerate

  wire passes = state_q == ST_PASS;
  wire writes = state_q == ST_WRITE;
  // Kind and id are unique among the reads in flight, so this is the response to our read.
  wire ours   = (state_q == ST_WAIT) && (down_rsp_kind_i == BYW_MEM_BYPASS) &&
                (down_rsp_id_i == id_q);
  wire written = (state_q == ST_DONE) && (down_rsp_kind_i == BYW_MEM_WRITEBACK) &&
                 (down_rsp_id_i == id_q);
  wire keeps   = ours || (down_rsp_kind_i == BYW_MEM_WRITEBACK);
  wire inserts = state_q == ST_ANSWER;

  assign down_req_valid_o = passes ? (up_req_valid_i && !up_req_atomic_i) :
                            ((state_q == ST_READ) || writes);
  assign up_req_ready_o   = passes && (up_req_atomic_i || down_req_ready_i);
  assign down_req_kind_o  = passes ? up_req_kind_i : writes ? BYW_MEM_WRITEBACK : BYW_MEM_BYPASS;
  assign down_req_write_o = passes ? up_req_write_i : writes;
  assign down_req_line_o  = passes ? up_req_line_i : line_q;
  assign down_req_bytes_o = passes ? up_req_bytes_i : bytes_q;
  assign down_req_data_o  = passes ? up_req_data_i : result;
  assign down_req_id_o    = passes ? up_req_id_i : id_q;

  assign up_rsp_valid_o   = inserts || (down_rsp_valid_i && !keeps);
  assign down_rsp_ready_o = !inserts && (keeps || up_rsp_ready_i);
  assign up_rsp_kind_o    = inserts ? BYW_MEM_BYPASS : down_rsp_kind_i;
  assign up_rsp_data_o    = inserts ? old_q : down_rsp_data_i;
  assign up_rsp_id_o      = inserts ? id_q : down_rsp_id_i;
  assign up_rsp_error_o   = inserts ? error_q : down_rsp_error_i;

  always @(posedge clk_i) begin : p_state
    case (state_q)
      ST_PASS: if (up_req_valid_i && up_req_atomic_i) state_q <= ST_READ;
      ST_READ: if (down_req_ready_i) state_q <= ST_WAIT;
      ST_WAIT: if (down_rsp_valid_i && ours) state_q <= down_rsp_error_i ? ST_ANSWER : ST_WRITE;
      ST_WRITE: if (down_req_ready_i) state_q <= ST_DONE;
      ST_DONE: if (down_rsp_valid_i && written) state_q <= ST_ANSWER;
      default: if (up_rsp_ready_i) state_q <= ST_PASS;
    endcase
    if (passes) begin
      line_q  <= up_req_line_i;
      bytes_q <= up_req_bytes_i;
      data_q  <= up_req_data_i;
      id_q    <= up_req_id_i;
      func_q  <= up_req_func_i;
    end
    if (state_q == ST_WAIT) old_q <= down_rsp_data_i;
    if ((state_q == ST_WAIT) || (state_q == ST_DONE)) error_q <= down_rsp_error_i;
    if (rst_i) state_q <= ST_PASS;
  end
endmodule

`default_nettype wire
