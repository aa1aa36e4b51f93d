#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_mbarrier.sh - barriers in shared memory (mbarrier), bulk copies, tensor maps and clusters of one block
# follow the rules of the PTX ISA; waits that never end and clusters of several blocks are reported.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_mbarrier"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/out" "$work/err")

LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_mbarrier" >"$work/out" 2>"$work/err"
while read -r status name; do
    [ "$status" = ok ]
    result $? "$name"
done < <(sed 's/^not ok/not_ok/' "$work/out")
[ "$(grep -c . "$work/out")" = 27 ]
result $? "all rules were checked"
finish
