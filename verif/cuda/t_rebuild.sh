#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_rebuild.sh - after a change to a header of CUDA's libraries, make rebuilds the libraries that
# include it, and no others.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/common/tap.sh
tap_folder
build=${B:-build}
[ -e "$build/lib/libcublas.so.13" ] || skip_all "the CUDA libraries are not built; they need clang, llvm-dev, libclc"

rebuilds() { # rebuilds HEADER WORD...: with a newer HEADER, make makes files whose names contain these words, and none after "not"
    local header=$1 want=yes word
    shift
    make -n V=1 B="$build" -o FORCE -W "cmodel/capture/cuda/$header" cuda >"$dir/log" 2>&1
    for word in "$@"; do
        if [ "$word" = not ]; then
            want=no
        elif [ $want = yes ]; then
            grep -q -- "$word" "$dir/log" || return 1
        else
            ! grep -q -- "-o [^ ]*$word" "$dir/log" || return 1
        fi
    done
}
rebuilds blas/byw_cublas_host.h libcublas.so.12 libcublas.so.13 libcublasLt.so.13 not byw_cudart_graph.o byw_curand_host.o
result $? "cuBLAS and cuBLASLt follow their header"
rebuilds byw_cudart.h libcudart.so.12 libcudart.so.13 not byw_cublas_core.o
result $? "the runtime libraries follow theirs"
rebuilds rand/byw_curand_mrg.h libcurand.so.10 not byw_cublas_core.o
result $? "cuRAND follows its header"
rebuilds rand/byw_curand_shapes.h curand.ptx byw_curand_host.o
result $? "a header of its kernels makes their PTX again"
rebuilds device/byw_cu_arithmetic.h byw_cu_real.bc arithmetic.bc byw_cu_prepare.o libcuda.so.1 not byw_cudart_graph.o
result $? "the libraries of PTX instructions follow their header"
finish
