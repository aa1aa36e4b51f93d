#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_rand.sh - byway's cuRAND gives the published sequences, and its kernels are traced.
#
#     verif/cuda/t_rand.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
if [ ! -e "$B/lib/libcurand.so.10" ] || [ ! -x "$B/verif/cuda/cu_rand" ]; then
    skip_all "no $B/lib/libcurand.so.10: clang, llvm-dev or libclc is missing; make deps-all"
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/errors")
"$B/byway" trace capture -o "$work/t.bwt" -- "$B/verif/cuda/cu_rand" >"$work/out" 2>"$work/errors"
result $? "a program that calls cuRAND is captured"
while read -r line; do
    [ "${line#not }" = "$line" ]
    result $? "${line#*ok }"
done <"$work/out"
[ "$(wc -l <"$work/out")" -ge 23 ]
result $? "every call was checked"
grep -q "curandGeneratePoisson: byway's cuRAND does not have this call" "$work/errors"
result $? "a missing call is one sentence with its name"
"$B/byway" trace info --sites "$work/t.bwt" 2>"$work/errors" | grep xorwow >"$work/found"
result $? "the trace has the kernels by name"
finish
