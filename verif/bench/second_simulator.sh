#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# second_simulator.sh [WORKLOAD ...] - the table of cmodel/doc/second_simulator.md: bypass policies that were written a
# second time, in Accel-Sim, and byway's own on fermi_gpgpusim. Accel-Sim's figures are those of
# second_simulator.tsv, byway's are run. Speedup over BL; hits (lines in flight included) in percent
# of loads and stores; bypassed loads in percent of loads; atomics count as neither. Needs jq.
set -eu
cd "$(dirname "$0")/../.."
byway=$(realpath "${BYWAY:-${B:-build}/byway}")
json=$(mktemp)
trap 'rm -f "$json"' EXIT

ours() { # ours WORKLOAD LAUNCHES POLICY INDEX: cycles, accesses, hits, loads, bypassed loads
    local launches=()
    [ "$2" = all ] || launches=(--launches "$2")
    "$byway" run -m fermi_gpgpusim -w "$1" -p "$3" -s "l1d.index=$4" ${launches[@]+"${launches[@]}"} --json "$json" >/dev/null
    jq -r '[.cycles, .l1d.loads + .l1d.stores, .l1d.hits + .l1d.hit_pending, .l1d.loads, .l1d.bypasses - .l1d.atomics] | @tsv' "$json"
}
echo '| trace | index | policy | cycles, Accel-Sim | byway | speedup, Accel-Sim | byway | hits, % | byway | bypassed, % | byway |'
echo '|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|'
grep -v '^#' verif/bench/second_simulator.tsv | while read -r workload launches policy index figures; do
    [ $# = 0 ] || [[ " $* " = *" $workload "* ]] || continue
    printf '%s %s %s %s %s %s\n' "$workload" "$index" "$policy" "$launches" "$figures" "$(ours "$workload" "$launches" "$policy" "$index")"
done | awk '{
    if ($3 == "bl") { theirs[$1, $2] = $5; ours[$1, $2] = $10 }
    printf "| %s | %s | %s | %d | %d | %.3f | %.3f | %.1f | %.1f | %.1f | %.1f |\n", $1, $2, $3, $5, $10, theirs[$1, $2] / $5,
        ours[$1, $2] / $10, 100 * $7 / $6, 100 * $12 / $11, 100 * $9 / $8, 100 * $14 / $13
}'
