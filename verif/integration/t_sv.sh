#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_sv.sh - rtl/sv is what its generator makes of byw_sm_l1; Verilator reads the wrapper without a warning and refuses
# structs of other widths; the C model knows every port.  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
tap_folder log

for pair in typedef:byw_typedef.svh wrapper:byw_sm_l1_sv.sv scoreboard:byw_sm_l1_scoreboard.sv \
    bind:byw_sm_l1_scoreboard_bind.sv; do
    rtl/sv.sh "${pair%:*}" | diff - "rtl/sv/${pair#*:}" >"$dir/log"
    result $? "${pair#*:} is up to date (make rtl-sv)"
done
diff <(sed -n 's/^\(IN\|OUT\)(\([a-z0-9_]*\),.*/\2/p' cmodel/model/top/byw_ports.def) \
    <(grep -E '^  (input|output) +wire' rtl/top/byw_sm_l1.v | sed 's/ *\/\/.*//;s/,$//;s/.* //' | grep -v '^clk_i$') >"$dir/log"
result $? "the C interface has the ports of byw_sm_l1, in its order"

if ! command -v verilator >/dev/null; then
    skip_check "Verilator reads the wrapper" "no Verilator; apt-get install verilator"
    finish
fi
mkdir "$dir/sv"
{
    echo '`include "byw_typedef.svh"'
    echo 'package lint_pkg; `BYW_TYPEDEF(l1, 33, 128, 1, 16, 32, 6, 1) endpackage'
    echo 'module lint_top (input logic clk_i, output logic idle_o);'
    echo '  import lint_pkg::*;'
    echo '  l1_status_t status; l1_rsp_t rsp; l1_mem_req_t mem_req; logic [4:0] unused; logic [63:0] count;'
    echo '  assign idle_o = status.idle && &{1'"'"'b1, unused, count, rsp, mem_req, status};'
    echo '  byw_sm_l1_sv #(.LINE_W(33), .settings_t(l1_settings_t), .ctrl_t(l1_ctrl_t), .req_t(l1_req_t), .rsp_t(l1_rsp_t),'
    echo '    .mem_req_t(l1_mem_req_t), .mem_rsp_t(l1_mem_rsp_t), .status_t(l1_status_t)) u_cache (.clk_i(clk_i), .rst_i(1'"'"'b0),'
    echo "    .settings_i('0), .restart_i(1'b0), .ctrl_i('0), .req_valid_i(1'b0), .req_ready_o(unused[0]), .req_i('0),"
    echo "    .rsp_valid_o(unused[1]), .rsp_ready_i(1'b0), .rsp_o(rsp), .mem_req_valid_o(unused[2]), .mem_req_ready_i(1'b0),"
    echo "    .mem_req_o(mem_req), .mem_rsp_valid_i(1'b0), .mem_rsp_ready_o(unused[3]), .mem_rsp_i('0), .status_o(status),"
    echo "    .count_req_i(1'b0), .count_sel_i(8'd0), .count_valid_o(unused[4]), .count_data_o(count));"
    echo 'endmodule'
} >"$dir/sv/lint_top.sv"
lint() { # lint SOURCE
    local files
    mapfile -t files < <(sed '/^[#+]/d' rtl/byw_sm_l1.f)
    verilator --lint-only -Wall -Wno-DECLFILENAME --language 1364-2005 +1800-2012ext+sv -Irtl/include -Irtl/sv rtl/sv/byw_pkg.sv \
        rtl/sv/byw_sm_l1_sv.sv "${files[@]}" "$1" --top-module lint_top >"$dir/log" 2>&1
}
lint "$dir/sv/lint_top.sv"
result $? "Verilator reads the wrapper without a warning"
sed -i 's/BYW_TYPEDEF(l1, 33/BYW_TYPEDEF(l1, 32/' "$dir/sv/lint_top.sv"
lint "$dir/sv/lint_top.sv"
[ $? != 0 ] && grep -q 'byw_sm_l1_sv_req_t_must_come_from_BYW_TYPEDEF' "$dir/log"
result $? "structs of another width are refused by name"
finish
