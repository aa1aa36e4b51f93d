#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_cosim.sh - the RTL units in lock step with their C twins, and the scenarios, as part of `make test`:
# one check for each program and seed.  Four seeds; `make cosim` runs the L1D for longer, `make soak` ten
# times that, `make formal` the exhaustive searches (all_*).  Skipped where Verilator is missing.
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
programs=$(make -s B="$B" cosim-programs | tr ' ' '\n' | grep -v '/all_')
# shellcheck disable=SC2086 # paths without blanks
L1D_CYCLES=250000 exec verif/cosim/run.sh -t -j "$jobs" "${SEEDS:-1 2 3 4}" $programs
