#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_patch.sh - `byway advise --patch` on CUDA programs: the hint is in the .cu file's diff, the
# changed program is compiled, captured and measured, and what cannot be patched is named.
#
# Exit status 77 without nvcc or the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1
"$B/byway" nvcc --version >/dev/null 2>&1 || skip_all "no nvcc; make deps-cuda"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache PATH=$root/$B:$PATH
tap_logs=("$work/out" "$work/err")
cd "$work" || exit 1

# rows.cu: each lane reads a separate row, so that bypassing the L1 of `fermi_linear` saves much.
cat >rows.cu <<'END'
#include <cstdio>
#include <vector>
#include "scale.h"
#define AT(p, i) ((p)[i])
template <typename T> struct wide { T x, y; };

__global__ void rows(const float *a, float *out, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i++)
        s += SCALE * a[row * n + i];
    out[row] = s;
}

int main()
{
    const int n = 64, m = 1024;
    std::vector<float> a(n * m, 0.5f), out(m);
    float *da, *dout;
    cudaMalloc(&da, a.size() * 4);
    cudaMalloc(&dout, m * 4);
    cudaMemcpy(da, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
    rows<<<m / 128, 128>>>(da, dout, n);
    cudaMemcpy(out.data(), dout, m * 4, cudaMemcpyDeviceToHost);
    puts(out[77] == n * 0.5f * SCALE ? "right" : "wrong");
}
END
echo '#define SCALE 2.0f' >scale.h
how="-m fermi_linear --set machine.compute=90" # with the kinds of loads that current GPUs have

byway nvcc -O3 -arch=sm_90 -o rows rows.cu >out 2>err
# shellcheck disable=SC2086
byway advise $how --patch rows.diff --json rows.json -- ./rows >out 2>err
result $? "a CUDA program is advised upon and patched"
grep -q '"changed": 1,' rows.json && ! grep -q '"measured": null' rows.json
result $? "the changed program is compiled, captured and measured"
grep -q '^+ .*ld.global.L1::no_allocate.f32.*&a\[row \* n + i\]' rows.diff
result $? "the diff has a load past the L1 in the place of the expression"
cp rows.cu before.cu
patch -s -p0 <rows.diff && ! cmp -s rows.cu before.cu && byway nvcc -O3 -arch=sm_90 -o patched rows.cu >out 2>err &&
    byway trace capture -o patched.bwt -- ./patched 2>err | grep -qx right
result $? "patch -p0 applies it; the program compiles, and is right"
if command -v git >/dev/null; then
    cp rows.cu patched.cu && cp before.cu rows.cu && git init -q . && git apply rows.diff && cmp -s rows.cu patched.cu
    result $? "git apply gives the same"
fi
cp before.cu rows.cu

sed 's/a\[row \* n + i\]/AT(a, row * n + i)/' before.cu >macro.cu
byway nvcc -O3 -arch=sm_90 -o macro macro.cu >out 2>err
# shellcheck disable=SC2086
byway advise $how --patch macro.diff -- ./macro >out 2>err
grep -q "cannot be written: macro AT hides the expression" out && [ ! -s macro.diff ]
result $? "an expression behind a macro is named"
sed 's/SCALE \* a/OTHER * a/; s/f \* SCALE/f * OTHER/' before.cu >other.cu
byway nvcc -O3 -arch=sm_90 -DOTHER=3.0f -o other other.cu >out 2>err
# shellcheck disable=SC2086
byway advise $how --patch other.diff -- ./other >out 2>err
grep -q "name the options that the program was compiled with by BYWAY_NVCC_OPTIONS" err
result $? "where the patched source does not compile, the message names the way to pass options"
# shellcheck disable=SC2086
BYWAY_NVCC_OPTIONS=-DOTHER=3.0f byway advise $how --patch other.diff --json other.json -- ./other >out 2>err &&
    ! grep -q '"measured": null' other.json
result $? "with them it is measured"
finish
