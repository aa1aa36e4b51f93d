// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL reduce_shuffle(const float *x, float *sum, int n)
{
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += x[i];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(sum, v);
}
#else
CHECK(reduce_shuffle)
{
    std::vector<float> x(4096);
    for (size_t i = 0; i < x.size(); i++)
        x[i] = (float)(i % 16);
    Buffer<float> dx(x), ds(1);
    return p.run("reduce_shuffle", 4, 128, 0, dx.at, ds.at, 4096) && ds.get()[0] == 30720.0f;
}
#endif
