#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_gallery.sh - the tables of README and of the results page (.ci/gallery.js): both set indices in each cell, the class
# means of both, rows sorted and averaged by the same class.  Tiny traces replace the workloads.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
command -v node >/dev/null || skip_all "no node, which makes the table; apt-get install nodejs"

mkdir "$dir/traces"
for w in nw lud gemm; do
    make_trace "$dir/$w" $((${#w} * 8)) $((38 + ${#w}))
    "$byway" trace convert "$dir/$w" -o "$dir/traces/$w.bwt" 2>>"$dir/err"
done
export BYWAY_TRACES=$dir/traces
for m in fermi_linear fermi; do
    by compare -m $m -w nw,lud,gemm -p bl,ball,mrpb --repeat 2 --json $m.json
done
node .ci/gallery.js table "$dir/fermi_linear.json" "$dir/fermi.json" >"$dir/table.md" 2>"$dir/err"
result $? "the table is made"
# wanted EXPRESSION: what a cell must contain; `both` has the two results.
wanted() {
    node -e '
        const both = ["fermi_linear", "fermi"].map(m => JSON.parse(require("fs").readFileSync(process.argv[1] + "/" + m + ".json")));
        const of = (d, w) => d.workloads.find(x => x.workload === w);
        const runs = (d, w, p) => { const r = d.runs.find(x => x.workload === w && x.policy === p); return [r, ...r.repeat.others]; };
        const ratios = (d, w, p) => [0, 1].map(k => runs(d, w, p)[k].ipc / runs(d, w, "bl")[k].ipc);
        const mean = v => (v[0] + v[1]) / 2, sd = v => Math.abs(v[0] - v[1]) / Math.SQRT2;
        const mark = v => mean(v).toFixed(2) + (sd(v) > 0 && Math.abs(mean(v) - 1) <= 2 * sd(v) ? "~" : "");
        const geo = (d, p) => [0, 1].map(k => Math.sqrt(ratios(d, "nw", p)[k] * ratios(d, "lud", p)[k]));
        console.log('"$1"')' "$dir"
}
grep -qxF "| CF | gemm | $(wanted 'both.map(d => of(d, "gemm").class_here).join(" / ")') | $(wanted 'both.map(d => mark(ratios(d, "gemm", "ball"))).join(" / ")') | $(
    wanted 'both.map(d => mark(ratios(d, "gemm", "mrpb"))).join(" / ")') |" "$dir/table.md"
result $? "a cell has the linear and the hashed mean, marked ~ within twice the deviation of 1"
for m in fermi_linear:0.016 fermi:0.014; do # 1.03 is within twice the first deviation of 1
    node -e '
        const fs = require("fs"), d = JSON.parse(fs.readFileSync(process.argv[1]));
        const gemm = d.workloads.find(w => w.workload === "gemm");
        gemm.relative_ipc.ball = 1.03;
        gemm.relative_ipc_sd.ball = Number(process.argv[2]);
        fs.writeFileSync(process.argv[3], JSON.stringify(d));' "$dir/${m%:*}.json" "${m#*:}" "$dir/near_${m%:*}.json"
done
node .ci/gallery.js table "$dir/near_fermi_linear.json" "$dir/near_fermi.json" 2>"$dir/err" | grep -q '^| CF | gemm | [^|]* | 1.03~ / 1.03 |'
result $? "the mark ends at two deviations"
[ "$(wanted '"" + both[0].runs[0].cycles')" != "$(wanted '"" + both[1].runs[0].cycles')" ]
result $? "the two columns are of different machines"
grep -qF "| **CNF (2)** |  |  | $(wanted 'both.map(d => mean(geo(d, "ball")).toFixed(3) + " ± " + sd(geo(d, "ball")).toFixed(3).slice(1)).join(" / ")') |" "$dir/table.md"
result $? "the row of a class has geometric means with deviations, within a seed"
[ "$(grep -c '^| \*\*' "$dir/table.md")" = 2 ]
result $? "a class without workloads has no row"
[ "$(sed -nE 's/^\| (CNF|CF|CI) \| ([a-z]+) \|.*/\1 \2/p' "$dir/table.md" | tr '\n' ' ')" = "CNF lud CNF nw CF gemm " ]
result $? "rows are sorted by the class whose means follow"
node .ci/gallery.js means "$dir/fermi_linear.json" "$dir/fermi.json" 2>"$dir/err" | grep '^| \*\*' >"$dir/means.md"
diff <(sed 's/ |  |  | / | /' "$dir/table.md" | grep '^| \*\*') "$dir/means.md" >"$dir/err"
result $? "README's table has the same means"
finish
