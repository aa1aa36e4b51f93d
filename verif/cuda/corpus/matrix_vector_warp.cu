// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL matrix_vector_warp(const float *a, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float v = 0;
    for (int k = lane * 4; k < n; k += 128) {
        float4 m = *(const float4 *)(a + row * n + k), w = *(const float4 *)(x + k);
        v += m.x * w.x + m.y * w.y + m.z * w.z + m.w * w.w;
    }
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d, 32);
    if (lane == 0)
        y[row] = v;
}
#else
CHECK(matrix_vector_warp)
{
    const size_t n = 256;
    std::vector<float> a = floats(16 * n), x = floats(n), e(16);
    Buffer<float> da(a), dx(x), dy(16);
    for (size_t r = 0; r < 16; r++)
        for (size_t k = 0; k < n; k++)
            e[r] += a[r * n + k] * x[k];
    return p.run("matrix_vector_warp", 4, 128, 0, da.at, dx.at, dy.at, (int)n) && near(dy.get(), e, 2e-5f);
}
#endif
