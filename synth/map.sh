#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# map.sh FLOW DEVICE TOP [OPTION...] - prints the Yosys commands that map TOP to the cells of a device of
# synth/devices.txt, as pnr.sh, netlist.sh and fpga/build.sh do; options go to synth_ecp5 or synth_ice40.
set -eu
flow=$1
device=$2
top=$3
shift 3
case $flow in
ecp5)
    # -dff: ABC sees the registers, and the seeds of a large cache vary less.  Its script is the default one with two
    # changes: the network is balanced for depth (&if -g) before choices are computed, and cuts are minimized
    # (&if -m).  The script was fitted to seeds 4 to 6 of l1_baseline_16k, -K 8 to seeds 4 to 8 of l1_everything_16k,
    # and the wire delay of 700 ps (&if -W) to the depth of its endpoints (rtl/doc/notebook/clock_steps.md).
    echo 'scratchpad -set abc9.script "+&scorr;&sweep;&dc2;&st;&if,-g,-K,8;&dch,-f,-r;&if,-W,700,-m;&mfs"'
    echo "synth_ecp5 -abc9 -dff $* -top $top"
    ;;
ice40)
    echo "synth_ice40 -abc9 -device $(echo "$device" | cut -c1 | sed 's/h/hx/') $* -top $top"
    ;;
*)
    echo "map.sh: no flow $flow; expected ecp5 or ice40" >&2
    exit 2
    ;;
esac
