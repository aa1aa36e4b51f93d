// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL stencil3d(const float *in, float *out, int n)
{
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1)
        return;
    int i = (z * n + y) * n + x;
    out[i] = in[i] * 0.5f + (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]) / 12;
}
#else
CHECK(stencil3d)
{
    const int n = 14;
    std::vector<float> in = floats(n * n * n), e(in.size());
    Buffer<float> a(in), b(in.size());
    unsigned g[3] = {n, 1, 1}, t[3] = {n, n, 1};
    for (int z = 1; z < n - 1; z++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                const float *c = &in[(size_t)((z * n + y) * n + x)];
                e[(size_t)((z * n + y) * n + x)] = c[0] * 0.5f + (c[-1] + c[1] + c[-n] + c[n] + c[-n * n] + c[n * n]) / 12;
            }
    return p.run3("stencil3d", g, t, 0, a.at, b.at, n) && near(b.get(), e, 1e-6f);
}
#endif
