#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_h200_advice.sh - loads with L1::no_allocate on `h200` against the times of a real H200
# (doc/results/h200_ratios.tsv): programs that gain there gain here.  Exit status 77 without the capture
# runtime or the workload.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
bin=$(realpath -m "${B:-build}/workloads")
needs_built libOpenCL.so.1 "$bin/streamcluster"
export BYWAY_CACHE=$dir/cache
echo '* * bypass' >"$dir/no_allocate"

cycles() { # cycles TRACE [OPTION...]
    by run -m h200 --trace "$1.bwt" "${@:2}" --json r.json
    sed -n 's/^ "cycles": \([0-9]*\),*$/\1/p' "$dir/r.json" | head -n 1
}
# Simulated time with L1::no_allocate, in percent of the time as compiled.
simulated() { # simulated PROGRAM SIZE LAUNCHES [OPTION...]
    by trace capture --launches "$3" -o "$1.bwt" -- "$bin/$1" --size "$2"
    echo $((100 * $(cycles "$1" "${@:4}" --advice no_allocate) / $(cycles "$1" "${@:4}")))
}
recorded() { # recorded PROGRAM COLUMN: its value in h200_ratios.tsv, in percent
    awk -F'\t' -v p="$1" -v c="$2" '$1 == p { print 100 * $c }' cmodel/doc/results/h200_ratios.tsv
}

# The times were measured after a buffer of 256 MB had been filled.
percent=$(simulated streamcluster paper 1-2 --set l2.launch_start=dirty)
measured=$(recorded streamcluster 5)
[ "$measured" -lt 97 ] && [ "$percent" -lt 97 ]
result $? "streamcluster_gains_when_the_l2_is_dirty: $percent %, measured $measured %"
finish
