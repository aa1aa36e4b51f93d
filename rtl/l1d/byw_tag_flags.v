// SPDX-License-Identifier: Apache-2.0
//
// byw_tag_flags - the flip-flops next to the record RAM, and their values for the sets in s1 and
//                 s2.
//
// Behaviour   Per set: empty and drop.  Per set and data way: fail, and waits, which means pending
//             or, for a failed way, that its tag stays.  A record write clears all of them except
//             waits, which it sets from the record.  late_*_i is the record write of the cycle
//             before.  A fill arrives undelayed, for a pending way, and is applied one cycle later.
//             The s1 outputs include both.  s2 does not rebuild a record that was just written.
//             s1_marked_o (LOOK): a flag other than empty and pending may be set for the s1 set.
//             There is no loop over the sets, because not every tool unrolls it.
// Paper       000, section 4.1; rtl/doc/tag_store.md.
// C twin      cmodel/model/l1d/byw_tag_store.c; checked by verif/l1d/lockstep_tag_store.c.
// Reset       rst_i: every set is empty.
//
// Parameters as in byw_tag_store.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_tag_flags #(
  parameter integer SETS      = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer LOOK      = 0,
  parameter integer SET_IW    = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_i,

  input  wire                 late_en_i,       // a record was written in the cycle before
  input  wire [SET_IW-1:0]    late_set_i,
  input  wire [DATA_WAYS-1:0] wr_pending_i,    // of the record written in this cycle
  input  wire                 fill_en_i,       // as in byw_tag_store
  input  wire [SET_IW-1:0]    fill_set_i,
  input  wire [WAY_IW-1:0]    fill_way_i,
  input  wire                 fill_error_i,
  input  wire                 fill_keep_i,
  input  wire                 clear_i,
  input  wire                 drop_i,

  input  wire [SET_IW-1:0]    s1_set_i,
  input  wire                 s1_written_i,    // the set was written in the cycle before
  output wire                 s1_empty_o,
  output wire                 s1_drop_o,
  output wire                 s1_marked_o,
  output wire [DATA_WAYS-1:0] s1_fail_o,
  output wire [DATA_WAYS-1:0] s1_waits_o,

  input  wire [SET_IW-1:0]    s2_set_i,
  output wire                 s2_empty_o,
  output wire [DATA_WAYS-1:0] s2_fail_o,
  output wire [DATA_WAYS-1:0] s2_waits_o
);
  localparam [SETS-1:0] ONE_SET = 1;

  // ---- events of the cycle before
  reg  [DATA_WAYS-1:0] late_pending_q;
  reg                  late_fill_q, late_error_q, late_keep_q;
  reg  [SET_IW-1:0]    late_fill_set_q;
  reg  [WAY_IW-1:0]    late_fill_way_q;

  always @(posedge clk_i) begin : p_late
    late_pending_q  <= wr_pending_i;
    late_fill_q     <= fill_en_i && !rst_i && !clear_i;
    late_fill_set_q <= fill_set_i;
    late_fill_way_q <= fill_way_i;
    late_error_q    <= fill_error_i;
    late_keep_q     <= fill_keep_i;
  end

  wire [SETS-1:0] late_hot      = late_en_i ? ONE_SET << late_set_i : {SETS{1'b0}};
  wire [SETS-1:0] late_fill_hot = late_fill_q ? ONE_SET << late_fill_set_q : {SETS{1'b0}};
  wire            late_both     = late_fill_q && (late_fill_set_q == late_set_i);
  wire            s1_filled     = late_fill_q && (late_fill_set_q == s1_set_i);
  wire            s2_filled     = late_fill_q && (late_fill_set_q == s2_set_i);
  wire            stays         = late_error_q && late_keep_q;   // the tag of a failed line stays

  // ---- per set
  reg  [SETS-1:0] empty_q;
  reg  [SETS-1:0] drop_q;

  always @(posedge clk_i) begin : p_sets
    if (rst_i || clear_i) begin
      empty_q <= {SETS{1'b1}};
      drop_q  <= {SETS{1'b0}};
    end else begin
      empty_q <= empty_q & ~late_hot;
      drop_q  <= drop_i ? {SETS{1'b1}} : drop_q & ~late_hot;
    end
  end

  assign s1_empty_o = empty_q[s1_set_i] && !s1_written_i;
  assign s1_drop_o  = drop_q[s1_set_i] && !s1_written_i;
  assign s2_empty_o = empty_q[s2_set_i];

  generate
    if (LOOK != 0) begin : gen_marked
      reg [SETS-1:0] marked_q;

      always @(posedge clk_i) begin : p_marked
        if (rst_i || clear_i) marked_q <= {SETS{1'b0}};
        else if (drop_i)      marked_q <= {SETS{1'b1}};
        else                  marked_q <= (marked_q & ~late_hot) |
          (late_fill_hot & {SETS{late_error_q}});
      end

      assign s1_marked_o = (marked_q[s1_set_i] && !s1_written_i) || (s1_filled && late_error_q);
    end else begin : gen_unmarked
      assign s1_marked_o = 1'b0;
    end
  endgenerate

  // ---- per data way.  These bits are ignored while the set is empty, so they need no reset.
  genvar g;

  generate
    for (g = 0; g < DATA_WAYS; g = g + 1) begin : gen_way
      localparam integer WAY = g;
      // A fill finds its way pending.  If the fill fails and the tag stays, waits is already set.
      reg  [SETS-1:0] fail_q, waits_q;
      wire            mine  = late_fill_way_q == WAY[WAY_IW-1:0];
      wire            ends  = mine && !stays;
      wire            waits = late_pending_q[g] && !(ends && late_both);
      wire [SETS-1:0] fail  = (late_fill_hot & {SETS{mine && late_error_q}}) | (fail_q & ~late_hot);

      always @(posedge clk_i) begin : p_way
        waits_q <= ((late_hot & {SETS{waits}}) |
                   (~late_hot & waits_q & ~(late_fill_hot & {SETS{ends}}))) &
                   ~(fail & {SETS{drop_i}});
        fail_q  <= fail;
      end

      assign s1_fail_o[g]  = (s1_filled && mine && late_error_q) ||
                             (fail_q[s1_set_i] && !s1_written_i);
      assign s1_waits_o[g] = (s1_filled && mine) ? stays :
                             s1_written_i ? late_pending_q[g] : waits_q[s1_set_i];
      assign s2_fail_o[g]  = (s2_filled && mine && late_error_q) || fail_q[s2_set_i];
      assign s2_waits_o[g] = (s2_filled && mine) ? stays : waits_q[s2_set_i];
    end
  endgenerate

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg              cleared_q, written_q;
  reg [SET_IW-1:0] written_set_q;

  always @(posedge clk_i) begin : p_before
    cleared_q     <= rst_i || clear_i;
    written_q     <= !rst_i && !clear_i && late_en_i;
    written_set_q <= late_set_i;
  end
`endif
  `BYW_ASSUME(fill_names_a_way, fill_en_i, (fill_set_i < SETS) && (fill_way_i < DATA_WAYS))
  `BYW_ASSERT(all_sets_are_empty_after_a_clear, cleared_q, (&empty_q) && !(|drop_q))
  `BYW_ASSERT(written_set_is_not_empty, written_q, !empty_q[written_set_q])
endmodule

`default_nettype wire
