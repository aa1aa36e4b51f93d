#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_filelists.sh - the file lists of levels and adapters follow from rtl/byw.f and adapters.f. Each list has all files that
# its top module needs and no others, and files.sh -f prints it from any folder; the check detects a stale list. The
# instance in rtl/doc/integrate.md has every port of byw_sm_l1 and passes lint. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder log

verif/common/filelists.sh check >"$dir/log"
result $? "rtl/byw_l1d.f, byw_sm_l1.f, byw_cluster.f and those of the adapters are made from rtl/byw.f and adapters.f"
mkdir -p "$dir/tree/fpga"
cp -R rtl "$dir/tree/"
cp -R fpga/adapters "$dir/tree/fpga/"
sed -i '/byw_order[.]v/d' "$dir/tree/rtl/byw_l1d.f"
! TREE=$dir/tree verif/common/filelists.sh check >"$dir/log" 2>&1 &&
    grep -q 'byw_l1d.f is stale: make rtl-lists' "$dir/log"
result $? "a list that lacks a file is detected"
! grep -qE 'byw_(csr|stats|two_level|dbi)[.]v' rtl/byw_l1d.f && ! grep -qE 'byw_(csr|cluster|dbi)[.]v' rtl/byw_sm_l1.f
result $? "a level has no file of the levels above it"
if command -v iverilog >/dev/null; then
    for set in byw_l1d:ORDER=1 byw_l1d:ALLOC=1 byw_sm_l1:ORDER=2 byw_sm_l1:ALLOC=1 byw_cluster:SMS=2; do
        top=${set%%:*}
        iverilog -g2005 -Wall -tnull -P"$top.${set#*:}" -s "$top" -c "rtl/$top.f" >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]
        result $? "$top with ${set#*:} elaborates from its list alone"
    done
    for list in fpga/adapters/byw_*.f; do
        top=${list##*/}
        iverilog -g2005 -Wall -tnull -s "${top%.f}" -c "$list" >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]
        result $? "${top%.f} elaborates from its list alone"
    done
    for top in byw_cluster byw_tilelink_mem; do
        synth/files.sh -f $top >"$dir/any.f" && (cd "$dir" && iverilog -g2005 -Wall -tnull -s $top -c any.f) >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]
        result $? "$top elaborates in another folder from the list of files.sh -f"
    done
fi
! synth/files.sh byw_nothing >"$dir/out" 2>"$dir/log" && [ ! -s "$dir/out" ] && grep -q "no module 'byw_nothing'; expected" "$dir/log"
result $? "files.sh refuses a module that does not exist with a sentence"

awk '/^```verilog my_l1[.]v$/ { on = 1; next } /^```$/ { on = 0 } on' rtl/doc/integrate.md >"$dir/my_l1.v"
grep -oE '[.][a-z_]+_[io]\(' "$dir/my_l1.v" | tr -d '.(' | LC_ALL=C sort >"$dir/tied"
sed -n '/^) ($/,/^);$/p' rtl/top/byw_sm_l1.v | sed 's://.*::' | grep -oE '[a-z_]+_[io]\b' | LC_ALL=C sort >"$dir/ports"
[ -s "$dir/ports" ] && diff "$dir/ports" "$dir/tied" >"$dir/log"
result $? "the instance of integrate.md has every port"
if command -v iverilog >/dev/null; then
    iverilog -g2005 -Wall -tnull -s my_l1 -c rtl/byw_sm_l1.f "$dir/my_l1.v" >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]
    result $? "the instance elaborates"
fi
if command -v verilator >/dev/null; then
    verilator --lint-only -Wall --language 1364-2005 --top-module my_l1 -f rtl/byw_sm_l1.f "$dir/my_l1.v" >"$dir/log" 2>&1
    result $? "Verilator does not warn about the instance"
fi
finish
