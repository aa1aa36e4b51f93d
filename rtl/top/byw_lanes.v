// SPDX-License-Identifier: Apache-2.0
//
// byw_lanes - the lanes of one warp request to one line: scatters stores, gathers responses, by
// slot.
//
// Behaviour   A request has, per lane, a word of the line, a byte mask and data.  It passes in the
//             same cycle, as a request for the line with a free slot as its id.  A response also
//             passes in the same cycle, with the words of the lanes, the tag and the lane mask
//             stored in its slot.  If several lanes write a byte, the highest lane wins.  A slot
//             freed in a cycle can be taken in the next; a slot shown stays until it is taken.
// Paper       none; rtl/doc/lanes.md.
// C twin      cmodel/model/top/byw_lanes.c; checked by verif/top/lockstep_lanes.c.
// Reset       rst_i: all slots are free.
//
// Parameter   Default  Range        Meaning
// LANES       4        1..64        lanes per request
// LINE_BYTES  128      2^n, 4..128  line size
// SLOTS       16       1..1024      requests in flight
// TAG_W       8        1..64        width of the client's tag, returned with the response
// RIGHT       0        0, 1         1: lane data start at bit 0, whatever bytes the lane writes
//
`default_nettype none
`include "byw_assert.vh"

module byw_lanes #(
  parameter integer LANES      = 4,
  parameter integer LINE_BYTES = 128,
  parameter integer SLOTS      = 16,
  parameter integer TAG_W      = 8,
  parameter integer RIGHT      = 0,
  parameter integer WORD_IW    = (LINE_BYTES > 4) ? $clog2(LINE_BYTES / 4) : 1,
  parameter integer SLOT_IW    = (SLOTS > 1) ? $clog2(SLOTS) : 1
) (
  input  wire                     clk_i,
  input  wire                     rst_i,

  // req: from the lanes; lanes without their bit in req_lanes_i are ignored
  input  wire                     req_valid_i,
  output wire                     req_ready_o,
  input  wire [LANES-1:0]         req_lanes_i,
  input  wire [LANES*WORD_IW-1:0] req_words_i,      // word number in the line
  input  wire [LANES*4-1:0]       req_bytes_i,      // byte mask of the word
  input  wire [LANES*32-1:0]      req_data_i,
  input  wire [TAG_W-1:0]         req_tag_i,

  // line_req, line_rsp: to req and from rsp of the cache
  output wire                     line_req_valid_o,
  input  wire                     line_req_ready_i,
  output wire [LINE_BYTES-1:0]    line_req_bytes_o,
  output wire [LINE_BYTES*8-1:0]  line_req_data_o,
  output wire [SLOT_IW-1:0]       line_req_id_o,
  input  wire                     line_rsp_valid_i,
  output wire                     line_rsp_ready_o,
  input  wire [LINE_BYTES*8-1:0]  line_rsp_data_i,
  input  wire [SLOT_IW-1:0]       line_rsp_id_i,

  // rsp: to the lanes; whole words
  output wire                     rsp_valid_o,
  input  wire                     rsp_ready_i,
  output wire [TAG_W-1:0]         rsp_tag_o,
  output wire [LANES-1:0]         rsp_lanes_o,
  output wire [LANES*32-1:0]      rsp_data_o,

  output wire                     idle_o            // all slots are free
);
  localparam integer WORDS = LINE_BYTES / 4;
  localparam integer SLOT_W = TAG_W + LANES + LANES * WORD_IW;
  localparam [SLOTS-1:0] ONE = 1;

  generate
    if ((LANES < 1) || (LANES > 64)) begin : gen_check_lanes
      byw_lanes_LANES_must_be_1_to_64 u_error ();
    end
    if ((LINE_BYTES < 4) || (LINE_BYTES > 128) || ((LINE_BYTES & (LINE_BYTES - 1)) != 0))
    begin : gen_check_line
      byw_lanes_LINE_BYTES_must_be_a_power_of_two_of_4_to_128 u_error ();
    end
    if ((SLOTS < 1) || (SLOTS > 1024)) begin : gen_check_slots
      byw_lanes_SLOTS_must_be_1_to_1024 u_error ();
    end
    if ((RIGHT != 0) && (RIGHT != 1)) begin : gen_check_right
      byw_lanes_RIGHT_must_be_0_or_1 u_error ();
    end
  endgenerate

  reg [SLOTS-1:0]   free_q;
  reg               held_q;                          // a slot was shown and not taken
  reg [SLOT_IW-1:0] held_slot_q;                     // the slot shown

  wire                     any_free;
  wire [SLOT_IW-1:0]       lowest;
  wire                     take  = line_req_valid_o && line_req_ready_i;
  wire                     give  = line_rsp_valid_i && line_rsp_ready_o;
  wire [SLOTS-1:0]         taken = take ? (ONE << line_req_id_o) : {SLOTS{1'b0}};
  wire [SLOTS-1:0]         given = give ? (ONE << line_rsp_id_i) : {SLOTS{1'b0}};
  wire [LANES*WORD_IW-1:0] rsp_words;

  byw_prio_enc #(.N(SLOTS), .IDX_W(SLOT_IW)) u_lowest (
    .req_i(free_q), .any_o(any_free), .index_o(lowest)
  );

  assign idle_o           = &free_q;
  assign req_ready_o      = line_req_ready_i && any_free;
  assign line_req_valid_o = req_valid_i && any_free;
  assign line_req_id_o    = held_q ? held_slot_q : lowest;
  assign rsp_valid_o      = line_rsp_valid_i;
  assign line_rsp_ready_o = rsp_ready_i;

  byw_ram_async #(.DEPTH(SLOTS), .WIDTH(SLOT_W)) u_slots (
    .clk_i(clk_i), .rd_addr_i(line_rsp_id_i), .rd_data_o({rsp_tag_o, rsp_lanes_o, rsp_words}),
    .wr_en_i(take), .wr_addr_i(line_req_id_o), .wr_data_i({req_tag_i, req_lanes_i, req_words_i})
  );

  // ---- scatter
  wire [LANES*32-1:0] placed;                        // data of each lane, shifted to its bytes
  reg  [LINE_BYTES-1:0]   bytes;
  reg  [LINE_BYTES*8-1:0] data;
  integer                 i;
  integer                 w;
  integer                 b;

  assign line_req_bytes_o = bytes;
  assign line_req_data_o  = data;

  always @* begin : p_scatter
    bytes = {LINE_BYTES{1'b0}};
    data  = {LINE_BYTES*8{1'b0}};
    for (w = 0; w < WORDS; w = w + 1)
      for (i = 0; i < LANES; i = i + 1)
        for (b = 0; b < 4; b = b + 1)
          if (req_lanes_i[i] && (req_words_i[i*WORD_IW +: WORD_IW] == w[WORD_IW-1:0]) &&
              req_bytes_i[i*4+b]) begin
            bytes[w*4+b]       = 1'b1;
            data[(w*4+b)*8+:8] = placed[i*32+b*8 +: 8];
          end
  end

  // ---- per lane: its data, and its word of the response
  genvar g;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_lane
      if (RIGHT != 0) begin : gen_right
        wire [2:0]  mask  = req_bytes_i[g*4 +: 3];
        wire [31:0] lane  = req_data_i[g*32 +: 32];
        assign placed[g*32 +: 32] = mask[0] ? lane :
                                    mask[1] ? {lane[23:0], 8'd0} :
                                    mask[2] ? {lane[15:0], 16'd0} : {lane[7:0], 24'd0};
      end else begin : gen_in_place
        assign placed[g*32 +: 32] = req_data_i[g*32 +: 32];
      end

      byw_mux #(.N(WORDS), .W(32), .SEL_W(WORD_IW)) u_word (
        .data_i(line_rsp_data_i), .sel_i(rsp_words[g*WORD_IW +: WORD_IW]),
        .data_o(rsp_data_o[g*32 +: 32])
      );
    end
  endgenerate

  always @(posedge clk_i) begin : p_free
    if (rst_i) begin
      free_q <= {SLOTS{1'b1}};
      held_q <= 1'b0;
    end else begin
      free_q      <= (free_q & ~taken) | given;
      held_q      <= (held_q || line_req_valid_o) && !take;
      held_slot_q <= line_req_id_o;
    end
  end

  `BYW_CHECKS
  `BYW_ASSUME(response_names_a_slot_in_use, line_rsp_valid_i, !free_q[line_rsp_id_i])
  `BYW_ASSERT(slot_sent_is_free, line_req_valid_o, free_q[line_req_id_o])
  `BYW_ASSERT(slot_shown_stays, held_q && line_req_valid_o, line_req_id_o == held_slot_q)
endmodule

`default_nettype wire
