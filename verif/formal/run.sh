#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh "once" "four" "default" - `make formal`: programs that need one run, programs whose seeds 1
# to 4 choose settings, programs run with seed 1 only; then every verif/formal/*_props.v, and the
# assertions of units (prove_units.sh) and what they do with the bytes (prove_bytes.sh).  Last line
# "N passed, N failed".
set -u
cd "$(dirname "$0")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{
    for p in $1 $3; do "$p" 1; done
    for p in $2; do for seed in 1 2 3 4; do "$p" $seed; done; done
    verif/formal/prove_props.sh $(ls verif/formal/*_props.v | sed 's#.*/##; s#_props.v##')
    verif/formal/prove_units.sh
    verif/formal/prove_bytes.sh
    verif/formal/prove_bytes.sh -f
} | tee "$log"
passed=$(grep -c '^PASS' "$log")
failed=$(grep -c '^FAIL' "$log")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
