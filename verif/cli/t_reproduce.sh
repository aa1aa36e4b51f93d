#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_reproduce.sh - byway reproduce: its numbers equal those of byway compare, its verdicts follow
# from them, it resumes. Tiny traces replace all workloads. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh

by reproduce all -d shipped -n
[ $rc = 0 ] && grep -qE 'shipped: [0-9]{3,} runs, 0 done, [0-9]+ to do: about' "$dir/err"
result $? "every claim and figure has runs, from shipped files"
ids=$("$byway" reproduce --help | sed -n 's/^  \(00[0-4]-[A-Za-z0-9]*\) .*/\1/p')
[ "$(echo "$ids" | wc -l)" -ge 15 ]
result $? "the help lists the figures"

# Traces of a few CTAs: two_level must see different ones, so the step differs.
mkdir "$dir/traces"
i=0
for w in $("$byway" list workloads --json | sed -n 's/.*"name": "\([a-z0-9_]*\)".*/\1/p'); do
    i=$((i + 1))
    [ -e "$dir/t$((i % 3))" ] || make_trace "$dir/t$((i % 3))" $((i % 3)) $((30 + i % 3))
    [ -e "$dir/t$((i % 3)).bwt" ] || "$byway" trace convert "$dir/t$((i % 3))" -o "$dir/t$((i % 3)).bwt"
    cp "$dir/t$((i % 3)).bwt" "$dir/traces/$w.bwt"
done
[ $i -ge 40 ]
result $? "traces for $i workloads"
export BYWAY_TRACES=$dir/traces

by reproduce 001 -d r -j 2 --json claims.json
[ $rc = 0 ] && [ ! -s "$dir/none" ] && [ -s "$dir/r/index.html" ]
result $? "paper 001"
cp "$dir/out" "$dir/table"
here() { # here CLAIM NUMBER: byway's value
    sed -n '/"id": "'"$1"'"/,/"id": /p' "$dir/claims.json" |
        sed -n '/"number": "'"$2"'"/,/"expected"/s/.*"here": \([-0-9.e]*\|null\).*/\1/p' | head -n 1
}
near() { # near A B
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d < 1e-6 && d > -1e-6) }'
}
by compare -m pascal_gpgpusim -w @twolevel -p bl,two_level,threshold --json compare.json
mean() { # mean POLICY
    sed -n '/"geomean_ipc_by_measured_class"/,/"refused"/p' "$dir/compare.json" |
        sed -n '/"all": {/,/}/s/.*"'"$1"'": \([0-9.]*\).*/\1/p'
}
near "$(here 1.1 mean)" "$(mean two_level)" && near "$(here 1.2 threshold)" "$(mean threshold)"
result $? "geometric means are those of byway compare"
by run -m pascal_gpgpusim -p bl -w lud --json lud.json
rate=$(sed -n 's/.*"hit_rate_all": \([0-9.e-]*\).*/\1/p' "$dir/lud.json" | head -n 1)
near "$(here 1.6 lud)" "$(awk -v r="$rate" 'BEGIN { printf "%.10g", 1 - r }')"
result $? "a level is that of byway run"

# Each claim's verdict follows from those of its numbers (t_claims.c has the rules for numbers).
awk '/"figures":/ { nextfile } /"id":/ { id = $2; fresh = 1 } /"verdict":/ && fresh { said[id] = $2; fresh = 0; next }
    /"verdict":/ { all[id]++; n[id, $2]++ }
    END { for (i in said) { r = n[i, "\"reproduced\""] + 0; p = n[i, "\"partly\""] + 0; u = n[i, "\"undecided\""] + 0
          w = r == all[i] ? "reproduced" : r + p > 0 ? "partly" : u == all[i] ? "undecided" : "not"
          if (all[i] == 0 || said[i] != "\"" w "\",") { print i, said[i], w; bad = 1 } } exit bad + 0 }' "$dir/claims.json" >"$dir/err"
