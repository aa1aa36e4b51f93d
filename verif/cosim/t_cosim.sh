#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_cosim.sh - the RTL units in lock step with their C twins, as part of `make test`: one check for each
# program and seed.  Two seeds; `make cosim` runs four, `make formal` the exhaustive searches (all_*).
# Skipped where Verilator is missing.
set -u
B=${B:-build}
if ! command -v verilator >/dev/null; then
    echo "1..0 # SKIP no Verilator (apt-get install verilator): the RTL is not checked"
    exit 77
fi
if [[ ${MAKEFLAGS-} == *fsanitize* ]]; then
    echo "1..0 # SKIP a build with sanitizers: the lock-step programs are C++ in part"
    exit 77
fi
jobs=$(nproc)
make -s -j"$jobs" B="$B" cosim-build >"$B/cosim.build.log" 2>&1 || {
    tail -n 40 "$B/cosim.build.log"
    echo "not ok 1 - the lock-step programs build"
    exit 1
}
n=1
bad=0
echo "ok 1 - the lock-step programs build"
for program in $(make -s B="$B" cosim-programs); do
    case $(basename "$program") in all_*) continue ;; esac
    for seed in ${SEEDS:-1 2}; do
        n=$((n + 1))
        name="$(basename "$program") seed $seed"
        if out=$("$program" "$seed" 2>&1); then
            echo "ok $n - $name"
        else
            bad=1
            echo "$out" | tail -n 30
            echo "not ok $n - $name; again: $program $seed"
        fi
    done
done
echo "1..$n"
exit $bad
