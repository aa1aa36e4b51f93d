// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d - the L1 data cache of one SM: allocate on miss, with the decision of byw_policy.
//
// Behaviour   s0 accepts, s1 matches tags, s2 decides on the state at the start of its cycle, s3
//             answers hits: 3 cycles from req to rsp, one per cycle.  Orders, ties and the
//             combinational paths between ports: rtl/doc/l1d_pipeline.md.
// Paper       000; MECHANISMS 0.1 to 0.4, 1.3, 1.5; rtl/doc/l1d.md.
// C twin      cmodel/l1d/byw_l1d.c; checked by verif/l1d/lockstep_l1d.c.
// Reset       rst_i, one cycle: empty cache, filter off.  RAMs are never reset.
//
// Parameter   Default  Range            Meaning
// SETS        32       2^n, 1..4096     sets
// DATA_WAYS   4        1..64            data lines of a set
// TAG_WAYS    8        DATA_WAYS..128   tag ways of a set
// LINE_BYTES  128      32, 64, 128      line size
// LINE_W      33       .. 57            line address
// INDEX, REPL 1, 0     0, 1             set hash (0 linear, 1 Fermi); 0 LRU, 1 SRRIP
// RC_W        6        1..8             reference counter
// MSHRS 32, MERGES 8, MISS_DEPTH 8, BYPASS_DEPTH 8, TRACKERS 64: see the units
// ID_W, PC_W  16, 32                    ids also carry MSHR and tracker numbers
// PC_PRED     1        0, 1             the PC predictor exists
// PC_ENTRIES 128, PC_BITS 4, PC_SHIFT 2 its table, see byw_pc_pred
//
`default_nettype none

module byw_l1d #(
  parameter integer SETS         = 32,
  parameter integer DATA_WAYS    = 4,
  parameter integer TAG_WAYS     = 8,
  parameter integer LINE_BYTES   = 128,
  parameter integer LINE_W       = 33,
  parameter integer INDEX        = 1,
  parameter integer REPL         = 0,
  parameter integer RC_W         = 6,
  parameter integer MSHRS        = 32,
  parameter integer MERGES       = 8,
  parameter integer MISS_DEPTH   = 8,
  parameter integer BYPASS_DEPTH = 8,
  parameter integer TRACKERS     = 64,
  parameter integer ID_W         = 16,
  parameter integer PC_W         = 32,
  parameter integer PC_PRED      = 1,
  parameter integer PC_ENTRIES   = 128,
  parameter integer PC_BITS      = 4,
  parameter integer PC_SHIFT     = 2
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // ctrl: quasi-static policy register; filter and kernel start work in their cycle
  input  wire [31:0]             cfg_i,
  input  wire                    filter_on_i,
  input  wire                    kernel_start_i,
  input  wire                    bypass_i,          // two-level: a load taken now bypasses
  input  wire [31:0]             pc_cfg_i,          // quasi-static register of the PC predictor

  // req: from the coalescer
  input  wire                    req_valid_i,
  output wire                    req_ready_o,
  input  wire [2:0]              req_op_i,          // BYW_OP_*
  input  wire [LINE_W-1:0]       req_line_i,
  input  wire [LINE_BYTES-1:0]   req_bytes_i,
  input  wire [LINE_BYTES*8-1:0] req_data_i,
  input  wire [PC_W-1:0]         req_pc_i,
  input  wire [ID_W-1:0]         req_id_i,
  input  wire [2:0]              req_hint_i,        // BYW_HINT_*

  // rsp: to the requester
  output wire                    rsp_valid_o,
  input  wire                    rsp_ready_i,
  output wire [LINE_BYTES*8-1:0] rsp_data_o,
  output wire [ID_W-1:0]         rsp_id_o,
  output wire [2:0]              rsp_served_o,      // BYW_SERVED_*
  output wire                    rsp_error_o,

  // mem_req: to the crossbar
  output wire                    mem_req_valid_o,
  input  wire                    mem_req_ready_i,
  output wire [1:0]              mem_req_kind_o,    // BYW_MEM_*
  output wire                    mem_req_write_o,
  output wire                    mem_req_bypass_o,
  output wire                    mem_req_atomic_o,
  output wire [LINE_W-1:0]       mem_req_line_o,
  output wire [LINE_BYTES-1:0]   mem_req_bytes_o,
  output wire [LINE_BYTES*8-1:0] mem_req_data_o,
  output wire [PC_W-1:0]         mem_req_pc_o,
  output wire [ID_W-1:0]         mem_req_id_o,
  output wire                    mem_req_predicted_o, // a bypass by the PC predictor

  // mem_rsp: from the crossbar
  input  wire                    mem_rsp_valid_i,
  output wire                    mem_rsp_ready_o,
  input  wire [1:0]              mem_rsp_kind_i,    // BYW_MEM_*, no write-back
  input  wire [LINE_BYTES*8-1:0] mem_rsp_data_i,
  input  wire [ID_W-1:0]         mem_rsp_id_i,
  input  wire                    mem_rsp_error_i,
  input  wire                    mem_rsp_mispredict_i, // the L2 saw the bypassed line reused

  output wire                    idle_o,            // nothing in flight
  output wire [25:0]             events_o,          // bit BYW_EV_*
  output wire [16:0]             policy_events_o,   // bit BYW_PEV_*; two-level's own are 0
  output wire [7:0]              pc_counter_o       // with BYW_PEV_PC_ASK: what the counter says
);
  `include "byw_defs.vh"

  localparam integer SET_IW     = (SETS > 1) ? $clog2(SETS) : 1;
  localparam integer KEY_W      = LINE_W - $clog2(SETS);
  localparam integer TAG_IW     = (TAG_WAYS > 1) ? $clog2(TAG_WAYS) : 1;
  localparam integer WAY_IW     = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1;
  localparam integer RANK_W     = (REPL == BYW_REPL_SRRIP) ? 2 : WAY_IW;
  localparam integer MSHR_IW    = (MSHRS > 1) ? $clog2(MSHRS) : 1;
  localparam integer LIST_IW    = (MERGES > 1) ? $clog2(MERGES) : 1;
  localparam integer TRACKER_IW = (TRACKERS > 1) ? $clog2(TRACKERS) : 1;
  localparam integer DATA_W     = LINE_BYTES * 8;
  localparam integer ENTRY_W    = 3 + LINE_W + LINE_BYTES + DATA_W + PC_W + ID_W;
  localparam integer LAST_SET   = SETS - 1;
  localparam integer LAST_WAY   = DATA_WAYS - 1;

  generate
    if ((ID_W <= MSHR_IW) || (ID_W <= TRACKER_IW)) begin : gen_check_id
      byw_l1d_ID_W_must_exceed_MSHR_and_tracker_numbers u_error ();
    end
    if ((PC_PRED != 0) && (PC_PRED != 1)) begin : gen_check_pc_pred
      byw_l1d_PC_PRED_must_be_0_or_1 u_error ();
    end
    if (BYW_PEV_COUNT != 17) begin : gen_check_events
      byw_l1d_policy_events_o_must_have_a_bit_per_event u_error ();
    end
  endgenerate

  // ---- control signals
  wire rsp_taken, fill_taken, fill_writes, pass_taken, mem_req_taken;
  wire look_flush, accept, done, walk, clean, answers, reads, writes, s1_move, req_taken;

  // ---- the decision and the record
  wire [2:0]        outcome, reason, action;
  wire [1:0]        note, cause;
  wire [TAG_IW-1:0] tag, hit_tag;
  wire [WAY_IW-1:0] way, hit_way;
  wire              leaves, orphan, new_key, off, blind, hit, hit_committed, hit_pending, asks;

  wire [TAG_WAYS*KEY_W-1:0]   rec_key,    new_rec_key;
  wire [TAG_WAYS*2-1:0]       rec_status, new_rec_status;
  wire [TAG_WAYS*RC_W-1:0]    rec_rc,     new_rec_rc;
  wire [TAG_WAYS*WAY_IW-1:0]  rec_pos,    new_rec_pos;
  wire [TAG_WAYS*TAG_IW-1:0]  rec_age,    new_rec_age;
  wire [DATA_WAYS*TAG_IW-1:0] rec_owner,  new_rec_owner;
  wire [DATA_WAYS*RANK_W-1:0] rec_rank,   new_rec_rank;
  wire [DATA_WAYS-1:0]        rec_reused, new_rec_reused;
  wire [DATA_WAYS-1:0]        rec_used,   new_rec_used;
  wire [DATA_WAYS-1:0]        rec_pending, new_rec_pending;

  // ---- pipeline registers; set and key travel in the tag store
  reg                    s1_valid_q, s2_valid_q, s3_valid_q;
  reg  [2:0]             s1_op_q,    s2_op_q;
  reg  [2:0]             s1_hint_q,  s2_hint_q;
  reg  [LINE_W-1:0]      s1_line_q,  s2_line_q;
  reg  [LINE_BYTES-1:0]  s1_bytes_q, s2_bytes_q;
  reg  [DATA_W-1:0]      s1_data_q,  s2_data_q;
  reg  [PC_W-1:0]        s1_pc_q,    s2_pc_q;
  reg  [ID_W-1:0]        s1_id_q,    s2_id_q,  s3_id_q;
  reg  [2:0]             s3_served_q;
  reg                    s3_first_q;                // the data RAM shows s3's line
  reg  [DATA_W-1:0]      s3_data_q;                 // held copy of it
  reg  [SET_IW-1:0]      flush_set_q;
  reg  [WAY_IW-1:0]      flush_way_q;
  reg                    filter_q;

  wire [SET_IW-1:0]      s0_set, s2_set;
  wire [KEY_W-1:0]       s0_key, s2_key;
  wire                   drop  = filter_q && !filter_on_i;
  wire                   clear = kernel_start_i || (done && (s2_op_q == BYW_OP_INVALIDATE));

  // ---- MSHR, tracker, queue, data store, fill, arbiter
  wire                   mshr_free, mshr_match, mshr_room, mshrs_idle, fill_attached;
  wire [MSHR_IW-1:0]     alloc_mshr, drain_mshr, next_mshr;
  wire [LIST_IW-1:0]     drain_index, next_index;
  wire [LIST_IW:0]       drain_count;
  wire [SET_IW-1:0]      fill_set;
  wire [WAY_IW-1:0]      fill_way;
  wire [ID_W-1:0]        drain_id, tracker_id;
  wire                   tracker_free, trackers_idle;
  wire [TRACKER_IW-1:0]  take_tracker;
  wire                   miss_room, bypass_room, queue_valid;
  wire [DATA_W-1:0]      line_data, fill_data, pass_data;
  wire [LINE_BYTES-1:0]  line_mask;
  wire [LINE_W-1:0]      line_line;
  wire                   any_dirty, look_dirty, wb_valid, writes_idle;
  wire                   fill_ready, fill_valid, fill_error;
  wire                   pass_valid, pass_store, pass_error;
  wire [ID_W-1:0]        pass_id;
  wire [1:0]             rsp_source;
  wire                   drain = rsp_taken && (rsp_source == BYW_SRC_FILL);
  wire                   drain_last = {1'b0, drain_index} + 1'b1 == drain_count;

  // ---- s0 and s1
  byw_set_index #(
    .SETS(SETS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(INDEX)
  ) u_set_index (.line_i(req_line_i), .set_o(s0_set), .key_o(s0_key));

  byw_tag_store #(
    .SETS(SETS), .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .KEY_W(KEY_W), .RC_W(RC_W),
    .REPL(REPL)
  ) u_tags (
    .clk_i(clk_i), .rst_i(rst_i),
    .s0_take_i(req_taken), .s0_set_i(s0_set), .s0_key_i(s0_key), .s1_move_i(s1_move),
    .s2_set_o(s2_set), .s2_key_o(s2_key), .s2_hit_o(hit), .s2_hit_tag_o(hit_tag),
    .rec_key_o(rec_key), .rec_status_o(rec_status), .rec_rc_o(rec_rc), .rec_pos_o(rec_pos),
    .rec_age_o(rec_age), .rec_owner_o(rec_owner), .rec_rank_o(rec_rank),
    .rec_reused_o(rec_reused), .rec_used_o(rec_used), .rec_pending_o(rec_pending),
    .wr_en_i(accept && (action != BYW_SET_KEEP)), .wr_new_key_i(new_key), .wr_tag_i(tag),
    .rec_key_i(new_rec_key), .rec_status_i(new_rec_status), .rec_rc_i(new_rec_rc),
    .rec_pos_i(new_rec_pos), .rec_age_i(new_rec_age), .rec_owner_i(new_rec_owner),
    .rec_rank_i(new_rec_rank), .rec_reused_i(new_rec_reused), .rec_used_i(new_rec_used),
    .rec_pending_i(new_rec_pending),
    .fill_en_i(fill_taken && fill_attached), .fill_set_i(fill_set), .fill_way_i(fill_way),
    .fill_error_i(mem_rsp_error_i), .fill_keep_i(!off),
    .clear_i(clear), .drop_i(drop)
  );

  // ---- s2: the decision
  byw_policy #(
    .TAG_WAYS(TAG_WAYS), .DATA_WAYS(DATA_WAYS), .KEY_W(KEY_W), .RC_W(RC_W), .REPL(REPL)
  ) u_policy (
    .cfg_i(cfg_i), .filter_on_i(filter_on_i), .op_i(s2_op_q), .hint_i(s2_hint_q),
    .key_i(s2_key), .hit_i(hit), .hit_tag_i(hit_tag),
    .adv_bypass_i(1'b0), .adv_hot_i(1'b0), .adv_dead_i(1'b0), .asks_o(asks),
    .res_miss_slot_i(!wb_valid && miss_room),
    .res_bypass_slot_i(!wb_valid && bypass_room && tracker_free),
    .res_mshr_i(mshr_free), .res_merge_i(mshr_room),
    .rec_key_i(rec_key), .rec_status_i(rec_status), .rec_rc_i(rec_rc), .rec_pos_i(rec_pos),
    .rec_age_i(rec_age), .rec_owner_i(rec_owner), .rec_rank_i(rec_rank),
    .rec_reused_i(rec_reused), .rec_used_i(rec_used), .rec_pending_i(rec_pending),
    .outcome_o(outcome), .reason_o(reason), .action_o(action), .note_o(note), .cause_o(cause),
    .tag_o(tag), .way_o(way), .leaves_o(leaves), .orphan_o(orphan), .writes_key_o(new_key), .off_o(off),
    .blind_o(blind), .hit_committed_o(hit_committed), .hit_pending_o(hit_pending),
    .hit_way_o(hit_way),
    .rec_key_o(new_rec_key), .rec_status_o(new_rec_status), .rec_rc_o(new_rec_rc),
    .rec_pos_o(new_rec_pos), .rec_age_o(new_rec_age), .rec_owner_o(new_rec_owner),
    .rec_rank_o(new_rec_rank), .rec_reused_o(new_rec_reused), .rec_used_o(new_rec_used),
    .rec_pending_o(new_rec_pending)
  );

  wire [WAY_IW-1:0]    look_way = look_flush ? flush_way_q : leaves ? way : hit_way;
  wire [SET_IW-1:0]    look_set = look_flush ? flush_set_q : s2_set;
  wire [DATA_WAYS-1:0] leaves_reused = rec_reused >> way;

  byw_l1d_ctrl u_ctrl (
    .kernel_start_i(kernel_start_i), .req_valid_i(req_valid_i), .req_op_i(req_op_i),
    .rsp_ready_i(rsp_ready_i), .mem_req_ready_i(mem_req_ready_i),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_kind_i(mem_rsp_kind_i),
    .mem_rsp_error_i(mem_rsp_error_i),
    .s1_valid_i(s1_valid_q), .s2_valid_i(s2_valid_q), .s3_valid_i(s3_valid_q), .s2_op_i(s2_op_q),
    .rsp_valid_i(rsp_valid_o), .rsp_source_i(rsp_source), .fill_ready_i(fill_ready),
    .fill_valid_i(fill_valid), .fill_attached_i(fill_attached), .pass_valid_i(pass_valid),
    .queue_valid_i(queue_valid), .queue_write_i(mem_req_write_o),
    .queue_miss_room_i(miss_room), .wb_valid_i(wb_valid), .any_dirty_i(any_dirty),
    .look_dirty_i(look_dirty), .mshrs_idle_i(mshrs_idle), .trackers_idle_i(trackers_idle),
    .writes_idle_i(writes_idle),
    .outcome_i(outcome), .reason_i(reason), .action_i(action), .note_i(note), .leaves_i(leaves),
    .orphan_i(orphan),
    .leaves_reused_i(leaves_reused[0]), .blind_i(blind), .hit_committed_i(hit_committed),
    .rsp_taken_o(rsp_taken), .mem_rsp_ready_o(mem_rsp_ready_o), .fill_taken_o(fill_taken),
    .fill_writes_o(fill_writes), .pass_taken_o(pass_taken), .mem_req_taken_o(mem_req_taken),
    .look_flush_o(look_flush), .accept_o(accept), .done_o(done), .walk_o(walk), .clean_o(clean),
    .answers_o(answers), .reads_o(reads), .writes_o(writes), .s1_move_o(s1_move),
    .req_ready_o(req_ready_o), .req_taken_o(req_taken), .idle_o(idle_o), .events_o(events_o)
  );

  // ---- what an accepted decision starts
  wire is_load     = (s2_op_q == BYW_OP_LOAD) || (s2_op_q == BYW_OP_LOCAL_LOAD);
  wire is_store    = (s2_op_q == BYW_OP_STORE) || (s2_op_q == BYW_OP_LOCAL_STORE);
  wire is_atomic   = s2_op_q == BYW_OP_ATOMIC;
  wire alloc       = accept && is_load && (outcome == BYW_MISS);
  wire merge       = accept && is_load && (outcome == BYW_HIT_PENDING);
  wire bypass      = accept && (outcome == BYW_BYPASS);
  wire store_sent  = accept && is_store && !((s2_op_q == BYW_OP_LOCAL_STORE) &&
                                             (outcome == BYW_HIT));

  assign policy_events_o =
    {{(BYW_PEV_COUNT-1){1'b0}}, accept && (cause == BYW_CAUSE_STALL)} << BYW_PEV_STALL_BYPASS;
  assign pc_counter_o        = 8'd0;
  assign mem_req_predicted_o = 1'b0;

  byw_mshr #(
    .MSHRS(MSHRS), .MERGES(MERGES), .LINE_W(LINE_W), .SET_IW(SET_IW), .WAY_IW(WAY_IW), .ID_W(ID_W)
  ) u_mshr (
    .clk_i(clk_i), .rst_i(rst_i),
    .line_i(s2_line_q), .set_i(s2_set), .way_i(way), .id_i(s2_id_q),
    .free_o(mshr_free), .match_o(mshr_match), .room_o(mshr_room),
    .alloc_i(alloc), .alloc_mshr_o(alloc_mshr), .merge_i(merge), .detach_i(accept && orphan),
    .detach_all_i(clear),
    .fill_i(fill_taken), .fill_mshr_i(mem_rsp_id_i[MSHR_IW-1:0]),
    .fill_attached_o(fill_attached), .fill_set_o(fill_set),
    .fill_way_o(fill_way),
    .count_mshr_i(drain_mshr), .count_o(drain_count),
    .drain_mshr_i(next_mshr), .drain_index_i(next_index), .drain_id_o(drain_id),
    .free_i(drain && drain_last), .free_mshr_i(drain_mshr), .idle_o(mshrs_idle)
  );

  byw_bypass_tracker #(.TRACKERS(TRACKERS), .ID_W(ID_W)) u_tracker (
    .clk_i(clk_i), .rst_i(rst_i), .free_o(tracker_free), .take_i(bypass), .id_i(s2_id_q),
    .take_tracker_o(take_tracker),
    .give_i(pass_taken && (mem_rsp_kind_i == BYW_MEM_BYPASS)),
    .give_tracker_i(mem_rsp_id_i[TRACKER_IW-1:0]), .give_id_o(tracker_id), .idle_o(trackers_idle)
  );

  byw_write_path u_write_path (
    .clk_i(clk_i), .rst_i(rst_i), .clean_i(clean), .wb_valid_o(wb_valid), .store_i(store_sent),
    .ack_i(pass_taken && (mem_rsp_kind_i == BYW_MEM_STORE)), .idle_o(writes_idle)
  );

  byw_data_store #(
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W)
  ) u_lines (
    .clk_i(clk_i), .rst_i(rst_i),
    .rd_en_i(reads || clean), .rd_set_i(look_set), .rd_way_i(look_way), .rd_data_o(line_data),
    .rd_mask_o(line_mask), .rd_line_o(line_line),
    .fill_i(fill_writes), .fill_set_i(fill_set), .fill_way_i(fill_way),
    .fill_data_i(mem_rsp_data_i),
    .store_i(writes), .store_dirty_i(s2_op_q == BYW_OP_LOCAL_STORE), .store_set_i(s2_set),
    .store_way_i(hit_way), .store_line_i(s2_line_q), .store_mask_i(s2_bytes_q),
    .store_data_i(s2_data_q),
    .look_set_i(look_set), .look_way_i(look_way), .look_dirty_o(look_dirty),
    .any_dirty_o(any_dirty), .clean_i(clean), .clean_all_i(clear)
  );

  // ---- the queue: the write-back register goes before s2, which then has no slot
  wire [ID_W-1:0]   alloc_id = {{(ID_W-MSHR_IW){1'b0}}, alloc_mshr};
  wire [ID_W-1:0]   take_id  = {{(ID_W-TRACKER_IW){1'b0}}, take_tracker};
  wire [1:0]        kind     = bypass ? BYW_MEM_BYPASS : alloc ? BYW_MEM_FILL : BYW_MEM_STORE;
  wire [ID_W-1:0]   kind_id  = bypass ? take_id : alloc ? alloc_id : s2_id_q;
  wire [LINE_BYTES-1:0] kind_bytes = alloc ? {LINE_BYTES{1'b1}} : s2_bytes_q;
  wire [ENTRY_W-1:0] s2_entry = {kind, is_atomic, s2_line_q, kind_bytes, s2_data_q, s2_pc_q,
                                 kind_id};
  wire [ENTRY_W-1:0] wb_entry = {BYW_MEM_WRITEBACK, 1'b0, line_line, line_mask, line_data,
                                 {PC_W{1'b0}}, {ID_W{1'b0}}};

  byw_miss_queue #(
    .MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH), .ENTRY_W(ENTRY_W)
  ) u_queue (
    .clk_i(clk_i), .rst_i(rst_i), .miss_room_o(miss_room), .bypass_room_o(bypass_room),
    .push_valid_i(wb_valid || alloc || bypass || store_sent),
    .push_bypass_i(!wb_valid && bypass), .push_entry_i(wb_valid ? wb_entry : s2_entry),
    .pop_valid_o(queue_valid), .pop_ready_i(mem_req_ready_i), .pop_bypass_o(mem_req_bypass_o),
    .pop_entry_o({mem_req_kind_o, mem_req_atomic_o, mem_req_line_o, mem_req_bytes_o,
                  mem_req_data_o, mem_req_pc_o, mem_req_id_o})
  );

  assign mem_req_valid_o = queue_valid;
  assign mem_req_write_o = (mem_req_kind_o == BYW_MEM_STORE) ||
                           (mem_req_kind_o == BYW_MEM_WRITEBACK);

  // ---- responses
  byw_fill #(
    .LINE_BYTES(LINE_BYTES), .MSHR_IW(MSHR_IW), .LIST_IW(LIST_IW), .ID_W(ID_W)
  ) u_fill (
    .clk_i(clk_i), .rst_i(rst_i),
    .fill_take_i(fill_taken), .fill_mshr_i(mem_rsp_id_i[MSHR_IW-1:0]), .pass_take_i(pass_taken),
    .pass_store_i(mem_rsp_kind_i == BYW_MEM_STORE),
    .pass_id_i((mem_rsp_kind_i == BYW_MEM_BYPASS) ? tracker_id : mem_rsp_id_i),
    .error_i(mem_rsp_error_i), .data_i(mem_rsp_data_i), .fill_ready_o(fill_ready),
    .fill_valid_o(fill_valid), .fill_mshr_o(drain_mshr), .fill_index_o(drain_index),
    .fill_error_o(fill_error), .fill_data_o(fill_data), .drain_i(drain),
    .drain_last_i(drain_last), .next_mshr_o(next_mshr), .next_index_o(next_index),
    .pass_valid_o(pass_valid), .pass_store_o(pass_store), .pass_id_o(pass_id),
    .pass_error_o(pass_error), .pass_data_o(pass_data),
    .pass_drain_i(rsp_taken && (rsp_source == BYW_SRC_PASS))
  );

  byw_rsp_arb u_rsp_arb (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i({pass_valid, fill_valid, s3_valid_q}),
    .rsp_ready_i(rsp_ready_i), .rsp_valid_o(rsp_valid_o), .source_o(rsp_source)
  );

  wire [DATA_W-1:0] s3_data = s3_first_q ? line_data : s3_data_q;
  wire              of_hit  = rsp_source == BYW_SRC_HIT;
  wire              of_fill = rsp_source == BYW_SRC_FILL;

  assign rsp_data_o   = of_hit ? s3_data : of_fill ? fill_data : pass_data;
  assign rsp_id_o     = of_hit ? s3_id_q : of_fill ? drain_id : pass_id;
  assign rsp_served_o = of_hit ? s3_served_q : of_fill ? BYW_SERVED_FILL :
                        pass_store ? BYW_SERVED_STORE : BYW_SERVED_BYPASS;
  assign rsp_error_o  = of_hit ? 1'b0 : of_fill ? fill_error : pass_error;

  // ---- pipeline
  always @(posedge clk_i) begin : p_valid
    if (rst_i) begin
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s3_valid_q <= 1'b0;
    end else begin
      s1_valid_q <= req_taken || (s1_valid_q && !s1_move);
      if (s1_move) s2_valid_q <= s1_valid_q;
      s3_valid_q <= answers || (s3_valid_q && !(rsp_taken && of_hit));
    end
  end

  always @(posedge clk_i) begin : p_requests
    if (req_taken) begin
      s1_op_q    <= req_op_i;
      s1_hint_q  <= req_hint_i;
      s1_line_q  <= req_line_i;
      s1_bytes_q <= req_bytes_i;
      s1_data_q  <= req_data_i;
      s1_pc_q    <= req_pc_i;
      s1_id_q    <= req_id_i;
    end
    if (s1_move) begin
      s2_op_q    <= s1_op_q;
      s2_hint_q  <= s1_hint_q;
      s2_line_q  <= s1_line_q;
      s2_bytes_q <= s1_bytes_q;
      s2_data_q  <= s1_data_q;
      s2_pc_q    <= s1_pc_q;
      s2_id_q    <= s1_id_q;
    end
  end

  // The line must be kept aside while it waits: a write-back may read another one.
  always @(posedge clk_i) begin : p_s3
    s3_first_q <= answers;
    if (s3_first_q) s3_data_q <= line_data;
    if (answers) begin
      s3_id_q     <= s2_id_q;
      s3_served_q <= done ? BYW_SERVED_DONE : is_store ? BYW_SERVED_STORE : BYW_SERVED_HIT;
    end
  end

  wire flush_last_way = flush_way_q == LAST_WAY[WAY_IW-1:0];
  wire flush_last_set = flush_set_q == LAST_SET[SET_IW-1:0];

  always @(posedge clk_i) begin : p_flush
    if (rst_i || clear || done) begin
      flush_set_q <= {SET_IW{1'b0}};
      flush_way_q <= {WAY_IW{1'b0}};
    end else if (walk) begin
      flush_way_q <= flush_last_way ? {WAY_IW{1'b0}} : flush_way_q + 1'b1;
      if (flush_last_way)
        flush_set_q <= flush_last_set ? {SET_IW{1'b0}} : flush_set_q + 1'b1;
    end
  end

  always @(posedge clk_i) begin : p_filter
    filter_q <= filter_on_i && !rst_i;
  end

  wire unused_ok = &{1'b0, leaves_reused, mshr_match, hit_pending, mem_req_taken, asks, bypass_i,
                      pc_cfg_i, mem_rsp_mispredict_i, PC_ENTRIES[0], PC_BITS[0],
                      PC_SHIFT[0]};
endmodule

`default_nettype wire
