#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_reproduce.sh - byway reproduce: its numbers are those of byway compare, its verdicts follow from
# them, it resumes.  Tiny traces stand for all workloads.  Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh

by reproduce all -d shipped -n
[ $rc = 0 ] && grep -qE 'shipped: [0-9]{3,} runs, 0 there, [0-9]+ to make: about' "$dir/err"
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
here() { # here CLAIM NUMBER: our value
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

# Each verdict follows from the number of numbers that hold.
awk '/"id":/ { id = $2 } /"verdict":/ { said = $2 } /"holds": true/ { yes[id]++ } /"holds": false/ { no[id]++ }
    /"id":/ || /"verdict":/ { v[id] = said }
    END { for (i in v) { w = yes[i] == 0 ? "not" : no[i] == 0 ? "reproduced" : "partly"
          if (v[i] != "\"" w "\",") { print i, v[i], w; bad = 1 } } exit bad + 0 }' "$dir/claims.json" >"$dir/err"
result $? "verdicts follow from the numbers"
grep -qE '^6 claims: [0-9]+ reproduced, [0-9]+ partly, [0-9]+ not$' "$dir/table"
result $? "and are counted"
[ "$(grep -c '<svg' "$dir/r/index.html")" = 2 ] && ! grep -qE 'https?://[^w]' "$dir/r/index.html"
result $? "the page has the paper's figures and needs no network"

some=$(ls "$dir/r/runs/"* | head -n 5)
rm $some
by reproduce 001 -d r -j 2 --json again.json
[ $rc = 0 ] && cmp "$dir/claims.json" "$dir/again.json" >>"$dir/err" && grep -q ' 5 to make' "$dir/err"
result $? "it makes what is missing, and says the same"
by reproduce 000 --figure 000-T1 -d one -j 2
[ $rc = 0 ] && [ "$(grep -c '<svg' "$dir/one/index.html")" = 1 ] && [ "$(ls "$dir/one/runs" | wc -l)" = 36 ]
result $? "one figure: its runs and no others"
refuses "unknown paper" "no paper '009'" reproduce 009 -d x
refuses "unknown figure" "no figure 'F99'" reproduce all --figure F99 -d x
refuses "no paper" "expected a paper" reproduce
refuses "a paper without runs" "nothing of it is made by runs" reproduce 003 -d x

finish
