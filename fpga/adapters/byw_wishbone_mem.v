// SPDX-License-Identifier: Apache-2.0
//
// byw_wishbone_mem - connects the memory port of the cache (mem_req, mem_rsp) to a Wishbone B4 bus
//                    as a pipelined master.
//
// Behaviour   A request is one strobe per beat, from the first to the last beat with a byte in its
//             mask.  The first strobe is shown in the cycle in which mem_req shows the request.
//             The response follows one cycle after the last acknowledgement.  Acknowledgements
//             arrive in order, so requests of one line stay in order.  CYC is high from the first
//             strobe to the last acknowledgement.  ERR is reported as an error.  Wishbone cannot
//             stall acknowledgements, so at most BEATS_OUT strobes are unanswered or wait for the
//             cache.  An atomic is answered with an error and has no effect.
// Paper       none; fpga/adapters/README.md.
// Reset       rst_i: nothing is in flight.  Reset the bus together with it.
//
// Parameter   Default  Range         Meaning
// LINE_BYTES  128      2^n, 4..128   line size
// ADDR_W      32       ..64          width of a byte address
// DATA_W      64       2^n, 8..line  width of the bus, bits
// SLOTS       16       1..256        requests in flight
// BEATS_OUT   32       1..256        strobes in flight
// ID_W        16                     width of the ids of the cache
// WB_ACKS     0        0, 1          1: write-backs are acknowledged, for ORDER or FENCE of byw_l1d
//
`default_nettype none

module byw_wishbone_mem #(
  parameter integer LINE_BYTES = 128,
  parameter integer ADDR_W     = 32,
  parameter integer DATA_W     = 64,
  parameter integer SLOTS      = 16,
  parameter integer BEATS_OUT  = 32,
  parameter integer ID_W       = 16,
  parameter integer WB_ACKS    = 0,
  parameter integer LINE_W     = ADDR_W - $clog2(LINE_BYTES),
  parameter integer WB_ADDR_W  = ADDR_W - $clog2(DATA_W / 8)
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

  // Wishbone B4, pipelined; beat addresses
  output wire                    wb_cyc_o,
  output wire                    wb_stb_o,
  input  wire                    wb_stall_i,
  output wire                    wb_we_o,
  output wire [WB_ADDR_W-1:0]    wb_adr_o,
  output wire [DATA_W/8-1:0]     wb_sel_o,
  output wire [DATA_W-1:0]       wb_dat_o,
  input  wire                    wb_ack_i,
  input  wire                    wb_err_i,
  input  wire [DATA_W-1:0]       wb_dat_i,

  output wire                    idle_o             // nothing in flight, including write-backs
);
  `include "byw_defs.vh"

  localparam integer BEATS   = LINE_BYTES * 8 / DATA_W;
  localparam integer BEAT_IW = (BEATS > 1) ? $clog2(BEATS) : 1;
  localparam integer COUNT_W = $clog2(BEATS_OUT + 1);
  localparam integer HELD_W  = $clog2(SLOTS + 1);
  localparam integer ENTRY_W = 2 + ID_W;
  localparam integer LIMIT_I = BEATS_OUT;
  localparam integer SLOTS_I = SLOTS;

  generate
    if ((BEATS_OUT < 1) || (BEATS_OUT > 256)) begin : gen_check_beats
      byw_wishbone_mem_BEATS_OUT_must_be_1_to_256 u_error ();
    end
    if ((SLOTS < 1) || (SLOTS > 256)) begin : gen_check_slots
      byw_wishbone_mem_SLOTS_must_be_1_to_256 u_error ();
    end
    if ((ADDR_W > 64) || (ADDR_W <= $clog2(LINE_BYTES))) begin : gen_check_addr
      byw_wishbone_mem_ADDR_W_must_exceed_a_line_and_be_at_most_64 u_error ();
    end
  endgenerate

  reg               moved_q;                // a strobe of the request at mem_req was accepted
  reg [BEAT_IW-1:0] at_q;                   // the next strobe
  reg [COUNT_W-1:0] beats_q;                // accepted strobes whose response was not consumed
  reg [COUNT_W-1:0] acks_q;                 // accepted strobes without acknowledgement
  reg [HELD_W-1:0]  requests_q;             // requests whose last response was not consumed
  reg               back_moved_q;           // a response of the oldest request was consumed
  reg [BEAT_IW-1:0] back_at_q;
  reg               back_error_q;

  wire               asks = mem_req_valid_i && !mem_req_atomic_i;
  wire               done_ready, beat_ready, answer_idle;
  wire [BEAT_IW-1:0] first, last;

  // ---- strobes
  wire [BEAT_IW-1:0] at      = moved_q ? at_q : first;
  wire               is_last = (at == last);
  wire               room    = (beats_q != LIMIT_I[COUNT_W-1:0]) &&
                               (moved_q || (requests_q != SLOTS_I[HELD_W-1:0]));
  wire               moves   = wb_stb_o && !wb_stall_i;
  wire               refused = mem_req_valid_i && mem_req_atomic_i;
  wire               refuse, is_done;

  assign mem_req_ready_o = mem_req_atomic_i ? refuse : (room && !wb_stall_i && is_last);
  assign wb_stb_o        = asks && room;
  assign wb_cyc_o        = wb_stb_o || moved_q || (acks_q != {COUNT_W{1'b0}});
  assign wb_we_o         = mem_req_write_i;
  generate
    if (BEATS > 1) begin : gen_addr
      assign wb_adr_o = {mem_req_line_i, at};
    end else begin : gen_line_addr
      assign wb_adr_o = mem_req_line_i;
    end
  endgenerate

  byw_mem_beats #(.LINE_BYTES(LINE_BYTES), .DATA_W(DATA_W)) u_beats (
    .bytes_i(mem_req_bytes_i), .first_o(first), .last_o(last)
  );
  byw_mux #(.N(BEATS), .W(DATA_W), .SEL_W(BEAT_IW)) u_data (
    .data_i(mem_req_data_i), .sel_i(at), .data_o(wb_dat_o)
  );
  wire [DATA_W/8-1:0] bytes;
  byw_mux #(.N(BEATS), .W(DATA_W/8), .SEL_W(BEAT_IW)) u_sel (
    .data_i(mem_req_bytes_i), .sel_i(at), .data_o(bytes)
  );
  assign wb_sel_o = mem_req_write_i ? bytes : {(DATA_W/8){1'b1}};

  // ---- the requests in flight, oldest first, and their responses
  wire               entry_valid, back_valid, entry_write, back_bad;
  wire [ENTRY_W-1:0] entry;
  wire [BEAT_IW-1:0] entry_first, entry_last;
  wire [DATA_W-1:0]  back_data;
  wire [BEAT_IW-1:0] back_at = back_moved_q ? back_at_q : entry_first;
  wire               back_last = (back_at == entry_last);
  wire               error = back_bad || (back_moved_q && back_error_q);
  wire               keeps = (WB_ACKS != 0) || (entry[ENTRY_W-1 -: 2] != BYW_MEM_WRITEBACK);
  wire               use_it = back_valid && entry_valid &&
                              (!entry_write ? beat_ready : (!(back_last && keeps) || done_ready));
  wire               entry_pop = use_it && back_last;

  // The entry exists from the first strobe on, because acknowledgements may precede the last
  // strobe.
  byw_mem_fifo #(.DEPTH(SLOTS), .W(1+ENTRY_W+2*BEAT_IW)) u_entries (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(moves && !moved_q),
    .push_data_i({mem_req_write_i, mem_req_kind_i, mem_req_id_i, first, last}),
    .pop_valid_o(entry_valid), .pop_i(entry_pop),
    .pop_data_o({entry_write, entry, entry_first, entry_last})
  );
  byw_mem_fifo #(.DEPTH(BEATS_OUT), .W(1+DATA_W)) u_answers (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(wb_ack_i || wb_err_i),
    .push_data_i({wb_err_i, wb_dat_i}),
    .pop_valid_o(back_valid), .pop_i(use_it), .pop_data_o({back_bad, back_data})
  );

  assign is_done = use_it && entry_write && back_last && keeps;
  assign refuse  = done_ready && !(back_valid && entry_valid && entry_write && back_last && keeps);
  assign idle_o  = (requests_q == {HELD_W{1'b0}}) && answer_idle;

  byw_mem_answer #(.LINE_BYTES(LINE_BYTES), .DATA_W(DATA_W), .SLOTS(1), .ENTRY_W(ENTRY_W))
  u_answer (
    .clk_i(clk_i), .rst_i(rst_i),
    .beat_valid_i(back_valid && entry_valid && !entry_write), .beat_ready_o(beat_ready),
    .beat_slot_i(1'b0), .beat_at_i(back_at), .beat_last_i(back_last), .beat_data_i(back_data),
    .beat_entry_i(entry), .beat_error_i(error),
    .done_valid_i(is_done || (refused && refuse)), .done_ready_o(done_ready),
    .done_entry_i(is_done ? entry : {mem_req_kind_i, mem_req_id_i}),
    .done_error_i(is_done ? error : 1'b1),
    .mem_rsp_valid_o(mem_rsp_valid_o), .mem_rsp_ready_i(mem_rsp_ready_i),
    .mem_rsp_entry_o({mem_rsp_kind_o, mem_rsp_id_o}), .mem_rsp_data_o(mem_rsp_data_o),
    .mem_rsp_error_o(mem_rsp_error_o), .idle_o(answer_idle)
  );

  wire begins = moves && !moved_q;
  wire back   = wb_ack_i || wb_err_i;

  always @(posedge clk_i) begin : p_counts
    if (rst_i) begin
      moved_q      <= 1'b0;
      beats_q      <= {COUNT_W{1'b0}};
      acks_q       <= {COUNT_W{1'b0}};
      requests_q   <= {HELD_W{1'b0}};
      back_moved_q <= 1'b0;
    end else begin
      if (moves) moved_q <= !is_last;
      if (moves && !use_it)      beats_q <= beats_q + 1'b1;
      else if (use_it && !moves) beats_q <= beats_q - 1'b1;
      if (moves && !back)        acks_q <= acks_q + 1'b1;
      else if (back && !moves)   acks_q <= acks_q - 1'b1;
      if (begins && !entry_pop)      requests_q <= requests_q + 1'b1;
      else if (entry_pop && !begins) requests_q <= requests_q - 1'b1;
      if (use_it) back_moved_q <= !back_last;
    end
    if (moves) at_q <= at + 1'b1;
    if (use_it) begin
      back_at_q    <= back_at + 1'b1;
      back_error_q <= error;
    end
  end

endmodule

`default_nettype wire
