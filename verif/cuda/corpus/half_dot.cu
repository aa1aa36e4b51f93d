// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda_fp16.h>
KERNEL half_dot(const __half2 *a, const __half2 *b, float *out, int n)
{
    __shared__ float s[64];
    __half2 sum = __float2half2_rn(0);
    for (int i = threadIdx.x; i < n; i += 64)
        sum = __hfma2(a[i], b[i], sum);
    s[threadIdx.x] = __low2float(sum) + __high2float(sum);
    __syncthreads();
    if (threadIdx.x == 0) {
        float v = 0;
        for (int i = 0; i < 64; i++)
            v += s[i];
        *out = v;
    }
}
#else
CHECK(half_dot)
{
    /* small integers, which halves hold exactly */
    std::vector<uint16_t> a(512), b(512);
    static const uint16_t half[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
    float e = 0;
    for (uint32_t i = 0; i < 512; i++) {
        a[i] = half[noise(i) % 5];
        b[i] = half[noise(i + 1000) % 5];
        e += (float)(noise(i) % 5 * (noise(i + 1000) % 5));
    }
    Buffer<uint16_t> da(a), db(b);
    Buffer<float> out(1);
    return p.run("half_dot", 1, 64, 0, da.at, db.at, out.at, 256) && out.get()[0] == e;
}
#endif
