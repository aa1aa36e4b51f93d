#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# verdicts.sh BUILD TRACES REPEAT JOBS - puts the claims of the first two papers on the traces of their own
# programs (byway list programs) in front of the other columns of cmodel/doc/results/verdicts.md.
# BUILD/linear.json and BUILD/hashed.json: the shipped kernels' results, as `make verdicts` leaves them;
# BUILD/verdicts/own: the runs, which are kept.
set -eu
cd "$(dirname "$0")/.."
b=$1 traces=$2 results=cmodel/doc/results page=$1/verdicts/page.md
run() { # run INDEX OPTIONS
    "$b/byway" reproduce 000,001 --claims --repeat "$repeat" --set "l1d.index=$1" -t "$traces" -d "$b/verdicts/own" -j "$jobs" "${@:2}"
}
repeat=$3 jobs=$4
run fold --json "$b/own_hashed.json"
run linear --json "$b/own_linear.json" --markdown "$b/verdicts/own.md" --beside "$b/own_hashed.json" --beside "$b/linear.json" \
    --beside "$b/hashed.json" --beside $results/small.json --beside $results/paper.json
{
    sed -e '1s/.*/# Verdicts/' -e '3s/`byway reproduce[^`]*`/`make verdicts TRACES=DIR`/' \
        -e '/^Inputs:/a*here*: [the papers'"'"' own programs](../originals.md) on their machines with the linear set index; *own*: the same with hashed\nsets; *test*: the shipped kernels; *small*, *paper*: larger inputs of these, one run of each kind without noise.' \
        "$b/verdicts/own.md/README.md"
    awk '/^## 002/ { found = 1 } found' $results/verdicts.md
} >"$page"
mv "$page" $results/verdicts.md
