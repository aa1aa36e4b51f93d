#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# capture_cost.sh - the cost of capturing: processor time of a captured benchmark divided by its
# time on PoCL with one thread, both with their kernels compiled beforehand.
#
#     verif/opencl/capture_cost.sh [--size test|small|paper] [BENCHMARK ...]
#
# Prints a table; exit status 1 if a ratio reaches LIMIT (60), 77 if something is missing.
set -u
B=${B:-build}
LIMIT=${LIMIT:-60}
size=small
if [ "${1:-}" = --size ]; then
    size=$2
    shift 2
fi
list=${*:-$(cd "$B/workloads" && ls | grep -v '\.d$')}
if ! ls /etc/OpenCL/vendors/pocl.icd >/dev/null 2>&1 || [ ! -e "$B/lib/libOpenCL.so.1" ]; then
    echo "capture_cost: needs PoCL (pocl-opencl-icd) and $B/lib/libOpenCL.so.1; skipped" >&2
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
TIMEFORMAT='%U %S'

# Processor time of a command in seconds, or "failed".
seconds() {
    local spent
    spent=$({ time "$@" >/dev/null 2>"$work/errors" || echo failed >&2; } 2>&1)
    case $spent in
    *failed*) echo failed ;;
    *) echo "$spent" | awk '{ print $1 + $2 }' ;;
    esac
}

bad=0
printf '%-16s %10s %10s %8s\n' benchmark "PoCL s" "capture s" ratio
for name in $list; do
    program=$B/workloads/$name
    plain=(env POCL_MAX_PTHREAD_COUNT=1 "$program" --size "$size")
    traced=("$B/byway" trace capture -o "$work/trace.bwt" -- "$program" --size "$size")
    seconds "${plain[@]}" >/dev/null
    seconds "${traced[@]}" >/dev/null
    p=$(seconds "${plain[@]}")
    t=$(seconds "${traced[@]}")
    if ! awk -v n="$name" -v p="$p" -v t="$t" -v limit="$LIMIT" 'BEGIN {
        if (p == "failed" || t == "failed") { printf "%-16s %10s %10s\n", n, p, t; exit 1 }
        r = t / (p > 0.001 ? p : 0.001)
        printf "%-16s %10.3f %10.3f %8.1f\n", n, p, t, r
        exit r >= limit }'; then
        bad=1
    fi
done
exit $bad
