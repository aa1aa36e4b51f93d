// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_ctrl - the control of the L1D: all its combinational signals of one cycle.
//
// Behaviour   Depends on the registers at the start of the cycle.  Decides which response is taken,
//             whether a memory response is accepted, and whether the pipeline moves.  Decides what
//             happens to the request in s2: accepted, refused, held, or done (an invalidate or
//             flush, or a request that looks at a bad tag).  Order and ties:
//             rtl/doc/l1d_pipeline.md.  Combinational.
// Paper       mechanisms/cache.md 0.1 to 0.3; rtl/doc/l1d.md.
// C twin      cmodel/model/l1d/byw_l1d_ctrl.c; checked by verif/l1d/lockstep_l1d.c.
//
// Parameter   Default  Range  Meaning
// ALLOC       0        0, 1   0 allocate on miss; 1 on fill: a fill that installs owns the write
//                             ports of the record and data store, and stores write through
// LOOK        0        0, 1   1: the look stage exists
// FENCE       0        0, 1   1: the fence operation exists
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_ctrl #(
  parameter integer ALLOC = 0,
  parameter integer LOOK  = 0,
  parameter integer FENCE = 0
) (
  // ports of the cache
  input  wire       kernel_start_i,
  input  wire       bypass_i,
  input  wire       req_valid_i,
  input  wire [2:0] req_op_i,
  input  wire       rsp_ready_i,
  input  wire       mem_req_ready_i,
  input  wire       mem_rsp_valid_i,
  input  wire [1:0] mem_rsp_kind_i,
  input  wire       mem_rsp_error_i,

  // pipeline
  input  wire       s1_valid_i,
  input  wire [2:0] s1_op_i,
  input  wire       look_valid_i,           // 0 without the look stage
  input  wire [2:0] look_op_i,
  input  wire       s2_valid_i,
  input  wire       look_full_i,            // s2 and look hold a request
  input  wire       all_full_i,             // s2, look and s1 hold a request
  input  wire       s1_same_set_i,          // LOOK: s1 and s2 have the same set
  input  wire       s2_decidable_i,         // s2 can be decided; see byw_l1d_look
  input  wire       s3_valid_i,
  input  wire [2:0] s2_op_i,
  input  wire       s2_needs_line_i,        // the request is not an invalidate, flush or fence
  input  wire       s2_walks_i,             // a flush, or a fence that does more than wait
  input  wire       s2_maint_done_i,        // LOOK: maint_done_o of the cycle before
  input  wire [2:0] s2_hint_i,              // BYW_FENCE_* if it is a fence
  input  wire       s2_uncached_i,          // an uncached load, decided as an atomic
  input  wire       s2_more_i,              // continues an access, so it is not counted
  input  wire       s2_rec_unchanged_i,     // continues an access and does not write its record

  // units
  input  wire [2:0] rsp_turn_i,             // bit BYW_SRC_*: shown if valid
  input  wire       fill_ready_i,
  input  wire       fill_room_i,            // copy of fill_ready_i, see byw_fill
  input  wire       fill_last_i,            // the next beat is the last of its fill
  input  wire       fill_failed_i,          // an earlier beat of the fill failed
  input  wire       fill_valid_i,
  input  wire       fill_attached_i,        // the MSHR of the response is attached
  input  wire       direct_valid_i,
  input  wire       queue_valid_i,
  input  wire       mem_req_valid_i,        // the head may leave; the order guard can hold it
  input  wire       queue_write_i,          // the head is a write
  input  wire       queue_miss_room_i,
  input  wire       wb_valid_i,
  input  wire       any_dirty_i,
  input  wire       query_dirty_i,          // the line that the decision is about
  input  wire       walk_dirty_i,           // the line of the flush walk
  input  wire       clean_last_i,           // the next beat is the last of the line written back
  input  wire       clean_other_line_i,     // the write-back in progress is of another line; early
  input  wire       mshrs_idle_i,
  input  wire       trackers_idle_i,
  input  wire       writes_idle_i,

  // the decision
  input  wire       tag_bad_i, // the request looks at a tag with wrong parity, so it is not decided
  input  wire       tag_fail_i,             // tag_bad_i: the request is answered with an error
  input  wire       store_refused_i,        // the request is a store and refused
  input  wire       req_refused_i,          // the outcome is a refusal
  input  wire       req_can_leave_i,        // the request is not refused, and no line must be
                                            // cleaned first
  input  wire       hit_i,                  // if not refused: a hit; early, as the next six
  input  wire       hit_answered_i,         // a hit that s3 answers
  input  wire       load_miss_i,            // a load that misses
  input  wire       load_merge_i,           // a load that merges
  input  wire       req_bypass_i,           // a request that bypasses
  input  wire       line_store_i,           // a store that writes its line
  input  wire       line_given_up_i,        // the line looked at is evicted, or bypassed
  input  wire [`BYW_RSFAIL_W-1:0] reason_i,
  input  wire [`BYW_ACTION_W-1:0] action_i, // valid if it leaves, as the next four
  input  wire [`BYW_NOTE_W-1:0] note_i,
  input  wire       line_evict_i,
  input  wire       mshr_detach_i,          // the line was pending and is given up
  input  wire       evict_reused_i,         // the evicted line was hit since its fill
  input  wire       blind_i,
  input  wire       sector_miss_i,

  // allocate on fill: the fill in f2
  input  wire       install_i,              // allocates its line, unless the kernel starts
  input  wire       install_evict_i,        // the install evicts another line
  input  wire       install_evict_reused_i, // the evicted line was hit since its fill

  // responses
  output wire       mem_rsp_ready_o,
  output wire       beat_taken_o,           // a beat of a fill
  output wire       fill_taken_o,           // the last beat of a fill
  output wire       fill_fails_o,           // with fill_taken_o: the fill fails
  // a beat or install has bytes to write, if its MSHR still owns the line
  output wire       fill_wr_if_owned_o,
  output wire       fill_wr_o,              // the bytes are written
  output wire       direct_taken_o,
  output wire       lines_clear_o,          // all lines and tags are dropped in this cycle
  output wire       clear_if_done_o,        // lines_clear_o follows if the s2 request leaves

  // s2
  output wire       s2_accept_o,            // the decision takes effect
  output wire       s2_done_o,              // an invalidate, flush or fence ends, or tag_fail_i
  output wire       s3_fail_o,              // with s3_load_o: the response is an error
  output wire       maint_done_o,           // flush or fence: nothing is left to wait for
  output wire       walk_restart_o,         // the next flush starts at the first line
  output wire       walk_step_o,            // the flush walk steps to the next line
  output wire       line_must_clean_o,      // the line looked at must be written back
  output wire       wb_load_o,              // a beat of that line goes into the write-back register
  output wire       mshr_alloc_o,           // an MSHR is allocated
  output wire       mshr_merge_o,           // the load merges into the MSHR of its line
  output wire       bypass_send_o,          // a load or atomic takes the bypass path
  output wire       store_send_o,           // a store is sent
  output wire       miss_queue_push_o,      // the store, or a miss, goes into the queue
  output wire       s3_load_o,              // s3 gets a response
  output wire [2:0] s3_served_o,            // BYW_SERVED_* of the response
  // a line may be read; early, independent of the decision
  output wire       line_rd_o,
  output wire       line_wr_o,              // the line is written
  output wire       line_wr_early_o,        // LOOK: the store in s2 writes it, now or later

  output wire       s2_leaves_o,            // the s2 request leaves
  output wire       s1_blocked_o,           // s1 holds its request unless s2_leaves_o
  output wire       s0_blocked_o,           // no request is taken unless s2_leaves_o
  output wire       s2_move_o,              // s2 is free at the end of this cycle
  output wire       s1_move_o,              // the stage after s1 is free at the end of this cycle
  output wire       req_ready_o,
  output wire       req_taken_o,
  output wire       req_blind_o,            // the request taken is decided without the tags
  output wire       rec_read_o,             // the record of its set is read
  output wire       idle_o,
  output reg [`BYW_EV_W-1:0] events_o       // bit BYW_EV_*
);
  `include "byw_defs.vh"

  generate
    if ((ALLOC != 0) && (ALLOC != 1)) begin : gen_check_alloc
      byw_l1d_ctrl_ALLOC_must_be_0_or_1 u_error ();
    end
    if ((LOOK != 0) && ((LOOK != 1) || (ALLOC != 0))) begin : gen_check_look
      byw_l1d_ctrl_LOOK_must_be_0_or_1_and_needs_ALLOC_0 u_error ();
    end
    if ((FENCE != 0) && (FENCE != 1)) begin : gen_check_fence
      byw_l1d_ctrl_FENCE_must_be_0_or_1 u_error ();
    end
  endgenerate

  // ---- responses
  wire s3_free     = !s3_valid_i || (rsp_turn_i[BYW_SRC_HIT] && rsp_ready_i);
  wire direct_free = !direct_valid_i || (rsp_turn_i[BYW_SRC_DIRECT] && rsp_ready_i);
  wire rsp_is_fill  = mem_rsp_kind_i == BYW_MEM_FILL;
  wire mem_req_sent = mem_req_valid_i && mem_req_ready_i;
  wire fill_install = (ALLOC != 0) && install_i && !kernel_start_i;
  wire beat_failed  = mem_rsp_error_i || fill_failed_i;
  wire fill_lost    = (ALLOC == 0) && fill_taken_o && fill_attached_i &&
                      beat_failed;                        // the failed fill gives its line back
  wire fill_writes_rec = fill_lost || fill_install;      // the fill uses the record's write port
  // With LOOK, s2 waits neither for fill_attached_i nor for beat_taken_o, which has a high fan-out.
  // It assumes that a fill on the port is attached and accepted.
  wire fill_may_fail  = fill_room_i && fill_last_i && beat_failed;
  wire fill_may_write = fill_room_i && line_store_i;
  wire rec_busy   = (LOOK != 0) ? mem_rsp_valid_i && rsp_is_fill && fill_may_fail : fill_writes_rec;
  wire store_held = (LOOK != 0) ? mem_rsp_valid_i && rsp_is_fill && fill_may_write
                                : line_store_i && fill_wr_o;

  assign mem_rsp_ready_o = !mem_rsp_valid_i ? fill_ready_i && direct_free :
                           rsp_is_fill ? fill_ready_i : direct_free;
  assign beat_taken_o       = mem_rsp_valid_i && rsp_is_fill && fill_ready_i;
  assign fill_taken_o       = beat_taken_o && fill_last_i;
  assign fill_fails_o       = beat_failed;
  assign direct_taken_o     = mem_rsp_valid_i && !rsp_is_fill && direct_free;
  assign fill_wr_if_owned_o = (ALLOC == 0) ? beat_taken_o && !beat_failed : fill_install;
  assign fill_wr_o          = fill_wr_if_owned_o && ((ALLOC != 0) || fill_attached_i);

  // ---- s2: invalidate and flush
  wire s2_active        = s2_valid_i && !kernel_start_i;
  wire s2_looks_up      = s2_active && s2_needs_line_i && !rec_busy;
  wire s2_is_invalidate = s2_op_i == BYW_OP_INVALIDATE;
  wire s2_is_fence      = (FENCE != 0) && (s2_op_i == BYW_OP_FENCE);
  wire s2_is_wait_fence = s2_is_fence && (s2_hint_i == BYW_FENCE_WAIT);
  wire s2_is_flush      = (s2_op_i == BYW_OP_FLUSH) || s2_is_fence;
  wire s2_drops_lines   = s2_is_invalidate || (s2_is_fence && (s2_hint_i == BYW_FENCE_INVALIDATE));
  wire wb_possible      = !wb_valid_i && queue_miss_room_i && s3_free;
  wire walk_active = s2_active && s2_walks_i && any_dirty_i;
  wire mem_quiet = mshrs_idle_i && trackers_idle_i && writes_idle_i && !direct_valid_i;
  // This holds as long as the request stays in s2, so with LOOK it is registered a cycle early.
  assign maint_done_o = (!any_dirty_i || s2_is_wait_fence) && !wb_valid_i && !queue_valid_i &&
                        (!s2_is_fence || mem_quiet);
  wire flush_done = (LOOK != 0) ? s2_maint_done_i : maint_done_o;

  assign clear_if_done_o = s2_valid_i && s2_drops_lines;
  assign lines_clear_o   = kernel_start_i || (s2_done_o && s2_drops_lines);
  assign s2_done_o = s3_free && ((s2_active &&
                     (s2_is_invalidate ? !rec_busy : s2_is_flush && flush_done)) ||
                                 (s2_looks_up && tag_fail_i));
  assign walk_restart_o = kernel_start_i || (s2_valid_i && s3_free && s2_is_flush && flush_done);
  assign walk_step_o = walk_active && (!walk_dirty_i || (wb_possible && clean_last_i));

  // ---- s2: everything else
  wire s2_decides        = s2_looks_up && s2_decidable_i && !tag_bad_i;
  wire s2_is_load        = (s2_op_i == BYW_OP_LOAD) || (s2_op_i == BYW_OP_LOCAL_LOAD);
  wire s2_is_store       = (s2_op_i == BYW_OP_STORE) || (s2_op_i == BYW_OP_LOCAL_STORE);
  wire s2_writes_through = (s2_op_i == BYW_OP_STORE) ||
                           ((ALLOC != 0) && (s2_op_i == BYW_OP_LOCAL_STORE));
  // a dirty line must be written back first
  wire victim_dirty  = line_given_up_i && query_dirty_i;
  wire s2_held       = (hit_answered_i && !s3_free) || store_held;
  wire s2_must_clean = s2_decides && !req_refused_i && victim_dirty;

  assign line_must_clean_o = s2_must_clean || (walk_active && walk_dirty_i);
  assign wb_load_o         = wb_possible && line_must_clean_o && !clean_other_line_i;
  assign s2_accept_o       = s2_decides && req_can_leave_i && !s2_held;
  // The outputs below test only the conditions that can hold the request back, to shorten the
  // paths.  A request that misses, merges or is answered has its resources.  One that is answered
  // or merges leaves no line to clean.  Only one that is answered or writes its line is held.
  wire store_accept = s2_decides && !store_refused_i && !victim_dirty && !s2_held;
  assign s3_load_o  = s2_done_o || (s2_decides && hit_answered_i && !s2_held);
  assign line_rd_o = s2_valid_i && s3_free;
  assign line_wr_o = store_accept && line_store_i;
  assign line_wr_early_o = s2_valid_i && s2_decidable_i && line_store_i && !tag_bad_i;
  assign s3_fail_o = s2_needs_line_i && tag_bad_i;
  assign s3_served_o = (s2_done_o && !s3_fail_o) ? BYW_SERVED_DONE :
                       s2_is_store             ? BYW_SERVED_STORE : BYW_SERVED_HIT;
  assign mshr_alloc_o = s2_decides && load_miss_i && !victim_dirty;
  assign mshr_merge_o = s2_decides && load_merge_i;
  assign bypass_send_o = s2_decides && req_bypass_i && req_can_leave_i;
  wire store_to_mem        = s2_is_store && (s2_writes_through || !hit_i);
  assign store_send_o      = store_accept && store_to_mem;
  assign miss_queue_push_o = mshr_alloc_o || store_send_o;

  // s2_leaves_o arrives late, so each output depends on it directly and not on one another.  With
  // LOOK, a request in s1 waits until the s2 request of the same set leaves.
  wire s1_behind_s2   = s2_valid_i && s1_same_set_i;
  assign s2_leaves_o  = s2_accept_o || s2_done_o;
  assign s1_blocked_o = look_full_i || s1_behind_s2;
  assign s0_blocked_o = all_full_i || (s1_behind_s2 && s1_valid_i);
  assign s2_move_o    = !s2_valid_i || s2_leaves_o;
  assign s1_move_o    = !s1_blocked_o || s2_leaves_o;
  assign req_ready_o  = !s0_blocked_o || s2_leaves_o;
  assign req_taken_o  = req_ready_o && req_valid_i;

  // In bypass mode a load skips the tags.  Exception: a dirty line may hold bytes that must reach
  // memory before the load.  That is possible if a line is dirty, or if a request ahead can make
  // one dirty.
  wire req_is_load    = (req_op_i == BYW_OP_LOAD) || (req_op_i == BYW_OP_LOCAL_LOAD);
  wire dirty_possible = (ALLOC == 0) &&
                        (any_dirty_i || (s1_valid_i && (s1_op_i == BYW_OP_LOCAL_STORE)) ||
                         (look_valid_i && (look_op_i == BYW_OP_LOCAL_STORE)) ||
                         (s2_valid_i && (s2_op_i == BYW_OP_LOCAL_STORE)));

  assign req_blind_o = bypass_i && req_is_load && !dirty_possible;
  // the record is read if the request is taken
  (* keep *) wire rec_rd_if_taken;
  assign rec_rd_if_taken = req_valid_i && (req_op_i < BYW_OP_INVALIDATE) && !req_blind_o &&
                           !blind_i;
  assign rec_read_o = rec_rd_if_taken && (!s0_blocked_o || s2_leaves_o);

  assign idle_o = !s1_valid_i && !look_valid_i && !s2_valid_i && !s3_valid_i && !fill_valid_i &&
                  !direct_valid_i && !queue_valid_i && mshrs_idle_i && trackers_idle_i &&
                  writes_idle_i;

  // ---- events
  wire s2_is_atomic   = (s2_op_i == BYW_OP_ATOMIC) && !s2_uncached_i;
  wire access_begins  = s2_accept_o && !s2_more_i;   // first request of an access
  wire access_counted = access_begins && !s2_is_atomic;
  wire store_detaches = s2_is_store && mshr_detach_i;     // a store to a pending line
  wire s2_refused     = s2_decides && req_refused_i;

  always @* begin : p_events
    events_o              = {`BYW_EV_W{1'b0}};
    events_o[BYW_EV_LOAD] = access_begins &&
                            (s2_is_load || ((s2_op_i == BYW_OP_ATOMIC) && !s2_is_atomic));
    events_o[BYW_EV_STORE]       = access_begins && s2_is_store;
    events_o[BYW_EV_ATOMIC]      = access_begins && s2_is_atomic;
    events_o[BYW_EV_HIT]         = access_counted && hit_i;
    events_o[BYW_EV_HIT_PENDING] = access_counted && (load_merge_i || store_detaches);
    events_o[BYW_EV_MISS]        = access_counted && (load_miss_i || (s2_is_store && !hit_i)) &&
                                   !store_detaches;
    events_o[BYW_EV_SECTOR_MISS] = s2_accept_o && sector_miss_i;
    events_o[BYW_EV_BYPASS]      = access_counted && req_bypass_i;
    events_o[BYW_EV_STORE_HIT]   = access_begins && s2_is_store && hit_i;
    events_o[BYW_EV_FAIL_LINE]   = s2_refused && (reason_i == BYW_RSFAIL_LINE);
    events_o[BYW_EV_FAIL_MSHR]   = s2_refused && (reason_i == BYW_RSFAIL_MSHR);
    events_o[BYW_EV_FAIL_MERGE]  = s2_refused && (reason_i == BYW_RSFAIL_MERGE);
    events_o[BYW_EV_FAIL_MISS_QUEUE] = (s2_refused && (reason_i == BYW_RSFAIL_MISS_QUEUE)) ||
                                       s2_must_clean;
    events_o[BYW_EV_FAIL_ICNT]  = s2_refused && (reason_i == BYW_RSFAIL_ICNT);
    events_o[BYW_EV_FILL]       = fill_wr_o && ((ALLOC != 0) || fill_last_i);
    events_o[BYW_EV_EVICT]      = (s2_accept_o && line_evict_i) ||
                                  (fill_install && install_evict_i);
    events_o[BYW_EV_EVICT_ZERO] = (s2_accept_o && line_evict_i && !evict_reused_i) ||
                                  (fill_install && install_evict_i && !install_evict_reused_i);
    events_o[BYW_EV_NEW_TAG]    = s2_accept_o && (note_i == BYW_NOTE_NEW_TAG);
    events_o[BYW_EV_CANDIDATE]  = s2_accept_o && (note_i == BYW_NOTE_CANDIDATE);
    events_o[BYW_EV_COMMIT]     = s2_accept_o && (note_i == BYW_NOTE_COMMIT);
    events_o[BYW_EV_MEM_READ]   = mem_req_sent && !queue_write_i;
    events_o[BYW_EV_MEM_WRITE]  = mem_req_sent && queue_write_i;
    events_o[BYW_EV_DATA_READ]  = (s2_accept_o && hit_answered_i && s2_is_load) || wb_load_o;
    events_o[BYW_EV_DATA_WRITE] = line_wr_o || fill_wr_o;
    events_o[BYW_EV_TAG_READ]   = rec_read_o;
    events_o[BYW_EV_TAG_WRITE]  = (s2_accept_o && (action_i != BYW_SET_KEEP) &&
                                  !s2_rec_unchanged_i) ||
                                  fill_writes_rec;
    events_o[BYW_EV_ORDER_WAIT]    = queue_valid_i && !mem_req_valid_i;
  end

`ifdef BYW_CHECKED
  wire inputs_agree = (s2_needs_line_i == (s2_op_i < BYW_OP_INVALIDATE)) &&
                      (tag_bad_i || !tag_fail_i);
`endif
  `BYW_HOLDS(request_is_accepted_or_done, inputs_agree, !(s2_accept_o && s2_done_o))
  `BYW_HOLDS(request_with_a_bad_tag_changes_nothing, tag_bad_i,
             !s2_accept_o && !miss_queue_push_o && !mshr_merge_o && !bypass_send_o && !line_wr_o &&
             !line_wr_early_o)
  `BYW_HOLDS(kernel_start_decides_nothing, kernel_start_i, !s2_accept_o && !s2_done_o && !wb_load_o)
  `BYW_HOLDS(request_taken_is_offered_and_free, 1'b1, req_taken_o == (req_valid_i && req_ready_o))
  `BYW_HOLDS(response_taken_is_offered_and_free, 1'b1,
             (beat_taken_o || direct_taken_o) == (mem_rsp_valid_i && mem_rsp_ready_o))
  `BYW_HOLDS(accepted_request_leaves, s2_accept_o || s2_done_o, s2_leaves_o && s2_move_o)
endmodule

`default_nettype wire
