#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# verdicts.sh BUILD TRACES REPEAT JOBS - the results on the traces of the papers' own programs (byway list
# programs): the claims of the first two papers in front of the other columns of cmodel/doc/results/verdicts.md,
# the policies side by side in cmodel/doc/originals.md (<!-- own -->), their means in README.md (<!-- means -->).
# BUILD/linear.json and BUILD/hashed.json: the shipped kernels' results, as `make verdicts` leaves them;
# BUILD/verdicts/own: the runs, which are kept. BUDGET: minutes for each set index; claims with missing runs are then
# incomplete.
set -eu
cd "$(dirname "$0")/.."
b=$1 traces=$2 results=cmodel/doc/results page=$1/verdicts/page.md
run() { # run INDEX OPTIONS
    "$b/byway" reproduce 000,001 --claims --repeat "$repeat" --set "l1d.index=$1" -t "$traces" -d "$b/verdicts/own" -j "$jobs" \
        ${BUDGET:+--budget "$BUDGET"} "${@:2}"
}
repeat=$3 jobs=$4
counts() { # counts RESULTS: "11 reproduced, 43 partly, 6 not, 3 undecided"
    jq -r '"\(.reproduced) reproduced, \(.partly) partly, \(.not) not, \(.undecided) undecided" + if .incomplete > 0 then ", \(.incomplete) incomplete" else "" end' "$1"
}
mkdir -p "$b/verdicts"
run fold --json "$b/own_hashed.json"
run linear --json "$b/own_linear.json" --markdown "$b/verdicts/own.md" --beside "$b/own_hashed.json" --beside "$b/linear.json" \
    --beside "$b/hashed.json" --beside $results/small.json --beside $results/paper.json
{
    sed -e '1s/.*/# Verdicts/' -e "3s/\`byway reproduce[^\`]*\`/\`make verdicts TRACES=DIR REPEAT=$repeat\`/" \
        -e '/^Inputs:/a*here*: [the papers'"'"' own programs](../originals.md) on their machines with the linear set index; *own*: the same with hashed\nsets; *test*: the shipped kernels; *small*, *paper*: larger inputs of these, one run of each kind without noise. Reasons in italics\nare about the shipped kernels, on which their commands run.' \
        "$b/verdicts/own.md/README.md"
    [ "$(jq .incomplete "$b/own_linear.json")" = 0 ] && [ "$(jq .incomplete "$b/own_hashed.json")" = 0 ] ||
        printf '\nRuns of *here* or *own* are missing, most of policies that search (PDP-best, Profiled); the same command resumes them.\n'
    printf '\nThe other papers, below, are judged on the shipped kernels: *here* with the linear set index, *l1d.index=fold* with the hashed one. Over\n'
    printf 'all %s claims these have: linear %s; hashed %s.\n\n' "$(jq '.claims | length' "$b/linear.json")" "$(counts "$b/linear.json")" \
        "$(counts "$b/hashed.json")"
    awk '/^## 002/ { found = 1 } found' $results/verdicts.md
} >"$page"
mv "$page" $results/verdicts.md

# Inputs: all workloads that have a class, each with its trace in $traces, or else with the shipped one.
inputs=()
for w in $("$b/byway" list workloads --json | awk -F'"' '$2 == "name" { w = $4 } $2 == "class" && $4 ~ /^C/ { print w }'); do
    if [ -e "$traces/$w.bwt" ]; then inputs+=(-t "$traces/$w.bwt"); else inputs+=(-w "$w"); fi
done
for m in fermi_linear fermi; do
    "$b/byway" compare -m $m "${inputs[@]}" -p bl,ball,mrpb,pc,two_level,decoupled,decoupled_duel --repeat 3 -j "$jobs" \
        --json "$b/verdicts/own.$m.json" >/dev/null
done
for what in table means; do
    node .ci/gallery.js $what "$b/verdicts/own.fermi_linear.json" "$b/verdicts/own.fermi.json" |
        sed 's/Made by `make gallery`/Made by `make verdicts TRACES=DIR`/' >"$b/verdicts/$what.md"
done
.ci/fill.sh cmodel/doc/originals.md own "$b/verdicts/table.md"
.ci/fill.sh README.md means "$b/verdicts/means.md"
