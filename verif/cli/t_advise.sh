#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_advise.sh - `byway advise` as a command: table, page, JSON and the file that `byway run --advice`
# obeys, against trying everything, on a shipped trace with its source; what is refused.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
number() { # number FILE KEY: the first one
    sed -n "s/^ *\"$2\": //p" "$dir/$1" | head -n 1 | tr -d '",'
}

succeeds "a shipped workload" advise kmeans --advice k.advice --html k.html
grep -q '^kmeans on fermi with bl: 2 places to change, [0-9]* -> [0-9]* cycles, [0-9.]* % fewer cycles$' "$dir/out"
result $? "says how many places, and what they gain"
grep -q '^  1. line 15: swapped\[f \* points + point\] = feature\[point \* features + f\];$' "$dir/out" &&
    grep -qF 'OpenCL  *(volatile __global const float *)&feature[point * features + f]' "$dir/out" &&
    grep -qF 'CUDA    __ldcs(&swapped[f * points + point])   (PTX ld.global.cs)' "$dir/out"
result $? "the lines, and what to write there"
head -n 1 "$dir/k.html" | grep -q '^<!DOCTYPE html>' && tail -n 1 "$dir/k.html" | grep -q '</html>$' &&
    grep -qF '<b>feature[point * features + f]</b>' "$dir/k.html" && ! grep -q 'http' "$dir/k.html"
result $? "a page with the expression marked, and no link out"

succeeds "JSON" advise kmeans --json k.json
[ ! -s "$dir/err" ] && [ "$(number k.json schema)" = byway.advise/1 ] && [ "$(number k.json by)" = line ]
result $? "its schema"
by run -w kmeans --advice k.advice --json with.json
by run -w kmeans --json without.json
[ "$(number with.json cycles)" = "$(number k.json advised_cycles)" ] &&
    [ "$(number without.json cycles)" = "$(number k.json cycles)" ] &&
    [ "$(number with.json cycles)" -lt "$(number without.json cycles)" ]
result $? "byway run obeys the file, to the predicted cycle"
by advise kmeans -j 1 --json one.json
cmp -s "$dir/k.json" "$dir/one.json"
result $? "any number of processes gives the same"

# All 2^4 assignments of hints that bypass.
by advise spmv --hints bypass --least 0 --json climb.json
by advise spmv --hints bypass --least 0 --every --json every.json
[ "$(number every.json runs)" -ge 16 ] &&
    [ "$(number climb.json advised_cycles)" = "$(number every.json advised_cycles)" ] &&
    [ "$(number every.json advised_cycles)" -lt "$(number every.json cycles)" ]
result $? "the climb finds what trying everything finds"
by advise bfs --hints bypass --json climb.json && by advise bfs --hints bypass --every --json every.json
[ "$(number climb.json advised_cycles)" = "$(number every.json advised_cycles)" ]
result $? "also where the first round does not (bfs)"

succeeds "a program with nothing to gain" advise pathfinder --hints cache --advice none.advice
head -n 1 "$dir/out" | grep -q 'nothing to gain' && ! grep -q '^[^#]' "$dir/none.advice"
result $? "says so, and its file has no advice"
succeeds "nothing is stranger than an empty file" run -w pathfinder --advice none.advice

cp cmodel/traces/kmeans.bwt "$dir/other.bwt"
succeeds "another trace of the program" advise kmeans --also other.bwt --json also.json
sed -n '/"also"/,$p' "$dir/also.json" | grep -q "\"advised_cycles\": $(number k.json advised_cycles)"
result $? "and what the advice does to it"

make_trace "$dir/plain" 3 20
succeeds "a trace without source" advise plain --by load
grep -q '^   *[0-9]* *- *pc 0x20 ' "$dir/out"
result $? "its loads are PCs"

by advise lud
[ "$(grep -o '^lud_[a-z]*:' "$dir/out" | tr -d '\n')" = lud_internal:lud_perimeter:lud_diagonal: ]
result $? "the kernel whose advice saves most comes first"

# Wrong and stale files.
sed 's/sites ......../sites 01234567/' "$dir/k.advice" >"$dir/stale.advice"
refuses "a stale file" "stale.advice:3: the advice is stale|kmeans_swap|expected sites 01234567" \
    run -w kmeans --advice stale.advice
