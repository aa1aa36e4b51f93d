// SPDX-License-Identifier: Apache-2.0
//
// byw_dbi_rule - how an operation changes the record of a set of the dirty-block index.
//
// Behaviour   The record is WAYS entries {rank, dirty, row}, with the row in the low bits; an entry
//             without a dirty block is free.  The row of the walker is busy while it has blocks or
//             an offer.  wait_o: nothing happens in this cycle.  more_o: a FLUSH passed an entry to
//             the walker and looks for the next one.  Combinational.
// Paper       004, row-locality-aware rinsing; mechanisms/l2_policies.md 7.3; rtl/doc/dbi.md.
// C twin      byw_dbi_decide() of cmodel/model/l2/byw_dbi.c; checked by verif/l2/lockstep_dbi.c.
//
// Parameter   Default  Range     Meaning
// WAYS        16       1..32     entries per set
// BLOCKS      32       1..64     L2 lines per DRAM row
// ROW_W       24       1..48     width of {channel, bank, row}
//
`default_nettype none
`include "byw_assert.vh"

module byw_dbi_rule #(
  parameter integer WAYS     = 16,
  parameter integer BLOCKS   = 32,
  parameter integer ROW_W    = 24,
  parameter integer WAY_IW   = (WAYS > 1) ? $clog2(WAYS) : 1,
  parameter integer BLOCK_IW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1,
  parameter integer ENTRY_W  = WAY_IW + BLOCKS + ROW_W
) (
  input  wire [WAYS*ENTRY_W-1:0] record_i,
  input  wire [2:0]              op_i,           // BYW_DBI_*
  input  wire [ROW_W-1:0]        row_i,
  input  wire [BLOCK_IW-1:0]     block_i,

  // the walker
  input  wire [ROW_W-1:0]        walk_row_i,
  input  wire [BLOCKS-1:0]       walk_dirty_i,   // blocks not offered yet
  input  wire                    offers_i,
  input  wire [BLOCK_IW-1:0]     offer_block_i,

  output reg                     wait_o,
  output reg                     more_o,
  output wire [BLOCKS-1:0]       seen_o,         // dirty blocks of the row before the operation
  output reg                     write_o,        // record_o replaces the record
  output wire [WAYS*ENTRY_W-1:0] record_o,
  output wire                    take_o,         // the walker gets take_dirty_o of take_row_o
  output reg  [ROW_W-1:0]        take_row_o,
  output reg  [BLOCKS-1:0]       take_dirty_o,
  output reg  [BLOCKS-1:0]       drop_o          // the walker loses these blocks
);
  `include "byw_defs.vh"

  localparam integer F_ROW_LSB   = 0;
  localparam integer F_DIRTY_LSB = ROW_W;
  localparam integer F_RANK_LSB  = ROW_W + BLOCKS;
  localparam [BLOCKS-1:0] ONE = 1;

  generate
    if ((WAYS < 1) || (WAYS > 32)) begin : gen_check_ways
      byw_dbi_WAYS_must_be_1_to_32 u_error ();
    end
    if ((BLOCKS < 1) || (BLOCKS > 64)) begin : gen_check_blocks
      byw_dbi_BLOCKS_must_be_1_to_64 u_error ();
    end
    if ((ROW_W < 1) || (ROW_W > 48)) begin : gen_check_row
      byw_dbi_ROW_W_must_be_1_to_48 u_error ();
    end
  endgenerate

  // The fields of the record.
  wire [WAYS*ROW_W-1:0]  rows;
  wire [WAYS*BLOCKS-1:0] dirties;
  wire [WAYS*WAY_IW-1:0] ranks, new_ranks;
  wire [WAYS-1:0]        used, match;
  genvar                 g;

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_read
      assign rows[g*ROW_W +: ROW_W]      = record_i[g*ENTRY_W + F_ROW_LSB +: ROW_W];
      assign dirties[g*BLOCKS +: BLOCKS] = record_i[g*ENTRY_W + F_DIRTY_LSB +: BLOCKS];
      assign ranks[g*WAY_IW +: WAY_IW]   = record_i[g*ENTRY_W + F_RANK_LSB +: WAY_IW];
      assign used[g]  = |dirties[g*BLOCKS +: BLOCKS];
      assign match[g] = used[g] && (rows[g*ROW_W +: ROW_W] == row_i);
    end
  endgenerate

  // The entry to change: the row's own, otherwise a free one, otherwise the one written least
  // recently; for a FLUSH the first used one.
  wire              hit, has_free, any_used;
  wire [WAY_IW-1:0] hit_way, free_way, used_way, oldest;
  reg  [WAY_IW-1:0] way;
  wire [ROW_W-1:0]  way_row;
  wire [BLOCKS-1:0] way_dirty;
  reg               touch;
  reg  [ROW_W-1:0]  new_row;
  reg  [BLOCKS-1:0] new_dirty;

  byw_prio_enc #(.N(WAYS)) u_hit (.req_i(match), .any_o(hit), .index_o(hit_way));
  byw_prio_enc #(.N(WAYS)) u_free (.req_i(~used), .any_o(has_free), .index_o(free_way));
  byw_prio_enc #(.N(WAYS)) u_used (.req_i(used), .any_o(any_used), .index_o(used_way));
  byw_repl_lru #(.WAYS(WAYS), .SET_IW(1), .PC_W(1)) u_order (
    .rank_i(ranks),
    .eligible_i({WAYS{1'b1}}),
    .victim_o(oldest),

    .set_i(1'b0),
    .pc_i(1'b0),
    .random_i(16'd0),

    .touch_i(touch),
    .evict_i(1'b0),
    .insert_i(1'b0),
    .last_i(1'b0),
    .way_i(way),
    .rank_o(new_ranks)
  );

  always @* begin : p_way
    way = hit ? hit_way : has_free ? free_way : oldest;
    if (op_i == BYW_DBI_FLUSH) way = used_way;
  end

  byw_mux #(.N(WAYS), .W(ROW_W)) u_row (.data_i(rows), .sel_i(way), .data_o(way_row));
  byw_mux #(.N(WAYS), .W(BLOCKS)) u_dirty (.data_i(dirties), .sel_i(way), .data_o(way_dirty));

  wire [BLOCKS-1:0] block_bit = ONE << block_i;
  wire              busy      = (|walk_dirty_i) || offers_i;
  wire              here      = busy && (walk_row_i == row_i);
  wire [BLOCKS-1:0] offered   = offers_i ? ONE << offer_block_i : {BLOCKS{1'b0}};
  wire [BLOCKS-1:0] leaving   = here ? walk_dirty_i | offered : {BLOCKS{1'b0}};
  wire [BLOCKS-1:0] row_dirty = hit ? way_dirty : {BLOCKS{1'b0}};
  wire [BLOCKS-1:0] rest      = row_dirty & ~block_bit;
  wire              was_dirty = |(seen_o & block_bit);
  wire              on_offer  = here && (|(offered & block_bit));
  wire              victim    = !hit && (|way_dirty);   // SET evicts this entry: its row is rinsed

  assign seen_o = leaving | row_dirty;
  assign take_o = |take_dirty_o;

  always @* begin : p_decide
    wait_o       = 1'b0;
    more_o       = 1'b0;
    write_o      = 1'b0;
    touch        = 1'b0;
    new_row      = row_i;
    new_dirty    = {BLOCKS{1'b0}};
    take_row_o   = row_i;
    take_dirty_o = {BLOCKS{1'b0}};
    drop_o       = {BLOCKS{1'b0}};
    case (op_i)
      BYW_DBI_SET:
        if (!(|(leaving & block_bit))) begin
          wait_o    = victim && busy;
          write_o   = !wait_o;
          touch     = write_o;
          new_dirty = row_dirty | block_bit;
          if (victim && !busy) begin
            take_row_o   = way_row;
            take_dirty_o = way_dirty;
          end
        end
      BYW_DBI_EVICT, BYW_DBI_CLEAN:
        if (was_dirty) begin
          wait_o  = on_offer || ((op_i == BYW_DBI_EVICT) && (|rest) && busy && !here);
          write_o = hit && !wait_o;
          if (!wait_o) drop_o = leaving & block_bit;
          if (op_i == BYW_DBI_CLEAN) new_dirty = rest;
          else if (!wait_o) take_dirty_o = rest;
        end
      BYW_DBI_FLUSH: begin
        wait_o  = any_used && busy;
        more_o  = any_used && !busy;
        write_o = more_o;
        new_row = way_row;
        if (more_o) begin
          take_row_o   = way_row;
          take_dirty_o = way_dirty;
        end
      end
      default: ;   // BYW_DBI_LOOKUP
    endcase
  end

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_write
      localparam [WAY_IW-1:0] NUMBER = g;
      wire changed = write_o && (way == NUMBER);
      assign record_o[g*ENTRY_W +: ENTRY_W] = {
        new_ranks[g*WAY_IW +: WAY_IW],
        changed ? new_dirty : dirties[g*BLOCKS +: BLOCKS],
        changed ? new_row : rows[g*ROW_W +: ROW_W]
      };
    end
  endgenerate

  `BYW_HOLDS(operation_waits_or_acts, wait_o, !write_o && !take_o && !more_o)
  `BYW_HOLDS(busy_walker_gets_no_other_row, take_o && busy, take_row_o == walk_row_i)
  `BYW_HOLDS(only_waiting_blocks_are_dropped, 1'b1,
             (drop_o & ~(walk_dirty_i | offered)) == {BLOCKS{1'b0}})
endmodule

`default_nettype wire
