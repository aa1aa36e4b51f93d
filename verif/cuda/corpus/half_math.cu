// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda_fp16.h>
KERNEL half_math(const float *a, const float *b, float *c)
{
    int i = threadIdx.x;
    __half x = __float2half(a[i]), y = __float2half(b[i]);
    __half2 v = __halves2half2(x, y), w = __hfma2(v, v, __hmul2(v, __float2half2_rn(0.5f)));
    c[3 * i] = __half2float(x + y * x);
    c[3 * i + 1] = __low2float(w);
    c[3 * i + 2] = __half2float(__hgt(x, y) ? __hmax(x, __high2half(w)) : -y);
}
#else
static float to_half(float x) /* rounds to 11 bits; the test stays in the normal range */
{
    int e;
    float m = frexpf(x, &e);
    return x == 0 ? 0 : ldexpf(rintf(ldexpf(m, 11)), e - 11);
}
CHECK(half_math)
{
    std::vector<float> a = floats(64), b = floats(99), e(192);
    b.erase(b.begin(), b.begin() + 35);
    Buffer<float> da(a), db(b), dc(192);
    for (size_t i = 0; i < 64; i++) {
        float x = to_half(a[i]), y = to_half(b[i]);
        float w = to_half(x * x + to_half(x * 0.5f)), h = to_half(y * y + to_half(y * 0.5f));
        e[3 * i] = to_half(y * x + x);
        e[3 * i + 1] = w;
        e[3 * i + 2] = x > y ? fmaxf(x, h) : -y;
    }
    return p.run("half_math", 1, 64, 0, da.at, db.at, dc.at) && near(dc.get(), e, 1.5e-3f);
}
#endif
