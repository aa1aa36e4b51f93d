#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_blas.sh - byway's cuBLAS gives what plain C gives, and its kernels are traced.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcublas.so.13 "$B/verif/cuda/cu_blas13" "$B/verif/cuda/cu_blas64"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/errors")
for major in 64 12 13; do
    "$B/byway" trace capture -o "$work/t.bwt" -- "$B/verif/cuda/cu_blas$major" >"$work/out" 2>"$work/errors"
    result $? "a program that calls cuBLAS $major is captured" # 64: version 13 with 64-bit sizes
    # One line for each call that was checked; a call may occur several times, with different
    # shapes.
    grep -E '^(not )?ok ' "$work/out" >"$work/checks"
    sed -n 's/^\(not \)\{0,1\}ok \([^:]*\).*/\2/p' "$work/checks" | sort -u >"$work/names"
    while read -r name; do
        ! grep -qF "not ok $name" "$work/checks"
        result $? "cuBLAS $major: $name"
    done <"$work/names"
done
names=$(wc -l <"$work/names")
"$B/byway" trace capture -o "$work/lt.bwt" -- "$B/verif/cuda/cu_blaslt" >"$work/out" 2>"$work/lt_errors"
result $? "a program that calls cuBLASLt is captured"
while read -r status name; do
    [ "$status" = ok ]
    result $? "cuBLASLt: $name"
done < <(sed 's/^not ok/not_ok/' "$work/out")
for missing in "scaled matrices" "epilogues other than a bias, ReLU and GELU"; do
    grep -q "cublasLtMatmul: byway does not support products with $missing" "$work/lt_errors"
    result $? "what cuBLASLt does not have is named: $missing"
done
# Four warps read the seven columns of C, two each, in nine batches of two products; three batches
# add a bias.
"$B/byway" trace info --sites "$work/lt.bwt" 2>/dev/null >"$work/sites"
[ "$(awk '$1 == "sgemm" && $4 == 13 && $5 == "load" { print $7 }' "$work/sites")" = 72 ]
result $? "the matrix that is added to a product is read by its kernel"
[ "$(awk '$1 == "sgemm" && $4 == 25 && $5 == "load" { print $7 }' "$work/sites")" = 24 ]
result $? "a bias is read by the product's kernel"
"$B/byway" trace capture -o "$work/types.bwt" -- "$B/verif/cuda/cu_blas_types" >"$work/out" 2>"$work/types_errors"
result $? "a program that multiplies matrices of all types is captured"
while read -r status name; do
    [ "$status" = ok ]
    result $? "cuBLAS: $name"
done < <(sed 's/^not ok/not_ok/' "$work/out")
grep -q "cublasGemmEx: byway multiplies two matrices of one type (float, double, half," "$work/types_errors"
result $? "types that byway cannot multiply are named"
[ "$names" -ge 45 ]
result $? "every call was checked"
grep -q "cublasCgemv_v2 is not supported" "$work/errors"
result $? "a missing call is one sentence with its name"
"$B/byway" trace info --sites "$work/t.bwt" 2>"$work/errors" | grep dtrsm >"$work/found"
result $? "the trace has the kernels by name"
finish