result $? "verdicts follow from the numbers"
claims=$(grep -c '^\[claim ' cmodel/study/papers/001.claims)
grep -qE "^$claims claims: [0-9]+ reproduced, [0-9]+ partly, [0-9]+ not, [0-9]+ undecided$" "$dir/table"
result $? "and are counted"
tr '\n' ' ' <"$dir/table" | grep -q 'Noise was not measured, .* 1 % for a mean over workloads and 4 % for a'
result $? "one run of each kind: the table says that the noise was not measured"
# A number that differs from the paper's shows the expected value, in the text and in Markdown, and
# only there.
not_so() { # not_so EXPECTED: how many numbers with a value differ from the paper's
    tr -d '\n' <"$dir/claims.json" | sed 's/"number": /\n&/g; s/"claim": /\n&/g' | grep -E '"here": [-0-9]' | grep -F "\"expected\": \"$1" | grep -c '"verdict": "not"'
}
wrong=$(not_so "")
by reproduce 001 -d r -j 2 --claims --markdown marks --html marks.html
[ "$wrong" -ge 1 ] && [ "$(grep -E '  not: .* expected$' "$dir/table" | grep -vc 'here       -')" = "$wrong" ] &&
    [ "$(grep -cE '\| not: [^|]* expected \|$' "$dir/marks/README.md")" = "$wrong" ] &&
    [ "$(grep -c '^| | .* | undecided |$' "$dir/marks/README.md")" = "$(grep -cE '  undecided$' "$dir/table")" ]
result $? "the $wrong numbers that are not as in the paper say what was expected"
[ "$(grep -E '  not: above 1 expected$' "$dir/table" | grep -vc 'here       -')" = "$(not_so 'above 1')" ] &&
    awk '/  not: above 1 expected$/ && $0 !~ /here +(-|0\.)/ { bad = 1 } /  not: below 1 expected$/ && $0 ~ /here +0\./ { bad = 1 }
        / not: within a factor of 2 expected$/ { for (i = 1; i < NF; i++) { if ($i == "paper") p = $(i + 1); if ($i == "here") h = $(i + 1) } if (h <= 2 * p && 2 * h >= p) bad = 1 }
        END { exit bad }' "$dir/table"
result $? "and that is not what they are"
in_page() { # in_page FILE ID...: the page's data has these figures and claims
    local file=$1 id
    shift
    for id in "$@"; do
        grep -qF "\"id\":\"$id\"" "$dir/$file" || return 1
    done
}
in_page r/index.html 001-F1 001-F3 001-F4 001-F5 1.1 1.6 && grep -qF '"page":"paper-001.html"' "$dir/r/index.html" &&
    in_page r/paper-001.html 001-F1 1.1 && ! grep -qE 'src=|@import|url\(|https?://[^w]' "$dir/r/index.html"
result $? "the page has the paper's claims and figures, leads to its own, and needs no network"
mkdir "$dir/pages"
by reproduce 001 -d r -j 2 --html pages/all.html
[ $rc = 0 ] && grep -q 'charts: pages/all.html, and a page per paper next to it' "$dir/err" && in_page pages/paper-001.html 001-F1 &&
    grep -qF "\"folder\":\"$(realpath "$dir/r")/\"" "$dir/pages/paper-001.html" && grep -qF '"folder":""' "$dir/r/paper-001.html"
result $? "--html F: the papers' pages are next to F and link to the runs"
by reproduce 001 -d r -j 2 --html -
[ $rc = 0 ] && in_page out 001-F1 && ! grep -qF '"page":' "$dir/out"
result $? "on standard output without links"

