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
  reg                    v1_q, byte1_q, v2_q, byte2_q;
  reg [2:0]              op1_q, hint1_q, op2_q, hint2_q;
  reg [LANES-1:0]        left_q, lanes2_q;
  wire [LANES-1:0]       near;                        // remaining lanes of the line sent last
  reg [LANES*ADDR_W-1:0] addr_q;
  reg [LANES*32-1:0]     data1_q, data2_q;
  reg [WARP_W-1:0]       warp1_q, warp2_q;
  reg [PC_W-1:0]         pc1_q, pc2_q;
  reg [FUNC_W-1:0]       func1_q, func2_q;
  reg [LINE_W-1:0]       line2_q;
  reg [LANES*OFFSET_W-1:0] offset2_q;

  wire                   lanes_ready;
  wire                   any_left;                     // always 1 with v1_q
  wire [LANE_IW-1:0]     leader;
  wire [LINE_W-1:0]      line;
  wire [LANES*LINE_W-1:0]   line_of;
  wire [LANES*BEAT_PW-1:0]  beat_of;
  wire [BEAT_PW-1:0]        beat;
  wire [LANES*OFFSET_W-1:0] offset_of;
  // remaining lanes with the line of the leader, and with its beat
  reg  [LANES-1:0]       line_same, same, pick;
  reg                    twice;
  wire                   move    = v1_q && (!v2_q || lanes_ready);
  wire [LANES-1:0]       left_d  = left_q & ~pick;
  wire                   leaving = move && (left_d == {LANES{1'b0}});
  integer                i, j, n, w;
  genvar                 g;

  assign in_ready_o = !v1_q || leaving;
  byw_prio_enc #(.N(LANES), .IDX_W(LANE_IW)) u_leader (
    .req_i((near != {LANES{1'b0}}) ? near : left_q), .any_o(any_left), .index_o(leader)
  );
  byw_mux #(.N(LANES), .W(LINE_W), .SEL_W(LANE_IW)) u_line (
    .data_i(line_of), .sel_i(leader), .data_o(line)
  );
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_lane
      assign line_of[g*LINE_W +: LINE_W]       = addr_q[g*ADDR_W+ADDR_W-LINE_W +: LINE_W];
      assign offset_of[g*OFFSET_W +: OFFSET_W] = addr_q[g*ADDR_W +: OFFSET_W];
    end
    if (BEATS > 1) begin : gen_beats
      reg [LANES-1:0]   near_q;
      reg [BEAT_PW-1:0] beat2_q;
      reg               more2_q;
      for (g = 0; g < LANES; g = g + 1) begin : gen_beat
        assign beat_of[g*BEAT_PW +: BEAT_PW] = addr_q[g*ADDR_W+OFFSET_W +: BEAT_PW];
      end
      byw_mux #(.N(LANES), .W(BEAT_PW), .SEL_W(LANE_IW)) u_beat (
        .data_i(beat_of), .sel_i(leader), .data_o(beat)
      );
      assign near       = near_q;
      assign req_beat_o = beat2_q;
      assign req_more_o = more2_q;
      always @(posedge clk_i) begin : p_beats
        if (in_ready_o) near_q <= {LANES{1'b0}};
        else if (move) near_q <= line_same & ~pick;
        if (move) begin
          beat2_q <= beat;
          more2_q <= near_q != {LANES{1'b0}};
        end
      end
    end else begin : gen_no_beats
      assign beat_of    = {LANES{1'b0}};
      assign beat       = 1'b0;
      assign near       = {LANES{1'b0}};
      assign req_beat_o = 1'b0;
      assign req_more_o = 1'b0;
    end
  endgenerate

  always @* begin : p_pick
    for (i = 0; i < LANES; i = i + 1) begin
      line_same[i] = left_q[i] && (line_of[i*LINE_W +: LINE_W] == line);
      same[i]      = line_same[i] && (beat_of[i*BEAT_PW +: BEAT_PW] == beat);
    end
    for (i = 0; i < LANES; i = i + 1) begin
      twice = 1'b0;
      for (j = 0; j < i; j = j + 1)
        if (same[j] && (offset_of[j*OFFSET_W+2 +: WORD_IW] == offset_of[i*OFFSET_W+2 +: WORD_IW]))
          twice = 1'b1;
      pick[i] = same[i] && !(twice && (op1_q == BYW_OP_ATOMIC));
    end
  end

  always @(posedge clk_i) begin : p_s1
    if (in_ready_o) begin
      op1_q   <= in_op_i;
      byte1_q <= in_byte_i;
      addr_q  <= in_addr_i;
      data1_q <= in_data_i;
      warp1_q <= in_warp_i;
      pc1_q   <= in_pc_i;
      hint1_q <= in_hint_i;
      func1_q <= in_func_i;
    end
    if (rst_i) v1_q <= 1'b0;
    else if (in_ready_o) v1_q <= in_valid_i;
    if (in_ready_o) left_q <= in_lanes_i;
    else if (move) left_q <= left_d;
  end

  // ---- s2: one line or beat
  always @(posedge clk_i) begin : p_s2
    if (move) begin
      op2_q     <= op1_q;
      byte2_q   <= byte1_q;
      lanes2_q  <= pick;
      line2_q   <= line;
      offset2_q <= offset_of;
      data2_q   <= data1_q;
      warp2_q   <= warp1_q;
      pc2_q     <= pc1_q;
      hint2_q   <= hint1_q;
      func2_q   <= func1_q;
    end
    if (rst_i) v2_q <= 1'b0;
    else if (move) v2_q <= 1'b1;
    else if (lanes_ready) v2_q <= 1'b0;
  end

  wire                     store2 = op2_q == BYW_OP_STORE;
  wire [LANES*2-1:0]       low2;
  wire [LANES*WORD_IW-1:0] words2;
  wire [LANES*4-1:0]       bytes2;
  wire [LANES*32-1:0]      placed2;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_place
      wire [1:0] low = offset2_q[g*OFFSET_W +: 2];
      assign low2[g*2 +: 2]                = low;
      assign words2[g*WORD_IW +: WORD_IW]  = offset2_q[g*OFFSET_W+2 +: WORD_IW];
      assign bytes2[g*4 +: 4]              = byte2_q ? (4'd1 << low) : 4'd15;
      assign placed2[g*32 +: 32]           = byte2_q ? {4{data2_q[g*32 +: 8]}} :
                                             data2_q[g*32 +: 32];
    end
  endgenerate

  // ---- slots, scatter, gather
  wire [SLOT_IW-1:0]  slot;
  wire [TAG_W-1:0]    ans_tag;
  wire [LANES-1:0]    ans_lanes;
  wire [LANES*32-1:0] ans_words;
  wire                ans_valid, slots_idle;
  wire                ans_store = ans_tag[TAG_W-1];
  wire                ans_byte  = ans_tag[TAG_W-2];
  wire [WARP_W-1:0]   ans_warp  = ans_tag[2*LANES +: WARP_W];
  reg                 out_q;
  wire                ans_ready = ans_store || !out_q || out_ready_i;

  byw_lanes #(
    .LANES(LANES), .LINE_BYTES(PORT_BYTES), .SLOTS(SLOTS), .TAG_W(TAG_W), .RIGHT(0)
  ) u_lanes (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // req: from the lanes; lanes without their bit in req_lanes_i are ignored
    .req_valid_i(v2_q),
    .req_ready_o(lanes_ready),
    .req_lanes_i(lanes2_q),
    .req_words_i(words2),
    .req_bytes_i(bytes2),
    .req_data_i(placed2),
    .req_tag_i({store2, byte2_q, warp2_q, low2}),

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
    .rsp_valid_o(ans_valid),
    .rsp_ready_i(ans_ready),
    .rsp_tag_o(ans_tag),
    .rsp_lanes_o(ans_lanes),
    .rsp_data_o(ans_words),

    .idle_o(slots_idle)
  );
  assign req_op_o   = op2_q;
  assign req_line_o = line2_q;
  assign req_pc_o   = pc2_q;
  assign req_hint_o = hint2_q;
  assign req_func_o = func2_q;
  assign req_id_o   = {{(ID_W-SLOT_IW){1'b0}}, slot};

  // ---- out
  reg  [WARP_W-1:0]      out_warp_q;
  reg  [LANES-1:0]       out_lanes_q;
  reg  [LANES*32-1:0]    out_data_q;
  reg  [WARPS*LANES-1:0] due_q;                         // unanswered lanes of each warp
  wire [LANES-1:0]       out_due;
  wire                   give = ans_valid && ans_ready;
  wire                   loads = in_valid_i && in_ready_o && (in_op_i != BYW_OP_STORE);
  wire [31:0]            word [0:LANES-1];
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_word
      wire [7:0] picked;
      byw_mux #(.N(4), .W(8)) u_byte (
        .data_i(ans_words[g*32 +: 32]), .sel_i(ans_tag[g*2 +: 2]), .data_o(picked)
      );
      assign word[g] = ans_byte ? {24'd0, picked} : ans_words[g*32 +: 32];
    end
  endgenerate

  assign out_valid_o = out_q;
  assign out_warp_o  = out_warp_q;
  assign out_lanes_o = out_lanes_q;
  assign out_data_o  = out_data_q;
  assign out_last_o  = (out_due & ~out_lanes_q) == {LANES{1'b0}};
  byw_mux #(.N(WARPS), .W(LANES), .SEL_W(WARP_W)) u_due (
    .data_i(due_q), .sel_i(out_warp_q), .data_o(out_due)
  );

  always @(posedge clk_i) begin : p_out
    if (give && !ans_store) begin
      out_warp_q  <= ans_warp;
      out_lanes_q <= ans_lanes;
      for (n = 0; n < LANES; n = n + 1) out_data_q[n*32 +: 32] <= word[n];
    end
    if (rst_i) out_q <= 1'b0;
    else if (give && !ans_store) out_q <= 1'b1;
    else if (out_ready_i) out_q <= 1'b0;
    error_o <= give && rsp_error_i && !rst_i;
  end

  always @(posedge clk_i) begin : p_due
    for (w = 0; w < WARPS; w = w + 1)
      if (loads && (in_warp_i == w[WARP_W-1:0])) due_q[w*LANES +: LANES] <= in_lanes_i;
      else if (out_q && out_ready_i && (out_warp_q == w[WARP_W-1:0]))
        due_q[w*LANES +: LANES] <= due_q[w*LANES +: LANES] & ~out_lanes_q;
  end

  // ---- unacknowledged stores
  reg  [WARPS*COUNT_W-1:0] stores_q;
  localparam [WARPS-1:0]   ONE = 1;
  wire                     sent = v2_q && lanes_ready && store2;
  wire [WARPS-1:0]         up   = sent ? (ONE << warp2_q) : {WARPS{1'b0}};
  wire [WARPS-1:0]         down = (give && ans_store) ? (ONE << ans_warp) : {WARPS{1'b0}};
  integer                  s, t;
  always @* begin : p_stores_seen
    for (t = 0; t < WARPS; t = t + 1)
      stores_o[t] = (stores_q[t*COUNT_W +: COUNT_W] != {COUNT_W{1'b0}}) ||
                    (v1_q && (op1_q == BYW_OP_STORE) && (warp1_q == t[WARP_W-1:0])) ||
                    (v2_q && store2 && (warp2_q == t[WARP_W-1:0]));
  end
  always @(posedge clk_i) begin : p_stores
    for (s = 0; s < WARPS; s = s + 1)
      if (rst_i) stores_q[s*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
      else if (up[s] && !down[s])
        stores_q[s*COUNT_W +: COUNT_W] <= stores_q[s*COUNT_W +: COUNT_W] + 1'b1;
      else if (down[s] && !up[s])
        stores_q[s*COUNT_W +: COUNT_W] <= stores_q[s*COUNT_W +: COUNT_W] - 1'b1;
  end

  assign idle_o = !v1_q && !v2_q && slots_idle && !out_q;

  generate
    if (ID_W > SLOT_IW) begin : gen_unused
      wire unused = &{1'b0, any_left, rsp_id_i[ID_W-1:SLOT_IW]};
    end else begin : gen_no_unused
      wire unused = &{1'b0, any_left};
    end
  endgenerate

  `BYW_CHECKS
  `BYW_ASSUME(instruction_has_a_lane, in_valid_i, in_lanes_i != {LANES{1'b0}})
  `BYW_ASSERT(instruction_has_lanes_left, v1_q, left_q != {LANES{1'b0}})
  `BYW_ASSERT(request_serves_a_lane, v1_q, (pick & left_q) != {LANES{1'b0}})
  `BYW_ASSERT(lanes_of_a_request_are_left, v1_q, (pick & ~left_q) == {LANES{1'b0}})
endmodule

`default_nettype wire
