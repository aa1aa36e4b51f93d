// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_send - the path from the L1D to the crossbar: miss queue, bypass trackers, write-backs,
//                store acknowledgements and, if configured, the order guard.
//
// Behaviour   At most one of misses_i, bypasses_i and store_i is set; the first two describe the s2
//             request whether it is accepted or not.  With to_miss_i or send_bypass_i the request
//             goes into byw_miss_queue: as a fill for alloc_mshr_i, as a bypass with its tracker,
//             or as a store with the requester's id.  clean_i fills the write-back register from
//             the data store one cycle later.  The write-back has priority over s2, which sees no
//             free slot in that cycle (miss_slot_o, bypass_slot_o); a beat without dirty bytes
//             (wb_dirty_i) is not pushed.  With ORDER or STORE_IDS the output of the queue passes
//             through byw_order: rsp_id_i is the id that memory returns, own_id_o the id in the
//             cache.
// Paper       mechanisms/cache.md 0.2, 0.3; rtl/doc/l1d.md, l1d_pipeline.md.
// C twin      send() and tick_wb() of cmodel/model/l1d/byw_l1d.c, byw_order.c; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       rst_i: the queue is empty, nothing is outstanding.
//
// Parameters as in byw_l1d; WB_ACKS: as in byw_write_path; MSHR_IW, TRACKER_IW: widths of MSHR and
// tracker numbers; BEAT_BYTES, BEAT_W: as in byw_l1d_pipe.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_send #(
  parameter integer BEAT_BYTES   = `BYW_DEFAULT_LINE_BYTES,
  parameter integer BEAT_W       = 0,
  parameter integer LINE_W       = 33,
  parameter integer MSHR_IW      = 5,
  parameter integer MISS_DEPTH   = `BYW_DEFAULT_MISS_DEPTH,
  parameter integer BYPASS_DEPTH = `BYW_DEFAULT_BYPASS_DEPTH,
  parameter integer TRACKERS     = `BYW_DEFAULT_TRACKERS,
  parameter integer ID_W         = 16,
  parameter integer PC_W         = 32,
  parameter integer FUNC_W       = 0,
  parameter integer ORDER        = `BYW_DEFAULT_ORDER,
  parameter integer IN_FLIGHT    = `BYW_DEFAULT_IN_FLIGHT,
  parameter integer STORE_IDS    = `BYW_DEFAULT_STORE_IDS,
  parameter integer WB_ACKS      = 0,
  parameter integer TRACKER_IW   = (TRACKERS > 1) ? $clog2(TRACKERS) : 1,
  parameter integer BEAT_PW      = (BEAT_W > 0) ? BEAT_W : 1,   // derived, as is the next
  parameter integer FUNC_PW      = (FUNC_W > 0) ? FUNC_W : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // the request in s2, and its outcome
  input  wire [LINE_W-1:0]       line_i,
  input  wire [BEAT_PW-1:0]      beat_i,
  input  wire                    more_i,
  input  wire [BEAT_BYTES-1:0]   bytes_i,
  input  wire [BEAT_BYTES*8-1:0] data_i,
  input  wire [PC_W-1:0]         pc_i,
  input  wire [ID_W-1:0]         id_i,
  input  wire [FUNC_PW-1:0]      func_i,
  input  wire                    atomic_i,
  // a load that misses, sent or not
  input  wire                    misses_i,
  input  wire                    bypasses_i,     // a bypass, sent or not
  input  wire [BEAT_BYTES-1:0]   fetch_i,        // with misses_i: mask of the beat or sector
  input  wire [MSHR_IW-1:0]      alloc_mshr_i,
  input  wire                    send_bypass_i,
  input  wire                    predicted_i,    // with send_bypass_i: bypassed by the PC predictor
  output wire [TRACKER_IW-1:0]   bypass_tracker_o,
  input  wire                    store_i,
  // a miss or store_i; like send_bypass_i, never with wb_valid_o
  input  wire                    to_miss_i,

  // a dirty line; the data store shows it one cycle later
  input  wire                    clean_i,
  input  wire [LINE_W-1:0]       wb_line_i,
  input  wire [BEAT_PW-1:0]      wb_beat_i,
  input  wire                    wb_dirty_i,     // the beat has dirty bytes
  input  wire [BEAT_BYTES-1:0]   wb_mask_i,
  input  wire [BEAT_BYTES*8-1:0] wb_data_i,

  // responses
  input  wire                    rsp_taken_i,    // an accepted response, with memory's id
  input  wire [1:0]              rsp_kind_i,     // BYW_MEM_*
  input  wire [ID_W-1:0]         rsp_id_i,
  output wire [ID_W-1:0]         own_id_o,       // the id in the cache
  input  wire                    direct_taken_i, // an accepted response other than a fill
  output wire                    give_o,         // the response is to a bypass
  output wire [TRACKER_IW-1:0]   give_tracker_o,
  output wire [ID_W-1:0]         give_id_o,      // requester id of the bypass, valid one cycle
                                                 // later
  output wire                    store_ack_o,
  output wire                    wb_ack_o,

  // resources available in this cycle
  output wire                    miss_room_o,    // there is room in the queue
  output wire                    miss_slot_o,    // free slot for the request in s2
  output wire                    bypass_slot_o,  // free slot and tracker for the request in s2
  output wire                    wb_valid_o,
  output wire                    queue_valid_o,
  output wire                    trackers_idle_o,
  output wire                    writes_idle_o,

  // mem_req
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire [1:0]              mem_req_kind_o, // BYW_MEM_*
  output wire                    mem_req_write_o,
  output wire                    mem_req_bypass_o,
  output wire                    mem_req_atomic_o,
  output wire                    mem_req_predicted_o,
  output wire [LINE_W-1:0]       mem_req_line_o,
  output wire [BEAT_PW-1:0]      mem_req_beat_o,
  output wire                    mem_req_more_o,
  output wire [BEAT_BYTES-1:0]   mem_req_bytes_o,
  output wire [BEAT_BYTES*8-1:0] mem_req_data_o,
  output wire [PC_W-1:0]         mem_req_pc_o,
  output wire [FUNC_PW-1:0]      mem_req_func_o,
  output wire [ID_W-1:0]         mem_req_id_o
);
  `include "byw_defs.vh"

  localparam integer PC_FUNC_W = PC_W + FUNC_W;
  localparam integer SIDE_W    = PC_FUNC_W + ((BEAT_W > 0) ? BEAT_W + 1 : 0);
  localparam integer ENTRY_W   = 4 + LINE_W + BEAT_BYTES + BEAT_BYTES*8 + SIDE_W + ID_W;

  wire            tracker_free, bypass_room, s2_turn, wb_turn;
  wire [ID_W-1:0] head_id;                          // id of the queue's head

  generate
    if ((ID_W <= MSHR_IW) || (ID_W <= TRACKER_IW)) begin : gen_check_id
      byw_l1d_send_ID_W_must_exceed_MSHR_and_tracker_numbers u_error ();
    end
  endgenerate

  assign give_o         = direct_taken_i && (rsp_kind_i == BYW_MEM_BYPASS);
  assign give_tracker_o = own_id_o[TRACKER_IW-1:0];
  assign store_ack_o    = direct_taken_i && (rsp_kind_i == BYW_MEM_STORE);
  assign wb_ack_o       = (WB_ACKS != 0) && direct_taken_i && (rsp_kind_i == BYW_MEM_WRITEBACK);

  assign wb_valid_o    = !s2_turn;           // not wb_turn, which has a high fan-out
  assign miss_slot_o   = s2_turn && miss_room_o;
  assign bypass_slot_o = s2_turn && bypass_room && tracker_free;

  byw_bypass_tracker #(.TRACKERS(TRACKERS), .ID_W(ID_W)) u_tracker (
    .clk_i(clk_i),
    .rst_i(rst_i),

    .free_o(tracker_free),
    .take_i(send_bypass_i),
    .id_i(id_i),
    .take_tracker_o(bypass_tracker_o),

    .give_i(give_o),
    .give_tracker_i(give_tracker_o),
    .give_id_o(give_id_o),

    .idle_o(trackers_idle_o)
  );

  byw_write_path #(.WB_ACKS(WB_ACKS)) u_write_path (
    .clk_i(clk_i), .rst_i(rst_i), .wb_load_i(clean_i), .wb_valid_o(wb_turn), .wb_empty_o(s2_turn),
    .store_sent_i(store_i), .wb_dirty_i(wb_dirty_i), .write_ack_i(store_ack_o || wb_ack_o),
    .idle_o(writes_idle_o)
  );

  // ---- the fields stored with the PC
  wire [PC_FUNC_W-1:0] pc_func;
  wire [SIDE_W-1:0]    s2_side, wb_side, head_side;

  assign mem_req_pc_o = head_side[PC_W-1:0];
  generate
    if (FUNC_W > 0) begin : gen_func
      assign pc_func        = {func_i, pc_i};
      assign mem_req_func_o = head_side[PC_W +: FUNC_PW];
    end else begin : gen_no_func
      assign pc_func        = pc_i;
      assign mem_req_func_o = 1'b0;
      wire unused_func = &{1'b0, func_i};
    end
    if (BEAT_W > 0) begin : gen_beat
      assign s2_side        = {beat_i, more_i, pc_func};
      assign wb_side        = {wb_beat_i, 1'b0, {PC_FUNC_W{1'b0}}};
      assign mem_req_more_o = head_side[PC_FUNC_W];
      assign mem_req_beat_o = head_side[PC_FUNC_W+1 +: BEAT_PW];
    end else begin : gen_no_beat
      assign s2_side        = pc_func;
      assign wb_side        = {PC_FUNC_W{1'b0}};
      assign mem_req_more_o = 1'b0;
      assign mem_req_beat_o = 1'b0;
      wire unused_beat = &{1'b0, beat_i, more_i, wb_beat_i};
    end
  endgenerate

  wire [ID_W-1:0]       alloc_id = {{(ID_W-MSHR_IW){1'b0}}, alloc_mshr_i};
  wire [ID_W-1:0]       bypass_id = {{(ID_W-TRACKER_IW){1'b0}}, bypass_tracker_o};
  wire [1:0]            kind     = bypasses_i ? BYW_MEM_BYPASS : misses_i ? BYW_MEM_FILL
                                                                     : BYW_MEM_STORE;
  wire [ID_W-1:0]       kind_id  = bypasses_i ? bypass_id : misses_i ? alloc_id : id_i;
  wire [BEAT_BYTES-1:0] wanted   = misses_i ? fetch_i : bytes_i;
  wire [ENTRY_W-1:0]    s2_entry = {kind, atomic_i, predicted_i, line_i, wanted, data_i, s2_side,
                                    kind_id};
  wire [ENTRY_W-1:0]    wb_entry = {BYW_MEM_WRITEBACK, 2'b00, wb_line_i, wb_mask_i, wb_data_i,
                                    wb_side, {ID_W{1'b0}}};

  byw_miss_queue #(
    .MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH), .ENTRY_W(ENTRY_W)
  ) u_queue (
    .clk_i(clk_i),
    .rst_i(rst_i),

    .miss_room_o(miss_room_o),
    .bypass_room_o(bypass_room),
    .push_miss_i((wb_turn && wb_dirty_i) || to_miss_i),
    .push_bypass_i(send_bypass_i),
    .push_entry_i(wb_turn ? wb_entry : s2_entry),

    .pop_valid_o(queue_valid_o),
    .pop_ready_i(mem_req_ready_i && mem_req_valid_o),
    .pop_bypass_o(mem_req_bypass_o),
    .pop_entry_o({mem_req_kind_o, mem_req_atomic_o, mem_req_predicted_o, mem_req_line_o,
        mem_req_bytes_o, mem_req_data_o, head_side, head_id})
  );

  assign mem_req_write_o = (mem_req_kind_o == BYW_MEM_STORE) ||
                           (mem_req_kind_o == BYW_MEM_WRITEBACK);

  generate
    if ((ORDER != 0) || (STORE_IDS != 0)) begin : gen_order
      byw_order #(.ORDER(ORDER), .IN_FLIGHT(IN_FLIGHT), .LINE_W(LINE_W), .ID_W(ID_W)) u_order (
        .clk_i(clk_i),
        .rst_i(rst_i),

        // the head of the queue
        .req_valid_i(queue_valid_o),
        .req_kind_i(mem_req_kind_o),
        .req_atomic_i(mem_req_atomic_o),
        .req_line_i(mem_req_line_o),
        .req_id_i(head_id),
        .req_go_o(mem_req_valid_o),
        .req_id_o(mem_req_id_o),
        .req_taken_i(mem_req_valid_o && mem_req_ready_i),

        // an answer
        .rsp_taken_i(rsp_taken_i),
        .rsp_kind_i(rsp_kind_i),
        .rsp_id_i(rsp_id_i),
        .own_id_o(own_id_o)
      );
    end else begin : gen_as_sent
      assign mem_req_valid_o = queue_valid_o;
      assign mem_req_id_o    = head_id;
      assign own_id_o        = rsp_id_i;
      wire unused_order = &{1'b0, rsp_taken_i, IN_FLIGHT[0]};
    end
  endgenerate

  `BYW_CHECKS
  `BYW_ASSUME(one_message_per_cycle, to_miss_i, !send_bypass_i)
  `BYW_ASSUME(write_back_goes_first, to_miss_i || send_bypass_i, !wb_valid_o)
  `BYW_ASSERT(no_slot_during_a_write_back, wb_valid_o, !miss_slot_o && !bypass_slot_o)
  `BYW_ASSERT(slot_is_room_in_the_queue, miss_slot_o, miss_room_o)
  `BYW_ASSERT(request_comes_from_the_queue, mem_req_valid_o, queue_valid_o)
endmodule

`default_nettype wire
