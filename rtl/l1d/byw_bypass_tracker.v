// SPDX-License-Identifier: Apache-2.0
//
// byw_bypass_tracker - holds the requester id of each bypassed load and atomic in flight.
//
// Behaviour   take_i stores id_i in the free tracker take_tracker_o.  give_i frees give_tracker_i;
//             its id is on give_id_o from the next cycle until the next give.  A freed tracker can
//             be taken again in the next cycle.
// Paper       mechanisms/cache.md 0.2 (a cost of the bypass path that no paper counts);
//             rtl/doc/bypass_tracker.md.
// C twin      cmodel/model/l1d/byw_bypass_tracker.c; checked by
//             verif/l1d/lockstep_bypass_tracker.c.
// Reset       rst_i: all trackers are free; the stored ids keep their values.
//
// Parameter   Default  Range     Meaning
// TRACKERS    64       1..1024   bypasses in flight
// ID_W        16       1..64     requester id
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_bypass_tracker #(
  parameter integer TRACKERS   = `BYW_DEFAULT_TRACKERS,
  parameter integer ID_W       = 16,
  parameter integer TRACKER_IW = (TRACKERS > 1) ? $clog2(TRACKERS) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_i,

  output wire                  free_o,
  input  wire                  take_i,          // needs free_o
  input  wire [ID_W-1:0]       id_i,
  output wire [TRACKER_IW-1:0] take_tracker_o,

  input  wire                  give_i,
  input  wire [TRACKER_IW-1:0] give_tracker_i,
  output wire [ID_W-1:0]       give_id_o,

  output wire                  idle_o           // all trackers are free
);
  generate
    if ((TRACKERS < 1) || (TRACKERS > 1024)) begin : gen_check_trackers
      byw_bypass_tracker_TRACKERS_must_be_1_to_1024 u_error ();
    end
  endgenerate

  // take_i writes a free tracker and give_i reads a used one, so the two never collide.
  byw_ram_1r1w #(
    .DEPTH(TRACKERS), .LANES(1), .LANE_W(ID_W), .BLOCK((TRACKERS > 16) ? 1 : 0)
  ) u_ids (
    .clk_i(clk_i), .rd_en_i(give_i), .rd_addr_i(give_tracker_i), .rd_data_o(give_id_o),
    .wr_en_i(take_i), .wr_addr_i(take_tracker_o), .wr_lane_i(1'b1), .wr_data_i(id_i)
  );

  byw_id_pool #(.N(TRACKERS)) u_pool (
    .clk_i(clk_i), .rst_i(rst_i),
    .take_i(take_i), .take_ready_o(free_o), .take_id_o(take_tracker_o),
    .give_i(give_i), .give_id_i(give_tracker_i), .all_free_o(idle_o)
  );

  `BYW_CHECKS
  `BYW_ASSUME(take_needs_a_tracker, take_i, free_o)
  `BYW_ASSUME(tracker_is_freed_while_in_use, give_i, !idle_o)

  `BYW_ASSERT(idle_has_a_free_tracker, idle_o, free_o)
endmodule

`default_nettype wire
