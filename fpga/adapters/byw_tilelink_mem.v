// SPDX-License-Identifier: Apache-2.0
//
// byw_tilelink_mem - connects the memory port of the cache (mem_req, mem_rsp) to a TileLink-UL bus.
//
// Behaviour   A request is one message per beat, from the first to the last beat with a byte in its
//             mask: Get, PutFullData or PutPartialData of the bus width.  The first message is
//             shown in the cycle in which mem_req shows the request.  The response follows one
//             cycle after the last D message, which may arrive in any order.  A source id is {slot,
//             beat}.  ORDER keeps requests of one line in order.  denied and corrupt are reported
//             as errors.  TL-UL has no atomics: an atomic is answered with an error and has no
//             effect.
// Paper       none; fpga/adapters/README.md.
// Reset       rst_i: nothing is in flight.  Reset the bus together with it.
//
// Parameter   Default  Range         Meaning
// LINE_BYTES  128      2^n, 4..128   line size
// ADDR_W      32       ..64          width of a byte address
// DATA_W      64       2^n, 8..line  width of the bus, bits
// SLOTS       16       1..256        requests in flight
// ID_W        16                     width of the ids of the cache
// WB_ACKS     0        0, 1          1: write-backs are acknowledged, for ORDER or FENCE of byw_l1d
// ORDER       1        0, 1, 2       order within one line, see byw_mem_slots
//
`default_nettype none

module byw_tilelink_mem #(
  parameter integer LINE_BYTES = 128,
  parameter integer ADDR_W     = 32,
  parameter integer DATA_W     = 64,
  parameter integer SLOTS      = 16,
  parameter integer ID_W       = 16,
  parameter integer WB_ACKS    = 0,
  parameter integer ORDER      = 1,
  parameter integer LINE_W     = ADDR_W - $clog2(LINE_BYTES),
  parameter integer SLOT_IW    = (SLOTS > 1) ? $clog2(SLOTS) : 1,
  parameter integer BEATS      = LINE_BYTES * 8 / DATA_W,
  parameter integer BEAT_IW    = (BEATS > 1) ? $clog2(BEATS) : 1,
  parameter integer SOURCE_W   = SLOT_IW + BEAT_IW
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // mem_req, mem_rsp: memory port of byw_l1d
  input  wire                    mem_req_valid_i,
  output wire                    mem_req_ready_o,
  input  wire [1:0]              mem_req_kind_i,    // BYW_MEM_*
  input  wire                    mem_req_write_i,
  input  wire                    mem_req_atomic_i,
  input  wire [LINE_W-1:0]       mem_req_line_i,
  input  wire [LINE_BYTES-1:0]   mem_req_bytes_i,
  input  wire [LINE_BYTES*8-1:0] mem_req_data_i,
  input  wire [ID_W-1:0]         mem_req_id_i,
  output wire                    mem_rsp_valid_o,
  input  wire                    mem_rsp_ready_i,
  output wire [1:0]              mem_rsp_kind_o,
  output wire [LINE_BYTES*8-1:0] mem_rsp_data_o,
  output wire [ID_W-1:0]         mem_rsp_id_o,
  output wire                    mem_rsp_error_o,

  // TileLink-UL, channels A and D
  output wire                    tl_a_valid_o,
  input  wire                    tl_a_ready_i,
  output wire [2:0]              tl_a_opcode_o,
  output wire [2:0]              tl_a_param_o,
  output wire [3:0]              tl_a_size_o,
  output wire [SOURCE_W-1:0]     tl_a_source_o,
  output wire [ADDR_W-1:0]       tl_a_address_o,
  output wire [DATA_W/8-1:0]     tl_a_mask_o,
  output wire [DATA_W-1:0]       tl_a_data_o,
  output wire                    tl_a_corrupt_o,
  input  wire                    tl_d_valid_i,
  output wire                    tl_d_ready_o,
  input  wire [2:0]              tl_d_opcode_i,
  input  wire [SOURCE_W-1:0]     tl_d_source_i,
  input  wire                    tl_d_denied_i,
  input  wire [DATA_W-1:0]       tl_d_data_i,
  input  wire                    tl_d_corrupt_i,

  output wire                    idle_o             // nothing in flight, including write-backs
);
  `include "byw_defs.vh"

  localparam integer BEAT_OFFW = $clog2(DATA_W / 8);
  localparam integer ENTRY_W   = 2 + ID_W;
  localparam [2:0] PUT_FULL = 3'd0, PUT_PARTIAL = 3'd1, GET = 3'd4, ACK_DATA = 3'd1;
  localparam [SLOTS-1:0] ONE = 1;

  generate
    if ((ADDR_W > 64) || (ADDR_W <= $clog2(LINE_BYTES))) begin : gen_check_addr
      byw_tilelink_mem_ADDR_W_must_exceed_a_line_and_be_at_most_64 u_error ();
    end
  endgenerate

  reg               moved_q;                         // a message of the request was taken
  reg [BEAT_IW-1:0] at_q;                            // the next message
  reg [SLOTS-1:0]   error_q;                         // a message of the slot reported an error

  wire               asks = mem_req_valid_i && !mem_req_atomic_i;
  wire               ok, may_go, slots_idle, answer_idle, beat_ready, done_ready;
  wire [SLOT_IW-1:0] slot;
  wire [BEAT_IW-1:0] first, last;
  wire [ENTRY_W-1:0] entry, unused_entry;

  // ---- requests: the slot is taken with the first message
  wire [BEAT_IW-1:0] at      = moved_q ? at_q : first;
  wire               is_last = (at == last);
  wire               moves   = tl_a_valid_o && tl_a_ready_i;
  wire               begins  = moves && !moved_q;
  reg  [SLOT_IW-1:0] slot_q;                         // slot of the request being sent
  wire [SLOT_IW-1:0] slot_now = moved_q ? slot_q : slot;
  wire [DATA_W/8-1:0] bytes;

  assign may_go          = moved_q || ok;
  assign tl_a_valid_o    = asks && may_go;
  assign tl_a_opcode_o   = !mem_req_write_i ? GET : (&bytes) ? PUT_FULL : PUT_PARTIAL;
  assign tl_a_param_o    = 3'd0;
  localparam integer SIZE_I = BEAT_OFFW;
  assign tl_a_size_o     = SIZE_I[3:0];
  assign tl_a_source_o   = {slot_now, at};
  assign tl_a_mask_o     = mem_req_write_i ? bytes : {(DATA_W/8){1'b1}};
  assign tl_a_corrupt_o  = 1'b0;

  wire [ADDR_W-1:0] line_at = {mem_req_line_i, {(ADDR_W-LINE_W){1'b0}}};
  generate
    if (BEATS > 1) begin : gen_addr
      assign tl_a_address_o = {mem_req_line_i, at, {BEAT_OFFW{1'b0}}};
      wire unused_line_ok = &{1'b0, line_at};
    end else begin : gen_line_addr
      assign tl_a_address_o = line_at;
    end
  endgenerate

  byw_mem_beats #(.LINE_BYTES(LINE_BYTES), .DATA_W(DATA_W)) u_beats (
    .bytes_i(mem_req_bytes_i), .first_o(first), .last_o(last)
  );
  byw_mux #(.N(BEATS), .W(DATA_W), .SEL_W(BEAT_IW)) u_data (
    .data_i(mem_req_data_i), .sel_i(at), .data_o(tl_a_data_o)
  );
  byw_mux #(.N(BEATS), .W(DATA_W/8), .SEL_W(BEAT_IW)) u_mask (
    .data_i(mem_req_bytes_i), .sel_i(at), .data_o(bytes)
  );

  // ---- responses: messages that a slot still waits for, minus one
  wire [BEAT_IW-1:0] d_beat = tl_d_source_i[BEAT_IW-1:0];
  wire [SLOT_IW-1:0] d_slot = tl_d_source_i[BEAT_IW +: SLOT_IW];
  wire [SLOTS-1:0]   d_bit  = ONE << d_slot;
  wire               d_moves = tl_d_valid_i && tl_d_ready_o;
  wire               d_last;
  wire               d_error = tl_d_denied_i || tl_d_corrupt_i || (|(error_q & d_bit));
  wire               is_data = (tl_d_opcode_i == ACK_DATA);
  wire               keeps   = (WB_ACKS != 0) || (entry[ENTRY_W-1 -: 2] != BYW_MEM_WRITEBACK);
  wire               is_done = tl_d_valid_i && !is_data && d_last && keeps;
  wire               refused = mem_req_valid_i && mem_req_atomic_i;
  wire               refuse  = done_ready && beat_ready && !tl_d_valid_i;
  genvar             g;

  generate
    if (BEATS > 1) begin : gen_left
      wire [SLOTS*BEAT_IW-1:0] left;
      wire [BEAT_IW-1:0]       d_left;
      for (g = 0; g < SLOTS; g = g + 1) begin : gen_slot
        reg [BEAT_IW-1:0] left_q;
        assign left[g*BEAT_IW +: BEAT_IW] = left_q;
        always @(posedge clk_i) begin : p_left
          if (begins && (slot == g[SLOT_IW-1:0])) left_q <= last - first;
          else if (d_moves && d_bit[g])           left_q <= left_q - 1'b1;
        end
      end
      byw_mux #(.N(SLOTS), .W(BEAT_IW), .SEL_W(SLOT_IW)) u_left (
        .data_i(left), .sel_i(d_slot), .data_o(d_left)
      );
      assign d_last = (d_left == {BEAT_IW{1'b0}});
    end else begin : gen_one
      assign d_last = 1'b1;
    end
  endgenerate

  assign mem_req_ready_o = mem_req_atomic_i ? refuse : (may_go && is_last && tl_a_ready_i);
  assign tl_d_ready_o    = beat_ready && done_ready;
  assign idle_o          = slots_idle && answer_idle;

  byw_mem_slots #(.SLOTS(SLOTS), .LINE_W(LINE_W), .ENTRY_W(ENTRY_W), .ORDER(ORDER)) u_slots (
    .clk_i(clk_i), .rst_i(rst_i),
    .ask_i(asks && !moved_q), .ask_line_i(mem_req_line_i), .ask_write_i(mem_req_write_i),
    .ask_entry_i({mem_req_kind_i, mem_req_id_i}), .ask_ok_o(ok), .ask_slot_o(slot),
    .take_i(begins),
    .give_r_i(d_moves && d_last), .give_r_slot_i(d_slot), .give_r_entry_o(entry),
    .give_w_i(1'b0), .give_w_slot_i({SLOT_IW{1'b0}}), .give_w_entry_o(unused_entry),
    .idle_o(slots_idle)
  );
  byw_mem_answer #(.LINE_BYTES(LINE_BYTES), .DATA_W(DATA_W), .SLOTS(SLOTS), .ENTRY_W(ENTRY_W))
  u_answer (
    .clk_i(clk_i), .rst_i(rst_i),
    .beat_valid_i(tl_d_valid_i && is_data && done_ready), .beat_ready_o(beat_ready),
    .beat_slot_i(d_slot), .beat_at_i(d_beat), .beat_last_i(d_last), .beat_data_i(tl_d_data_i),
    .beat_entry_i(entry), .beat_error_i(d_error),
    .done_valid_i((is_done && beat_ready) || (refused && refuse)), .done_ready_o(done_ready),
    .done_entry_i(is_done ? entry : {mem_req_kind_i, mem_req_id_i}),
    .done_error_i(is_done ? d_error : 1'b1),
    .mem_rsp_valid_o(mem_rsp_valid_o), .mem_rsp_ready_i(mem_rsp_ready_i),
    .mem_rsp_entry_o({mem_rsp_kind_o, mem_rsp_id_o}), .mem_rsp_data_o(mem_rsp_data_o),
    .mem_rsp_error_o(mem_rsp_error_o), .idle_o(answer_idle)
  );

  always @(posedge clk_i) begin : p_messages
    if (rst_i)      moved_q <= 1'b0;
    else if (moves) moved_q <= !is_last;
    if (moves)  at_q   <= at + 1'b1;
    if (begins) slot_q <= slot;
    error_q <= (error_q | ((d_moves && d_error) ? d_bit : {SLOTS{1'b0}})) &
               ~(begins ? (ONE << slot) : {SLOTS{1'b0}});
  end

  wire unused_ok = &{1'b0, unused_entry};
endmodule

`default_nettype wire
