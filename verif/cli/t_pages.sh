#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_pages.sh - folders of pages: one per workload (byway compare --pages) and one per paper (byway
# report CLAIMS.json): their contents; and in headless Chromium at 360, 1280 and 2560 pixels no
# error, no request, every control by mouse, keyboard and touch, every chart as SVG and CSV.
# Prints TAP. SHOTS=DIR keeps screenshots.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
make_trace "$dir/mine" 7 40
skip() {
    skip_check "the pages in a browser" "$1"
    finish
    exit
}
holds() { # holds FILE TEXT...: FILE contains every TEXT
    local file=$1 text
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$dir/$file" || return 1
    done
}

by compare -m fermi -w kmeans -t mine -p bl,ball,decoupled_duel,two_level --pages w --json c.json
[ $rc = 0 ] && [ "$(cd "$dir/w" && echo *)" = "index.html kmeans.html mine.html" ]
result $? "a page per workload and an index"
holds w/index.html '"p":"kmeans.html"' '"p":"mine.html"' && ! grep -qF '"tl":' "$dir/w/index.html"
result $? "the index links to the pages and leaves the larger parts to them"
holds w/kmeans.html '"alone":true' '"stack_distance":' '"tl":{' '"ld":[' '"sites":'
result $? "a page has reuse, loads, sites and a timeline"
! grep -qE 'src=|@import|url\(|https?://' "$dir/w/kmeans.html"
result $? "nothing is loaded"
by trace info "$PWD/cmodel/traces/kmeans.bwt" --sms 15 --json
grep -o '"reuse":.*' "$dir/w/kmeans.html" | grep -o '"lines_by_references":\[[0-9,]*\]' >"$dir/page.reuse"
tr -d ' \n' <"$dir/out" | grep -o '"lines_by_references":\[[0-9,]*\]' | cmp -s - "$dir/page.reuse" && [ -s "$dir/page.reuse" ]
result $? "a page's reuse is that of byway trace info"
by run -w kmeans -p decoupled_duel --timeline 200 --loads --json r.json
command -v node >/dev/null || skip "no node to read the pages; apt-get install nodejs"
for member in timeline loads; do
    node -e 'const [r, c, m] = process.argv.slice(1), fs = require("fs"), read = f => JSON.parse(fs.readFileSync(f));
        const its = read(c).runs.find(x => x.workload === "kmeans" && x.policy === "decoupled_duel");
        process.exit(JSON.stringify(read(r)[m]) === JSON.stringify(its[m]) ? 0 : 1)' "$dir/r.json" "$dir/c.json" $member 2>"$dir/err"
    result $? "$member equals the output of the command on the page"
done
grep -q '"k":\["CNF"\]\|"k":\["CF"\]\|"k":\["CI"\]' <(grep -o '"n":"mine"[^}]*' "$dir/w/index.html")
result $? "a user's trace is listed by measured class"
touch "$dir/file"
by sweep -m fermi -d both -t mine -p bl,ball
by report both
cp "$dir/both/index.html" "$dir/before"
refuses "compare_does_not_replace_the_page_of_report" "both/index.html: is a page of \`byway report\`" \
    compare -m fermi -t mine -p bl,ball --pages both
cmp -s "$dir/both/index.html" "$dir/before" && [ ! -e "$dir/both/mine.html" ]
result $? "compare leaves the folder unchanged"
by compare -m fermi -t mine -p bl,ball --pages second && by sweep -d second -t mine -p bl,ball
cp "$dir/second/index.html" "$dir/before"
refuses "report_does_not_replace_the_page_of_compare" "second/index.html: is a page of \`byway compare --pages\`" report second
cmp -s "$dir/second/index.html" "$dir/before"
result $? "report leaves the folder unchanged"
by compare -m fermi -t mine -p bl,ball --pages second
[ $rc = 0 ]
result $? "a command replaces its own pages"
mkdir "$dir/own" && echo '<html>mine</html>' >"$dir/own/index.html"
refuses "a_page_of_the_users_is_not_replaced" "own/index.html: is not a page of byway" compare -m fermi -t mine -p bl,ball --pages own
refuses "a file with the folder's name" "file: is not a folder" compare -m fermi -t mine -p bl,ball --pages file

for file in cmodel/configs/policies/*.cfg; do
    name=${file##*/}
    grep -q "^POLICY(\"${name%.cfg}\", \"$(sed -n 's/^policy.title = //p' "$file")\")$" cmodel/study/page/byw_palette.def || echo "$name"
done >"$dir/err"
[ ! -s "$dir/err" ]
result $? "every_shipped_policy_has_a_mark_in_the_palette"

mkdir -p "$dir/p/runs"
id=0123456789abcdef0123456789abcdef
echo '{"workload": "nw", "machine": "fermi", "policy": "bl", "provenance": {"command": "byway sweep -w nw"}}' >"$dir/p/runs/$id.json"
cat >"$dir/p/claims.json" <<J
{"schema": "byway.claims/2", "claims": [
 {"id": "0.1", "paper": "000", "claim": "It <b>raises</b> IPC", "verdict": "reproduced", "reason": "", "numbers": [{"number": "mean", "metric": "ipc", "variant": "d",
   "reference": "bl", "paper": 1.3, "here": 1.34, "sd": 0.02, "n": 3, "verdict": "reproduced",
   "expected": "above 1", "holds": true, "strength": 1.1, "runs": ["$id"]}]},
 {"id": "0.2", "paper": "000", "claim": "and hits", "verdict": "partly", "reason": "because of that", "numbers": [{"number": "most", "metric": "hit", "variant": "d",
   "reference": "", "paper": 1.3, "here": null, "expected": "above 1", "holds": false, "strength": null, "runs": []}]}],
 "figures": [{"id": "000-F8", "paper": "000", "title": "Figure 8", "quantity": "IPC relative to BL", "columns": ["BL", "MRPB", "D"], "rows": [
   {"row": "nw", "here": [1, 1.2, 1.4], "sd": [0, 0.05, 0.1], "paper": [1, null, 1.3], "runs": [["$id"], ["$id"], [null]]}, {"row": "bh", "here": [1, 0.9, null], "paper": [null, null, null]}]},
  {"id": "000-F3", "paper": "000", "title": "Figure 3", "quantity": "lines", "columns": ["once", "twice"], "rows": [
   {"row": "nw", "here": [12, 30], "paper": [null, 20]}, {"row": "bh", "here": [4, 3], "paper": [null, null]}]}]}
J
by report p/claims.json
[ $rc = 0 ] && [ "$(cd "$dir/p" && echo *)" = "claims.json paper-000.html runs" ] && holds p/paper-000.html "byway sweep -w nw" '"nw on fermi with bl"'
result $? "a page per paper has claims and the commands that repeat their runs"

. verif/cli/browser.sh
browse load.js "$dir/w/kmeans.html" load 40
browse paper.js "$dir/p/paper-000.html" paper 30
finish
