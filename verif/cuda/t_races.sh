#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_races.sh - `byway trace capture --races` names the races of the racy kernels of the
# corpus, with both lines, bytes and kind, and reports none in the other kernels.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
corpus=$B/verif/cuda/cu_corpus
needs_built libcuda.so.1 "$corpus"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/out")

line_of() { # line_of PROGRAM TEXT: the first line of the program with the text
    grep -nF "$2" "verif/cuda/corpus/$1.cu" | head -1 | cut -d: -f1
}
expect() { # expect KERNEL PROGRAM TEXT KIND TEXT KIND BYTES
    local first second
    first=$(line_of "$2" "$3")
    second=$(line_of "$2" "$5")
    grep -qxF "race in kernel $1: line $first $4 and line $second $6 in another warp, bytes $7 of scratchpad, without a barrier in between" "$work/out"
    result $? "$1: $4 and $6 in two warps"
}

"$B/byway" trace capture --races -o "$work/t.bwt" -- "$corpus" "$B/verif/cuda/corpus" >/dev/null 2>"$work/out"
[ $? = 1 ]
result $? "the exit status is 1 where there are races"
expect race_writes shared_races 's[1] = t;' writes 's[1] = t;' writes '0 to 3'
expect reuse_cell shared_reuse 's[0] = x[1];' writes 'int first = s[0];' reads '0 to 3'
expect reuse_partials shared_reuse 'sum += s[i];' reads 's[w] = sum + w;' writes '4 to 31'
! grep '^race in kernel' "$work/out" | grep -qv 'kernel race_\|kernel reuse_'
result $? "no race is reported in any other kernel of the corpus"
"$B/byway" trace capture --races -o "$work/t.bwt" -- "$corpus" "$B/verif/cuda/corpus" reduce_shared transpose matmul_tiled >/dev/null 2>"$work/out"
result $? "the exit status is 0 where there are none"
grep -qx 'byway: 0 races in scratchpad and global memory' "$work/out"
result $? "and the number is printed"
finish
