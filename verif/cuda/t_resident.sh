#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_resident.sh - the blocks of a cooperative grid are resident together, as many as the occupancy
# times the SMs; traces that exceed memory wait on disk and are the same.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_resident"
tap_folder out err
export BYWAY_CACHE=$dir/cache

capture() { # capture MEGABYTES ROUNDS THREADS MORE
    BYWAY_MEMORY=$1 "$B/byway" trace capture -o "$dir/$1.bwt" -- "$B/verif/cuda/cu_resident" "$2" "$3" "$4" >"$dir/out" 2>"$dir/err"
}

capture 1024 0 672 0
grep -q '^error 0, 0 of 396 blocks wrong, memory bounded$' "$dir/out"
result $? "396 blocks of 672 threads wait for each other"
"$B/byway" trace info "$dir/1024.bwt" 2>"$dir/err" | grep -qE '^CTAs, warps +396, 8316$'
result $? "their trace has all of them"
capture 1024 0 672 1
grep -q '^error 720, ' "$dir/out"
result $? "one block more is refused as too large"
"$B/byway" trace capture -o "$dir/calls.bwt" -- "$B/verif/cuda/cu_resident" calls >"$dir/out" 2>"$dir/err"
grep -q '^error 0, 0 of 256 elements wrong, ' "$dir/out"
result $? "the device runtime's calls for cooperative grids, as Numba makes them"
grep -q ', occupancy 32$' "$dir/out"
result $? "a kernel that cannot run has an occupancy, so that the program gets to its launch"

if in_test_all; then
    for megabytes in 1024 64; do
        capture "$megabytes" 300 1024 0
        grep -q '^error 0, 0 of 264 blocks wrong, memory bounded$' "$dir/out"
        result $? "264 traces of 3 MB, of which $megabytes MB may be in memory"
        "$B/byway" trace info "$dir/$megabytes.bwt" 2>"$dir/err" | grep -vE '^trace|^format|in the file' >"$dir/$megabytes"
    done
    cmp -s "$dir/1024" "$dir/64"
    result $? "traces that waited on disk have the same instructions and sectors"
fi
finish
