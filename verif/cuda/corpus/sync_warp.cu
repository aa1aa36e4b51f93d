// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL sync_warp(int *x)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t % 32, base = t - lane;
    s[t] = x[t];
    for (int d = 16; d > 0; d /= 2) {
        __syncwarp();
        int v = s[base + (lane ^ d)];
        __syncwarp();
        s[t] += v;
    }
    __syncwarp();
    x[t] = s[base + 31 - lane];
}
#else
CHECK(sync_warp)
{
    std::vector<int> x = ints(64, 100), e(64);
    Buffer<int> dx(x);
    for (size_t i = 0; i < 64; i++)
        for (size_t k = i / 32 * 32; k < i / 32 * 32 + 32; k++)
            e[i] += x[k];
    return p.run("sync_warp", 1, 64, 0, dx.at) && dx.get() == e;
}
#endif
