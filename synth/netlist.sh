#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# netlist.sh MODULE FLOW FILE "NAME=VALUE ..." - maps a module to the cells of an FPGA and writes the
# netlist as Verilog, for the lock step of `make netlist-cosim`.  The module keeps its name and ports.
# NETLIST_KEEP names wires of MODULE that stay in the netlist under their names; a word INNER/WIRE is a wire of module
# INNER, which then stays a module of the netlist.  SYNTH_EXTRA: sources beyond rtl/byw.f.
# The Yosys is that of the silicon root where there is one, as for routes and bitstreams; what its cells do in a
# simulation is put into the folder FILE.cells.
# Flows: ice40, with block RAM; ecp5, as synth/pnr.sh maps it, but without (Yosys has no simulation model of DP16KD),
# with LUT RAM.
set -eu
cd "$(dirname "$0")/.."
top=$1
out=$3
open=
case $2 in
ice40) map="synth_ice40 -top $top" ;;
ecp5)
    map=$(synth/map.sh ecp5 ecp5-85 "$top" -nobram)
    # Yosys 0.66 leaves pins of a TRELLIS_FF that mean nothing without a driver: x, which a simulation draws.
    open="setundef -undriven -undef"
    ;;
*) echo "netlist.sh: no flow $2; expected ice40 or ecp5" >&2; exit 2 ;;
esac
set=
for p in $4; do set="$set -set ${p%%=*} ${p#*=}"; done
cat >"$out.ys" <<END
read_verilog -Irtl/include $(synth/files.sh "$top" | tr '\n' ' ')
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
