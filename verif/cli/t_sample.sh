#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_sample.sh - sampled runs are never presented as full ones: the table, the JSON and the
# configuration say so, and the same command gives the same bytes. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
one=(-w conv2d --set sm.count=1 --set sm.ctas=1) # waves of one CTA: 576 of them
member() { # member FILE MEMBER: its first value
    sed -n "s/.*\"$2\": \(-\{0,1\}[0-9.e+-]*\),\{0,1\}$/\1/p" "$dir/$1" | head -n 1
}

by run "${one[@]}" --sample 16 -o part.json
[ $rc = 0 ] && by run "${one[@]}" --sample 16 && grep -q 'estimate, 95 %' "$dir/out" &&
    grep -q 'left out .* of 576 CTAs' "$dir/out"
result $? "the table says what was left out, with the interval"
awk -v n="$(member part.json cycles_simulated)" -v of="$(member part.json cycles)" '$1 == "simulated" {
    good = good || ($2 == n && index($0, sprintf("of these cycles, %.1f %%", 100 * n / of))) } END { exit !good }' "$dir/out"
result $? "the table says how much was simulated"
[ "$(member part.json ctas)" = 576 ] && [ "$(member part.json ctas_left_out)" = 455 ] &&
    [ "$(member part.json sample.period)" = 16 ]
result $? "the JSON has 35 periods, the 13 CTAs left out, and the key"
by run "${one[@]}" -o whole.json
! grep -q '"sampled": {' "$dir/whole.json" && awk -v w="$(member whole.json cycles)" \
    -v low="$(member part.json cycles_low)" -v high="$(member part.json cycles_high)" \
    'BEGIN { exit !(w > 0 && low <= w && w <= high) }'
result $? "the whole run's cycles are in the interval, and its table does not mention sampling"
by run "${one[@]}" --sample 16 -o again.json
cmp -s <(grep -v '"sim\.\|seconds\|kips\|kcps\|rss\|command\|started' "$dir/part.json") \
    <(grep -v '"sim\.\|seconds\|kips\|kcps\|rss\|command\|started' "$dir/again.json")
result $? "the same command gives the same bytes"
by run "${one[@]}" --sample 3
[ $rc = 2 ] && grep -q -- "--sample is '3'; expected a whole number from 4 to 10000" "$dir/err"
result $? "a period in which nothing could be left out is refused"
by run -w bh --sample 64 -o all.json
grep -q '"ctas_left_out": 0' "$dir/all.json" && grep -q 'nothing was left out: .* exact' "$dir/all.json" && ! grep -q 'estimate' "$dir/all.json" &&
    by run -w bh --sample 64 && grep -q 'so nothing is estimated' "$dir/out" && ! grep -q 'estimate,' "$dir/out"
result $? "a run from which nothing was left out is not called an estimate"
by compare -w conv2d --set sm.count=1 --set sm.ctas=1 -p bl,ball --sample 16 -o two.json
[ $rc = 0 ] && [ "$(grep -c '"ctas_left_out": 455' "$dir/two.json")" = 2 ]
result $? "byway compare takes the option, too"
finish