some=$(ls "$dir/r/runs/"* | head -n 5)
rm $some
by reproduce 001 -d r -j 2 --json again.json
[ $rc = 0 ] && cmp "$dir/claims.json" "$dir/again.json" >>"$dir/err" && grep -q ' 5 to do' "$dir/err"
result $? "it makes what is missing, and says the same"
# The time budget suffices for every workload except lud, whose runs take longer.
mkdir "$dir/slow"
cp "$dir/traces/"*.bwt "$dir/slow"
make_trace "$dir/long" 1 60000
"$byway" trace convert "$dir/long" -o "$dir/slow/lud.bwt"
cp -r "$dir/r" "$dir/late"
BYWAY_TRACES=$dir/slow by reproduce 001 --claims -d late -j 1 --budget 0.02 --json late.json --markdown late.md
[ $rc = 0 ] && grep -qE 'time limit reached: (1[89][0-9]|20[0-3]) of 204 runs are done' "$dir/err" && grep -qE "^$claims claims: .*, [1-9] incomplete$" "$dir/out" &&
    grep -qE '^      lud .* 1 of 1 runs are missing$' "$dir/out" && grep -q '"pascal_gpgpusim/bl of lud"' "$dir/late.json" &&
    ! grep -oE '"[^" ]*/[^"]* of [a-z0-9_]*"' "$dir/late.json" | grep -qv ' of lud"' &&
    grep -qE '^\| \| lud \|.*\| [12] of [12] runs missing \|$' "$dir/late.md/README.md" && grep -q '1.1.*\*\*incomplete\*\*' "$dir/late.md/README.md"
result $? "the time is up: what is there is judged, what is missing is named"
for claim in 1.3; do
    a=$(sed -n "/\"id\": \"$claim\"/,/\"verdict\"/p" "$dir/late.json") b=$(sed -n "/\"id\": \"$claim\"/,/\"verdict\"/p" "$dir/claims.json")
    [ -n "$a" ] && [ "$a" = "$b" ]
    result $? "a claim with all of its runs has its verdict ($claim)"
done
by reproduce 001 --claims -d r -j 2 --beside late.json --markdown both
[ $rc = 0 ] && grep -q "^In two further columns, test: $claims claims: .*incomplete" "$dir/both/README.md" && grep -qE '^\| \| lud \|.*runs missing \|$' "$dir/both/README.md"
result $? "a table with other inputs says so, too"
by reproduce 000 --claim 0.23 -d kept -j 2 --json whole.json
by reproduce 000 --claims -d kept -j 1 --budget 0.0001 --json part.json
[ $rc = 0 ] && [ "$(jq -c '.claims[] | select(.id == "0.23") | [.verdict, .numbers[].here]' "$dir/part.json")" = \
    "$(jq -c '.claims[] | [.verdict, .numbers[].here]' "$dir/whole.json")" ] && jq -e '.incomplete > 0' "$dir/part.json" >/dev/null
result $? "when the time is up, kept streams are judged, too"
sed 's/"n": [01],/"n": 5,/' "$dir/late.json" >"$dir/five.json"
by reproduce 001 --claims -d r -j 2 --beside five.json --markdown five
[ $rc = 0 ] && grep -qE '^\| \| lud \|.*\| - \| [12] of [12] runs missing \|$' "$dir/five/README.md" && ! grep -q -- '- ±' "$dir/five/README.md"
result $? "a number that other inputs lack has no interval"
by reproduce 001 --claims -d r -t "$dir/traces" -j 2 --json given.json
[ $rc = 0 ] && grep -q '"inputs": "traces"' "$dir/given.json" && grep -q '"inputs": "test"' "$dir/late.json"
result $? "results of given traces say so"
by reproduce 001 --claims -d r -j 2 --beside late.json --beside given.json --markdown given
[ $rc = 0 ] && grep -qE '^\| \| claim \|.* test \| verdict \| traces \| verdict \|$' "$dir/given/README.md"
result $? "and are a column of their own"
refuses "a budget of nothing" "--budget is '0'; expected minutes: more than 0" reproduce 001 --budget 0 -d x
by reproduce 000 --figure 000-T1 -d one -j 2
[ $rc = 0 ] && in_page one/index.html 000-T1 && ! in_page one/index.html 000-F2 && [ "$(ls "$dir/one/runs" | wc -l)" = 36 ]
result $? "one figure: its runs and no others"
# column ROW N: the N-th value of a row of the most recently shown figure.
column() {
    awk -v row="$1" -v n="$2" '$1 == row { gsub(/ \([^)]*\)/, ""); print $(n + 1) }' "$dir/out"
}
is() { # is A B: A equals B rounded to four digits, as tables show it
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && b != "" && d <= 0.0006 * (b > 1 ? b : 1)) }'
}
by reproduce 000 --figure 000-T1 -d one -j 2
cp "$dir/out" "$dir/figure"
by compare -m fermi -w lud -p bl,ball --json compare.json
ratio=$(sed -n '/"relative_ipc"/,/}/s/.*"ball": \([0-9.]*\).*/\1/p' "$dir/compare.json" | head -n 1)
cp "$dir/figure" "$dir/out"
is "$(column lud 2)" "$ratio" && grep -q '^  lud .*(1.170)' "$dir/out"
result $? "a figure's value is that of byway compare, next to the paper's"

