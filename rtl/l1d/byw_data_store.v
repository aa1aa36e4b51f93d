// SPDX-License-Identifier: Apache-2.0
//
// byw_data_store - the bytes of all lines and their dirty bits.
//
// Behaviour   rd_en_i reads a beat of a line.  One cycle later, until the next read, the outputs
//             show its bytes and, for a dirty line, its dirty mask and line address.  fill_i with
//             fill_owned_i writes the bytes in fill_mask_i.  store_i writes the bytes in its mask;
//             with store_dirty_i they become dirty.  clean_i makes the line query_*_i clean.  Each
//             line has one dirty bit; a RAM holds which of its beats have dirty bytes.  A line read
//             in the cycle in which it is written reads as undefined.  Not allowed together: a fill
//             that writes and store_i; store_i with store_dirty_i and a read of another line.
//             LOOK: query_set_i must be the set last given with next_load_i or walk_step_i.  A
//             store waits in a cycle with a fill beat.
// Paper       mechanisms/cache.md 0.3 (local lines); rtl/doc/data_store.md.
// C twin      cmodel/model/l1d/byw_data_store.c; checked by verif/l1d/lockstep_data_store.c.
// Reset       rst_i or clean_all_i: all lines are clean.  The RAMs keep their contents.
//
// Parameter   Default  Range          Meaning
// SETS, DATA_WAYS  32, 4              sets, 2^n, 1..4096, of 1..64 lines each
// LINE_BYTES  128      2^n, 8..128    line size
// BEAT_BYTES  128      2^n, 8..LINE_BYTES   width of the data ports
// LINE_W      33       1..64          line address
// LOOK        0        0, 1           1: the dirty bits of one set are read a cycle early
// PARITY      0        0, 1           1: a parity bit per byte, checked when the byte is read
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_data_store #(
  parameter integer SETS       = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS  = `BYW_DEFAULT_DATA_WAYS,
  parameter integer LINE_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer BEAT_BYTES = LINE_BYTES,
  parameter integer LINE_W     = 33,
  parameter integer LOOK       = 0,
  parameter integer PARITY     = 0,
  parameter integer BEAT_W     = $clog2(LINE_BYTES/BEAT_BYTES), // derived, as are the next three
  parameter integer BEAT_PW    = (BEAT_W > 0) ? BEAT_W : 1,
  parameter integer SET_IW     = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW     = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  input  wire                    rd_en_i,
  input  wire [SET_IW-1:0]       rd_set_i,
  input  wire [WAY_IW-1:0]       rd_way_i,
  input  wire [BEAT_PW-1:0]      rd_beat_i,
  output wire [BEAT_BYTES*8-1:0] rd_data_o,
  output wire [BEAT_BYTES-1:0]   rd_bad_o,      // bytes with wrong parity; 0 without PARITY
  output wire [BEAT_BYTES-1:0]   rd_mask_o,     // valid for a dirty line
  output wire [BEAT_PW-1:0]      rd_beat_o,
  output wire                    rd_dirty_o,    // dirty line: the beat has dirty bytes
  output wire [LINE_W-1:0]       rd_line_o,     // valid for a dirty line

  input  wire                    fill_i,        // LOOK: the fill may still fail
  input  wire                    fill_owned_i,  // the MSHR still owns the line; arrives late
  input  wire [SET_IW-1:0]       fill_set_i,
  input  wire [WAY_IW-1:0]       fill_way_i,
  input  wire [BEAT_PW-1:0]      fill_beat_i,
  input  wire [BEAT_BYTES-1:0]   fill_mask_i,   // bytes of the beat or sector
  input  wire [BEAT_BYTES*8-1:0] fill_data_i,

  // LOOK: store bytes are also written while the store waits (store_early_i), unless a fill writes
  input  wire                    store_i,
  input  wire                    store_early_i,
  input  wire                    store_dirty_i, // the mask is not empty; arrives early
  input  wire [SET_IW-1:0]       store_set_i,
  input  wire [WAY_IW-1:0]       store_way_i,
  input  wire [BEAT_PW-1:0]      store_beat_i,
  input  wire [LINE_W-1:0]       store_line_i,
  input  wire [BEAT_BYTES-1:0]   store_mask_i,
  input  wire [BEAT_BYTES*8-1:0] store_data_i,

  // LOOK: next_set_i becomes the query set with next_load_i or with walk_step_i
  input  wire                    next_load_i,   // arrives later than walk_step_i
  input  wire                    walk_step_i,
  input  wire [SET_IW-1:0]       next_set_i,
  input  wire [SET_IW-1:0]       query_set_i,
  input  wire [WAY_IW-1:0]       query_way_i,
  input  wire [WAY_IW-1:0]       way_i,         // way of query_dirty_o
  input  wire [WAY_IW-1:0]       walk_way_i,    // way of walk_dirty_o
  output wire                    query_dirty_o,
  output wire                    walk_dirty_o,
  output wire                    any_dirty_o,
  input  wire                    clean_i,
  input  wire                    clean_all_i
);
  // Line number = set and way concatenated, which needs no multiplier.
  localparam integer WAY_BITS = $clog2(DATA_WAYS);
  localparam integer LINES    = SETS << WAY_BITS;
  localparam integer LINE_IW  = (LINES > 1) ? $clog2(LINES) : 1;

  wire [LINE_IW-1:0] rd_line, fill_line, store_line;

  generate
    if ((LINE_BYTES < 8) || (LINE_BYTES > 128)) begin : gen_check_line
      byw_data_store_LINE_BYTES_must_be_8_to_128 u_error ();
    end
    if (BEAT_BYTES > LINE_BYTES) begin : gen_check_beat
      byw_data_store_BEAT_BYTES_must_be_at_most_LINE_BYTES u_error ();
    end
    if ((PARITY != 0) && (PARITY != 1)) begin : gen_check_parity
      byw_data_store_PARITY_must_be_0_or_1 u_error ();
    end
    if (DATA_WAYS == 1) begin : gen_direct
      assign rd_line    = rd_set_i;
      assign fill_line  = fill_set_i;
      assign store_line = store_set_i;
      wire unused = &{1'b0, rd_way_i, fill_way_i};
    end else if (SETS == 1) begin : gen_full
      assign rd_line    = rd_way_i;
      assign fill_line  = fill_way_i;
      assign store_line = store_way_i;
      wire unused = &{1'b0, rd_set_i, fill_set_i, store_set_i};
    end else begin : gen_ways
      assign rd_line    = {rd_set_i, rd_way_i};
      assign fill_line  = {fill_set_i, fill_way_i};
      assign store_line = {store_set_i, store_way_i};
    end
  endgenerate

  // ---- dirty bits.  Those of query_set_i are written back every cycle, changed or not, so that no
  // late signal drives the write enable.  In a four-state simulator query_set_i is unknown until
  // the first request: such a set number writes nothing and equals no other set number.
  localparam integer PLACES = 1 << WAY_BITS;          // ways of a set, rounded up to 2^n
  localparam [PLACES-1:0] PLACE = 1;
  wire              dirty_store = store_i && store_dirty_i;
  wire              clear_all   = rst_i || clean_all_i;
  wire [PLACES-1:0] set_dirty;                        // places of query_set_i with dirty bytes
  // The enables dirty_store and clean_i arrive late; the ways arrive early and are decoded first.
  wire [PLACES-1:0] store_onehot = PLACE << store_way_i;
  wire [PLACES-1:0] query_onehot = PLACE << query_way_i;
  wire [PLACES-1:0] set_dirty_next = (set_dirty | ({PLACES{dirty_store}} & store_onehot)) &
                                     ~({PLACES{clean_i}} & query_onehot);
  wire              was_dirty;
  wire [PLACES-1:0] query_bits, next_bits;

  byw_set_bits #(.SETS(SETS), .WIDTH(PLACES)) u_dirty_bits (
    .clk_i(clk_i), .all_i(clear_all), .all_value_i(1'b0), .wr_en_i(1'b1),
    .wr_set_i(query_set_i), .wr_bits_i(set_dirty_next), .wr_old_o(query_bits),
    .rd_set_i(next_set_i), .rd_bits_o(next_bits)
  );

  // With LOOK the set is known one cycle earlier.
  generate
    if (LOOK == 0) begin : gen_now
      assign set_dirty = query_bits;
      wire unused_next = &{1'b0, next_load_i, walk_step_i, next_bits};
    end else begin : gen_near
      reg  [PLACES-1:0] set_dirty_q;
      reg               same_set;
      // An if, not an assignment: an unknown equality is then false and does not spread.
      always @* begin
        if (next_set_i == query_set_i) same_set = 1'b1;
        else                           same_set = 1'b0;
      end
      (* keep *) wire [PLACES-1:0] dirty_if_next, dirty_if_step;       // next_load_i arrives last
      assign dirty_if_next = same_set ? set_dirty_next : next_bits;
      assign dirty_if_step = walk_step_i ? dirty_if_next : set_dirty_next;

      always @(posedge clk_i) begin : p_near
        if (clear_all) set_dirty_q <= {PLACES{1'b0}};
        else           set_dirty_q <= next_load_i ? dirty_if_next : dirty_if_step;
      end
      assign set_dirty = set_dirty_q;
      wire unused_query = &{1'b0, query_bits};
    end
  endgenerate

  byw_mux #(.N(PLACES), .W(1)) u_was_dirty (
    .data_i(set_dirty), .sel_i(store_way_i), .data_o(was_dirty)
  );
  byw_mux #(.N(PLACES), .W(1)) u_walk_dirty (
    .data_i(set_dirty), .sel_i(walk_way_i), .data_o(walk_dirty_o)
  );
  byw_mux #(.N(PLACES), .W(1)) u_dirty (
    .data_i(set_dirty), .sel_i(way_i), .data_o(query_dirty_o)
  );

  // ---- word address of the RAMs: {line number, beat}
  localparam integer WORDS   = LINES << BEAT_W;
  localparam integer WORD_IW = (WORDS > 1) ? $clog2(WORDS) : 1;

  wire [WORD_IW-1:0] rd_word, fill_word, store_word;

  generate
    if (BEAT_W == 0) begin : gen_whole
      assign rd_word    = rd_line;
      assign fill_word  = fill_line;
      assign store_word = store_line;
      wire unused_beat = &{1'b0, rd_beat_i, fill_beat_i, store_beat_i};
    end else if (LINES == 1) begin : gen_one_line
      assign rd_word    = rd_beat_i;
      assign fill_word  = fill_beat_i;
      assign store_word = store_beat_i;
    end else begin : gen_beats
      assign rd_word    = {rd_line, rd_beat_i};
      assign fill_word  = {fill_line, fill_beat_i};
      assign store_word = {store_line, store_beat_i};
    end
  endgenerate

  // Without LOOK a fill and a store never write together.  With LOOK the RAM may write bytes
  // speculatively, so that the address does not wait for late signals.  This is safe: such a store
  // writes its line in the end, and the line of a failed fill is freed.
  wire fill_write  = fill_i && ((LOOK != 0) || fill_owned_i);         // the fill has the write port
  wire store_write = (LOOK != 0) ? store_early_i && !fill_i : store_i;
  // The lanes arrive last: one LUT per lane, which is also its write enable.
  wire [BEAT_BYTES-1:0] wr_lane = ({BEAT_BYTES{fill_owned_i}} & {BEAT_BYTES{fill_i}} &
                                  fill_mask_i) |
                                  ({BEAT_BYTES{store_write}} & store_mask_i);
  wire unused_comes = &{1'b0, store_early_i};

  // A lane of the RAM is a byte, with its parity bit above it.
  localparam integer          LANE_W  = 8 + PARITY;
  wire [BEAT_BYTES*8-1:0]      wr_data = fill_write ? fill_data_i : store_data_i;
  wire [BEAT_BYTES*LANE_W-1:0] wr_lanes, rd_lanes;

  byw_ram_1r1w #(.DEPTH(WORDS), .LANES(BEAT_BYTES), .LANE_W(LANE_W), .BLOCK(1)) u_bytes (
    .clk_i(clk_i), .rd_en_i(rd_en_i), .rd_addr_i(rd_word), .rd_data_o(rd_lanes),
    .wr_en_i(1'b1), .wr_addr_i(fill_write ? fill_word : store_word), .wr_lane_i(wr_lane),
    .wr_data_i(wr_lanes)
  );

  genvar i;
  generate
    if (PARITY == 0) begin : gen_no_parity
      assign wr_lanes  = wr_data;
      assign rd_data_o = rd_lanes;
      assign rd_bad_o  = {BEAT_BYTES{1'b0}};
    end else begin : gen_parity
      for (i = 0; i < BEAT_BYTES; i = i + 1) begin : gen_byte
        assign wr_lanes[i*LANE_W +: LANE_W] = {^wr_data[i*8 +: 8], wr_data[i*8 +: 8]};
        assign rd_data_o[i*8 +: 8]          = rd_lanes[i*LANE_W +: 8];
        assign rd_bad_o[i]                  = ^rd_lanes[i*LANE_W +: LANE_W];
      end
    end
  endgenerate

  // A dirty mask grows by read-modify-write, so that the RAM needs no write lane per bit.  A dirty
  // store reads the mask and writes it back with its own bits in the next cycle.  A read in the
  // cycle of the write is forwarded.
  reg                    merge_valid_q;              // a mask is written in this cycle
  reg                    merge_first_q;        // the line was clean before
  reg  [WORD_IW-1:0]     merge_word_q;
  reg  [BEAT_BYTES-1:0]  merge_mask_q;
  reg                    forward_q;           // the mask read was being written
  reg  [BEAT_BYTES-1:0]  forward_mask_q;

  wire [BEAT_BYTES-1:0]  ram_mask;
  // a dirty store's word, whether it writes or not
  wire                   meta_read = rd_en_i || store_dirty_i;
  // the stored mask is stale: line or beat was clean
  wire                   mask_is_stale;
  wire [BEAT_BYTES-1:0]  merged_mask = merge_mask_q |
                                       (mask_is_stale ? {BEAT_BYTES{1'b0}} : rd_mask_o);

  wire                   merge_hits_read = merge_valid_q && (merge_word_q == rd_word);

  wire                   mask_wr_en;
  wire [WORD_IW-1:0]     mask_wr_word;
  wire [BEAT_BYTES-1:0]  mask_wr_data;

  assign rd_mask_o = forward_q ? forward_mask_q : ram_mask;

  byw_ram_1r1w #(.DEPTH(WORDS), .LANES(1), .LANE_W(BEAT_BYTES)) u_masks (
    .clk_i(clk_i), .rd_en_i(meta_read), .rd_addr_i(rd_word), .rd_data_o(ram_mask),
    .wr_en_i(mask_wr_en), .wr_addr_i(mask_wr_word), .wr_lane_i(1'b1), .wr_data_i(mask_wr_data)
  );

  // With LOOK the grown mask is registered before the write, because the RAM output arrives late.
  generate
    if (LOOK == 0) begin : gen_keep
      assign {mask_wr_en, mask_wr_word, mask_wr_data} = {merge_valid_q, merge_word_q, merged_mask};
    end else begin : gen_keep_later
      reg                   mask_wr_en_q;
      reg  [WORD_IW-1:0]    mask_wr_word_q;
      reg  [BEAT_BYTES-1:0] mask_wr_data_q;
      always @(posedge clk_i) begin : p_keep
        mask_wr_en_q   <= merge_valid_q;
        mask_wr_word_q <= merge_word_q;
        mask_wr_data_q <= merged_mask;
      end
      assign {mask_wr_en, mask_wr_word, mask_wr_data} = {mask_wr_en_q, mask_wr_word_q,
                                                        mask_wr_data_q};
    end
  endgenerate

  // Per line, one bit for each beat that has a dirty mask: a word that grows in the same way.
  generate
    if (BEAT_W == 0) begin : gen_one_mask
      assign mask_is_stale = merge_first_q;
      assign rd_beat_o     = 1'b0;
      assign rd_dirty_o    = 1'b1;
    end else begin : gen_masks
      localparam integer BEATS = 1 << BEAT_W;
      localparam [BEATS-1:0] BEAT = 1;
      wire [LINE_IW-1:0]  merge_line;
      wire [BEAT_PW-1:0]  merge_beat = merge_word_q[BEAT_PW-1:0];
      wire [BEATS-1:0]    ram_beats;
      reg                 forward_beats_q;
      reg  [BEATS-1:0]    merged_beats_q;
      reg  [BEAT_PW-1:0]  beat_q;             // the beat that was read
      wire [BEATS-1:0]    beats        = forward_beats_q ? merged_beats_q : ram_beats;
      wire [BEATS-1:0]    old_beats    = merge_first_q ? {BEATS{1'b0}} : beats;
      wire [BEATS-1:0]    merged_beats = old_beats | (BEAT << merge_beat);

      assign mask_is_stale = !old_beats[merge_beat];
      assign rd_beat_o     = beat_q;
      assign rd_dirty_o    = beats[beat_q];
      if (LINES == 1) begin : gen_one
        assign merge_line = {LINE_IW{1'b0}};
      end else begin : gen_lines
        assign merge_line = merge_word_q[WORD_IW-1:BEAT_W];
      end

      byw_ram_1r1w #(.DEPTH(LINES), .LANES(1), .LANE_W(BEATS)) u_beats (
        .clk_i(clk_i), .rd_en_i(meta_read), .rd_addr_i(rd_line), .rd_data_o(ram_beats),
        .wr_en_i(merge_valid_q), .wr_addr_i(merge_line), .wr_lane_i(1'b1), .wr_data_i(merged_beats)
      );

      always @(posedge clk_i) begin : p_beats
        if (meta_read) begin
          beat_q          <= rd_beat_i;
          forward_beats_q <= merge_valid_q && (merge_line == rd_line);
          merged_beats_q  <= merged_beats;
        end
      end
    end
  endgenerate

  always @(posedge clk_i) begin : p_grow
    merge_valid_q <= dirty_store && !clear_all;
    merge_first_q <= !was_dirty;
    merge_word_q  <= store_word;
    merge_mask_q  <= store_mask_i;
    if (meta_read) begin
      forward_q      <= merge_hits_read || (mask_wr_en && (mask_wr_word == rd_word));
      forward_mask_q <= merge_hits_read ? merged_mask : mask_wr_data;
    end
  end

  // Number of dirty lines, so that any_dirty_o needs no wide OR.  A line whose mask grows in this
  // cycle is counted one cycle later.
  localparam integer COUNT_W = $clog2(LINES + 1);
  localparam [COUNT_W-1:0] ONE = 1;
  reg  [COUNT_W-1:0] dirty_count_q;
  reg                any_dirty_q;                           // dirty_count_q is not 0
  wire               dirty_count_up = merge_valid_q && merge_first_q;

  assign any_dirty_o = any_dirty_q || merge_valid_q;

  always @(posedge clk_i) begin : p_count
    if (clear_all) begin
      dirty_count_q <= {COUNT_W{1'b0}};
      any_dirty_q   <= 1'b0;
    end else begin
      if (dirty_count_up != clean_i) dirty_count_q <= dirty_count_up ? dirty_count_q + 1'b1 :
                            dirty_count_q - 1'b1;
      any_dirty_q <= !clean_i ? any_dirty_o : dirty_count_up ? any_dirty_q : (dirty_count_q != ONE);
    end
  end

  byw_ram_1r1w #(.DEPTH(LINES), .LANES(1), .LANE_W(LINE_W)) u_lines (
    .clk_i(clk_i), .rd_en_i(rd_en_i), .rd_addr_i(rd_line), .rd_data_o(rd_line_o),
    .wr_en_i(dirty_store), .wr_addr_i(store_line), .wr_lane_i(1'b1), .wr_data_i(store_line_i)
  );

  `BYW_CHECKS
