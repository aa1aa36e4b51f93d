#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# timing.sh FILE NAME... - maps lines of units.txt to the cells of a Liberty file, as liberty.sh does, and prints
# "NAME ps cells area FROM TO": the delay of the longest path by ABC's static timing (stime, without wires), the cells
# on all paths, their area, and the ends of that path.  RAMs (byw_ram_1r1w) are black boxes.  ABC sees the logic
# between registers, RAMs and ports, so a clock period also has to hold the clock-to-output and setup times of the registers and
# RAMs, and the wires.  The file needs delay tables.  UNITS_TXT, SYNTH_EXTRA: as in one.sh.
set -u
cd "$(dirname "$0")/.."
. synth/liberty_units.sh
bad=0
for name in "$@"; do
    unit "$name"
    base=$out/$name.timing
    cat >"$base.ys" <<END
read_verilog -Irtl/include $(synth/defines.sh liberty) $(echo "$files" | tr ' ' '\n' | grep -v 'byw_ram_1r1w\.v' | tr '\n' ' ')
$(echo "$files" | tr ' ' '\n' | sed -n 's,^\(.*byw_ram_1r1w\.v\)$,read_verilog -lib -Irtl/include \1,p')
$chparam
hierarchy -check -top $top
synth -top $top -flatten
dfflibmap -liberty $liberty
abc -liberty $liberty -script +strash;dch;map;topo;buffer,-c;upsize;dnsize;stime,-p
END
    if yosys -q -l "$base.log" "$base.ys" >/dev/null 2>&1; then
        awk -v name="$name" '
            /^ABC: *WireLoad/ {
                for (i = 1; i < NF; i++) {
                    if ($i == "Gates") gates = $(i + 2)
                    if ($i == "Area") area = $(i + 2)
                    if ($i == "Delay") delay = $(i + 2)
                }
            }
            /^ABC: Start-point/ { sub(/^ABC: */, ""); ends = $0 }
            END {
                if (delay == "" || delay + 0 == 0) { print "FAIL " name ": no delay; the Liberty file needs delay tables"; exit 1 }
                from = to = ends
                sub(/^.*Start-point = [^(]*\(\\?/, "", from); sub(/\).*/, "", from)
                sub(/^.*End-point = [^(]*\(\\?/, "", to); sub(/\).*/, "", to)
                gsub(/ /, "", from); gsub(/ /, "", to)
                print name, delay, gates, area, from, to
            }' "$base.log" || bad=1
    else
        echo "FAIL $name: see $base.log"
        bad=1
    fi
done
exit $bad
