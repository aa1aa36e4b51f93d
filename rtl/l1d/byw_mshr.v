// SPDX-License-Identifier: Apache-2.0
//
// byw_mshr - miss status holding registers: the requests that wait for each fill.
//
// Behaviour   The decision looks line_i up among the attached registers: mshr_match_o, and
//             list_room_o if the list of the match has room.  It can allocate a free register
//             (alloc_i), merge into the match (merge_i) or detach it (detach_i).  fill_i ends the
//             fetch of fill_mshr_i; fill_attached_o tells whether the register was attached at the
//             start of the cycle. If it is detached in the same cycle, filling the line is
//             harmless.  drain_* reads the list one cycle ahead; free_i frees the register.
//             query_* shows what any register was allocated for.  In an allocate-on-fill cache the
//             line is a sector ({line, sector number}) and the way holds the streaming hint. SEARCH
//             0: no lookup; given_mshr_i names the attached register of the line, and
//             fill_attached_o is valid only with fill_i.
// Paper       000, section 2.2; rtl/doc/mshr.md.
// C twin      cmodel/model/l1d/byw_mshr.c; checked by verif/l1d/lockstep_mshr.c.
// Reset       rst_i: all registers are free; the lists keep their contents.
//
// Parameter   Default  Range     Meaning
// MSHRS       32       1..4096   registers
// MERGES      8        1..64     requests per register, including the first
// LINE_W      33       1..64     line address
// SEARCH      1        0, 1      1: find the matching register by line
// SET_IW, WAY_IW, ID_W           widths of set, data way and requester id
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_mshr #(
  parameter integer MSHRS   = `BYW_DEFAULT_MSHRS,
  parameter integer MERGES  = `BYW_DEFAULT_MERGES,
  parameter integer LINE_W  = 33,
  parameter integer SET_IW  = 5,
  parameter integer WAY_IW  = 2,
  parameter integer ID_W    = 16,
  parameter integer SEARCH  = 1,
  parameter integer MSHR_IW = (MSHRS > 1) ? $clog2(MSHRS) : 1,
  parameter integer LIST_IW = (MERGES > 1) ? $clog2(MERGES) : 1
) (
  input  wire               clk_i,
  input  wire               rst_i,

  // decision
  input  wire [LINE_W-1:0]  line_i,
  input  wire [SET_IW-1:0]  set_i,
  input  wire [WAY_IW-1:0]  way_i,
  input  wire [ID_W-1:0]    id_i,
  input  wire [MSHR_IW-1:0] given_mshr_i,     // SEARCH 0: the register of the line
  input  wire [LIST_IW:0]   given_count_i,    // SEARCH 0: length of its list
  input  wire               given_one_left_i, // SEARCH 0: its list has room for only one more
  output wire               mshr_free_o,      // a register is free
  output wire               mshr_match_o,
  output wire               list_room_o,      // meaningful with mshr_match_o
  output wire [LIST_IW:0]   list_count_o,     // length of the list after this request
  output wire               list_full_o,      // the list is full afterwards
  output wire               list_one_left_o,  // the list has room for only one more
  input  wire               alloc_i,          // needs mshr_free_o
  output wire [MSHR_IW-1:0] alloc_mshr_o,
  input  wire               merge_select_i,   // selects merge_i, if not alloc_i; arrives early
  input  wire               merge_i,          // needs mshr_match_o, list_room_o
  output wire [MSHR_IW-1:0] list_mshr_o,      // the list that takes the request
  output wire [LIST_IW-1:0] list_index_o,     // index of the request in list_mshr_o
  input  wire               detach_i,         // needs mshr_match_o
  input  wire               detach_all_i,

  // fill
  input  wire               fill_i,
  input  wire [MSHR_IW-1:0] fill_mshr_i,
  output wire               fill_attached_o,
  output wire [SET_IW-1:0]  fill_set_o,
  output wire [WAY_IW-1:0]  fill_way_o,
  output wire [LIST_IW:0]   fill_count_o,     // length of its list
  input  wire [MSHR_IW-1:0] query_mshr_i,
  output wire [LINE_W-1:0]  query_line_o,
  output wire [SET_IW-1:0]  query_set_o,
  output wire [WAY_IW-1:0]  query_way_o,

  // list of a filled register
  input  wire [MSHR_IW-1:0] count_mshr_i,
  output wire [LIST_IW:0]   count_o,          // length of its list
  input  wire [MSHR_IW-1:0] drain_mshr_i,     // read for the next cycle
  input  wire [LIST_IW-1:0] drain_index_i,
  output wire [ID_W-1:0]    drain_id_o,
  input  wire               free_i,
  input  wire [MSHR_IW-1:0] free_mshr_i,

  output wire               all_free_o        // all registers are free
);
  generate
    if ((MSHRS < 1) || (MSHRS > 4096)) begin : gen_check_mshrs
      byw_mshr_MSHRS_must_be_1_to_4096 u_error ();
    end
    if ((MERGES < 1) || (MERGES > 64)) begin : gen_check_merges
      byw_mshr_MERGES_must_be_1_to_64 u_error ();
    end
  endgenerate

  localparam [MSHRS-1:0]   FIRST_MSHR = 1;
  localparam integer       LIST_W     = LIST_IW + 1;
  localparam [LIST_IW:0]   FULL       = MERGES[LIST_IW:0];
  localparam [LIST_IW:0]   TWO_LEFT   = FULL - 1'b1 - 1'b1;      // room for two more
  // at least two, because MSHR_IW is at least 1
  localparam integer       SLOTS      = (MSHRS > 1) ? MSHRS : 2;

  `BYW_CHECKS
  reg  [LIST_W-1:0]        count_q [0:MSHRS-1];       // indexed by register

  // ---- lookup
  wire [MSHR_IW-1:0] match_mshr;
  wire [LIST_W-1:0]  match_count = (SEARCH != 0) ? count_q[match_mshr] : given_count_i;
  genvar             g;

  generate
    if (SEARCH != 0) begin : gen_search
      reg  [MSHRS-1:0] attached_q;
      wire [MSHRS-1:0] match;
      wire [MSHRS-1:0] alloc_onehot  = alloc_i  ? FIRST_MSHR << alloc_mshr_o : {MSHRS{1'b0}};
      wire [MSHRS-1:0] detach_onehot = detach_i ? match : {MSHRS{1'b0}};
      wire [MSHRS-1:0] fill_onehot   = fill_i   ? FIRST_MSHR << fill_mshr_i : {MSHRS{1'b0}};

      always @(posedge clk_i) begin : p_attached
        if (rst_i || detach_all_i) attached_q <= {MSHRS{1'b0}};
        else                       attached_q <= (attached_q | alloc_onehot) & ~detach_onehot &
                                                 ~fill_onehot;
      end

      for (g = 0; g < MSHRS; g = g + 1) begin : gen_match
        localparam [MSHR_IW-1:0] NUMBER = g;
        reg  [LINE_W-1:0] line_q;                      // copy of the line, compared in parallel
        assign match[g] = attached_q[g] && (line_q == line_i);
        always @(posedge clk_i) begin : p_line
          if (alloc_i && (alloc_mshr_o == NUMBER)) line_q <= line_i;
        end
      end
      // At most one register matches.
      for (g = 0; g < MSHR_IW; g = g + 1) begin : gen_number
        wire [MSHRS-1:0] match_bit;
        genvar           n;
        for (n = 0; n < MSHRS; n = n + 1) begin : gen_with
          assign match_bit[n] = match[n] && (((n >> g) & 1) != 0);
        end
        assign match_mshr[g] = |match_bit;
      end
      assign mshr_match_o = |match;
      `BYW_ASSERT(one_register_per_line, alloc_i || merge_i || detach_i,
                  (match & (match - FIRST_MSHR)) == {MSHRS{1'b0}})
      assign fill_attached_o = attached_q[fill_mshr_i];
      assign list_full_o     = list_count_o == FULL;
      wire unused_mshr = &{1'b0, given_mshr_i, given_count_i, given_one_left_i};
    end else begin : gen_given
      // At most one register is allocated or detached per cycle, so the bit is written one cycle
      // later.  A register that was filled is not queried before it is allocated again.
      reg  [MSHRS-1:0]   attached_q;
      reg                update_valid_q, update_attach_q;
      reg  [MSHR_IW-1:0] update_mshr_q;
      wire [MSHRS-1:0]   update_onehot = update_valid_q ? FIRST_MSHR << update_mshr_q :
                                         {MSHRS{1'b0}};

      always @(posedge clk_i) begin : p_attached
        update_valid_q  <= (alloc_i || detach_i) && !rst_i && !detach_all_i;
        update_attach_q <= alloc_i;
        update_mshr_q   <= alloc_i ? alloc_mshr_o : given_mshr_i;
        if (rst_i || detach_all_i) attached_q <= {MSHRS{1'b0}};
        else                       attached_q <= (update_onehot & {MSHRS{update_attach_q}}) |
                                                 (~update_onehot & attached_q);
      end

      assign match_mshr      = given_mshr_i;
      assign mshr_match_o    = 1'b0;
      assign fill_attached_o = (update_valid_q && (update_mshr_q == fill_mshr_i)) ?
                               update_attach_q :
                               attached_q[fill_mshr_i];
      assign list_full_o = merge_select_i ? given_one_left_i : (MERGES == 1);
      wire unused_fill = &{1'b0, fill_i};
    end
  endgenerate

  assign list_room_o     = match_count != FULL;
  assign list_one_left_o = merge_select_i ? match_count == TWO_LEFT : MERGES == 2;

  byw_id_pool #(.N(MSHRS)) u_pool (
    .clk_i(clk_i), .rst_i(rst_i),
    .take_i(alloc_i), .take_ready_o(mshr_free_o), .take_id_o(alloc_mshr_o),
    .give_i(free_i), .give_id_i(free_mshr_i), .all_free_o(all_free_o)
  );

  // Ripple increment: no carry chain behind the RAM that holds the count.
  wire [LIST_W-1:0] match_count_plus_1;

  generate
    for (g = 0; g < LIST_W; g = g + 1) begin : gen_more
      if (g == 0) begin : gen_low
        assign match_count_plus_1[g] = !match_count[g];
      end else begin : gen_high
        assign match_count_plus_1[g] = match_count[g] ^ (&match_count[g-1:0]);
      end
    end
  endgenerate

  assign list_count_o = merge_select_i ? match_count_plus_1 : {{LIST_IW{1'b0}}, 1'b1};
  assign list_mshr_o  = merge_select_i ? match_mshr : alloc_mshr_o;
  assign list_index_o = merge_select_i ? match_count[LIST_IW-1:0] : {LIST_IW{1'b0}};

  // ---- fill
  byw_ram_async #(.DEPTH(MSHRS), .WIDTH(LINE_W)) u_lines (
    .clk_i(clk_i), .rd_addr_i(query_mshr_i), .rd_data_o(query_line_o), .wr_en_i(alloc_i),
    .wr_addr_i(alloc_mshr_o), .wr_data_i(line_i)
  );
  byw_ram_async #(.DEPTH(MSHRS), .WIDTH(SET_IW + WAY_IW), .READS(2)) u_places (
    .clk_i(clk_i), .rd_addr_i({query_mshr_i, fill_mshr_i}),
    .rd_data_o({query_set_o, query_way_o, fill_set_o, fill_way_o}), .wr_en_i(alloc_i),
    .wr_addr_i(alloc_mshr_o), .wr_data_i({set_i, way_i})
  );

  assign fill_count_o = count_q[fill_mshr_i];

  always @(posedge clk_i) begin : p_entry
    if (alloc_i || merge_i) count_q[list_mshr_o] <= list_count_o;
  end

  // ---- lists: a request is written at least one cycle before it is read
  byw_ram_1r1w #(.DEPTH(SLOTS << LIST_IW), .LANES(1), .LANE_W(ID_W), .ADDR_W(MSHR_IW+LIST_IW))
  u_targets (
    .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i({drain_mshr_i, drain_index_i}),
    .rd_data_o(drain_id_o), .wr_en_i(alloc_i || merge_i),
    .wr_addr_i({list_mshr_o, list_index_o}), .wr_lane_i(1'b1), .wr_data_i(id_i)
  );

  assign count_o = count_q[count_mshr_i];

  `BYW_ASSUME(allocation_needs_a_register, alloc_i, mshr_free_o)
  `BYW_ASSUME(no_merge_with_an_allocation, alloc_i, !merge_i && !detach_i)
  `BYW_ASSUME(merge_needs_a_match_with_room, merge_i && (SEARCH != 0), mshr_match_o && list_room_o)
  `BYW_ASSUME(allocation_joins_no_list, alloc_i, !merge_select_i)
  `BYW_ASSUME(merge_needs_room, merge_i, list_room_o && merge_select_i && (match_count <= FULL))
  `BYW_ASSUME(detach_needs_a_match, detach_i && (SEARCH != 0), mshr_match_o)
  `BYW_ASSUME(fill_of_a_register_in_use, fill_i || free_i, !all_free_o)
  `BYW_ASSERT(list_within_merges, alloc_i || merge_i, list_count_o <= MERGES)
endmodule

`default_nettype wire
