#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_bad_trace.sh - an unreadable trace stops no other run: compare, sweep and oracle show the good
# ones, name the bad one and the reason, and end with exit code 1; a comparison of bad traces only
# is an error. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
export BYWAY_KEPT=off
make_trace "$dir/text" 1 24
make_trace "$dir/far" 3 24
"$byway" trace convert "$dir/text" -o "$dir/good.bwt"
"$byway" trace convert "$dir/far" -o "$dir/fine.bwt"
head -c -30 "$dir/fine.bwt" >"$dir/cut.bwt"
echo hello >"$dir/hello.bwt"
has() { # has FILE TEXT...: FILE contains every TEXT
    local file=$dir/$1 text
    shift
    for text in "$@"; do grep -qF -- "$text" "$file" || return 1; done
}

by compare -m fermi -t good.bwt -t cut.bwt -t fine.bwt -t hello.bwt -p bl,ball --json all.json --html all.html --pages pages
[ $rc = 1 ] && has err "4 of 8 runs were refused or failed"
result $? "compare: exit code 1, and the number of failures"
grep -Eq '^good .* 1\.000 ' "$dir/out" && grep -Eq '^fine .* 1\.000 ' "$dir/out"
result $? "compare: the good rows are in the table"
grep -Eq '^cut .*- \[1\].*- \[1\]$' "$dir/out" && has out "[1] cut failed on fermi: cut.bwt: " "[2] hello failed on fermi: hello.bwt: byte 0: not a trace"
result $? "compare: the bad ones are gaps with a footnote each"
cp "$dir/out" "$dir/first"
by compare -m fermi -t good.bwt -t fine.bwt -p bl,ball --json some.json
[ $rc = 0 ] && [ "$(grep -E '^(good|fine|mean|all) ' "$dir/first")" = "$(grep -E '^(good|fine|mean|all) ' "$dir/out")" ]
result $? "compare: good rows and means are those without the bad ones"
[ "$(grep -c '"why": "cut failed on fermi: cut.bwt: ' "$dir/all.json")" = 2 ] && [ "$(grep -c '"run_id"' "$dir/all.json")" = "$(grep -c '"run_id"' "$dir/some.json")" ]
result $? "compare: JSON has the good runs and names the bad ones"
has all.html "cut failed on fermi: cut.bwt: " && has pages/index.html "cut failed on fermi: cut.bwt: " && [ -s "$dir/pages/good.html" ]
result $? "compare: the pages have the good runs, too"
"$byway" compare -m fermi -t "$dir/good.bwt" -t "$dir/cut.bwt" -p bl,ball -j 1 >"$dir/one" 2>&1
"$byway" compare -m fermi -t "$dir/good.bwt" -t "$dir/cut.bwt" -p bl,ball -j 4 >"$dir/four" 2>&1
cmp -s "$dir/one" "$dir/four"
result $? "compare: the same for -j 1 and -j 4"
refuses "compare: only bad traces" "cut failed on fermi" compare -m fermi -t cut.bwt -p bl,ball
refuses "compare: a missing trace is refused" "missing.bwt" compare -m fermi -t good.bwt -t missing.bwt -p bl

by sweep -m fermi -t good.bwt -t cut.bwt -t fine.bwt -p bl -d swept
[ $rc = 1 ] && has err "1 of 3 runs failed" "cut.bwt: " && [ "$(grep -c ',ok,' "$dir/swept/results.csv")" = 2 ]
result $? "sweep: the good runs are merged, the bad one is named"
by oracle -m fermi -t good.bwt -t cut.bwt -t fine.bwt --json oracle.json
[ $rc = 1 ] && grep -q '^good ' "$dir/out" && grep -q '^fine ' "$dir/out" && has err "cut failed on fermi: cut.bwt: "
result $? "oracle: the good traces are shown, the bad one is named"
finish
