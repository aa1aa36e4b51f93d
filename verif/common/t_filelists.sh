#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_filelists.sh - the file lists of the levels are what rtl/byw.f gives, nothing is missing from one and
# nothing in it is left over, and the check sees a stale one.  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/log")

verif/common/filelists.sh check >"$dir/log"
result $? "rtl/byw_l1d.f, byw_sm_l1.f and byw_cluster.f are made from rtl/byw.f"
mkdir "$dir/tree"
cp -R rtl "$dir/tree/"
sed -i '/byw_order[.]v/d' "$dir/tree/rtl/byw_l1d.f"
! TREE=$dir/tree verif/common/filelists.sh check >"$dir/log" 2>&1 &&
    grep -q 'byw_l1d.f is stale: make rtl-lists' "$dir/log"
result $? "a list without one of its files is seen"
! grep -qE 'byw_(csr|stats|two_level|dbi)[.]v' rtl/byw_l1d.f && ! grep -qE 'byw_(csr|cluster|dbi)[.]v' rtl/byw_sm_l1.f
result $? "a level has no file of the levels above it"
if command -v iverilog >/dev/null; then
    for set in byw_l1d:ORDER=1 byw_l1d:ALLOC=1 byw_sm_l1:ORDER=2 byw_sm_l1:ALLOC=1 byw_cluster:SMS=2; do
        top=${set%%:*}
        iverilog -g2005 -Wall -tnull -P"$top.${set#*:}" -s "$top" -c "rtl/$top.f" >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]
        result $? "$top with ${set#*:} elaborates from its list alone"
    done
fi
finish
