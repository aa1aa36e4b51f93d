#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_claim_metrics.sh - a record whose metric no result has, or whose value is not a number, is an
# error with file and line, before anything is simulated; every metric of the shipped records exists. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
claim() { # claim FILE KEY=VALUE...: a claim with some keys changed
    local file=$1
    shift
    printf '%s\n' '[claim 0.90]' 'paper = 000' 'statement = s' 'workloads = nw' 'run = fermi/bl' '[number N]' 'over = mean' \
        'metric = ipc' 'expect = level' 'value = 1.5' >"$dir/$file"
    local pair
    for pair; do sed -i "s|^${pair%%=*} = .*|${pair%%=*} = ${pair#*=}|" "$dir/$file"; done
}
claim typo.claims metric=l1d.hit_rat_all
refuses "a mistyped metric of a run" "typo.claims:6: metric 'l1d.hit_rat_all': a run has no 'l1d.hit_rat_all'; did you mean 'l1d.hit_rate_all'" \
    reproduce 000 --add typo.claims --claim 0.90 -d x
claim second.claims metric=l1d.hits/l1d.acceses
refuses "the second term of a metric" "second.claims:6: metric 'l1d.hits/l1d.acceses': a run has no 'l1d.acceses'" \
    reproduce 000 --add second.claims --claim 0.90 -d x
claim number.claims metric=ipc/1e999
refuses "an infinite number in a metric" "a run has no '1e999'" reproduce 000 --add number.claims --claim 0.90 -d x
claim trace.claims run=trace metric=no_reuze
refuses "a mistyped metric of a trace" "trace.claims:6: metric 'no_reuze': 'trace' has no 'no_reuze'" \
    reproduce 000 --add trace.claims --claim 0.90 -d x
printf '%s\n' '[figure 000-x]' 'paper = 000' 'title = t' 'scale = absolute' 'workloads = nw' 'metric = cyclez' '[column C]' 'run = fermi/bl' >"$dir/figure.claims"
refuses "a mistyped metric of a figure" "figure.claims:7: metric 'cyclez': a run has no 'cyclez'; did you mean 'cycles'" \
    reproduce 000 --add figure.claims --figure 000-x -d x
for value in 1e999 -1e999 nan inf 0x; do
    claim value.claims value=$value
    refuses "value = $value" "value.claims:6: value is '$value'; expected the paper's number" reproduce 000 --add value.claims --claim 0.90 -d x
done
by reproduce all --dry-run -d x
result $rc "every metric of the shipped records exists"
finish
