// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
__device__ unsigned done;
KERNEL last_block(const int *x, volatile int *part, int *sum)
{
    __shared__ bool last;
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    atomicAdd(&s, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        part[blockIdx.x] = s;
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int v = 0;
        for (int i = 0; i < gridDim.x; i++)
            v += part[i];
        *sum = v;
    }
}
#else
CHECK(last_block)
{
    std::vector<int> x = ints(640, 100);
    Buffer<int> dx(x), dp(10), ds(1);
    int e = 0;
    for (int v : x)
        e += v;
    return p.run("last_block", 10, 64, 0, dx.at, dp.at, ds.at) && ds.get()[0] == e &&
           p.run("last_block", 10, 64, 0, dx.at, dp.at, ds.at) && ds.get()[0] == e;
}
#endif
