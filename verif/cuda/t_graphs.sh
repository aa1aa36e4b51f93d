#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_graphs.sh - graphs, mapped memory, arrays and copies of the driver give the values that a GPU
# gives.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_graphs"
tap_folder out err
export BYWAY_CACHE=$dir/cache

"$B/byway" trace capture -o "$dir/t.bwt" -- "$B/verif/cuda/cu_graphs" "$dir/graph" >"$dir/out" 2>"$dir/err"
while read -r status name; do
    [ "$status" = ok ]
    result $? "$name"
done < <(sed 's/^not ok/not_ok/' "$dir/out")
[ "$(grep -c . "$dir/out")" = 40 ]
result $? "all checks were reached"
[ "$(grep -cE '^byway: (a captured stream that writes a value|a texture has a border)' "$dir/err")" = 2 ] && [ "$(grep -c . "$dir/err")" = 2 ]
result $? "messages name what is refused, and nothing else"
finish
