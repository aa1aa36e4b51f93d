// SPDX-License-Identifier: Apache-2.0
//
// byw_lane_coalescer - splits a warp's load, store or atomic into requests of lines or beats, and
//                      returns the responses to its lanes.
//
// Behaviour   s1 holds the instruction.  In each cycle the lowest remaining lane is the leader: all
//             remaining lanes with the same line form one request.  For an atomic, only the first
//             lane per word takes part.  With beats a request covers one beat; lanes of the line
//             sent last precede others, so that they form one access (req_more_o).  s2 holds the
//             request for byw_lanes.  Responses pass a register; byte loads are zero-extended.
//             out_last_o marks a warp's last lanes.  A warp has one load or atomic in flight.
// C twin      cmodel/model/top/byw_lane_coalescer.c; checked by
//             verif/top/lockstep_lane_coalescer.c.
// Reset       rst_i: empty.                                Paper  none; rtl/doc/lane_coalescer.md.
//
// Parameter   Default  Range         Meaning
// LANES       4        1..16         lanes per warp
// WARPS       4        2..32         number of warps
// LINE_BYTES  128      2^n, 8..128   line size
// BEAT_BYTES  0        0, 2^n, 8..LINE_BYTES   data width, as in the cache; 0: the line
// SLOTS       16       1..1024       requests in flight
// ADDR_W      32       12..32        width of a byte address
// PC_W, ID_W  32, 16                 widths at the port of the cache
// FUNC_W      1        1..32         likewise; 1 if the cache has FUNC_W 0
//
`default_nettype none
`include "byw_assert.vh"

