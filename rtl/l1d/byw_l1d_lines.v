// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_lines - the data lines of the L1D: reads, writes and write-backs.
//
// Behaviour   read_i reads the line of the s2 request or, during a walk (FLUSH, fences), the line
//             that byw_l1d_walk points to.  byw_l1d_walk also gives the beat to write back.  A load
//             that hits reads its own beat.  The beat of a fill and the store in s2 are written; a
//             local store makes its bytes dirty.  Which of these may coincide: see byw_data_store.
// Paper       mechanisms/cache.md 0.3; rtl/doc/data_store.md, l1d_pipeline.md.
// C twin      cmodel/model/l1d/byw_data_store.c, flush_line and next_beat of byw_l1d_state.h;
//             checked by verif/l1d/lockstep_l1d.c.
// Reset       rst_i: no line is dirty; the walk is at the first line.
//
// Parameters as in byw_l1d; BEAT_BYTES: width of the data ports, at most LINE_BYTES.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_lines #(
  parameter integer ALLOC      = 0,
  parameter integer SETS       = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS  = `BYW_DEFAULT_DATA_WAYS,
  parameter integer LINE_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer LINE_W     = 33,
  parameter integer LOOK       = 0,
  parameter integer BEAT_BYTES = LINE_BYTES,
  parameter integer PARITY     = 0,
  parameter integer SET_IW     = (SETS > 1) ? $clog2(SETS) : 1,   // derived, as are the next two
  parameter integer WAY_IW     = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer BEAT_PW    = (BEAT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/BEAT_BYTES) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // the request in s2, and its outcome
  input  wire                    s2_valid_i,
  input  wire [2:0]              s2_op_i,       // BYW_OP_*
  input  wire                    s2_walks_i,    // walks through all lines
  input  wire [SET_IW-1:0]       s2_set_i,
  input  wire [LINE_W-1:0]       s2_line_i,
  input  wire [BEAT_PW-1:0]      s2_beat_i,
  input  wire [BEAT_BYTES-1:0]   s2_bytes_i,
  input  wire                    s2_some_i,     // the request's mask is not empty
  input  wire [BEAT_BYTES*8-1:0] s2_data_i,
  input  wire [WAY_IW-1:0]       way_i,         // way of the line hit, allocated or freed
  input  wire                    hit_i,
  input  wire                    leaves_i,      // the request is accepted or done
  input  wire                    store_i,       // the request writes its line
  input  wire                    store_comes_i, // LOOK: the store writes, now or later

  // the stage before s2; move_i moves it into s2
  input  wire                    move_i,
  input  wire                    look_walks_i,
  input  wire [SET_IW-1:0]       look_set_i,

  // the walk and the write-back
  input  wire                    restart_i,
  input  wire                    step_i,
  input  wire                    clean_i,       // the beat read is written back
  input  wire                    cleans_i,      // the line of s2 must be written back
  output wire                    clean_last_o,  // this beat is the last of its line
  output wire                    clean_other_o, // the write-back in progress is of another line
  output wire                    query_dirty_o, // the line of s2, or of the walk, is dirty
  output wire                    walk_dirty_o,
  output wire                    any_dirty_o,

  // a beat of a fill
  input  wire                    fill_i,        // a beat arrives; written if fill_keeps_i
  input  wire                    fill_keeps_i,
  input  wire [SET_IW-1:0]       fill_set_i,
  input  wire [WAY_IW-1:0]       fill_way_i,
  input  wire [BEAT_PW-1:0]      fill_beat_i,
  input  wire [BEAT_BYTES-1:0]   fill_mask_i,
  input  wire [BEAT_BYTES*8-1:0] fill_data_i,

  // the line read, valid from the next cycle on
  input  wire                    read_i,
  output wire [BEAT_BYTES*8-1:0] data_o,
  output wire [BEAT_BYTES-1:0]   bad_o,         // bytes with wrong parity; 0 without PARITY
  output wire [BEAT_BYTES-1:0]   mask_o,        // dirty bytes of the beat
  output wire [BEAT_PW-1:0]      beat_o,
  output wire                    dirty_o,       // the beat has dirty bytes
  output wire [LINE_W-1:0]       line_o,

  input  wire                    clear_i        // no line survives
);
  `include "byw_defs.vh"

  localparam integer BEATS = LINE_BYTES / BEAT_BYTES;

  generate
    if ((BEAT_BYTES < 8) || (BEATS * BEAT_BYTES != LINE_BYTES) || (BEATS & (BEATS - 1)) != 0)
    begin : gen_check_beat
      byw_l1d_lines_BEAT_BYTES_must_be_2_to_the_n_from_8_to_LINE_BYTES u_error ();
    end
  endgenerate

  wire [SET_IW-1:0]  walk_set, walk_ahead;
  wire [WAY_IW-1:0]  walk_way;
  wire [BEAT_PW-1:0] clean_beat;
  wire [SET_IW-1:0]  query_set = s2_walks_i ? walk_set : s2_set_i;
  wire [WAY_IW-1:0]  query_way = s2_walks_i ? walk_way : way_i;
  wire               local_store = s2_op_i == BYW_OP_LOCAL_STORE;

  // Only a load that hits reads its own beat, and a local store that hits reads its mask.
  wire               own_beat   = hit_i && ((s2_op_i == BYW_OP_LOAD) ||
                                            (s2_op_i == BYW_OP_LOCAL_LOAD) || local_store);
  wire [BEAT_PW-1:0] query_beat = own_beat ? s2_beat_i : clean_beat;

  // The query set of the next cycle.  When a walk ends, no line is dirty, so the next walk starts
  // at set 0.
  wire [SET_IW-1:0]  next_set   = (s2_valid_i && s2_walks_i) ? walk_ahead :
                                  look_walks_i ? {SET_IW{1'b0}} : look_set_i;

  byw_l1d_walk #(.SETS(SETS), .DATA_WAYS(DATA_WAYS), .BEATS(BEATS)) u_walk (
    .clk_i(clk_i),
    .rst_i(rst_i),

    .restart_i(restart_i),
    .step_i(step_i),
    .set_o(walk_set),
    .way_o(walk_way),
    .ahead_o(walk_ahead),

    .clean_i(clean_i),
    .dirty_i(cleans_i),
    .leave_i(leaves_i),
    .clean_way_i(query_way),
    .beat_o(clean_beat),
    .last_o(clean_last_o),
    .other_o(clean_other_o)
  );

  byw_data_store #(
    .SETS(SETS), .DATA_WAYS(DATA_WAYS), .LINE_BYTES(LINE_BYTES), .BEAT_BYTES(BEAT_BYTES),
    .LINE_W(LINE_W), .LOOK(LOOK), .PARITY(PARITY)
  ) u_store (
    .clk_i(clk_i),
    .rst_i(rst_i),

    .rd_en_i(read_i),
    .rd_set_i(query_set),
    .rd_way_i(query_way),
    .rd_beat_i(query_beat),
    .rd_data_o(data_o),
    .rd_bad_o(bad_o),
    .rd_mask_o(mask_o),
    .rd_beat_o(beat_o),
    .rd_dirty_o(dirty_o),
    .rd_line_o(line_o),

    .fill_i(fill_i),
    .fill_owned_i(fill_keeps_i),
    .fill_set_i(fill_set_i),
    .fill_way_i(fill_way_i),
    .fill_beat_i(fill_beat_i),
    .fill_mask_i(fill_mask_i),
    .fill_data_i(fill_data_i),

    // LOOK: store bytes are also written while the store waits (store_early_i), unless a fill
    .store_i(store_i),
    .store_early_i(store_comes_i),
    .store_dirty_i((ALLOC == 0) && local_store && s2_some_i),
    .store_set_i(s2_set_i),
    .store_way_i(way_i),
    .store_beat_i(s2_beat_i),
    .store_line_i(s2_line_i),
    .store_mask_i(s2_bytes_i),
    .store_data_i(s2_data_i),

    // LOOK: next_set_i becomes the query set with next_load_i or with walk_step_i
    .next_load_i(move_i),
    .walk_step_i(step_i),
    .next_set_i(next_set),
    .query_set_i(query_set),
    .query_way_i(query_way),
    .way_i(way_i),
    .walk_way_i(walk_way),
    .query_dirty_o(query_dirty_o),
    .walk_dirty_o(walk_dirty_o),
    .any_dirty_o(any_dirty_o),
    .clean_i(clean_i && clean_last_o),
    .clean_all_i(clear_i)
  );

  `BYW_CHECKS
  `BYW_ASSUME(only_a_dirty_line_is_written_back, clean_i, query_dirty_o || walk_dirty_o)
  `BYW_ASSERT(dirty_line_is_counted, s2_valid_i && (query_dirty_o || walk_dirty_o), any_dirty_o)
endmodule

`default_nettype wire
