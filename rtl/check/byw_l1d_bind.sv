// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_bind.sv - attaches the checker of the ports to every byw_l1d of a design.
//
// Needs BYW_ASSERT_SIM or BYW_ASSERT_FORMAL and the files of rtl/check.
//
bind byw_l1d byw_l1d_protocol #(
  .ALLOC(ALLOC), .SECTORS(SECTORS), .SETS(SETS), .DATA_WAYS(DATA_WAYS), .LINE_BYTES(LINE_BYTES),
  .LINE_W(LINE_W), .ID_W(ID_W), .ORDER(ORDER), .IN_FLIGHT(IN_FLIGHT), .STORE_IDS(STORE_IDS),
  .FENCE(FENCE), .UNCACHED(UNCACHED), .BEAT_BYTES(BEAT_BYTES)
) u_protocol (.*);
bind byw_l1d byw_l1d_rules u_rules (.*);
