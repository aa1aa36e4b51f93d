#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_runtime.sh - the runtime libraries of both versions: registered kernels and variables, refusals of
# absurd launches, the sentence about a kernel that cannot run.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcudart.so.13 "$B/verif/cuda/cu_runtime13"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/out" "$work/err")

for version in 12 13; do
    LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_runtime$version" >"$work/out" 2>"$work/err"
    while read -r status name; do
        [ "$status" = ok ]
        result $? "runtime $version: $name"
    done < <(sed 's/^not ok/not_ok/' "$work/out")
    grep -q "kernel odd cannot run: it uses tcgen05.wait::ld.sync.aligned (PTX line 43), which byway does not support; code for sm_80 does not need it (Triton: BYWAY_DEVICE=a100)" "$work/err"
    result $? "runtime $version: the message names the instruction, its line and the remedy"
done
BYWAY_DEVICE=v100 LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_runtime13" 2>/dev/null | grep -q "not ok the device is an H200"
result $? "BYWAY_DEVICE chooses the device"
"$B/byway" trace capture -o "$work/t.bwt" -- "$B/verif/cuda/cu_runtime13" >/dev/null 2>&1
"$B/byway" trace info "$work/t.bwt" | grep -qE "^kernels, launches +2, 13$"
result $? "the trace has the launches that ran, and no others"
finish
