/* SPDX-License-Identifier: Apache-2.0
 * Warp-synchronous code: a warp's lanes read what others stored a step before, without a barrier.
 * Reductions by volatile local memory, a scan with fences, final steps in which some lanes have
 * already returned, and one whose steps diverge.
 * Not for PoCL, which has no warps: the results were worked out by hand, as noted at each call. */
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(
    kernel void reduce(global const int *a, global int *o, local volatile int *s) {
        int t = get_local_id(0), g = get_group_id(0);
        s[t] = a[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < 32) {
            s[t] += s[t + 32];
            s[t] += s[t + 16];
            s[t] += s[t + 8];
            s[t] += s[t + 4];
            s[t] += s[t + 2];
            s[t] += s[t + 1];
        }
        if (t == 0)
            o[g] = s[0];
    } kernel void scan(global const int *a, global int *o, local int *s) {
        int t = get_local_id(0), lane = t & 31;
        s[t] = a[t];
        for (int d = 1; d < 32; d *= 2) {
            mem_fence(CLK_LOCAL_MEM_FENCE);
            int v = lane >= d ? s[t - d] : 0;
            mem_fence(CLK_LOCAL_MEM_FENCE);
            s[t] += v;
        }
        o[t] = s[t];
    } kernel void left(global const int *a, global int *o, int n) {
        local volatile int s[64];
        int t = get_local_id(0);
        s[t] = t < n ? a[t] : 0;
        if (t >= n)
            return;
        for (int d = 16; d > 0; d /= 2)
            if ((t & 31) < d && t + d < n)
                s[t] += s[t + d];
        o[t] = (t & 31) == 0 ? s[t] : 0;
    } kernel void chain(global int *o) {
        local volatile int s[32];
        int t = get_local_id(0);
        s[t] = 100;
        for (int k = 30; k >= 0; k--)
            if (t == k)
                s[t] = s[t + 1] + 1;
        o[t] = s[t];
    });
int main(void)
{
    struct bench b = open_bench(src, "", 0);
    int a[256], o[64], n;
    cl_kernel k = kernel(&b, "reduce");
    cl_mem in, out = buffer(&b, sizeof(o), NULL);
    for (int i = 0; i < 256; i++)
        a[i] = i + 1;
    in = buffer(&b, sizeof(a), a);
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    arg(k, 2, 64 * 4 + 64, NULL);
    run1(&b, k, 256, 64);
    fetch(&b, out, sizeof(o), o);
    print_ints("reduce", o, 4); /* 2080, and 4096 more each */
    k = kernel(&b, "scan");
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    arg(k, 2, 64 * 4, NULL);
    run1(&b, k, 64, 64);
    fetch(&b, out, sizeof(o), o);
    print_ints("scan", o, 64); /* 1 3 6 10 ... 528, then from 33 on */
    k = kernel(&b, "left");
    for (n = 20; n <= 64; n += 22) { /* 210; 528 and 375; 528 and 1552 */
        arg(k, 0, sizeof(in), &in);
        arg(k, 1, sizeof(out), &out);
        arg(k, 2, sizeof(n), &n);
        run1(&b, k, 64, 64);
        fetch(&b, out, sizeof(o), o);
        printf("left %d: %d %d\n", n, o[0], n > 32 ? o[32] : 0);
    }
    k = kernel(&b, "chain");
    arg(k, 0, sizeof(out), &out);
    run1(&b, k, 32, 32);
    fetch(&b, out, sizeof(o), o);
    print_ints("chain", o, 32); /* 131 130 ... 100 */
    return 0;
}
