#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_recipe_format.sh - cmodel/doc/add_a_trace_format.md, done on a copy of the tree: the page's trace is read, checked,
# converted without loss and simulated; a wrong line is named.  TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
. verif/common/recipe.sh
recipe_copy cmodel/traces
recipe_apply cmodel/doc/add_a_trace_format.md
recipe_files 3 1
recipe_build
(cd "$tree" && git add -A && .ci/layers.sh) >"$dir/log" 2>&1
result $? "layers are clean"
if command -v clang-format >/dev/null; then
    (cd "$tree" && clang-format --dry-run -Werror cmodel/trace/accelsim/byw_trace_warps.c) >"$dir/log" 2>&1
    result $? "the new files are formatted"
fi
awk '/^```text probe[.]warps$/ { on = 1; next } /^```$/ { on = 0 } on' cmodel/doc/add_a_trace_format.md >"$dir/probe.warps"
"$byway" trace check "$dir/probe.warps" >"$dir/log" 2>&1 && grep -q 'sound; 2 CTAs, 9 warp instructions, 4 accesses' "$dir/log"
result $? "the page's trace is read to its end"
"$byway" trace convert "$dir/probe.warps" -o "$dir/probe.bwt" >"$dir/log" 2>&1 &&
    "$byway" trace convert "$dir/probe.warps" --to csv -o "$dir/a.csv" && "$byway" trace convert "$dir/probe.bwt" --to csv -o "$dir/b.csv" &&
    cmp "$dir/a.csv" "$dir/b.csv" && grep -q '0x7f0000001000 0x7f0000001080 0x7f0000001100' "$dir/a.csv"
result $? "a conversion keeps every access"
for f in probe.warps probe.bwt; do
    "$byway" run -t "$dir/$f" --json "$dir/$f.json" >"$dir/log" 2>&1 || break
done
[ "$(grep -m 1 '"cycles"' "$dir/probe.warps.json")" = "$(grep -m 1 '"cycles"' "$dir/probe.bwt.json")" ]
result $? "a run of the trace takes the cycles of its conversion"
xz -k "$dir/probe.warps" 2>"$dir/log" && "$byway" trace check "$dir/probe.warps.xz" >"$dir/log" 2>&1
result $? "the trace may be compressed"
while IFS='|' read -r line text; do
    sed "${line}s/.*/$text/" "$dir/probe.warps" >"$dir/bad.warps"
    "$byway" trace check "$dir/bad.warps" >"$dir/log" 2>&1
    [ $? = 2 ] && grep -q "bad.warps:$line: " "$dir/log"
    result $? "a wrong line is named: $text"
done <<'END'
2|kernel probe 2
3|cta x
4|load 0x10 4 ffffffff 0x1000 4
5|load 0x10 3 ffffffff 0x1000 4
6|lod 0x18
END
finish
