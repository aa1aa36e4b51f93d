#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# table.sh [NAME...] - `make fpga`: simulates the self-test of each configuration of fpga/configs.txt (or of the named
# ones) and builds it from source to bitstream; writes the table to B/fpga/report.md and standard output.
# FPGA_SEEDS: seeds of nextpnr (default "1 2 3"); FPGA_LONG=1: includes the configurations marked long.  Exit 1 if a
# simulation or a step fails; a configuration that does not fit its device or misses its goal is only reported.
set -u
cd "$(dirname "$0")/.."
out=${B:-build}/fpga
mkdir -p "$out"
bad=0
rows=
names=$(grep -v '^#' fpga/configs.txt | awk -F'|' -v all="${FPGA_LONG:-}" 'all != "" || $3 !~ / long/ { print $1 }')
for name in ${*:-$names}; do
    echo "$name: simulation" >&2
    if verdict=$(fpga/sim.sh "$name" 2>&1); then verdict=$(echo "$verdict" | cut -d' ' -f1-6); else bad=1; fi
    echo "$name: place and route" >&2
    # shellcheck disable=SC2086 # a list
    row=$(fpga/build.sh "$name" ${FPGA_SEEDS:-1 2 3})
    status=$?
    if [ $status != 0 ]; then
        [ $status = 77 ] || bad=1
        row="$name $(grep "^$name|" fpga/configs.txt | cut -d'|' -f2) - - - - - - 0 - - not_built"
    fi
    rows="$rows$row|$verdict
"
done
{
    echo "| configuration | device | LUT | FF | RAM | of these the L1 | Fmax, worst seed (seeds) | goal | bitstream | simulation |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    printf '%s' "$rows" | awk -F'|' '{
        split($1, r, " ")
        mhz = (r[10] == "-") ? "-" : r[10] " MHz (" r[9] ")"
        gsub("_", " ", r[12])
        if (r[10] != "-") { sub(/^.*\//, "", r[12]); gsub(" ", "_", r[12]) }
        printf "| %s | %s | %s | %s | %s | %s, %s, %s | %s | %s | %s | %s |\n", r[1], r[2], r[3], r[4], r[5], r[6], r[7],
            r[8], mhz, (r[11] == "-") ? "-" : r[11] " MHz", r[12], $2 }'
} | tee "$out/report.md"
exit $bad
