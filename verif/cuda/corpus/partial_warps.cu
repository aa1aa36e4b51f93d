// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL partial_warps(const int *x, int *y, int n)
{
    int t = threadIdx.x, v = t < n ? x[t] : 0, got = -1;
    unsigned on = __activemask();
    if (t % 3 == 0) {
        unsigned active = __activemask();
        got = __shfl_sync(active, v, __ffs(active) - 1) + 1000 * __popc(active);
    } else if (t % 3 == 1) {
        unsigned active = __ballot_sync(__activemask(), v > 20);
        got = __popc(active);
    }
    __syncwarp();
    y[t] = got + 100000 * __popc(on);
}
#else
CHECK(partial_warps)
{
    std::vector<int> x = ints(40, 50), e(40);
    Buffer<int> dx(x), dy(40);
    for (size_t t = 0; t < 40; t++) {
        size_t w = t / 32 * 32, end = std::min(w + 32, (size_t)40), first = (w + 2) / 3 * 3, third = 0, large = 0;
        for (size_t i = w; i < end; i++) {
            third += i % 3 == 0;
            large += i % 3 == 1 && x[i] > 20;
        }
        e[t] = (t % 3 == 0 ? x[first] + 1000 * (int)third : t % 3 == 1 ? (int)large : -1) + 100000 * (int)(end - w);
    }
    return p.run("partial_warps", 1, 40, 0, dx.at, dy.at, 40) && dy.get() == e;
}
#endif
