#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_l1d.sh - a very small cache answers each request once and within a bound, for all time
# (prove_l1d.sh); a change of the RTL may need other lemmas in l1d_lemmas.in.  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v yosys >/dev/null || skip_all "no Yosys: nothing is proved; apt-get install yosys"
command -v berkeley-abc >/dev/null || command -v yosys-abc >/dev/null ||
    skip_all "no ABC: nothing is proved; apt-get install berkeley-abc"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/log")

while read -r verdict words; do
    echo "$words" >"$dir/log"
    [ "$verdict" = PASS ]
    result $? "$words"
done < <(B=$dir verif/formal/prove_l1d.sh 2>&1)
finish
