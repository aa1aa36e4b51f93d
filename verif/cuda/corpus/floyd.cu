// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL floyd(int *d, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < n)
        d[y * n + x] = min(d[y * n + x], d[y * n + k] + d[k * n + x]);
}
#else
CHECK(floyd)
{
    const int n = 30;
    std::vector<int> d = ints(n * n, 100), e;
    Buffer<int> dd(d);
    unsigned g[3] = {1, n, 1}, t[3] = {32, 1, 1};
    e = d;
    for (int k = 0; k < n; k++) {
        if (!p.run3("floyd", g, t, 0, dd.at, n, k))
            return false;
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                e[(size_t)(y * n + x)] = std::min(e[(size_t)(y * n + x)], e[(size_t)(y * n + k)] + e[(size_t)(k * n + x)]);
    }
    return dd.get() == e;
}
#endif
