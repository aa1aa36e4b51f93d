#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_advise.sh - `byway advise` as a command: table, page, JSON and the file that `byway run
# --advice` obeys, compared with an exhaustive search on a shipped trace with its source; and what
# it refuses. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
number() { # number FILE KEY: its first value
    sed -n "s/^ *\"$2\": //p" "$dir/$1" | head -n 1 | tr -d '",'
}

plain() { # plain FILE: prints FILE without provenance
    sed '/"provenance": {/,/}/d' "$1"
}

succeeds "a shipped workload" advise -m fermi kmeans --advice k.advice --html k.html --json k.json
grep -q '^kmeans on fermi with bl: 2 places to change, [0-9.]* % fewer cycles$' "$dir/out" &&
    grep -q '^  [0-9]* -> [0-9]* cycles$' "$dir/out"
result $? "the summary has the number of places and their gain"
grep -q '^  1. line 15: swapped\[f \* points + point\] = feature\[point \* features + f\];$' "$dir/out" &&
    grep -qF 'OpenCL  *(volatile __global const float *)&feature[point * features + f]' "$dir/out" &&
    grep -qF 'CUDA    __ldcs(&swapped[f * points + point])' "$dir/out" && grep -qF 'PTX     ld.global.cs' "$dir/out"
result $? "the report has the lines and their replacements"
head -n 1 "$dir/k.html" | grep -q '^<!DOCTYPE html>' && tail -n 1 "$dir/k.html" | grep -q '</html>$' &&
    grep -qF '<b>feature[point * features + f]</b>' "$dir/k.html" && ! grep -qE 'https?://' "$dir/k.html"
result $? "the page marks the expression and links to nothing outside"

grep -q 'machine Fermi, which was never compared with a GPU' "$dir/out"
result $? "a machine never compared with a GPU says so"
by advise -m fermi -s machine.gain_error=10 kmeans --runs 8 --json near.json
grep -q '"holds": true' "$dir/near.json"
result $? "a gain above the model's error is promised"
by advise -m fermi -s machine.gain_error=60 kmeans --runs 8 --html far.html
tr '\n' ' ' <"$dir/out" | tr -s ' ' | grep -q 'within the model.s error on Fermi .*: measure it before you keep it' &&
    grep -q 'measure it before you keep it' "$dir/far.html"
result $? "a gain within the model's error is not promised"
# Measurements of an H200 with loads that bypass the L1: kmeans is up to 14 times slower.
by advise kmeans --html none.html
grep -q 'nothing to gain' "$dir/out"
result $? "by default nothing is advised that slows an H200 down"
grep -q 'Nothing to gain' "$dir/none.html" && ! grep -q 'before you keep it' "$dir/none.html"
result $? "a page without advice promises no gain"
by advise -m v100 -s sm.count=132 streamcluster --launches 1 --hints bypass --runs 8 --json today.json
[ "$(number today.json gain | cut -d. -f1)" -ge 5 ] && grep -q '"advice": "bypass"' "$dir/today.json" &&
    grep -q '"ptx": "ld.global.L1::no_allocate"' "$dir/today.json"
result $? "hints have the form that present GPUs use"
[ "$(number k.json schema)" = byway.advise/1 ] && [ "$(number k.json by)" = line ]
result $? "the report has its schema"
by run -w kmeans --advice k.advice --json with.json
by run -w kmeans --json without.json
[ "$(number with.json cycles)" = "$(number k.json advised_cycles)" ] &&
    [ "$(number without.json cycles)" = "$(number k.json cycles)" ] &&
    [ "$(number with.json cycles)" -lt "$(number without.json cycles)" ]
result $? "byway run obeys the file, to the predicted cycle"
by advise -m fermi kmeans -j 1 --json one.json
cmp -s <(plain "$dir/k.json") <(plain "$dir/one.json")
result $? "any number of processes gives the same"
grep -q '"command": "byway advise -m fermi kmeans -j 1 --json one.json"' "$dir/one.json" && grep -q '"trace_xxh128": "[0-9a-f]\{32\}"' "$dir/one.json"
result $? "the report has its provenance"
by oracle -w kmeans --json oracle.json
grep -q '"command": "byway oracle -w kmeans --json oracle.json"' "$dir/oracle.json"
result $? "advise and oracle agree on the cycles"

