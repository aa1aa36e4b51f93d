#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_verdicts.sh - .ci/verdicts.sh, which writes the verdicts, README's means and the table of the papers' own
# programs: every step runs in a copy of the pages, with tiny traces in place of all workloads and programs. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
command -v node >/dev/null || skip_all "no node, which makes the tables; apt-get install nodejs"

mkdir -p "$dir/traces" "$dir/own" "$dir/build" "$dir/.ci" "$dir/verif/cli" "$dir/cmodel/doc"
for k in 1 2; do
    make_trace "$dir/t$k" $k $((30 + k))
    "$byway" trace convert "$dir/t$k" -o "$dir/t$k.bwt" 2>>"$dir/err"
done
for w in $("$byway" list workloads --json | jq -r '.[].name'); do cp "$dir/t1.bwt" "$dir/traces/$w.bwt"; done
for w in $("$byway" list programs --json | jq -r '.[] | select(.sum != "").workload'); do cp "$dir/t2.bwt" "$dir/own/$w.bwt"; done
export BYWAY_TRACES=$dir/traces
ln -s "$byway" "$dir/build/byway"
cp .ci/verdicts.sh .ci/fill.sh .ci/gallery.js "$dir/.ci"
cp verif/cli/browser.js "$dir/verif/cli"
cp -r cmodel/doc/results cmodel/doc/originals.md "$dir/cmodel/doc"
cp README.md "$dir"
for i in linear fold; do
    by reproduce 000,001 --claims --set l1d.index=$i -d shipped -j 2 --json build/$i.json
done
mv "$dir/build/fold.json" "$dir/build/hashed.json"

page=cmodel/doc/results/verdicts.md
"$dir/.ci/verdicts.sh" "$dir/build" "$dir/own" 2 2 >"$dir/out" 2>"$dir/err"
result $? "every step of it ends well"
head -n 1 "$dir/$page" | grep -qx '# Verdicts'
result $? "the page has its title"
grep -q '^Made by `make verdicts TRACES=DIR REPEAT=2`' "$dir/$page" && ! grep -v '^Inputs: ' "$dir/$page" | grep -q "$dir"
result $? "it names the command that makes it, and no folder of the machine"
grep -q '^\*here\*: \[the papers. own programs\](../originals.md)' "$dir/$page"
result $? "it says what its columns are"
claims=$("$byway" reproduce 000,001 --claims -d "$dir/shipped" -j 2 2>/dev/null | grep -oE '^[0-9]+ claims' | grep -oE '[0-9]+')
grep -qE "^$claims claims: " "$dir/$page" && ! sed '/^## 002/,$d' "$dir/$page" | grep -q 'runs missing'
result $? "all $claims claims are judged, and no run is missing"
for c in 'traces, l1d.index=fold, 2 runs' 'test, l1d.index=linear' 'test, l1d.index=fold' small paper; do
    sed -n '/^| | claim/{p;q}' "$dir/$page" | grep -qF "| $c | verdict |"
    result $? "a column has: $c"
done
value() { # value FILE ID NUMBER: what a result says
    jq -r --arg c "$2" --arg n "$3" '.claims[] | select(.id == $c).numbers[] | select(.number == $n).here' "$1"
}
sed -n '/^| \*\*1.6\*\*/,/^| \*\*1.7\*\*/p' "$dir/$page" | grep '^| | lud |' |
    awk -F'|' -v own="$(value "$dir/build/own_linear.json" 1.6 lud)" -v shipped="$(value "$dir/build/linear.json" 1.6 lud)" '
        { split($5, here, " "); split($10, test, " "); near = here[1] - own < .001 && own - here[1] < .001
          exit !(near && test[1] - shipped < .001 && shipped - test[1] < .001 && own != shipped) }'
result $? "its first column is of the programs' traces, a further one of the shipped"
diff <(sed -n '/^## 002/,$p' $page) <(sed -n '/^## 002/,$p' "$dir/$page") >"$dir/out"
result $? "the other papers' claims stay as they were"
grep -qF "linear $(jq -r '"\(.reproduced) reproduced, \(.partly) partly"' "$dir/build/linear.json")" "$dir/$page"
result $? "the shipped kernels' verdicts are counted"
diff <(sed '/<!-- means -->/,/<!-- end -->/d' README.md) <(sed '/<!-- means -->/,/<!-- end -->/d' "$dir/README.md") >"$dir/out" &&
    ! cmp -s README.md "$dir/README.md"
result $? "README has new means, and nothing else changed"
[ "$(sed -n '/<!-- own -->/,/<!-- end -->/p' "$dir/cmodel/doc/originals.md" | grep -cE '^\| (CNF|CF|CI) \|')" = 18 ] &&
    grep -q '^Last rows: .*make verdicts TRACES=DIR' "$dir/cmodel/doc/originals.md"
result $? "the table of the programs has 18 rows and names its command"
ls "$dir"/cmodel/doc/*.new "$dir"/*.new "$dir/build/verdicts/page.md" >"$dir/out" 2>/dev/null
[ ! -s "$dir/out" ]
result $? "nothing is left beside the pages"
kept=$(ls "$dir/build/verdicts/own/runs" | wc -l)
sum=$(sha256sum <"$dir/$page")
"$dir/.ci/verdicts.sh" "$dir/build" "$dir/own" 2 2 >"$dir/out" 2>"$dir/err"
[ $? = 0 ] && [ "$(ls "$dir/build/verdicts/own/runs" | wc -l)" = "$kept" ] && [ "$(sha256sum <"$dir/$page")" = "$sum" ]
result $? "a second time it makes no run and the same page"
finish
