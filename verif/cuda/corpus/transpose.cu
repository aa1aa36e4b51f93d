// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL transpose(const float *in, float *out, int w, int h)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
#else
CHECK(transpose)
{
    std::vector<float> in = floats(70 * 50), e(in.size());
    Buffer<float> a(in), b(in.size());
    unsigned g[3] = {3, 2, 1}, t[3] = {32, 8, 1};
    for (int y = 0; y < 50; y++)
        for (int x = 0; x < 70; x++)
            e[(size_t)(x * 50 + y)] = in[(size_t)(y * 70 + x)];
    return p.run3("transpose", g, t, 0, a.at, b.at, 70, 50) && b.get() == e;
}
#endif
