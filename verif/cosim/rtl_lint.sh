#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# rtl_lint.sh - every module of rtl/byw.f as top through Icarus, Verilator and Yosys, warnings being
# errors.  Arguments: modules to look at instead of all.  Exit 1 when a tool complains.
set -u
cd "$(dirname "$0")/../.."
files=$(grep -v '^#' rtl/byw.f)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
passed=0
check() { # name of the tool, then the command; any output counts as a complaint
    tool=$1
    shift
    if "$@" >"$log" 2>&1 && [ ! -s "$log" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$tool: $top"
        head -n 20 "$log"
    fi
}
for top in ${*:-$(for f in $files; do basename "$f" .v; done)}; do
    check iverilog iverilog -g2005 -Wall -tnull -Irtl/include -s "$top" $files
    check verilator verilator --lint-only -Wall --language 1364-2005 -Irtl/include \
        --top-module "$top" $files
    check yosys yosys -q -p \
        "read_verilog -Irtl/include $(echo $files); hierarchy -check -top $top; proc; check -assert"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