# Reuse: figure 3 has the shares of lines referenced once, twice, 3 times, and more often.
"$byway" trace info --json "$BYWAY_TRACES/lud.bwt" >"$dir/info.json"
often=$(tr -d ' \n' <"$dir/info.json" | sed 's/.*"lines_by_references":\[\([0-9,]*\)\].*/\1/' |
    awk -F, '{ print $4 / ($1 + $2 + $3 + $4) }')
by reproduce 000 --figure 000-F3 -d reuse
[ $rc = 0 ] && is "$(column lud 4)" "$often" && [ "$(ls "$dir"/reuse/reuse-*.json | wc -l)" = 3 ]
result $? "reuse is that of byway trace info, once for each content ($often)"
by reproduce 000 --figure 000-F11 -d stream
[ $rc = 0 ] && awk '/^  [0-9]/ { for (c = 2; c <= 5; c++) sum[c] += $c } END { for (c = 2; c <= 5; c++) if (sum[c] < 0.99 || sum[c] > 1.01) exit 1 }' "$dir/out"
result $? "shares of distances behind each filter add up to 1"
by reproduce 000 --figure 000-S65c -d costs
lut=$(awk '$1 == "l1_baseline" { print $3 }' synth/baseline/ecp5.txt)
[ $rc = 0 ] && grep -qE "LUTs of the L1.* $lut " "$dir/out" && [ ! -s "$dir/costs/results.csv" ]
result $? "costs are those of the kept synthesis, without a run"

# Mpache's study: one kernel of its paper as a tiny trace; the others are absent.
make_trace "$dir/spmv" 7 40
sed -i 's/= probe/= spmv_jds/' "$dir/spmv/kernel-1.traceg"
mkdir "$dir/kernels"
"$byway" trace convert "$dir/spmv" -o "$dir/kernels/spmv.bwt" 2>>"$dir/err"
by advise "$dir/kernels/spmv.bwt" --mpache --json advise.json
liang=$(tr -d ' \n' <"$dir/advise.json" | sed 's/.*"Liang":{"cycles":[0-9]*,"speedup":\([0-9.]*\)}.*/\1/')
by reproduce 003 -d mpache -j 2 --traces kernels --json mpache.json
tr -d ' \n' <"$dir/mpache.json" | sed 's/.*"row":"SPV","here":\[\([^]]*\)\].*/\1/' | tr , '\n' >"$dir/speedups"
[ $rc = 0 ] && [ -n "$liang" ] && near "$(sed -n 3p "$dir/speedups")" "$liang" && grep -q '^3.1 ' "$dir/out"
result $? "Mpache's figures are those of byway advise --mpache ($liang)"

# --repeat runs seeds 1 to N, computes each number per seed, and reports the interval of their mean.
by reproduce 001 --claim 1.3 --repeat 3 -d repeated -j 2 --json three.json --markdown three
cp "$dir/out" "$dir/three.txt"
for k in 1 2 3; do
    for p in bl two_level; do "$byway" run -m pascal_gpgpusim -p $p -w mergesort --set noise.seed=$k --json "$dir/s$p$k.json" >>"$dir/err" 2>&1; done
done
node -e '
    const of = f => JSON.parse(require("fs").readFileSync(process.argv[1] + "/" + f));
    const n = of("three.json").claims[0].numbers.find(n => n.number === "mergesort");
    const v = [1, 2, 3].map(k => of("stwo_level" + k + ".json").ipc / of("sbl" + k + ".json").ipc);
    const mean = v.reduce((a, b) => a + b) / 3, sd = Math.sqrt(v.map(x => (x - mean) ** 2).reduce((a, b) => a + b) / 2);
    const near = (a, b) => Math.abs(a - b) < 1e-9;
    const good = near(n.here, mean) && near(n.sd, sd) && n.n === 3 && n.runs.length === 6 && near(n.half, Math.max(4.303 * sd / Math.sqrt(3), mean / 400));
    if (!good) console.error(JSON.stringify({n, v, mean, sd}));
    process.exit(good ? 0 : 1)' "$dir" 2>>"$dir/err"
