#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_recursion.sh - functions that call themselves: the corpus program `recursion` as fibers and in a
# large module whose kernels are compiled one by one; what the trace has of the stack; a stack that
# is full, and more of it (cuCtxSetLimit).  t_corpus.sh has the results, as loops and traced.
# Prints TAP; exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
corpus=$B/verif/cuda/cu_corpus
needs_built libcuda.so.1 "$corpus"
lib=$(realpath "$B/lib")
corpus=$(realpath "$corpus")
export BYWAY_CACHE=$dir/cache

(cd "$dir" && BYWAY_LOOPS=off LD_LIBRARY_PATH=$lib "$corpus" "$lib/../verif/cuda/corpus" recursion) >"$dir/out" 2>&1
result $? "right as fibers"
mkdir "$dir/large"
{ cat "$B/verif/cuda/corpus/recursion.ptx" && yes "// as long as a library" | head -c 300000; } >"$dir/large/recursion.ptx"
(cd "$dir" && LD_LIBRARY_PATH=$lib "$corpus" large recursion) >"$dir/out" 2>&1
result $? "right where each kernel is compiled from the part of the module that it reaches"

# Each call saves a value and the return number, and restores them: lane i makes i calls.
cat >"$dir/deep.c" <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
int cuInit(unsigned), cuDeviceGet(int *, int), cuCtxCreate_v2(void **, unsigned, int), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **), cuFuncGetAttribute(int *, int, void *);
int cuMemAlloc_v2(void **, size_t), cuMemcpyDtoH_v2(void *, void *, size_t), cuCtxSetLimit(int, size_t), cuCtxGetLimit(size_t *, int);
#define CALL(to) "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), " to ", (a); ld.param.b32 %r2, [b]; }\n"
#define DOWN(name, to) ".func (.param .b32 r) " name "(.param .b32 n) { .reg .b32 %r<4>; .reg .pred %p<2>; mov.b32 %r2, 0; ld.param.u32 %r0, [n]; setp.eq.u32 %p0, %r0, 0; @%p0 bra end; sub.u32 %r1, %r0, 1;\n" \
    CALL(to) "add.u32 %r2, %r2, %r0; end: st.param.b32 [r], %r2; ret; }\n"
#define KERNEL(name, calls) ".visible .entry " name "(.param .u64 out, .param .u32 m) { .reg .b32 %r<5>; .reg .b64 %d<3>; ld.param.u64 %d0, [out]; ld.param.u32 %r4, [m]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1; mul.lo.u32 %r1, %r0, %r4;\n" \
    calls "st.global.u32 [%d0], %r2; ret; }\n"
static const char text[] = ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".func (.param .b32 r) pong(.param .b32 n);\n" DOWN("down", "down") DOWN("ping", "pong") DOWN("pong", "ping")
    KERNEL("once", CALL("down")) KERNEL("thrice", CALL("down") CALL("down") CALL("down")) KERNEL("turns", CALL("ping"));
int main(int argc, char **argv) /* KERNEL TIMES [STACK] */
{
    void *context, *module, *f, *out;
    int device, local;
    unsigned times = atoi(argv[2]), result[32];
    size_t limit;
    void *args[] = {&out, &times};
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate_v2(&context, 0, device) || (argc > 3 && cuCtxSetLimit(0, atoi(argv[3]))) ||
        cuCtxGetLimit(&limit, 0) || cuModuleLoadData(&module, text) || cuModuleGetFunction(&f, module, argv[1]) || cuMemAlloc_v2(&out, sizeof result) ||
        cuFuncGetAttribute(&local, 3, f) || cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL) || cuMemcpyDtoH_v2(result, out, sizeof result))
        return 9;
    printf("limit %zu, local %d\n", limit, local);
    for (unsigned i = 0; i < 32; i++)
        if (result[i] != i * times * (i * times + 1) / 2)
            return printf("lane %u: %u\n", i, result[i]), 1;
    return 0;
}
END_OF_C
${CC:-gcc} -o "$dir/deep" "$dir/deep.c" -L"$lib" -l:libcuda.so.1 -Wl,--allow-shlib-undefined >"$dir/out" 2>&1
result $? "the program compiles"
run() { # run ARGUMENT...
    (cd "$dir" && LD_LIBRARY_PATH=$lib ./deep "$@") >"$dir/out" 2>"$dir/err"
}
run once 1
[ $? = 0 ] && grep -qx "limit 1024, local 65[0-9]*" "$dir/out"
result $? "the limit is a GPU's; the stack is at least 64 KB"
run thrice 2
[ $? = 0 ] && grep -q "local 65[0-9]*$" "$dir/out"
result $? "three calls in a kernel share one stack"
run turns 3
result $? "two functions that call each other"
run once 1000
[ $? = 1 ] && grep -q "function down: calls nest 4098 deep, which needs more stack than a thread has (65536 bytes)" "$dir/err"
result $? "a full stack ends the program with the function and the depth"
run turns 1000
[ $? = 1 ] && grep -Eq "function p[io]ng: calls nest 4098 deep" "$dir/err"
result $? "the depth counts both functions"
run once 1000 524288
[ $? = 0 ] && grep -q "limit 524288" "$dir/out"
result $? "cuCtxSetLimit() gives more"
run once 1 600000
[ $? = 9 ]
result $? "but not more than a GPU has"

by trace capture -o t.bwt -- ./deep once 1
[ $rc = 0 ] && "$byway" trace info --json "$dir/t.bwt" | tr -d ' \n' >"$dir/info"
grep -q '"local_load":62,' "$dir/info" && grep -q '"local_store":62,' "$dir/info"
result $? "of 31 calls, two values each are stored and loaded"
by trace capture -o again.bwt -- ./deep once 1
cmp -s "$dir/t.bwt" "$dir/again.bwt"
result $? "a second capture gives the same bytes"
(unset BYWAY_PTXAS && by trace capture -o machine.bwt -- ./deep once 1)
"$byway" trace info "$dir/machine.bwt" >"$dir/out"
if grep -q '^machine code of kernel' "$dir/out"; then
    grep -q 'none: it reaches a function that calls itself$' "$dir/out"
    result $? "there is no machine code, with the reason"
else
    skip_check "there is no machine code, with the reason" "no ptxas; install the CUDA toolkit"
fi
by trace capture -k mixed -o m.bwt -- "$corpus" "$lib/../verif/cuda/corpus" recursion
"$byway" trace convert --to accelsim -o "$dir/text" "$dir/m.bwt" >"$dir/out" 2>&1
[ "$(grep -o 'LDG.*0x[0-9a-f]*' "$dir/text/kernel-1.traceg" | grep -c 0x1000)" -gt 50 ] &&
    ! grep -q 'LDG.*0x3000\|LDL.*0x1000' "$dir/text/kernel-1.traceg"
result $? "a pointer to local or global memory: each access is of its own kind"
finish
