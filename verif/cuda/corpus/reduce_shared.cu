// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL reduce_shared(const int *x, int *sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    s[t] = (i < n ? x[i] : 0) + (i + 256 < n ? x[i + 256] : 0);
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = s[0];
}
#else
CHECK(reduce_shared)
{
    std::vector<int> x = ints(2000, 1000), e(4);
    Buffer<int> dx(x), ds(4);
    for (size_t i = 0; i < x.size(); i++)
        e[i / 512] += x[i];
    return p.run("reduce_shared", 4, 256, 0, dx.at, ds.at, 2000) && ds.get() == e;
}
#endif
