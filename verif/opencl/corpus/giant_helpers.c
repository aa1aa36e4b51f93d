/* SPDX-License-Identifier: Apache-2.0
 *
 * A program large enough for host code without optimisation (byw_cl_workshop.c: GIANT), whose
 * helpers call work-item functions, barriers and each other: all calls are inlined, and what is
 * left of the helpers must not be linked.
 */
#include "corpus.h"

enum { ITEMS = 64 };

static const char *src =
    "#define S(n) v = v * 3u + (v >> (n & 7)) ^ o[v & 63]; if (v & (1u << (n & 31))) o[v & 63] = "
    "v;\n"
    "#define S8(n) S(n) S(n+1) S(n+2) S(n+3) S(n+4) S(n+5) S(n+6) S(n+7)\n"
    "#define S64(n) S8(n) S8(n+1) S8(n+2) S8(n+3) S8(n+4) S8(n+5) S8(n+6) S8(n+7)\n"
    "#define S512(n) S64(n) S64(n+1) S64(n+2) S64(n+3) S64(n+4) S64(n+5) S64(n+6) S64(n+7)\n"
    "kernel void giant(global uint *o)\n"
    "{ uint v = get_global_id(0); S512(0) S512(1) S512(2) S512(3) o[0] = v; }\n"
    /* the optimiser does not inline it: its only caller is itself called often */
    "int pick(local int *p, int l) { p[l] = l; barrier(CLK_LOCAL_MEM_FENCE); return p[l ^ 1]; }\n"
    "__attribute__((noinline)) int place(void) { return get_group_id(0) * get_local_size(0); }\n"
    "int uncalled(local int *p) { barrier(CLK_LOCAL_MEM_FENCE); return p[get_local_id(0)]; }\n"
    "void swap(local int *p, global int *o)\n"
    "{ o[place() + get_local_id(0)] = pick(p, get_local_id(0)); }\n"
    "kernel void small(global int *o) { local int s[64]; swap(s, o); }\n"
    "kernel void twice(global int *o)\n"
    "{ local int s[64]; swap(s, o); barrier(CLK_LOCAL_MEM_FENCE); swap(s, o);\n"
    "  if (get_local_id(0) == 0) o[place()] += 7; }\n";

static void run(struct bench *b, const char *name)
{
    int out[ITEMS];
    cl_kernel k = kernel(b, name);
    cl_mem result;

    memset(out, 0, sizeof(out));
    result = buffer(b, sizeof(out), out);
    arg(k, 0, sizeof(result), &result);
    run1(b, k, ITEMS, 32);
    fetch(b, result, sizeof(out), out);
    print_ints(name, out, ITEMS);
    clReleaseMemObject(result);
    clReleaseKernel(k);
}

int main(void)
{
    struct bench b = open_bench(src, "", 0);

    run(&b, "small");
    run(&b, "twice");
    close_bench(&b);
    return 0;
}
