#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# smoke.sh - runs smoke.v on the L1D under Icarus Verilog: another front end than Verilator's reads the
# RTL and another kernel runs it.  Skipped where iverilog is missing.  Exit 1 when it fails.
set -u
cd "$(dirname "$0")/../.."
B=${B:-build}
if ! command -v iverilog >/dev/null; then
    echo "rtl-smoke skipped: no iverilog (apt-get install iverilog)"
    exit 0
fi
mkdir -p "$B/cosim"
# shellcheck disable=SC2046 # one argument for each file
iverilog -g2005 -Wall -Irtl/include -s smoke -o "$B/cosim/smoke.vvp" verif/scenario/smoke.v \
    $(grep -v '^#' rtl/byw.f) 2>"$B/cosim/smoke.log" || { cat "$B/cosim/smoke.log"; exit 1; }
result=$(vvp -n "$B/cosim/smoke.vvp")
echo "$result"
case $result in "PASS smoke"*) exit 0 ;; *) exit 1 ;; esac
