// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_bins - functional bins of byw_l1d: what must have happened in some run of `make coverage`.
//
// Each BIN is a cover property; its comment is its row in rtl/doc/coverage.md, a line "// ----" the
// heading of a group.  byw_any_bins is instantiated for both organisations, so each of its bins
// counts twice, as on_miss.NAME and on_fill.NAME.  A bin that cannot be hit has its reason in
// reasons.tsv.  The ports have the names of signals of byw_l1d (byw_bins_bind.sv).
//
`default_nettype none
`include "byw_widths.vh"

`define BIN(NAME, COND) NAME: cover property (@(posedge clk_i) armed && !rst_i && (COND));
`define ARMED reg armed = 1'b0; always @(posedge clk_i) if (rst_i) armed <= 1'b1;

module byw_any_bins (
  input wire clk_i, rst_i, kernel_start_i, bypass_i,
  input wire [2:0] s2_op, s2_hint,
  input wire s2_valid, s2_bypass, s3_valid, s2_refused, s2_is_hit, s2_hit_answered, s2_accept, s2_done, mshr_alloc, mshr_merge,
  input wire bypass_send, store_send, mshr_detach, tag_bad, mshr_free, mshrs_idle, miss_slot, bypass_slot,
  input wire fill_valid, direct_valid, fill_taken, direct_taken, s2_uncached, s2_more,
  input wire [`BYW_ACTION_W-1:0] s2_action,
  input wire [`BYW_NOTE_W-1:0] s2_note,
  input wire [`BYW_CAUSE_W-1:0] s2_cause,
  input wire line_must_clean,
  input wire rsp_valid_o, rsp_ready_i, mem_req_valid_o, mem_req_ready_i, mem_rsp_valid_i,
  input wire mem_rsp_ready_o, mem_rsp_error_i,
  input wire [2:0] rsp_served_o,
  input wire [1:0] mem_req_kind_o, mem_rsp_kind_i, parity_o,
  input wire [`BYW_EV_W-1:0] events_o
);
  `include "byw_defs.vh"
  `ARMED

  wire load = s2_op == BYW_OP_LOAD, local_load = s2_op == BYW_OP_LOCAL_LOAD;
  wire store = s2_op == BYW_OP_STORE, local_store = s2_op == BYW_OP_LOCAL_STORE;
  wire atomic = s2_op == BYW_OP_ATOMIC;
  wire no_line  = events_o[BYW_EV_FAIL_LINE];
  wire no_mshr  = events_o[BYW_EV_FAIL_MSHR];
  wire no_merge = events_o[BYW_EV_FAIL_MERGE];
  wire no_slot  = events_o[BYW_EV_FAIL_MISS_QUEUE] && !line_must_clean;
  wire no_icnt  = events_o[BYW_EV_FAIL_ICNT];
  wire bad      = s2_done && tag_bad;

  // ---- Refusals, by cause and request
  `BIN(no_line_load, no_line && load)              // every line of the set is pending
  `BIN(no_line_local_load, no_line && local_load)
  `BIN(no_line_store, no_line && store)
  `BIN(no_line_local_store, no_line && local_store)
  `BIN(no_line_atomic, no_line && atomic)
  `BIN(no_mshr_load, no_mshr && load)              // all MSHRs are in use
  `BIN(no_mshr_local_load, no_mshr && local_load)
  `BIN(no_mshr_store, no_mshr && store)
  `BIN(no_mshr_local_store, no_mshr && local_store)
  `BIN(no_mshr_atomic, no_mshr && atomic)
  `BIN(no_merge_load, no_merge && load)            // the list of the MSHR is full
  `BIN(no_merge_local_load, no_merge && local_load)
  `BIN(no_merge_store, no_merge && store)
  `BIN(no_merge_local_store, no_merge && local_store)
  `BIN(no_merge_atomic, no_merge && atomic)
  `BIN(no_miss_slot_load, no_slot && load)         // the miss queue is full
  `BIN(no_miss_slot_local_load, no_slot && local_load)
  `BIN(no_miss_slot_store, no_slot && store)
  `BIN(no_miss_slot_local_store, no_slot && local_store)
  `BIN(no_miss_slot_atomic, no_slot && atomic)
  `BIN(no_bypass_slot_load, no_icnt && load)       // the bypass queue or the trackers are full
  `BIN(no_bypass_slot_local_load, no_icnt && local_load)
  `BIN(no_bypass_slot_store, no_icnt && store)
  `BIN(no_bypass_slot_local_store, no_icnt && local_store)
  `BIN(no_bypass_slot_atomic, no_icnt && atomic)
  `BIN(hit_waits, s2_valid && s2_hit_answered && !s2_refused && !s2_accept && s3_valid) // a hit held: s3 is full

  // ---- Outcomes, by request
  `BIN(hit_load, s2_accept && s2_is_hit && load)            // a hit
  `BIN(hit_local_load, s2_accept && s2_is_hit && local_load)
  `BIN(hit_store, s2_accept && s2_is_hit && store)
  `BIN(hit_local_store, s2_accept && s2_is_hit && local_store)
  `BIN(miss_load, mshr_alloc && load)                   // an MSHR is allocated
  `BIN(miss_local_load, mshr_alloc && local_load)
  `BIN(merge_load, mshr_merge && load)                  // merged into the MSHR of its line
  `BIN(merge_local_load, mshr_merge && local_load)
  `BIN(bypass_load, bypass_send && load)           // sent on the bypass path
  `BIN(bypass_local_load, bypass_send && local_load)
  `BIN(bypass_atomic, bypass_send && atomic)
  `BIN(sent_store, store_send && store)            // a store sent to memory
  `BIN(sent_local_store, store_send && local_store)
  `BIN(orphan_store, s2_accept && mshr_detach && store)    // the line was pending: its MSHR is detached
  `BIN(orphan_local_store, s2_accept && mshr_detach && local_store)
  `BIN(orphan_atomic, s2_accept && mshr_detach && atomic)
  `BIN(orphan_load, s2_accept && mshr_detach && (load || local_load)) // likewise, by a bypassing load
  `BIN(uncached_load, s2_accept && s2_uncached && atomic)
  `BIN(uncached_store, s2_accept && s2_uncached && store)
  `BIN(access_continues, s2_accept && s2_more)        // another beat of the access before

  // ---- Why a load bypasses, and what happens to the record
  `BIN(cause_filter_or_hint, bypass_send && !atomic && (s2_cause == BYW_CAUSE_NONE))
  `BIN(cause_mode, bypass_send && (s2_cause == BYW_CAUSE_MODE)) // two-level: bypass mode
  `BIN(cause_dead, bypass_send && (s2_cause == BYW_CAUSE_DEAD)) // the PC predictor
  `BIN(cause_stall, bypass_send && (s2_cause == BYW_CAUSE_STALL)) // it lacked a resource
  `BIN(hint_bypass, bypass_send && (s2_hint == BYW_HINT_BYPASS) && !atomic)
  `BIN(hint_volatile, bypass_send && (s2_hint == BYW_HINT_VOLATILE) && !atomic)
  `BIN(hint_stream, mshr_alloc && (s2_hint == BYW_HINT_STREAM)) // the line becomes the next victim
  `BIN(hint_cache, mshr_alloc && (s2_hint == BYW_HINT_CACHE)) // allocates at the first touch
  `BIN(action_keep, s2_accept && (s2_action == BYW_SET_KEEP))
  `BIN(action_touch, s2_accept && (s2_action == BYW_SET_TOUCH))
  `BIN(action_count, s2_accept && (s2_action == BYW_SET_COUNT)) // only the RC of a candidate changes
  `BIN(action_install, s2_accept && (s2_action == BYW_SET_INSTALL)) // a tag without a line
  `BIN(action_commit, s2_accept && (s2_action == BYW_SET_COMMIT)) // a line is allocated
  `BIN(action_release, s2_accept && (s2_action == BYW_SET_RELEASE)) // the line is dropped

  // ---- Maintenance and kernel starts
  `BIN(invalidate, s2_done && !tag_bad && (s2_op == BYW_OP_INVALIDATE))
  `BIN(invalidate_with_a_fill_in_flight, s2_done && !tag_bad && (s2_op == BYW_OP_INVALIDATE) && !mshrs_idle)
  `BIN(flush, s2_done && !tag_bad && (s2_op == BYW_OP_FLUSH))
  `BIN(fence_wait, s2_done && (s2_op == BYW_OP_FENCE) && (s2_hint == BYW_FENCE_WAIT))
  `BIN(fence_flush, s2_done && (s2_op == BYW_OP_FENCE) && (s2_hint == BYW_FENCE_FLUSH))
  `BIN(fence_invalidate, s2_done && (s2_op == BYW_OP_FENCE) && (s2_hint == BYW_FENCE_INVALIDATE))
  `BIN(kernel_start_with_a_fill_in_flight, kernel_start_i && !mshrs_idle)
  `BIN(kernel_start_with_a_request_in_s2, kernel_start_i && s2_valid)
  `BIN(kernel_start_as_a_fill_ends, kernel_start_i && fill_taken)

  // ---- Memory: errors and back-pressure
  `BIN(fill_error, fill_taken && mem_rsp_error_i)
  `BIN(bypass_error, direct_taken && mem_rsp_error_i && (mem_rsp_kind_i == BYW_MEM_BYPASS))
  `BIN(store_error, direct_taken && mem_rsp_error_i && (mem_rsp_kind_i == BYW_MEM_STORE))
  `BIN(fill_request_waits, mem_req_valid_o && !mem_req_ready_i && (mem_req_kind_o == BYW_MEM_FILL))
  `BIN(bypass_request_waits, mem_req_valid_o && !mem_req_ready_i && (mem_req_kind_o == BYW_MEM_BYPASS))
  `BIN(store_request_waits, mem_req_valid_o && !mem_req_ready_i && (mem_req_kind_o == BYW_MEM_STORE))
  `BIN(fill_waits_for_a_buffer, mem_rsp_valid_i && !mem_rsp_ready_o && (mem_rsp_kind_i == BYW_MEM_FILL))
  `BIN(answer_waits_for_path_2, mem_rsp_valid_i && !mem_rsp_ready_o && (mem_rsp_kind_i != BYW_MEM_FILL))
  `BIN(order_guard_holds_a_request, events_o[BYW_EV_ORDER_WAIT])
  `BIN(all_sources_answer_at_once, s3_valid && fill_valid && direct_valid)
  `BIN(hit_response_waits, rsp_valid_o && !rsp_ready_i && (rsp_served_o == BYW_SERVED_HIT))
  `BIN(fill_response_waits, rsp_valid_o && !rsp_ready_i && (rsp_served_o == BYW_SERVED_FILL))
  `BIN(bypass_response_waits, rsp_valid_o && !rsp_ready_i && (rsp_served_o == BYW_SERVED_BYPASS))
  `BIN(store_response_waits, rsp_valid_o && !rsp_ready_i && (rsp_served_o == BYW_SERVED_STORE))
  `BIN(every_resource_is_used_up, !mshr_free && !miss_slot && !bypass_slot)

  // ---- Parity, by path
  `BIN(parity_hit, parity_o[0] && (rsp_served_o == BYW_SERVED_HIT)) // bytes read by a load, or its tag
  `BIN(parity_write_back_or_fill, parity_o[1]) // dirty bytes that are written back; on_fill: a fill is not installed
  `BIN(parity_tag_load, bad && load)               // the tags of its set
  `BIN(parity_tag_local_load, bad && local_load)
  `BIN(parity_tag_store, bad && store)
  `BIN(parity_tag_local_store, bad && local_store)
  `BIN(parity_tag_atomic, bad && atomic)

  wire unused_ok = &{1'b0, bypass_i, s2_bypass, s2_note};
endmodule

module byw_dirty_bins #(
  parameter integer LINE_W = 33, LINE_BYTES = 128, PORT_BYTES = 128
) (
  input wire clk_i, rst_i, kernel_start_i,
  input wire [2:0] s2_op, s2_hint,
  input wire [LINE_W-1:0] s2_line, rd_line, mem_req_line_o,
  input wire [PORT_BYTES-1:0] s2_bytes, rd_mask,
  input wire s2_valid, s2_bypass, s2_walks, s2_accept, s2_done, walk_step, wb_load, clean_last, line_must_clean, lines_clear, line_wr,
  input wire mshr_alloc, bypass_send, query_dirty, walk_dirty, any_dirty, wb_valid, rd_dirty, s2_is_hit,
  input wire fill_taken, fill_attached, fill_fails, beat_taken, direct_taken,
  input wire [`BYW_NOTE_W-1:0] s2_note,
  input wire [1:0] mem_req_kind_o, mem_rsp_kind_i,
  input wire mem_req_valid_o, mem_req_ready_i, mem_rsp_error_i
);
  `include "byw_defs.vh"
  `ARMED

  wire load    = (s2_op == BYW_OP_LOAD) || (s2_op == BYW_OP_LOCAL_LOAD);
  wire dirties = line_wr && (s2_op == BYW_OP_LOCAL_STORE) && (|s2_bytes);
  wire must    = s2_valid && line_must_clean && !s2_walks;  // its line must be written back first

  // Remembers the last dirtied line and its mask (two_q: two stores set different bytes of it), and
  // the line of the write-back that waits.
  reg                  one_q, two_q, waits_q, again_q;
  reg [LINE_W-1:0]     line_q, wb_line_q;
  reg [PORT_BYTES-1:0] mask_q;
  wire same  = one_q && (line_q == s2_line);
  wire grows = dirties && query_dirty && same && (|(s2_bytes & ~mask_q)) && (|(mask_q & ~s2_bytes));
  wire back  = wb_valid && rd_dirty;
  wire back_merged = back && two_q && (rd_line == line_q) && (|(rd_mask & mask_q));
  wire wb_sent = mem_req_valid_o && mem_req_ready_i && (mem_req_kind_o == BYW_MEM_WRITEBACK) &&
                (mem_req_line_o == wb_line_q);

  always @(posedge clk_i) begin
    if (rst_i || lines_clear) {one_q, two_q, waits_q, again_q} <= 4'd0;
    else begin
      if (dirties) begin
        one_q  <= 1'b1;
        line_q <= s2_line;
        mask_q <= same ? mask_q | s2_bytes : s2_bytes;
        two_q  <= grows || (two_q && same);
      end
      if (back_merged) {two_q, again_q} <= 2'b01;
      if (back) {waits_q, wb_line_q} <= {1'b1, rd_line};
      else if (wb_sent) waits_q <= 1'b0;
    end
  end

  // ---- Dirty lines
  `BIN(first_store_of_a_line, dirties && !query_dirty)
  `BIN(store_to_a_dirty_line, dirties && query_dirty)
  `BIN(masks_of_two_stores_merge, grows)           // each store has bytes that the other lacks
  `BIN(store_without_a_byte, line_wr && (s2_op == BYW_OP_LOCAL_STORE) && !(|s2_bytes))
  `BIN(merged_mask_is_written_back, back_merged)
  `BIN(merged_line_is_fetched_again, again_q && mshr_alloc && (s2_line == line_q))
  `BIN(load_hits_a_dirty_line, s2_accept && s2_is_hit && load && query_dirty)
  `BIN(dirty_line_is_evicted, must && load && !s2_bypass && (s2_note == BYW_NOTE_COMMIT)) // by a miss
  `BIN(tag_of_a_dirty_line_is_replaced, must && load && !s2_bypass && (s2_note == BYW_NOTE_NEW_TAG)) // by a tag without line
  `BIN(bypass_of_a_dirty_line, must && load && (s2_hint == BYW_HINT_BYPASS))
  `BIN(volatile_load_of_a_dirty_line, must && load && (s2_hint == BYW_HINT_VOLATILE))
  `BIN(bypass_mode_meets_a_dirty_line, must && load && s2_bypass)
  `BIN(global_store_to_a_dirty_line, must && (s2_op == BYW_OP_STORE))
  `BIN(atomic_to_a_dirty_line, must && (s2_op == BYW_OP_ATOMIC))
  `BIN(flush_writes_back, wb_load && s2_walks)
  `BIN(flush_passes_a_clean_line, walk_step && !walk_dirty)
  `BIN(flush_finds_nothing, s2_done && (s2_op == BYW_OP_FLUSH) && !any_dirty)
  `BIN(invalidate_drops_dirty_lines, s2_done && (s2_op == BYW_OP_INVALIDATE) && any_dirty)
  `BIN(kernel_start_drops_dirty_lines, kernel_start_i && any_dirty)

  // ---- Write-backs beside fills
  `BIN(fill_while_a_write_back_waits, fill_taken && wb_valid)
  `BIN(line_is_fetched_while_its_write_back_waits, waits_q && mshr_alloc && (s2_line == wb_line_q))
  `BIN(load_bypasses_while_its_write_back_waits, waits_q && bypass_send && load && (s2_line == wb_line_q))
  `BIN(store_dirties_while_a_write_back_waits, waits_q && dirties)
  `BIN(write_back_request_waits, mem_req_valid_o && !mem_req_ready_i && (mem_req_kind_o == BYW_MEM_WRITEBACK))
  `BIN(write_back_error, direct_taken && mem_rsp_error_i && (mem_rsp_kind_i == BYW_MEM_WRITEBACK))
  `BIN(write_back_without_a_dirty_beat, wb_valid && !rd_dirty) // with beats: nothing is sent

  // ---- Fills that find their line gone
  `BIN(fill_of_a_detached_mshr, fill_taken && !fill_attached)
  `BIN(fill_fails_attached, fill_taken && fill_attached && fill_fails) // gives its line back
  `BIN(fill_fails_detached, fill_taken && !fill_attached && fill_fails)
  `BIN(beat_fails_before_the_last, beat_taken && !fill_taken && mem_rsp_error_i)

  generate
    if (PORT_BYTES < LINE_BYTES) begin : gen_beats
      // ---- Beats
      `BIN(line_needs_several_beats, wb_load && !clean_last) // a line written back in beats
      `BIN(fill_between_beats_of_a_write_back, beat_taken && wb_valid && !clean_last)
    end
  endgenerate
endmodule

// In byw_l1d_decide, without the look stage: the locality filter at its bounds.
module byw_filter_bins #(
  parameter integer RC_W = 6, LOOK = 0
) (
  input wire clk_i, rst_i, filter_on_i, accept_i,
  input wire open, candidate, off, reached, any_tag, place, never,
  input wire [RC_W-1:0] rc, least,
  input wire [31:0] cfg_i
);
  `include "byw_defs.vh"

  generate
    if (LOOK == 0) begin : gen_filter
      `ARMED
      localparam [RC_W-1:0] RC_MAX = {RC_W{1'b1}};
      reg  filter_q;
      wire [5:0] threshold = cfg_i[BYW_CFG_THRESHOLD_LSB +: 6];
      wire above   = cfg_i[BYW_CFG_COMPARE_GT_LSB];
      wire decides = accept_i && open && !off;     // rc is the counter with this access
      always @(posedge clk_i) filter_q <= filter_on_i;

      // ---- The locality filter at its bounds
      `BIN(rc_one_below_the_threshold, decides && candidate && !reached && !never && (rc == least))
      `BIN(rc_at_the_threshold, decides && candidate && reached && (rc == least + 1'b1))
      `BIN(rc_above_the_threshold, decides && candidate && reached && (rc > least + 1'b1))
      `BIN(rc_saturates, decides && candidate && (rc == RC_MAX))
      `BIN(threshold_1, decides && candidate && !above && (threshold == 6'd1))
      `BIN(threshold_0_is_off, accept_i && open && off && (threshold == 6'd0) && (cfg_i[1:0] == BYW_MODE_DECOUPLED))
      `BIN(threshold_exclusive, decides && candidate && above && reached)
      `BIN(threshold_never_reached, decides && candidate && never)
      `BIN(first_touch, decides && !candidate && any_tag)
      `BIN(no_tag_can_be_replaced, decides && !candidate && !any_tag)
      `BIN(reached_but_no_line_is_free, decides && candidate && reached && !place)
      `BIN(off_with_a_candidate, accept_i && open && off && candidate)
      `BIN(filter_is_switched_on, filter_on_i && !filter_q)
      `BIN(filter_is_switched_off, !filter_on_i && filter_q)
    end
  endgenerate
  wire unused_ok = &{1'b0, clk_i, rst_i, filter_on_i, accept_i, open, candidate, off, reached,
                     any_tag, place, never, rc, least, cfg_i};
endmodule

module byw_l1d_bins #(
  parameter integer ALLOC = 0, LINE_W = 33, LINE_BYTES = 128, PORT_BYTES = 128
) (
  input wire clk_i, rst_i, kernel_start_i, bypass_i,
  input wire [2:0] s2_op, s2_hint,
  input wire [LINE_W-1:0] s2_line, rd_line, mem_req_line_o,
  input wire [PORT_BYTES-1:0] s2_bytes, rd_mask,
  input wire s2_valid, s2_bypass, s2_walks, s3_valid, s2_refused, s2_is_hit, s2_hit_answered, s2_accept, s2_done,
  input wire mshr_alloc, mshr_merge, bypass_send, store_send, mshr_detach, tag_bad, mshr_free, mshrs_idle,
  input wire miss_slot, bypass_slot, fill_valid, direct_valid, fill_taken, fill_attached, fill_fails,
  input wire beat_taken, direct_taken, s2_uncached, s2_more, walk_step, wb_load, clean_last, line_must_clean, lines_clear,
  input wire line_wr, query_dirty, walk_dirty, any_dirty, wb_valid, rd_dirty,
  input wire [`BYW_ACTION_W-1:0] s2_action,
  input wire [`BYW_NOTE_W-1:0] s2_note,
  input wire [`BYW_CAUSE_W-1:0] s2_cause,
  input wire rsp_valid_o, rsp_ready_i, mem_req_valid_o, mem_req_ready_i, mem_rsp_valid_i,
  input wire mem_rsp_ready_o, mem_rsp_error_i,
  input wire [2:0] rsp_served_o,
  input wire [1:0] mem_req_kind_o, mem_rsp_kind_i, parity_o,
  input wire [`BYW_EV_W-1:0] events_o
);
  generate
    if (ALLOC == 0) begin : on_miss
      byw_any_bins u_any (.*);
      byw_dirty_bins #(.LINE_W(LINE_W), .LINE_BYTES(LINE_BYTES), .PORT_BYTES(PORT_BYTES)) u_dirty (.*);
    end else begin : on_fill
      byw_any_bins u_any (.*);
    end
  endgenerate
endmodule

`default_nettype wire
