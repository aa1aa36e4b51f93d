#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# draw.sh [N [SEED]] - `make mutate-drawn`: draws N (default 20) of the faults that draw.awk finds,
# which change the RTL and its C twin alike, and runs the tests of the C model on each: a surviving
# fault is a rule that no test states. `draw.sh -l` lists the faults.
#
# The C side of a fault is compiled and linked into each test ahead of the library; the tests of its
# area come first, and the first failure ends the fault. B/draw/patches/NNN.patch changes both
# sides, for the lock step. A survivor needs a line in verif/mutate/drawn.txt that says why it may
# live; lines whose fault no longer exists are reported. Last line "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
dir=$B/draw
seconds=120 # more than any of the tests takes
mkdir -p "$dir/tests"
mapfile -t rtl < <(grep '^rtl/\(l1d\|policy\|top\)/' rtl/byw.f)
mapfile -t twins < <(ls cmodel/model/{l1d,policy,top,record}/*.c)
awk -f verif/mutate/draw.awk "${rtl[@]}" "${twins[@]}" >"$dir/all"
if [ "${1:-}" = -l ]; then
    cat "$dir/all"
    exit 0
fi
cflags=(-std=c11 -O1 -D_GNU_SOURCE -w -Iverif -Icmodel/model -Icmodel)
libs=(-lcmocka -ljansson -lzstd -lxxhash -lm -pthread)
mapfile -t tests < <(ls verif/{l1d,policy,top}/t_*.c | grep -v waveforms)

# Compiles the tests that are older than their sources or the library.
build_tests() {
    local test o
    make -s B="$B" "$B/libbyway.a" || return
    for test in "${tests[@]}"; do
        o=$dir/tests/$(basename "$test" .c).o
        [ "$o" -nt "$test" ] && [ "$o" -nt "$B/libbyway.a" ] && continue
        ${CC:-gcc} "${cflags[@]}" -c "$test" -o "$o" || return
        link "$o" && run || { echo "$test fails without a fault"; return 1; }
    done
}

link() { ${CC:-gcc} -o "$dir/test" "$@" "$B/libbyway.a" "${libs[@]}" >"$dir/link.log" 2>&1; }
run() { timeout "$seconds" "$dir/test" >"$dir/run.log" 2>&1; }

# make_patch NUMBER RTL C NAME FAULT: the two changed files in B/draw/new, and their patch.
make_patch() {
    rm -rf "$dir/new"
    mkdir -p "$dir/new/${2%/*}" "$dir/new/${3%/*}"
    awk -v pick="$4 $5" -v out="$dir/new" -f verif/mutate/draw.awk "$2" "$3"
    {
        echo "Fault: ${2##*/} $4 $5"
        diff -u --label "a/$2" --label "b/$2" "$2" "$dir/new/$2"
        diff -u --label "a/$3" --label "b/$3" "$3" "$dir/new/$3"
    } >"$dir/patches/$1.patch"
}

# try C: prints "killed by TEST", "survived" or the error.
try() {
    local area test o
    area=$(basename "$(dirname "$1")")
    ${CC:-gcc} "${cflags[@]}" -I"$(dirname "$1")" -c "$dir/new/$1" -o "$dir/new/twin.o" >"$dir/compile.log" 2>&1 ||
        { echo "does not compile"; return; }
    for test in $(printf '%s\n' "${tests[@]}" | grep "/$area/") $(printf '%s\n' "${tests[@]}" | grep -v "/$area/"); do
        o=$dir/tests/$(basename "$test" .c).o
        link "$o" "$dir/new/twin.o" || { echo "does not link"; return; }
        run || { echo "killed by $(basename "$test" .c)"; return; }
    done
    echo survived
}

build_tests || exit 2
rm -rf "$dir/patches"
mkdir -p "$dir/patches"
shuf -n "${1:-20}" --random-source=<(yes "${2:-1}") "$dir/all" >"$dir/drawn"
n=0
: >"$dir/survivors"
failed=0
while IFS=$'\t' read -r v c name fault; do
    n=$((n + 1))
    make_patch "$(printf %03d $n)" "$v" "$c" "$name" "$fault"
    verdict=$(try "$c")
    echo "[$n/$(wc -l <"$dir/drawn")] ${v##*/} $name $fault: $verdict"
    case $verdict in
    killed*) ;;
    survived)
        echo "${v##*/} $name $fault" >>"$dir/survivors"
        grep -q "^${v##*/} $name $fault|" verif/mutate/drawn.txt || failed=$((failed + 1))
        ;;
    *) failed=$((failed + 1)) ;;
    esac
done <"$dir/drawn"
grep -v '^#' verif/mutate/drawn.txt | cut -d'|' -f1 | while read -r v name fault; do
    awk -F'\t' -v v="$v" -v k="$name $fault" '$3 " " $4 == k && substr($1, length($1) - length(v) + 1) == v { found = 1 }
        END { exit !found }' "$dir/all" || echo "drawn.txt: no such fault any more: $v $name $fault"
done
echo "$n drawn of $(wc -l <"$dir/all"), $(wc -l <"$dir/survivors") survived"
echo "$((n - failed)) passed, $failed failed"
[ "$failed" = 0 ]
