// SPDX-License-Identifier: Apache-2.0
//
// byw_mshr_of_line - the MSHR that fetches a data line: its number, the length of its list, and
//                    whether the list has room.
//
// Behaviour   take_i stores mshr_i for line (set_i, way_i).  take_i or join_i stores that its list
//             now has count_i entries, has room for only one more (last_i), or is full (fills_i).
//             find_*_o are the values of line (find_set_i, find_way_i), in the same cycle.  With
//             LOOK all but find_room_o are those of line (set_i, way_i).  The outputs are valid
//             while the line is pending.  The full bits are kept per line and read per set, because
//             the decision waits for them.  Looked up by MSHR number, they would arrive after way,
//             number and count.
// Paper       mechanisms/cache.md 0.2; rtl/doc/mshr.md.
// C twin      byw_mshr_lookup() of cmodel/model/l1d/byw_mshr.c, which searches by line; checked by
//             verif/l1d/lockstep_l1d.c.
// Reset       none: nothing is read before it is written.
//
// Parameter   Default  Range     Meaning
// SETS, DATA_WAYS, MSHRS, MERGES, LOOK  as in byw_l1d
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_mshr_of_line #(
  parameter integer SETS      = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer MSHRS     = `BYW_DEFAULT_MSHRS,
  parameter integer MERGES    = `BYW_DEFAULT_MERGES,
  parameter integer LOOK      = 0,
  parameter integer SET_IW    = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer MSHR_IW   = (MSHRS > 1) ? $clog2(MSHRS) : 1,
  parameter integer COUNT_W   = ((MERGES > 1) ? $clog2(MERGES) : 1) + 1
) (
  input  wire               clk_i,

  input  wire               take_i,
  input  wire               join_i,
  input  wire [SET_IW-1:0]  set_i,
  input  wire [WAY_IW-1:0]  way_i,
  input  wire [MSHR_IW-1:0] mshr_i,
  input  wire [COUNT_W-1:0] count_i,
  input  wire               fills_i,
  input  wire               last_i,

  input  wire [SET_IW-1:0]  find_set_i,
  input  wire [WAY_IW-1:0]  find_way_i,
  output wire [MSHR_IW-1:0] find_mshr_o,
  output wire [COUNT_W-1:0] find_count_o,
  output wire               find_last_o,
  output wire               find_room_o
);
  // Line number = {set, way}.
  localparam integer        WAY_BITS = $clog2(DATA_WAYS);
  localparam integer        LINES    = SETS << WAY_BITS;
  localparam integer        LINE_IW  = (LINES > 1) ? $clog2(LINES) : 1;
  localparam [COUNT_W-1:0]  FULL     = MERGES[COUNT_W-1:0];

  wire [SET_IW+WAY_IW-1:0] s2_line = {set_i, way_i} >> (WAY_IW - WAY_BITS);
  wire [SET_IW+WAY_IW-1:0] of_find = {find_set_i, find_way_i} >> (WAY_IW - WAY_BITS);
  wire [LINE_IW-1:0]       to      = s2_line[LINE_IW-1:0];
  wire [LINE_IW-1:0]       from    = (LOOK != 0) ? to : of_find[LINE_IW-1:0];
  genvar                   g;

  // A request that joins a list finds its line, so it writes the number back that it has read.
  // With LOOK "last" is stored, so that no comparator follows the RAM.
  localparam integer  KEPT_W = COUNT_W + ((LOOK != 0) ? 1 : 0);
  wire [KEPT_W-1:0]   kept, wr_kept;
  wire [MSHR_IW-1:0]  wr_mshr = take_i ? mshr_i : find_mshr_o;

  byw_ram_async #(.DEPTH(LINES), .WIDTH(MSHR_IW + KEPT_W)) u_lists (
    .clk_i(clk_i), .rd_addr_i(from), .rd_data_o({find_mshr_o, kept}),
    .wr_en_i(take_i || join_i), .wr_addr_i(to), .wr_data_i({wr_mshr, wr_kept})
  );

  generate
    if (LOOK == 0) begin : gen_now
      assign wr_kept      = count_i;
      assign find_count_o = kept;
      assign find_last_o  = find_count_o == FULL - 1'b1;
      wire unused_last = &{1'b0, last_i};
    end else begin : gen_kept
      assign wr_kept = {last_i, count_i};
      assign {find_last_o, find_count_o} = kept;
    end
  endgenerate

  wire unused_line = &{1'b0, s2_line, of_find};

  wire [DATA_WAYS-1:0] full;                        // one bit per way of the set
  wire                 find_full;

  generate
    for (g = 0; g < DATA_WAYS; g = g + 1) begin : gen_way
      localparam integer WAY = g;
      byw_ram_async #(.DEPTH(SETS), .WIDTH(1)) u_full (
        .clk_i(clk_i), .rd_addr_i(find_set_i), .rd_data_o(full[g]),
        .wr_en_i((take_i || join_i) && (way_i == WAY[WAY_IW-1:0])), .wr_addr_i(set_i),
        .wr_data_i(fills_i)
      );
    end
  endgenerate

  byw_mux #(.N(DATA_WAYS), .W(1)) u_find_full (
    .data_i(full), .sel_i(find_way_i), .data_o(find_full)
  );

  assign find_room_o = !find_full;

`ifdef BYW_CHECKED
  reg               taken_q = 1'b0;
  reg [LINE_IW-1:0] taken_line_q;
  reg [MSHR_IW-1:0] taken_mshr_q;
  reg [COUNT_W-1:0] taken_count_q;

  always @(posedge clk_i) begin : p_taken
    taken_q       <= take_i;
    taken_line_q  <= to;
    taken_mshr_q  <= mshr_i;
    taken_count_q <= count_i;
  end
`endif
  `BYW_HOLDS(line_finds_its_register, taken_q && (from == taken_line_q),
             (find_mshr_o == taken_mshr_q) && (find_count_o == taken_count_q))
endmodule

`default_nettype wire
