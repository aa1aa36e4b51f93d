#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build.sh [SEED] - the SoC example for the ULX3S: Yosys, nextpnr-ecp5, ecppack; B/fpga/soc.bit.  Prints cells and clock rate.
# The tools are those of the system or of `make silicon-root`.  YOSYS_ONLY=1: only the netlist.  Exit 77 without them.
set -eu
cd "$(dirname "$0")/../.."
out=${B:-build}/fpga
mkdir -p "$out"
need() {
    synth/silicon.sh "$1" "$2" >/dev/null 2>&1 || {
        echo "build.sh: no $1; make silicon-root, or apt-get install $3" >&2
        exit 77
    }
}
need yosys -V yosys
files=$({ synth/files.sh -f byw_sm_l1; synth/files.sh -f byw_axi4_mem; } | grep '[.]v$' | sort -u | tr '\n' ' ')
synth/silicon.sh yosys -q -l "$out/soc.yosys.log" -p "read_verilog -Irtl/include $(synth/defines.sh ecp5) $files $(echo fpga/soc/*.v)
    synth_ecp5 -abc9 -top byw_soc_board -json $out/soc.json; tee -o $out/soc.cells stat" >/dev/null 2>&1
awk '/LUT4|TRELLIS_FF|DP16KD|TRELLIS_DPR16X4|CCU2C/ { s = s " " $1 " " $2 } END { print "soc:" s }' "$out/soc.cells"
[ -z "${YOSYS_ONLY:-}" ] || exit 0
need nextpnr-ecp5 --version nextpnr-ecp5
need ecppack --help fpga-trellis
sed -n 's/^\([a-z_]*_[io]\[*[0-9]*\]*\) \([A-Z0-9]*\).*/LOCATE COMP "\1" SITE "\2";\nIOBUF PORT "\1" IO_TYPE=LVCMOS33;/p' \
    fpga/boards/ulx3s.txt >"$out/soc.lpf"
synth/silicon.sh nextpnr-ecp5 --85k --package CABGA381 --json "$out/soc.json" --lpf "$out/soc.lpf" --seed "${1:-1}" --freq 25 \
    --textcfg "$out/soc.config" >"$out/soc.log" 2>&1 || {
    grep -m1 '^ERROR' "$out/soc.log" >&2
    exit 1
}
grep 'Max frequency' "$out/soc.log" | tail -n 1 | sed 's/^Info: //'
synth/silicon.sh ecppack --compress --input "$out/soc.config" --bit "$out/soc.bit"
echo "$out/soc.bit; openFPGALoader -b ulx3s $out/soc.bit"
