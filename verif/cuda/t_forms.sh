#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_forms.sh - instructions with random qualifiers that NVIDIA's assembler accepts for an H200 run,
# except those that cuda.md names (random_forms.pl).  The numbers repeat: SEED of random_forms.pl.
#
# Exit status 77 without the CUDA libraries or the assembler.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_forms"
ptxas=$(cuda_tool ptxas) || skip_all "no ptxas; make deps-cuda"
tap_folder log unnamed
export BYWAY_CACHE=$dir/cache LD_LIBRARY_PATH=$B/lib

# The opcodes that cuda.md names as refused: patterns in the block after the heading.
sed -n '/^### Refused forms/,/^### /p' cmodel/doc/cuda.md | sed -n '/^```text/,/^```$/p' | grep -v '^```' |
    tr -s ' \n' '\n' >"$dir/patterns"
[ -s "$dir/patterns" ]
result $? "cuda.md names refused forms"

judge() { # judge SEED COUNT
    local opcode pattern named accepted
    accepted=$(perl verif/cuda/random_forms.pl "$1" "$2" "$ptxas" "$dir/forms.ptx" | sed 's/.*tried, \([0-9]*\) accepted/\1/')
    [ "${accepted:-0}" -ge $(($2 * 3 / 4)) ]
    result $? "seed $1: the assembler accepts at least 3 of 4 of $2 forms"
    "$B/verif/cuda/cu_forms" "$dir/forms.ptx" >"$dir/log" 2>&1
    grep -q "^$accepted kernels, " "$dir/log"
    result $? "seed $1: all $accepted are looked at"
    sed -n 's/.*it uses \([^ ]*\) (PTX line.*/\1/p' "$dir/log" | sort -u | while read -r opcode; do
        named=
        while read -r pattern; do
            # shellcheck disable=SC2254 # a pattern
            case $opcode in $pattern) named=1 ;; esac
        done <"$dir/patterns"
        [ -n "$named" ] || echo "$opcode"
    done >"$dir/unnamed"
    [ ! -s "$dir/unnamed" ] && [ "$(grep -c 'cannot run' "$dir/log")" = "$(grep -c 'it uses [^ ]* (PTX line' "$dir/log")" ]
    result $? "seed $1: each refused form is named in cuda.md"
}

judge 1 250
if in_test_all; then
    judge 2 1500
    judge 3 1500
    judge "$RANDOM" 1500
fi
finish
