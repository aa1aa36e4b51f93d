#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_dynamic.sh - kernels that launch kernels: the corpus program `dynamic_parallelism` as fibers and
# in a large module whose kernels are compiled one by one; what the trace has of the launches; the
# limit of pending launches; copies whose memory is gone; what is refused; a program of two sources
# that nvcc links.  t_corpus.sh has the results, as loops and traced.  Prints TAP; exit status 77
# without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
corpus=$B/verif/cuda/cu_corpus
needs_built libcuda.so.1 "$corpus"
lib=$(realpath "$B/lib")
corpus=$(realpath "$corpus")
export BYWAY_CACHE=$dir/cache

(cd "$dir" && BYWAY_LOOPS=off LD_LIBRARY_PATH=$lib "$corpus" "$lib/../verif/cuda/corpus" dynamic_parallelism) >"$dir/out" 2>"$dir/err"
result $? "right as fibers"
grep -q "^byway: kernel nest, 24 grids below the host's, launches another" "$dir/err" && [ "$(grep -c '^byway: ' "$dir/err")" = 2 ]
result $? "a launch that nests too deep, and one of too many, are reported once"
mkdir "$dir/large"
{ cat "$B/verif/cuda/corpus/dynamic_parallelism.ptx" && yes "// as long as a library" | head -c 300000; } >"$dir/large/dynamic_parallelism.ptx"
(cd "$dir" && LD_LIBRARY_PATH=$lib "$corpus" large dynamic_parallelism) >"$dir/out" 2>&1
result $? "a large module, whose kernels are compiled one by one"

# Kernels that call the runtime as nvcc's code does: many(OUT, TIMES) launches child(OUT) TIMES times
# and stores the last error; gone(OUT) fills memory that it has freed; wait, three: not supported.
cat >"$dir/nested.c" <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int cuInit(unsigned), cuDeviceGet(int *, int), cuCtxCreate_v2(void **, unsigned, int), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuMemAlloc_v2(void **, size_t), cuMemcpyDtoH_v2(void *, void *, size_t), cuCtxSetLimit(int, size_t), cuCtxGetLimit(size_t *, int);
#define GET "__cudaCDP2GetParameterBufferV2"
#define LAUNCH "__cudaCDP2LaunchDeviceV2"
#define LAST "__cudaCDP2GetLastError"
static const char text[] = ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b64 r) " GET " (.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 r) " LAUNCH " (.param .b64 p, .param .b64 s);\n"
    ".extern .func (.param .b32 r) " LAST " ();\n"
    ".extern .func (.param .b32 r) __cudaCDP2Malloc (.param .b64 p, .param .b64 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2Free (.param .b64 p);\n"
    ".extern .func (.param .b32 r) __cudaCDP2MemsetAsync (.param .b64 p, .param .b32 v, .param .b64 n, .param .b64 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2Memset3DAsync (.param .b64 p);\n"
    ".visible .entry child(.param .u64 out) { .reg .b64 %d<2>; .reg .b32 %r; ld.param.u64 %d0, [out]; atom.global.add.u32 %r, [%d0], 1; ret; }\n"
    ".visible .entry many(.param .u64 out, .param .u32 times) { .reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p<2>;\n"
    "ld.param.u64 %d0, [out]; ld.param.u32 %r0, [times]; mov.u64 %d1, child;\n"
    "again: setp.eq.u32 %p0, %r0, 0; @%p0 bra end; sub.u32 %r0, %r0, 1;\n"
    "{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 r; st.param.b64 [f], %d1;\n"
    "st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1; st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0;\n"
    "call.uni (r), " GET ", (f, g, b, s); ld.param.b64 %d2, [r]; }\n"
    "setp.eq.u64 %p0, %d2, 0; @%p0 bra again; st.u64 [%d2], %d0;\n"
    "{ .param .b64 p; .param .b64 s; .param .b32 r; st.param.b64 [p], %d2; st.param.b64 [s], 0; call.uni (r), " LAUNCH ", (p, s); ld.param.b32 %r1, [r]; }\n"
    "bra again; end: { .param .b32 r; call.uni (r), " LAST ", (); ld.param.b32 %r1, [r]; } st.global.u32 [%d0+4], %r1; ret; }\n"
    ".visible .entry gone(.param .u64 out) { .reg .b64 %d<4>; .reg .b32 %r<4>; ld.param.u64 %d0, [out];\n"
    "{ .param .b64 p; .param .b64 s; .param .b32 r; st.param.b64 [p], %d0; st.param.b64 [s], 4096; call.uni (r), __cudaCDP2Malloc, (p, s); ld.param.b32 %r1, [r]; } ld.global.u64 %d1, [%d0];\n"
    "{ .param .b64 p; .param .b32 v; .param .b64 n; .param .b64 s; .param .b32 r; st.param.b64 [p], %d1; st.param.b32 [v], 1; st.param.b64 [n], 4096; st.param.b64 [s], 0; call.uni (r), __cudaCDP2MemsetAsync, (p, v, n, s); ld.param.b32 %r2, [r]; }\n"
    "{ .param .b64 p; .param .b32 r; st.param.b64 [p], %d1; call.uni (r), __cudaCDP2Free, (p); ld.param.b32 %r3, [r]; } or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3; st.global.u32 [%d0+4], %r1; mov.b32 %r2, 0; st.global.u32 [%d0], %r2; ret; }\n"
    ".visible .entry three(.param .u64 out) { .reg .b64 %d<4>; .reg .b32 %r<4>; ld.param.u64 %d0, [out]; { .param .b64 p; .param .b32 r; st.param.b64 [p], %d0; call.uni (r), __cudaCDP2Memset3DAsync, (p); ld.param.b32 %r3, [r]; } ret; }\n";
