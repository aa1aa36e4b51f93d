#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_rand.sh - byway's cuRAND gives the published sequences, and its kernels are traced.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcurand.so.10 "$B/verif/cuda/cu_rand"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/errors")
"$B/byway" trace capture -o "$work/t.bwt" -- "$B/verif/cuda/cu_rand" >"$work/out" 2>"$work/errors"
result $? "a program that calls cuRAND is captured"
while read -r line; do
    [ "${line#not }" = "$line" ]
    result $? "${line#*ok }"
done <"$work/out"
[ "$(wc -l <"$work/out")" -ge 42 ]
result $? "every call was checked"
grep -q "curandGeneratePoisson is not supported" "$work/errors"
result $? "a missing call is one sentence with its name"
"$B/byway" trace info --sites "$work/t.bwt" 2>"$work/errors" | grep xorwow >"$work/found"
result $? "the trace has the kernels by name"

# cuRAND's device generators are headers of the toolkit, so their code is part of the program's own
# PTX.
nvcc=$(cuda_tool nvcc)
if [ -z "$nvcc" ] || [ ! -e "$(dirname "$nvcc")/../include/curand_kernel.h" ]; then
    skip_check "device generators begin as those of the host" "no nvcc with curand_kernel.h; make deps-cuda"
    finish
fi
cat >"$work/d.cu" <<'END'
#include <cstdio>
#include <curand_kernel.h>
__global__ void draw(unsigned *out)
{
    int i = threadIdx.x;
    curandStateXORWOW_t a;
    curandStateMRG32k3a_t b;
    curandStatePhilox4_32_10_t c;
    curand_init(1234, i, 0, &a);
    curand_init(1234, i, 0, &b);
    curand_init(1234, i, 0, &c);
    out[i] = curand(&a);
    out[32 + i] = curand(&b);
    out[64 + i] = curand(&c);
}
int main()
{
    unsigned *device, out[96];
    cudaMalloc(&device, sizeof(out));
    draw<<<1, 32>>>(device);
    cudaMemcpy(out, device, sizeof(out), cudaMemcpyDeviceToHost);
    for (int k = 0; k < 3; k++)
        printf("%08x %08x\n", out[32 * k], out[32 * k + 1]);
}
END
"$B/byway" nvcc -O3 -arch=sm_90 -o "$work/d" "$work/d.cu" >"$work/errors" 2>&1 &&
    "$B/byway" trace capture -o "$work/d.bwt" -- "$work/d" >"$work/out" 2>"$work/errors" &&
    printf '%s\n' '253d5e15 d1f7605a' 'c96891f0 26f0d612' '2090b348 d115a128' | cmp -s - "$work/out"
result $? "device generators begin as those of the host"
finish
