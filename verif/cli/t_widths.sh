#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_widths.sh - a machine accepts the shipped trace of its own warp width and refuses others.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
traces=$(realpath cmodel/traces)

# Warp instructions of a run.
instructions() {
    by "$@" --json -
    sed -n 's/^ *"warp_instructions": \([0-9]*\),$/\1/p' "$dir/out" | head -1
}
narrow=$(instructions run --workload fwsoft)
half=$((${narrow:-0} / 2))
[ $half -gt 0 ] && [ "$(instructions run --machine gcn_ml --workload fwsoft)" = $half ]
result $? "wide warps on GCN take half of Fermi's instructions"
[ "$(instructions run --machine gcn_ml --set sm.warp_lanes=32 --workload fwsoft)" = "$narrow" ]
result $? "narrow warps on GCN on request"
[ "$(instructions compare --machine gcn_ml --policies bl --workloads fwsoft)" = $half ]
result $? "wide warps in a comparison"
refuses "narrow warps on GCN" "warps of 32 lanes, but the machine's have 64; capture with --warp 64" \
    run --machine gcn_ml --trace "$traces/fwsoft.bwt"
refuses "wide warps on Fermi" "warps of 64 lanes, but the machine's have 32" \
    run --trace "$traces/w64/fwsoft.bwt"
refuses "a width in between" "sm.warp_lanes must be 32 or 64" \
    run --workload fwsoft --set sm.warp_lanes=48

# Programs of the two papers whose machines have waves of 64.
missing=
for name in $("$byway" list workloads | awk '/ (pc|mi) / { print $1 }'); do
    [ -e "$traces/w64/$name.bwt" ] || missing="$missing $name"
done
[ -z "$missing" ] && [ "$(ls "$traces/w64" | wc -l)" -ge 30 ]
result $? "@pc and @mi have traces of 64 lanes${missing:+, but not$missing}"
finish
