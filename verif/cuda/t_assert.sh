#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_assert.sh - an assertion that fails in a kernel, and a trap, end the grid and not the program:
# later calls of the driver and of the runtime return the error; the trace has the blocks that had
# ended.  Prints TAP; exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
needs_built libcuda.so.1 "$B/lib/libcudart.so.13"
lib=$(realpath "$B/lib")
export BYWAY_CACHE=$dir/cache

# Block b of `fails` stores b; block 2 fails, but only in its last thread, by an assertion or a trap.
cat >"$dir/fails.c" <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int cuInit(unsigned), cuDeviceGet(int *, int), cuCtxCreate_v2(void **, unsigned, int), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuMemAlloc_v2(void **, size_t), cuMemcpyDtoH_v2(void *, void *, size_t), cuCtxSynchronize(void);
int cudaDeviceSynchronize(void), cudaMalloc(void **, size_t), cudaMemset(void *, int, size_t), cudaGetLastError(void), cudaPeekAtLastError(void);
const char *cudaGetErrorName(int);
#define ASSERT "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 [a], %d2; st.param.b64 [b], %d2; st.param.b32 [c], 7; st.param.b64 [d], %d2; st.param.b64 [e], 1; call.uni __assertfail, (a, b, c, d, e); }\n"
#define KERNEL(name, end) ".visible .entry " name "(.param .u64 out) { .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .pred %p<2>; ld.param.u64 %d0, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x;\n" \
    "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1; mov.u64 %d2, text; cvta.global.u64 %d2, %d2; mad.lo.u32 %r2, %r0, 64, %r1; setp.ne.u32 %p0, %r2, 191; st.global.u32 [%d1], %r0; bar.sync 0; @%p0 bra done;\n" end "done: bar.sync 0; ret; }\n"
static const char text[] = ".version 8.5\n.target sm_90\n.address_size 64\n.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
    ".global .align 1 .b8 text[3] = {120, 121, 0};\n" KERNEL("asserts", ASSERT) KERNEL("traps", "trap;\n");
int main(int argc, char **argv) /* KERNEL */
{
    void *context, *module, *f, *out, *more;
    int device, got[4] = {-1, -1, -1, -1}, copied, last;
    void *args[] = {&out};
    if (argc != 2 || cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate_v2(&context, 0, device) || cuModuleLoadData(&module, text) ||
        cuModuleGetFunction(&f, module, argv[1]) || cuMemAlloc_v2(&out, sizeof got) || cuLaunchKernel(f, 4, 1, 1, 64, 1, 1, 0, NULL, args, NULL))
        return 9;
    printf("driver: %d, launch %d,", cuCtxSynchronize(), cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    copied = cuMemcpyDtoH_v2(got, out, sizeof got);
    printf(" copy %d; blocks %d %d %d\n", copied, got[0], got[1], got[3]);
    last = cudaPeekAtLastError();
    printf("runtime: %d, %s, malloc %d, memset %d, last %d, again %d\n", last, cudaGetErrorName(cudaDeviceSynchronize()),
           cudaMalloc(&more, 4), cudaMemset(out, 0, 4), cudaGetLastError(), cudaGetLastError());
    return 5;
}
END_OF_C
${CC:-gcc} -o "$dir/fails" "$dir/fails.c" -L"$lib" -l:libcuda.so.1 -l:libcudart.so.13 -Wl,--allow-shlib-undefined >"$dir/out" 2>&1
result $? "the program compiles"
while read -r kernel code name message; do
    for loops in "" off; do
        (cd "$dir" && BYWAY_LOOPS=$loops LD_LIBRARY_PATH=$lib ./fails "$kernel") >"$dir/out" 2>"$dir/err"
        [ $? = 5 ] && [ "$(head -n 1 "$dir/out")" = "driver: $code, launch $code, copy $code; blocks 0 1 0" ]
        result $? "$kernel${loops:+ as fibers}: the driver's calls return $code, and the program goes on"
        [ "$(sed -n 2p "$dir/out")" = "runtime: $code, $name, malloc $code, memset $code, last $code, again $code" ]
        result $? "$kernel${loops:+ as fibers}: so do the runtime's"
        [ "$(cat "$dir/err")" = "byway: $message" ]
        result $? "$kernel${loops:+ as fibers}: one message"
    done
    by trace capture -o "$kernel.bwt" -- ./fails "$kernel"
    [ $rc = 0 ] && grep -q "blocks 0 1 0$" "$dir/out" && grep -q "a kernel failed, and the trace has the blocks that had ended by then" "$dir/err" && "$byway" trace check "$dir/$kernel.bwt" >/dev/null &&
        "$byway" trace info --rows 0 "$dir/$kernel.bwt" >"$dir/out" && grep -q '^CTAs, warps  *2, 4$' "$dir/out"
    result $? "$kernel: the trace has the two blocks that had ended"
done <<'END'
asserts 710 cudaErrorAssert xy:7: xy: assertion `xy' failed in a kernel
traps 719 cudaErrorLaunchFailure a kernel executed trap
END
finish
