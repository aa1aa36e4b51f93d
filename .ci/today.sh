#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# today.sh BYWAY DIR >PAGE.md - the page "Does bypassing still pay?": the papers' mechanisms on a GPU of 2010, of 2017
# and of today, a real H200 with all loads bypassing its L1, and the locality filter at both
# carve-outs.  Runs are kept in DIR; the same command resumes.
set -eu
cd "$(dirname "$0")/.."
byway=$1 dir=$2
ratios=cmodel/doc/results/h200_ratios.tsv
machines=(fermi v100 h200)
policies=(ball decoupled two_level pc)
mapfile -t workloads < <(grep -v '^#' "$ratios" | sed 1d | cut -f1)
list() { local IFS=,; echo "$*"; }
mkdir -p "$dir"
"$byway" sweep -m "$(list "${machines[@]}")" -p "bl,$(list "${policies[@]}")" -w "$(list "${workloads[@]}")" -d "$dir/machines" -j "${JOBS:-2}" >&2
# The filter needs whole lines that are allocated on a miss, and no more data ways than tag ways.
"$byway" sweep -m h200 -p bl,ball,decoupled -w "$(list "${workloads[@]}")" --set sm.carveout=auto,largest --set l1d.allocate=on_miss \
    --set l1d.sectors=1 --set l1d.store_miss=through --set decoupled.tag_ways=128 -d "$dir/carveout" -j "${JOBS:-2}" >&2
table() { # table RESULTS.csv KEYS: cycles by workload, machine, policy and further column
    awk -F, -v extra="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["workload"], $at["machine"], $at["policy"], extra == "" ? "-" : $at[extra], $at["cycles"] }' "$1"
}
ratio() { # ratio FILE WORKLOAD MACHINE POLICY EXTRA: cycles over those of bl
    awk -v w="$2" -v m="$3" -v p="$4" -v e="$5" '$1 == w && $2 == m && $4 == e { c[$3] = $5 }
        END { if (c["bl"] > 0 && c[p] > 0) printf "%.2f", c[p] / c["bl"]; else printf "-" }' "$1"
}
hardware() { awk -F'\t' -v w="$1" -v c="$2" '$1 == w { print $c }' "$ratios"; }
table "$dir/machines/results.csv" "" >"$dir/machines.txt"
table "$dir/carveout/results.csv" sm.carveout >"$dir/carveout.txt"

cat <<X
# Does bypassing still pay?

The papers' mechanisms were designed for GPUs of 2010 with 16 KB of L1 and 32 MSHRs. For readers who wonder whether they still
matter, this page shows them on \`fermi\` (2010), \`v100\` (2017) and \`h200\` (2024, [compared with a real one](../h200.md)), and
what a real H200 did when every global load of a program bypassed its L1. All numbers are cycles relative to the plain cache:
below 1 is faster. Each is from one run without noise, so differences of a few percent are not significant
([noise](../noise.md)). \`fermi\` has a hashed set index; with a linear one its gains are larger ([sensitivity](../sensitivity.md)).
Inputs are the shipped traces. \`make today\` makes this page again. [Machine-learning kernels](models.md) have a page of their own.

## The mechanisms by machine

| program | $(for m in "${machines[@]}"; do for p in "${policies[@]}"; do printf '%s %s | ' "$m" "$p"; done; done)
|---|$(for m in "${machines[@]}"; do for p in "${policies[@]}"; do printf -- '---|'; done; done)
X
for w in "${workloads[@]}"; do
    printf '| %s |' "$w"
    for m in "${machines[@]}"; do
        for p in "${policies[@]}"; do printf ' %s |' "$(ratio "$dir/machines.txt" "$w" "$m" "$p" -)"; done
    done
    echo
done
cat <<X

\`ball\` bypasses every load, \`decoupled\` has the locality filter, \`two_level\` decides per SM, \`pc\`
predicts by instruction. A dash: the filter needs a cache that reserves a line on a miss; the sectored
caches since Volta allocate it when the data arrive.

## What the hardware did

Cycles with every global load compiled to \`ld.global.cg\` (cg) or \`ld.global.L1::no_allocate\` (na),
relative to the program as compiled, measured on one H200 with a few percent of noise.

| program | cg, size small | na, size small | cg, size paper | na, size paper | simulated \`ball\`, small |
|---|---|---|---|---|---|
X
for w in "${workloads[@]}"; do
    printf '| %s | %s | %s | %s | %s | %s |\n' "$w" "$(hardware "$w" 2)" "$(hardware "$w" 3)" "$(hardware "$w" 4)" "$(hardware "$w" 5)" \
        "$(ratio "$dir/machines.txt" "$w" h200 ball -)"
done
cat <<X

In single launches with larger inputs, na took 0.84 to 0.89 of the time in streamcluster and 0.89 to 0.96 in
srad_v2; cg made kmeans 14 times slower.

## A locality filter in Hopper's L1, by carve-out

The driver splits 256 KB between L1 and scratchpad for each launch; the largest carve-out leaves 20 KB of L1, about
as much as the papers' caches. The filter needs an L1 of whole lines that reserves a line on a miss. This table
gives \`h200\` such an L1 (\`l1d.allocate = on_miss\`, \`l1d.sectors = 1\`, 128 tag ways), with and without the filter.

| program | ball, driver's choice | ball, largest carve-out | filter, driver's choice | filter, largest carve-out |
|---|---|---|---|---|
X
for w in "${workloads[@]}"; do
    printf '| %s |' "$w"
    for p in ball decoupled; do
        for e in auto largest; do printf ' %s |' "$(ratio "$dir/carveout.txt" "$w" h200 "$p" "$e")"; done
    done
    echo
done
cat <<X

## The answer

X
mean() { # mean FILE MACHINE POLICY EXTRA: geometric mean of the ratios, and the best program
    for w in "${workloads[@]}"; do echo "$w $(ratio "$1" "$w" "$2" "$3" "$4")"; done |
        awk '$2 != "-" { s += log($2); n++; if (best == "" || $2 < least) { best = $1; least = $2 } }
            END { if (n) printf "%.2f of the cycles on average, %.2f at best (%s)", exp(s / n), least, best; else printf "-" }'
}
echo "* \`fermi\`, 2010: the locality filter takes $(mean "$dir/machines.txt" fermi decoupled -); bypassing all loads $(mean "$dir/machines.txt" fermi ball -)."
echo "* \`v100\`, 2017: bypassing all loads takes $(mean "$dir/machines.txt" v100 ball -); the predictor $(mean "$dir/machines.txt" v100 pc -)."
echo "* \`h200\`, 2024: bypassing all loads takes $(mean "$dir/machines.txt" h200 ball -); the predictor $(mean "$dir/machines.txt" h200 pc -)."
echo "* A filter in Hopper's L1 takes $(mean "$dir/carveout.txt" h200 decoupled auto) with the driver's carve-out, and $(mean "$dir/carveout.txt" h200 decoupled largest) with the largest."