# Compared with all 2^4 assignments of bypass hints, in 300 runs: a minute of processor time.
search_finds_the_best() {
    by advise -m fermi spmv --hints bypass --least 0 --json climb.json
    by advise -m fermi spmv --hints bypass --least 0 --every --json every.json
    [ "$(number every.json runs)" -ge 16 ] &&
        [ "$(number climb.json advised_cycles)" = "$(number every.json advised_cycles)" ] &&
        [ "$(number every.json advised_cycles)" -lt "$(number every.json cycles)" ]
    result $? "hill climbing equals an exhaustive search"
    by advise -m fermi bfs --hints bypass --json climb.json && by advise -m fermi bfs --hints bypass --every --json every.json
    [ "$(number climb.json advised_cycles)" = "$(number every.json advised_cycles)" ]
    result $? "hill climbing equals an exhaustive search where the first round does not (bfs)"

    # nw with a search by load that stops early: the result must not be worse than the best start of
    # the first round.
    by advise -m fermi_linear nw --by load --runs 300 --json few.json
    [ "$(number few.json advised_cycles)" -le 102610 ]
    result $? "300 runs are at least as good as one round from every start (nw)"
}
! in_test_all || search_finds_the_best

by advise -m fermi_linear nw --runs 20 --json few.json --html few.html
grep -q '"gain_with_above": null' "$dir/few.json" && ! grep -q '"gain_with_above": 100' "$dir/few.json" &&
    grep -q 'bypass: not run with those above' "$dir/out" && grep -q '>not run with those above<' "$dir/few.html"
result $? "an unfinished search reports no gain of 100 %"

# --- kept runs ---------------------------------------------------------------------------------------
by advise -m fermi kmeans -d kept -j 2 --json got.json
cmp -s <(plain "$dir/k.json") <(plain "$dir/got.json")
result $? "a folder of runs does not change the advice"
stamp=$(stat -c '%n %Y %i' "$dir/kept/runs/"* | cksum)
by advise -m fermi kmeans -d kept -j 1 --json got.json
cmp -s <(plain "$dir/k.json") <(plain "$dir/got.json") &&
    [ "$stamp" = "$(stat -c '%n %Y %i' "$dir/kept/runs/"* | cksum)" ]
result $? "stored runs are not repeated"
whole=$(ls "$dir/kept/runs" | wc -l)
for kill in 1 2 3; do
    (cd "$dir" && exec "$byway" advise -m fermi kmeans -d torn -j 2 --json torn.json >out 2>err) &
    victim=$!
    while kill -0 $victim 2>/dev/null && [ "$(ls "$dir/torn/runs" 2>/dev/null | grep -c 'json$')" -lt $((kill * whole / 5)) ]; do
        sleep 0.01
    done
    kill -9 $victim 2>/dev/null
    wait $victim 2>/dev/null
done
there=$(ls "$dir/torn/runs" | grep -c 'json$')
[ "$there" -ge $((3 * whole / 5)) ] && [ "$there" -lt "$whole" ]
result $? "kill -9 leaves the finished runs ($there of $whole)"
first=$(ls "$dir/torn/runs/"*.json | head -n 1)
stamp=$(stat -c '%Y %i' "$first")
by advise -m fermi kmeans -d torn -j 2 --json torn.json
cmp -s <(plain "$dir/k.json") <(plain "$dir/torn.json") && [ "$stamp" = "$(stat -c '%Y %i' "$first")" ] &&
    [ "$(ls "$dir/torn/runs" | grep -c 'json$')" = "$whole" ]
result $? "the same command resumes to the same answer"
head -c 100 "$first" >"$dir/cut" && cp "$dir/cut" "$first"
by advise -m fermi kmeans -d torn --json torn.json
cmp -s <(plain "$dir/k.json") <(plain "$dir/torn.json")
result $? "a damaged run is repeated"

refuses "launches_that_are_not_there_are_refused_with_their_number" "--launches has launch 99, but the trace has 3; expected numbers from 1 to 3" \
    advise -m fermi lud --launches 1,99
