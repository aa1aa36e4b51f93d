#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# loops.sh MODULE ["NAME=VALUE..."] - prints the registers of a module whose synchronous reset depends on themselves,
# one per line; exit 1 if there are any.  They work, but abc9 treats the reset as combinational: it cuts the loop
# somewhere, assumes that the logic behind the cut arrives at time 0, and maps it badly (rtl/doc/notebook/clock_steps.md, step 64).
# Write such a register as gates.  SYNTH_EXTRA: sources beyond those of rtl/byw.f.
set -u
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
synth/flat.sh "$1" "${2:-}" "$1" "$dir/flat.il" >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 2; }
cat >"$dir/loops.ys" <<END
read_rtlil $dir/flat.il
synth_ecp5 -abc9 -dff -top $1 -run begin:map_luts
scc -specify -select
tee -o $dir/registers select -list % t:TRELLIS_FF %i %co1:+TRELLIS_FF[Q] w:* %i
END
yosys -q "$dir/loops.ys" >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 2; }
cat "$dir/registers"
[ ! -s "$dir/registers" ]
