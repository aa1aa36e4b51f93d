// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL counted_barriers(const int *x, int *y)
{
    int t = threadIdx.x, v = x[t];
    int n = __syncthreads_count(v > 50), a = __syncthreads_and(v >= 0), o = __syncthreads_or(v > 98);
    y[t] = n * 100 + a * 10 + o;
}
#else
CHECK(counted_barriers)
{
    std::vector<int> x = ints(96, 98);
    Buffer<int> dx(x), dy(96);
    int n = 0;
    for (int v : x)
        n += v > 50;
    return p.run("counted_barriers", 1, 96, 0, dx.at, dy.at) &&
           dy.get() == std::vector<int>(96, n * 100 + 10);
}
#endif
