#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# prove_bytes.sh [-f] [NAME...] - proves the units that carry the bytes, and the adapters, each alone and for all time (ABC pdr),
# by the property files (NAME) and parameters of verif/formal/bytes.txt.  A unit's assumptions about its inputs, which lock
# step checks, are assumed, and so are those of the checkers of fpga/adapters/check about the other side.
#
# A property file whose comment has a line "With: FILE" is read with that file of verif/formal, whose modules replace those of the RTL.
#
#   -f   instead of that, puts each fault of the table into a copy of the RTL and expects it to be found
#
# FAST=1: only the rows marked fast, and one fault for each property file.  SRC: the folder whose rtl is proved (default: this one).  One line per row; exit 1 if
# one fails.
set -u
cd "$(dirname "$0")/../.." || exit 2
formal=$PWD/verif/formal
checkers="$PWD/rtl/check/byw_held.v $PWD/rtl/check/byw_due.v $(echo "$PWD"/fpga/adapters/check/*.v)"
files=$PWD/synth/files.sh
dir=$(realpath -m "${B:-build}/formal/bytes")
mkdir -p "$dir"
abc=$(command -v berkeley-abc || command -v yosys-abc)
. verif/formal/lower.sh
faults=
[ "${1:-}" = -f ] && faults=1 && shift
cd "${SRC:-.}" || exit 2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=0

# answer_of LABEL PROPERTIES MODULE "NAME=VALUE..." ABC: writes LABEL.log and prints what ABC found.
answer_of() {
    local base=$dir/$1 own parts p with set=
    own=$("$files" "$3" | tr ' ' '\n' | grep "/$3[.]v\$")
    parts=$("$files" "$3" | tr ' ' '\n' | grep -v "/$3[.]v\$" | tr '\n' ' ')
    for p in $4; do set+=" -set ${p%%=*} ${p#*=}"; done
    with=$(sed -n "s,^// With: ,$formal/,p" "$formal/$2.v")
    yosys -q -p "${parts:+read_verilog -formal -Irtl/include $parts}
        verilog_defines -reset
        read_verilog -formal -DBYW_ASSERT_FORMAL -DBYW_ASSUME_INPUTS -Irtl/include $own $checkers
        read_verilog -formal -overwrite -Irtl/include $with $formal/$2.v
        ${set:+chparam$set $2}
        hierarchy -check -top $2; proc; $lower flatten; opt -full; memory_map; opt -full
        setundef -undriven -anyseq; setundef -anyseq; opt -full; techmap; setundef -anyseq; opt -fast; dffunmap
        setundef -anyseq; opt_clean; aigmap; opt_clean; write_aiger -zinit $base.aig" >"$base.log" 2>&1 || {
        echo "does not elaborate"
        return
    }
    "$abc" -q "read_aiger $base.aig; fold; strash; scorr; $5" >>"$base.log" 2>&1
    if grep -q 'was asserted in frame' "$base.log"; then
        echo refuted
    elif grep -q 'Property proved' "$base.log"; then
        echo "all time"
    else
        echo undecided
    fi
}

verdict() { # verdict STATUS WORDS
    if [ "$1" = 0 ]; then
        echo "PASS $2"
    else
        echo "FAIL $2, see $dir"
        failed=1
    fi
}

n=0
last=
while IFS=@ read -r what properties module values speed text; do
    n=$((n + 1))
    [[ $what == proof || $what == fault ]] || continue
    [ $# = 0 ] || [[ " $* " == *" $properties "* ]] || continue
    if [ "$what" = proof ] && [ -z "$faults" ]; then
        [ -z "${FAST:-}" ] || [ "$speed" = fast ] || continue
        answer=$(answer_of "$properties.$n" "$properties" "$module" "$values" "bmc3 -F 12 -T 60; pdr -T ${LIMIT:-300}")
        [ "$answer" = "all time" ]
        verdict $? "$module $values: $answer"
    elif [ "$what" = fault ] && [ -n "$faults" ]; then
        [ -z "${FAST:-}" ] || [ "$properties" != "$last" ] || continue
        last=$properties
        rm -rf "$copy/rtl" "$copy/fpga"
        mkdir "$copy/fpga"
        cp -r rtl "$copy/rtl"
        cp -r fpga/adapters "$copy/fpga/adapters"
        own=$("$files" "$module" | tr ' ' '\n' | grep "/$module[.]v\$")
        sed -i "$speed" "$copy/$own"
        cmp -s "$own" "$copy/$own"
        changed=$?
        answer=$(cd "$copy" && answer_of "$properties.$n" "$properties" "$module" "$values" "bmc3 -F 20 -T 60")
        [ $changed = 1 ] && [ "$answer" = refuted ]
        verdict $? "$module: $text ($answer)"
    fi
done <"$formal/bytes.txt"
exit $failed
