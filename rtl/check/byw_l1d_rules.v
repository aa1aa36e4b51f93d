// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_rules - checker of the decision point: rules of rtl/doc/l1d_pipeline.md inside byw_l1d.
//
// Behaviour   Its ports have the names of signals of byw_l1d (byw_l1d_bind.sv).
// Reset       none: it has no state.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_rules (
  input wire                clk_i,
  input wire                rst_i,
  input wire                kernel_start_i,
  input wire                s2_accept,         // s2 accepts its request
  input wire                s2_done,           // s2 ends INVALIDATE, FLUSH or FENCE
  input wire                wb_load,           // s2 sends a beat into the write-back register
  input wire                mshr_alloc,
  input wire                mshr_merge,
  input wire                bypass_send,
  input wire                store_send,
  input wire                line_wr,           // a store writes the data store
  input wire [`BYW_EV_W-1:0] events_o
);
  `include "byw_defs.vh"

  wire       refused = events_o[BYW_EV_FAIL_LINE] || events_o[BYW_EV_FAIL_MSHR] ||
                       events_o[BYW_EV_FAIL_MERGE] || events_o[BYW_EV_FAIL_MISS_QUEUE] ||
                       events_o[BYW_EV_FAIL_ICNT];
  wire [2:0] outcomes = {2'd0, events_o[BYW_EV_HIT]} + {2'd0, events_o[BYW_EV_HIT_PENDING]} +
                        {2'd0, events_o[BYW_EV_MISS]} + {2'd0, events_o[BYW_EV_BYPASS]};
  wire [2:0] ways_out = {2'd0, mshr_alloc} + {2'd0, mshr_merge} + {2'd0, bypass_send} +
                        {2'd0, store_send};
  wire       access   = events_o[BYW_EV_LOAD] || events_o[BYW_EV_STORE];

  `BYW_CHECKS
  `BYW_ASSERT(nothing_is_decided_in_a_kernel_start, kernel_start_i,
              !s2_accept && !s2_done && !wb_load)
  `BYW_ASSERT(a_refusal_changes_nothing, refused,
              !s2_accept && !s2_done && (ways_out == 3'd0) && !line_wr)
  `BYW_ASSERT(an_accepted_access_has_one_outcome, access, s2_accept && (outcomes == 3'd1))
  `BYW_ASSERT(only_an_access_has_an_outcome, outcomes != 3'd0, access)
  `BYW_ASSERT(what_is_sent_is_accepted, ways_out != 3'd0, s2_accept && (ways_out == 3'd1))
  `BYW_ASSERT(a_store_writes_when_accepted, line_wr, s2_accept)
  `BYW_ASSERT(an_install_counts_what_it_evicts, events_o[BYW_EV_EVICT_ZERO],
              events_o[BYW_EV_EVICT])
endmodule

`default_nettype wire
