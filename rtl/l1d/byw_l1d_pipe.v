// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_pipe - the requests in s1 and s2 of the L1D and, with LOOK, in the look stage.
//
// Behaviour   req_taken_i moves a request into s1, which must be free (req_ready_i).  s1_move_i
//             moves the request of s1, if any, into the next stage; s2_move_i moves that of the
//             stage before s2 into s2.  All three can move in one cycle.  With LOOK, the wide
//             fields that only s2 uses do not shift; they are written once into one of four slots
//             (three requests inside, one entering).  Set, key and record travel in byw_tag_store.
//             With UNCACHED, a load with that hint enters as an atomic and a store as a global
//             store; s2_uncached_o marks both.  s2_target_o is the list entry in an MSHR:
//             {beat, id}.
// Paper       rtl/doc/l1d.md, l1d_pipeline.md.
// C twin      struct byw_l1d_pipe of cmodel/model/l1d/byw_l1d_state.h; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       rst_i: all stages are empty.
//
// Parameters as in byw_l1d; LOOK 0, 1 (0): the look stage; UNCACHED 0, 1 (0): the uncached hint;
// BEAT_BYTES: width of the data ports; BEAT_W: width of a beat number, 0 if a line is one beat.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_pipe #(
  parameter integer LOOK       = 0,
  parameter integer BEAT_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer BEAT_W     = 0,
  parameter integer LINE_W     = 33,
  parameter integer ID_W       = 16,
  parameter integer PC_W       = 32,
  parameter integer FUNC_W     = 0,
  parameter integer UNCACHED   = 0,
  parameter integer BEAT_PW    = (BEAT_W > 0) ? BEAT_W : 1,     // derived, as is the next
  parameter integer FUNC_PW    = (FUNC_W > 0) ? FUNC_W : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // the request that enters
  input  wire                    s2_leaves_i,       // the s2 request leaves
  input  wire                    s1_blocked_i,      // LOOK: s1 stays unless s2_leaves_i
  input  wire                    s0_blocked_i,      // LOOK: no request is taken unless s2_leaves_i
  input  wire                    req_valid_i,       // a request is offered
  input  wire                    req_ready_i,       // s1 is free
  input  wire                    req_taken_i,       // the request enters; needs req_ready_i
  input  wire [2:0]              req_op_i,          // BYW_OP_*
  input  wire [2:0]              req_hint_i,        // BYW_HINT_*
  input  wire [LINE_W-1:0]       req_line_i,
  input  wire [BEAT_PW-1:0]      req_beat_i,
  input  wire                    req_more_i,        // continues an access
  input  wire [BEAT_BYTES-1:0]   req_bytes_i,
  input  wire [BEAT_BYTES*8-1:0] req_data_i,
  input  wire [PC_W-1:0]         req_pc_i,
  input  wire [ID_W-1:0]         req_id_i,
  input  wire [FUNC_PW-1:0]      req_func_i,
  input  wire                    req_bypass_i,      // the load was taken in bypass mode
  input  wire                    req_blind_i,       // decided without the tags
  output wire [2:0]              taken_op_o,        // the operation it is decided as

  // s1
  input  wire                    s1_move_i,         // s1 moves into look, or s2
  output reg                     s1_valid_o,
  output reg  [2:0]              s1_op_o,

  // look; empty without LOOK
  input  wire                    s2_move_i,         // look, or s1, moves into s2
  output wire                    look_valid_o,
  output wire [2:0]              look_op_o,
  output wire [2:0]              look_hint_o,
  output wire [PC_W-1:0]         look_pc_o,
  output wire                    look_bypass_o,
  output wire                    look_blind_o,
  output wire                    look_walks_o,      // like s2_walks_o

  // s2
  output reg                     s2_valid_o,
  output wire [2:0]              s2_op_o,
  output reg                     s2_needs_line_o,   // the request is not an invalidate, flush or
                                                    // fence
  output reg                     s2_walks_o,        // a flush, or a fence that cleans
  input  wire                    maint_done_i,      // the flush or fence can end
  output reg                     s2_maint_done_o,   // maint_done_i a cycle before, if s2 stayed
  output wire [2:0]              s2_hint_o,
  output wire [LINE_W-1:0]       s2_line_o,
  output wire [BEAT_PW-1:0]      s2_beat_o,         // 0 if a line is one beat, as the next
  output wire                    s2_more_o,
  output wire [BEAT_BYTES-1:0]   s2_bytes_o,
  output wire                    s2_any_byte_o,     // the mask is not empty
  output wire [BEAT_BYTES*8-1:0] s2_data_o,
  output wire [PC_W-1:0]         s2_pc_o,
  output wire [ID_W+BEAT_W-1:0]  s2_target_o,
  output wire [FUNC_PW-1:0]      s2_func_o,         // 0 without FUNC_W
  output wire                    s2_bypass_o,
  output wire                    s2_blind_o,
  output wire                    look_more_o,
  output wire                    look_uncached_o,
  output wire                    s2_uncached_o,

  output wire                    look_full_o,       // s2 and look hold a request; without look, s2
  output reg                     all_full_o         // s2, look and s1 hold a request
);
  `include "byw_defs.vh"

  localparam integer SLOT_W    = 2;                 // up to three requests inside, one entering
  localparam integer REQ_W     = 3 + 3 + 1 + 1 + BEAT_PW + LINE_W + PC_W + 2 + SLOT_W;
  localparam integer TAG_W     = ID_W + FUNC_W;
  localparam integer PAYLOAD_W = BEAT_BYTES + BEAT_BYTES*8 + TAG_W;

  generate
    if ((UNCACHED != 0) && (UNCACHED != 1)) begin : gen_check_uncached
      byw_l1d_pipe_UNCACHED_must_be_0_or_1 u_error ();
    end
  endgenerate

  wire       uncached  = (UNCACHED != 0) && (req_hint_i == BYW_HINT_UNCACHED);
  wire       is_load   = (req_op_i == BYW_OP_LOAD) || (req_op_i == BYW_OP_LOCAL_LOAD);
  wire       is_store  = (req_op_i == BYW_OP_STORE) || (req_op_i == BYW_OP_LOCAL_STORE);
  wire [2:0] kept_hint = (uncached && !is_load && !is_store) ? BYW_HINT_NONE : req_hint_i;

  assign taken_op_o     = (uncached && is_load)  ? BYW_OP_ATOMIC :
                         (uncached && is_store) ? BYW_OP_STORE : req_op_i;
  assign look_uncached_o = (UNCACHED != 0) && (look_hint_o == BYW_HINT_UNCACHED);
  assign s2_uncached_o   = (UNCACHED != 0) && (s2_hint_o == BYW_HINT_UNCACHED);

  // ---- the fields stored with the id.  The beat is used early and has its own register.
  wire [BEAT_PW:0]  beat_part;                      // {more, beat}
  wire [TAG_W-1:0]  tag, s2_tag;

  generate
    if (BEAT_W > 0) begin : gen_beat
      assign beat_part   = {req_more_i, req_beat_i};
      assign s2_target_o = {s2_beat_o, s2_tag[ID_W-1:0]};
    end else begin : gen_no_beat
      assign beat_part   = 2'd0;
      assign s2_target_o = s2_tag[ID_W-1:0];
      wire unused_beat = &{1'b0, req_beat_i, req_more_i};
    end
    if (FUNC_W > 0) begin : gen_func
      assign tag       = {req_func_i, req_id_i};
      assign s2_func_o = s2_tag[ID_W +: FUNC_PW];
    end else begin : gen_no_func
      assign tag       = req_id_i;
      assign s2_func_o = 1'b0;
      wire unused_func = &{1'b0, req_func_i};
    end
  endgenerate

  wire [PAYLOAD_W-1:0] payload = {req_bytes_i, req_data_i, tag};
  wire [PAYLOAD_W-1:0] s2_payload;
  wire [SLOT_W-1:0] slot;                           // slot of the entering request

  reg  [REQ_W-4:0] s1_rest_q;
  reg  [REQ_W-1:0] s2_q;
  wire [REQ_W-1:0] s2_next;

  assign {s2_op_o, s2_hint_o, s2_any_byte_o, s2_more_o, s2_beat_o, s2_line_o, s2_pc_o, s2_bypass_o,
         s2_blind_o} = s2_q[REQ_W-1:SLOT_W];
  assign {s2_bytes_o, s2_data_o, s2_tag} = s2_payload;

  // Separate registers for "full", because all moves depend on them.
  wire s1_valid_d, s2_valid_d, look_full_d, all_full_d;

  always @(posedge clk_i) begin : p_valid
    if (rst_i) begin
      s1_valid_o <= 1'b0;
      s2_valid_o <= 1'b0;
      all_full_o <= 1'b0;
    end else begin
      s1_valid_o <= s1_valid_d;
      s2_valid_o <= s2_valid_d;
      all_full_o <= all_full_d;
    end
  end

  wire s2_next_walks = (s2_next[REQ_W-1 -: 3] == BYW_OP_FLUSH) ||
                    ((s2_next[REQ_W-1 -: 3] == BYW_OP_FENCE) &&
                      (s2_next[REQ_W-4 -: 3] != BYW_FENCE_WAIT));
  assign look_walks_o = (LOOK != 0) && s2_next_walks;

  // Loads garbage if nothing is taken; the valid bit is then 0.
  always @(posedge clk_i) begin : p_requests
    if (req_ready_i) begin
      s1_op_o   <= taken_op_o;
      s1_rest_q <= {kept_hint, |req_bytes_i, beat_part, req_line_i, req_pc_i, req_bypass_i,
                    req_blind_i, slot};
    end
    s2_maint_done_o <= maint_done_i && !s2_move_i;
    if (s2_move_i) begin
      s2_q            <= s2_next;
      s2_needs_line_o <= s2_next[REQ_W-1 -: 3] < BYW_OP_INVALIDATE;
      s2_walks_o      <= s2_next_walks;
    end
  end

  generate
    if (LOOK == 0) begin : gen_s2
      assign look_valid_o = 1'b0;
      assign look_op_o    = 3'd0;
      assign look_hint_o  = 3'd0;
      assign look_pc_o    = {PC_W{1'b0}};
      assign {look_more_o, look_bypass_o, look_blind_o} = 3'd0;
      assign s2_next      = {s1_op_o, s1_rest_q};
      assign slot         = {SLOT_W{1'b0}};
      assign s1_valid_d   = req_taken_i || (s1_valid_o && !s1_move_i);
      assign s2_valid_d   = s2_move_i ? s1_valid_o : s2_valid_o;
      assign look_full_d  = s2_valid_d;
      assign all_full_d   = s1_valid_d && look_full_d;
      assign look_full_o  = s2_valid_o;
      wire unused_moves = &{1'b0, s2_leaves_i, s1_blocked_i, s0_blocked_i, req_valid_i};

      reg [PAYLOAD_W-1:0] s1_payload_q, s2_payload_q;
      assign s2_payload = s2_payload_q;

      always @(posedge clk_i) begin : p_payload
        if (req_ready_i)   s1_payload_q <= payload;
        if (s2_move_i) s2_payload_q <= s1_payload_q;
      end

      wire unused_slot = &{1'b0, s2_q[SLOT_W-1:0]};
    end else begin : gen_look
      reg             look_valid_q, look_full_q;
      wire            look_valid_d = s1_move_i ? s1_valid_o : look_valid_q;
      reg [REQ_W-1:0] look_q;

      // s2_leaves_i arrives late, so both cases are prepared: if s2 leaves, all stages move.
      wire s1_valid_if_held   = req_valid_i || s0_blocked_i;
      wire look_valid_if_held = s1_blocked_i ? look_valid_q : s1_valid_o;
      wire s2_valid_if_held   = s2_valid_o || look_valid_q;
      assign s1_valid_d  = s2_leaves_i ? req_valid_i : s1_valid_if_held;
      assign s2_valid_d  = s2_leaves_i ? look_valid_q : s2_valid_if_held;
      wire two_next     = look_valid_q && s1_valid_o;
      wire two_held     = s2_valid_if_held && look_valid_if_held;
      (* keep *) wire [3:0] full_if;                 // full flags if s2 leaves, and if not
      assign full_if     = {two_next, two_next && req_valid_i,
                            two_held, two_held && s1_valid_if_held};
      assign {look_full_d, all_full_d} = s2_leaves_i ? full_if[3:2] : full_if[1:0];

      assign look_valid_o = look_valid_q;
      assign look_op_o    = look_q[REQ_W-1 -: 3];
      assign look_hint_o  = look_q[REQ_W-4 -: 3];
      assign look_more_o  = look_q[REQ_W-8];
      assign look_pc_o    = look_q[SLOT_W+2 +: PC_W];
      assign {look_bypass_o, look_blind_o} = look_q[SLOT_W +: 2];
      assign s2_next      = look_q;
      assign look_full_o  = look_full_q;

      // Rewritten every cycle until a request is taken.
      reg [SLOT_W-1:0] slot_q;
      assign slot    = slot_q;

      byw_ram_async #(.DEPTH(1 << SLOT_W), .WIDTH(PAYLOAD_W)) u_payload (
        .clk_i(clk_i), .rd_addr_i(s2_q[SLOT_W-1:0]), .rd_data_o(s2_payload),
        .wr_en_i(1'b1), .wr_addr_i(slot_q), .wr_data_i(payload)
      );

      always @(posedge clk_i) begin : p_slot
        if (rst_i)       slot_q <= {SLOT_W{1'b0}};
        else if (req_taken_i) slot_q <= slot_q + 1'b1;
      end

      always @(posedge clk_i) begin : p_look
        look_valid_q <= look_valid_d && !rst_i;
        look_full_q  <= look_full_d && !rst_i;
        if (s1_move_i) look_q <= {s1_op_o, s1_rest_q};
      end
    end
  endgenerate

  `BYW_CHECKS
  `BYW_ASSUME(request_enters_a_free_stage, req_taken_i, req_ready_i && req_valid_i)
  `BYW_ASSERT(full_flag_counts_all_stages, 1'b1,
              all_full_o == (s1_valid_o && s2_valid_o && ((LOOK == 0) || look_valid_o)))
  `BYW_ASSERT(look_full_flag_counts_its_stages, 1'b1,
              look_full_o == (s2_valid_o && ((LOOK == 0) || look_valid_o)))
  `BYW_ASSERT(maintenance_asks_for_no_line, s2_valid_o && s2_walks_o, !s2_needs_line_o)
endmodule

`default_nettype wire
