#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_layers.sh - .ci/layers.sh passes on the tree, and names each upward include in a changed copy of
# it.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder out
page=cmodel/doc/architecture.md

refuses() { # refuses NAME LINE COMMAND...: in a copy broken by COMMAND, prints one line, which begins with LINE
    local name=$1 line=$2
    shift 2
    rm -rf "$dir/tree"
    mkdir -p "$dir/tree"
    tar cf - --exclude=cmodel/traces --exclude=cmodel/workloads/*/* cmodel | tar xf - -C "$dir/tree"
    (cd "$dir/tree" && "$@")
    .ci/layers.sh "$dir/tree" >"$dir/out" 2>&1
    [ $? = 1 ] && [ "$(wc -l <"$dir/out")" = 1 ] && [[ $(cat "$dir/out") == "$line"* ]]
    result $? "$name"
}
first_line() { # first_line FILE TEXT: inserts TEXT as the first line
    printf '%s\n' "$2" | cat - "$1" >"$1.new" && mv "$1.new" "$1"
}

.ci/layers.sh >"$dir/out" 2>&1
result $? "every include is allowed by the table of layers"
refuses "a policy that includes the cache is named" \
    'cmodel/model/policy/byw_bdu.c:1: model/policy includes l1d/byw_l1d.h; it may use model/record' \
    first_line cmodel/model/policy/byw_bdu.c '#include "l1d/byw_l1d.h"'
refuses "a configuration that includes the simulator is named" \
    'cmodel/configs/byw_params.def:1: configs includes sim/sm/byw_sched.h; it may use no other layer' \
    first_line cmodel/configs/byw_params.def '#  include "sim/sm/byw_sched.h"'
refuses "a model that includes the simulator is named" \
    'cmodel/model/top/byw_stats.h:1: model/top includes sim/gpu/byw_gpu.h; it may use model/registry' \
    first_line cmodel/model/top/byw_stats.h '#include "sim/gpu/byw_gpu.h"'
refuses "a folder without a row is named" \
    "$page: the table of layers has no row for cmodel/attic/" mkdir cmodel/attic
refuses "a cycle in the table is refused" "$page: the table of layers has a cycle" \
    sed -i 's/^| `model\/common` \(.*\) `configs` |$/| `model\/common` \1 `configs`, `sim` |/' "$page"
refuses "a page without the table is refused" "$page: no table of layers below \"## Layers\"" \
    sed -i '/^## Layers/d' "$page"
finish
