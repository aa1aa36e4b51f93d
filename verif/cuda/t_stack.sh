#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_stack.sh - a kernel whose host code needs a larger stack frame than fibers have by default runs
# and overwrites no other stack.  Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
B=${B:-build}
needs_built libcuda.so.1
needs_built libOpenCL.so.1
lib=$(realpath "$B/lib")
export BYWAY_CACHE=$dir/cache BYWAY_PTXAS=off # which takes minutes for such a kernel
# Values that live across a barrier: 1500 vectors of 128 bytes, 192 kB for each work-item.
cat >"$dir/wide.c" <<'END'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { VECTORS = 1500, ITEMS = 64 };
int main(void)
{
    static double in[16 * VECTORS], out[16 * ITEMS];
    char *source = malloc(200 * VECTORS), *at = source;
    cl_platform_id platform; cl_device_id device; cl_int e; size_t n = ITEMS;
    at += sprintf(at, "kernel void wide(global const double16 *a, global double16 *o) { local int s; int i = get_local_id(0); double16 x = 0;\n");
    for (int v = 0; v < VECTORS; v++) at += sprintf(at, "double16 v%d = a[%d] + i;\n", v, v);
    at += sprintf(at, "if (i == 63) s = 2; barrier(CLK_LOCAL_MEM_FENCE);\n");
    for (int v = 0; v < VECTORS; v++) at += sprintf(at, "x = x * 0.5 + v%d * s;\n", v);
    sprintf(at, "o[i] = x; }\n");
    for (int k = 0; k < 16 * VECTORS; k++) in[k] = k % 97;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
    cl_program p = clCreateProgramWithSource(c, 1, (const char **)&source, NULL, &e);
    if (clBuildProgram(p, 1, &device, "", NULL, NULL)) return 9;
    cl_kernel k = clCreateKernel(p, "wide", &e);
    cl_mem a = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof in, in, &e), o = clCreateBuffer(c, 0, sizeof out, NULL, &e);
    clSetKernelArg(k, 0, sizeof a, &a); clSetKernelArg(k, 1, sizeof o, &o);
    if (clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &n, 0, NULL, NULL) || clEnqueueReadBuffer(q, o, 1, 0, sizeof out, out, 0, NULL, NULL)) return 8;
    for (int i = 0; i < ITEMS; i++)
        for (int l = 0; l < 16; l++) {
            double x = 0;
            for (int v = 0; v < VECTORS; v++) x = x * 0.5 + (in[16 * v + l] + i) * 2;
            if (x - out[16 * i + l] > 1e-9 * x || out[16 * i + l] - x > 1e-9 * x) { printf("item %d: %g, not %g\n", i, out[16 * i + l], x); return 1; }
        }
    puts("right");
    return 0;
}
END
${CC:-gcc} -Wno-deprecated-declarations -o "$dir/wide" "$dir/wide.c" -L"$lib" -l:libOpenCL.so.1 -Wl,--allow-shlib-undefined >"$dir/out" 2>&1
result $? "the program compiles"
by trace capture -o t.bwt -- ./wide
[ $rc = 0 ] && grep -q right "$dir/err" "$dir/out"
result $? "traced, each work-item keeps 192 kB on its stack"
(cd "$dir" && BYWAY_LOOPS=off LD_LIBRARY_PATH=$lib ./wide >out 2>err)
result $? "untraced on fibers, too"
finish
