// SPDX-License-Identifier: Apache-2.0
//
// byw_set_bits - bits of all sets, of which one set is written at a time, or all sets at once.
//
// Behaviour   all_i gives every bit of every set the value all_value_i; it overrides a write of
//             the same cycle.  rd_bits_o holds, for each read port, the bits of its set, and
//             wr_old_o those of wr_set_i, before the changes of this cycle.  An unknown wr_set_i
//             writes nothing in a four-state simulator.
//             With LUT_RAM the bits of 16 groups of sets are 16 words of a RAM.  A flip-flop per
//             group tells that all its bits have the value of the last all_i; the first write to
//             the group fills its word.  Set s is in group s mod 16.
// Reset       none: the bits are undefined until written, or until all_i.
// C twin      none: bits of the records of cmodel/model/l1d/byw_tag_store.c.
//
// Parameter   Default        Range     Meaning
// SETS        32             1..4096   sets, a power of two
// WIDTH       1              1..256    bits per set
// READS       1              1..       read ports
// LUT_RAM     `BYW_LUT_RAM   0, 1      1: RAM words; 0: flip-flops
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_target.vh"
`include "byw_widths.vh"

module byw_set_bits #(
  parameter integer SETS    = `BYW_DEFAULT_SETS,
  parameter integer WIDTH   = 1,
  parameter integer READS   = 1,
  parameter integer LUT_RAM = `BYW_LUT_RAM,
  parameter integer SET_IW  = (SETS > 1) ? $clog2(SETS) : 1
) (
  input  wire                    clk_i,
  input  wire                    all_i,
  input  wire                    all_value_i,
  input  wire                    wr_en_i,
  input  wire [SET_IW-1:0]       wr_set_i,
  input  wire [WIDTH-1:0]        wr_bits_i,
  output wire [WIDTH-1:0]        wr_old_o,
  input  wire [READS*SET_IW-1:0] rd_set_i,
  output wire [READS*WIDTH-1:0]  rd_bits_o
);
  genvar g;

  generate
    if (LUT_RAM == 0) begin : gen_registers
      wire [SETS*WIDTH-1:0] bits;

      for (g = 0; g < SETS; g = g + 1) begin : gen_set
        localparam integer SET = g;
        reg [WIDTH-1:0] bits_q;
        // An equality per set: an unknown set number leaves every bit as it is.
        always @(posedge clk_i) begin : p_bits
          if (all_i)                                          bits_q <= {WIDTH{all_value_i}};
          else if (wr_en_i && (wr_set_i == SET[SET_IW-1:0])) bits_q <= wr_bits_i;
        end
        assign bits[g*WIDTH +: WIDTH] = bits_q;
      end

      for (g = 0; g < READS; g = g + 1) begin : gen_read
        assign rd_bits_o[g*WIDTH +: WIDTH] = bits[rd_set_i[g*SET_IW +: SET_IW]*WIDTH +: WIDTH];
      end
      assign wr_old_o = bits[wr_set_i*WIDTH +: WIDTH];
    end else begin : gen_ram
      localparam integer GROUPS   = (SETS < 16) ? SETS : 16;
      localparam integer MEMBERS  = SETS / GROUPS;           // sets of a group
      localparam integer GROUP_W  = (GROUPS > 1) ? $clog2(GROUPS) : 1;
      localparam integer MEMBER_W = (MEMBERS > 1) ? $clog2(MEMBERS) : 1;
      localparam integer WORD_W   = MEMBERS * WIDTH;
      localparam integer PORTS    = READS + 1;               // the last one reads the set to write

      wire [PORTS*SET_IW-1:0]  set = {wr_set_i, rd_set_i};
      wire [PORTS*GROUP_W-1:0] group;
      wire [PORTS*WORD_W-1:0]  word;
      wire [PORTS*WIDTH-1:0]   bits;
      reg  [GROUPS-1:0]        uniform_q;        // all bits of the group are value_q
      reg                      value_q;
      wire [GROUP_W-1:0]       wr_group = group[READS*GROUP_W +: GROUP_W];
      wire [WORD_W-1:0]        wr_word  = uniform_q[wr_group] ? {WORD_W{value_q}}
                                                              : word[READS*WORD_W +: WORD_W];
      wire [WORD_W-1:0]        new_word;

      assign {wr_old_o, rd_bits_o} = bits;

      byw_ram_async #(.DEPTH(GROUPS), .WIDTH(WORD_W), .READS(PORTS)) u_words (
        .clk_i(clk_i), .rd_addr_i(group), .rd_data_o(word),
        .wr_en_i(wr_en_i), .wr_addr_i(wr_group), .wr_data_i(new_word)
      );

      always @(posedge clk_i) begin : p_value
        if (all_i) value_q <= all_value_i;
      end

      for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
        localparam integer GROUP = g;
        // An equality per group: an unknown set number leaves every bit as it is.
        always @(posedge clk_i) begin : p_uniform
          if (all_i)                                               uniform_q[g] <= 1'b1;
          else if (wr_en_i && (wr_group == GROUP[GROUP_W-1:0])) uniform_q[g] <= 1'b0;
        end
      end

      for (g = 0; g < PORTS; g = g + 1) begin : gen_port
        wire [SET_IW-1:0] of_port = set[g*SET_IW +: SET_IW];
        wire [GROUP_W-1:0] at     = of_port[GROUP_W-1:0];
        wire [WIDTH-1:0]  member;

        assign group[g*GROUP_W +: GROUP_W] = at;
        if (MEMBERS == 1) begin : gen_only
          assign member = word[g*WORD_W +: WORD_W];
        end else begin : gen_member
          assign member = word[g*WORD_W + of_port[SET_IW-1 -: MEMBER_W]*WIDTH +: WIDTH];
        end
        assign bits[g*WIDTH +: WIDTH] = uniform_q[at] ? {WIDTH{value_q}} : member;
      end

      for (g = 0; g < MEMBERS; g = g + 1) begin : gen_new
        localparam integer MEMBER = g;
        wire mine = (MEMBERS == 1) || (wr_set_i[SET_IW-1 -: MEMBER_W] == MEMBER[MEMBER_W-1:0]);
        assign new_word[g*WIDTH +: WIDTH] = mine ? wr_bits_i : wr_word[g*WIDTH +: WIDTH];
      end
    end
  endgenerate

`ifdef BYW_CHECKED
  reg              before_q = 1'b0;              // false before the first edge
  reg [SET_IW-1:0] set_q;                        // set of the first port in the cycle before
  reg [WIDTH-1:0]  next_q;                       // what its bits became then

  always @(posedge clk_i) begin : p_before
    before_q <= 1'b1;
    set_q    <= rd_set_i[SET_IW-1:0];
    next_q   <= all_i ? {WIDTH{all_value_i}} :
                (wr_en_i && (wr_set_i == rd_set_i[SET_IW-1:0])) ? wr_bits_i : rd_bits_o[WIDTH-1:0];
  end
`endif
  // With one set, the set number still has one bit, which is ignored.
  `BYW_HOLDS(set_keeps_what_was_written,
             before_q && (rd_set_i[SET_IW-1:0] == set_q) && (rd_set_i[SET_IW-1:0] < SETS),
             rd_bits_o[WIDTH-1:0] == next_q)
  `BYW_HOLDS(ports_agree, (rd_set_i[SET_IW-1:0] == wr_set_i) && (wr_set_i < SETS),
             rd_bits_o[WIDTH-1:0] == wr_old_o)
endmodule

`default_nettype wire
