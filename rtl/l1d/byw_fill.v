// SPDX-License-Identifier: Apache-2.0
//
// byw_fill - the memory response side: fill path 1 (fills) and fill path 2 (all other responses).
//
// Behaviour   Path 1: an accepted fill waits in a buffer until all requests merged in its MSHR are
//             answered, one per cycle.  drain_i takes the request shown; drain_last_i marks the
//             last one of the MSHR.  next_mshr_o and next_index_o name the request shown in the
//             next cycle, so that its id can be read ahead; next_index_plus_1_o is the index after
//             it. successor_mshr_o names the MSHR shown next if the current one ends or none is
//             shown. STAGED: a fill accepted in cycle t is in f1 at t+1, in f2 at t+2 (shown on
//             f2_*), and is answered from t+3 on; these stages never stall.  The beats of a fill
//             arrive in order; fill_last_o marks the last one, with which the fill is accepted.
//             fill_failed_o: an earlier beat failed.  fill_data_o is beat fill_beat_i. Path 2: a
//             bypass response or store acknowledgement passes through one register.
// Paper       000, section 2.2; rtl/doc/fill.md.
// C twin      cmodel/model/l1d/byw_fill.c; checked by verif/l1d/lockstep_fill.c.
// Reset       rst_i: both paths are empty.
//
// Parameter   Default  Range          Meaning
// STAGED      0        0, 1           0: two buffers; 1: four buffers and stages f1, f2
// LINE_BYTES  128      2^n, 8..128      line size
// BEAT_BYTES  128      2^n, 8..LINE_BYTES  width of the data ports; LINE_BYTES if STAGED
// MSHR_IW, LIST_IW, ID_W              widths of MSHR number, list index, requester id
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_fill #(
  parameter integer STAGED     = 0,
  parameter integer LINE_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer BEAT_BYTES = LINE_BYTES,
  parameter integer MSHR_IW    = 5,
  parameter integer LIST_IW    = 3,
  parameter integer ID_W       = 16,
  // derived
  parameter integer BEAT_PW    = (BEAT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/BEAT_BYTES) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // the memory response being accepted
  input  wire                    fill_take_i, // takes a beat into path 1, needs fill_ready_o
  input  wire [MSHR_IW-1:0]      fill_mshr_i,
  input  wire                    direct_take_i,       // takes it into path 2
  input  wire                    direct_store_i, // store acknowledgement, not a bypass response
  input  wire [ID_W-1:0]         direct_id_i,
  input  wire                    error_i,
  input  wire [BEAT_BYTES*8-1:0] data_i,
  output wire                    fill_ready_o,
  output wire                    fill_room_o, // copy of fill_ready_o for timing-critical uses
  output wire [BEAT_PW-1:0]      fill_next_o,         // the next beat expected
  output wire                    fill_last_o,
  output wire                    fill_failed_o,

  // path 1
  output wire                    f2_valid_o,          // never set without STAGED
  output wire [MSHR_IW-1:0]      f2_mshr_o,
  output wire                    f2_error_o,
  output wire [BEAT_BYTES*8-1:0] f2_data_o,
  output wire                    fill_valid_o,
  output wire [MSHR_IW-1:0]      fill_mshr_o,         // MSHR that drains
  output wire [LIST_IW-1:0]      fill_index_o,        // list index of the request shown
  output wire [LIST_IW:0]        fill_index_plus_1_o, // fill_index_o + 1; if last, the list length
  output wire                    fill_error_o,
  input  wire [BEAT_PW-1:0]      fill_beat_i,         // beat that the request shown wants
  output wire [BEAT_BYTES*8-1:0] fill_data_o,
  input  wire                    drain_i,
  input  wire                    drain_last_i,
  output wire [MSHR_IW-1:0]      next_mshr_o,
  output wire [LIST_IW-1:0]      next_index_o,
  output wire [LIST_IW:0]        next_index_plus_1_o, // next_index_o + 1
  output wire [MSHR_IW-1:0]      successor_mshr_o,

  // path 2
  output wire                    direct_valid_o,
  output wire                    direct_store_o,
  output wire [ID_W-1:0]         direct_id_o,
  output wire                    direct_error_o,
  output wire [BEAT_BYTES*8-1:0] direct_data_o,
  input  wire                    direct_drain_i
);
  localparam integer BUFFERS = (STAGED != 0) ? 4 : 2;
  localparam integer BUF_IW  = (STAGED != 0) ? 2 : 1;

  generate
    if ((STAGED != 0) && (STAGED != 1)) begin : gen_check_staged
      byw_fill_STAGED_must_be_0_or_1 u_error ();
    end
    if ((BEAT_BYTES > LINE_BYTES) ||
        ((STAGED != 0) && (BEAT_BYTES != LINE_BYTES))) begin : gen_check_beat
      byw_fill_BEAT_BYTES_must_be_at_most_LINE_BYTES_and_that_with_STAGED u_error ();
    end
  endgenerate

  // ---- path 1: a ring of buffers
  reg  [BUF_IW-1:0]      head_q;                   // buffer that drains
  reg  [BUF_IW:0]        buffers_used_q;                  // buffers in use
  reg  [LIST_IW-1:0]     index_q;
  // index_q + 1, registered to save an adder
  reg  [LIST_IW:0]       index_plus_1_q;
  reg  [BUFFERS-1:0]     error_q;
  reg  [MSHR_IW-1:0]     mshr_q [0:BUFFERS-1];
  reg  [MSHR_IW-1:0]     drain_mshr_q;                 // MSHR of the head

  // STAGED: fills past f2, ready to be answered
  wire [BUF_IW-1:0]      ready_count;
  wire                   fill_drained  = drain_i && drain_last_i;
  wire [BUF_IW-1:0]      tail          = head_q + buffers_used_q[BUF_IW-1:0];
  wire [BUF_IW-1:0]      head_d        = head_q + {{(BUF_IW-1){1'b0}}, fill_drained};
  wire                   fill_complete = fill_take_i && fill_last_o;
  // Next to drain.  drain_i arrives late, so both cases are prepared.  If no other fill waits, it
  // is the fill that arrives now.
  wire [BUF_IW-1:0]      head_after = head_q + 1'b1;
  wire                   buffers_empty   = buffers_used_q == {(BUF_IW+1){1'b0}};
  wire                   one_buffer_used = buffers_used_q == {{BUF_IW{1'b0}}, 1'b1};
  wire [MSHR_IW-1:0]     head_mshr  = buffers_empty ? fill_mshr_i : mshr_q[head_q];
  localparam [LIST_IW:0] ONE_TARGET = 1;
  localparam integer     LEFT_N      = BUFFERS - 1;
  localparam [BUF_IW:0]  ALL_BUT_ONE = LEFT_N[BUF_IW:0];
  wire [LIST_IW-1:0]     drained_index = drain_last_i ? {LIST_IW{1'b0}} :
                                         index_plus_1_q[LIST_IW-1:0];

  // fill_ready_o has a high fan-out.  room_q is stored inverted so that synthesis does not merge
  // the two registers.
  reg                    room_q;
  wire                   last_buffer_taken = fill_complete && !fill_drained &&
                                             (buffers_used_q == ALL_BUT_ONE);

  assign fill_ready_o        = !buffers_used_q[BUF_IW];
  assign fill_room_o         = room_q;
  assign fill_mshr_o         = drain_mshr_q;
  assign fill_index_o        = index_q;
  assign fill_index_plus_1_o = index_plus_1_q;
  assign fill_error_o        = error_q[head_q];
  assign next_mshr_o         = fill_drained ? successor_mshr_o : head_mshr;
  assign next_index_o        = drain_i ? drained_index : index_q;
  assign next_index_plus_1_o = !drain_i ? index_plus_1_q : drain_last_i ? ONE_TARGET :
                               index_plus_1_q + 1'b1;
  assign successor_mshr_o = ((STAGED != 0) && !fill_valid_o && !buffers_empty) ? mshr_q[head_q] :
                            (buffers_empty || one_buffer_used) ? fill_mshr_i : mshr_q[head_after];

  always @(posedge clk_i) begin : p_order
    if (rst_i) begin
      head_q         <= {BUF_IW{1'b0}};
      buffers_used_q <= {(BUF_IW+1){1'b0}};
      index_q        <= {LIST_IW{1'b0}};
      index_plus_1_q <= ONE_TARGET;
    end else begin
      head_q         <= head_d;
      index_q        <= next_index_o;
      index_plus_1_q <= next_index_plus_1_o;
      if (fill_complete && !fill_drained) buffers_used_q <= buffers_used_q + 1'b1;
      if (!fill_complete && fill_drained) buffers_used_q <= buffers_used_q - 1'b1;
    end
  end

  always @(posedge clk_i) begin : p_room
    room_q <= rst_i || (!last_buffer_taken && (room_q || fill_drained));
  end

  always @(posedge clk_i) begin : p_buffers
    drain_mshr_q <= next_mshr_o;
    if (fill_take_i) begin
      error_q[tail] <= error_i || fill_failed_o;
      mshr_q[tail]  <= fill_mshr_i;
    end
  end

  generate
    if (BEAT_BYTES == LINE_BYTES) begin : gen_whole
      wire [BEAT_BYTES*8-1:0] f2_data;
      wire [BUF_IW-1:0]       f2_buffer = head_q + ready_count;

      assign fill_next_o   = 1'b0;
      assign fill_last_o   = 1'b1;
      assign fill_failed_o = 1'b0;
      assign f2_data_o     = (STAGED != 0) ? f2_data : {(BEAT_BYTES*8){1'b0}};

      byw_ram_async #(.DEPTH(BUFFERS), .WIDTH(BEAT_BYTES*8), .READS(2)) u_data (
        .clk_i(clk_i), .rd_addr_i({f2_buffer, head_q}), .rd_data_o({f2_data, fill_data_o}),
        .wr_en_i(fill_take_i), .wr_addr_i(tail), .wr_data_i(data_i)
      );
      wire unused_beat = &{1'b0, fill_beat_i};
    end else begin : gen_beats
      reg [BEAT_PW-1:0]      beat_q;
      reg                    failed_q;

      assign fill_next_o   = beat_q;
      assign fill_last_o   = &beat_q;
      assign fill_failed_o = failed_q;
      assign f2_data_o     = {(BEAT_BYTES*8){1'b0}};
      wire unused_ready = &{1'b0, ready_count};

      byw_ram_async #(.DEPTH(BUFFERS << BEAT_PW), .WIDTH(BEAT_BYTES*8)) u_data (
        .clk_i(clk_i), .rd_addr_i({head_q, fill_beat_i}), .rd_data_o(fill_data_o),
        .wr_en_i(fill_take_i), .wr_addr_i({tail, beat_q}), .wr_data_i(data_i)
      );

      always @(posedge clk_i) begin : p_beat
        if (rst_i) begin
          beat_q   <= {BEAT_PW{1'b0}};
          failed_q <= 1'b0;
        end else if (fill_take_i) begin
          beat_q   <= beat_q + 1'b1;
          failed_q <= (error_i || failed_q) && !fill_last_o;
        end
      end
    end
  endgenerate

  // ---- the stages hold the youngest fills, behind those that are ready to be answered
  generate
    if (STAGED != 0) begin : gen_stages
      reg                f1_valid_q, f2_valid_q;
      reg  [BUF_IW:0]    ready_count_q;
      wire [BUF_IW-1:0]  f2_buffer = head_q + ready_count;

      assign fill_valid_o = |ready_count_q;
      assign f2_valid_o   = f2_valid_q;
      assign f2_mshr_o    = mshr_q[f2_buffer];
      assign f2_error_o   = error_q[f2_buffer];
      assign ready_count  = ready_count_q[BUF_IW-1:0];

      always @(posedge clk_i) begin : p_stages
        if (rst_i) begin
          f1_valid_q    <= 1'b0;
          f2_valid_q    <= 1'b0;
          ready_count_q <= {(BUF_IW+1){1'b0}};
        end else begin
          f1_valid_q <= fill_complete;
          f2_valid_q <= f1_valid_q;
          if (f2_valid_q && !fill_drained) ready_count_q <= ready_count_q + 1'b1;
          if (!f2_valid_q && fill_drained) ready_count_q <= ready_count_q - 1'b1;
        end
      end
    end else begin : gen_at_once
      reg fill_valid_q;                                    // buffers_used_q != 0
      assign fill_valid_o = fill_valid_q;
      always @(posedge clk_i) begin : p_any
        fill_valid_q <= !rst_i && (fill_complete ||
                        (fill_valid_q && !(fill_drained && one_buffer_used)));
      end
      assign f2_valid_o  = 1'b0;
      assign f2_mshr_o   = {MSHR_IW{1'b0}};
      assign f2_error_o  = 1'b0;
      assign ready_count = {BUF_IW{1'b0}};
    end
  endgenerate

  // ---- path 2
  reg                    direct_valid_q;
  reg                    direct_store_q;
  reg                    direct_error_q;
  reg  [ID_W-1:0]        direct_id_q;
  reg  [BEAT_BYTES*8-1:0] direct_data_q;

  assign direct_valid_o = direct_valid_q;
  assign direct_store_o = direct_store_q;
  assign direct_id_o    = direct_id_q;
  assign direct_error_o = direct_error_q;
  assign direct_data_o  = direct_data_q;

  always @(posedge clk_i) begin : p_pass_valid
    if (rst_i) direct_valid_q <= 1'b0;
    else       direct_valid_q <= direct_take_i || (direct_valid_q && !direct_drain_i);
  end

  // Loads garbage when nothing is taken; direct_valid_q is 0 then.
  always @(posedge clk_i) begin : p_pass
    if (!direct_valid_q || direct_drain_i) begin
      direct_store_q <= direct_store_i;
      direct_error_q <= error_i;
      direct_id_q    <= direct_id_i;
      direct_data_q  <= data_i;
    end
  end

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg            direct_waits_q = 1'b0;        // path 2 held a response that was not drained
  reg [ID_W-1:0] direct_was_id_q;

  always @(posedge clk_i) begin : p_direct_waits
    direct_waits_q  <= direct_valid_q && !direct_drain_i && !rst_i;
    direct_was_id_q <= direct_id_q;
  end
`endif
  `BYW_ASSUME(fill_needs_a_buffer, fill_take_i, fill_ready_o)
  `BYW_ASSUME(response_needs_path_2, direct_take_i, !direct_valid_o || direct_drain_i)
  `BYW_ASSUME(one_response_per_cycle, fill_take_i, !direct_take_i)
  `BYW_ASSUME(drain_takes_what_is_shown, drain_i, fill_valid_o)
  `BYW_ASSERT(buffers_in_use_exist, 1'b1, buffers_used_q <= BUFFERS)
  `BYW_ASSERT(both_copies_of_room_agree, 1'b1, fill_room_o == fill_ready_o)
  `BYW_ASSERT(request_shown_has_a_buffer, fill_valid_o, buffers_used_q != {(BUF_IW+1){1'b0}})
  `BYW_ASSERT(response_of_path_2_stays, direct_waits_q,
              direct_valid_o && (direct_id_o == direct_was_id_q))
endmodule

`default_nettype wire
