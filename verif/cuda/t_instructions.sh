#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_instructions.sh - PTX instructions give the values of instructions.tsv and comparisons.tsv, which were worked out with
# exact arithmetic: rounding in all directions, saturation, NaN, subnormal numbers, shifts past the
# width.  One check per opcode.  Chains with the carry flag give the sums of 128-bit integers.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_instructions" "$B/verif/cuda/cu_carries"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache LD_LIBRARY_PATH=$B/lib
tap_logs=("$work/wrong")

# One case a line: opcode, operands, result.
awk -F'\t' '/^#/ { next }
    { n = split($2, case_of, ";"); for (i = 1; i <= n; i++) { sub(/=/, "\t", case_of[i]); print $1 "\t" case_of[i] } }' \
    verif/cuda/instructions.tsv >"$work/instructions.tsv"
for table in "$work/instructions.tsv" verif/cuda/comparisons.tsv; do
    "$B/verif/cuda/cu_instructions" $table >"$work/out" 2>&1
    grep -q "^$(grep -vc '^#' $table) rows, " "$work/out"
    result $? "every row of $(basename $table) runs"
    while read -r name; do
        grep "^$name[. ]" "$work/out" >"$work/wrong"
        [ ! -s "$work/wrong" ]
        result $? "$name gives the exact values"
    done < <(grep -v '^#' $table | sed 's/[.\t].*//' | sort -u)
done
most=3
in_test_all && most=4
"$B/verif/cuda/cu_carries" $most >"$work/wrong" 2>&1
result $? "chains of 2 to $most of add, addc, sub, subc, mad and madc with carries give the exact values"
finish
