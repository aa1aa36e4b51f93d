#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_group.sh - matrix products of warpgroups (wgmma) give what plain C gives, in all types, swizzles and
# majors.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_group"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/out" "$work/err")

LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_group" >"$work/out" 2>"$work/err"
while read -r status name; do
    [ "$status" = ok ]
    result $? "a product of a warpgroup is right: $name"
done < <(sed 's/^not ok/not_ok/' "$work/out")
[ "$(grep -c . "$work/out")" = 23 ]
result $? "all products were checked"
finish
