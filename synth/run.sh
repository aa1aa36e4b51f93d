#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh [NAME...] - synthesizes the lines of units.txt (all or the named ones), writes
# B/synth/report.md and compares with synth/baseline: a count that differs by more than 1 % is a
# failure.  BASELINE=write takes the counts as the new baseline instead.  JOBS: how many at once.
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
{
    echo "# Area"
    echo
    echo "$version. LUT4 and FF of the family; generic gates are AND, OR, XOR, NOT and 2:1 multiplexers. Units have their"
    echo "default parameters (128-byte lines) unless the name says otherwise. The \`l1\` lines have 32-byte lines and add one mechanism"
    echo "each: \`baseline\` has as many tags as lines and one tracker, \`trackers\` adds the bypass path, \`decoupled\` twice the"
    echo "tags and the filter, \`dueling\` the dueling unit, of which a cluster has one."
    echo
    echo "| unit | flow | LUT4 | FF | block RAM | LUT RAM | gates |"
    echo "|---|---|---|---|---|---|---|"
    for n in $names; do grep -h "^$n " "$log"; done | sort -u -k2,2 -k1,1 |
        awk '{ printf "| %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7 }'
} >"$out/report.md"
if [ "${BASELINE:-}" = write ]; then
    for flow in generic ice40 ecp5; do
        {
            echo "# $version; name flow lut ff bram lutram gates (make synth-baseline)"
            for n in $names; do grep -h "^$n $flow " "$log"; done
        } >"synth/baseline/$flow.txt"
    done
    exit "$failed"
fi
grep -hv '^#' synth/baseline/*.txt | awk -v log_file="$log" '
    { base[$1 " " $2] = $0 }
    END {
        split("x x lut ff bram lutram gates", what, " ")
        while ((getline line < log_file) > 0) {
            if (split(line, now, " ") != 7 || now[1] == "FAIL") continue
            key = now[1] " " now[2]
            if (!(key in base)) { print "FAIL " key ": no baseline"; continue }
            split(base[key], was, " ")
            bad = ""
            for (i = 3; i <= 7; i++) {
                d = now[i] - was[i]
                if (d < 0) d = -d
                if (d * 100 > was[i]) bad = bad " " what[i] " " was[i] " -> " now[i]
            }
            print (bad == "" ? "PASS " : "FAIL ") key ":" (bad == "" ? " as the baseline" : bad)
        }
    }' >"$out/compare.txt"
cat "$out/compare.txt"
passed=$(grep -c '^PASS' "$out/compare.txt")
failed=$((failed + $(grep -c '^FAIL' "$out/compare.txt")))
echo "report: $out/report.md"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
