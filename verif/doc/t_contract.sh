#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_contract.sh - .ci/contract.sh: every obliging sentence of the contract pages has a row with checks that exist, and
# a sentence without a row, a row without a sentence and a check that does not exist are found. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
tap_folder said
.ci/contract.sh >"$dir/said" 2>&1
result $? "every sentence that obliges has a row"

found() { # found WORDS SED NAME: after the change of the table, WORDS are said
    sed -E "$2" rtl/doc/contract.md >"$dir/contract.md"
    ! cmp -s "$dir/contract.md" rtl/doc/contract.md && ! TABLE=$dir/contract.md .ci/contract.sh >"$dir/said" 2>&1 && grep -q "$1" "$dir/said"
    result $? "$3"
}
found 'handshake.md: no row' '/^\| handshake[.]9 /d' "a sentence without a row is found"
found 'is not a sentence of csr.md' '/^\| csr[.]1 /s/Errors are/Errors were/' "a row whose sentence has changed is found"
found 'does not exist: scenario 199' '/^\| ordering[.]1 /s/scenario 102/scenario 199/' "a scenario that does not exist is found"
found 'does not exist: t_csr.c:nothing' '/^\| csr[.]1 /s/t_csr.c:[a-z_]+/t_csr.c:nothing/' "a test that does not exist is found"
found 'does not exist: byw_lanes.never' 's/byw_lanes.slot_shown_stays/byw_lanes.never/' "an assertion that does not exist is found"
found 'names no check' '/^\| lanes[.]1 /s/not a promise: /perhaps /' "a row without a check is found"
finish
