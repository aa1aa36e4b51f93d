#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_rtl_ranges.sh - parameters out of range stop the elaboration of the RTL with a message that
# names the module, the parameter and its range. One check for each row of ranges.txt and each tool
# of TOOLS (default iverilog; `make rtl-lint` uses all three), and one that ranges.txt has every
# range check of the RTL.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v iverilog >/dev/null ||
    skip_all "no Icarus Verilog: the ranges are not checked; apt-get install iverilog"
mapfile -t files < <(cat rtl/byw.f fpga/adapters/adapters.f | grep -v '^#')
log=$(mktemp)
trap 'rm -f "$log"' EXIT
tap_logs=("$log")

elaborate() { # tool, module, NAME=value...; into $log
    local tool=$1 top=$2 set=()
    shift 2
    case $tool in
    iverilog)
        set=("${@/#/-P$top.}")
        iverilog -g2005 -tnull -Irtl/include "${set[@]}" -s "$top" "${files[@]}"
        ;;
    verilator)
        set=("${@/#/-G}")
        verilator --lint-only --language 1364-2005 -Wno-fatal -Irtl/include "${set[@]}" \
            --top-module "$top" "${files[@]}"
        ;;
    yosys)
        set=("${@/#/-chparam }")
        yosys -q -p "read_verilog -Irtl/include ${files[*]}; \
            hierarchy -check -top $top ${set[*]//=/ }"
        ;;
    esac >"$log" 2>&1
}

while IFS='|' read -r module values name; do
    case $module in '#'*) continue ;; esac
    # shellcheck disable=SC2086 # a list
    for tool in ${TOOLS:-iverilog}; do
        ! elaborate "$tool" "$module" $values && grep -q "$name" "$log"
        result $? "$tool refuses $module with $values"
    done
done <verif/cosim/ranges.txt

# A check that no parameter can trigger needs no row: it compares the RTL with its generated
# constants.
missing=$(grep -ho '[a-z0-9_A-Z]* u_error ()' "${files[@]}" | sed 's/ u_error.*//' | sort -u |
    grep -v '_must_have_a_bit_per_event$' | while read -r name; do
    grep -q "|$name\$" verif/cosim/ranges.txt || echo "$name"
done)
echo "$missing" >"$log"
[ -z "$missing" ]
result $? "every range check of the RTL has a row"
finish