int main(int argc, char **argv) /* KERNEL TIMES [LIMIT] */
{
    void *context, *module, *f, *out;
    int device, launched;
    unsigned times = atoi(argv[2]), result[2];
    size_t limit;
    void *args[] = {&out, &times};
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate_v2(&context, 0, device) || (argc > 3 && cuCtxSetLimit(4, atoi(argv[3]))) ||
        cuCtxGetLimit(&limit, 4) || cuModuleLoadData(&module, text) || cuModuleGetFunction(&f, module, argv[1]) || cuMemAlloc_v2(&out, 4096))
        return 9;
    launched = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
    if (cuMemcpyDtoH_v2(result, out, sizeof result))
        return 9;
    printf("limit %zu, launch %d, children %u, error %u\n", limit, launched, result[0], result[1]);
    return 0;
}
END_OF_C
${CC:-gcc} -o "$dir/nested" "$dir/nested.c" -L"$lib" -l:libcuda.so.1 -Wl,--allow-shlib-undefined >"$dir/out" 2>&1
result $? "the program compiles"
while IFS='|' read -r args want; do
    # shellcheck disable=SC2086 # words
    (cd "$dir" && LD_LIBRARY_PATH=$lib ./nested $args) >"$dir/out" 2>"$dir/err"
    grep -qx "$want" "$dir/out"
    result $? "$args: $want"
done <<'END'
many 5|limit 2048, launch 0, children 5, error 0
many 5 3|limit 3, launch 0, children 3, error 69
many 3000|limit 2048, launch 0, children 2048, error 69
many 3000 3000|limit 3000, launch 0, children 3000, error 0
gone 0|limit 2048, launch 719, children 0, error 0
three 0|limit 2048, launch 801, children 0, error 0
END
grep -q "kernel three cannot run: it uses function __cudaCDP2Memset3DAsync, which byway does not support" "$dir/err"
result $? "a call that is not supported is named"

by trace capture -o t.bwt -- ./nested many 5
[ $rc = 0 ] && "$byway" trace info --rows 0 "$dir/t.bwt" >"$dir/out" && grep -q '^kernels, launches  *2, 6$' "$dir/out"
result $? "each child is a launch of the trace"
by trace capture -o again.bwt -- ./nested many 5
cmp -s "$dir/t.bwt" "$dir/again.bwt"
result $? "a second capture gives the same bytes"
by trace capture --kernels child --launches 3-4 -o part.bwt -- ./nested many 5
[ $rc = 0 ] && "$byway" trace info --rows 0 "$dir/part.bwt" >"$dir/out" && grep -q '^kernels, launches  *1, 2$' "$dir/out"
result $? "--kernels and --launches choose among children"
(unset BYWAY_PTXAS && by trace capture -o machine.bwt -- ./nested many 5)
"$byway" trace info "$dir/machine.bwt" >"$dir/out"
if grep -q '^machine code of kernel' "$dir/out"; then
    grep -q "^many .* none: it calls CUDA's runtime (dynamic parallelism)$" "$dir/out" && grep -q '^child .* 100.00%' "$dir/out"
    result $? "the child has machine code, its parent the reason why not"
else
    skip_check "the child has machine code, its parent the reason why not" "no ptxas; install the CUDA toolkit"
fi

cat >"$dir/one.cu" <<'END'
#include <cstdio>
__device__ int seven(int);
__global__ void other(int *p, int n);
__global__ void parent(int *p)
{
    if (threadIdx.x % 2 == 1)
        other<<<2, 32>>>(p + 64 * (threadIdx.x / 2), seven(threadIdx.x));
}
int main()
{
    int *p, bad = 0;
    cudaMallocManaged(&p, 16 * 64 * sizeof(int));
    parent<<<1, 32>>>(p);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < 16 * 64; i++)
        bad += p[i] != 7 * (2 * (i / 64) + 1) + i % 64;
    printf("%d bad\n", bad);
    return bad != 0;
}
END
cat >"$dir/two.cu" <<'END'
__device__ int seven(int n) { return 7 * n; }
__global__ void other(int *p, int n) { p[blockIdx.x * blockDim.x + threadIdx.x] = n + blockIdx.x * blockDim.x + threadIdx.x; }
END
nvcc=$(cuda_tool nvcc)
if [ -z "$nvcc" ] || ! ls "$(dirname "$nvcc")"/../lib*/libcudadevrt.a >/dev/null 2>&1; then
    skip_check "a kernel of another source is launched" "no nvcc with libcudadevrt.a; make deps-cuda"
else
    "$byway" nvcc -rdc=true -arch=sm_90 -o "$dir/linked" "$dir/one.cu" "$dir/two.cu" -lcudadevrt >"$dir/out" 2>"$dir/err"
    by trace capture -o linked.bwt -- ./linked
    [ $rc = 0 ] && grep -qx '0 bad' "$dir/out" && "$byway" trace info --rows 0 "$dir/linked.bwt" | grep -q '^kernels, launches  *2, 17$'
    result $? "a kernel of another source is launched"
fi
finish
