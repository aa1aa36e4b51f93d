#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prove_props.sh NAME... - proves verif/formal/NAME_props.v: 8 cycles from reset by yosys-smtbmc
# with z3, then for all time by induction (yosys-smtbmc), else by ABC's property-directed
# reachability, which finds the missing invariant itself.  A file with the line "// Proof: pdr" goes
# straight to the latter: z3 does not get through its first cycles.  One line per proof; exit 1 if
# one fails.
set -u
cd "$(dirname "$0")/../.."
dir=${B:-build}/formal
mkdir -p "$dir"
abc=$(command -v berkeley-abc || command -v yosys-abc)
failed=0
verdict() { # verdict NAME METHOD STATUS
    if [ "$3" = 0 ]; then
        echo "PASS $1: $2"
    else
        echo "FAIL $1: $2, see $dir/$1.log"
        failed=1
    fi
}
for name in "$@"; do
    top=${name}_props
    rm -f "$dir/$name.smt2" "$dir/$name.aig"
    : >"$dir/$name.log"
    yosys -q -p "read_verilog -formal -Irtl/include $(grep -v '^#' rtl/byw.f | tr '\n' ' ') verif/formal/$top.v
        prep -top $top -flatten; memory_map; opt -full; dffunmap; setundef -undriven -anyseq; setundef -anyseq
        write_smt2 -wires $dir/$name.smt2" >>"$dir/$name.log" 2>&1 || true
    [ -s "$dir/$name.smt2" ] || {
        verdict "$name" "does not elaborate" 1
        continue
    }
    if ! grep -q '^// Proof: pdr$' "verif/formal/$top.v"; then
        yosys-smtbmc --noprogress -s z3 -t 8 "$dir/$name.smt2" >>"$dir/$name.log" 2>&1
        verdict "$name" "8 cycles from reset (z3)" $?
        if timeout 5 yosys-smtbmc --noprogress -s z3 -i -t 4 "$dir/$name.smt2" >>"$dir/$name.log" 2>&1; then
            verdict "$name" "all time, by induction (z3)" 0
            continue
        fi
    fi
    yosys -q -p "read_verilog -formal -Irtl/include $(grep -v '^#' rtl/byw.f | tr '\n' ' ') verif/formal/$top.v
        prep -top $top -flatten; memory_map; setundef -undriven -anyseq; setundef -anyseq
        opt -full; techmap; opt -fast; dffunmap; aigmap; opt_clean
        write_aiger -zinit $dir/$name.aig" >>"$dir/$name.log" 2>&1
    "$abc" -q "read_aiger $dir/$name.aig; fold; strash; pdr -T 180" >"$dir/$name.pdr" 2>&1
    cat "$dir/$name.pdr" >>"$dir/$name.log"
    grep -q "Property proved" "$dir/$name.pdr"
    verdict "$name" "all time (ABC pdr)" $?
done
exit $failed
