#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh "seeds" programs... - runs every lock-step program with every seed; last line "N passed, N failed".
set -u
seeds=$1
shift
passed=0
failed=0
for program in "$@"; do
    for seed in $seeds; do
        if "$program" "$seed"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
