#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_headers.sh - byway runs every form of instruction that the CUDA toolkit's own headers can
# emit: the asm statements of cuda_fp16, cuda_bf16, cuda_fp8, mma, cooperative groups, libcu++ and
# others (header_forms.pl finds them), and the functions that nvcc compiles to instructions itself
# (header_builtins.cu).
#
# Exit status 77 without the CUDA libraries or the toolkit.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_forms"
nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc) || skip_all "no nvcc; install the CUDA toolkit"
ptxas=$(PATH=$PATH:/usr/local/cuda/bin command -v ptxas) || skip_all "no ptxas; install the CUDA toolkit"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache LD_LIBRARY_PATH=$B/lib
tap_logs=("$work/log" "$work/unnamed")

judge() { # judge PTX NAME LEAST
    local opcode line
    "$B/verif/cuda/cu_forms" "$1" >"$work/log" 2>&1
    [ "$(sed -n 's/ kernels, .*//p' "$work/log")" -ge "$3" ] 2>/dev/null
    result $? "$2: at least $3 kernels are looked at"
    "$ptxas" -arch=sm_90a -o /dev/null "$1" 2>&1 | sed -n 's/.*, line \([0-9]*\);.*/\1/p' >"$work/bad_lines"
    sed -n 's/.*it uses \([^ ]*\) (PTX line \([0-9]*\)).*/\1 \2/p' "$work/log" >"$work/refused"
    [ "$(grep -c 'cannot run' "$work/log")" = "$(wc -l <"$work/refused")" ]
    result $? "$2: each refusal names an instruction"
    while read -r opcode line; do
        grep -qx "$line" "$work/bad_lines" && continue # no valid PTX
        echo "$opcode (line $line)"
    done <"$work/refused" | sort -u >"$work/unnamed"
    [ ! -s "$work/unnamed" ]
    result $? "$2: no valid form is refused"
}

cat >"$work/all.cu" <<'EOF'
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_awbarrier.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <mma.h>
EOF
"$nvcc" -E -arch=sm_90 -std=c++17 -D__CUDA_ARCH__=900 -o "$work/all.ii" "$work/all.cu" >"$work/log" 2>&1
perl verif/cuda/header_forms.pl <"$work/all.ii" >"$work/all.ptx"
judge "$work/all.ptx" "asm statements" 1000
"$nvcc" -O2 -std=c++17 -arch=sm_90 -ptx -o "$work/builtins.ptx" verif/cuda/header_builtins.cu >"$work/log" 2>&1
result $? "the program with the headers' functions compiles"
judge "$work/builtins.ptx" "functions" 90
finish
