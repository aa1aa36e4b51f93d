// SPDX-License-Identifier: Apache-2.0
//
// byw_bins_bind.sv - attaches the bins of byw_l1d_bins.sv to every cache of a design.
//
bind byw_l1d byw_l1d_bins #(
  .ALLOC(ALLOC), .LINE_W(LINE_W), .LINE_BYTES(LINE_BYTES), .PORT_BYTES(PORT_BYTES)
) u_bins (.*);
bind byw_l1d_decide byw_filter_bins #(.RC_W(RC_W), .LOOK(LOOK)) u_bins (
  .clk_i(clk_i), .rst_i(rst_i), .filter_on_i(filter_on_i), .accept_i(s2_accept_i),
  .open(u_policy.load_filtered), .candidate(u_policy.look_candidate), .off(u_policy.filter_off_o),
  .reached(u_policy.look_rc_reached), .any_tag(u_policy.tag_available), .place(u_policy.way_available),
  .never(u_policy.rc_never), .rc(u_policy.rc_next), .least(u_policy.rc_least), .cfg_i(cfg_i)
);
