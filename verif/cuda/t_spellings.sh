#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_spellings.sh - spellings of PTX that NVIDIA's assembler accepts run and give the values of
# spellings.ptx: qualifiers in any order, elements of arrays, clamped products, cache policies,
# exit in functions, alloca, named barriers.  Where ptxas is there, it accepts each of them.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_spellings"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/err")

LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_spellings" verif/cuda/spellings.ptx >"$work/out" 2>"$work/err"
while read -r status name; do
    [ "$status" = ok ]
    result $? "$name"
done < <(grep -v '^ ' "$work/out" | sed 's/^not ok/not_ok/')
[ "$(grep -c '^ok\|^not ok' "$work/out")" = "$(grep -c '^// k: ' verif/cuda/spellings.ptx)" ]
result $? "every kernel of spellings.ptx ran"

cat >"$work/dead.ptx" <<'EOF'
.version 8.5
.target sm_90
.address_size 64

// k: 64 0 0 a barrier that too few threads reach
.visible .entry k(.param .u64 o) { bar.sync 1, 96; ret; }
EOF
LD_LIBRARY_PATH=$B/lib timeout 60 "$B/verif/cuda/cu_spellings" "$work/dead.ptx" >"$work/out" 2>"$work/err"
grep -q 'kernel k, .* waits forever: no work-item of its work-group can continue' "$work/err"
result $? "a named barrier that too few threads reach is reported"

assembler=$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)
if [ -x "$assembler" ]; then
    # Kernels k and their functions get a number each: one module for the assembler.
    awk '/^\/\/ k: / { n++ } { gsub(/\.entry k\(/, ".entry k" n "("); gsub(/leave/, "leave" n); gsub(/outer/, "outer" n); print }' verif/cuda/spellings.ptx >"$work/all.ptx"
    "$assembler" -arch=sm_90 -o /dev/null "$work/all.ptx" >"$work/err" 2>&1
    result $? "ptxas accepts every spelling"
fi
finish
