#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# t_smoke.sh - runs smoke.v on the L1D under Icarus Verilog, a second front end and simulator next to
# Verilator. Part of `make test`; alone: make rtl-smoke. Exit 1 on failure, 77 if iverilog is
# missing.
set -u
cd "$(dirname "$0")/../.."
B=${B:-build}
if ! command -v iverilog >/dev/null; then
    echo "1..0 # SKIP no Icarus Verilog: no second front end reads the RTL; apt-get install iverilog"
    exit 77
fi
mkdir -p "$B/cosim"
# shellcheck disable=SC2046 # one argument for each file
iverilog -g2005 -Wall -Irtl/include -s smoke -o "$B/cosim/smoke.vvp" verif/scenario/smoke.v \
    $(grep -v '^#' rtl/byw.f) 2>"$B/cosim/smoke.log" || { cat "$B/cosim/smoke.log"; exit 1; }
result=$(vvp -n "$B/cosim/smoke.vvp")
echo "$result"
case $result in
"PASS smoke"*) echo "ok 1 - smoke" ;;
*) echo "not ok 1 - smoke"; exit 1 ;;
esac