result $? "--repeat 3: mean, deviation and interval of the ratios within seeds 1, 2 and 3"
grep -qE '^      mergesort .* here +[0-9.]+ ± [0-9.e-]+ ' "$dir/three.txt" && tr '\n' ' ' <"$dir/three.txt" | grep -q 'interval of the mean of 3 runs' &&
    grep -qE '^\| \| mergesort \| 1.056 \| [0-9.]+ ± [0-9.e-]+ \|' "$dir/three/README.md" && ! grep -q 'not measured' "$dir/three.txt"
result $? "table and Markdown show the interval and say what it is"
by reproduce 001 --figure 001-F4 --repeat 3 -d repeated -j 2 --json figure.json --markdown figure_md
grep -q 'class="error"' "$dir/figure_md/001-F4.svg" && grep -qE '^\| mean \| 1.000 ± 0.000 \| [0-9.]+ ± [0-9.e-]+ ' "$dir/figure_md/README.md" &&
    grep -q '"sd":' "$dir/figure.json"
result $? "a figure of repeated runs has error bars"
by reproduce 001 --claim 1.3 --set l1d.index=fold -d repeated -j 2 --json folded.json
by run -m pascal_gpgpusim -p bl -w mergesort --set l1d.index=fold --json fold.json
[ "$(sed -n 's/^ *"settings": "\(.*\)",/\1/p' "$dir/folded.json")" = l1d.index=fold ] &&
    grep -lq '"l1d.index": "fold"' "$dir/repeated/runs/"*.json && [ "$(grep -l '"l1d.index": "fold"' "$dir/repeated/runs/"*.json | wc -l)" = 4 ]
result $? "--set changes a key in every run"
by reproduce 001 --claim 1.3 -d repeated -j 2 --beside folded.json --markdown indices
[ $rc = 0 ] && grep -q '| test, l1d.index=fold | verdict |' "$dir/indices/README.md"
result $? "results with another setting are in a column with its name"
sed -i 's/"metric": "ipc"/"metric": "cycles"/' "$dir/folded.json"
by reproduce 001 --claim 1.3 -d repeated -j 2 --beside folded.json --markdown indices
grep -qE '^\| \| mergesort \|.*\| - \| - \|$' "$dir/indices/README.md" && grep -q '1.3.*| |$' "$dir/indices/README.md"
result $? "a number whose record has changed since is not shown in that column"
printf '%s\n' '[claim 1.99]' 'paper = 001' 'statement = x' '[number n]' 'workloads = nw' 'over = mean' 'metric = cycles' \
    'run = fermi/bl noise.seed=7' 'expect = level' 'value = 9' >"$dir/seed.claims"
refuses "a seed of a record's own and --repeat" "seed.claims:4: the run sets noise.seed, which --repeat sets" \
    reproduce 001 --add seed.claims --claim 1.99 --repeat 2 -d x

# kill -9 at three moments: finished runs are kept, and the final result is unchanged.
for moment in 0.3 0.6 0.9; do
    (cd "$dir" && exec "$byway" reproduce 002 -d killed -j 1 >/dev/null 2>&1) &
    pid=$!
    sleep "$moment"
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
done
by reproduce 002 -d killed -j 1 --json killed.json
good=$rc
by reproduce 002 -d whole -j 2 --json whole.json
[ $good = 0 ] && [ $rc = 0 ] && cmp "$dir/killed.json" "$dir/whole.json" >>"$dir/err"
result $? "killed and resumed is as undisturbed"

