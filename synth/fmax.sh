#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fmax.sh [NAME...] - clock rates and levels of the lines l1_* of units.txt (or the named ones),
# routed by nextpnr for ECP5-85: table in B/synth/fmax.md.  FPGA_SEEDS: seeds (default 1); the
# slowest one is reported.
set -u
cd "$(dirname "$0")/.."
out=${B:-build}/synth
mkdir -p "$out"
for name in ${*:-$(grep '^l1_' synth/units.txt | cut -d'|' -f1)}; do
    line=$(grep "^$name|" synth/units.txt) || { echo "synth/units.txt has no $name" >&2; exit 2; }
    synth/pnr.sh -s "${FPGA_SEEDS:-1}" -p "$(echo "$line" | cut -d'|' -f3)" -o "$out/$name.pnr" "$(echo "$line" | cut -d'|' -f2)" \
        >"$out/$name.pnr.txt" || { cat "$out/$name.pnr.txt" >&2; continue; }
    levels=$(grep -h "^$name ecp5 " synth/baseline/ecp5.txt | cut -d' ' -f8)
    grep ' ecp5-85 ' "$out/$name.pnr.txt" | grep -v ' on ' | sort -k7n | head -n 1 |
        awk -v name="$name" -v levels="$levels" '{ printf "| %s | %s | %s | %s | %s | %s | %s of %.1f |\n", name, $4, $5, $6, levels, $7, $10, $9 + $10 }'
done | awk 'BEGIN { print "| cache | LUT | FF | RAM | levels | MHz | ns in wires |\n|---|---|---|---|---|---|---|" } { print }' | tee "$out/fmax.md"
[ "$(wc -l <"$out/fmax.md")" -gt 2 ]
