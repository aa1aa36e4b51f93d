#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# netlist.sh MODULE FLOW FILE "NAME=VALUE ..." - maps a module to the cells of an FPGA and writes the
# netlist as Verilog, for the lock step of `make netlist-cosim`.  The module keeps its name and ports.
# NETLIST_KEEP lists wires of MODULE that keep their names in the netlist; INNER/WIRE is a wire of module INNER,
# which then stays a module of the netlist.  SYNTH_EXTRA: sources beyond rtl/byw.f.
# Uses the Yosys of the silicon root if there is one, as routes and bitstreams do; the simulation models of its cells
# are copied into the folder FILE.cells.
# Flows: ice40, with block RAM; ecp5, mapped as in synth/pnr.sh, but with LUT RAM instead of block RAM (Yosys has no
# simulation model of DP16KD).
set -eu
cd "$(dirname "$0")/.."
top=$1
out=$3
open=
case $2 in
ice40) map="synth_ice40 -top $top" ;;
ecp5)
    map=$(synth/map.sh ecp5 ecp5-85 "$top" -nobram)
    # Yosys 0.66 leaves unused pins of a TRELLIS_FF undriven: they are x, which the simulation randomizes.
    open="setundef -undriven -undef"
    ;;
*) echo "netlist.sh: no flow $2; expected ice40 or ecp5" >&2; exit 2 ;;
esac
set=
for p in $4; do set="$set -set ${p%%=*} ${p#*=}"; done
cat >"$out.ys" <<END
read_verilog -Irtl/include $(synth/defines.sh "$2") $(synth/files.sh "$top" | tr '\n' ' ')
${set:+chparam$set $top}
hierarchy -check -top $top
setattr -unset ram_style m:*
$(for w in ${NETLIST_KEEP:-}; do
    case $w in
    */*) echo "setattr -mod -set keep_hierarchy 1 *${w%/*}"
        echo "setattr -set keep 1 *${w%/*}/w:${w#*/}" ;;
    *) echo "setattr -set keep 1 $top/w:$w" ;;
    esac
done)
$map
$open
check -assert
stat
write_verilog -noattr $out.part
END
rm -rf "$out.cells"
# shellcheck disable=SC2016 # the inner shell expands
synth/silicon.sh sh -c 'cp -r "$(dirname "$(command -v yosys)")/../share/yosys/$0" "$1"' "$2" "$out.cells"
synth/silicon.sh yosys -q -l "$out.log" "$out.ys" || { tail -n 5 "$out.log" >&2; exit 1; }
mv "$out.part" "$out"
