#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# pnr.sh [-d DEVICE] [-s "SEED..."] [-n ORDER] [-f MHZ] [-p "NAME=VALUE..."] [-x "FILE..."] [-r RTL] [-v] MODULE - routes one
# module and prints its LUTs, registers and RAM blocks, and for each seed the clock rate and the longest path.
#   -d  a device of synth/devices.txt (default ecp5-85)      -s  seeds of nextpnr (default "1 2 3")
#   -f  target clock rate of nextpnr in MHz (default 120)     -p  parameters of the module
#   -x  sources beyond those of rtl/byw.f                     -r  another rtl folder
#   -o  prefix of output files (default B/pnr/MODULE.DEVICE)  -v  prints the nets of the longest path
#   -n  order of the cells for ABC: 1 that of the files (default), from 2 on shuffled (synth/shuffle.awk)
# All ports of the module are registered (synth/wrap.awk), so that every path is from register to
# register.  The area is the module's own: it is mapped alone and then wrapped.
# Last line of each seed: "MODULE DEVICE SEED LUT FF RAM MHZ CELLS LOGIC_NS WIRE_NS FROM TO".
set -u
cd "$(dirname "$0")/.."
device=ecp5-85
seeds="1 2 3"
mhz=120
params=
extra=
rtl=rtl
base=
nets=0
order=1
while getopts d:s:n:f:p:x:r:o:v o; do
    case $o in
    d) device=$OPTARG ;;
    s) seeds=$OPTARG ;;
    n) order=$OPTARG ;;
    f) mhz=$OPTARG ;;
    p) params=$OPTARG ;;
    x) extra=$OPTARG ;;
    r) rtl=$OPTARG ;;
    o) base=$OPTARG ;;
    v) nets=1 ;;
    *) sed -n '4,14s/^# //p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || { sed -n '4,14s/^# //p' "$0" >&2; exit 2; }
top=$1
entry=$(grep "^$device|" synth/devices.txt) || {
    echo "pnr.sh: no device $device; expected one of $(grep -v '^#' synth/devices.txt | cut -d'|' -f1 | tr '\n' ' ')" >&2
    exit 2
}
flow=$(echo "$entry" | cut -d'|' -f2)
router=$(echo "$entry" | cut -d'|' -f3)
base=${base:-${B:-build}/pnr/$top.$device}
mkdir -p "$(dirname "$base")"
# shellcheck disable=SC2086 # a command with options
command -v ${router%% *} >/dev/null || synth/silicon.sh ${router%% *} --version >/dev/null 2>&1 || {
    echo "pnr.sh: no ${router%% *}; make silicon-root" >&2
    exit 77
}
fail() {
    echo "FAIL $top $device: $1 (see $base.$2)"
    grep -E 'ERROR|error' "$base.$2" | head -n 3
    exit 1
}
FLOW=$flow RTL=$rtl SYNTH_EXTRA=$extra YOSYS="synth/silicon.sh yosys" synth/flat.sh "$top" "$params" unit "$base.flat.il" \
    >"$base.flat.log" 2>&1 || fail "elaboration" flat.log
[ "$order" = 1 ] || {
    awk -v seed="$order" -f synth/shuffle.awk "$base.flat.il" >"$base.order.il"
    mv "$base.order.il" "$base.flat.il"
}
cat >"$base.map.ys" <<END
read_rtlil $base.flat.il
$(synth/map.sh "$flow" "$device" unit)
tee -o $base.ports portlist unit
tee -o $base.stat stat
write_rtlil $base.unit.il
END
synth/silicon.sh yosys -q -l "$base.yosys.log" "$base.map.ys" >/dev/null 2>&1 || fail "mapping" yosys.log
# A synchronous reset that depends on its own register is a loop to abc9, which cuts it somewhere: ABC then assumes
# that the logic behind the cut arrives at time 0, and maps it badly.
loops=$(sed -n 's/^Found \([1-9][0-9]*\) SCCs in module .*/\1/p' "$base.yosys.log")
[ -z "$loops" ] || echo "pnr.sh: $top: $loops loops cut by abc9 (Found an SCC in $base.yosys.log)" >&2
awk -f synth/wrap.awk "$base.ports" >"$base.top.v"
cat >"$base.wrap.ys" <<END
read_verilog $base.top.v
$(synth/map.sh "$flow" "$device" pnr_top)
read_rtlil -overwrite $base.unit.il
hierarchy -check -top pnr_top
flatten
clean
write_json $base.json
END
synth/silicon.sh yosys -q "$base.wrap.ys" >>"$base.yosys.log" 2>&1 || fail "wrapping" yosys.log
area=$(awk -f synth/cells.awk "$base.unit.il")
echo "$top on $device: $(echo "$area" | awk '{ print $1 " LUT4, " $2 " FF, " $3 " RAM blocks, " $4 " LUT RAM" }')"
bad=0
for seed in $seeds; do
    # shellcheck disable=SC2086 # a command with options
    synth/silicon.sh $router --json "$base.json" --seed "$seed" --freq "$mhz" --timing-allow-fail \
        $([ "$flow" = ecp5 ] && echo --lpf-allow-unconstrained || echo --pcf-allow-unconstrained) \
        >"$base.$seed.log" 2>&1 ||
        { fail "place and route" "$seed.log"; }
    found=$(awk -v path="$nets" -f synth/pnr_log.awk "$base.$seed.log") || fail "no path found" "$seed.log"
    echo "$found" | sed '$d'
    found=$(echo "$found" | tail -n 1)
    echo "$found" | awk -v s="$seed" '{
        print "seed " s ": " $1 " MHz, " $2 " cells, " $3 " ns logic, " $4 " ns wires\n  from " $5 "\n  to   " $6 }'
    echo "$top $device $seed $(echo "$area" | cut -d' ' -f1-3) $found"
done
exit $bad
