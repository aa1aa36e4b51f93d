#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_page.sh - pages of runs (byway report, compare --html, diff --html): their contents; and in
# headless Chromium at 360, 1280 and 2560 pixels no error, no request, every control by mouse,
# keyboard and touch. Prints TAP. SHOTS=DIR keeps screenshots.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
for i in 1 2 3; do
    make_trace "$dir/t$i" $i $((20 + i))
done
traces=(-t t1 -t t2 -t t3)
holds() { # holds FILE TEXT...: FILE contains every TEXT
    local file=$1 text
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$dir/$file" || return 1
    done
}

by sweep -m fermi -d s "${traces[@]}" -p bl,ball,decoupled --set l1d.mshrs=16,32 -j 2
by report s
[ $rc = 0 ] && [ "$(cat "$dir/err")" = "charts: s/index.html" ] && tail -n 1 "$dir/s/index.html" | grep -q '</html>$'
result $? "report writes DIR/index.html"
holds s/index.html '"t":"BL l1d.mshrs=16"' '"t":"Decoupled l1d.mshrs=32"' '"workloads":' "$(ls "$dir/s/runs" | head -n 1 | sed 's/.json//')"
result $? "the page has a mark for every policy and varied key, and the runs' ids"
cp -r "$dir/s" "$dir/old"
sed -i '/"l1d.miss_queue":/d' "$dir"/old/runs/*.json # as written by a version without that key
by report old
holds old/index.html '"t":"BL l1d.mshrs=16"'
result $? "report accepts results of a version without some key"
by report s --html again.html
cmp -s "$dir/s/index.html" "$dir/again.html"
result $? "the same results give the same bytes"
! grep -qE 'src=|@import|url\(|https?://' "$dir/s/index.html"
result $? "nothing is loaded"
by report s --html -
cmp -s "$dir/out" "$dir/again.html"
result $? "report writes to standard output"
by run -m fermi -t t1 -p bl --json a.json
by run -m fermi -t t1 -p ball --json b.json
by report a.json
[ $rc = 0 ] && [ "$(cat "$dir/err")" = "charts: a.html" ] && holds a.html '"workloads":'
result $? "a file's page is written next to it"
by diff a.json b.json --policies --html d.html
[ $rc = 1 ] && holds d.html '"t":"A: BL"' '"t":"B: BALL"' && grep -q 'differ' "$dir/out"
result $? "diff --html shows both side by side"
by compare "${traces[@]}" -p bl,ball --html c.html --json c.json
[ $rc = 0 ] && holds c.html 'id="app"' '<h2>Data</h2>' '"t":"BALL"'
result $? "compare has the charts, and its tables"
refuses "no folder" "gone: no such file or folder" report gone
mkdir -p "$dir/empty/runs"
refuses "a folder without results" "empty: has no results" report empty
refuses "no argument" "report: expected the folder of a sweep" report
[ ! -e "$dir/empty/index.html" ]
result $? "a refusal leaves no page"

skip() {
    skip_check "the page in a browser" "$1"
    finish
    exit
}
. verif/cli/browser.sh
# 58 workloads by 16 policies, made from the runs above under other names and with other numbers.
BYWAY=$byway node -e '
    const fs = require("fs"), [from, to] = process.argv.slice(1), c = JSON.parse(fs.readFileSync(from));
    const runs = [], names = require("child_process").execSync(process.env.BYWAY + " list workloads").toString()
        .split("\n").map(l => l.trim().split(/ +/)[0]).filter(w => /^[a-z][a-z0-9_]+$/.test(w) && w !== "name");
    while (names.length < 58) names.push("own_" + names.length);
    for (let w = 0; w < 58; w++) for (let p = 0; p < 16; p++) {
        const r = JSON.parse(JSON.stringify(c.runs[p === 1 ? 1 : 0])), f = 0.9 + ((w * 7 + p * 13) % 23) / 100;
        Object.assign(r, {workload: names[w], policy: "policy" + p, run_id: String(w * 16 + p).padStart(32, "0")});
        r.config["policy.title"] = "Policy " + p;
        r.ipc *= f;
        for (const k in r.l1d) if (typeof r.l1d[k] === "number" && r.l1d[k] > 1) r.l1d[k] = Math.round(r.l1d[k] * f);
        runs.push(r);
    }
    fs.writeFileSync(to, JSON.stringify({...c, runs}));' "$dir/c.json" "$dir/many.json" 2>"$dir/err"
by report many.json --html many.html
[ $rc = 0 ] && [ "$(wc -c <"$dir/many.html")" -lt 3000000 ] && [ "$(grep -o '"run_id"\|"id":"0' "$dir/many.html" | wc -l)" = 928 ]
result $? "58 workloads by 16 policies: $(wc -c <"$dir/many.html") bytes, below 3 MB"
browse page.js "$dir/many.html" page 45
by sweep -m fermi -d two -p bl,decoupled "${traces[@]:0:4}" --set l1d.allocate=on_miss,on_fill --set l1d.mshrs=16,32,64
by report two
browse sweep.js "$dir/two/index.html" sweep 14
finish
