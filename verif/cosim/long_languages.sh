#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_languages.sh - common tools accept the RTL and the self-test of fpga/: as Verilog-2005 and as
# SystemVerilog in Icarus, Verilator and Yosys; with SYNTH=1 a small cache also goes through
# synthesis for Xilinx, Gowin and Intel. A missing tool is skipped.
set -u
cd "$(dirname "$0")/../.."
. verif/common/tap.sh
tap_folder log
mapfile -t files < <(grep -v '^#' rtl/byw.f)
files+=(fpga/byw_fpga_*.v)
have() { command -v "$1" >/dev/null; }
have iverilog || have verilator || have yosys || skip_all "no tool that reads Verilog; apt-get install iverilog yosys verilator"

# reads NAME COMMAND...: the tool reads everything without an error.
reads() {
    local name=$1
    shift
    "$@" >"$dir/log" 2>&1
    result $? "$name"
}
skipped() { # skipped NAME TOOL
    skip_check "$1" "no $2; apt-get install $2"
}

for standard in 2005 2012; do
    if have iverilog; then
        reads "Icarus -g$standard" iverilog "-g$standard" -tnull -Irtl/include -s byw_cluster -s byw_fpga_board "${files[@]}"
    else
        skipped "Icarus -g$standard" iverilog
    fi
done
if have verilator; then
    for language in "" "--language 1364-2005" "--language 1800-2017"; do
        # shellcheck disable=SC2086 # none or two words
        for top in byw_cluster $(! in_test_all || echo byw_fpga_board); do
            reads "Verilator $language $top" verilator --lint-only -Wno-fatal $language -Irtl/include --top-module $top "${files[@]}"
        done
    done
else
    skipped "Verilator" verilator
fi
if have yosys; then
    for option in "" -sv; do
        reads "Yosys read_verilog $option" yosys -q -p "read_verilog $option -Irtl/include ${files[*]}; hierarchy -check -top byw_cluster"
    done
    if [ -n "${SYNTH:-}" ]; then
        small="-chparam SETS 4 -chparam DATA_WAYS 2 -chparam TAG_WAYS 4 -chparam LINE_BYTES 32 -chparam MSHRS 4 -chparam MERGES 2
            -chparam TRACKERS 4 -chparam INDEX 0 -chparam PC_ENTRIES 16"
        for flow in "synth_xilinx -family xc7" synth_gowin "synth_intel_alm -family cyclonev"; do
            reads "$flow" synth/silicon.sh yosys -q -p "read_verilog -Irtl/include ${files[*]}
                hierarchy -check -top byw_sm_l1 ${small//$'\n'/ }
                $flow -top byw_sm_l1
                select -assert-none t:\$_DLATCH_?_"
        done
    fi
else
    skipped "Yosys" yosys
fi
finish