refuses "advice on another program" "k.advice:3: fits no load of the trace" run -w spmv --advice k.advice
# --- Mpache ------------------------------------------------------------------------------------------
succeeds "Mpache" advise spmv --mpache --advice m.advice --dot m.dot --sweep
grep -q '^spmv_jds: [0-9]* cycles, 10 loads in 7 groups$' "$dir/out"
result $? "the ten loads of spmv in seven groups, as in its paper"
[ "$(grep -c '^  thresh1 \|^  thresh2 \|^  weight ' "$dir/out")" = 28 ]
result $? "its thresholds and weight over their ranges"
[ "$(grep -c ' \[label="ld' "$dir/m.dot")" = 10 ] && [ "$(grep -c ' -- ' "$dir/m.dot")" = 3 ]
result $? "its graph: ten nodes, an edge for each pair in a group"
if command -v dot >/dev/null; then
    dot -Tsvg "$dir/m.dot" >"$dir/m.svg" 2>"$dir/err" && grep -q '</svg>' "$dir/m.svg"
    result $? "which Graphviz draws"
fi
by advise spmv --mpache --json m.json
by run -m rdna2 -w spmv --advice m.advice --json with.json
by run -m rdna2 -w spmv --json without.json
[ "$(number with.json cycles)" = "$(number m.json advised_cycles)" ] &&
    [ "$(number with.json cycles)" -lt "$(number without.json cycles)" ] && grep -q ' volatile$' "$dir/m.advice"
result $? "byway run obeys its choice, to the cycle"
by advise spmv --mpache --no-guard --json printed.json
[ "$(number printed.json advised_cycles)" -gt "$(number without.json cycles)" ]
result $? "as printed it takes a group that loses"
# Below the L1D: the flags of single loads are those of all loads.
echo '* * nontemporal' >"$dir/all.advice"
by run -m rdna2 -w spmv --advice all.advice --set l2.sets=2 --json one.json
by run -m rdna2 -w spmv --set hint.loads=nontemporal --set l2.sets=2 --json all.json
by run -m rdna2 -w spmv --set l2.sets=2 --json none.json
[ "$(number one.json cycles)" = "$(number all.json cycles)" ] &&
    [ "$(number one.json cycles)" != "$(number none.json cycles)" ]
result $? "nontemporal goes down to the L2"
echo '* * volatile' >"$dir/all.advice"
by run -m rdna2 -w kmeans --advice all.advice --json one.json
by run -m rdna2 -w kmeans --set hint.loads=volatile --json all.json
[ "$(number one.json cycles)" = "$(number all.json cycles)" ]
result $? "volatile to the L1 that SMs share"
refuses "a threshold" "'x'; expected a number, 0 to 100" advise spmv --mpache --thresh1 x
refuses "a graph without Mpache" "expected --mpache" advise spmv --dot m.dot

# --- a program ----------------------------------------------------------------------------------------
refuses "a patch of a trace" "expected -- and the program" advise kmeans --patch k.diff
refuses "a trace and a program" "expected a trace, the name of a shipped workload, or -- and a program" \
    advise kmeans -- true
program=$(realpath "$(dirname "$byway")/workloads/kmeans" 2>/dev/null)
if [ ! -e "$(dirname "$byway")/lib/libOpenCL.so.1" ] || [ ! -x "$program" ]; then
    echo "ok $((++n)) - a program is captured and patched # SKIP no capture runtime or no kmeans; make deps-all workloads"
    echo "# SKIP no capture runtime or no kmeans; make deps-all workloads"
else
    succeeds "a program" advise --patch k.diff --json patch.json -- "$program" --size test
    ! grep -q '^PASS' "$dir/out" && grep -q '^PASS' "$dir/err"
    result $? "what it prints is not on stdout"
    grep -q '^-  *swapped\[f \* points + point\] = feature\[point \* features + f\];$' "$dir/k.diff" &&
        grep -qF '+        swapped[f * points + point] = (*(volatile __global const float *)&feature[point * features + f]);' "$dir/k.diff"
    result $? "its kernel is changed where the advice is"
    awk -v predicted="$(number patch.json predicted)" -v measured="$(number patch.json measured)" \
        'BEGIN { exit !(predicted > 0 && measured >= 0.8 * predicted) }'
    result $? "and gains at least 80 % of what was predicted"
    cp cmodel/workloads/kmeans/kmeans.cl "$dir/1.cl"
    (cd "$dir" && patch -s -p0 <k.diff) >"$dir/out" 2>"$dir/err"
    result $? "the diff applies to the source"
    by trace capture -o own.bwt -- "$program" --size test -k 1.cl
    by run -t own.bwt --json own.json
    [ "$(number own.json cycles)" = "$(sed -n '/"patch"/,$p' "$dir/patch.json" | sed -n 's/^ *"cycles": \([0-9]*\).*/\1/p')" ]
    result $? "a program with the patch takes the measured cycles: its loads carry their hints"
fi

refuses "no target" "expected a trace, the name of a shipped workload" advise
refuses "an unknown workload" "kmeens|did you mean 'kmeans'?" advise kmeens
refuses "a wrong hint" "--hints is 'bypas'" advise spmv --hints bypas
refuses "a wrong unit" "--by is 'pc'; expected line or load" advise spmv --by pc
refuses "percent" "--least is '-1'" advise spmv --least=-1
refuses "too many assignments" "--every: kernel lbm_step has 20 places" advise lbm --every --by load
refuses "no such source" "nothing.cl: cannot be read" advise spmv --source nothing.cl
refuses "no such other trace" "gone.bwt" advise spmv --also gone.bwt
succeeds "help" advise --help
finish
