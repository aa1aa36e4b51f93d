/* SPDX-License-Identifier: Apache-2.0
 * 32- and 64-bit atomics on global and local memory, a histogram, a lock-free list. */
#include "corpus.h"
static const char src[] =
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "kernel void hist(global const uchar *in, global int *bins, local int *mine) {\n"
    "  int l = get_local_id(0); for (int i = l; i < 16; i += get_local_size(0)) mine[i] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&mine[in[get_global_id(0)] & 15]);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int i = l; i < 16; i += get_local_size(0)) atomic_add(bins + i, mine[i]); }\n"
    "kernel void many(global int *a, global long *w, global float *f) {\n"
    "  int i = get_global_id(0); atomic_max(a, i); atomic_min(a + 1, -i); atomic_xor(a + 2, 1 << "
    "(i & 31));\n"
    "  atomic_or(a + 3, 1 << (i & 15)); atomic_and(a + 4, ~(1 << (i & 7))); atomic_sub(a + 5, i);\n"
    "  atomic_dec(a + 6); if (i == 9) atomic_xchg(a + 7, 42); atomic_cmpxchg(a + 8, 0, 5);\n"
    "  atom_add(w, (long)i << 33); atom_inc(w + 1); atom_max(w + 2, (long)i * 7); atom_xor(w + 3, "
    "(long)i << 40);\n"
    "  atom_cmpxchg(w + 4, 0L, 99L); volatile global int *slot = (volatile global int *)f; int "
    "old, want;\n"
    "  do { old = *slot; want = as_int(as_float(old) + 0.5f); } while (atomic_cmpxchg(slot, old, "
    "want) != old); }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    unsigned char in[1000];
    int bins[16] = {0}, a[16] = {0};
    cl_long w[8] = {0};
    float f = 0;
    for (int i = 0; i < 1000; i++)
        in[i] = (unsigned char)(i * i);
    cl_mem m_in = buffer(&b, sizeof(in), in), m_bins = buffer(&b, sizeof(bins), bins);
    cl_mem m_a, m_w = buffer(&b, sizeof(w), w), m_f = buffer(&b, sizeof(f), &f);
    a[4] = -1;
    m_a = buffer(&b, sizeof(a), a);
    cl_kernel h = kernel(&b, "hist"), m = kernel(&b, "many");
    arg(h, 0, sizeof(m_in), &m_in);
    arg(h, 1, sizeof(m_bins), &m_bins);
    arg(h, 2, 16 * sizeof(int), NULL);
    run1(&b, h, 1000, 50);
    arg(m, 0, sizeof(m_a), &m_a);
    arg(m, 1, sizeof(m_w), &m_w);
    arg(m, 2, sizeof(m_f), &m_f);
    run1(&b, m, 200, 40);
    fetch(&b, m_bins, sizeof(bins), bins);
    fetch(&b, m_a, sizeof(a), a);
    fetch(&b, m_w, sizeof(w), w);
    fetch(&b, m_f, sizeof(f), &f);
    print_ints("bins", bins, 16);
    print_ints("a", a, 9);
    for (int i = 0; i < 5; i++)
        printf("w %lld\n", (long long)w[i]);
    printf("f %.1f\n", (double)f);
    return 0;
}
