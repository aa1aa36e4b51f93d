// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda_fp16.h>
KERNEL mma_sync(const float *a, const float *b, float *c)
{
    __shared__ __align__(16) __half sa[16][16], sb[16][8];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32)
        sa[i / 16][i % 16] = __float2half(a[i]);
    for (int i = t; i < 128; i += 32)
        sb[i / 8][i % 8] = __float2half(b[i]);
    __syncthreads();
    unsigned ra[4], rb[2];
    float rc[4] = {0, 0, 0, 0};
    unsigned pa = (unsigned)__cvta_generic_to_shared(&sa[t % 16][t / 16 * 8]);
    unsigned pb = (unsigned)__cvta_generic_to_shared(&sb[t % 16][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1])
                 : "r"(pb));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                 "{%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(rc[0]), "+f"(rc[1]), "+f"(rc[2]), "+f"(rc[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    int row = t / 4, col = t % 4 * 2;
    c[row * 8 + col] = rc[0];
    c[row * 8 + col + 1] = rc[1];
    c[(row + 8) * 8 + col] = rc[2];
    c[(row + 8) * 8 + col + 1] = rc[3];
}
#else
CHECK(mma_sync)
{
    std::vector<float> a(256), b(128), e(128);
    for (size_t i = 0; i < 256; i++)
        a[i] = (float)(noise((uint32_t)i) % 9) - 4;
    for (size_t i = 0; i < 128; i++)
        b[i] = (float)(noise((uint32_t)i + 999) % 9) / 4;
    Buffer<float> da(a), db(b), dc(128);
    for (size_t y = 0; y < 16; y++)
        for (size_t x = 0; x < 8; x++)
            for (size_t k = 0; k < 16; k++)
                e[8 * y + x] += a[16 * y + k] * b[8 * k + x];
    return p.run("mma_sync", 1, 32, 0, da.at, db.at, dc.at) && dc.get() == e;
}
#endif
