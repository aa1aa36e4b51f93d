// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
__constant__ float taps[9];
__constant__ int shift = 4;
KERNEL constant_filter(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = 0; k < 9; k++) {
        int j = i + k - shift;
        v += taps[k] * (j >= 0 && j < n ? x[j] : 0.0f);
    }
    if (i < n)
        y[i] = v;
}
#else
CHECK(constant_filter)
{
    std::vector<float> x = floats(500), t = floats(9), e(500);
    Buffer<float> dx(x), dy(500);
    for (int i = 0; i < 500; i++)
        for (int k = 0; k < 9; k++)
            if (i + k - 4 >= 0 && i + k - 4 < 500)
                e[(size_t)i] += t[(size_t)k] * x[(size_t)(i + k - 4)];
    return p.set("taps", t) && p.run("constant_filter", 4, 128, 0, dx.at, dy.at, 500) &&
           near(dy.get(), e, 1e-6f);
}
#endif
