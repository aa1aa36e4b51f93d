/* SPDX-License-Identifier: Apache-2.0
 * Asynchronous copies, strided ones, prefetch. */
#include "corpus.h"
static const char src[] =
    "kernel void f(global const float4 *in, global float4 *o, local float4 *t) {\n"
    "  int n = get_local_size(0), g = get_group_id(0), l = get_local_id(0);\n"
    "  prefetch(in + g * n, n); event_t e = async_work_group_copy(t, in + g * n, n, 0);\n"
    "  e = async_work_group_strided_copy(t + n, in, n, 2, e); wait_group_events(1, &e);\n"
    "  float4 v = t[n - 1 - l] + t[n + l]; barrier(CLK_LOCAL_MEM_FENCE); t[l] = v; "
    "barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  e = async_work_group_copy(o + g * n, t, n, 0); wait_group_events(1, &e); }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    float x[512], y[512];
    for (int i = 0; i < 512; i++)
        x[i] = (float)i;
    cl_mem in = buffer(&b, sizeof(x), x), out = buffer(&b, sizeof(y), NULL);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    arg(k, 2, 64 * 16, NULL);
    run1(&b, k, 128, 32);
    fetch(&b, out, sizeof(y), y);
    for (int i = 0; i < 512; i += 17)
        printf("%g ", (double)y[i]);
    printf("\n");
    return 0;
}
