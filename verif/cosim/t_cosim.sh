#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_cosim.sh - the RTL units in lock step with their C twins, and the scenarios, as part of `make
# test`: one check per program and seed, two seeds. `make test-all` runs four seeds and adds the
# programs of COSIM_LONG; `make cosim` runs the L1D for longer, `make soak` ten times that, `make
# formal` the exhaustive searches (all_*). Skipped if Verilator is missing.
set -u
B=${B:-build}
. verif/common/tap.sh
command -v verilator >/dev/null ||
    skip_all "no Verilator: the RTL is not checked; apt-get install verilator"
[[ ${MAKEFLAGS-} != *fsanitize* ]] ||
    skip_all "a build with sanitizers, and the lock-step programs are C++ in part; make test runs them"
jobs=$(nproc)
make -s -j"$jobs" B="$B" cosim-quick >"$B/cosim.build.log" 2>&1 || {
    tail -n 40 "$B/cosim.build.log"
    echo "not ok 1 - the lock-step programs build"
    exit 1
}
seeds="1 2" cycles=100000
! in_test_all || { seeds="1 2 3 4" cycles=320000; }
programs=$(make -s B="$B" cosim-programs)
# shellcheck disable=SC2086 # paths without blanks
L1D_CYCLES=$cycles exec verif/cosim/run.sh -t -j "$jobs" "${SEEDS:-$seeds}" $programs
