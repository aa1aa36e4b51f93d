#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_models_page.sh - the page about machine-learning kernels calls a difference within two deviations undecided, and
# names what is slower and faster; the page in the tree has every workload of @ml.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
command -v node >/dev/null || skip_all "no node, which makes the page; apt-get install nodejs"
tap_folder out err
mkdir "$dir/runs"
run() { # run NAME POLICY CYCLES CYCLES CYCLES
    local carveout
    for carveout in auto largest; do
        printf '{"cycles":%s,"l1d":{"accesses":100,"hits":30,"hit_pending":10},"repeat":{"others":[{"cycles":%s},{"cycles":%s}]}}' \
            "$3" "$4" "$5" >"$dir/runs/$1.$2.$carveout.json"
    done
}
advice() { # advice NAME ADVISED of three runs of 1000 cycles
    printf '{"repeat":{"cycles":[1000,1000,1000],"advised_cycles":[%s,%s,%s]},"kernels":[{"name":"k__ca","taken":1,"places":[
        {"line":7,"accesses":5,"transactions":10,"lines_per_access":2,"hit_rate":0.25,"reuse":0.5,"alone":{"bypass":{"gain":1.25,"within_noise":true}}}]}]}' \
        "$2" "$2" "$2" >"$dir/runs/$1.advice.auto.json"
}
for name in one two three; do
    for policy in bl ball na two_level pc hybrid_t; do run $name $policy 1000 1000 1000; done
    advice $name 1000
done
run one ball 1100 1110 1105
run two ball 1020 990 1010
run three ball 900 905 895
run three na 996 996 996
run two two_level 980 980 980
advice three 950
node .ci/models.js "$dir" "one two three" >"$dir/out" 2>"$dir/err"
result $? "the page is made"
grep -q '^| one | 1000 | 30.0 | 10.0 | 1.105 | 1.000~ |' "$dir/out"
result $? "a slower kernel is decided; equal cycles are not"
grep -q '^| two | 1000 | 30.0 | 10.0 | 1.007~ |' "$dir/out"
result $? "a difference within two deviations is undecided"
grep -q '^| three | 1000 | 30.0 | 10.0 | 0.900 | 0.996~ |' "$dir/out"
result $? "nor is one of less than half a percent, however exact"
head -5 "$dir/out" | tr '\n' ' ' | grep -q 'makes 1 slower: 10.5 % (one), and 1 faster: 10.0 % (three); 1 stay within'
result $? "the answer counts them"
head -5 "$dir/out" | tr '\n' ' ' | grep -q 'chosen loads speeds up 1 of the 3: 5.0 % (three); the mechanisms speed up 1: two'
result $? "and what hindsight and the mechanisms save"
grep -q '^| one | k | `line 7` | 5 | 2.0 | 25.0 | 50.0 | +1.3~ |' "$dir/out"
result $? "a load has its share of found and reused lines, and its own gain"
grep -q 'the L1 finds 25.0 of 50.0 % (one), 25.0 of 50.0 % (two)' "$dir/out"
result $? "and a workload the sum of its loads"
page=cmodel/doc/results/models.md
missing=$(sed -n 's/^BYW_WORKLOAD[_OF]*("\([^"]*\)".*"none", 0, "ml".*/\1/p' cmodel/workloads/workloads.def | while read -r name; do
    [ "$(grep -c "^| $name |" $page)" -gt 2 ] || echo "$name"
done)
[ -z "$missing" ] && [ "$(grep -c '^BYW_WORKLOAD.*"ml"' cmodel/workloads/workloads.def)" -gt 12 ]
result $? "$page has every workload of @ml in each table${missing:+, not: $missing}"
finish
