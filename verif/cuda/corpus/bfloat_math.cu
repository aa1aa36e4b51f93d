// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda_bf16.h>
KERNEL bfloat_math(const float *a, float *b)
{
    int i = threadIdx.x;
    __nv_bfloat16 x = __float2bfloat16(a[i]);
    b[2 * i] = __bfloat162float(x);
    b[2 * i + 1] = __bfloat162float(__hfma(x, x, __float2bfloat16(1.0f)));
}
#else
static float to_bfloat(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    u = (u + 0x7fff + (u >> 16 & 1)) & 0xffff0000u;
    memcpy(&x, &u, 4);
    return x;
}
CHECK(bfloat_math)
{
    std::vector<float> a = floats(64), e(128);
    Buffer<float> da(a), db(128);
    for (size_t i = 0; i < 64; i++) {
        e[2 * i] = to_bfloat(a[i]);
        e[2 * i + 1] = to_bfloat(e[2 * i] * e[2 * i] + 1.0f);
    }
    return p.run("bfloat_math", 1, 64, 0, da.at, db.at) && db.get() == e;
}
#endif
