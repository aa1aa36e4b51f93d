#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# report.sh LOG VERSION "NAME..." - prints the report of `make synth` in Markdown, from the lines of one.sh.
set -u
cd "$(dirname "$0")/.."
log=$1
version=$2
names=$3
cat <<END
# Area

$version. LUT: 4-input LUTs; on ECP5 (\`synth_ecp5 -nowidelut\`, which needs half the LUTs of the flow with wide multiplexers) a carry cell counts as two.
FF: registers. Block RAM: 18 Kbit on ECP5, 4 Kbit on iCE40. LUT RAM: 16 x 4 bits. Gates: AND, OR, XOR, NOT, 2:1 multiplexer, memories as
registers. kGE: thousands of NAND2 equivalents of those gates and registers (NOT 0.67, AND and OR 1.33, XOR 2, multiplexer 2.33, register 5.67:
areas of Nangate's 45 nm cells divided by that of NAND2_X1). Levels: cells on the longest path between registers, RAMs and ports, a carry cell counting as one; without wires, so the
levels are for comparison only, not a clock rate. The figures of a unit depend only on its own files.

## Mechanisms

One SM's cache (\`synth/byw_synth_l1.v\`: 32 sets, 4 ways, 32-byte lines, 32 MSHRs) on ECP5, without counters. \`baseline\` has as many tags as
lines and one tracker. Each other cache has everything that \`trackers\` has, and one more mechanism; \`dueling\` also has the decoupled tags, \`hybrid\` everything,
\`everything\` all but the arbiter for dueling (\`sm_duel\`). Each figure is the median of five orders of the cells, which differ by one or two percent.
\`look\` is the look stage; \`16k\` are caches of 16 KB with lines of 128 bytes, the look stage and beats of 32 bytes, relative to the baseline of this kind, without the arbiter.
A GPU has one arbiter: \`of 15 SMs\` is \`decoupled\` or \`everything\` plus a 15th of the arbiter.

| cache | LUT | FF | block RAM | LUT RAM | levels | LUT relative to baseline | FF relative to baseline |
|---|---|---|---|---|---|---|---|
END
for n in $names; do grep -h "^$n ecp5 " "$log"; done | awk -v sms=15 '
    function row(name, l, f) {
        printf "| %s | %d | %d | %s | %s | %s |", name, l, f, $5, $6, $8
        big = name ~ /_16k$/
        if (lut[big] > 0) printf " %+.1f %% | %+.1f %% |\n", 100 * (l - lut[big]) / lut[big], 100 * (f - ff[big]) / ff[big]
        else print " - | - |"
    }
    $1 == "sm_duel" { duel_lut = $3; duel_ff = $4 }
    /^l1_/ {
        if ($1 ~ /^l1_baseline(_16k)?$/) { lut[$1 ~ /_16k$/] = $3; ff[$1 ~ /_16k$/] = $4 }
        row(substr($1, 4), $3, $4)
        with = $1 == "l1_decoupled" ? "dueling" : $1 == "l1_everything" ? "everything" : ""
        if (duel_lut > 0 && with != "") row(with " of " sms " SMs", $3 + duel_lut / sms, $4 + duel_ff / sms)
    }'
cat <<END

## Port

The optional port features of the L1D, one at a time: \`byw_l1d\` alone, 32 sets of 4 ways and 4 tags, 32-byte lines unless the name says otherwise, 8 MSHRs, 8 trackers, no PC
predictor, on ECP5. \`none\` has none of them.

| port | LUT | FF | block RAM | LUT RAM | levels | LUT relative to none | FF relative to none |
|---|---|---|---|---|---|---|---|
END
for n in $names; do grep -h "^$n ecp5 " "$log"; done | awk '
    /^port_/ {
        if ($1 == "port_none") { lut = $3; ff = $4 }
        printf "| %s | %d | %d | %s | %s | %s |", substr($1, 6), $3, $4, $5, $6, $8
        if (lut > 0) printf " %+.1f %% | %+.1f %% |\n", 100 * ($3 - lut) / lut, 100 * ($4 - ff) / ff
        else print " - | - |"
    }'
cat <<END

## Units

Default parameters (128-byte lines) unless the name says otherwise.

| unit | ECP5 LUT | FF | block RAM | LUT RAM | levels | iCE40 LUT | FF | RAM | levels | gates | levels | kGE |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
for n in $names; do
    grep -h "^$n [gie]" "$log" | grep -v -e '^l1_' -e '^port_' | awk '
        { at[$2] = $0; name = $1 }
        END {
            if (name == "") exit
            split(at["ecp5"], e, " ")
            split(at["ice40"], i, " ")
            split(at["generic"], g, " ")
            printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, e[3], e[4], e[5], e[6],
                e[8], i[3], i[4], i[5], i[8], g[7], g[8], g[9]
        }'
done
cat <<END

## Storage

Bits of each structure, in memories and registers, compared with the calculation in mechanisms/across.md 14.

| structure | memory bits | register bits | sheet | why they differ |
|---|---|---|---|---|
END
grep -v '^#' synth/sheet.txt | while IFS='|' read -r name what bits why; do
    grep "^$name bits " "$log" | awk -v what="$what" -v bits="$bits" -v why="$why" '
        { printf "| %s | %s | %s | %s | %s |\n", what, $5, $4, bits, why }'
done
awk '/^l1_baseline_16k bits / { base = $5 } /^l1_everything_16k bits / { all = $5 }
    END { if (base && all) printf "\nMemory bits of everything over the baseline, 16 KB: %+.1f %%.\n", 100 * all / base - 100 }' "$log"
