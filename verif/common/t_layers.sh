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
new_file() { # new_file FILE: makes it and its folder
    mkdir -p "$(dirname "$1")" && echo 'int a;' >"$1"
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
    "$page: the table of layers has no row for cmodel/attic/" new_file cmodel/attic/byw_a.c
refuses "a subfolder without a row is named" \
    "$page: the table of layers has no row for cmodel/study/attic/" new_file cmodel/study/attic/byw_a.c
refuses "a run that includes what compares runs is named" \
    'cmodel/study/job/byw_job.c:1: study/job includes study/compare/byw_compare.h; it may use sim/gpu' \
    first_line cmodel/study/job/byw_job.c '#include "study/compare/byw_compare.h"'
refuses "a launch that includes the compiler is named" \
    'cmodel/capture/run/byw_cl_run.c:1: capture/run includes capture/compile/byw_cl_scan.h; it may use capture' \
    first_line cmodel/capture/run/byw_cl_run.c '#include "capture/compile/byw_cl_scan.h"'
refuses "a format that includes what opens traces is named" \
    'cmodel/trace/bwt/byw_trace_bwt.c:1: trace/bwt includes trace/file/byw_trace.h; it may use trace' \
    first_line cmodel/trace/bwt/byw_trace_bwt.c '#include "trace/file/byw_trace.h"'
refuses "a cycle in the table is refused" "$page: the table of layers has a cycle" \
    sed -i 's/^| `model\/common` \(.*\) `configs` |$/| `model\/common` \1 `configs`, `sim\/gpu` |/' "$page"
refuses "a page without the table is refused" "$page: no table of layers below \"## Layers\"" \
    sed -i '/^## Layers/d' "$page"
finish
