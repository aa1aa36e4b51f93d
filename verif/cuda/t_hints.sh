#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_hints.sh - cache hints of CUDA programs reach the simulated L1: only .cg misses a line that is present.  Exit status 77 without nvcc or the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1
"$B/byway" nvcc --version >/dev/null 2>&1 || skip_all "no nvcc; make deps-cuda"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/out" "$work/err")
cat >"$work/hints.cu" <<'EOF'
__device__ float na(const float *p)
{
    float v;
    asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(p));
    return v;
}
/* Each stores to its line, waits, and loads from it. */
__global__ void plain(float *a, float *b) { int i = threadIdx.x; a[i] = i; __syncthreads(); b[i] = a[31 - i]; }
__global__ void global(float *a, float *b) { int i = threadIdx.x; a[i] = i; __syncthreads(); b[i] = __ldcg(a + 31 - i); }
__global__ void stream(float *a, float *b) { int i = threadIdx.x; a[i] = i; __syncthreads(); b[i] = __ldcs(a + 31 - i); }
__global__ void once(float *a, float *b) { int i = threadIdx.x; a[i] = i; __syncthreads(); b[i] = na(a + 31 - i); }
__global__ void fresh(float *a, float *b) { int i = threadIdx.x; b[i] = na(a + 31 - i); }
int main()
{
    float *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    plain<<<1, 32>>>(a, b);
    global<<<1, 32>>>(a, b);
    stream<<<1, 32>>>(a, b);
    once<<<1, 32>>>(a, b);
    fresh<<<1, 32>>>(a, b);
    return cudaDeviceSynchronize();
}
EOF
"$B/byway" nvcc -o "$work/hints" "$work/hints.cu" >"$work/out" 2>"$work/err" &&
    "$B/byway" trace capture -o "$work/t.bwt" -- "$work/hints" >"$work/out" 2>"$work/err" &&
    "$B/byway" run -m h200 -p bl --trace "$work/t.bwt" --json "$work/r.json" >"$work/out" 2>"$work/err"
result $? "a program with hints is compiled, captured and simulated"
# Reads of the L2 by each launch: five numbers.
read -r plain global stream once fresh < <(awk '
    /"per_kernel"/ { inside = 1 }
    inside && /"l2": \{/ { level = 1 }
    level && /"reads":/ { gsub(/[^0-9]/, ""); printf "%s ", $0; level = 0 }' "$work/r.json")
[ "$plain" = 0 ] && [ "$stream" = 0 ]
result $? "a plain load and __ldcs hit the line that the warp has stored to"
[ "$global" -gt 0 ]
result $? "__ldcg reads the L2 although the line is present"
[ "$once" = 0 ]
result $? "L1::no_allocate hits a line that is present"
[ "$fresh" = "$global" ]
result $? "L1::no_allocate reads the L2 for a line that is absent"
finish
