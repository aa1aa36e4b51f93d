#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh - `make mutate`: every line of units.txt.  A survivor that is not proved equivalent is a
# failure unless verif/mutate/accepted.txt names it ("PROGRAM NUMBER reason").  JOBS: how many
# programs at once.  Last line "N passed, N failed".
set -u
cd "$(dirname "$0")/../.."
log=${B:-build}/mutate/run.log
mkdir -p "${B:-build}/mutate"
grep -v '^#' verif/mutate/units.txt | cut -d'|' -f1 | xargs -P "${JOBS:-2}" -I{} verif/mutate/one.sh {} >"$log"
grep '^FAIL' "$log"
broken=$(grep -c '^FAIL' "$log")
grep '^MUTANT.* survived ' "$log" >"$log.survived"
new=0
while read -r line; do
    key=$(echo "$line" | cut -d' ' -f2,3)
    grep -q "^$key " verif/mutate/accepted.txt || {
        echo "not killed: $line"
        new=$((new + 1))
    }
done <"$log.survived"
awk '/^MUTANT/ { all[$2]++; n[$2, $4]++ }
    END { for (p in all) printf "%-20s %3d mutants, %3d killed, %d equivalent, %d survived\n", p, all[p],
        n[p, "killed"], n[p, "equivalent"], n[p, "survived"] }' "$log" | sort
all=$(grep -c '^MUTANT' "$log")
[ "$all" -ge 300 ] || { echo "only $all mutants"; broken=$((broken + 1)); }
echo "$((all - new)) passed, $((new + broken)) failed"
[ $((new + broken)) = 0 ]
