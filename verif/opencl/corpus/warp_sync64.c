/* SPDX-License-Identifier: Apache-2.0
 * Warp-synchronous code for wavefronts of 64: a reduction without a branch, and a scan.
 * Not for PoCL, which has no wavefronts: the results were worked out by hand.
 * Capture with --warp 64 */
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(
    kernel void reduce(global const int *a, global int *o) {
        local volatile int s[128];
        int t = get_local_id(0);
        s[t] = a[get_global_id(0)];
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
        if (t == 0)
            o[get_group_id(0)] = s[0];
    } kernel void scan(global const int *a, global int *o, local int *s) {
        int t = get_local_id(0);
        s[t] = a[t];
        for (int d = 1; d < 64; d *= 2) {
            mem_fence(CLK_LOCAL_MEM_FENCE);
            int v = t >= d ? s[t - d] : 0;
            mem_fence(CLK_LOCAL_MEM_FENCE);
            s[t] += v;
        }
        o[t] = s[t];
    });
int main(void)
{
    struct bench b = open_bench(src, "", 0);
    int a[192], o[64];
    cl_kernel k = kernel(&b, "reduce");
    cl_mem in, out = buffer(&b, sizeof(o), NULL);
    for (int i = 0; i < 192; i++)
        a[i] = i + 1;
    in = buffer(&b, sizeof(a), a);
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    run1(&b, k, 192, 64);
    fetch(&b, out, sizeof(o), o);
    print_ints("reduce", o, 3); /* 2080, and 4096 more each */
    k = kernel(&b, "scan");
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    arg(k, 2, sizeof(o), NULL);
    run1(&b, k, 64, 64);
    fetch(&b, out, sizeof(o), o);
    print_ints("scan", o, 64); /* 1 3 6 10 ... 2080 */
    return 0;
}
