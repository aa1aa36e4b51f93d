#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_bytes.sh - the units that carry bytes are proved for all time, and faults in them are found (prove_bytes.sh, bytes.txt).
# `make test` takes the fast rows and one fault of each property file, `make test-all` all of them. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v yosys >/dev/null || skip_all "no Yosys: no byte is proved; apt-get install yosys"
command -v berkeley-abc >/dev/null || command -v yosys-abc >/dev/null ||
    skip_all "no ABC: no byte is proved; apt-get install berkeley-abc"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/log")
export FAST=1
in_test_all && FAST=

for faults in "" -f; do
    lines=0
    while read -r verdict words; do
        echo "$words" >"$dir/log"
        [ "$verdict" = PASS ]
        result $? "$words"
        lines=$((lines + 1))
    done < <(B=$dir verif/formal/prove_bytes.sh $faults 2>&1)
    [ $lines != 0 ]
    result $? "there are rows${faults:+ with faults}"
done
finish