by reproduce 001 -d r -j 2 --markdown gallery
[ $rc = 0 ] && grep -q '^| \*\*1.1\*\* |' "$dir/gallery/README.md" && [ "$(ls "$dir"/gallery/*.svg | wc -l)" = 4 ] &&
    grep -q 'byway 0' "$dir/gallery/README.md" && [ "$(grep -c '](001-F.*svg)' "$dir/gallery/README.md")" = 4 ]
result $? "the gallery: tables, a picture per chart, version and date"
mkdir "$dir/page" && echo old >"$dir/page/001-F0.svg" && printf '<!-- gallery -->\nthe table\n<!-- end -->\n' >"$dir/page/README.md"
.ci/figures.sh "$dir/gallery" "$dir/page" >"$dir/out" 2>"$dir/err"
[ $? = 0 ] && ! grep -qE '^[|] [*][*]1[.]1|claims: ' "$dir/page/README.md" && [ "$(grep -c '](001-F.*svg)' "$dir/page/README.md")" = 4 ] &&
    [ "$(ls "$dir"/page/*.svg | wc -l)" = 4 ] && grep -qx 'the table' "$dir/page/README.md" && grep -q '^Made by `make gallery` on ' "$dir/page/README.md"
result $? "its figures become the results page, without claims, beside the table that was there"
by reproduce 001 --figure 001-F1 -d r -j 2 --set l1d.index=linear --set l1d.mshrs=16 --markdown set
[ $rc = 0 ] && grep -q '`byway reproduce 001 --figure 001-F1 --set l1d.index=linear --set l1d.mshrs=16`' "$dir/set/README.md"
result $? "a figure's command has the settings"
# --claims omits the figures; claims for inputs of other sizes get separate columns.
by reproduce 001 -d r --claims --json alone.json --markdown claims
[ $rc = 0 ] && grep -q '"figures": \[\]' "$dir/alone.json" && [ "$(ls "$dir/claims")" = README.md ] &&
    [ "$(sed -n '/"claims":/,/"figures"/p' "$dir/alone.json" | grep -c '"holds"')" = "$(grep -c '"holds"' "$dir/claims.json")" ]
result $? "claims alone: the same numbers, no figure"
sed -e 's/"inputs": "test"/"inputs": "other"/' -e '0,/"here": [0-9.]*/s//"here": 7.654/' "$dir/alone.json" >"$dir/other.json"
by reproduce 001 -d r --claims --beside other.json --markdown beside
[ $rc = 0 ] && grep -qE '^\| \| mean \| 1.060 \| [0-9.-]+ \| [0-9.-]* \| [^|]* \| 7.654 \| [^|]* \|$' "$dir/beside/README.md" &&
    grep -q "| other | verdict |" "$dir/beside/README.md" &&
    grep -q "^In two further columns, other: $claims claims: " "$dir/beside/README.md"
result $? "other inputs' claims are in further columns"
# Files of the same size share a column; if several have a claim, the last file wins.
by reproduce 000,001 --claims -n -d x
[ $rc = 0 ] && grep -q ' 489 runs' "$dir/err"
result $? "papers by a list: the runs of both"
sed -e '0,/"here": [0-9.]*/s//"here": 8.765/' "$dir/other.json" >"$dir/later.json"
by reproduce 001 -d r --claims --beside other.json --beside later.json --beside late.json --markdown merged
[ $rc = 0 ] && grep -qE '^\| \| mean \| 1.060 \| [0-9.-]+ \| [0-9.-]* \| [^|]* \| 8.765 \| [^|]* \| [0-9.]* \| [^|]* runs missing \|$' "$dir/merged/README.md" &&
    [ "$(grep -c "^In two further columns, .* $claims claims: " "$dir/merged/README.md")" = 2 ]
