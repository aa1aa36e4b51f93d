#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# loops.sh MODULE ["NAME=VALUE..."] - the registers of a module whose synchronous reset depends on themselves, one
# per line, and exit 1 if there are any.  They work, but for abc9 a reset is a way through the register: it cuts the
# loop somewhere, takes what lies behind the cut for known at once, and maps all of it badly (rtl/doc/clock.md,
# step 64).  Such a register is to be written as gates.  SYNTH_EXTRA: sources beyond those of rtl/byw.f.
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