module byw_lane_coalescer #(
  parameter integer LANES      = 4,
  parameter integer WARPS      = 4,
  parameter integer LINE_BYTES = 128,
  parameter integer SLOTS      = 16,
  parameter integer ADDR_W     = 32,
  parameter integer PC_W       = 32,
  parameter integer ID_W       = 16,
  parameter integer FUNC_W     = 1,
  parameter integer BEAT_BYTES = 0,
  // derived, as are the next three
  parameter integer PORT_BYTES = (BEAT_BYTES > 0) ? BEAT_BYTES : LINE_BYTES,
  parameter integer BEAT_PW    = (PORT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/PORT_BYTES) : 1,
  parameter integer WARP_W     = (WARPS > 1) ? $clog2(WARPS) : 1,
  parameter integer LINE_W     = ADDR_W - $clog2(LINE_BYTES)
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // in: from the core; word addresses are multiples of 4
  input  wire                    in_valid_i,
  output wire                    in_ready_o,
  input  wire [2:0]              in_op_i,           // BYW_OP_LOAD, STORE, ATOMIC
  input  wire                    in_byte_i,         // byte access instead of word; not for atomics
  input  wire [LANES-1:0]        in_lanes_i,        // not all 0
  input  wire [LANES*ADDR_W-1:0] in_addr_i,
  input  wire [LANES*32-1:0]     in_data_i,         // a byte is in bits 7:0
  input  wire [WARP_W-1:0]       in_warp_i,
  input  wire [PC_W-1:0]         in_pc_i,
  input  wire [2:0]              in_hint_i,
  input  wire [FUNC_W-1:0]       in_func_i,

  // req, rsp: port of the cache
  output wire                    req_valid_o,
  input  wire                    req_ready_i,
  output wire [2:0]              req_op_o,
  output wire [LINE_W-1:0]       req_line_o,
  output wire [BEAT_PW-1:0]      req_beat_o,
  output wire                    req_more_o,        // continues the access of the previous request
  output wire [PORT_BYTES-1:0]   req_bytes_o,
  output wire [PORT_BYTES*8-1:0] req_data_o,
  output wire [PC_W-1:0]         req_pc_o,
  output wire [ID_W-1:0]         req_id_o,
  output wire [2:0]              req_hint_o,
  output wire [FUNC_W-1:0]       req_func_o,
  input  wire                    rsp_valid_i,
  output wire                    rsp_ready_o,
  input  wire [PORT_BYTES*8-1:0] rsp_data_i,
  input  wire [ID_W-1:0]         rsp_id_i,
  input  wire                    rsp_error_i,

  // out: to the lanes of loads and atomics
  output wire                    out_valid_o,
  input  wire                    out_ready_i,
  output wire [WARP_W-1:0]       out_warp_o,
  output wire [LANES-1:0]        out_lanes_o,
  output wire [LANES*32-1:0]     out_data_o,
  output wire                    out_last_o,        // the warp is complete

  output reg                     error_o,           // pulse: a response reported an error
  output reg  [WARPS-1:0]        stores_o,         // the warp has unacknowledged stores
  output wire                    idle_o
);
  `include "byw_defs.vh"

  localparam integer BEATS    = LINE_BYTES / PORT_BYTES;
  localparam integer OFFSET_W = $clog2(PORT_BYTES);         // width of an offset
  localparam integer WORD_IW  = OFFSET_W - 2;
  localparam integer LANE_IW  = (LANES > 1) ? $clog2(LANES) : 1;
  localparam integer SLOT_IW  = (SLOTS > 1) ? $clog2(SLOTS) : 1;
  localparam integer COUNT_W  = $clog2(SLOTS + 1);
  localparam integer TAG_W    = 2 + WARP_W + 2 * LANES;   // {store, byte, warp, low address bits}

  generate
    if ((FUNC_W < 1) || (FUNC_W > 32)) begin : gen_check_func
      byw_lane_coalescer_FUNC_W_must_be_1_to_32 u_error ();
    end
    if ((LANES < 1) || (LANES > 16)) begin : gen_check_lanes
      byw_lane_coalescer_LANES_must_be_1_to_16 u_error ();
    end
    if ((WARPS < 2) || (WARPS > 32)) begin : gen_check_warps
      byw_lane_coalescer_WARPS_must_be_2_to_32 u_error ();
    end
    if ((LINE_BYTES < 8) || (LINE_BYTES > 128)) begin : gen_check_line
      byw_lane_coalescer_LINE_BYTES_must_be_8_to_128 u_error ();
    end
    if ((BEAT_BYTES != 0) && ((BEAT_BYTES < 8) || (BEAT_BYTES > LINE_BYTES) ||
                              ((BEAT_BYTES & (BEAT_BYTES - 1)) != 0))) begin : gen_check_beat
      byw_lane_coalescer_BEAT_BYTES_must_be_0_or_2_to_the_n_from_8_to_LINE_BYTES u_error ();
    end
    if ((ADDR_W < 12) || (ADDR_W > 32)) begin : gen_check_addr
      byw_lane_coalescer_ADDR_W_must_be_12_to_32 u_error ();
    end
    if (ID_W < SLOT_IW) begin : gen_check_id
      byw_lane_coalescer_ID_W_must_hold_the_slot_number u_error ();
    end
  endgenerate

  // ---- s1: the instruction, and its remaining lanes
  reg                    s1_valid_q, s1_byte_q, s2_valid_q, s2_byte_q;
  reg [2:0]              s1_op_q, s1_hint_q, s2_op_q, s2_hint_q;
  reg [LANES-1:0]        s1_left_q, s2_lanes_q;
  wire [LANES-1:0]       line_left;                   // remaining lanes of the line sent last
  reg [LANES*ADDR_W-1:0] s1_addr_q;
  reg [LANES*32-1:0]     s1_data_q, s2_data_q;
  reg [WARP_W-1:0]       s1_warp_q, s2_warp_q;
  reg [PC_W-1:0]         s1_pc_q, s2_pc_q;
  reg [FUNC_W-1:0]       s1_func_q, s2_func_q;
  reg [LINE_W-1:0]       s2_line_q;
  reg [LANES*OFFSET_W-1:0] s2_offset_q;

  wire                   s2_ready;
  wire                   any_left;                     // always 1 with s1_valid_q
  wire [LANE_IW-1:0]     leader;
  wire [LINE_W-1:0]      line;
  wire [LANES*LINE_W-1:0]   line_of;
  wire [LANES*BEAT_PW-1:0]  beat_of;
  wire [BEAT_PW-1:0]        beat;
  wire [LANES*OFFSET_W-1:0] offset_of;
  // remaining lanes with the line of the leader, and with its beat
  reg  [LANES-1:0]       line_same, beat_same, s1_pick;
  reg                    word_taken;
  wire                   s1_move   = s1_valid_q && (!s2_valid_q || s2_ready);
  wire [LANES-1:0]       s1_left_d = s1_left_q & ~s1_pick;
  wire                   s1_done   = s1_move && (s1_left_d == {LANES{1'b0}});
  integer                i, j, n, w;
  genvar                 g;

  assign in_ready_o = !s1_valid_q || s1_done;
  byw_prio_enc #(.N(LANES), .IDX_W(LANE_IW)) u_leader (
    .req_i((line_left != {LANES{1'b0}}) ? line_left : s1_left_q), .any_o(any_left), .index_o(leader)
  );
  byw_mux #(.N(LANES), .W(LINE_W), .SEL_W(LANE_IW)) u_line (
    .data_i(line_of), .sel_i(leader), .data_o(line)
  );
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_lane
      assign line_of[g*LINE_W +: LINE_W]       = s1_addr_q[g*ADDR_W+ADDR_W-LINE_W +: LINE_W];
      assign offset_of[g*OFFSET_W +: OFFSET_W] = s1_addr_q[g*ADDR_W +: OFFSET_W];
    end
    if (BEATS > 1) begin : gen_beats
      reg [LANES-1:0]   line_left_q;
      reg [BEAT_PW-1:0] s2_beat_q;
      reg               s2_more_q;
      for (g = 0; g < LANES; g = g + 1) begin : gen_beat
        assign beat_of[g*BEAT_PW +: BEAT_PW] = s1_addr_q[g*ADDR_W+OFFSET_W +: BEAT_PW];
      end
      byw_mux #(.N(LANES), .W(BEAT_PW), .SEL_W(LANE_IW)) u_beat (
        .data_i(beat_of), .sel_i(leader), .data_o(beat)
      );
      assign line_left  = line_left_q;
      assign req_beat_o = s2_beat_q;
      assign req_more_o = s2_more_q;
      always @(posedge clk_i) begin : p_beats
        if (in_ready_o) line_left_q <= {LANES{1'b0}};
        else if (s1_move) line_left_q <= line_same & ~s1_pick;
        if (s1_move) begin
          s2_beat_q <= beat;
          s2_more_q <= line_left_q != {LANES{1'b0}};
        end
      end
    end else begin : gen_no_beats
      assign beat_of    = {LANES{1'b0}};
      assign beat       = 1'b0;
      assign line_left  = {LANES{1'b0}};
      assign req_beat_o = 1'b0;
      assign req_more_o = 1'b0;
    end
  endgenerate

  always @* begin : p_pick
    for (i = 0; i < LANES; i = i + 1) begin
      line_same[i] = s1_left_q[i] && (line_of[i*LINE_W +: LINE_W] == line);
      beat_same[i] = line_same[i] && (beat_of[i*BEAT_PW +: BEAT_PW] == beat);
    end
    for (i = 0; i < LANES; i = i + 1) begin
      word_taken = 1'b0;
      for (j = 0; j < i; j = j + 1)
        if (beat_same[j] &&
            (offset_of[j*OFFSET_W+2 +: WORD_IW] == offset_of[i*OFFSET_W+2 +: WORD_IW]))
          word_taken = 1'b1;
      s1_pick[i] = beat_same[i] && !(word_taken && (s1_op_q == BYW_OP_ATOMIC));
    end
  end

  always @(posedge clk_i) begin : p_s1
    if (in_ready_o) begin
      s1_op_q   <= in_op_i;
      s1_byte_q <= in_byte_i;
      s1_addr_q <= in_addr_i;
      s1_data_q <= in_data_i;
      s1_warp_q <= in_warp_i;
      s1_pc_q   <= in_pc_i;
      s1_hint_q <= in_hint_i;
      s1_func_q <= in_func_i;
    end
    if (rst_i) s1_valid_q <= 1'b0;
    else if (in_ready_o) s1_valid_q <= in_valid_i;
    if (in_ready_o) s1_left_q <= in_lanes_i;
    else if (s1_move) s1_left_q <= s1_left_d;
  end

  // ---- s2: one line or beat
  always @(posedge clk_i) begin : p_s2
    if (s1_move) begin
      s2_op_q     <= s1_op_q;
      s2_byte_q   <= s1_byte_q;
      s2_lanes_q  <= s1_pick;
      s2_line_q   <= line;
      s2_offset_q <= offset_of;
      s2_data_q   <= s1_data_q;
      s2_warp_q   <= s1_warp_q;
      s2_pc_q     <= s1_pc_q;
      s2_hint_q   <= s1_hint_q;
      s2_func_q   <= s1_func_q;
    end
    if (rst_i) s2_valid_q <= 1'b0;
    else if (s1_move) s2_valid_q <= 1'b1;
    else if (s2_ready) s2_valid_q <= 1'b0;
  end

  wire                     s2_is_store = s2_op_q == BYW_OP_STORE;
  wire [LANES*2-1:0]       s2_low;
  wire [LANES*WORD_IW-1:0] s2_words;
  wire [LANES*4-1:0]       s2_bytes;
  wire [LANES*32-1:0]      s2_data;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_place
      wire [1:0] low = s2_offset_q[g*OFFSET_W +: 2];
      assign s2_low[g*2 +: 2]               = low;
      assign s2_words[g*WORD_IW +: WORD_IW] = s2_offset_q[g*OFFSET_W+2 +: WORD_IW];
      assign s2_bytes[g*4 +: 4]             = s2_byte_q ? (4'd1 << low) : 4'd15;
      assign s2_data[g*32 +: 32]            = s2_byte_q ? {4{s2_data_q[g*32 +: 8]}} :
                                              s2_data_q[g*32 +: 32];
    end
  endgenerate

  // ---- slots, scatter, gather
  wire [SLOT_IW-1:0]  slot;
  wire [TAG_W-1:0]    lane_rsp_tag;
  wire [LANES-1:0]    lane_rsp_lanes;
  wire [LANES*32-1:0] lane_rsp_words;
  wire                lane_rsp_valid, slots_idle;
  wire                lane_rsp_store = lane_rsp_tag[TAG_W-1];
  wire                lane_rsp_byte  = lane_rsp_tag[TAG_W-2];
  wire [WARP_W-1:0]   lane_rsp_warp  = lane_rsp_tag[2*LANES +: WARP_W];
  reg                 out_valid_q;
  wire                lane_rsp_ready = lane_rsp_store || !out_valid_q || out_ready_i;

  byw_lanes #(
    .LANES(LANES), .LINE_BYTES(PORT_BYTES), .SLOTS(SLOTS), .TAG_W(TAG_W), .RIGHT(0)
  ) u_lanes (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // req: from the lanes; lanes without their bit in req_lanes_i are ignored
    .req_valid_i(s2_valid_q),
    .req_ready_o(s2_ready),
    .req_lanes_i(s2_lanes_q),
    .req_words_i(s2_words),
    .req_bytes_i(s2_bytes),
    .req_data_i(s2_data),
    .req_tag_i({s2_is_store, s2_byte_q, s2_warp_q, s2_low}),

    // line_req, line_rsp: to req and from rsp of the cache
    .line_req_valid_o(req_valid_o),
    .line_req_ready_i(req_ready_i),
    .line_req_bytes_o(req_bytes_o),
    .line_req_data_o(req_data_o),
    .line_req_id_o(slot),
    .line_rsp_valid_i(rsp_valid_i),
    .line_rsp_ready_o(rsp_ready_o),
    .line_rsp_data_i(rsp_data_i),
    .line_rsp_id_i(rsp_id_i[SLOT_IW-1:0]),

    // rsp: to the lanes; whole words
    .rsp_valid_o(lane_rsp_valid),
    .rsp_ready_i(lane_rsp_ready),
    .rsp_tag_o(lane_rsp_tag),
    .rsp_lanes_o(lane_rsp_lanes),
    .rsp_data_o(lane_rsp_words),

    .idle_o(slots_idle)
  );
  assign req_op_o   = s2_op_q;
  assign req_line_o = s2_line_q;
  assign req_pc_o   = s2_pc_q;
  assign req_hint_o = s2_hint_q;
  assign req_func_o = s2_func_q;
  assign req_id_o   = {{(ID_W-SLOT_IW){1'b0}}, slot};

  // ---- out
  reg  [WARP_W-1:0]      out_warp_q;
  reg  [LANES-1:0]       out_lanes_q;
  reg  [LANES*32-1:0]    out_data_q;
  reg  [WARPS*LANES-1:0] lanes_due_q;                   // unanswered lanes of each warp
  wire [LANES-1:0]       out_due;
  wire                   lane_rsp_taken = lane_rsp_valid && lane_rsp_ready;
  wire                   load_taken     = in_valid_i && in_ready_o && (in_op_i != BYW_OP_STORE);
  wire [31:0]            word [0:LANES-1];
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_word
      wire [7:0] byte_of_word;
      byw_mux #(.N(4), .W(8)) u_byte (
        .data_i(lane_rsp_words[g*32 +: 32]), .sel_i(lane_rsp_tag[g*2 +: 2]), .data_o(byte_of_word)
      );
      assign word[g] = lane_rsp_byte ? {24'd0, byte_of_word} : lane_rsp_words[g*32 +: 32];
    end
  endgenerate

  assign out_valid_o = out_valid_q;
  assign out_warp_o  = out_warp_q;
  assign out_lanes_o = out_lanes_q;
  assign out_data_o  = out_data_q;
  assign out_last_o  = (out_due & ~out_lanes_q) == {LANES{1'b0}};
  byw_mux #(.N(WARPS), .W(LANES), .SEL_W(WARP_W)) u_due (
    .data_i(lanes_due_q), .sel_i(out_warp_q), .data_o(out_due)
  );

  always @(posedge clk_i) begin : p_out
    if (lane_rsp_taken && !lane_rsp_store) begin
      out_warp_q  <= lane_rsp_warp;
      out_lanes_q <= lane_rsp_lanes;
      for (n = 0; n < LANES; n = n + 1) out_data_q[n*32 +: 32] <= word[n];
    end
    if (rst_i) out_valid_q <= 1'b0;
    else if (lane_rsp_taken && !lane_rsp_store) out_valid_q <= 1'b1;
    else if (out_ready_i) out_valid_q <= 1'b0;
    error_o <= lane_rsp_taken && rsp_error_i && !rst_i;
  end

  always @(posedge clk_i) begin : p_due
    for (w = 0; w < WARPS; w = w + 1)
      if (load_taken && (in_warp_i == w[WARP_W-1:0])) lanes_due_q[w*LANES +: LANES] <= in_lanes_i;
      else if (out_valid_q && out_ready_i && (out_warp_q == w[WARP_W-1:0]))
        lanes_due_q[w*LANES +: LANES] <= lanes_due_q[w*LANES +: LANES] & ~out_lanes_q;
  end

  // ---- unacknowledged stores
  reg  [WARPS*COUNT_W-1:0] stores_q;
  localparam [WARPS-1:0]   ONE = 1;
  wire                     store_sent = s2_valid_q && s2_ready && s2_is_store;
  wire                     store_acked = lane_rsp_taken && lane_rsp_store;
  wire [WARPS-1:0]         store_inc = store_sent ? (ONE << s2_warp_q) : {WARPS{1'b0}};
  wire [WARPS-1:0]         store_dec = store_acked ? (ONE << lane_rsp_warp) : {WARPS{1'b0}};
  integer                  s, t;
  always @* begin : p_stores_seen
    for (t = 0; t < WARPS; t = t + 1)
      stores_o[t] = (stores_q[t*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}}) ||
                    (s1_valid_q && (s1_op_q == BYW_OP_STORE) && (s1_warp_q == t[WARP_W-1:0])) ||
                    (s2_valid_q && s2_is_store && (s2_warp_q == t[WARP_W-1:0]));
  end
  always @(posedge clk_i) begin : p_stores
    for (s = 0; s < WARPS; s = s + 1)
      if (rst_i) stores_q[s*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
      else if (store_inc[s] && !store_dec[s])
        stores_q[s*COUNT_W +: COUNT_W] <= stores_q[s*COUNT_W +: COUNT_W] + 1'b1;
      else if (store_dec[s] && !store_inc[s])
        stores_q[s*COUNT_W +: COUNT_W] <= stores_q[s*COUNT_W +: COUNT_W] - 1'b1;
  end

  assign idle_o = !s1_valid_q && !s2_valid_q && slots_idle && !out_valid_q;

  generate
    if (ID_W > SLOT_IW) begin : gen_unused
      wire unused = &{1'b0, any_left, rsp_id_i[ID_W-1:SLOT_IW]};
    end else begin : gen_no_unused
      wire unused = &{1'b0, any_left};
    end
  endgenerate

  `BYW_CHECKS
  `BYW_ASSUME(instruction_has_a_lane, in_valid_i, in_lanes_i != {LANES{1'b0}})
  `BYW_ASSERT(instruction_has_lanes_left, s1_valid_q, s1_left_q != {LANES{1'b0}})
  `BYW_ASSERT(request_serves_a_lane, s1_valid_q, (s1_pick & s1_left_q) != {LANES{1'b0}})
  `BYW_ASSERT(lanes_of_a_request_are_left, s1_valid_q, (s1_pick & ~s1_left_q) == {LANES{1'b0}})
endmodule

`default_nettype wire
