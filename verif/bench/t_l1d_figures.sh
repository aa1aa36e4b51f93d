#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_l1d_figures.sh [write] - the latencies and rates of the Verilated L1D are exactly those of
# verif/bench/l1d_figures.tsv, so that a change of timing shows as changed lines in review, and
# those of the table in rtl/doc/verification.md; write (make figures-rtl): updates both.
set -u
B=${B:-build}
file=verif/bench/l1d_figures.tsv
. verif/common/tap.sh
command -v verilator >/dev/null ||
    skip_all "no Verilator: the latencies of the RTL are not checked; apt-get install verilator"
[[ ${MAKEFLAGS-} != *fsanitize* ]] ||
    skip_all "a build with sanitizers, and the lock-step programs are C++ in part; make test runs them"
mkdir -p "$B/test"
now=$B/test/l1d_figures.tsv
make -s B="$B" "$B/cosim/l1d_micro_fermi" "$B/cosim/l1d_micro_beats" "$B/cosim/l1d_micro_sectored" >"$now.log" 2>&1 || {
    tail -n 40 "$now.log"
    echo "not ok 1 - the microbenchmarks build"
    exit 1
}
{
    echo "# Latencies and rates of the Verilated L1D, compared exactly by t_l1d_figures.sh; written by \`make figures-rtl\`."
    printf 'cache\twhat\tcycles\trequests\n'
    "$B/cosim/l1d_micro_fermi" --figures
    "$B/cosim/l1d_micro_beats" --figures
    "$B/cosim/l1d_micro_sectored" --figures
} >"$now" || { tail -n 3 "$now"; echo "not ok 1 - the microbenchmarks run"; exit 1; }
if [ "${1:-}" = write ]; then
    cp "$now" "$file"
    exit 0
fi
diff "$file" "$now" >"$now.diff" || echo "after a change of timing: make figures-rtl" >>"$now.diff"
tap_logs=("$now.diff")
cmp -s "$file" "$now"
result $? "latencies and rates are those of $file"

# The page lists cycles per request below "L1D fermi", "L1D beats" and "L1D sectored", each followed
# by its target.
page=rtl/doc/verification.md
awk -F'\t' '!/^#/ && $1 != "cache" { printf "%s %s %.2f\n", $1, $2, $3 / $4 }' "$file" >"$now.want"
sed -n '/^L1D fermi /,/^lock step/p' "$page" |
    awk '/^L1D / { cache = $2; next } /^lock step/ { exit }
         match($0, /  +[0-9]+\.[0-9][0-9]/) {
             cycles = substr($0, RSTART, RLENGTH); sub(/^ +/, "", cycles)
             print cache, substr($0, 1, RSTART - 1), cycles
         }' >"$now.page"
diff "$now.want" "$now.page" >"$now.diff"
result $? "$page has the figures of $file"
finish
