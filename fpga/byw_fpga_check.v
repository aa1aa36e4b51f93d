// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_check - the checker of the self-test: compares each response with what its request
//                  expects.
//
// Behaviour   One slot per id holds place and versions (byw_fpga_place), mask and class of the
//             request.  A response must have an outstanding id, be served in a way that its class
//             allows, and report no error.  It must carry the bytes of the versions that its place
//             had at the time of the request.  The verdict comes at least three cycles after the
//             response.  Its ready output falls at random while throttle_i.  Stages: a response
//             accepted; b word of the slot read; c compared.  With LEAN a response is accepted in
//             stage b and waits on the port, so that no register holds its bytes: one response in
//             three cycles.
// Reset       rst_i.
//
// Parameter   Default  Range        Meaning
// BYTES, GRAIN, PLACES_W, IDS_W     as in byw_fpga_request
// ID_W        16       > IDS_W      width of an id at the cache
// LEAN        0        0, 1         1: fewer registers, fewer responses per cycle
//
`default_nettype none

module byw_fpga_check #(
  parameter integer BYTES    = 32,
  parameter integer GRAIN    = 1,
  parameter integer PLACES_W = 8,
  parameter integer IDS_W    = 5,
  parameter integer ID_W     = 16,
  parameter integer LEAN     = 0,
  parameter integer ELEMENTS = BYTES / GRAIN
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire                    throttle_i,

  input  wire                    expect_valid_i,
  input  wire [IDS_W-1:0]        expect_id_i,
  input  wire [PLACES_W-1:0]     expect_place_i,
  input  wire [2*ELEMENTS-1:0]   expect_version_i,
  input  wire [ELEMENTS-1:0]     expect_mask_i,
  input  wire [1:0]              expect_class_i,
  output reg  [(1<<IDS_W)-1:0]   busy_o,

  input  wire                    rsp_valid_i,
  output wire                    rsp_ready_o,
  input  wire [BYTES*8-1:0]      rsp_data_i,
  input  wire [ID_W-1:0]         rsp_id_i,
  input  wire [2:0]              rsp_served_i,
  input  wire                    rsp_error_i,

  output reg                     quiet_o,        // no response outstanding, none being checked
  output reg                     answered_o,     // pulse: a response has arrived
  output reg  [2:0]              served_o,       // with answered_o: what served the response
  output reg                     load_o,         // with answered_o: the response is to a load
  output reg                     bad_data_o,     // pulse: the response's data is wrong
  output reg                     bad_id_o        // pulse: wrong id, class or error
);
  `include "byw_defs.vh"

  localparam integer WORD_W = 2 + PLACES_W + ELEMENTS + 2*ELEMENTS;
  localparam integer GROUPS = (ELEMENTS + 7) / 8;

  reg                    may_q, a_valid_q, b_valid_q, c_valid_q, a_due_q, b_due_q, c_due_q;
  reg                    a_error_q, b_error_q, c_error_q;
  reg [2:0]              a_served_q, b_served_q, c_served_q;
  reg [BYTES*8-1:0]      a_data_q, b_data_q;
  wire [BYTES*8-1:0]     b_data;
  reg [WORD_W-1:0]       b_word_q;
  reg [1:0]              c_class_q;
  reg [GROUPS-1:0]       c_match_q;
  wire [WORD_W-1:0]      word;

  // The slot is read when the response is accepted or, with LEAN, when it is shown.
  wire                  take  = (LEAN != 0) ? (rsp_valid_i && may_q && !a_valid_q && !b_valid_q)
                                            : (rsp_valid_i && may_q);
  assign rsp_ready_o = (LEAN != 0) ? b_valid_q : may_q;
  wire [IDS_W-1:0]      slot  = rsp_id_i[IDS_W-1:0];
  wire [1:0]            kind  = b_word_q[WORD_W-1 -: 2];
  wire [PLACES_W-1:0]   place = b_word_q[3*ELEMENTS +: PLACES_W];
  wire [ELEMENTS-1:0]   mask  = b_word_q[2*ELEMENTS +: ELEMENTS];

  byw_ram_1r1w #(.DEPTH(1 << IDS_W), .LANES(1), .LANE_W(WORD_W), .BLOCK(1)) u_slots (
    .clk_i(clk_i), .rd_en_i(take), .rd_addr_i(slot), .rd_data_o(word),
    .wr_en_i(expect_valid_i), .wr_addr_i(expect_id_i), .wr_lane_i(1'b1),
    .wr_data_i({expect_class_i, expect_place_i, expect_mask_i, expect_version_i})
  );

  wire [BYTES*8-1:0] data;
  byw_fpga_place #(.BYTES(BYTES), .GRAIN(GRAIN), .PLACES_W(PLACES_W)) u_data (
    .place_i(place), .version_i(b_word_q[2*ELEMENTS-1:0]), .data_o(data)
  );

  reg [GROUPS*8-1:0] match;
  always @* begin : p_match
    integer i;
    match = {(GROUPS*8){1'b1}};
    for (i = 0; i < ELEMENTS; i = i + 1)
      if (mask[i] && (data[i*GRAIN*8 +: GRAIN*8] != b_data[i*GRAIN*8 +: GRAIN*8])) match[i] = 1'b0;
  end

  // The responses that a class allows.
  reg fits;
  always @* begin : p_fits
    case (c_class_q)
      2'd0: fits = (c_served_q == BYW_SERVED_HIT) || (c_served_q == BYW_SERVED_FILL) ||
                   (c_served_q == BYW_SERVED_BYPASS);
      2'd1: fits = c_served_q == BYW_SERVED_BYPASS;
      2'd2: fits = (c_served_q == BYW_SERVED_STORE) || (c_served_q == BYW_SERVED_HIT);
      default: fits = c_served_q == BYW_SERVED_DONE;
    endcase
  end

  reg [15:0] random_q;
  assign b_data = (LEAN != 0) ? rsp_data_i : b_data_q;
  always @(posedge clk_i) begin : p_payload
    integer i;
    a_data_q   <= rsp_data_i;
    a_served_q <= rsp_served_i;
    a_error_q  <= rsp_error_i;
    a_due_q    <= busy_o[slot] && (rsp_id_i[ID_W-1:IDS_W] == {(ID_W-IDS_W){1'b0}});
    b_data_q   <= a_data_q;
    b_served_q <= a_served_q;
    b_error_q  <= a_error_q;
    b_due_q    <= a_due_q;
    b_word_q   <= word;
    c_served_q <= b_served_q;
    c_error_q  <= b_error_q;
    c_due_q    <= b_due_q;
    c_class_q  <= kind;
    for (i = 0; i < GROUPS; i = i + 1) c_match_q[i] <= &match[i*8 +: 8];
    served_o   <= c_served_q;
    load_o     <= c_class_q == 2'd0;
  end

  always @(posedge clk_i) begin : p_state
    a_valid_q  <= take;
    b_valid_q  <= a_valid_q;
    c_valid_q  <= b_valid_q;
    answered_o <= c_valid_q;
    bad_id_o   <= c_valid_q && (c_error_q || !c_due_q || !fits);
    bad_data_o <= c_valid_q && !c_class_q[1] && (c_match_q != {GROUPS{1'b1}});
    quiet_o    <= !(|busy_o) && !expect_valid_i && !a_valid_q && !b_valid_q && !c_valid_q;
    if (take) busy_o[slot] <= 1'b0;
    if (expect_valid_i) busy_o[expect_id_i] <= 1'b1;
    random_q    <= {random_q[14:0], random_q[15] ^ random_q[13] ^ random_q[12] ^ random_q[10]};
    may_q       <= !throttle_i || (random_q[1:0] != 2'd0);
    if (rst_i) begin
      random_q    <= 16'hace1;
      busy_o      <= {(1<<IDS_W){1'b0}};
      a_valid_q   <= 1'b0;
      b_valid_q   <= 1'b0;
      c_valid_q   <= 1'b0;
      may_q       <= 1'b0;
      quiet_o     <= 1'b0;
      answered_o  <= 1'b0;
      bad_id_o    <= 1'b0;
      bad_data_o  <= 1'b0;
    end
  end
endmodule

`default_nettype wire
