#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# draw.sh [N [SEED]] - called by `make mutate-drawn`, which builds the tests: draws N (default 20) of
# the faults that draw.awk makes from pairs.txt, alike in the RTL and its C twin, and runs the tests
# and scenarios of the C model on each. A surviving fault is a rule that no test states.
# `draw.sh -l` lists all faults, `draw.sh -c` counts them and those that pairs.txt excludes, `draw.sh -r` tries the last run's survivors again.
#
# The C side is compiled into a library that replaces the twin's functions in every test that
# reaches them; a fault is killed at the first failure. B/draw/patches/NNNN.patch changes both
# sides, for the lock step. A survivor needs a line in verif/mutate/drawn.txt that says why it may
# live; lines whose fault no longer exists are reported. JOBS: faults at a time. FAST=1: without the
# tests that take more than half a second. Last line "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
dir=$B/draw
faults() { awk "$@" -f verif/mutate/draw.awk verif/mutate/pairs.txt; }
if [ "${1:-}" = -l ]; then
    faults
    exit
fi
if [ "${1:-}" = -c ]; then
    drawn=$(faults | wc -l) all=$(faults -v whole=1 | wc -l)
    echo "$drawn faults, $all without exclusions, $((all - drawn)) excluded"
    exit
fi
unset SEED # make's, of the draw: the tests keep their own seeds
mkdir -p "$dir"
faults >"$dir/all" || exit 2
cflags=(-std=c11 -O0 -fPIC -shared -D_GNU_SOURCE -w -Icmodel/model -Icmodel)

limited() { (ulimit -t "$1" -c 0; exec "$2"); } # limited SECONDS TEST: at most so many seconds of processor time

# make_patch NUMBER RTL C NAME FAULT: both changed files in B/draw/new/NUMBER, and their patch.
make_patch() {
    local new=$dir/new/$1
    mkdir -p "$new/${2%/*}" "$new/${3%/*}"
    faults -v pick="$2 $4 $5" -v out="$new"
    {
        echo "Fault: ${2##*/} $4 $5"
        diff -u --label "a/$2" --label "b/$2" "$2" "$new/$2"
        diff -u --label "a/$3" --label "b/$3" "$3" "$new/$3"
    } >"$dir/patches/$1.patch"
}

# Prints the tests that reach a C file, each with its time limit: first those that found an earlier
# fault of the file, then by time.
tests_of() {
    local areas
    case $1 in
    */l2/* | */byw_lane*) areas=$(basename "$(dirname "$1")") ;;
    */comparator/* | */byw_trials.c) areas="comparator|top" ;;
    */top/* | *duel.c | *bdu.c | *two_level.c | *mrmu.c) areas="policy|top" ;;
    */l1d/*) areas="l1d|scenario|top" ;;
    *) areas="policy|record|l1d|scenario|top" ;;
    esac
    {
        tac "$dir/found/${1##*/}" 2>/dev/null
        grep -E "/($areas)/" "$dir/tests"
    } | awk '!seen[$0]++'
}

# try NUMBER C: prints "killed by TEST", "survived" or the error.
try() {
    local limit test lib=$dir/new/$1/twin.so
    ${CC:-gcc} "${cflags[@]}" -I"$(dirname "$2")" "$dir/new/$1/$2" -o "$lib" >"$dir/new/$1/log" 2>&1 ||
        { echo "does not compile"; return; }
    while read -r limit test; do
        LD_PRELOAD=$lib limited "$limit" "$test" >"$dir/new/$1/log" 2>&1 </dev/null && continue
        echo "$limit $test" >>"$dir/found/${2##*/}"
        echo "killed by ${test##*/}"
        return
    done < <(tests_of "$2")
    echo survived
}

# worker K: each fault whose number is K modulo JOBS; "NUMBER|RTL|PAIR|FAULT|verdict" into a file.
worker() {
    local n=0 v c name fault id
    while IFS=$'\t' read -r v c name fault; do
        n=$((n + 1))
        [ $((n % jobs)) = "$1" ] || continue
        id=$(printf %04d $n)
        make_patch "$id" "$v" "$c" "$name" "$fault"
        echo "$id|${v##*/}|$name|$fault|$(try "$id" "$c" 2>/dev/null)" | tee -a "$dir/verdicts"
        rm -rf "$dir/new/$id"
    done <"$dir/drawn"
}

if [ "${1:-}" = -r ]; then
    awk -F'|' 'NR == FNR { if ($5 !~ /^killed/) again[$1 + 0] = 1; next } FNR in again' "$dir/verdicts" "$dir/drawn" \
        >"$dir/again" && mv "$dir/again" "$dir/drawn" || exit 2
else
    shuf -n "${1:-20}" --random-source=<(yes "${2:-1}") "$dir/all" >"$dir/drawn"
fi
rm -rf "$dir/patches" "$dir/new" "$dir/found" "$dir/verdicts"
mkdir -p "$dir/patches" "$dir/new" "$dir/found"
# Measures the tests' times without a fault, if one of them was rebuilt; all of them must pass.
TIMEFORMAT=%U
if [ ! -e "$dir/times" ] || [ -n "$(find "$dir" -newer "$dir/times" \( -name 't_*' -o -name 'scenario_*' -o -name libmodel.so \))" ]; then
    for test in "$dir"/{l1d,policy,top,record,comparator,l2}/t_* "$dir"/scenario/scenario_*; do
        taken=$({ time limited 60 "$test" >"$dir/log" 2>&1 || echo failed; } 2>&1)
        [[ $taken != *failed* ]] || { echo "$test fails without a fault, see $dir/log" >&2; exit 2; }
        echo "$taken $test"
    done >"$dir/times.new"
    mv "$dir/times.new" "$dir/times"
fi
sort -n "$dir/times" | awk -v fast="${FAST:-}" '!fast || $1 < 0.5 { print int(4 * $1) + 1, $2 }' >"$dir/tests"
jobs=${JOBS:-2}
for ((k = 0; k < jobs; k++)); do worker $k & done
wait
failed=0
survived=0
while IFS='|' read -r _ v name fault verdict; do
    case $verdict in
    killed*) continue ;;
    survived)
        survived=$((survived + 1))
        grep -q "^$v $name $fault|" verif/mutate/drawn.txt && continue
        echo "no verdict: $v $name $fault"
        ;;
    esac
    failed=$((failed + 1))
done < <(sort "$dir/verdicts")
n=$(wc -l <"$dir/verdicts")
grep -v '^#' verif/mutate/drawn.txt | cut -d'|' -f1 | while read -r v name fault; do
    awk -F'\t' -v v="/$v" -v k="$name $fault" '$3 " " $4 == k && substr($1, length($1) - length(v) + 1) == v { found = 1 }
        END { exit !found }' "$dir/all" || echo "drawn.txt: no such fault any more: $v $name $fault"
done
echo "$n drawn of $(wc -l <"$dir/all"), $survived survived"
echo "$((n - failed)) passed, $failed failed"
[ "$failed" = 0 ]
