#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_matrix.sh - wmma in all shapes and types, mma of double precision, single bits and FP8, and sparse mma
# give the products that plain C gives.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_matrix" "$B/verif/cuda/cu_sparse"
tap_folder out err
export BYWAY_CACHE=$dir/cache

LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_matrix" "$(in_test_all && echo all)" >"$dir/out" 2>"$dir/err"
LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_sparse" >>"$dir/out" 2>>"$dir/err"
while read -r status name; do
    [ "$status" = ok ]
    result $? "$name"
done < <(sed 's/^not ok/not_ok/' "$dir/out")
[ "$(grep -c . "$dir/out")" = 54 ]
result $? "all products were reached"
finish
