#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh [NAME...] - synthesizes the lines of units.txt (all or the named ones), writes
# B/synth/report.md and compares with synth/baseline: a count that differs by more than 1 % is a
# failure.  Figures are not compared if the baseline is from another version of Yosys.  BASELINE=write
# makes the counts the new baseline instead; lines that are not named are kept.  JOBS: parallel jobs.
# Last line: "N passed, N failed".
set -u
cd "$(dirname "$0")/.."
out=${B:-build}/synth
mkdir -p "$out"
log=$out/run.log
names=${*:-$(grep -v '^#' synth/units.txt | cut -d'|' -f1)}
for n in $names; do
    grep "^$n|" synth/units.txt | cut -d'|' -f4 | tr ' ' '\n' | sed "s/^/$n /"
done | xargs -L1 -P "${JOBS:-2}" synth/one.sh | tee "$log"
failed=$(grep -c '^FAIL' "$log")
version=$(yosys -V | cut -d' ' -f1-2)
synth/report.sh "$log" "$version" "$names" >"$out/report.md"
if [ "${BASELINE:-}" = write ]; then
    all=$(grep -v '^#' synth/units.txt | cut -d'|' -f1)
    : >"$out/baseline.log"
    for flow in generic ice40 ecp5 bits; do
        for n in $all; do grep -h -m1 "^$n $flow " "$log" "synth/baseline/$flow.txt" | head -n 1; done >"$out/$flow.lines"
        kge=
        [ "$flow" = generic ] && kge=" kge"
        {
            echo "# $version; name flow lut ff bram lutram gates levels$kge (make synth-baseline)"
            cat "$out/$flow.lines"
        } >"synth/baseline/$flow.txt"
        cat "$out/$flow.lines" >>"$out/baseline.log"
    done
    synth/report.sh "$out/baseline.log" "$version" "$all" >synth/baseline/report.md
    exit "$failed"
fi
passed=$(grep -cv '^FAIL' "$log")
if grep -q "^# $version;" synth/baseline/ecp5.txt; then
    grep -hv '^#' synth/baseline/*.txt | awk -v log_file="$log" '
        { base[$1 " " $2] = $0 }
        END {
            split("x x lut ff bram lutram gates levels kge", what, " ")
            while ((getline line < log_file) > 0) {
                n = split(line, now, " ")
                if (n < 8 || now[1] == "FAIL") continue
                key = now[1] " " now[2]
                if (!(key in base)) { print "FAIL " key ": no baseline"; continue }
                split(base[key], was, " ")
                bad = ""
                for (i = 3; i <= n; i++) {
                    d = now[i] - was[i]
                    if (d < 0) d = -d
                    if (d * 100 > was[i]) bad = bad " " what[i] " " was[i] " -> " now[i]
                }
                print (bad == "" ? "PASS " : "FAIL ") key ":" (bad == "" ? " as the baseline" : bad)
            }
        }' >"$out/compare.txt"
    grep '^FAIL' "$out/compare.txt"
    passed=$(grep -c '^PASS' "$out/compare.txt")
    failed=$((failed + $(grep -c '^FAIL' "$out/compare.txt")))
else
    echo "the baseline was made with another Yosys than $version: figures are not compared"
fi
echo "report: $out/report.md"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
