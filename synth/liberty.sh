#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# liberty.sh FILE NAME... - maps lines of units.txt with the generic flow to the cells of a Liberty file and prints
# "NAME um2 cells", in the file's unit of area (usually square micrometres).  Memories become
# registers.  UNITS_TXT, SYNTH_EXTRA: as in one.sh.
set -u
cd "$(dirname "$0")/.."
. synth/liberty_units.sh
bad=0
for name in "$@"; do
    unit "$name"
    base=$out/$name.liberty
    cat >"$base.ys" <<END
read_verilog -Irtl/include $(synth/defines.sh liberty) $files
$chparam
hierarchy -check -top $top
synth -top $top -flatten
dfflibmap -liberty $liberty
abc -liberty $liberty
opt_clean
tee -o $base.stat stat -liberty $liberty
END
    if yosys -q "$base.ys" >"$base.log" 2>&1; then
        awk -v name="$name" '
            /Number of cells:/ { cells = $NF }
            /Chip area for/ { area = $NF }
            /^ *Area for cell type .* is unknown/ { unknown = 1 }
            END {
                if (area == "" || unknown) { print "FAIL " name ": a cell has no area in the Liberty file"; exit 1 }
                print name, area, cells
            }' "$base.stat" || bad=1
    else
        echo "FAIL $name: see $base.log"
        bad=1
    fi
done
exit $bad
