#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_cluster.sh - clusters of several blocks follow the rules of the PTX ISA, as NVIDIA's assembler accepts
# them; what distributed shared memory and multicast copies leave in the trace.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_cluster" "$B/verif/cuda/cu_corpus"
tap_folder out err traced info
export BYWAY_CACHE=$dir/cache
probe=$B/verif/cuda/cu_cluster

LD_LIBRARY_PATH=$B/lib "$probe" >"$dir/out" 2>"$dir/err"
while read -r status name; do
    [ "$status" = ok ]
    result $? "$name"
done < <(sed 's/^not ok/not_ok/' "$dir/out")
[ "$(grep -c . "$dir/out")" = 16 ] && [ ! -s "$dir/err" ]
result $? "all rules were checked"
"$B/byway" trace capture -o "$dir/t.bwt" -- "$probe" >"$dir/traced" 2>"$dir/err"
cmp -s "$dir/out" "$dir/traced" && "$B/byway" trace check "$dir/t.bwt" >/dev/null
result $? "captured, they are the same, and the trace can be read through"

LD_LIBRARY_PATH=$B/lib "$probe" forever >"$dir/out" 2>"$dir/err"
[ $? = 1 ] && grep -q 'kernel forever, .* waits forever.*: no work-item of its cluster can continue' "$dir/err"
result $? "a cluster that waits forever is reported"

# counts PROGRAM: instructions of a class in the trace of a program of the corpus
counts() {
    "$B/byway" trace capture -o "$dir/t.bwt" -- "$B/verif/cuda/cu_corpus" "$B/verif/cuda/corpus" "$1" >"$dir/out" 2>"$dir/err"
    "$B/byway" trace info "$dir/t.bwt" >"$dir/info"
    awk -v class="$2" '$1 == class { print $2 }' "$dir/info"
}
# Each of eight blocks loads a box of four rows of 128 bytes and one more row, multicast to three blocks.
[ "$(counts cluster_multicast load)" = $((8 * (4 * 4 + 4))) ]
result $? "a multicast copy loads each sector once"
# 24 sums; rank 0 of each cluster reads six.
[ "$(counts cluster_reduction shared_load)" -ge $((4 * 6)) ] && [ "$(counts cluster_reduction barrier)" = $((24 * 2 * 3)) ]
result $? "distributed shared memory is scratchpad, and a cluster's barrier one of the block"

if ptxas=$(cuda_tool ptxas); then
    LD_LIBRARY_PATH=$B/lib "$probe" text >"$dir/rules.ptx" && "$ptxas" -arch=sm_90 -o "$dir/rules.cubin" "$dir/rules.ptx" >"$dir/out" 2>&1
    result $? "NVIDIA's assembler accepts the same text"
else
    skip_check "NVIDIA's assembler accepts the same text" "no ptxas; make deps-cuda"
fi
finish
