#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_vectors.sh - the global accesses of a captured kernel equal those in clang's PTX: as many loads
# and stores, of the same widths.
#
# Kernels are those of vectors.cl. Exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
source=verif/opencl/vectors.cl
probe=$B/verif/opencl/cl_probe
. verif/common/tap.sh
needs_built libOpenCL.so.1 "$B/byway" "$probe"
tap_folder want got
export BYWAY_CACHE=$dir/cache

read -r clang library < <(make -s --no-print-directory B="$B" opencl-tools)
"$clang" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target nvptx64-- -O2 \
    -Xclang -mlink-bitcode-file -Xclang "$library" -S -o "$dir/ptx" $source || exit 1

# KERNEL load|store BYTES, one line per instruction.
awk '/\.entry/ { kernel = $NF; sub(/\(.*/, "", kernel) }
    match($0, /(ld|st)\.global[.a-z0-9]*/) {
        count = split(substr($0, RSTART, RLENGTH), part, ".")
        lanes = 1
        for (i = 3; i <= count; i++) if (part[i] ~ /^v[24]$/) lanes = substr(part[i], 2)
        bits = part[count]
        sub(/^[a-z]*/, "", bits)
        print kernel, part[1] == "ld" ? "load" : "store", lanes * bits / 8
    }' "$dir/ptx" | sort >"$dir/expected"

while read -r kernel buffers; do
    arguments=$(yes b:16384 | head -n "$buffers")
    # shellcheck disable=SC2086
    "$B/byway" trace capture -o "$dir/$kernel.bwt" -- "$probe" $source "$kernel" 64 64 - $arguments \
        >/dev/null || echo "t_vectors: $kernel: not captured" >&2
    "$B/byway" trace info --sites "$dir/$kernel.bwt" |
        awk -v k="$kernel" '$1 == k { print $1, $5, $6 }' | sort >"$dir/got"
    grep "^$kernel " "$dir/expected" >"$dir/want"
    cmp -s "$dir/want" "$dir/got"
    result $? "$kernel accesses memory as its PTX does"
done < <(awk '/^kernel void/ { name = $3; sub(/\(.*/, "", name); print name, gsub(/global/, "") }' $source)

# Each line is loaded once: the first counters of either name are the L1's.
"$B/byway" run --policy bl --trace "$dir/gather_dot.bwt" --json "$dir/json" >/dev/null
for counter in hits hit_pending; do
    grep -m 1 "\"$counter\":" "$dir/json" >"$dir/got"
    echo "  \"$counter\": 0" >"$dir/want"
    grep -q ": 0,$" "$dir/got"
    result $? "a gather of whole vectors has no L1 $counter"
done
finish
