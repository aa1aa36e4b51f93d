#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_repeat.sh - --repeat N: which runs it makes, how it summarises them, and that nothing depends on
# -j.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tap_logs=("$dir/log")
byway=${BYWAY:-build/byway}

command -v node >/dev/null || skip_all "no node, which reads the results; apt-get install nodejs"

# of FILE EXPRESSION: evaluates a JavaScript expression in which d is the result in FILE, and of(OTHER) the one in OTHER.
of() {
    node -e '
        const of = f => JSON.parse(require("fs").readFileSync(f)), d = of(process.argv[1]);
        const mean = v => v.reduce((a, b) => a + b) / v.length;
        const sd = v => Math.sqrt(v.map(x => (x - mean(v)) ** 2).reduce((a, b) => a + b) / (v.length - 1));
        const near = (a, b) => Math.abs(a - b) < 1e-6 * Math.abs(b);
        const runs = r => [r, ...(r.repeat ? r.repeat.others : [])]; // of a result
        const run = (w, p) => d.runs.find(r => r.workload === w && r.policy === p); // of a comparison
        const row = w => d.workloads.find(r => r.workload === w);
        console.log(JSON.stringify('"$2"'))' "$1"
}
cycles='runs(d).map(r => r.cycles)'

"$byway" run -w nw -p decoupled --repeat 3 --json "$dir/three.json" >"$dir/log" 2>&1
result $? "run --repeat 3 makes a result"
for k in 0 1 2 3; do
    "$byway" run -w nw -p decoupled --set noise.seed=$k --json "$dir/$k.json" >"$dir/log" 2>&1
done
[ "$(of "$dir/three.json" "$cycles")" = "[$(of "$dir/1.json" d.cycles),$(of "$dir/2.json" d.cycles),$(of "$dir/3.json" d.cycles)]" ]
result $? "its runs are those of noise.seed 1, 2 and 3"
[ "$(of "$dir/three.json" "near(d.repeat.cycles.mean, mean($cycles)) && near(d.repeat.cycles.sd, sd($cycles))")" = true ]
result $? "mean and standard deviation are those of its runs"
# 3 runs: Student's t of 2 degrees of freedom is 4.303.
[ "$(of "$dir/three.json" "near(d.repeat.cycles.high - d.repeat.cycles.mean, 4.303 * sd($cycles) / Math.sqrt(3))")" = true ]
result $? "the interval of three runs is 4.303 standard errors wide on each side"
[ "$(of "$dir/0.json" "d.cycles !== of('$dir/1.json').cycles")" = true ]
result $? "noise moves the cycles of nw"
"$byway" run -w nw -p decoupled --set noise.seed=1 --repeat 2 --json "$dir/from.json" >"$dir/log" 2>&1
[ "$(of "$dir/from.json" "[d.repeat.seeds, d.cycles === of('$dir/2.json').cycles]")" = "[[2,3],true]" ]
result $? "seeds go on from a noise.seed that was set"
[ "$(of "$dir/0.json" "'repeat' in d")" = false ]
result $? "without --repeat the result says nothing of it"

for j in 1 2; do
    "$byway" compare -w nw,gemm -p bl,ball,decoupled --repeat 3 -j $j --json "$dir/compare$j.json" >"$dir/table$j" 2>"$dir/log"
done
cp "$dir/table1" "$dir/log"
[ "$(of "$dir/compare1.json" d.workloads)" = "$(of "$dir/compare2.json" d.workloads)" ]
result $? "a comparison is the same for any -j"
# Ratios are formed per seed: the mean of ratios, not the ratio of means.
[ "$(of "$dir/compare1.json" "near(row('nw').relative_ipc.ball, mean([0, 1, 2].map(k => runs(run('nw', 'ball'))[k].ipc / runs(run('nw', 'bl'))[k].ipc)))")" = true ]
result $? "a ratio is the mean of the ratios within a seed"
grep -q '^nw .* [0-9.]*±\.[0-9][0-9][0-9]' "$dir/table1" && grep -q 'standard deviation of a single run, from 3' "$dir/table1"
result $? "the table shows deviations and says what they are"
[ "$(of "$dir/compare1.json" "d.workloads.flatMap(w => ['ball', 'decoupled'].map(p => Math.abs(w.relative_ipc[p] - 1) <= 2 * w.relative_ipc_sd[p])).filter(x => x).length")" = \
    "$(sed '/^geometric/,$d' "$dir/table1" | grep -o '~' | wc -l)" ]
result $? "~ stands where twice the deviation reaches 1, and nowhere else"
awk '{ if (length($0) > 80) exit 1 }' "$dir/table1"
result $? "the table fits 80 columns"

# Pages: their data have each seed's values. EXPRESSION is of D, the page's data.
page() { # page FILE EXPRESSION
    node -e '
        const text = require("fs").readFileSync(process.argv[1], "utf8");
        const D = JSON.parse(text.split("id=\"data\">")[1].split("</script>")[0]);
        const at = k => D.values.indexOf(k), seeds = r => r.map(x => x.n).join();
        const of = (w, p) => D.runs.filter(r => D.workloads[r.w].n === w && D.policies[r.p].n === p);
        console.log(JSON.stringify('"$2"'))' "$1"
}
"$byway" compare -w nw -p bl,ball --repeat 3 -j 2 --html "$dir/page.html" --json "$dir/c.json" >"$dir/log" 2>&1
[ "$(page "$dir/page.html" '[seeds(of("nw", "ball")), D.policies.length, of("nw", "ball").map(r => r.v[at("cycles")])]')" = \
    "$(of "$dir/c.json" "['1,2,3', 2, runs(run('nw', 'ball')).map(r => r.cycles)]")" ]
result $? "a page of repeated runs has each of them, by its seed"
"$byway" sweep -w nw -p bl,ball --repeat 3 -d "$dir/sweep" -j 2 >"$dir/log" 2>&1
[ $? = 0 ] && [ "$(ls "$dir/sweep/runs" | wc -l)" = 6 ] && "$byway" report "$dir/sweep" --html "$dir/sweep.html" >>"$dir/log" 2>&1
[ "$(page "$dir/sweep.html" '[seeds(of("nw", "ball")), D.policies.length, of("nw", "ball").map(r => r.v[at("cycles")])]')" = \
    "$(of "$dir/c.json" "['1,2,3', 2, runs(run('nw', 'ball')).map(r => r.cycles)]")" ]
result $? "sweep --repeat makes the same runs, which are one series of its page"
"$byway" sweep -w nw -p bl --set noise.seed=0,1,2 -d "$dir/mixed" -j 2 >"$dir/log" 2>&1
"$byway" report "$dir/mixed" --html "$dir/mixed.html" >>"$dir/log" 2>&1
[ "$(page "$dir/mixed.html" 'D.policies.map(p => p.s).sort()')" = '[""," noise.seed=0"]' ]
result $? "a run without noise is no repetition of runs with it"
"$byway" sweep -w nw --repeat 2 --set noise.seed=4 -d "$dir/both" >"$dir/log" 2>&1
[ $? = 2 ] && grep -q -- '--repeat and --set noise.seed: expected one of them' "$dir/log"
result $? "sweep refuses seeds given twice"

"$byway" run -w nw --repeat 2 --waves "$dir/w.vcd" >"$dir/log" 2>&1
[ $? = 2 ] && grep -q -- '--repeat and --waves: expected one of them' "$dir/log"
result $? "--repeat refuses what shows one run"
"$byway" run -w nw --repeat 101 >"$dir/log" 2>&1
[ $? = 2 ] && grep -q '100' "$dir/log"
result $? "--repeat 101 is too many"
finish
