/* SPDX-License-Identifier: Apache-2.0
 * Atomics as older programs write them: atom_ names, compare-and-swap loops on floats, exchange of
 * floats, counters in local memory, tickets, a last-block reduction. */
#include "corpus.h"
static const char src[] =
    "#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_local_int32_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_global_int32_extended_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_local_int32_extended_atomics : enable\n"
    "inline void add(volatile __global float *p, const float v) {\n"
    "  union { unsigned int u; float f; } next, prev;\n"
    "  do { prev.f = *p; next.f = prev.f + v; }\n"
    "  while (atomic_cmpxchg((volatile __global unsigned int *)p, prev.u, next.u) != prev.u); }\n"
    "inline void add_local(volatile __local float *p, float v) {\n"
    "  int old = as_int(*p); while (1) { int seen = atomic_cmpxchg((volatile __local int *)p, old, "
    "as_int(as_float(old) + v));\n"
    "    if (seen == old) break; old = seen; } }\n"
    "__kernel void f(__global float *s, volatile __global int *c, __global uint *last, __local "
    "float *t) {\n"
    "  int l = get_local_id(0), g = get_global_id(0); local int bins[8]; local int ticket;\n"
    "  if (l < 8) bins[l] = 0; if (l == 0) { *t = 0; }\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  add_local(t, g & 3); atom_inc(&bins[g % 8]); atom_add(&bins[(g * 3) % 8], 2); "
    "atom_max(&bins[7], 5);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (l < 8) atomic_add(c + l, bins[l]);\n"
    "  if (l == 0) { add(s, *t); add(s + 1, 0.5f); atomic_xchg(s + 2, 7.5f);\n"
    "    mem_fence(CLK_GLOBAL_MEM_FENCE); ticket = atom_inc((volatile global int *)last); }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  if (ticket == get_num_groups(0) - 1 && l == 0) s[3] = s[0] * 2;\n"
    "  atom_min(c + 8, g - 100); atom_or(c + 9, 1 << (g & 15)); atom_and(c + 10, ~(1 << (g & 7))); "
    "atom_xor(c + 11, g);\n"
    "  atom_dec(c + 12); atom_sub(c + 13, 3); atomic_umax_(c + 14, g);\n}\n";
int main(void)
{
    struct bench b = open_bench(src, "-Datomic_umax_(p,v)=atomic_max((p),(v))", 0);
    float s[4] = {0};
    int c[16] = {0};
    c[10] = -1;
    unsigned last = 0;
    cl_mem ms = buffer(&b, sizeof(s), s), mc = buffer(&b, sizeof(c), c), ml = buffer(&b, 4, &last);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(ms), &ms);
    arg(k, 1, sizeof(mc), &mc);
    arg(k, 2, sizeof(ml), &ml);
    arg(k, 3, 4, NULL);
    run1(&b, k, 512, 64);
    fetch(&b, ms, sizeof(s), s);
    fetch(&b, mc, sizeof(c), c);
    printf("%.2f %.2f %.2f %.2f\n", s[0], s[1], s[2], s[3]);
    print_ints("c", c, 16);
    return 0;
}
