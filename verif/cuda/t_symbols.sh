#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_symbols.sh - byway's CUDA libraries export every name of NVIDIA's libraries, so that no program
# fails with an undefined symbol; an unsupported function prints one message and returns the
# library's error code.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libnvJitLink.so.13 "$B/verif/cuda/cu_symbol"
tap_folder out err lacks
names=cmodel/capture/cuda/names

exported() { # exported FILE
    nm -D --defined-only "$1" | awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort -u
}

toolkit=$(dirname "$(cuda_tool nvcc || echo /usr/local/cuda/bin/nvcc)")/../lib64
for library in cuda.so.1 cudart.so.12 cudart.so.13 cublas.so.12 cublas.so.13 cublasLt.so.12 cublasLt.so.13 \
    curand.so.10 nvJitLink.so.12 nvJitLink.so.13; do
    exported "$B/lib/lib$library" >"$dir/ours"
    grep -v '^#' "$names/${library%%.*}.txt" | tr ' ' '\n' | LC_ALL=C sort | LC_ALL=C comm -23 - "$dir/ours" >"$dir/lacks"
    [ "$(wc -l <"$dir/ours")" -gt 20 ] && [ ! -s "$dir/lacks" ]
    result $? "lib$library has every name of the list"
    real=$toolkit/lib$library
    [ "$library" != cuda.so.1 ] || real=$toolkit/stubs/libcuda.so
    if [ -e "$real" ]; then
        # Except nvJitLink's version (byw_nvjitlink.c), and names that do not begin with cu or nvJitLink.
        exported "$real" | grep -E '^_*(cu|nvJitLink)' | grep -v '^_*nvJitLinkVersion' | LC_ALL=C comm -23 - "$dir/ours" >"$dir/lacks"
        [ ! -s "$dir/lacks" ]
        result $? "lib$library has every name of the toolkit's"
    fi
done

missing() { # missing LIBRARY NAME CODE
    LD_LIBRARY_PATH=$B/lib "$B/verif/cuda/cu_symbol" "lib$1" "$2" >"$dir/out" 2>"$dir/err"
    [ "$(cat "$dir/out")" = "$2 $3 $3" ] && [ "$(cat "$dir/err")" = "byway: $2 is not supported (cmodel/doc/cuda.md lists what is)" ]
    result $? "$2 returns $3 and says once that it is not supported"
}
missing cuda.so.1 cuMulticastUnbind 801
missing cudart.so.13 cudaEGLStreamConsumerDisconnect 801
missing cublas.so.13 cublasXtZgemm 15
missing cublasLt.so.13 cublasLtMatrixTransform 15
missing curand.so.10 curandGeneratePoisson 103
finish
