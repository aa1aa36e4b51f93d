#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prove_units.sh [MODULE NAME=VALUE...] - proves the assertions that units carry (rtl/doc/checks.md), each unit alone
# in a small geometry, with resets at any time: 12 cycles from the first reset by yosys-smtbmc with z3, then for all
# time by induction where that finds a proof within 20 s.  What a unit needs of its inputs is assumed.  SRC: the folder
# whose rtl is proved (default: this one).  One line per unit; exit 1 if an assertion fails.
set -u
cd "$(dirname "$0")/../.."
dir=${B:-build}/formal
mkdir -p "$dir"
dir=$(realpath "$dir")
cd "${SRC:-.}" || exit 2
failed=0
prove() { # prove MODULE NAME=VALUE...
    module=$1
    shift
    set=
    for p in "$@"; do set="$set -set ${p%%=*} ${p#*=}"; done
    base=$dir/unit_$module
    rm -f "$base.smt2"
    yosys -q -p "read_verilog -formal -DBYW_ASSERT_FORMAL -DBYW_ASSUME_INPUTS -Irtl/include $(synth/files.sh "$module")
        ${set:+chparam$set $module}
        hierarchy -check -top $module; prep -top $module -flatten; memory_map; opt -full; dffunmap
        setundef -undriven -anyseq; setundef -anyseq; write_smt2 -wires $base.smt2" >"$base.log" 2>&1
    if ! yosys-smtbmc --noprogress -s z3 -t 12 "$base.smt2" >>"$base.log" 2>&1; then
        echo "FAIL $module: its assertions, see $base.log"
        failed=1
    elif timeout 20 yosys-smtbmc --noprogress -s z3 -i -t 6 "$base.smt2" >>"$base.log" 2>&1; then
        echo "PASS $module: its assertions, all time, by induction (z3)"
    else
        echo "PASS $module: its assertions, 12 cycles from reset (z3)"
    fi
}
if [ $# != 0 ]; then
    prove "$@"
    exit $failed
fi
prove byw_id_pool N=3
prove byw_rsp_arb
prove byw_miss_queue MISS_DEPTH=2 BYPASS_DEPTH=1 ENTRY_W=1
prove byw_order ORDER=1 IN_FLIGHT=2 LINE_W=1 ID_W=2
prove byw_l1d_walk SETS=2 DATA_WAYS=2
exit $failed
