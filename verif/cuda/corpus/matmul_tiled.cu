// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
template <int T> __device__ void tile(const float *a, const float *b, float *c, int n)
{
    __shared__ float sa[T][T], sb[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    float v = 0;
    for (int k = 0; k < n; k += T) {
        sa[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        sb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < T; i++)
            v += sa[threadIdx.y][i] * sb[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = v;
}
KERNEL matmul_tiled(const float *a, const float *b, float *c, int n)
{
    tile<16>(a, b, c, n);
}
#else
CHECK(matmul_tiled)
{
    const int n = 48;
    std::vector<float> a = floats(n * n), b = floats(n * n + 7), e(n * n);
    b.erase(b.begin(), b.begin() + 7);
    Buffer<float> da(a), db(b), dc(e.size());
    unsigned g[3] = {3, 3, 1}, t[3] = {16, 16, 1};
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int k = 0; k < n; k++)
                e[(size_t)(y * n + x)] += a[(size_t)(y * n + k)] * b[(size_t)(k * n + x)];
    return p.run3("matmul_tiled", g, t, 0, da.at, db.at, dc.at, n) && near(dc.get(), e, 1e-5f);
}
#endif
