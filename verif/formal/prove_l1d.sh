#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prove_l1d.sh - proves verif/formal/l1d_safety.v for all time by ABC's property-directed
# reachability, from registers and RAMs at zero.  A property that must be refuted shows that the
# environment's rules allow traffic.  SRC: the folder whose rtl is proved (default: this one).  One
# line per proof; exit 1 if one fails.
set -u
cd "$(dirname "$0")/../.."
dir=${B:-build}/formal
mkdir -p "$dir"
dir=$(realpath "$dir")
abc=$(command -v berkeley-abc || command -v yosys-abc)
. verif/formal/lower.sh
cd "${SRC:-.}" || exit 2
prove() { # prove NAME PROPERTIES WORDS MEANING [ASSERTION]: WORDS of the answer; ASSERTION: only that one
    yosys -q -p "read_verilog -formal -Irtl/include $(synth/files.sh byw_l1d | tr '\n' ' ') $2
        hierarchy -check -top l1d_safety; proc; $lower flatten; opt -full; memory_map; opt -full
        setundef -undriven -anyseq; setundef -anyseq; opt -full; techmap; opt -fast; dffunmap; opt_clean
        aigmap; opt_clean; write_aiger -zinit $dir/$1.aig" >"$dir/$1.log" 2>&1
    "$abc" -q "read_aiger $dir/$1.aig; fold; strash; ${5:+cone -s -O $5;} scorr; dc2; scorr; ${engine:-pdr -T ${LIMIT:-900}}" >>"$dir/$1.log" 2>&1
    if grep -q "$3" "$dir/$1.log"; then
        echo "PASS $1: $4"
    else
        echo "FAIL $1: $4, see $dir/$1.log"
        failed=1
    fi
}
failed=0
# refutes "no fill is ever accepted"
sed 's/if (rsp_valid) assert (due\[rsp_id\]);/assert (!told_fill);/' verif/formal/l1d_safety.v >"$dir/l1d_refuted.v"
prove l1d_refuted "$dir/l1d_refuted.v" "asserted in frame" "a fill does come (the rules leave room for traffic)"
prove l1d_answers verif/formal/l1d_safety.v "Property proved" "answers: all time (ABC pdr)" 0
# Bounded liveness: the third assertion, and the same with too small a bound, which must be refuted.
engine="bmc3 -F 20 -T ${LIMIT:-900}"
prove l1d_live verif/formal/l1d_safety.v "No output asserted in 20 frames" "all is answered after 10 quiet cycles: 20 cycles (ABC bmc3)" 2
sed 's/QUIET = 10/QUIET = 2/' verif/formal/l1d_safety.v >"$dir/l1d_hasty.v"
prove l1d_hasty "$dir/l1d_hasty.v" "asserted in frame" "not all is answered after 2 quiet cycles" 2
engine=
prove l1d_safety verif/formal/l1d_safety.v "Property proved" "answers, idle, leaks, numbers, stable: all time (ABC pdr)"
# Allocate on fill: a fill is answered two cycles later.
sed 's/    \.SETS(1),/    .ALLOC(1), .SETS(1),/; s/QUIET = 10/QUIET = 12/' verif/formal/l1d_safety.v >"$dir/l1d_fill.v"
grep -q 'ALLOC(1)' "$dir/l1d_fill.v" && grep -q 'QUIET = 12' "$dir/l1d_fill.v" || { echo "FAIL l1d_fill_safety: not made"; failed=1; }
prove l1d_fill_safety "$dir/l1d_fill.v" "Property proved" "the same for a cache that allocates on fill"
exit $failed
