#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_mbarrier.sh - barriers in shared memory (mbarrier), bulk copies, tensor maps and clusters of one block
# follow the rules of the PTX ISA; waits that never end are reported; what bulk copies and waiting warps
# leave in the trace.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_mbarrier" "$B/verif/cuda/cu_corpus"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/out" "$work/err")

LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_mbarrier" >"$work/out" 2>"$work/err"
while read -r status name; do
    [ "$status" = ok ]
    result $? "$name"
done < <(sed 's/^not ok/not_ok/' "$work/out")
[ "$(grep -c . "$work/out")" = 27 ]
result $? "all rules were checked"

LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_mbarrier" refused >"$work/out" 2>"$work/err"
[ $? = 1 ]
result $? "a kernel that cannot end ends the program"
says() { # says NAME SENTENCE
    grep -q "$2" "$work/err"
    result $? "$1"
}
says "a wait that never ends is reported" 'kernel forever, .* waits forever: no work-item of its work-group can continue'
says "a bulk copy with a mask is named, with its line" 'masked cannot run: it uses cp.async.bulk.*cp_mask (PTX line [0-9]*)'

# counts PROGRAM: instructions of the classes in the trace of a program of the corpus
counts() {
    "$B/byway" trace capture -o "$work/t.bwt" -- "$B/verif/cuda/cu_corpus" "$B/verif/cuda/corpus" "$1" >"$work/out" 2>"$work/err"
    "$B/byway" trace info "$work/t.bwt" >"$work/info"
    awk '$1 == "load" || $1 == "store" { printf "%s %s ", $1, $2 }' "$work/info"
}
tap_logs+=("$work/info")
[ "$(counts bulk_ring)" = "load 512 store 1024 " ] # 8 tiles of 2048 bytes
result $? "a bulk copy loads each sector once and stores 16 bytes at a time"
# tensor_swizzle: 16 rows in boxes of 32, 64 and 128 bytes, from bytes 0, 16 and 32 of the rows on.
# tensor_tile: 44 rows of 304 bytes in boxes of 128, 128 and 48 bytes; odd rows begin inside of a sector.
[ "$(counts tensor_swizzle | cut -d" " -f1-2)" = "load $((16 * (1 + 2 + 1 + 2 + 3 + 2 + 4 + 5 + 4)))" ] &&
    [ "$(counts tensor_tile | cut -d' ' -f1-2)" = "load $((22 * (4 + 4 + 2) + 22 * (5 + 5 + 2)))" ]
result $? "a box loads the sectors inside of the tensor"
[ "$(counts block_wait | cut -d' ' -f1-2)" = "load $((1 + 2 + 3 + 4))" ]
result $? "a warp that waits for others of its block keeps its accesses in the trace"
finish
