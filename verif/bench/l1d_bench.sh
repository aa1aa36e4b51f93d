#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# l1d_bench.sh - builds and runs the microbenchmarks of the L1D, then measures the speed of its lock
# step: at least 300,000 cycles per second of processor time on one core. Exit 1 if a target is
# missed.
set -u
cd "$(dirname "$0")/../.."
B=${B:-build}
if ! command -v verilator >/dev/null; then
    echo "no microbenchmarks of the RTL without Verilator (apt-get install verilator)"
    exit 0
fi
make -s B="$B" "$B/cosim/l1d_micro_fermi" "$B/cosim/l1d_micro_beats" "$B/cosim/l1d_micro_sectored" "$B/cosim/l1d_fermi" || exit 2
bad=0
"$B/cosim/l1d_micro_fermi" || bad=1
"$B/cosim/l1d_micro_beats" || bad=1
"$B/cosim/l1d_micro_sectored" || bad=1
cycles=1000000
target=300000
best=0
for seed in 1 2 3; do # the best of three: other programs may disturb one
    seconds=$({ TIMEFORMAT=%U; time "$B/cosim/l1d_fermi" $seed $cycles >/dev/null; } 2>&1) || exit 1
    rate=$(echo "$cycles $seconds" | awk '{ printf "%d", $1 / $2 }')
    [ "$rate" -gt $best ] && best=$rate
done
verdict=ok
[ $best -ge $target ] || { verdict=MISSED; bad=1; }
printf '%-64s %8d %8d  %s\n' "lock step of l1d_fermi: cycles per second of one core" $best $target $verdict
exit $bad
