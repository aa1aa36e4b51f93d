#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_arrows.sh - .ci/arrows.sh holds for the tree, and names each arrow that runs back in a copy of it.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/out")
page=cmodel/doc/architecture.md

refuses() { # refuses NAME LINE COMMAND...: in a copy that COMMAND breaks, one line, which begins with LINE
    local name=$1 line=$2
    shift 2
    rm -rf "$dir/tree"
    mkdir -p "$dir/tree"
    tar cf - --exclude=cmodel/traces --exclude=cmodel/workloads/*/* cmodel | tar xf - -C "$dir/tree"
    (cd "$dir/tree" && "$@")
    .ci/arrows.sh "$dir/tree" >"$dir/out" 2>&1
    [ $? = 1 ] && [ "$(wc -l <"$dir/out")" = 1 ] && [[ $(cat "$dir/out") == "$line"* ]]
    result $? "$name"
}
first_line() { # first_line FILE TEXT: puts it in front
    printf '%s\n' "$2" | cat - "$1" >"$1.new" && mv "$1.new" "$1"
}

.ci/arrows.sh >"$dir/out" 2>&1
result $? "no room includes what it may not know"
refuses "a policy that includes the cache" \
    'cmodel/policy/byw_bdu.c:1: policy includes l1d/byw_l1d.h; it may know record' \
    first_line cmodel/policy/byw_bdu.c '#include "l1d/byw_l1d.h"'
refuses "a list of common that includes the simulator's" \
    'cmodel/configs/byw_params.def:1: configs includes sim/byw_sched.h; it may know no other room' \
    first_line cmodel/configs/byw_params.def '#  include "sim/byw_sched.h"'
refuses "the model includes the simulator" \
    'cmodel/top/byw_stats.h:1: top includes sim/byw_gpu.h; it may know l1d' \
    first_line cmodel/top/byw_stats.h '#include "sim/byw_gpu.h"'
refuses "a room that the table does not have" \
    "$page: the table of rooms has no row for cmodel/attic/" mkdir cmodel/attic
refuses "a circle in the table" "$page: the arrows of the table make a circle" \
    sed -i 's/^| `common` \(.*\) `configs` |$/| `common` \1 `configs`, `sim` |/' "$page"
refuses "a page without the table" "$page: no table of rooms below \"## Rooms\"" \
    sed -i '/^## Rooms/d' "$page"
finish
