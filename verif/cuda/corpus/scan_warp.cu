// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL scan_warp(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, v = x[i];
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(~0u, v, d);
        if (lane >= d)
            v += u;
    }
    x[i] = v;
}
#else
CHECK(scan_warp)
{
    std::vector<int> x = ints(256, 100), e = x;
    Buffer<int> dx(x);
    for (size_t i = 0; i < e.size(); i++)
        if (i % 32 != 0)
            e[i] += e[i - 1];
    return p.run("scan_warp", 2, 128, 0, dx.at) && dx.get() == e;
}
#endif
