#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_liberty.sh - `make synth-liberty`: area from a Liberty file of four cells is the sum of the
# cells that the circuit must have; a file that lacks a cell is refused.  Skipped where Yosys is
# missing.
set -u
cd "$(dirname "$0")/../.."
. verif/common/tap.sh
command -v yosys >/dev/null || skip_all "no Yosys: area from a Liberty file is not checked; apt-get install yosys"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/said")
library() { # library AREA_OF_NAND: prints a Liberty file (ABC also needs a buffer)
    cat <<END
library(tiny) {
  cell(BUF) { area: 1; pin(A) { direction: input; } pin(Y) { direction: output; function: "A"; } }
  cell(INV) { area: 0.5; pin(A) { direction: input; } pin(Y) { direction: output; function: "A'"; } }
  cell(NAND2) { area: $1; pin(A) { direction: input; } pin(B) { direction: input; }
    pin(Y) { direction: output; function: "(A*B)'"; } }
  cell(DFF) { area: 4.25; ff(IQ, IQN) { clocked_on: C; next_state: D; } pin(C) { direction: input; clock: true; }
    pin(D) { direction: input; } pin(Q) { direction: output; function: "IQ"; } }
}
END
}
echo 'module byw_case_nand (input clk, input [3:0] a, input [3:0] b, output reg [3:0] q); always @(posedge clk) q <= ~(a & b); endmodule' \
    >"$dir/byw_case_nand.v"
echo 'nand|byw_case_nand||generic|' >"$dir/units.txt"
area() { # area EXPECTED NAME: checks the area with $dir/tiny.lib
    B=$dir/b UNITS_TXT=$dir/units.txt SYNTH_EXTRA=$dir/byw_case_nand.v synth/liberty.sh "$dir/tiny.lib" nand >"$dir/said" 2>&1
    awk -v expected="$1" '$1 == "nand" && $2 + 0 == expected { found = 1 } END { exit !found }' "$dir/said"
    result $? "$2"
}
library 0.75 >"$dir/tiny.lib"
area 20 "four NANDs of 0.75 and four registers of 4.25"
library 1.5 >"$dir/tiny.lib"
area 23 "the same with NANDs of 1.5"
library 0.75 | sed '/DFF/,/IQ/d' >"$dir/tiny.lib"
B=$dir/b UNITS_TXT=$dir/units.txt SYNTH_EXTRA=$dir/byw_case_nand.v synth/liberty.sh "$dir/tiny.lib" nand >"$dir/said" 2>&1
[ $? = 1 ] && grep -q '^FAIL nand' "$dir/said"
result $? "a file without registers is refused"
finish
