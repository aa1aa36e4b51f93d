// SPDX-License-Identifier: Apache-2.0
//
// byw_dbi - the dirty-block index of an L2 slice, with row rinsing.
//
// Behaviour   An accepted operation reads the set of its row.  In the next cycle byw_dbi_rule
//             decides it and the set is written, or the operation waits for the walker.  done_o is
//             1 in its last cycle, with the dirty blocks that the row had before.  A FLUSH passes
//             the used entries to the walker one by one and takes one more cycle per set.  The
//             walker offers the blocks of its row, lowest first, one per cycle; an offer stays
//             until it is taken.  At one clock edge, an offer that is taken precedes an operation
//             that is accepted.  The ready outputs depend only on registers.
// Paper       004, row-locality-aware rinsing; mechanisms/l2_policies.md 7.3; rtl/doc/dbi.md.
// C twin      cmodel/model/l2/byw_dbi.c; checked by verif/l2/lockstep_dbi.c.
// Reset       rst_i: no dirty block.  Clearing the table takes SETS cycles, during which
//             req_ready_o is 0.
//
// Parameter   Default  Range      Meaning
// SETS        2        1..65536   sets, a power of two; indexed by the low bits of the row
// WAYS        16       1..32      entries per set
// BLOCKS      32       1..64      L2 lines per DRAM row
// ROW_W       24       1..48      width of {channel, bank, row}; more than log2(SETS)
//
`default_nettype none
`include "byw_assert.vh"

