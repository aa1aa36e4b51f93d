#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_calls.sh - the driver links PTX, makes tensor maps, has memory pools, and reports attributes of addresses and
# functions, as Python's packages need.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libnvJitLink.so.13 "$B/verif/cuda/cu_calls"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/out" "$work/err")

LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_calls" >"$work/out" 2>"$work/err"
while read -r status name; do
    [ "$status" = ok ]
    result $? "$name"
done < <(sed 's/^not ok/not_ok/' "$work/out")
grep -q "a.cubin: the module is machine code (a cubin) without PTX" "$work/err"
result $? "the message names the input without PTX"
objects=$(find "$work/cache" -name '*.so' | wc -l)
[ "$objects" = 5 ]
result $? "a large module's kernels are compiled when they are first launched"
grep -q "kernel odd cannot run: it uses tcgen05" "$work/err"
result $? "a large module's kernel that cannot run is named when it is launched"
"$B/byway" trace capture --launches 2-2 -o "$work/t.bwt" -- "$B/verif/cuda/cu_calls" >"$work/out" 2>"$work/err"
! grep -q "^not ok" "$work/out" && [ "$("$B/byway" trace info "$work/t.bwt" | awk '/^kernels, launches/ { print $4 }')" = 1 ]
result $? "a large module's kernels run with and without a trace in one capture"
finish
