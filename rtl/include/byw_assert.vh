// SPDX-License-Identifier: Apache-2.0
//
// byw_assert.vh - assumptions and guarantees in the RTL, with three back ends: rtl/doc/checks.md.
//
//   BYW_ASSERT_SIM     defined: checked at each rising edge of clk_i; prints the name and stops
//   BYW_ASSERT_FORMAL  defined: `assert`, `assume` and `cover` of Yosys (read_verilog -formal)
//   neither            they expand to nothing: same netlist, same lint
//
//   `BYW_CHECKS                      once per module: nothing is checked before the first reset
//   `BYW_ASSERT(NAME, WHEN, COND)    what the module guarantees; not during rst_i
//   `BYW_ASSUME(NAME, WHEN, COND)    what it needs of its surroundings; a proof of the module alone
//                                    assumes it (BYW_ASSUME_INPUTS), every other run checks it
//   `BYW_HOLDS(NAME, WHEN, COND)     what a combinational module guarantees for all inputs, and a
//                                    module without a reset in every cycle; needs no BYW_CHECKS
//   `BYW_COVER(NAME, COND)           happens in some run
//
// NAME is the name of the block, so messages show its path.  BYW_CHECKED: defined if one of the
// back ends is on; encloses registers that only assertions read.  An unknown COND fails, an unknown
// WHEN counts as true; in BYW_HOLDS an unknown value is no violation, because unused inputs may be
// unknown.
//
`ifndef BYW_ASSERT_VH
`define BYW_ASSERT_VH

`ifdef BYW_ASSERT_FORMAL
  `define BYW_CHECKED
  `define BYW_ASSERT(NAME, WHEN, COND) \
    always @* begin : NAME \
      if (byw_armed && !rst_i && (WHEN)) assert (COND); \
    end
  `ifdef BYW_ASSUME_INPUTS
    `define BYW_ASSUME(NAME, WHEN, COND) \
      always @* begin : NAME \
        if (byw_armed && !rst_i && (WHEN)) assume (COND); \
      end
  `else
    `define BYW_ASSUME(NAME, WHEN, COND) `BYW_ASSERT(NAME, WHEN, COND)
  `endif
  `define BYW_HOLDS(NAME, WHEN, COND) \
    always @* begin : NAME \
      if (WHEN) assert (COND); \
    end
  `define BYW_COVER(NAME, COND) \
    always @* begin : NAME \
      if (byw_armed && !rst_i) cover (COND); \
    end
`else
  `ifdef BYW_ASSERT_SIM
    `define BYW_CHECKED
    `define BYW_ASSERT(NAME, WHEN, COND) \
      always @(posedge clk_i) begin : NAME \
        if (byw_armed && !rst_i && ((WHEN) !== 1'b0) && ((COND) !== 1'b1)) begin \
          $display("FAIL %m"); \
          $stop; \
        end \
      end
    // After all inputs have settled; Verilator evaluates in order.
    `ifdef VERILATOR
      `define BYW_SETTLE
    `else
      `define BYW_SETTLE #0
    `endif
    `define BYW_HOLDS(NAME, WHEN, COND) \
      always @* begin : NAME \
        `BYW_SETTLE; \
        if (((WHEN) === 1'b1) && ((COND) === 1'b0)) begin \
          $display("FAIL %m"); \
          $stop; \
        end \
      end
  `else
    `define BYW_ASSERT(NAME, WHEN, COND)
    `define BYW_HOLDS(NAME, WHEN, COND)
  `endif
  `define BYW_ASSUME(NAME, WHEN, COND) `BYW_ASSERT(NAME, WHEN, COND)
  `define BYW_COVER(NAME, COND)
`endif

`ifdef BYW_CHECKED
  `define BYW_CHECKS \
    reg byw_armed = 1'b0; \
    always @(posedge clk_i) if (rst_i) byw_armed <= 1'b1;
`else
  `define BYW_CHECKS
`endif

`endif