`ifdef BYW_CHECKED
  // the set that next_load_i or walk_step_i selected; without either, the query set stays
  reg [SET_IW-1:0] given_q;
  always @(posedge clk_i) given_q <= (next_load_i || walk_step_i) ? next_set_i : query_set_i;
`endif
  `BYW_ASSUME(fill_and_store_never_together, fill_i && ((LOOK != 0) || fill_owned_i), !store_i)
  `BYW_ASSUME(store_is_to_the_query_set, store_i, store_set_i == query_set_i)
  `BYW_ASSUME(dirty_store_reads_its_own_beat, store_i && store_dirty_i, rd_word == store_word)
  `BYW_ASSUME(dirty_store_has_a_byte, store_i && store_dirty_i, |store_mask_i)
  `BYW_ASSUME(store_that_acts_comes, (LOOK != 0) && store_i, store_early_i)
  `BYW_ASSUME(query_set_is_the_one_given, (LOOK != 0) && any_dirty_o,
              (query_set_i == given_q) !== 1'b0)     // unknown: writes nothing
  `BYW_ASSUME(no_line_is_cleaned_by_a_store, clean_i, !store_i)
  `BYW_ASSUME(only_a_dirty_line_is_cleaned, clean_i, |(set_dirty & query_onehot))
  `BYW_ASSERT(any_dirty_when_the_count_is_not_0, 1'b1, any_dirty_q ==
              (dirty_count_q != {COUNT_W{1'b0}}))
  `BYW_ASSERT(count_within_lines, 1'b1, dirty_count_q <= LINES)
endmodule

`default_nettype wire