result $? "files of one size are one, the last counts; of two sizes they stand side by side"
refuses "an unknown one of a list" "no paper '001,009'" reproduce 001,009 -d x
refuses "a file without claims" "lud.json: has no claims" reproduce 001 -d r --claims --beside lud.json --markdown beside
python3 -c 'import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]' "$dir"/gallery/*.svg 2>>"$dir/err"
result $? "its pictures are well-formed"

# Sizes. If capturing produces no trace, the shipped trace is used; without the capture runtime the
# command is refused.
mkdir "$dir/programs"
for w in nw lud bn; do printf '#!/bin/sh\nexit 0\n' >"$dir/programs/$w" && chmod +x "$dir/programs/$w"; done
by reproduce 002 --figure 002-e --size small --programs programs -d small --markdown small_gallery
if [ $rc = 2 ]; then
    grep -q libOpenCL "$dir/err"
    result $? "size small without a runtime is refused"
else
    [ $rc = 0 ] && grep -q 'nw keeps its shipped trace' "$dir/err"
    result $? "a capture that fails leaves the shipped trace"
    grep -q '`byway reproduce 002 --figure 002-e --size small`' "$dir/small_gallery/README.md" &&
        grep -q '`byway reproduce 001 --figure 001-F1`' "$dir/gallery/README.md"
    result $? "a figure's command names the inputs"
fi
if [ -x build/workloads/nw ] && [ -e build/lib/libOpenCL.so.1 ]; then
    mv "$dir/programs/nw" "$dir/programs/none" && ln -s "$PWD/build/workloads/nw" "$dir/programs/nw"
    by reproduce 002 --figure 002-e --size small --programs programs -d small
    good=$rc
    touch -d 2001-01-01 "$dir/small/traces/small/w64/nw.bwt"
    by reproduce 002 --figure 002-e --size small --programs programs -d small
    [ $good = 0 ] && [ $rc = 0 ] && [ "$(date -r "$dir/small/traces/small/w64/nw.bwt" +%Y)" = 2001 ]
    result $? "a larger input is captured once"
fi
# The page's example, without C: a user's claim and figure.
sed -n '/^```claims my.claims$/,/^```$/{/^```/!p}' cmodel/doc/add_a_claim.md >"$dir/my.claims"
by reproduce 000 --add my.claims --claim 0.90 -d own --json own.json
[ $rc = 0 ] && grep -q '^0.90 .*Decoupled raises IPC on bh' "$dir/out" && grep -q '^1 claim:' "$dir/out" &&
    grep -q 'fills .*paper   0.500  here' "$dir/out" && grep -q '0.90' "$dir/own/paper-000.html"
result $? "a claim from a user's file is judged and shown"
by reproduce 000 --add my.claims --figure 000-bh -d own
[ $rc = 0 ] && grep -q '^000-bh  bh and nw by policy: IPC over BL' "$dir/out" && grep -q 'bh .*(1.040)' "$dir/out"
result $? "a figure from a user's file is made"
sed 's/^expect = below/expect = lower/' "$dir/my.claims" >"$dir/wrong.claims"
line=$(grep -n lower "$dir/wrong.claims" | cut -d: -f1)
refuses "a wrong record" "wrong.claims:$line: expect is 'lower'; expected one of above|below" \
    reproduce 000 --add wrong.claims -d x
printf '%s\n' '[paper 042]' 'name = mine' 'title = A paper of mine' >"$dir/paper.claims"
sed 's/^paper = 000/paper = 042/' "$dir/my.claims" >>"$dir/paper.claims"
by reproduce 042 --add paper.claims -d own --markdown own_md
[ $rc = 0 ] && grep -q '## 042: A paper of mine' "$dir/own_md/README.md" && [ -s "$dir/own/paper-042.html" ]
result $? "a paper from a user's file has a page"
refuses "a claim that does not exist" "no claim '0.99'" reproduce 000 --claim 0.99 -d x
refuses "a claim and a figure" "expected one of them" reproduce 000 --claim 0.1 --figure 000-F8 -d x
refuses "a size there is none of" "expected test, small or paper" reproduce 001 --size huge -d x
refuses "a folder that is not there" "--traces gone: no such folder" reproduce 001 --traces gone -d x
refuses "a size and a folder" "expected one of them" reproduce 001 --size small --traces . -d x
refuses "no programs" "no such program|make workloads" reproduce 001 --size small --programs /nowhere -d x
refuses "unknown paper" "no paper '009'" reproduce 009 -d x
refuses "unknown figure" "no figure 'F99'" reproduce all --figure F99 -d x
refuses "no paper" "expected a paper" reproduce

finish
