# SPDX-License-Identifier: Apache-2.0
#
# byw_sm_l1.sdc - timing constraints of byw_sm_l1, to be included in those of the chip.  Set the period, in the
# unit of your library; the shares of it are starting points.  verif/formal/t_timing.sh checks the names of the ports, t_sdc.sh reads the file with OpenSTA.

set byw_period 2.0

create_clock -name byw_clk -period $byw_period [get_ports clk_i]
set_clock_uncertainty [expr 0.05 * $byw_period] [get_clocks byw_clk]

# rst_i is synchronous: an ordinary input.  A quarter of the period is outside, at every port; the paths from inputs to
# outputs (rtl/doc/handshake.md) then have half of it.
set_input_delay  [expr 0.25 * $byw_period] -clock byw_clk \
    [get_ports {rst_i restart_i filter_on_i kernel_start_i kernel_pc_i cta_placed_i active_warps_i req_*_i rsp_ready_i \
                mem_req_ready_i mem_rsp_valid_i mem_rsp_kind_i mem_rsp_data_i mem_rsp_id_i mem_rsp_error_i \
                mem_rsp_mispredict_i count_req_i count_sel_i}]
set_output_delay [expr 0.25 * $byw_period] -clock byw_clk [all_outputs]

# Settings change only while the cache is idle, together with rst_i or restart_i, which drops all lines.  The chip must
# keep them stable for as many cycles around restart_i as their paths take.
set_false_path -from [get_ports {cfg_i pc_cfg_i tl_cfg_i tl_window_i tl_period_i tl_bound_i}]
