#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_units.sh - the assertions that modules carry are proved, and each module has a fault that one of them finds
# (prove_units.sh, units.txt).  `make test` takes a few modules, `make test-all` all of them.  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v yosys >/dev/null || skip_all "no Yosys: no assertion is proved; apt-get install yosys"
command -v berkeley-abc >/dev/null || command -v yosys-abc >/dev/null ||
    skip_all "no ABC: no assertion is proved; apt-get install berkeley-abc"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/log")
units=(byw_below byw_policy_grant byw_rsp_arb byw_id_pool)
in_test_all && units=()

said() { # said WORD...: turns each line of prove_units.sh into a test
    local verdict words lines=0
    while read -r verdict words; do
        echo "$words" >"$dir/log"
        [ "$verdict" = PASS ]
        result $? "$words"
        lines=$((lines + 1))
    done < <(B=$dir verif/formal/prove_units.sh "$@" 2>&1)
    [ $lines != 0 ]
    result $? "there are units to prove"
}
said "${units[@]}"
said -f "${units[@]}"

verif/check/count.sh >/dev/null 2>"$dir/log"
result $? "every module of the RTL states a guarantee"
cut -s -d@ -f1,4 verif/formal/units.txt | sed -n 's/\(byw_[a-z0-9_]*\)@..*/\1/p' | sort -u >"$dir/broken"
cut -s -d@ -f1 verif/formal/units.txt | grep '^byw_' | sort -u | grep -vxF -f "$dir/broken" >"$dir/log"
[ ! -s "$dir/log" ]
result $? "every module that is proved has a fault"
finish
