#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_sensitivity.sh - the table of unstated choices (.ci/sensitivity.sh): its means are those of byway compare.
# Tiny traces replace the workloads.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
command -v node >/dev/null || skip_all "no node, which reads the results; apt-get install nodejs"

mkdir "$dir/traces"
for w in nw hotspot lud srad_v2 particlefilter sssp bh; do
    make_trace "$dir/$w" 1 $((40 + ${#w}))
    "$byway" trace convert "$dir/$w" -o "$dir/traces/$w.bwt" 2>>"$dir/err"
done
export BYWAY_TRACES=$dir/traces
SETS=cnf CHOICES=trackers REPEAT=2 JOBS=2 .ci/sensitivity.sh "$byway" "$dir/s" >"$dir/table.md" 2>"$dir/err"
result $? "the table is made"
by compare -w @cnf -p bl,ball,mrpb,decoupled,decoupled_duel --repeat 2 --json compare.json
wanted=$(node -e '
    const d = JSON.parse(require("fs").readFileSync(process.argv[1])), runs = r => [r, ...r.repeat.others];
    const loads = d.workloads.map(w => w.workload), of = (w, p, k) => runs(d.runs.find(r => r.workload === w && r.policy === p))[k].ipc;
    const mean = (p, k) => Math.exp(loads.reduce((s, w) => s + Math.log(of(w, p, k) / of(w, "bl", k)), 0) / loads.length);
    console.log(["ball", "mrpb", "decoupled", "decoupled_duel"].map(p => {
        const [a, b] = [mean(p, 0), mean(p, 1)];
        return ((a + b) / 2).toFixed(3) + " ± " + (Math.abs(a - b) / Math.SQRT2).toFixed(3); }).join(" | "));' "$dir/compare.json")
[ -n "$wanted" ] && grep -F "linear set index | $wanted |" "$dir/table.md" >>"$dir/err"
result $? "means and deviations are those of byway compare ($wanted)"
[ "$(grep -c '^| .* | [*0-9]' "$dir/table.md")" = 2 ] && grep -q 'bypassed loads in flight' "$dir/table.md"
result $? "a row for each choice"
finish
