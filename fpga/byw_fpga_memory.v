// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_memory - the memory behind the cache in the self-test.
//
// Behaviour   Stores the version of each element; byw_fpga_place generates the bytes from it.  It
//             checks that each write carries valid bytes for its place and that each fill requests
//             all bytes of its place.  It checks that the upper address bits are those of the
//             requester.  It performs requests in the order in which it accepts them, responds in
//             any order, and inverts the bytes that a bypass did not request.  With several BEATS a
//             fill is set aside and performed beat by beat; another fill may overtake it before it
//             starts.  With throttle_i it accepts and responds at random times.  With LEAN no
//             register holds write data, and responses stay in order.  Stages: k accepted; l a fill
//             of several beats; m the word is read; x written and answered; then a queue, its head
//             h, the entry hold that is set aside, and mem_rsp.
// Reset       rst_i; the versions are cleared by clear_i at clear_place_i.
//
// Parameter   Default  Range        Meaning
// BYTES, GRAIN, PLACES_W            as in byw_fpga_place
// BEATS       1        1, 2..16     places (beats) per line
// LINE_W      29       > lines'     width of a line address
// ID_W        16       1..16        width of an id
// QUEUE_W     5        4..8         2^QUEUE_W responses can wait
// LEAN        0        0, 1         1: fewer registers, longer paths
//
`default_nettype none

module byw_fpga_memory #(
  parameter integer BYTES    = 32,
  parameter integer GRAIN    = 1,
  parameter integer PLACES_W = 8,
  parameter integer BEATS    = 1,
  parameter integer LINE_W   = 29,
  parameter integer ID_W     = 16,
  parameter integer QUEUE_W  = 5,
  parameter integer LEAN     = 0,
  parameter integer ELEMENTS = BYTES / GRAIN,
  parameter integer BEAT_PW  = (BEATS > 1) ? $clog2(BEATS) : 1      // derived
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire                    clear_i,
  input  wire [PLACES_W-1:0]     clear_place_i,
  input  wire                    audit_i,          // only while quiet_o
  input  wire [PLACES_W-1:0]     audit_place_i,
  output wire [2*ELEMENTS-1:0]   audit_version_o,  // valid one cycle later
  input  wire                    throttle_i,

  input  wire                    mem_req_valid_i,
  output wire                    mem_req_ready_o,
  input  wire [1:0]              mem_req_kind_i,
  input  wire                    mem_req_atomic_i,
  input  wire                    mem_req_predicted_i,
  input  wire [LINE_W-1:0]       mem_req_line_i,
  input  wire [BEAT_PW-1:0]      mem_req_beat_i,
  input  wire [BYTES-1:0]        mem_req_bytes_i,
  input  wire [BYTES*8-1:0]      mem_req_data_i,
  input  wire [ID_W-1:0]         mem_req_id_i,

  output reg                     mem_rsp_valid_o,
  input  wire                    mem_rsp_ready_i,
  output reg  [1:0]              mem_rsp_kind_o,
  output reg  [BYTES*8-1:0]      mem_rsp_data_o,
  output reg  [ID_W-1:0]         mem_rsp_id_o,
  output reg                     mem_rsp_mispredict_o,

  output reg                     quiet_o,        // every accepted request is answered
  output reg                     bad_write_o     // pulse
);
  `include "byw_defs.vh"

  localparam integer BITS    = GRAIN * 8;
  localparam integer GROUPS  = (ELEMENTS + 7) / 8;
  localparam integer BEAT_W  = (BEATS > 1) ? BEAT_PW : 0;
  localparam integer LINES_W = PLACES_W - BEAT_W;
  localparam integer UPPER   = LINE_W - LINES_W;
  // kind, predicted, id, place, mask
  localparam integer SIDE_W  = 2 + 1 + ID_W + PLACES_W + ELEMENTS;
  localparam integer WORD_W  = SIDE_W + 2*ELEMENTS;

  genvar e;

  // ---- k: accepted
  reg                    k_valid_q, k_atomic_q, k_predicted_q;
  reg [1:0]              k_kind_q;
  reg [LINE_W-1:0]       k_line_q;
  reg [BEAT_PW-1:0]      k_beat_q;
  reg [BYTES-1:0]        k_bytes_q;
  reg [BYTES*8-1:0]      k_data_q;
  reg [ID_W-1:0]         k_id_q;
  wire [PLACES_W-1:0]    k_place;
  wire [ELEMENTS-1:0]    k_mask;
  // ---- m: the word is read; x: it is available
  reg                    aside_q, aside_odd_q;     // a fill was set aside; its place is wrong
  reg                    m_valid_q, x_valid_q, m_writes_q, x_writes_q, m_odd_q, x_odd_q;
  reg [SIDE_W-1:0]       m_side_q, x_side_q;
  reg [2*ELEMENTS-1:0]   m_new_q, x_new_q, x_old_q;
  reg [GROUPS-1:0]       m_match_q, x_match_q;
  wire [2*ELEMENTS-1:0]  m_old;

  reg  [15:0]            random_q;
  reg                    room_q;
  reg  [QUEUE_W:0]       count_q;
  wire [PLACES_W-1:0]    m_place = m_side_q[ELEMENTS +: PLACES_W];
  wire [PLACES_W-1:0]    x_place = x_side_q[ELEMENTS +: PLACES_W];
  wire [ELEMENTS-1:0]    x_mask  = x_side_q[ELEMENTS-1:0];
  wire [LINES_W-1:0]     k_line  = k_line_q[LINES_W-1:0];

  // ---- l: a fill of several beats, set aside; g: moves on to m, from l or k
  wire [SIDE_W-1:0]    l_side;
  wire                 l_valid, l_next, k_goes, k_aside, k_leaves;
  wire [LINE_W-1:0]    l_line;
  wire [ID_W:0]        l_who;                      // {predicted, id}
  wire [SIDE_W-1:0]    g_side  = l_next ? l_side :
                                 {k_kind_q, k_predicted_q, k_id_q, k_place, k_mask};
  wire [PLACES_W-1:0]  g_place = g_side[ELEMENTS +: PLACES_W];
  wire                 hazard  = (m_valid_q && m_writes_q && (m_place == g_place)) ||
                                 (x_valid_q && x_writes_q && (x_place == g_place));
  wire                 l_goes  = l_next && !hazard;
  generate
    if (BEATS > 1) begin : gen_aside
      reg               l_valid_q, l_begun_q, more_room_q;
      reg [LINE_W-1:0]  l_line_q;
      reg [BEAT_PW-1:0] l_beat_q;
      reg [ID_W:0]      l_who_q;
      wire              fill = k_valid_q && (k_kind_q == BYW_MEM_FILL);
      wire              same = k_valid_q && l_valid_q && (l_line_q == k_line_q);
      assign k_place = {k_line, k_beat_q};
      assign l_side  = {BYW_MEM_FILL, l_who_q, l_line_q[LINES_W-1:0], l_beat_q, {ELEMENTS{1'b1}}};
      assign l_valid = l_valid_q;
      assign l_line  = l_line_q;
      assign l_who   = l_who_q;
      // A request for the line in l waits for that fill.  A fill waits, too, or swaps with it.
      assign l_next   = l_valid_q && more_room_q && (random_q[7] || same || (fill && l_begun_q));
      assign k_leaves = fill && !l_valid_q;
      assign k_aside  = k_leaves || (fill && !same && !l_begun_q && !l_next && random_q[11]);
      assign k_goes   = k_valid_q && !fill && !same && !l_next && !hazard;
      always @(posedge clk_i) begin : p_aside
        more_room_q <= count_q < (1 << QUEUE_W) - 8;
        if (k_aside) begin
          l_line_q <= k_line_q;
          l_who_q  <= {k_predicted_q, k_id_q};
        end
        l_beat_q  <= k_aside ? {BEAT_PW{1'b0}} : (l_beat_q + {{(BEAT_PW-1){1'b0}}, l_goes});
        l_begun_q <= !k_aside && (l_begun_q || l_goes);
        l_valid_q <= !rst_i && (k_aside || (l_valid_q && !(l_goes && (&l_beat_q))));
      end
    end else begin : gen_no_beats
      wire unused_beat = &{1'b0, k_beat_q};
      assign k_place  = k_line;
      assign l_side   = {SIDE_W{1'b0}};
      assign l_valid  = 1'b0;
      assign l_line   = {LINE_W{1'b0}};
      assign l_who    = {(ID_W+1){1'b0}};
      assign l_next   = 1'b0;
      assign k_aside  = 1'b0;
      assign k_leaves = 1'b0;
      assign k_goes   = k_valid_q && !hazard;
    end
  endgenerate
  assign mem_req_ready_o = room_q && (!k_valid_q || k_goes || k_leaves);
  wire take    = mem_req_valid_i && mem_req_ready_o;

  // ---- writes: the version is decoded from the bytes, and the bytes must match it.  w is the
  // stage that does this: k or, with LEAN, the cycle in which the request is accepted.
  wire [BYTES*8-1:0] w_data  = (LEAN != 0) ? mem_req_data_i : k_data_q;
  wire [BYTES-1:0]   w_bytes = (LEAN != 0) ? mem_req_bytes_i : k_bytes_q;
  wire [PLACES_W-1:0] w_place;
  wire [2*ELEMENTS-1:0]   w_new, k_new;
  wire [ELEMENTS-1:0]     w_mask;
  wire [BYTES*8-1:0]      w_should;
  wire [UPPER-1:0]        k_upper;
  reg                     w_uneven;
  wire                    k_uneven;
  generate
    if (BEATS > 1) begin : gen_place
      assign w_place = (LEAN != 0) ? {mem_req_line_i[LINES_W-1:0], mem_req_beat_i} : k_place;
    end else begin : gen_line
      assign w_place = (LEAN != 0) ? mem_req_line_i[LINES_W-1:0] : k_place;
    end
    for (e = 0; e < ELEMENTS; e = e + 1) begin : gen_new
      assign w_new[2*e +: 2] = w_data[e*BITS +: 2];
      assign w_mask[e]       = w_bytes[e*GRAIN];
    end
    for (e = 0; e < UPPER; e = e + 1) begin : gen_upper
      assign k_upper[e] = !k_line_q[e % LINES_W];
    end
  endgenerate
  byw_fpga_place #(.BYTES(BYTES), .GRAIN(GRAIN), .PLACES_W(PLACES_W)) u_should (
    .place_i(w_place), .version_i(w_new), .data_o(w_should)
  );
  reg  [GROUPS*8-1:0] w_match;
  reg  [GROUPS-1:0]   w_matches;
  wire [GROUPS-1:0]   k_matches;
  always @* begin : p_match
    integer i;
    w_match  = {(GROUPS*8){1'b1}};
    w_uneven = 1'b0;
    for (i = 0; i < ELEMENTS; i = i + 1)
      if (w_mask[i] && (w_should[i*BITS +: BITS] != w_data[i*BITS +: BITS])) w_match[i] = 1'b0;
    for (i = 0; i < BYTES; i = i + 1)
      if (w_bytes[i] != w_mask[i/GRAIN]) w_uneven = 1'b1;
    for (i = 0; i < GROUPS; i = i + 1) w_matches[i] = &w_match[i*8 +: 8];
  end
  generate
    if (LEAN != 0) begin : gen_lean
      reg [2*ELEMENTS-1:0] new_q;
      reg [ELEMENTS-1:0]   mask_q;
      reg [GROUPS-1:0]     matches_q;
      reg                  uneven_q;
      always @(posedge clk_i) if (take) begin
        new_q     <= w_new;
        mask_q    <= w_mask;
        matches_q <= w_matches;
        uneven_q  <= w_uneven;
      end
      assign k_new     = new_q;
      assign k_mask    = mask_q;
      assign k_matches = matches_q;
      assign k_uneven  = uneven_q;
    end else begin : gen_full
      assign k_new     = w_new;
      assign k_mask    = w_mask;
      assign k_matches = w_matches;
      assign k_uneven  = w_uneven;
    end
  endgenerate
  wire k_odd    = k_uneven || (k_upper != k_line_q[LINE_W-1:LINES_W]) ||
                  ((k_kind_q == BYW_MEM_FILL) && !(&k_mask));
  wire k_writes = (k_kind_q == BYW_MEM_STORE) || (k_kind_q == BYW_MEM_WRITEBACK) || k_atomic_q;

  wire [2*ELEMENTS-1:0] x_next;
  generate
    for (e = 0; e < ELEMENTS; e = e + 1) begin : gen_next
      assign x_next[2*e +: 2] = x_mask[e] ? x_new_q[2*e +: 2] : x_old_q[2*e +: 2];
    end
  endgenerate

  byw_ram_1r1w #(.DEPTH(1 << PLACES_W), .LANES(1), .LANE_W(2*ELEMENTS)) u_versions (
    .clk_i(clk_i), .rd_en_i(k_goes || l_goes || audit_i),
    .rd_addr_i(audit_i ? audit_place_i : g_place), .rd_data_o(m_old),
    .wr_en_i(clear_i || (x_valid_q && x_writes_q)), .wr_addr_i(clear_i ? clear_place_i : x_place),
    .wr_lane_i(1'b1), .wr_data_i(clear_i ? {(2*ELEMENTS){1'b0}} : x_next)
  );
  assign audit_version_o = m_old;

  // ---- responses: queue, its head h, hold
  wire               push = x_valid_q && (x_side_q[SIDE_W-1 -: 2] != BYW_MEM_WRITEBACK);
  reg  [QUEUE_W-1:0] head_q, tail_q;
  reg                h_valid_q, hold_valid_q;
  reg  [WORD_W-1:0]  hold_q;
  wire [WORD_W-1:0]  h;
  wire               o_free   = !mem_rsp_valid_o || mem_rsp_ready_i;
  wire               use_hold = hold_valid_q && (!h_valid_q || random_q[2]);
  wire               h_out    = h_valid_q && !use_hold && o_free;
  // The beats of a fill stay consecutive.
  wire               in_row   = (BEATS > 1) && (h[WORD_W-1 -: 2] == BYW_MEM_FILL);
  wire               h_aside  = (LEAN == 0) && !in_row && h_valid_q && !hold_valid_q && !h_out;
  wire [WORD_W-1:0]  o        = use_hold ? hold_q : h;
  wire               pop      = (count_q != {(QUEUE_W+1){1'b0}}) && !h_valid_q &&
                                (!throttle_i || (random_q[5:4] == 2'd0));

  byw_ram_1r1w #(.DEPTH(1 << QUEUE_W), .LANES(1), .LANE_W(WORD_W), .BLOCK(1)) u_queue (
    .clk_i(clk_i), .rd_en_i(pop), .rd_addr_i(head_q), .rd_data_o(h), .wr_en_i(push),
    .wr_addr_i(tail_q), .wr_lane_i(1'b1), .wr_data_i({x_side_q, x_old_q})
  );

  wire [BYTES*8-1:0]      o_data;
  wire [ELEMENTS-1:0]     o_mask = o[2*ELEMENTS +: ELEMENTS];
  byw_fpga_place #(.BYTES(BYTES), .GRAIN(GRAIN), .PLACES_W(PLACES_W)) u_answer (
    .place_i(o[3*ELEMENTS +: PLACES_W]), .version_i(o[2*ELEMENTS-1:0]), .data_o(o_data)
  );

  always @(posedge clk_i) begin : p_payload
    integer i;
    if (take) begin
      k_kind_q      <= mem_req_kind_i;
      k_atomic_q    <= mem_req_atomic_i;
      k_predicted_q <= mem_req_predicted_i;
      k_line_q      <= mem_req_line_i;
      k_beat_q      <= mem_req_beat_i;
      k_bytes_q     <= mem_req_bytes_i;
      k_data_q      <= mem_req_data_i;
      k_id_q        <= mem_req_id_i;
    end else if (k_aside) begin
      k_line_q                <= l_line;
      {k_predicted_q, k_id_q} <= l_who;
    end
    m_side_q   <= g_side;
    m_writes_q <= k_writes && !l_next;
    m_new_q    <= k_new;
    m_odd_q    <= k_odd && !l_next;
    aside_odd_q <= k_odd;
    m_match_q  <= k_matches;
    x_side_q   <= m_side_q;
    x_writes_q <= m_writes_q;
    x_new_q    <= m_new_q;
    x_odd_q    <= m_odd_q;
    x_match_q  <= m_match_q;
    x_old_q    <= m_old;
    if (h_aside) hold_q <= h;
    if (o_free) begin
      mem_rsp_kind_o       <= o[WORD_W-1 -: 2];
      mem_rsp_mispredict_o <= o[WORD_W-3] && random_q[9];
      mem_rsp_id_o         <= o[3*ELEMENTS + PLACES_W +: ID_W];
      for (i = 0; i < ELEMENTS; i = i + 1)
        mem_rsp_data_o[i*BITS +: BITS] <= o_data[i*BITS +: BITS] ^ {BITS{!o_mask[i]}};
    end
  end

  always @(posedge clk_i) begin : p_state
    random_q <= {random_q[14:0], random_q[15] ^ random_q[14] ^ random_q[12] ^ random_q[3]};
    room_q   <= (count_q < (1 << QUEUE_W) - 8) && (!throttle_i || (random_q[1:0] != 2'd0));
    if (take) k_valid_q <= 1'b1;
    else if (k_goes || k_leaves) k_valid_q <= 1'b0;
    m_valid_q <= k_goes || l_goes;
    aside_q   <= k_aside;
    x_valid_q <= m_valid_q;
    if (push) tail_q <= tail_q + 1'b1;
    if (pop) head_q <= head_q + 1'b1;
    count_q   <= count_q + {{QUEUE_W{1'b0}}, push} - {{QUEUE_W{1'b0}}, pop};
    if (pop) h_valid_q <= 1'b1;
    else if (h_out || h_aside) h_valid_q <= 1'b0;
    if (h_aside) hold_valid_q <= 1'b1;
    else if (use_hold && o_free) hold_valid_q <= 1'b0;
    if (o_free) mem_rsp_valid_o <= h_valid_q || hold_valid_q;
    bad_write_o <= (aside_q && aside_odd_q) ||
                   (x_valid_q && (x_odd_q || (x_writes_q && (x_match_q != {GROUPS{1'b1}}))));
    quiet_o     <= !(k_valid_q || l_valid || m_valid_q || x_valid_q || h_valid_q || hold_valid_q ||
                     mem_rsp_valid_o || mem_req_valid_i) && (count_q == {(QUEUE_W+1){1'b0}});
    if (rst_i) begin
      random_q        <= 16'hbeef;
      room_q          <= 1'b0;
      k_valid_q       <= 1'b0;
      m_valid_q       <= 1'b0;
      aside_q         <= 1'b0;
      x_valid_q       <= 1'b0;
      head_q          <= {QUEUE_W{1'b0}};
      tail_q          <= {QUEUE_W{1'b0}};
      count_q         <= {(QUEUE_W+1){1'b0}};
      h_valid_q       <= 1'b0;
      hold_valid_q    <= 1'b0;
      mem_rsp_valid_o <= 1'b0;
      bad_write_o     <= 1'b0;
      quiet_o         <= 1'b0;
    end
  end
endmodule

`default_nettype wire
