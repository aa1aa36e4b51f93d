/* SPDX-License-Identifier: Apache-2.0
 * Half loads and stores of every width and rounding. */
#include "corpus.h"
static const char src[] =
    "kernel void f(global half *h, global float *o) {\n"
    "  int i = get_global_id(0); float x = vload_half(i, h); float4 v = vload_half4(i & 3, h);\n"
    "  float3 w = vload_half3(i & 3, h); o[i] = x + v.x * 2 + v.w * 4 + w.z * 8 + vloada_half2(i & "
    "3, h).y;\n"
    "  vstore_half(x * 1.001f, 32 + i, h); vstore_half_rtz(x * 1.001f, 64 + i, h); "
    "vstore_half_rtp(x * 1.001f, 96 + i, h);\n"
    "  vstore_half2_rtn(v.xy * 1.003f, 64 + i, h); vstorea_half4(v + 0.1f, 64 + i, h); }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    unsigned short h[512] = {0};
    float o[32];
    for (int i = 0; i < 32; i++)
        h[i] = (unsigned short)(0x3c00 + i * 37);
    cl_mem mh = buffer(&b, sizeof(h), h), mo = buffer(&b, sizeof(o), NULL);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(mh), &mh);
    arg(k, 1, sizeof(mo), &mo);
    run1(&b, k, 32, 32);
    fetch(&b, mh, sizeof(h), h);
    fetch(&b, mo, sizeof(o), o);
    for (int i = 0; i < 32; i++)
        printf("%.4f\n", (double)o[i]);
    printf("%u\n", hash_of(h, sizeof(h)));
    return 0;
}
