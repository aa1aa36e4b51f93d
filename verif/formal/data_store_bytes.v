// SPDX-License-Identifier: Apache-2.0
//
// data_store_bytes - what byw_data_store guarantees about one byte, symbolic like its line, beat
// and bit, for all traffic that follows the rules of its ports, from any contents of its RAMs.
//
//   bytes    a read shows the byte written last, with its parity, unless the same cycle writes it
//   masks    of a dirty line it shows whether the byte is dirty, whether the beat has dirty bytes,
//            the beat, and the address that the last dirty store gave
//   flags    query_dirty_o and walk_dirty_o of the line, and any_dirty_o of all lines
//
// A byte is dirty from a dirty store of it until its line is cleaned.  The rules of the ports are
// the assumptions of byw_data_store itself (BYW_ASSUME_INPUTS).
//
`default_nettype none

module data_store_bytes #(
  parameter integer SETS   = 2,
  parameter integer WAYS   = 2,
  parameter integer BEATS  = 1,
  parameter integer LOOK   = 0,
  parameter integer PARITY = 0,
  parameter integer LINE_W = 1
) (
  input wire              clk_i,
  input wire              rst_i,
  input wire              rd_en_i,
  input wire              rd_set_i,
  input wire              rd_way_i,
  input wire              rd_beat_i,
  input wire              fill_i,
  input wire              fill_keeps_i,
  input wire              fill_set_i,
  input wire              fill_way_i,
  input wire              fill_beat_i,
  input wire [7:0]        fill_mask_i,
  input wire [63:0]       fill_data_i,
  input wire              store_i,
  input wire              store_comes_i,
  input wire              store_dirty_i,
  input wire              store_set_i,
  input wire              store_way_i,
  input wire              store_beat_i,
  input wire [LINE_W-1:0] store_line_i,
  input wire [7:0]        store_mask_i,
  input wire [63:0]       store_data_i,
  input wire              next_i,
  input wire              step_i,
  input wire              next_set_i,
  input wire              query_set_i,
  input wire              query_way_i,
  input wire              way_i,
  input wire              walk_way_i,
  input wire              clean_i,
  input wire              clean_all_i,
  input wire              set_i,           // the watched byte
  input wire              place_i,
  input wire              beat_i,
  input wire [2:0]        byte_i
);
  wire [63:0]       rd_data;
  wire [7:0]        rd_bad, rd_mask;
  wire              rd_beat, rd_dirty, query_dirty, walk_dirty, any_dirty;
  wire [LINE_W-1:0] rd_line;

  byw_data_store #(
    .SETS(SETS), .DATA_WAYS(WAYS), .LINE_BYTES(8 * BEATS), .BEAT_BYTES(8), .LINE_W(LINE_W),
    .LOOK(LOOK), .PARITY(PARITY)
  ) u_store (
    .clk_i(clk_i), .rst_i(rst_i), .rd_en_i(rd_en_i), .rd_set_i(rd_set_i), .rd_way_i(rd_way_i),
    .rd_beat_i(rd_beat_i), .rd_data_o(rd_data), .rd_bad_o(rd_bad), .rd_mask_o(rd_mask),
    .rd_beat_o(rd_beat), .rd_dirty_o(rd_dirty), .rd_line_o(rd_line), .fill_i(fill_i),
    .fill_owned_i(fill_keeps_i), .fill_set_i(fill_set_i), .fill_way_i(fill_way_i),
    .fill_beat_i(fill_beat_i), .fill_mask_i(fill_mask_i), .fill_data_i(fill_data_i),
    .store_i(store_i), .store_early_i(store_comes_i), .store_dirty_i(store_dirty_i),
    .store_set_i(store_set_i), .store_way_i(store_way_i), .store_beat_i(store_beat_i),
    .store_line_i(store_line_i), .store_mask_i(store_mask_i), .store_data_i(store_data_i),
    .next_load_i(next_i), .walk_step_i(step_i), .next_set_i(next_set_i), .query_set_i(query_set_i),
    .query_way_i(query_way_i), .way_i(way_i), .walk_way_i(walk_way_i),
    .query_dirty_o(query_dirty), .walk_dirty_o(walk_dirty), .any_dirty_o(any_dirty),
    .clean_i(clean_i), .clean_all_i(clean_all_i)
  );

  // ---- the watched byte: constant from the first cycle on
  reg       started = 1'b0;
  reg       set_q, way_q, beat_q;
  reg [2:0] byte_q;
  wire [5:0] at = {byte_q, 3'd0};
  wire       one_set = SETS == 1, one_way = WAYS == 1, one_beat = BEATS == 1;

  wire rd_mine    = (rd_set_i == set_q) && (rd_way_i == way_q) && (rd_beat_i == beat_q);
  wire store_line = (store_set_i == set_q) && (store_way_i == way_q);
  wire store_mine = store_line && (store_beat_i == beat_q);
  wire fill_mine  = (fill_set_i == set_q) && (fill_way_i == way_q) && (fill_beat_i == beat_q);
  wire fills      = fill_i && fill_keeps_i && fill_mine && fill_mask_i[byte_q];
  wire comes      = (LOOK != 0) ? store_comes_i && !fill_i : store_i;
  wire writes     = fills || (comes && store_mine && store_mask_i[byte_q]);
  wire [7:0] written = fills ? fill_data_i[at +: 8] : store_data_i[at +: 8];

  // ---- what the lines hold
  reg        known, byte_dirty, beat_dirty;
  reg  [7:0] value;
  reg        parity;                            // of value
  reg  [3:0] dirty;                             // by {set, way}
  reg  [LINE_W-1:0] line;                       // address of the watched line, given last
  wire [3:0] mine    = 4'd1 << {set_q, way_q};
  wire [3:0] dirties = (store_i && store_dirty_i) ? 4'd1 << {store_set_i, store_way_i} : 4'd0;
  wire [3:0] cleans  = clean_i ? 4'd1 << {query_set_i, query_way_i} : 4'd0;
  wire       is_dirty = |(dirty & mine);

  // ---- what was read last
  reg        data_shown, mask_shown, line_shown, shown_dirty, shown_mask, shown_beat;
  reg  [7:0] shown;
  reg  [LINE_W-1:0] shown_line;

  always @(posedge clk_i) begin : p_model
    started <= 1'b1;
    if (!started) {set_q, way_q, beat_q, byte_q} <= {set_i, place_i, beat_i, byte_i};
    if (rst_i) {known, data_shown, mask_shown, line_shown} <= 4'd0;
    else begin
      if (writes) {known, value, parity} <= {1'b1, written, ^written};
      if (rd_en_i) begin
        data_shown <= rd_mine && known && !writes;
        shown      <= value;
        line_shown <= (rd_set_i == set_q) && (rd_way_i == way_q) && is_dirty &&
                      !(|(dirties & mine));
        shown_line <= line;
      end
      if (rd_en_i || store_dirty_i) begin
        mask_shown  <= rd_mine && is_dirty;
        shown_dirty <= beat_dirty;
        shown_mask  <= byte_dirty;
      end
    end
    if (rst_i || clean_all_i) begin
      {dirty, byte_dirty, beat_dirty} <= 6'd0;
    end else begin
      dirty <= (dirty | dirties) & ~cleans;
      if (|(cleans & mine)) {byte_dirty, beat_dirty} <= 2'd0;
      else if (store_i && store_dirty_i && store_mine) begin
        beat_dirty <= 1'b1;
        byte_dirty <= byte_dirty || store_mask_i[byte_q];
      end
    end
    if (|(dirties & mine)) line <= store_line_i;
  end

  always @* begin : p_rules
    assume (rst_i || started);
    assume (!(one_set && (set_i || rd_set_i || fill_set_i || store_set_i || query_set_i ||
                          next_set_i)));
    assume (!(one_way && (place_i || rd_way_i || fill_way_i || store_way_i || query_way_i ||
                          way_i || walk_way_i)));
    assume (!(one_beat && (beat_i || rd_beat_i || fill_beat_i || store_beat_i)));
  end

  always @* begin : p_properties
    if (started && !rst_i) begin
      if (known) assert (parity == ^value);
      if (data_shown) assert ((rd_data[at +: 8] == shown) && !rd_bad[byte_q]);
      if (mask_shown) assert ((rd_beat == beat_q) && (rd_dirty == shown_dirty));
      if (mask_shown && shown_dirty) assert (rd_mask[byte_q] == shown_mask);
      if (line_shown) assert (rd_line == shown_line);
      if ((query_set_i == set_q) && (way_i == way_q)) assert (query_dirty == is_dirty);
      if ((query_set_i == set_q) && (walk_way_i == way_q)) assert (walk_dirty == is_dirty);
      assert (any_dirty == |dirty);
    end
  end
endmodule

`default_nettype wire
