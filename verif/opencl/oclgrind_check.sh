#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# oclgrind_check.sh - compares captures with Oclgrind, launch by launch: warp accesses to global
# memory, their lanes, and the 128-byte lines they touch must all be equal.
#
#     verif/opencl/oclgrind_check.sh [BENCHMARK ...]
#
# Needs oclgrind, liboclgrind-dev, LLVM's headers of the version Oclgrind uses, and a built runtime,
# command and benchmarks (B names their folder). Exit status 0 equal, 1 not, 77 something missing.
#
# Oclgrind gets -O2 as the runtime does, because the compiler decides whether equal stores of two
# branches become one instruction. Not in LIST:
#   conv2d spmv convsep cfd   have __constant data, which Oclgrind counts as global
#   bfs heartwall             branch inside loops of different trip counts: the lanes are equal, but
#                             Oclgrind runs lane by lane, so accesses can only be grouped by
#                             "k-th execution"
#   sssp hybridsort bh        the order of atomics differs; it decides where later accesses go and,
#                             in sssp and bh, how many there are
set -u
B=${B:-build}
LIST=${*:-nw lud hotspot backprop gemm kmeans pathfinder srad_v1 srad_v2 gaussian btree atax bicg gesummv \
    mvt syrk syr2k mm2 jacobi1d streamcluster lbm shfl_scan adi matmul act lrn}
HERE=$(dirname "$0")

missing() {
    echo "oclgrind_check: $1; skipped" >&2
    exit 77
}
command -v oclgrind >/dev/null || missing "oclgrind is not installed"
[ -e /usr/include/oclgrind/Plugin.h ] || missing "liboclgrind-dev is not installed"
[ -e "$B/lib/libOpenCL.so.1" ] || missing "$B/lib/libOpenCL.so.1 is not built (make opencl)"
[ -x "$B/byway" ] || missing "$B/byway is not built"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
llvm=$(ldd "$(ls /usr/lib/*/liboclgrind-[0-9]*.so | head -1)" |
    sed -n 's/.*libLLVM-\([0-9]*\).*/\1/p' | head -1)
${CXX:-g++} -std=c++17 -O2 -shared -fPIC -fno-rtti -I/usr/include/oclgrind \
    -I"/usr/lib/llvm-$llvm/include" "$HERE/oclgrind_plugin.cpp" -o "$work/plugin.so" ||
    missing "the plugin does not compile"

# One line per launch: kernel, accesses, lanes, lines.
launches() {
    "$B/byway" trace info --json "$1" | awk '
        /"per_launch"/ { on = 1 }
        on && /"kernel":/ { gsub(/[",]/, ""); kernel = $2 }
        on && /"accesses":/ { gsub(/,/, ""); accesses = $2 }
        on && /"lanes":/ { gsub(/,/, ""); lanes = $2 }
        on && /"lines":/ { gsub(/,/, ""); print kernel, accesses, lanes, $2 }'
}

equal=0
bad=0
for name in $LIST; do
    program="$B/workloads/$name"
    [ -x "$program" ] || missing "$program is not built (make workloads)"
    BYWAY_OCLGRIND_OUT="$work/theirs" oclgrind --num-threads 1 --build-options -O2 \
        --plugins "$work/plugin.so" "$program" --size test >/dev/null 2>"$work/errors"
    "$B/byway" trace capture -o "$work/trace.bwt" -- "$program" --size test >/dev/null \
        2>>"$work/errors" || cat "$work/errors"
    launches "$work/trace.bwt" >"$work/ours"
    total=$(awk '{ a += $2; l += $3; n += $4 } END { print a + 0, "accesses,", l + 0, "lanes,", n + 0, "lines" }' "$work/ours")
    if [ -s "$work/ours" ] && cmp -s "$work/theirs" "$work/ours"; then
        equal=$((equal + 1))
        echo "equal  $name: $(wc -l <"$work/ours") launches, $total"
    else
        echo "DIFFER $name (Oclgrind <, byway >)"
        diff "$work/theirs" "$work/ours" | head -8
        bad=$((bad + 1))
    fi
done
echo "$equal benchmarks equal, $bad not"
[ $bad -eq 0 ]
