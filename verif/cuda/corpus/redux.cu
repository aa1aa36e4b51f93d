// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL redux(const int *x, int *y)
{
    int t = threadIdx.x, v = x[t];
    int r = __reduce_add_sync(~0u, v) + 3 * __reduce_min_sync(~0u, v) - __reduce_max_sync(~0u, v);
    unsigned u = __reduce_xor_sync(~0u, (unsigned)v) ^ __reduce_and_sync(~0u, (unsigned)v | 5);
    y[t] = r + (int)(u | __reduce_or_sync(~0u, 1u << t % 4));
}
#else
CHECK(redux)
{
    std::vector<int> x = ints(64, 200), e(64);
    for (int &v : x)
        v -= 100;
    Buffer<int> dx(x), dy(64);
    for (size_t w = 0; w < 64; w += 32) {
        int sum = 0, least = x[w], most = x[w];
        unsigned u = 0, a = ~0u;
        for (size_t i = w; i < w + 32; i++) {
            sum += x[i];
            least = std::min(least, x[i]);
            most = std::max(most, x[i]);
            u ^= (unsigned)x[i];
            a &= (unsigned)x[i] | 5;
        }
        for (size_t i = w; i < w + 32; i++)
            e[i] = sum + 3 * least - most + (int)((u ^ a) | 15);
    }
    return p.run("redux", 1, 64, 0, dx.at, dy.at) && dy.get() == e;
}
#endif
