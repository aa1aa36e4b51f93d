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
  input  wire       look_valid_i,        // 0 without the look stage
  input  wire [2:0] look_op_i,
  input  wire       s2_valid_i,
  input  wire       look_full_i,         // s2 and look hold a request
  input  wire       all_full_i,          // s2, look and s1 hold a request
  input  wire       s1_waits_i,          // LOOK: s1 and s2 have the same set
  input  wire       s2_able_i,           // s2 can be decided; see byw_l1d_look
  input  wire       s3_valid_i,
  input  wire [2:0] s2_op_i,
  input  wire       s2_asks_line_i,      // not an invalidate, flush or fence
  input  wire       s2_walks_i,          // a flush, or a fence that does more than wait
  input  wire       s2_ended_i,          // LOOK: ends_o of the cycle before
  input  wire [2:0] s2_hint_i,           // BYW_FENCE_* if it is a fence
  input  wire       s2_uncached_i,       // an uncached load, decided as an atomic
  input  wire       s2_more_i,           // continues an access, so it is not counted
  input  wire       s2_quiet_i,          // continues an access and does not write its record

  // units
  input  wire [2:0] rsp_turn_i,          // bit BYW_SRC_*: shown if valid
  input  wire       fill_ready_i,
  input  wire       fill_room_i,         // copy of fill_ready_i, see byw_fill
  input  wire       fill_last_i,         // the next beat is the last of its fill
  input  wire       fill_failed_i,       // an earlier beat of the fill failed
  input  wire       fill_valid_i,
  input  wire       fill_attached_i,     // the MSHR of the response is attached
  input  wire       direct_valid_i,
  input  wire       queue_valid_i,
  input  wire       mem_req_valid_i,     // the head may leave; the order guard can hold it
  input  wire       queue_write_i,       // the head is a write
  input  wire       queue_miss_room_i,
  input  wire       wb_valid_i,
  input  wire       any_dirty_i,
  input  wire       query_dirty_i,       // the line that the decision is about
  input  wire       walk_dirty_i,        // the line of the flush walk
  input  wire       clean_last_i,        // the next beat is the last of the line written back
  input  wire       clean_other_i,       // the write-back in progress is of another line; early
  input  wire       mshrs_idle_i,
  input  wire       trackers_idle_i,
  input  wire       writes_idle_i,

  // the decision
  input  wire       bad_i,               // it looks at a tag with wrong parity, so is not decided
  input  wire       fails_i,             // and is answered with an error
  input  wire       store_refused_i,     // the request is a store and refused
  input  wire       refused_i,           // the outcome is a refusal
  input  wire       goes_i,              // not refused, and no line to clean first
  input  wire       hit_i,               // if not refused: a hit; early, as the next six
  input  wire       answers_i,           // a hit that s3 answers
  input  wire       misses_i,            // a load that misses
  input  wire       merges_i,            // a load that merges
  input  wire       bypasses_i,          // a bypass
  input  wire       line_writes_i,       // a store that writes its line
  input  wire       line_cleans_i,       // the line looked at is evicted, or bypassed
  input  wire [`BYW_RSFAIL_W-1:0] reason_i,
  input  wire [`BYW_ACTION_W-1:0] action_i, // valid if it leaves, as the next four
  input  wire [`BYW_NOTE_W-1:0] note_i,
  input  wire       leaves_i,
  input  wire       orphan_i,            // the line was pending and is given up
  input  wire       leaves_reused_i,     // the evicted line was hit since its fill
  input  wire       blind_i,
  input  wire       sector_miss_i,

  // allocate on fill: the fill in f2
  input  wire       install_i,           // allocates its line, unless the kernel starts
  input  wire       install_leaves_i,    // the install evicts another line
  input  wire       install_reused_i,    // the evicted line was hit since its fill

  // responses
  output wire       mem_rsp_ready_o,
  output wire       beat_taken_o,        // a beat of a fill
  output wire       fill_taken_o,        // the last beat of a fill
  output wire       fill_fails_o,        // with fill_taken_o: the fill fails
  // a beat or install has bytes to write, if its MSHR still owns the line
  output wire       fill_good_o,
  output wire       fill_writes_o,       // the bytes are written
  output wire       direct_taken_o,
  output wire       clear_o,             // all lines and tags are dropped in this cycle
  output wire       drops_o,             // clear_o follows if the s2 request leaves

  // s2
  output wire       accept_o,            // the decision takes effect
  output wire       done_o,              // an invalidate, flush or fence ends, or fails_i
  output wire       answer_fails_o,      // with answers_o: the response is an error
  output wire       ends_o,              // flush or fence: nothing is left to wait for
  output wire       rewinds_o,           // the next flush starts at the first line
  output wire       walk_o,              // the flush walk steps to the next line
  output wire       cleans_o,            // the line looked at must be written back
  output wire       clean_o,             // its beat goes into the write-back register
  output wire       alloc_o,             // an MSHR is allocated
  output wire       merge_o,             // the load merges into the MSHR of its line
  output wire       send_bypass_o,       // a load or atomic takes the bypass path
  output wire       store_o,             // a store is sent
  output wire       to_miss_o,           // the store, or a miss, goes into the queue
  output wire       answers_o,           // s3 gets a response
  output wire [2:0] served_o,            // BYW_SERVED_* of the response
  // a line may be read; early, independent of the decision
  output wire       may_read_o,
  output wire       writes_o,            // the line is written
  output wire       store_comes_o,       // LOOK: the store in s2 writes it, now or later

  output wire       leaves_o,            // the s2 request leaves
  output wire       s1_stays_o,          // s1 holds its request unless leaves_o
  output wire       s0_stays_o,          // no request is taken unless leaves_o
  output wire       s2_move_o,           // s2 is free at the end of this cycle
  output wire       s1_move_o,           // the stage after s1 is free at the end of this cycle
  output wire       req_ready_o,
  output wire       req_taken_o,
  output wire       stays_blind_o,       // the request taken is decided without the tags
  output wire       rec_read_o,          // the record of its set is read
  output wire       idle_o,
  output reg [`BYW_EV_W-1:0] events_o             // bit BYW_EV_*
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
  wire is_fill    = mem_rsp_kind_i == BYW_MEM_FILL;
  wire sends      = mem_req_valid_i && mem_req_ready_i;
  wire installs   = (ALLOC != 0) && install_i && !kernel_start_i;
  wire beat_fails = mem_rsp_error_i || fill_failed_i;
  wire fill_lost  = (ALLOC == 0) && fill_taken_o && fill_attached_i &&
                    beat_fails;                        // the failed fill gives its line back
  wire fill_records = fill_lost || installs;      // the fill uses the record's write port
  // With LOOK, s2 waits neither for fill_attached_i nor for beat_taken_o, which has a high fan-out.
  // It assumes that a fill on the port is attached and accepted.
  wire ready_to_fail = fill_room_i && fill_last_i && beat_fails;
  wire ready_to_hold = fill_room_i && line_writes_i;
  wire record_busy  = (LOOK != 0) ? mem_rsp_valid_i && is_fill && ready_to_fail : fill_records;
  wire writes_held  = (LOOK != 0) ? mem_rsp_valid_i && is_fill && ready_to_hold
                                  : line_writes_i && fill_writes_o;

  assign mem_rsp_ready_o = !mem_rsp_valid_i ? fill_ready_i && direct_free :
                           is_fill ? fill_ready_i : direct_free;
  assign beat_taken_o    = mem_rsp_valid_i && is_fill && fill_ready_i;
  assign fill_taken_o    = beat_taken_o && fill_last_i;
  assign fill_fails_o    = beat_fails;
  assign direct_taken_o  = mem_rsp_valid_i && !is_fill && direct_free;
  assign fill_good_o     = (ALLOC == 0) ? beat_taken_o && !beat_fails : installs;
  assign fill_writes_o   = fill_good_o && ((ALLOC != 0) || fill_attached_i);

  // ---- s2: invalidate and flush
  wire works       = s2_valid_i && !kernel_start_i;
  wire looks       = works && s2_asks_line_i && !record_busy;
  wire invalidates = s2_op_i == BYW_OP_INVALIDATE;
  wire fences      = (FENCE != 0) && (s2_op_i == BYW_OP_FENCE);
  wire waits       = fences && (s2_hint_i == BYW_FENCE_WAIT);
  wire flushes     = (s2_op_i == BYW_OP_FLUSH) || fences;
  wire drops       = invalidates || (fences && (s2_hint_i == BYW_FENCE_INVALIDATE));
  wire wb_possible = !wb_valid_i && queue_miss_room_i && s3_free;
  wire flush_walks_on = works && s2_walks_i && any_dirty_i;
  wire answered    = mshrs_idle_i && trackers_idle_i && writes_idle_i && !direct_valid_i;
  // This holds as long as the request stays in s2, so with LOOK it is registered a cycle early.
  assign ends_o    = (!any_dirty_i || waits) && !wb_valid_i && !queue_valid_i &&
                     (!fences || answered);
  wire flush_ends  = (LOOK != 0) ? s2_ended_i : ends_o;

  assign drops_o = s2_valid_i && drops;
  assign clear_o = kernel_start_i || (done_o && drops);
  assign done_o = s3_free && ((works && (invalidates ? !record_busy : flushes && flush_ends)) ||
                              (looks && fails_i));
  assign rewinds_o = kernel_start_i || (s2_valid_i && s3_free && flushes && flush_ends);
  assign walk_o = flush_walks_on && (!walk_dirty_i || (wb_possible && clean_last_i));

  // ---- s2: everything else
  wire decides   = looks && s2_able_i && !bad_i;
  wire is_load   = (s2_op_i == BYW_OP_LOAD) || (s2_op_i == BYW_OP_LOCAL_LOAD);
  wire is_store  = (s2_op_i == BYW_OP_STORE) || (s2_op_i == BYW_OP_LOCAL_STORE);
  wire through   = (s2_op_i == BYW_OP_STORE) ||
                   ((ALLOC != 0) && (s2_op_i == BYW_OP_LOCAL_STORE));
  wire must_clean = line_cleans_i && query_dirty_i;      // a dirty line must be written back first
  wire held       = (answers_i && !s3_free) || writes_held;
  wire cleans     = decides && !refused_i && must_clean;

  assign cleans_o  = cleans || (flush_walks_on && walk_dirty_i);
  assign clean_o   = wb_possible && cleans_o && !clean_other_i;
  assign accept_o  = decides && goes_i && !held;
  // The outputs below test only the conditions that can hold the request back, to shorten the
  // paths.  A request that misses, merges or is answered has its resources.  One that is answered
  // or merges leaves no line to clean.  Only one that is answered or writes its line is held.
  wire stores      = decides && !store_refused_i && !must_clean && !held;
  assign answers_o = done_o || (decides && answers_i && !held);
  assign may_read_o = s2_valid_i && s3_free;
  assign writes_o  = stores && line_writes_i;
  assign store_comes_o = s2_valid_i && s2_able_i && line_writes_i && !bad_i;
  assign answer_fails_o = s2_asks_line_i && bad_i;
  assign served_o  = (done_o && !answer_fails_o) ? BYW_SERVED_DONE :
                     is_store             ? BYW_SERVED_STORE : BYW_SERVED_HIT;
  assign alloc_o   = decides && misses_i && !must_clean;
  assign merge_o   = decides && merges_i;
  assign send_bypass_o  = decides && bypasses_i && goes_i;
  wire sends_store = is_store && (through || !hit_i);
  assign store_o   = stores && sends_store;
  assign to_miss_o = alloc_o || store_o;

  // leaves_o arrives late, so each output depends on it directly and not on one another.  With
  // LOOK, a request in s1 waits until the s2 request of the same set leaves.
  wire behind        = s2_valid_i && s1_waits_i;
  assign leaves_o    = accept_o || done_o;
  assign s1_stays_o  = look_full_i || behind;
  assign s0_stays_o  = all_full_i || (behind && s1_valid_i);
  assign s2_move_o   = !s2_valid_i || leaves_o;
  assign s1_move_o   = !s1_stays_o || leaves_o;
  assign req_ready_o = !s0_stays_o || leaves_o;
  assign req_taken_o = req_ready_o && req_valid_i;

  // In bypass mode a load skips the tags.  Exception: a dirty line may hold bytes that must reach
  // memory before the load.  That is possible if a line is dirty, or if a request ahead can make
  // one dirty.
  wire load_comes = (req_op_i == BYW_OP_LOAD) || (req_op_i == BYW_OP_LOCAL_LOAD);
  wire dirt_due   = (ALLOC == 0) &&
                    (any_dirty_i || (s1_valid_i && (s1_op_i == BYW_OP_LOCAL_STORE)) ||
                     (look_valid_i && (look_op_i == BYW_OP_LOCAL_STORE)) ||
                     (s2_valid_i && (s2_op_i == BYW_OP_LOCAL_STORE)));

  assign stays_blind_o = bypass_i && load_comes && !dirt_due;
  (* keep *) wire rec_wanted;                        // the record is read if the request is taken
  assign rec_wanted    = req_valid_i && (req_op_i < BYW_OP_INVALIDATE) && !stays_blind_o &&
                         !blind_i;
  assign rec_read_o    = rec_wanted && (!s0_stays_o || leaves_o);

  assign idle_o = !s1_valid_i && !look_valid_i && !s2_valid_i && !s3_valid_i && !fill_valid_i &&
                  !direct_valid_i && !queue_valid_i && mshrs_idle_i && trackers_idle_i &&
                  writes_idle_i;

  // ---- events
  wire is_atomic = (s2_op_i == BYW_OP_ATOMIC) && !s2_uncached_i;
  wire begins    = accept_o && !s2_more_i;   // first request of an access
  wire counted   = begins && !is_atomic;
  wire meets     = is_store && orphan_i;     // a store to a pending line
  wire fails     = decides && refused_i;

  always @* begin : p_events
    events_o                       = {`BYW_EV_W{1'b0}};
    events_o[BYW_EV_LOAD]          = begins &&
                                     (is_load || ((s2_op_i == BYW_OP_ATOMIC) && !is_atomic));
    events_o[BYW_EV_STORE]         = begins && is_store;
    events_o[BYW_EV_ATOMIC]        = begins && is_atomic;
    events_o[BYW_EV_HIT]           = counted && hit_i;
    events_o[BYW_EV_HIT_PENDING]   = counted && (merges_i || meets);
    events_o[BYW_EV_MISS]          = counted && (misses_i || (is_store && !hit_i)) && !meets;
    events_o[BYW_EV_SECTOR_MISS]   = accept_o && sector_miss_i;
    events_o[BYW_EV_BYPASS]        = counted && bypasses_i;
    events_o[BYW_EV_STORE_HIT]     = begins && is_store && hit_i;
    events_o[BYW_EV_FAIL_LINE]     = fails && (reason_i == BYW_RSFAIL_LINE);
    events_o[BYW_EV_FAIL_MSHR]     = fails && (reason_i == BYW_RSFAIL_MSHR);
    events_o[BYW_EV_FAIL_MERGE]    = fails && (reason_i == BYW_RSFAIL_MERGE);
    events_o[BYW_EV_FAIL_MISS_QUEUE] = (fails && (reason_i == BYW_RSFAIL_MISS_QUEUE)) || cleans;
    events_o[BYW_EV_FAIL_ICNT]     = fails && (reason_i == BYW_RSFAIL_ICNT);
    events_o[BYW_EV_FILL]          = fill_writes_o && ((ALLOC != 0) || fill_last_i);
    events_o[BYW_EV_EVICT]         = (accept_o && leaves_i) || (installs && install_leaves_i);
    events_o[BYW_EV_EVICT_ZERO]    = (accept_o && leaves_i && !leaves_reused_i) ||
                                     (installs && install_leaves_i && !install_reused_i);
    events_o[BYW_EV_NEW_TAG]       = accept_o && (note_i == BYW_NOTE_NEW_TAG);
    events_o[BYW_EV_CANDIDATE]     = accept_o && (note_i == BYW_NOTE_CANDIDATE);
    events_o[BYW_EV_COMMIT]        = accept_o && (note_i == BYW_NOTE_COMMIT);
    events_o[BYW_EV_MEM_READ]      = sends && !queue_write_i;
    events_o[BYW_EV_MEM_WRITE]     = sends && queue_write_i;
    events_o[BYW_EV_DATA_READ]     = (accept_o && answers_i && is_load) || clean_o;
    events_o[BYW_EV_DATA_WRITE]    = writes_o || fill_writes_o;
    events_o[BYW_EV_TAG_READ]      = rec_read_o;
    events_o[BYW_EV_TAG_WRITE]     = (accept_o && (action_i != BYW_SET_KEEP) && !s2_quiet_i) ||
                                     fill_records;
    events_o[BYW_EV_ORDER_WAIT]    = queue_valid_i && !mem_req_valid_i;
  end

`ifdef BYW_CHECKED
  wire agree = (s2_asks_line_i == (s2_op_i < BYW_OP_INVALIDATE)) && (bad_i || !fails_i);
`endif
  `BYW_HOLDS(request_is_accepted_or_done, agree, !(accept_o && done_o))
  `BYW_HOLDS(request_with_a_bad_tag_changes_nothing, bad_i,
             !accept_o && !to_miss_o && !merge_o && !send_bypass_o && !writes_o && !store_comes_o)
  `BYW_HOLDS(kernel_start_decides_nothing, kernel_start_i, !accept_o && !done_o && !clean_o)
  `BYW_HOLDS(request_taken_is_offered_and_free, 1'b1, req_taken_o == (req_valid_i && req_ready_o))
  `BYW_HOLDS(response_taken_is_offered_and_free, 1'b1,
             (beat_taken_o || direct_taken_o) == (mem_rsp_valid_i && mem_rsp_ready_o))
  `BYW_HOLDS(accepted_request_leaves, accept_o || done_o, leaves_o && s2_move_o)
endmodule

`default_nettype wire
