#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# one.sh NAME FLOW - synthesizes one line of units.txt and writes B/synth/NAME.FLOW.txt:
# "NAME FLOW lut ff bram lutram gates levels", followed by "kge" in the generic flow.  A carry cell of ECP5
# counts as two LUTs.  levels is the longest path between registers, RAMs and ports in cells: LUTs, carry cells;
# gates in the generic flow.  kge is thousands of NAND2 equivalents, by the cell areas of a 45 nm library.
#
# So that a figure depends on its unit only, Yosys runs twice: flat.sh elaborates and checks the unit and writes the
# netlist, which is then read back and mapped.
#
# The result varies with the order of the cells: a whole cache (l1_*) on ECP5 is mapped in ORDERS (5) orders, that of
# the files and shuffled ones (shuffle.awk), and the one with the median number of LUTs is reported.
#
# Refuses what flat.sh refuses, memories of tags or lines that are not block RAM on ECP5, and combinational loops.
set -u
cd "$(dirname "$0")/.."
name=$1
flow=$2
units=${UNITS_TXT:-synth/units.txt}
line=$(grep "^$name|" "$units") || { echo "$units has no $name" >&2; exit 2; }
top=$(echo "$line" | cut -d'|' -f2)
check=$(echo "$line" | cut -d'|' -f5)
out=${B:-build}/synth
mkdir -p "$out"
base=$out/$name.$flow
orders=1
case $name.$flow in l1_*.ecp5) orders=${ORDERS:-5} ;; esac
case $flow in
generic) map="synth -top $top -flatten; dfflegalize -cell \$_DFF_P_ 01; abc -g AND,OR,XOR,MUX; opt_clean" ;;
ice40) map="synth_ice40 -top $top" ;;
ecp5) map="synth_ecp5 -nowidelut -top $top" ;;
bits) map= ;;
*) echo "no flow $flow" >&2; exit 2 ;;
esac
block=
[ "$check" = block ] && block="chparam -set BLOCK 1 byw_ram_1r1w"
fail() {
    echo "FAIL $name $flow: $1 (see $base.log)"
    tail -n 2 "$base.log"
    exit 1
}
FLOW=$flow synth/flat.sh "$top" "$(echo "$line" | cut -d'|' -f3)" "$top" "$base.il" ${block:+"$block"} >"$base.log" 2>&1 || fail "elaboration"
if [ "$flow" = bits ]; then
    awk -v name="$name" '
        $1 == "memory" { for (i = 2; i < NF; i++) { if ($i == "width") w = $(i + 1); if ($i == "size") n = $(i + 1) }
                         memory += w * n; w = 1 }
        $1 == "cell" { ff = $2 ~ /dff/ }
        $1 == "parameter" && $2 == "\\WIDTH" && ff { registers += $3 }
        END { print name, "bits", 0, registers + 0, memory + 0, 0, 0, 0 }' "$base.il" | tee "$base.txt"
    exit
fi
# map_in ORDER: maps the cells in that order (1: that of the files) and writes its line to $base.ORDER.txt.
map_in() {
    at=$base
    [ "$1" = 1 ] || at=$base.$1
    [ "$1" = 1 ] || awk -v seed="$1" -f synth/shuffle.awk "$base.il" >"$at.il"
    cat >"$at.ys" <<END
read_rtlil $at.il
$map
check -assert
select -assert-none t:\$_DLATCH_?_ t:TRELLIS_LATCH
tee -o $at.stat stat
delete t:TRELLIS_FF t:DP16KD t:PDPW16KD t:SB_DFF* t:SB_RAM40_4K* t:\$_DFF_*
techmap -map synth/levels.v
tee -o $at.ltp ltp
END
    yosys -q "$at.ys" >>"$base.log" 2>&1 || fail "mapping"
    grep -q 'Detected loop' "$at.ltp" && fail "combinational loop"
    levels=$(sed -n 's/^Longest topological path.*length=\([0-9]*\).*/\1/p' "$at.ltp")
    awk -v name="$name" -v flow="$flow" -v levels="${levels:-0}" '
        NF == 2 && $1 ~ /^[0-9]+$/ { n = $1; $1 = $2; $2 = n } # newer versions print the number first
        /Number of cells/ { lut = ff = bram = lutram = gates = ge = 0; next }
        $1 == "$_NOT_" { ge += 0.67 * $2 }
        $1 ~ /^\$_(AND|OR)_$/ { ge += 1.33 * $2 }
        $1 == "$_XOR_" { ge += 2 * $2 }
        $1 == "$_MUX_" { ge += 2.33 * $2 }
        $1 ~ /^\$_DFF/ { ge += 5.67 * $2 }
        $1 ~ /^(LUT4|SB_LUT4)$/ { lut += $2 }
        $1 == "CCU2C" { lut += 2 * $2 }
        $1 ~ /^(TRELLIS_FF|SB_DFF.*|\$_DFF_P_|\$_DFF.*)$/ { ff += $2 }
        $1 ~ /^(DP16KD|PDPW16KD|SB_RAM40_4K.*)$/ { bram += $2 }
        $1 == "TRELLIS_DPR16X4" { lutram += $2 }
        $1 ~ /^\$_(AND|OR|XOR|MUX|NOT)_$/ { gates += $2 }
        END { print name, flow, lut + 0, ff + 0, bram + 0, lutram + 0, gates + 0,
                  levels (flow == "generic" ? sprintf(" %.2f", ge / 1000) : "") }' "$at.stat" >"$base.$1.txt"
    [ "$1" = 1 ] || rm -f "$at.il"
}

for o in $(seq "$orders"); do map_in "$o"; done
for o in $(seq "$orders"); do cat "$base.$o.txt"; done | sort -n -k3 | sed -n "$(((orders + 1) / 2))p" >"$base.txt"
[ -n "$check" ] && [ "$flow" = ecp5 ] && [ "$(cut -d' ' -f5 "$base.txt")" = 0 ] && fail "no block RAM inferred"
cat "$base.txt"
