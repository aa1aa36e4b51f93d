// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL histogram_shared(const unsigned char *x, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&s[x[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
#else
CHECK(histogram_shared)
{
    std::vector<unsigned char> x(3000);
    std::vector<unsigned> e(256);
    for (size_t i = 0; i < x.size(); i++)
        e[x[i] = (unsigned char)(noise((uint32_t)i) >> 3)]++;
    Buffer<unsigned char> dx(x);
    Buffer<unsigned> db(256);
    return p.run("histogram_shared", 3, 256, 0, dx.at, db.at, 3000) && db.get() == e;
}
#endif
