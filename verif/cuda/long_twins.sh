#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_twins.sh - ten workloads as CUDA programs pass their checks, and have the loads and stores of
# the OpenCL programs.
#
# Exit status 77 without the capture libraries or the workloads.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
twins=cmodel/workloads/twins
if [ ! -e "$B/lib/libcuda.so.1" ] || [ ! -x "$B/workloads/atax" ] || ! make -s B="$B" silicon-lib >/dev/null 2>&1; then
    skip_all "no $B/lib/libcuda.so.1 or no workloads; make opencl cuda workloads"
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache B SIZE=test
tap_logs=("$work/out" "$work/err")
for f in "$twins"/*.cu; do
    w=$(basename "$f" .cu)
    "$twins/twins.sh" "$w" >"$work/out" 2>"$work/err"
    result $? "$w: the twin finds the results right"
    grep -q "^$w $w\|^$w ${w}_" "$work/out"
    result $? "$w: its kernels are compared"
    ! awk 'NF == 10 && ($3 != $7 || $4 != $8 || $5 != $9 || $6 != $10)' "$work/out" | grep -q .
    result $? "$w: its loads, stores and sectors are those of the OpenCL program"
done
finish
