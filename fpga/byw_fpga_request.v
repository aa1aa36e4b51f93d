// SPDX-License-Identifier: Apache-2.0
//
// byw_fpga_request - the requester of the self-test: random requests, and the response that each
//                    expects.
//
// Behaviour   The stream depends only on the request number, not on time.  It has loads, stores,
//             atomics, local loads and stores, with hints and PCs, either to a few lines repeatedly
//             or to any line.  A request covers one place.  With several BEATS a line has that many
//             places, and some requests continue the access of the previous one (req_more_o), with
//             its operation, line, PC and hint.  A table holds the versions of each place after the
//             requests so far.  The expected response is passed on (expect_*) when the request is
//             shown at req, or earlier.  The id is a slot of the checker, reused when it is free
//             (busy_i).  Stages: d drawn; r the table is read; v its word is available; s waits for
//             req; req.  A request to a place that a request ahead changes waits in d.  flush_i
//             appends one FLUSH after the requests drawn so far.  With LEAN stage s is omitted and
//             req_data_o is generated while the request is shown: at most one request in two
//             cycles, and no register holds bytes.
// Reset       rst_i; the table is cleared by clear_i at clear_place_i.
//
// Parameter   Default  Range        Meaning
// BYTES, GRAIN, PLACES_W            as in byw_fpga_place
// BEATS       1        1, 2..16     places (beats) per line
// IDS_W       5        4..8         width of an id
// LEAN        0        0, 1         1: fewer registers, fewer requests per cycle
//
`default_nettype none

module byw_fpga_request #(
  parameter integer BYTES    = 32,
  parameter integer GRAIN    = 1,
  parameter integer PLACES_W = 8,
  parameter integer BEATS    = 1,
  parameter integer IDS_W    = 5,
  parameter integer LEAN     = 0,
  parameter integer ELEMENTS = BYTES / GRAIN
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire                    clear_i,
  input  wire [PLACES_W-1:0]     clear_place_i,
  input  wire                    audit_i,          // only while empty_o
  input  wire [PLACES_W-1:0]     audit_place_i,
  output wire [2*ELEMENTS-1:0]   audit_version_o,  // valid one cycle later

  input  wire                    run_i,
  input  wire                    flush_i,          // pulse
  output wire                    empty_o,          // no request is in the pipeline
  input  wire [(1<<IDS_W)-1:0]   busy_i,
  output wire                    drawn_o,          // pulse

  output reg                     expect_valid_o,   // pulse
  output reg  [IDS_W-1:0]        expect_id_o,
  output reg  [PLACES_W-1:0]     expect_place_o,
  output reg  [2*ELEMENTS-1:0]   expect_version_o,
  output reg  [ELEMENTS-1:0]     expect_mask_o,    // elements that the response carries
  output reg  [1:0]              expect_class_o,   // 0 load, 1 atomic, 2 store, 3 flush

  output reg                     req_valid_o,
  input  wire                    req_ready_i,
  output reg  [2:0]              req_op_o,
  output reg  [PLACES_W-1:0]     req_place_o,      // {line, beat}
  output reg                     req_more_o,
  output reg  [BYTES-1:0]        req_bytes_o,
  output wire [BYTES*8-1:0]      req_data_o,
  output reg  [7:0]              req_pc_o,
  output reg  [IDS_W-1:0]        req_id_o,
  output reg  [2:0]              req_hint_o
);
  `include "byw_defs.vh"

  localparam integer ELEMENT_IW = $clog2(ELEMENTS);
  localparam integer SIDE_W     = 3 + 3 + 8 + 1 + IDS_W;   // operation, hint, PC, more, id
  localparam integer BEAT_W     = (BEATS > 1) ? $clog2(BEATS) : 0;
  localparam integer LINES_W    = PLACES_W - BEAT_W;

  // ---- the random stream: xorshift, one step per request
  reg  [63:0] random_q;
  wire [63:0] step1 = random_q ^ (random_q << 13);
  wire [63:0] step2 = step1 ^ (step1 >> 7);
  wire [63:0] step3 = step2 ^ (step2 << 17);

  // Of 16 requests: 8 loads, 4 stores, 2 local loads, a local store, an atomic.
  reg  [2:0] op;
  always @* begin : p_op
    casez (random_q[3:0])
      4'b0???: op = BYW_OP_LOAD;
      4'b10??: op = BYW_OP_STORE;
      4'b110?: op = BYW_OP_LOCAL_LOAD;
      4'b1110: op = BYW_OP_LOCAL_STORE;
      default: op = BYW_OP_ATOMIC;
    endcase
  end

  // Three of four requests go to eight lines, which change slowly.  The PC identifies the others.
  reg  [LINES_W-1:0] near_q;
  wire               far  = random_q[5:4] == 2'd0;
  wire [LINES_W-1:0] line = far ? random_q[6 +: LINES_W]
                                : (near_q + {{(LINES_W-3){1'b0}}, random_q[8:6]});
  wire [7:0]         pc   = {random_q[49:46], far, op == BYW_OP_STORE, 2'b00};
  wire [2:0]         hint = ((op == BYW_OP_LOAD) && (random_q[56:54] == 3'd0) &&
                             (random_q[59:57] <= BYW_HINT_VOLATILE)) ? random_q[59:57]
                                                                     : BYW_HINT_NONE;

  // A request to another beat of the same line continues the access.
  reg                 goes_on_q;                    // the next request can continue
  reg  [LINES_W+13:0] access_q;                     // {operation, hint, PC, line}
  wire                more   = (BEATS > 1) && goes_on_q && random_q[37];
  wire [LINES_W+13:0] access = more ? access_q : {op, hint, pc, line};
  wire [PLACES_W-1:0] place;
  generate
    if (BEATS > 1) begin : gen_beat
      assign place = {access[LINES_W-1:0], random_q[38 +: BEAT_W]};
    end else begin : gen_line
      assign place = line;
    end
  endgenerate

  // The elements whose number matches a drawn one in the drawn bits: all, every other one, or one.
  wire [ELEMENT_IW-1:0] which = random_q[20 +: ELEMENT_IW];
  wire [ELEMENT_IW-1:0] cares = random_q[28 +: ELEMENT_IW] & {ELEMENT_IW{random_q[36]}};
  wire [ELEMENTS-1:0]   mask;
  genvar e;
  generate
    for (e = 0; e < ELEMENTS; e = e + 1) begin : gen_mask
      localparam [ELEMENT_IW-1:0] NUMBER = e;
      assign mask[e] = ((which ^ NUMBER) & cares) == {ELEMENT_IW{1'b0}};
    end
  endgenerate

  function writes;
    input [2:0] o;
    writes = (o == BYW_OP_STORE) || (o == BYW_OP_ATOMIC) || (o == BYW_OP_LOCAL_STORE);
  endfunction

  // ---- the stages: {operation, hint, PC, more, id}, place, mask, and from v on the versions
  reg                   d_valid_q, r_valid_q, v_valid_q, s_valid_q, flush_due_q, free_q;
  reg  [SIDE_W-1:0]     d_side_q, r_side_q, v_side_q, s_side_q;
  reg  [PLACES_W-1:0]   d_place_q, r_place_q, v_place_q, s_place_q;
  reg  [ELEMENTS-1:0]   d_mask_q, r_mask_q, v_mask_q, s_mask_q;
  reg  [2*ELEMENTS-1:0] v_version_q, s_version_q;
  reg  [IDS_W-1:0]      id_q;
  wire [2*ELEMENTS-1:0] r_version;
  wire [2:0]            r_op = r_side_q[SIDE_W-1 -: 3];
  wire [2:0]            v_op = v_side_q[SIDE_W-1 -: 3];

  // Only req and s depend on req_ready_i: the stages before them move while s is empty.
  wire moves    = (LEAN != 0) ? !req_valid_o : !s_valid_q;
  wire out_free = !req_valid_o || (req_ready_i && (LEAN == 0));
  wire hazard   = (r_valid_q && writes(r_op) && (r_place_q == d_place_q)) ||
                  (v_valid_q && writes(v_op) && (v_place_q == d_place_q));
  wire d_goes   = d_valid_q && moves && !hazard;
  wire d_free   = !d_valid_q || d_goes;
  wire v_goes   = v_valid_q && moves;
  wire flush    = flush_due_q && d_free && free_q;
  wire draw     = run_i && !flush_due_q && d_free && free_q;
  wire [IDS_W-1:0] next_id = id_q + {{(IDS_W-1){1'b0}}, draw || flush};

  assign drawn_o = draw;
  assign empty_o = !(d_valid_q || r_valid_q || v_valid_q || s_valid_q || req_valid_o ||
                   flush_due_q);

  // ---- the versions after a write
  wire [2*ELEMENTS-1:0] next;
  generate
    for (e = 0; e < ELEMENTS; e = e + 1) begin : gen_next
      wire [1:0] was = v_version_q[2*e +: 2];
      assign next[2*e +: 2] = (v_mask_q[e] && writes(v_op)) ? {was[1] ^ was[0], !was[0]} : was;
    end
  endgenerate

  byw_ram_1r1w #(.DEPTH(1 << PLACES_W), .LANES(1), .LANE_W(2*ELEMENTS)) u_versions (
    .clk_i(clk_i), .rd_en_i(d_goes || audit_i), .rd_addr_i(audit_i ? audit_place_i : d_place_q),
    .rd_data_o(r_version), .wr_en_i(clear_i || (v_goes && writes(v_op))),
    .wr_addr_i(clear_i ? clear_place_i : v_place_q), .wr_lane_i(1'b1),
    .wr_data_i(clear_i ? {(2*ELEMENTS){1'b0}} : next)
  );

  assign audit_version_o = r_version;

  // ---- req: from s if it is full, otherwise from v
  wire [SIDE_W-1:0]       o_side    = s_valid_q ? s_side_q : v_side_q;
  wire [PLACES_W-1:0]     o_place   = s_valid_q ? s_place_q : v_place_q;
  wire [ELEMENTS-1:0]     o_mask    = s_valid_q ? s_mask_q : v_mask_q;
  wire [2*ELEMENTS-1:0]   o_version = s_valid_q ? s_version_q : next;
  reg  [2*ELEMENTS-1:0]   req_version_q;
  reg  [BYTES*8-1:0]      req_data_q;
  wire [BYTES*8-1:0]      data;

  byw_fpga_place #(.BYTES(BYTES), .GRAIN(GRAIN), .PLACES_W(PLACES_W)) u_data (
    .place_i((LEAN != 0) ? req_place_o : o_place),
    .version_i((LEAN != 0) ? req_version_q : o_version), .data_o(data)
  );

  assign req_data_o = (LEAN != 0) ? data : req_data_q;

  always @(posedge clk_i) begin : p_payload
    integer i;
    if (d_free) begin
      d_side_q  <= {flush_due_q ? {BYW_OP_FLUSH, BYW_HINT_NONE, pc} : access[LINES_W +: 14],
                    more && !flush_due_q, id_q};
      d_place_q <= place;
      d_mask_q  <= mask;
    end
    if (d_goes) begin
      r_side_q <= d_side_q;
      r_place_q <= d_place_q;
      r_mask_q <= d_mask_q;
    end
    if (moves) begin
      v_side_q    <= r_side_q;
      v_place_q    <= r_place_q;
      v_mask_q    <= r_mask_q;
      v_version_q <= r_version;
      s_side_q    <= v_side_q;
      s_place_q    <= v_place_q;
      s_mask_q    <= v_mask_q;
      s_version_q <= next;
    end
    if (out_free) begin
      {req_op_o, req_hint_o, req_pc_o, req_more_o, req_id_o} <= o_side;
      req_place_o <= o_place;
      req_version_q <= o_version;
      req_data_q <= data;
      for (i = 0; i < BYTES; i = i + 1) req_bytes_o[i] <= o_mask[i/GRAIN];
    end
    expect_id_o      <= v_side_q[IDS_W-1:0];
    expect_place_o   <= v_place_q;
    expect_version_o <= v_version_q;
    expect_mask_o    <= v_mask_q;
    expect_class_o   <= (v_op == BYW_OP_FLUSH) ? 2'd3 : (v_op == BYW_OP_ATOMIC) ? 2'd1 :
                        writes(v_op) ? 2'd2 : 2'd0;
  end

  always @(posedge clk_i) begin : p_state
    if (draw) access_q <= access;
    if (draw) begin
      random_q <= step3;
      if (random_q[63:59] == 5'd0) near_q <= random_q[10 +: LINES_W];
    end
    if (draw || flush) goes_on_q <= !flush;
    id_q   <= next_id;
    free_q <= !busy_i[next_id];
    if (d_free) d_valid_q <= draw || flush;
    if (moves) begin
      r_valid_q <= d_goes;
      v_valid_q <= r_valid_q;
    end
    if (out_free) s_valid_q <= 1'b0;
    else if (v_goes) s_valid_q <= 1'b1;
    if (out_free) req_valid_o <= s_valid_q || v_valid_q;
    else if (req_ready_i) req_valid_o <= 1'b0;       // only with LEAN
    expect_valid_o <= v_goes;
    flush_due_q    <= flush_i || (flush_due_q && !flush);
    if (rst_i) begin
      random_q       <= 64'h9e37_79b9_7f4a_7c15;
      near_q         <= {LINES_W{1'b0}};
      goes_on_q      <= 1'b0;
      id_q           <= {IDS_W{1'b0}};
      free_q         <= 1'b0;
      d_valid_q      <= 1'b0;
      r_valid_q      <= 1'b0;
      v_valid_q      <= 1'b0;
      s_valid_q      <= 1'b0;
      flush_due_q    <= 1'b0;
      req_valid_o    <= 1'b0;
      expect_valid_o <= 1'b0;
    end
  end
endmodule

`default_nettype wire