succeeds "some launches only" advise -m fermi lud --launches 2 --json one.json
[ "$(grep -c '"name": "lud_' "$dir/one.json")" = 1 ] && [ "$(grep -c '"least_ctas"' "$dir/one.json")" = 1 ]
result $? "chosen launches have one kernel and one class"

succeeds "a program with nothing to gain" advise -m fermi pathfinder --hints cache --advice none.advice
head -n 1 "$dir/out" | grep -q 'nothing to gain' && ! grep -q '^[^#]' "$dir/none.advice"
result $? "a program with nothing to gain gets an advice file without advice"
succeeds "an empty advice file is accepted" run -w pathfinder --advice none.advice

cp cmodel/traces/kmeans.bwt "$dir/other.bwt"
succeeds "another trace of the program" advise -m fermi kmeans --also other.bwt --json also.json
sed -n '/"also"/,$p' "$dir/also.json" | grep -q "\"advised_cycles\": $(number k.json advised_cycles)"
grep -q '^  What it saves hardly depends on the input' "$dir/out"
result $? "the report has the effect on another trace"

make_trace "$dir/plain" 3 20
succeeds "a trace without source" advise -m fermi plain --by load
grep -q '^   *[0-9]* *- *pc 0x20 ' "$dir/out"
result $? "loads of a trace without source are named by PC"

by advise -m fermi_linear lud --hints bypass --runs 30
[ "$(grep -o '^lud_[a-z]*:' "$dir/out" | tr -d '\n')" = lud_internal:lud_perimeter:lud_diagonal: ]
result $? "the kernel whose advice saves most comes first"

# Wrong and stale files.
sed 's/sites ......../sites 01234567/' "$dir/k.advice" >"$dir/stale.advice"
refuses "a stale file" "stale.advice:3: the advice is stale|kmeans_swap|expected sites 01234567" \
    run -w kmeans --advice stale.advice
refuses "advice on another program" "k.advice:3: matches no load of the trace" run -w spmv --advice k.advice
# --- Mpache ------------------------------------------------------------------------------------------
succeeds "Mpache" advise spmv --mpache --advice m.advice --dot m.dot --sweep --json m.json
grep -q '^spmv_jds: [0-9]* cycles, 10 loads in 7 groups$' "$dir/out"
result $? "the ten loads of spmv in seven groups, as in its paper"
[ "$(grep -c '^  thresh1 \|^  thresh2 \|^  weight ' "$dir/out")" = 28 ]
result $? "--sweep varies thresholds and weight over their ranges"
[ "$(grep -c ' \[label="ld' "$dir/m.dot")" = 10 ] && [ "$(grep -c ' -- ' "$dir/m.dot")" = 3 ]
result $? "the graph has ten nodes and an edge for each pair in a group"
if command -v dot >/dev/null; then
    dot -Tsvg "$dir/m.dot" >"$dir/m.svg" 2>"$dir/err" && grep -q '</svg>' "$dir/m.svg"
    result $? "Graphviz draws the graph"
fi
by run -m rdna2 -w spmv --advice m.advice --json with.json
by run -m rdna2 -w spmv --json without.json
[ "$(number with.json cycles)" = "$(number m.json advised_cycles)" ] &&
    [ "$(number with.json cycles)" -lt "$(number without.json cycles)" ] && grep -q ' volatile$' "$dir/m.advice"
result $? "byway run obeys Mpache's choice, to the cycle"
by advise spmv --mpache --set mpache.guard=off -d affinities --json printed.json
stamp=$(ls "$dir/affinities/runs" | wc -l)
by advise spmv --mpache --no-guard -d affinities --json option.json
cmp -s <(plain "$dir/printed.json") <(plain "$dir/option.json")
result $? "configuration keys equal the options"
by advise spmv --mpache --set mpache.thresh2=1000 -d affinities --json none.json
[ "$(number none.json advised_cycles)" != "$(number m.json advised_cycles)" ] &&
    [ $(($(ls "$dir/affinities/runs" | wc -l) - stamp)) -le 4 ]
result $? "another threshold gives another choice from the same affinities"
by advise spmv --mpache --thresh1 2.5 --weight 0.3 -d affinities --json one.json
by advise spmv --mpache --set mpache.thresh1=250 --set mpache.weight=30 -d affinities --json two.json
cmp -s <(plain "$dir/one.json") <(plain "$dir/two.json")
result $? "Mpache's keys are hundredths"
[ "$(number printed.json advised_cycles)" -gt "$(number without.json cycles)" ]
result $? "--no-guard accepts a group that loses, as the paper prints it"
# Below the L1D, the flags of single loads act on all loads.
echo '* * nontemporal' >"$dir/all.advice"
by run -m rdna2 -w spmv --advice all.advice --set l2.sets=2 --json one.json
by run -m rdna2 -w spmv --set hint.loads=nontemporal --set l2.sets=2 --json all.json
by run -m rdna2 -w spmv --set l2.sets=2 --json none.json
[ "$(number one.json cycles)" = "$(number all.json cycles)" ] &&
    [ "$(number one.json cycles)" != "$(number none.json cycles)" ]
result $? "nontemporal reaches the L2"
echo '* * volatile' >"$dir/all.advice"
by run -m rdna2 -w kmeans --advice all.advice --json one.json
by run -m rdna2 -w kmeans --set hint.loads=volatile --json all.json
[ "$(number one.json cycles)" = "$(number all.json cycles)" ]
result $? "volatile reaches the cache that SMs share"
refuses "a threshold" "'x'; expected a number, 0 to 100" advise spmv --mpache --thresh1 x
refuses "a graph without Mpache" "--dot has no effect without --mpache" advise spmv --dot m.dot

# --- a program ----------------------------------------------------------------------------------------
refuses "a patch of a trace" "expected a program after --" advise -m fermi kmeans --patch k.diff
refuses "a trace and a program" "expected a trace, the name of a shipped workload, or -- and a program" \
    advise -m fermi kmeans -- true
program=$(realpath "$(dirname "$byway")/workloads/kmeans" 2>/dev/null)
if [ ! -e "$(dirname "$byway")/lib/libOpenCL.so.1" ] || [ ! -x "$program" ]; then
    skip_check "a program is captured and patched" "no capture runtime or no kmeans; make deps-all workloads"
else
    succeeds "a program" advise -m fermi --patch k.diff --json patch.json -- "$program" --size test
    ! grep -q '^PASS' "$dir/out" && grep -q '^PASS' "$dir/err"
    result $? "the program's output does not reach stdout"
    grep -q '^-  *swapped\[f \* points + point\] = feature\[point \* features + f\];$' "$dir/k.diff" &&
        grep -qF '+        swapped[f * points + point] = (*(volatile __global const float *)&feature[point * features + f]);' "$dir/k.diff"
    result $? "the patch changes the kernel at the advised place"
    awk -v predicted="$(number patch.json predicted)" -v measured="$(number patch.json measured)" \
        'BEGIN { exit !(predicted > 0 && measured >= 0.8 * predicted) }'
    result $? "the patch gains at least 80 % of the prediction"
    cp cmodel/workloads/kmeans/kmeans.cl "$dir/1.cl"
    (cd "$dir" && patch -s -p0 <k.diff) >"$dir/out" 2>"$dir/err"
    result $? "the diff applies to the source"
    by trace capture -o own.bwt -- "$program" --size test -k 1.cl
    by run -m fermi -t own.bwt --json own.json
    [ "$(number own.json cycles)" = "$(sed -n '/"patch"/,$p' "$dir/patch.json" | sed -n 's/^ *"cycles": \([0-9]*\).*/\1/p')" ]
    result $? "a program with the patch takes the measured cycles: its loads carry their hints"
fi

refuses "no target" "expected a trace, the name of a shipped workload" advise
refuses "an unknown workload" "kmeens|did you mean 'kmeans'?" advise -m fermi kmeens
refuses "a wrong hint" "--hints is 'bypas'" advise -m fermi spmv --hints bypas
refuses "a wrong unit" "--by is 'pc'; expected line or load" advise -m fermi spmv --by pc
refuses "percent" "--least is '-1'" advise -m fermi spmv --least=-1
refuses "too many assignments" "--every: kernel lbm_step has 20 places" advise -m fermi lbm --every --by load
refuses "no such source" "nothing.cl: cannot be opened" advise -m fermi spmv --source nothing.cl
refuses "no such other trace" "gone.bwt" advise -m fermi spmv --also gone.bwt
succeeds "help" advise --help
finish
