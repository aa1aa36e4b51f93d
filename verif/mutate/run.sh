#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh - `make mutate`: every line of units.txt. A survivor that is not proved equivalent is a
# failure unless verif/mutate/accepted.txt names it ("PROGRAM NUMBER WHAT reason"); WHAT is needed
# because numbers change with the RTL and Yosys. Lines without a survivor are reported. JOBS: how
# many programs at once. Last line "N passed, N failed".
set -u
cd "$(dirname "$0")/../.."
log=${B:-build}/mutate/run.log
mkdir -p "${B:-build}/mutate"
grep -v '^#' verif/mutate/units.txt | cut -d'|' -f1 | xargs -P "${JOBS:-2}" -I{} verif/mutate/one.sh {} >"$log"
grep '^FAIL' "$log"
broken=$(grep -c '^FAIL' "$log")
awk '/^MUTANT/ && $5 == "survived"' "$log" >"$log.survived"
new=0
while read -r line; do
    key=$(echo "$line" | cut -d' ' -f2-4)
    awk -v key="$key" '$1 " " $2 " " $3 == key { found = 1 } END { exit !found }' verif/mutate/accepted.txt || {
        echo "not killed: $line"
        new=$((new + 1))
    }
done <"$log.survived"
grep -v '^#' verif/mutate/accepted.txt | while read -r program number what _; do
    grep -q "^MUTANT $program " "$log" || continue
    awk -v key="$program $number $what" '$2 " " $3 " " $4 == key { found = 1 } END { exit !found }' \
        "$log.survived" || echo "accepted.txt: no survivor needs $program $number $what"
done
awk '/^MUTANT/ { all[$2]++; n[$2, $5]++ }
    END { for (p in all) printf "%-20s %3d mutants, %3d killed, %d equivalent, %d survived\n", p, all[p],
        n[p, "killed"], n[p, "equivalent"], n[p, "survived"] }' "$log" | sort
all=$(grep -c '^MUTANT' "$log")
[ "$all" -ge 300 ] || { echo "only $all mutants"; broken=$((broken + 1)); }
echo "$((all - new)) passed, $((new + broken)) failed"
[ $((new + broken)) = 0 ]
