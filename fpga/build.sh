#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build.sh NAME [SEED...] - builds one configuration of fpga/configs.txt from source to bitstream: Yosys, nextpnr with
# each seed (default 1 2 3), the fastest one packed into B/fpga/NAME.bit or .bin.  Prints
# "NAME DEVICE LUT FF RAM L1_LUT L1_FF L1_RAM SEEDS MHZ GOAL BITSTREAM"; MHZ is that of the slowest seed, the L1_
# figures those of byw_fpga_l1 alone.  SEEDS: number of seeds, or "2/3" if one could not be placed or routed, as
# happens on a chip that is nearly full; its message goes to standard error.  FPGA_MINUTES (60): time limit per seed.
# A result is cached in B/fpga/cache, under a hash of the sources; work that is not cached waits for the lock
# FPGA_LOCK, if set.
# If the design does not fit, MHZ is "-" and BITSTREAM the reason.
set -u
cd "$(dirname "$0")/.."
name=$1
shift
seeds=${*:-1 2 3}
entry=$(grep "^$name|" fpga/configs.txt) || { echo "build.sh: fpga/configs.txt has no $name" >&2; exit 2; }
device=$(echo "$entry" | cut -d'|' -f2)
board=$(echo "$entry" | cut -d'|' -f3)
goal=$(echo "$entry" | cut -d'|' -f4)
flow=$(grep "^$device|" synth/devices.txt | cut -d'|' -f2)
router=$(grep "^$device|" synth/devices.txt | cut -d'|' -f3)
room=$(grep "^$device|" synth/devices.txt | cut -d'|' -f4-6 | tr '|' ' ')
case $board in *router2*) router="$router --router router2" ;; esac
pins=fpga/boards/${board%% *}.txt
out=${B:-build}/fpga
mkdir -p "$out/cache"
heavy() {
    if [ -n "${FPGA_LOCK:-}" ]; then flock "$FPGA_LOCK" "$@"; else "$@"; fi
}
# shellcheck disable=SC2086 # a command with options
synth/silicon.sh ${router%% *} --version >/dev/null 2>&1 || {
    echo "build.sh: no ${router%% *}; make silicon-root" >&2
    exit 77
}
parameters=$(rtl/config.sh expand byw_fpga_test "$(echo "$entry" | cut -d'|' -f5)" | sed 's/\([A-Z_0-9]*\)=\([0-9]*\)/.\1(\2)/g;s/ /,/g')
options=$(sed -n 's/^parameters //p' "$pins")
case $board in *slow*) options=$(echo "$options" | sed 's/DIVIDE=0/DIVIDE=1/') ;; esac
chparam=
for p in $options; do chparam="$chparam -chparam ${p%%=*} ${p#*=}"; done
sources="$(echo fpga/byw_fpga_*.v) $(grep -v '^#' rtl/byw.f | tr '\n' ' ')"
tools=$(synth/silicon.sh yosys -V; synth/silicon.sh ${router%% *} --version 2>&1)
# shellcheck disable=SC2086 # lists of files
key=$( (echo "$entry $options $tools $router 1"; cat synth/map.sh synth/defines.sh $sources rtl/include/*.vh "$pins") | sha256sum | cut -c1-16)
base=$out/cache/$name.$key
if [ ! -e "$base.json" ]; then
    cat >"$base.ys" <<END
read_verilog -Irtl/include $(synth/defines.sh "$flow") -DFPGA_PARAMETERS=$parameters $(echo $sources)
hierarchy -check -top byw_fpga_board $chparam
setattr -mod -set keep_hierarchy 1 *byw_fpga_l1*
$(synth/map.sh "$flow" "$device" byw_fpga_board)
write_rtlil $base.il
setattr -mod -unset keep_hierarchy *byw_fpga_l1*
flatten
clean
write_json $base.part
END
    heavy synth/silicon.sh yosys -q "$base.ys" >"$base.yosys.log" 2>&1 || {
        echo "FAIL $name: Yosys, see $base.yosys.log" >&2
        exit 1
    }
    mv "$base.part" "$base.json"
fi
case $flow in
ecp5)
    constraints=$base.lpf
    sed -n 's/^\([a-z_]*_[io]\[*[0-9]*\]*\) \([A-Z0-9]*\).*/LOCATE COMP "\1" SITE "\2";\nIOBUF PORT "\1" IO_TYPE=LVCMOS33;/p' "$pins" >"$constraints"
    ;;
ice40)
    constraints=$base.pcf
    sed -n 's/^\([a-z_]*_[io]\[*[0-9]*\]*\) \([A-Z0-9]*\) pullup/set_io -pullup yes \1 \2/p;s/^\([a-z_]*_[io]\[*[0-9]*\]*\) \([A-Z0-9]*\)$/set_io \1 \2/p' "$pins" >"$constraints"
    ;;
esac
all=$(awk -f synth/cells.awk "$base.il" | cut -d' ' -f1-3)
l1=$(awk -v module=byw_fpga_l1 -f synth/cells.awk "$base.il" | cut -d' ' -f1-3)
reason=$(echo "$all $room" | awk '{
    split("LUT FF RAM", what, " ")
    for (i = 1; i <= 3; i++) if ($i > $(i + 3)) s = s "_" what[i] "_" $i "_of_" $(i + 3)
    print s }')
# A design that exceeds the device is not routed.
if [ -n "$reason" ]; then
    echo "$name $device $all $l1 0 - $goal does_not_fit:$reason"
    exit 0
fi
worst=
best=
n=0
tried=0
told=
over=
for seed in $seeds; do
    tried=$((tried + 1))
    if [ ! -e "$base.$seed.result" ]; then
        # shellcheck disable=SC2086 # a command with options
        case $flow in
        ecp5) heavy timeout "${FPGA_MINUTES:-60}m" synth/silicon.sh $router --json "$base.json" --seed "$seed" --freq "$goal" --timing-allow-fail \
            --lpf "$constraints" --textcfg "$base.$seed.config" >"$base.$seed.log" 2>&1 ;;
        ice40) heavy timeout "${FPGA_MINUTES:-60}m" synth/silicon.sh $router --json "$base.json" --seed "$seed" --freq "$goal" --timing-allow-fail \
            --pcf "$constraints" --asc "$base.$seed.config" >"$base.$seed.log" 2>&1 ;;
        esac || {
            over=$(sed -n 's/.*ICESTORM_LC: *\([0-9]*\)\/ *\([0-9]*\).*/\1 \2/p' "$base.$seed.log" | head -n 1 |
                awk '$1 > $2 { print "does_not_fit:_logic_cells_" $1 "_of_" $2 }')
            told=$(grep -m1 -e '^ERROR: ' -e 'what():' "$base.$seed.log" | sed 's/^ERROR: //;s/.*what(): *//')
            told="seed $seed: ${told:-stopped, or no way in ${FPGA_MINUTES:-60} minutes, see $base.$seed.log}"
            echo "$name: $told" >&2
            [ -z "$over" ] || break
            continue
        }
        awk -f synth/pnr_log.awk "$base.$seed.log" >"$base.$seed.result"
    fi
    n=$((n + 1))
    mhz=$(cut -d' ' -f1 "$base.$seed.result")
    worst=$(echo "$mhz ${worst:-$mhz}" | awk '{ print ($1 < $2) ? $1 : $2 }')
    if [ -z "$best" ] || awk "BEGIN { exit !($mhz > $most) }"; then
        best=$seed
        most=$mhz
    fi
done
if [ "$n" = 0 ]; then
    echo "$name $device $all $l1 0 - $goal ${over:-$(echo "$told" | tr ' ' '_')}"
    exit 0
fi
[ "$n" = "$tried" ] || n=$n/$tried
case $flow in
ecp5)
    bits=$out/$name.bit
    synth/silicon.sh ecppack --compress --input "$base.$best.config" --bit "$bits"
    ;;
ice40)
    bits=$out/$name.bin
    synth/silicon.sh icepack "$base.$best.config" "$bits"
    ;;
esac || exit 1
echo "$name $device $all $l1 $n $worst $goal $bits"
