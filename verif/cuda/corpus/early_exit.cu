// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL early_exit(const int *x, int *y, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = 0;
    if (t >= n)
        return;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[n - 1 - t] + (t + 1 < n ? s[t + 1] : 0);
}
#else
CHECK(early_exit)
{
    std::vector<int> x = ints(100, 100), e(100);
    Buffer<int> dx(x), dy(100);
    for (size_t i = 0; i < 100; i++)
        e[i] = x[99 - i] + (i < 99 ? x[i + 1] : 0);
    return p.run("early_exit", 1, 128, 0, dx.at, dy.at, 100) && dy.get() == e;
}
#endif