module byw_dbi #(
  parameter integer SETS     = 2,
  parameter integer WAYS     = 16,
  parameter integer BLOCKS   = 32,
  parameter integer ROW_W    = 24,
  parameter integer BLOCK_IW = (BLOCKS > 1) ? $clog2(BLOCKS) : 1
) (
  input  wire                clk_i,
  input  wire                rst_i,

  // operations
  input  wire                req_valid_i,
  output wire                req_ready_o,
  input  wire [2:0]          req_op_i,        // BYW_DBI_*
  input  wire [ROW_W-1:0]    req_row_i,
  input  wire [BLOCK_IW-1:0] req_block_i,
  output wire                done_o,
  output wire [BLOCKS-1:0]   done_dirty_o,    // dirty blocks of the row before the operation

  // lines to write back
  output wire                rinse_valid_o,
  input  wire                rinse_ready_i,
  output wire [ROW_W-1:0]    rinse_row_o,
  output wire [BLOCK_IW-1:0] rinse_block_o,

  output wire                busy_o           // an operation or a rinse is in progress
);
  `include "byw_defs.vh"

  localparam integer WAY_IW   = (WAYS > 1) ? $clog2(WAYS) : 1;
  localparam integer SET_IW   = (SETS > 1) ? $clog2(SETS) : 1;
  localparam integer ENTRY_W  = WAY_IW + BLOCKS + ROW_W;
  localparam integer RECORD_W = WAYS * ENTRY_W;
  localparam integer LAST_SET = SETS - 1;
  localparam [SET_IW-1:0] LAST = LAST_SET[SET_IW-1:0];
  localparam [BLOCKS-1:0] ONE  = 1;

  generate
    if ((SETS < 1) || (SETS > 65536) || ((SETS > 1) && (SETS != (1 << SET_IW)))) begin : gen_check
      byw_dbi_SETS_must_be_a_power_of_two_of_1_to_65536 u_error ();
    end
    if (ROW_W <= SET_IW) begin : gen_check_row
      byw_dbi_ROW_W_must_exceed_the_set_number u_error ();
    end
  endgenerate

  // clearing after reset
  reg                clearing_q;
  reg  [SET_IW-1:0]  clear_set_q;

  // the operation being decided
  reg                op_valid_q;
  reg  [2:0]         op_q;
  reg  [ROW_W-1:0]   row_q;
  reg  [BLOCK_IW-1:0] block_q;
  reg  [SET_IW-1:0]  set_q;

  // the record written last, which the RAM output does not show yet
  reg                fresh_q;
  reg  [RECORD_W-1:0] fresh_record_q;

  // the walker
  reg  [ROW_W-1:0]   walk_row_q;
  reg  [BLOCKS-1:0]  walk_dirty_q;
  reg                offers_q;
  reg  [BLOCK_IW-1:0] offer_block_q;

  wire [RECORD_W-1:0] stored, new_record;
  wire [RECORD_W-1:0] record = fresh_q ? fresh_record_q : stored;
  wire [RECORD_W-1:0] empty;
  wire               wait_op, more_op, changes, take;
  wire [ROW_W-1:0]   take_row;
  wire [BLOCKS-1:0]  take_dirty, drop;
  genvar             g;

  byw_dbi_rule #(.WAYS(WAYS), .BLOCKS(BLOCKS), .ROW_W(ROW_W)) u_rule (
    .record_i(record),
    .op_i(op_q),
    .row_i(row_q),
    .block_i(block_q),

    // the walker
    .walk_row_i(walk_row_q),
    .walk_dirty_i(walk_dirty_q),
    .offers_i(offers_q),
    .offer_block_i(offer_block_q),

    .wait_o(wait_op),
    .more_o(more_op),
    .seen_o(done_dirty_o),
    .write_o(changes),
    .record_o(new_record),
    .take_o(take),
    .take_row_o(take_row),
    .take_dirty_o(take_dirty),
    .drop_o(drop)
  );

  wire flush    = op_q == BYW_DBI_FLUSH;
  wire next_set = op_valid_q && flush && !wait_op && !more_op && (set_q != LAST);
  wire last     = op_valid_q && !wait_op && !more_op && !next_set;
  wire accept   = req_valid_i && req_ready_o;
  wire write    = op_valid_q && changes;

  assign req_ready_o = !clearing_q && (!op_valid_q || last);
  assign done_o      = last;
  assign busy_o      = clearing_q || op_valid_q || offers_q || (|walk_dirty_q);

  // The sets.
  wire [SET_IW-1:0] req_set = (SETS > 1) ? req_row_i[SET_IW-1:0] : {SET_IW{1'b0}};
  wire              rd_en   = accept || next_set;
  wire [SET_IW-1:0] rd_set  = next_set ? set_q + 1'b1
                                       : (req_op_i == BYW_DBI_FLUSH) ? {SET_IW{1'b0}} : req_set;

  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_empty
      localparam [WAY_IW-1:0] RANK = g;
      assign empty[g*ENTRY_W +: ENTRY_W] = {RANK, {BLOCKS{1'b0}}, {ROW_W{1'b0}}};
    end
  endgenerate

  byw_ram_1r1w #(.DEPTH(SETS), .LANES(1), .LANE_W(RECORD_W)) u_sets (
    .clk_i(clk_i), .rd_en_i(rd_en), .rd_addr_i(rd_set), .rd_data_o(stored),
    .wr_en_i(clearing_q || write), .wr_addr_i(clearing_q ? clear_set_q : set_q),
    .wr_lane_i(1'b1), .wr_data_i(clearing_q ? empty : new_record)
  );

  always @(posedge clk_i) begin : p_clear
    if (rst_i) begin
      clearing_q  <= 1'b1;
      clear_set_q <= {SET_IW{1'b0}};
    end else if (clearing_q) begin
      clearing_q  <= clear_set_q != LAST;
      clear_set_q <= clear_set_q + 1'b1;
    end
  end

  always @(posedge clk_i) begin : p_operation
    if (rst_i) op_valid_q <= 1'b0;
    else op_valid_q <= accept || (op_valid_q && !last);
    if (accept) begin
      op_q    <= req_op_i;
      row_q   <= req_row_i;
      block_q <= req_block_i;
    end
    if (rd_en) set_q <= rd_set;
  end

  always @(posedge clk_i) begin : p_fresh
    // Written as gates: Yosys infers a synchronous reset that depends on its own register, reports
    // a loop and cuts it.
    fresh_q <= rd_en ? write && (rd_set == set_q) : write || fresh_q;
    if (write) fresh_record_q <= new_record;
  end

  // The walker.
  wire               taken = offers_q && rinse_ready_i;
  wire               moves = !offers_q || taken;
  wire [BLOCKS-1:0]  left  = walk_dirty_q & ~(op_valid_q ? drop : {BLOCKS{1'b0}});
  wire               any_left;
  wire [BLOCK_IW-1:0] next_block;
  wire [BLOCKS-1:0]  next_bit = moves ? ONE << next_block : {BLOCKS{1'b0}};

  byw_prio_enc #(.N(BLOCKS)) u_next (.req_i(left), .any_o(any_left), .index_o(next_block));

  assign rinse_valid_o = offers_q;
  assign rinse_row_o   = walk_row_q;
  assign rinse_block_o = offer_block_q;

  always @(posedge clk_i) begin : p_walk
    if (rst_i) begin
      walk_dirty_q <= {BLOCKS{1'b0}};
      offers_q     <= 1'b0;
    end else begin
      walk_dirty_q <= (left & ~next_bit) | ((op_valid_q && take) ? take_dirty : {BLOCKS{1'b0}});
      if (moves) offers_q <= any_left;
    end
    if (moves) offer_block_q <= next_block;
    if (op_valid_q && take) walk_row_q <= take_row;
  end

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg                 offered_q;                 // an offer was not taken
  reg [BLOCK_IW-1:0]  offered_block_q;

  always @(posedge clk_i) begin : p_offered
    offered_q       <= !rst_i && rinse_valid_o && !rinse_ready_i;
    offered_block_q <= rinse_block_o;
  end
`endif
  `BYW_ASSERT(offer_stays_until_taken, offered_q,
              rinse_valid_o && (rinse_block_o == offered_block_q))
  `BYW_ASSERT(nothing_is_done_while_clearing, clearing_q, !req_ready_o && !done_o)
endmodule

`default_nettype wire
