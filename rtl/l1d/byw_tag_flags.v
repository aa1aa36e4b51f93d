// SPDX-License-Identifier: Apache-2.0
//
// byw_tag_flags - the flags next to the record RAM, and their values for the sets in s1 and s2.
//
// Behaviour   Per set: empty and drop.  Per set and data way: fail, and waits, which means pending
//             or, for a failed way, that its tag stays.  A record write clears all of them except
//             waits, which it sets from the record.  late_*_i is the record write of the cycle
//             before.  A fill arrives undelayed, for a pending way, and is applied one cycle later.
//             The s1 outputs include both.  s2 does not rebuild a record that was just written.
//             s1_marked_o (LOOK): a flag other than empty and pending may be set for the s1 set.
//             With LUT_RAM the flags are in small RAMs, otherwise in flip-flops; the outputs are
//             the same.
// Paper       000, section 4.1; rtl/doc/tag_store.md.
// C twin      cmodel/model/l1d/byw_tag_store.c; checked by verif/l1d/lockstep_tag_store.c.
// Reset       rst_i: every set is empty.
//
// Parameters as in byw_tag_store; LUT_RAM as in byw_set_bits.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_target.vh"
`include "byw_widths.vh"

module byw_tag_flags #(
  parameter integer SETS      = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer LOOK      = 0,
  parameter integer LUT_RAM   = `BYW_LUT_RAM,
  parameter integer SET_IW    = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW    = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_i,

  input  wire                 late_en_i,       // a record was written in the cycle before
  input  wire [SET_IW-1:0]    late_set_i,
  input  wire [DATA_WAYS-1:0] wr_pending_i,    // pending bits of the record written in this cycle
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

  localparam [DATA_WAYS-1:0] ONE_WAY = 1;
  wire                 s1_filled      = late_fill_q && (late_fill_set_q == s1_set_i);
  wire                 s2_filled      = late_fill_q && (late_fill_set_q == s2_set_i);
  wire                 tag_kept       = late_error_q && late_keep_q;  // the tag of a failed line
                                                                      // stays
  wire [DATA_WAYS-1:0] fill_onehot    = ONE_WAY << late_fill_way_q;
  wire [DATA_WAYS-1:0] s1_fill_onehot = fill_onehot & {DATA_WAYS{s1_filled}};
  wire [DATA_WAYS-1:0] s2_fill_onehot = fill_onehot & {DATA_WAYS{s2_filled}};

  // ---- per set
  wire s1_empty, s1_drop, unused_empty, unused_drop;

  byw_set_bits #(.SETS(SETS), .READS(2), .LUT_RAM(LUT_RAM)) u_empty (
    .clk_i(clk_i), .all_i(rst_i || clear_i), .all_value_i(1'b1), .wr_en_i(late_en_i),
    .wr_set_i(late_set_i), .wr_bits_i(1'b0), .wr_old_o(unused_empty),
    .rd_set_i({s2_set_i, s1_set_i}), .rd_bits_o({s2_empty_o, s1_empty})
  );
  byw_set_bits #(.SETS(SETS), .LUT_RAM(LUT_RAM)) u_drop (
    .clk_i(clk_i), .all_i(rst_i || clear_i || drop_i), .all_value_i(!rst_i && !clear_i),
    .wr_en_i(late_en_i), .wr_set_i(late_set_i), .wr_bits_i(1'b0), .wr_old_o(unused_drop),
    .rd_set_i(s1_set_i), .rd_bits_o(s1_drop)
  );

  assign s1_empty_o = s1_empty && !s1_written_i;
  assign s1_drop_o  = s1_drop && !s1_written_i;

  // ---- per data way, without the events of the cycle before.  These bits are ignored while the
  // set is empty, so they need no reset.
  wire [DATA_WAYS-1:0] s1_fails, s1_waits, s2_fails, s2_waits;
  wire                 s1_marked;
  genvar               g;

  generate
    if (LUT_RAM == 0) begin : gen_registers
      wire [SETS*DATA_WAYS-1:0] fails, waits;

      for (g = 0; g < SETS; g = g + 1) begin : gen_set
        localparam integer SET = g;
        reg  [DATA_WAYS-1:0] fail_q, waits_q;
        wire                 written = late_en_i && (late_set_i == SET[SET_IW-1:0]);
        wire [DATA_WAYS-1:0] set_filled = (late_fill_q &&
                                           (late_fill_set_q == SET[SET_IW-1:0])) ?
                                          fill_onehot : {DATA_WAYS{1'b0}};
        wire [DATA_WAYS-1:0] fail    = (set_filled & {DATA_WAYS{late_error_q}}) |
                                       (fail_q & {DATA_WAYS{!written}});

        // A fill finds its way pending.  If it fails and the tag stays, waits is already set.
        always @(posedge clk_i) begin : p_way
          waits_q <= (written ? late_pending_q : waits_q) &
                     ~(set_filled & {DATA_WAYS{!tag_kept}}) & ~(fail & {DATA_WAYS{drop_i}});
          fail_q  <= fail;
        end
        assign fails[g*DATA_WAYS +: DATA_WAYS] = fail_q;
        assign waits[g*DATA_WAYS +: DATA_WAYS] = waits_q;
      end

      assign s1_fails = fails[s1_set_i*DATA_WAYS +: DATA_WAYS];
      assign s1_waits = waits[s1_set_i*DATA_WAYS +: DATA_WAYS];
      assign s2_fails = fails[s2_set_i*DATA_WAYS +: DATA_WAYS];
      assign s2_waits = waits[s2_set_i*DATA_WAYS +: DATA_WAYS];
    end else begin : gen_ram
      // Record writes and fills both change fail and pending, and a RAM has one write port.  So
      // each bit is the XOR of one bit in a RAM that record writes write, and one in a RAM that
      // fills write.
      localparam integer BITS = 2 * DATA_WAYS;                // {fail, pending}
      localparam [BITS-1:0] NONE = 0;
      wire [BITS-1:0]      s1_record, s2_record, s1_fill, s2_fill, at_record, at_fill;
      wire [DATA_WAYS-1:0] s1_kept, s2_kept, at_kept;
      // The fill applies after a record write of the same cycle; it clears nothing if that write
      // has given up the way.
      wire                 same_set    = late_en_i && (late_fill_set_q == late_set_i);
      wire [DATA_WAYS-1:0] fill_clears = fill_onehot & (late_pending_q | {DATA_WAYS{!same_set}});
      wire [DATA_WAYS-1:0] fill_fails  = fill_onehot & {DATA_WAYS{late_error_q}};
      wire [DATA_WAYS-1:0] s1_pending, s2_pending;

      byw_ram_async #(.DEPTH(SETS), .WIDTH(BITS), .READS(2)) u_record (
        .clk_i(clk_i), .rd_addr_i({s2_set_i, s1_set_i}), .rd_data_o({s2_record, s1_record}),
        .wr_en_i(late_en_i), .wr_addr_i(late_set_i),
        .wr_data_i({NONE[DATA_WAYS-1:0], late_pending_q} ^ at_record)
      );
      byw_set_bits #(.SETS(SETS), .WIDTH(BITS), .READS(3), .LUT_RAM(1)) u_fill (
        .clk_i(clk_i), .all_i(rst_i), .all_value_i(1'b0), .wr_en_i(late_fill_q),
        .wr_set_i(late_fill_set_q), .wr_bits_i(at_fill ^ {fill_fails, fill_clears}),
        .wr_old_o(at_fill),
        .rd_set_i({late_set_i, s2_set_i, s1_set_i}), .rd_bits_o({at_record, s2_fill, s1_fill})
      );
      // For a failed line: its tag stays, and the filter has not been switched off since.
      byw_set_bits #(.SETS(SETS), .WIDTH(DATA_WAYS), .READS(2), .LUT_RAM(1)) u_kept (
        .clk_i(clk_i), .all_i(rst_i || drop_i), .all_value_i(1'b0), .wr_en_i(late_fill_q),
        .wr_set_i(late_fill_set_q),
        .wr_bits_i(tag_kept ? at_kept | fill_onehot : at_kept & ~fill_onehot), .wr_old_o(at_kept),
        .rd_set_i({s2_set_i, s1_set_i}), .rd_bits_o({s2_kept, s1_kept})
      );

      assign {s1_fails, s1_pending} = s1_record ^ s1_fill;
      assign {s2_fails, s2_pending} = s2_record ^ s2_fill;
      assign s1_waits = s1_pending | (s1_fails & s1_kept);
      assign s2_waits = s2_pending | (s2_fails & s2_kept);
    end
    // With LOOK and flip-flops, a flip-flop per set is smaller than a selection of every fail.
    if (LOOK == 0) begin : gen_unmarked
      assign s1_marked = 1'b0;
    end else if (LUT_RAM == 0) begin : gen_marked
      reg [SETS-1:0] marked_q;
      for (g = 0; g < SETS; g = g + 1) begin : gen_set
        localparam integer SET = g;
        always @(posedge clk_i) begin : p_marked
          if (rst_i || clear_i) marked_q[g] <= 1'b0;
          else if (drop_i)      marked_q[g] <= 1'b1;
          else if (late_fill_q && late_error_q && (late_fill_set_q == SET[SET_IW-1:0]))
            marked_q[g] <= 1'b1;
          else if (late_en_i && (late_set_i == SET[SET_IW-1:0])) marked_q[g] <= 1'b0;
        end
      end
      assign s1_marked = marked_q[s1_set_i];
    end else begin : gen_marks
      assign s1_marked = s1_drop || (!s1_empty && (|s1_fails));
    end
  endgenerate

  assign s1_marked_o = (LOOK != 0) && ((s1_marked && !s1_written_i) || (s1_filled && late_error_q));
  assign s1_fail_o   = (s1_fill_onehot & {DATA_WAYS{late_error_q}}) |
                       (s1_fails & {DATA_WAYS{!s1_written_i}});
  assign s1_waits_o  = (s1_fill_onehot & {DATA_WAYS{tag_kept}}) |
                       (~s1_fill_onehot & (s1_written_i ? late_pending_q : s1_waits));
  assign s2_fail_o   = (s2_fill_onehot & {DATA_WAYS{late_error_q}}) | s2_fails;
  assign s2_waits_o  = (s2_fill_onehot & {DATA_WAYS{tag_kept}}) | (~s2_fill_onehot & s2_waits);

  `BYW_CHECKS
`ifdef BYW_CHECKED
  // fail and waits of the last set, in registers.
  localparam integer LAST = SETS - 1;
  localparam [SET_IW-1:0] WATCHED = LAST[SET_IW-1:0];
  reg                  cleared_q = 1'b0;
  reg                  watch_q = 1'b0;           // the set is not empty
  reg  [DATA_WAYS-1:0] fail_q, waits_q;
  wire                 writes     = late_en_i && (late_set_i == WATCHED);
  wire [DATA_WAYS-1:0] set_filled = (late_fill_q && (late_fill_set_q == WATCHED)) ? fill_onehot
                                                                                : {DATA_WAYS{1'b0}};
  wire [DATA_WAYS-1:0] next_fail  = (set_filled & {DATA_WAYS{late_error_q}}) |
                                    (fail_q & {DATA_WAYS{!writes}});
  wire [DATA_WAYS-1:0] next_waits = (writes ? late_pending_q : waits_q) &
                                    ~(set_filled & {DATA_WAYS{!tag_kept}}) &
                                    ~(next_fail & {DATA_WAYS{drop_i}});
  wire [DATA_WAYS-1:0] in_flight  = (next_waits & ~next_fail) >> fill_way_i;

  always @(posedge clk_i) begin : p_before
    cleared_q <= rst_i || clear_i;
    watch_q   <= byw_armed && !rst_i && !clear_i && (watch_q || writes);
    fail_q    <= next_fail;
    waits_q   <= next_waits;
  end
`endif
  `BYW_ASSUME(fill_names_a_way, fill_en_i, (fill_set_i < SETS) && (fill_way_i < DATA_WAYS))
  `BYW_ASSUME(no_record_written_with_a_failed_fill, late_fill_q && late_error_q, !late_en_i)
  `BYW_ASSUME(fill_finds_its_way_pending, fill_en_i && (fill_set_i == WATCHED),
              (watch_q || writes) && in_flight[0])
  `BYW_HOLDS(all_sets_are_empty_after_a_clear, cleared_q && (s1_set_i < SETS) && (s2_set_i < SETS),
             s2_empty_o && (!s1_drop || s1_written_i))
  `BYW_HOLDS(s2_has_the_flags_of_its_set, watch_q && (s2_set_i == WATCHED),
             !s2_empty_o && (s2_fail_o == (fail_q | (set_filled & {DATA_WAYS{late_error_q}}))) &&
             (s2_waits_o == ((waits_q & ~set_filled) | (set_filled & {DATA_WAYS{tag_kept}}))))
  `BYW_HOLDS(s1_has_the_flags_of_its_set, watch_q && !s1_written_i && (s1_set_i == WATCHED),
             (s1_fail_o == (fail_q | (set_filled & {DATA_WAYS{late_error_q}}))) &&
             (s1_waits_o == ((waits_q & ~set_filled) | (set_filled & {DATA_WAYS{tag_kept}}))) &&
             ((LOOK == 0) || (s1_marked_o == (s1_drop_o || (|s1_fail_o)))))
endmodule

`default_nettype wire
