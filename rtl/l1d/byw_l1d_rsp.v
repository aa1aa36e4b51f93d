// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_rsp - the response side of the L1D: MSHRs, hit stage s3, fill paths and the arbiter of
//               the response port.
//
// Behaviour   The request in s2 allocates an MSHR (alloc_i) or merges into one (merge_i), see
//             byw_mshr.  A fill reads its MSHR when it is accepted or, with ALLOC 1, in f2, when it
//             allocates its line.  answers_i puts the response of s2 into s3.  Its bytes arrive
//             from the data store one cycle later (line_data_i) and stay there while it waits,
//             because no other line is read meanwhile.  With PARITY, a load that hits is answered
//             with an error if a byte of its beat or sector (fetch_i) has wrong parity, also one
//             that the load did not ask for; so is a request with fails_i.  An accepted memory
//             response goes into byw_fill.  byw_rsp_arb selects the response shown.
// Paper       000, section 2.2; rtl/doc/l1d.md, l1d_pipeline.md.
// C twin      show_rsp(), answer_hit() and tick_rsp() of cmodel/model/l1d/byw_l1d.c; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       rst_i: no request waits.
//
// Parameters as in byw_l1d; BLOCK_W: width of an MSHR's address; PLACE_W: width of the place that
// is stored with it.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_rsp #(
  parameter integer ALLOC      = 0,
  parameter integer LINE_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer BEAT_BYTES = LINE_BYTES,
  parameter integer MSHRS      = `BYW_DEFAULT_MSHRS,
  parameter integer MERGES     = `BYW_DEFAULT_MERGES,
  parameter integer BLOCK_W    = 33,
  parameter integer SET_IW     = 5,
  parameter integer PLACE_W    = 2,
  parameter integer ID_W       = 16,
  parameter integer PARITY     = 0,
  parameter integer BEAT_W     = $clog2(LINE_BYTES/BEAT_BYTES), // derived, as are the next three
  parameter integer BEAT_PW    = (BEAT_W > 0) ? BEAT_W : 1,
  parameter integer MSHR_IW    = (MSHRS > 1) ? $clog2(MSHRS) : 1,
  parameter integer LIST_IW    = (MERGES > 1) ? $clog2(MERGES) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // the request in s2, and its MSHR
  input  wire [BLOCK_W-1:0]      block_i,         // line or sector of the request
  input  wire [SET_IW-1:0]       set_i,
  input  wire [PLACE_W-1:0]      place_i,
  input  wire [ID_W+BEAT_W-1:0]  target_i,        // {beat, id}
  input  wire                    alloc_i,
  output wire [MSHR_IW-1:0]      alloc_mshr_o,
  input  wire                    joins_i,         // selects merge_i, if not alloc_i; early
  input  wire                    merge_i,
  input  wire [MSHR_IW-1:0]      join_mshr_i,     // ALLOC 0: the MSHR of its line
  input  wire [LIST_IW:0]        join_count_i,    // ALLOC 0: length of its list
  input  wire                    join_last_i,     // ALLOC 0: its list has room for only one more
  output wire [LIST_IW:0]        list_count_o,    // length of the list after this request
  output wire                    fills_o,         // the list is full afterwards
  output wire                    last_o,          // the list has room for only one more
  output wire                    free_o,          // an MSHR is free
  output wire                    match_o,         // ALLOC 1: an attached MSHR matches block_i
  output wire                    room_o,
  input  wire                    detach_i,
  input  wire                    detach_all_i,
  output wire                    mshrs_idle_o,

  // its response, if it is answered from a line (hit stage)
  input  wire                    answers_i,
  input  wire [2:0]              served_i,        // BYW_SERVED_*
  input  wire                    fails_i,         // a tag has wrong parity
  input  wire [BEAT_BYTES-1:0]   fetch_i,         // bytes of its beat or sector
  input  wire [BEAT_BYTES*8-1:0] line_data_i,     // valid from the next cycle on
  input  wire [BEAT_BYTES-1:0]   line_bad_i,      // bytes with wrong parity, valid from the next
                                                  // cycle on

  // from memory
  input  wire                    beat_taken_i,    // a beat of a fill
  input  wire                    fill_taken_i,    // the last beat of a fill
  input  wire [MSHR_IW-1:0]      fill_mshr_i,
  output wire                    fill_attached_o, // with ALLOC 1: the fill in f2 is attached
  output wire [SET_IW-1:0]       fill_set_o,      // ALLOC 0: where the fill goes
  output wire [PLACE_W-1:0]      fill_place_o,
  output wire [BLOCK_W-1:0]      query_block_o,   // the address in its MSHR
  output wire [PLACE_W-1:0]      query_place_o,
  input  wire                    direct_take_i,
  input  wire                    direct_store_i,  // a store acknowledgement
  input  wire [ID_W-1:0]         direct_id_i,     // id of the store
  input  wire [ID_W-1:0]         give_id_i,       // id of the bypass, valid one cycle later
  input  wire                    error_i,
  input  wire [BEAT_BYTES*8-1:0] data_i,

  // allocate on fill: the fill that allocates its line
  output wire                    f2_installs_o,
  output wire [MSHR_IW-1:0]      f2_mshr_o,
  output wire                    f2_merged_o,     // the fill serves more than its first load
  output wire [BEAT_BYTES*8-1:0] f2_data_o,

  // state
  output reg                     s3_valid_o,
  output wire                    fill_ready_o,
  output wire                    fill_room_o,     // copy of fill_ready_o, see byw_fill
  output wire [BEAT_PW-1:0]      fill_next_o,     // the next beat expected
  output wire                    fill_last_o,     // fill_next_o is the last beat of the fill
  output wire                    fill_failed_o,   // an earlier beat failed
  output wire                    fill_valid_o,
  output wire                    direct_valid_o,
  output wire [2:0]              turn_o,          // bit BYW_SRC_*, see byw_rsp_arb

  // rsp
  output wire                    rsp_valid_o,
  input  wire                    rsp_ready_i,
  output wire [BEAT_BYTES*8-1:0] rsp_data_o,
  output wire [ID_W-1:0]         rsp_id_o,
  output wire [2:0]              rsp_served_o,
  output wire                    rsp_error_o,
  output wire                    hit_failed_o     // pulse: s3 answers with an error
);
  `include "byw_defs.vh"

  localparam integer DATA_W = BEAT_BYTES * 8;

  reg  [ID_W-1:0]    s3_id_q;
  reg  [2:0]         s3_served_q;

  wire [MSHR_IW-1:0] list_mshr, drain_mshr, next_mshr, follows_mshr;
  wire [LIST_IW-1:0] list_index, drain_index, next_index;
  wire [LIST_IW:0]   drain_after, follows_count, next_after, f2_count;
  wire [ID_W-1:0]    drain_id;
  wire [BEAT_PW-1:0] drain_beat;
  wire               drain_last;
  wire [SET_IW-1:0]  query_set;
  wire [DATA_W-1:0]  fill_data, direct_data;
  wire [ID_W-1:0]    direct_id;
  wire               f2_valid, f2_error, fill_error, direct_store, direct_error;
  wire               s3_bad;                        // a tag or the bytes have wrong parity

  wire of_hit     = turn_o[BYW_SRC_HIT] && s3_valid_o;
  wire of_fill    = turn_o[BYW_SRC_FILL] && fill_valid_o;
  wire of_direct  = turn_o[BYW_SRC_DIRECT] && direct_valid_o;
  wire drain      = rsp_ready_i && of_fill;

  wire [BEAT_PW-1:0] target_beat;

  generate
    if (BEAT_W > 0) begin : gen_beat
      assign target_beat = target_i[ID_W +: BEAT_PW];
    end else begin : gen_no_beat
      assign target_beat = 1'b0;
    end
  endgenerate

  byw_mshr_drain #(.MSHR_IW(MSHR_IW), .LIST_IW(LIST_IW), .BEAT_W(BEAT_W)) u_drain (
    .clk_i(clk_i),

    .write_i(alloc_i || merge_i),
    .first_i(alloc_i),
    .mshr_i(list_mshr),
    .index_i(list_index),
    .count_i(list_count_o),
    .beat_i(target_beat),

    .none_i(!fill_valid_o),
    .follows_i(follows_mshr),
    .follows_count_i(follows_count),
    .shown_after_i(drain_after),
    .drain_i(drain),
    .next_mshr_i(next_mshr),
    .next_after_i(next_after),
    .last_o(drain_last),
    .beat_o(drain_beat)
  );

  assign f2_installs_o = f2_valid && fill_attached_o && !f2_error;
  assign f2_merged_o   = f2_count > {{LIST_IW{1'b0}}, 1'b1};
  wire unused_ok = &{1'b0, drain_index, query_set};

  // The id of the next list entry is read a cycle ahead, and so is the length of the next list.
  byw_mshr #(
    .MSHRS(MSHRS), .MERGES(MERGES), .LINE_W(BLOCK_W), .SET_IW(SET_IW), .WAY_IW(PLACE_W),
    .ID_W(ID_W), .SEARCH(ALLOC)
  ) u_mshr (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // decision
    .line_i(block_i),
    .set_i(set_i),
    .way_i(place_i),
    .id_i(target_i[ID_W-1:0]),
    .given_mshr_i(join_mshr_i),
    .given_count_i(join_count_i),
    .given_one_left_i(join_last_i),
    .mshr_free_o(free_o),
    .mshr_match_o(match_o),
    .list_room_o(room_o),
    .list_count_o(list_count_o),
    .list_full_o(fills_o),
    .list_one_left_o(last_o),
    .alloc_i(alloc_i),
    .alloc_mshr_o(alloc_mshr_o),
    .merge_select_i(joins_i),
    .merge_i(merge_i),
    .list_mshr_o(list_mshr),
    .list_index_o(list_index),
    .detach_i(detach_i),
    .detach_all_i(detach_all_i),

    // fill
    .fill_i((ALLOC != 0) ? f2_valid : fill_taken_i),
    .fill_mshr_i((ALLOC != 0) ? f2_mshr_o : fill_mshr_i),
    .fill_attached_o(fill_attached_o),
    .fill_set_o(fill_set_o),
    .fill_way_o(fill_place_o),
    .fill_count_o(f2_count),
    .query_mshr_i(fill_mshr_i),
    .query_line_o(query_block_o),
    .query_set_o(query_set),
    .query_way_o(query_place_o),

    // list of a filled register
    .count_mshr_i(follows_mshr),
    .count_o(follows_count),
    .drain_mshr_i(next_mshr),
    .drain_index_i(next_index),
    .drain_id_o(drain_id),
    .free_i(drain && drain_last),
    .free_mshr_i(drain_mshr),

    .all_free_o(mshrs_idle_o)
  );

  byw_fill #(
    .STAGED(ALLOC), .LINE_BYTES(LINE_BYTES), .BEAT_BYTES(BEAT_BYTES), .MSHR_IW(MSHR_IW),
    .LIST_IW(LIST_IW), .ID_W(ID_W)
  ) u_fill (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // the memory response being accepted
    .fill_take_i(beat_taken_i),
    .fill_mshr_i(fill_mshr_i),
    .direct_take_i(direct_take_i),
    .direct_store_i(direct_store_i),
    .direct_id_i(direct_id_i),
    .error_i(error_i),
    .data_i(data_i),
    .fill_ready_o(fill_ready_o),
    .fill_room_o(fill_room_o),
    .fill_next_o(fill_next_o),
    .fill_last_o(fill_last_o),
    .fill_failed_o(fill_failed_o),

    // path 1
    .f2_valid_o(f2_valid),
    .f2_mshr_o(f2_mshr_o),
    .f2_error_o(f2_error),
    .f2_data_o(f2_data_o),
    .fill_valid_o(fill_valid_o),
    .fill_mshr_o(drain_mshr),
    .fill_index_o(drain_index),
    .fill_index_plus_1_o(drain_after),
    .fill_error_o(fill_error),
    .fill_beat_i(drain_beat),
    .fill_data_o(fill_data),
    .drain_i(drain),
    .drain_last_i(drain_last),
    .next_mshr_o(next_mshr),
    .next_index_o(next_index),
    .next_index_plus_1_o(next_after),
    .successor_mshr_o(follows_mshr),

    // path 2
    .direct_valid_o(direct_valid_o),
    .direct_store_o(direct_store),
    .direct_id_o(direct_id),
    .direct_error_o(direct_error),
    .direct_data_o(direct_data),
    .direct_drain_i(rsp_ready_i && of_direct)
  );

  byw_rsp_arb u_rsp_arb (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i({direct_valid_o, fill_valid_o, s3_valid_o}),
    .rsp_ready_i(rsp_ready_i), .rsp_valid_o(rsp_valid_o), .turn_o(turn_o)
  );

  assign rsp_data_o   = of_direct ? direct_data : of_fill ? fill_data : line_data_i;
  assign rsp_id_o     = of_hit ? s3_id_q : of_fill ? drain_id :
                        direct_store ? direct_id : give_id_i;
  assign rsp_served_o = of_hit ? s3_served_q : of_fill ? BYW_SERVED_FILL :
                        direct_store ? BYW_SERVED_STORE : BYW_SERVED_BYPASS;
  assign rsp_error_o  = of_hit ? s3_bad : of_fill ? fill_error : direct_error;
  assign hit_failed_o = rsp_ready_i && of_hit && s3_bad;

  generate
    if (PARITY == 0) begin : gen_no_parity
      assign s3_bad = 1'b0;
      wire unused_parity = &{1'b0, fails_i, fetch_i, line_bad_i};
    end else begin : gen_parity
      reg                  s3_fails_q;
      reg [BEAT_BYTES-1:0] s3_fetch_q;

      always @(posedge clk_i) begin : p_fetch
        if (answers_i) {s3_fails_q, s3_fetch_q} <= {fails_i, fetch_i};
      end
      assign s3_bad = s3_fails_q ||
                      ((s3_served_q == BYW_SERVED_HIT) && |(line_bad_i & s3_fetch_q));
    end
  endgenerate

  always @(posedge clk_i) begin : p_valid
    if (rst_i) s3_valid_o <= 1'b0;
    else       s3_valid_o <= answers_i || (s3_valid_o && !(rsp_ready_i && of_hit));
  end

  always @(posedge clk_i) begin : p_s3
    if (answers_i) begin
      s3_id_q     <= target_i[ID_W-1:0];
      s3_served_q <= served_i;
    end
  end

  `BYW_CHECKS
  `BYW_ASSUME(hit_stage_is_free, answers_i, !s3_valid_o || (rsp_ready_i && of_hit))
  `BYW_ASSUME(fill_names_a_register_in_use, fill_taken_i, !mshrs_idle_o)
  `BYW_ASSERT(one_source_is_shown, rsp_valid_o,
              {1'b0, of_hit} + {1'b0, of_fill} + {1'b0, of_direct} == 2'd1)
  `BYW_ASSERT(only_wrong_parity_fails_a_hit, rsp_valid_o && of_hit && rsp_error_o,
              (PARITY != 0) && (rsp_served_o != BYW_SERVED_DONE))
endmodule

`default_nettype wire
