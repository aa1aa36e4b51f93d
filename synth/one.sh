#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# one.sh NAME FLOW - synthesizes one line of units.txt and writes B/synth/NAME.FLOW.txt:
# "NAME FLOW lut ff bram lutram gates".  Refuses latches, multipliers and dividers, and a memory of
# tags or lines that is not block RAM on ECP5.
set -u
cd "$(dirname "$0")/.."
name=$1
flow=$2
line=$(grep "^$name|" synth/units.txt) || { echo "units.txt has no $name" >&2; exit 2; }
top=$(echo "$line" | cut -d'|' -f2)
check=$(echo "$line" | cut -d'|' -f5)
chparam=
for p in $(echo "$line" | cut -d'|' -f3); do chparam="$chparam -chparam ${p%%=*} ${p#*=}"; done
out=${B:-build}/synth
mkdir -p "$out"
base=$out/$name.$flow
case $flow in
generic) map="synth -top $top -flatten; dfflegalize -cell \$_DFF_P_ 01; abc -g AND,OR,XOR,MUX; opt_clean" ;;
ice40) map="synth_ice40 -top $top" ;;
ecp5) map="synth_ecp5 -top $top" ;;
*) echo "no flow $flow" >&2; exit 2 ;;
esac
block=
[ "$check" = block ] && block="chparam -set BLOCK 1 byw_ram_1r1w"
cat >"$base.ys" <<END
read_verilog -Irtl/include $(grep -v '^#' rtl/byw.f | tr '\n' ' ') synth/byw_synth_l1.v
$block
hierarchy -check -top $top $chparam
proc
check -assert
select -assert-none t:\$dlatch t:\$sr t:\$dlatchsr t:\$adlatch
flatten
opt -fast
select -assert-none t:\$mul t:\$div t:\$mod t:\$divfloor t:\$modfloor t:\$pow
rename -top $top
$map
select -assert-none t:\$_DLATCH_?_ t:TRELLIS_LATCH
tee -o $base.stat stat
END
yosys -q "$base.ys" >"$base.log" 2>&1 || { echo "FAIL $name $flow: see $base.log"; tail -n 2 "$base.log"; exit 1; }
awk -v name="$name" -v flow="$flow" '
    /Number of cells/ { lut = ff = bram = lutram = gates = 0; next }
    $1 ~ /^(LUT4|SB_LUT4)$/ { lut += $2 }
    $1 ~ /^(TRELLIS_FF|SB_DFF.*|\$_DFF_P_|\$_DFF.*)$/ { ff += $2 }
    $1 ~ /^(DP16KD|PDPW16KD|SB_RAM40_4K.*)$/ { bram += $2 }
    $1 == "TRELLIS_DPR16X4" { lutram += $2 }
    $1 ~ /^\$_(AND|OR|XOR|MUX|NOT)_$/ { gates += $2 }
    END { print name, flow, lut + 0, ff + 0, bram + 0, lutram + 0, gates + 0 }' "$base.stat" >"$base.txt"
if [ -n "$check" ] && [ "$flow" = ecp5 ] && [ "$(cut -d' ' -f5 "$base.txt")" = 0 ]; then
    echo "FAIL $name $flow: no block RAM inferred"
    exit 1
fi
cat "$base.txt"
