#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# prove_units.sh [-f] [MODULE...] - proves the assertions that modules carry (rtl/doc/checks.md),
# each module alone, at the parameters of verif/formal/units.txt: a combinational one for all inputs
# (ABC iprove), any other for all time after the first reset, with resets at any time (ABC pdr),
# from any initial state of the registers. A module's requirements on its inputs are assumed.
#
#   -f   instead of that, puts the fault of each row into a copy of the RTL and expects the named assertion to be refuted
#
# SRC: the folder whose rtl is proved (default: this one).  One line per row; exit 1 if one fails.
set -u
cd "$(dirname "$0")/../.." || exit 2
table=$PWD/verif/formal/units.txt
files=$PWD/synth/files.sh
dir=$(realpath -m "${B:-build}/formal/units")
mkdir -p "$dir"
abc=$(command -v berkeley-abc || command -v yosys-abc)
. verif/formal/lower.sh
faults=
[ "${1:-}" = -f ] && faults=1 && shift
cd "${SRC:-.}" || exit 2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

file_of() { # file_of MODULE: the file that defines it
    "$files" "$1" | tr ' ' '\n' | grep "/$1[.]v\$"
}

# lines_of ASSERTION FILE: its line numbers, one of which Yosys assigns to the assertion.
lines_of() {
    awk -v name="($1," 'index($0, name) { on = 1; print NR; next }
                        /^ *`|^ *end/ { on = 0 }
                        on { print NR }' "$2"
}

# answer_of MODULE "NAME=VALUE..." PARTS [ASSERTION]: ABC's answer for one assertion or for all.
answer_of() {
    local own parts set= p base=$dir/$1 only= proof
    own=$(file_of "$1")
    parts=$("$files" "$1" | tr ' ' '\n' | grep -v "/$1[.]v\$" | tr '\n' ' ')
    for p in $2; do set+=" -set ${p%%=*} ${p#*=}"; done
    [ $# = 4 ] && only="delete t:\$assert $(lines_of "$4" "$own" | sed "s/.*/a:src=*$1.v:&.* %d/" | tr '\n' ' ')"
    # Output ports would be properties to ABC. Without -reset, byw_assert.vh would be left out the
    # second time.
    yosys -q -p "${parts:+read_verilog -formal -DBYW_ASSERT_FORMAL $([ "$3" = assumed ] && echo -DBYW_ASSUME_INPUTS) -Irtl/include $parts}
        verilog_defines -reset
        read_verilog -formal -DBYW_ASSERT_FORMAL -DBYW_ASSUME_INPUTS -Irtl/include $own
        ${set:+chparam$set $1}
        hierarchy -check -top $1; proc; $lower flatten; opt -full; memory_map; opt -full
        $only
        setundef -undriven -anyseq; setundef -anyseq; opt -full; techmap; setundef -anyseq; opt -fast; dffunmap
        delete -output o:*; opt_clean; aigmap; opt_clean; write_aiger -zinit -map $base.map $base.aig" >"$base.log" 2>&1 || {
        echo "does not elaborate"
        return
    }
    proof="strash; orpos; iprove"
    grep -q '^latch' "$base.map" && proof="strash; scorr; bmc3 -F 12; pdr -T ${LIMIT:-300}"
    "$abc" -q "read_aiger $base.aig; fold; $proof" >>"$base.log" 2>&1
    # If scorr leaves no register, the question is combinational, and the pdr of some versions of
    # ABC does not answer it.
    if grep -q 'Property UNDECIDED' "$base.log" && grep -q 'Does not work for combinational' "$base.log"; then
        "$abc" -q "read_aiger $base.aig; fold; strash; scorr; orpos; iprove" >"$base.iprove" 2>&1
        ! grep -q '^UNSATISFIABLE' "$base.iprove" || echo 'Property proved' >>"$base.log"
        ! grep -q '^SATISFIABLE' "$base.iprove" || echo SATISFIABLE >>"$base.log"
    fi
    if grep -qE 'was asserted in frame|^SATISFIABLE' "$base.log"; then
        echo refuted
    elif grep -q '^UNSATISFIABLE' "$base.log"; then
        echo "all inputs"
    elif grep -q 'Property proved' "$base.log"; then
        echo "all time"
    else
        echo undecided
    fi
}

failed=0
verdict() { # verdict GOOD WORDS
    if [ "$1" = 1 ]; then
        echo "PASS $2"
    else
        echo "FAIL $2, see $dir"
        failed=1
    fi
}

while IFS=@ read -r module values parts fault assertion; do
    [[ $module == byw_* ]] || continue
    [ $# = 0 ] || [[ " $* " == *" $module "* ]] || continue
    if [ -z "$faults" ]; then
        answer=$(answer_of "$module" "$values" "$parts")
        [[ $answer == all* ]]
        verdict $((! $?)) "$module $values: $answer${parts:+, assumptions of its parts $parts}"
    elif [ -n "$fault" ]; then
        rm -rf "$copy/rtl"
        cp -r rtl "$copy/rtl"
        sed -i "$fault" "$copy/$(file_of "$module")"
        cmp -s "$(file_of "$module")" "$copy/$(file_of "$module")"
        changed=$?
        answer=$(cd "$copy" && answer_of "$module" "$values" "$parts" "$assertion")
        [ $changed = 1 ] && [ "$answer" = refuted ]
        verdict $((! $?)) "$module: its fault breaks $assertion ($answer)"
    fi
done <"$table"
exit $failed
