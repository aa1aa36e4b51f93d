// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
__device__ int lock;
KERNEL spin_lock(volatile int *sum, const int *x)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        int before = *sum;
        *sum = before + x[blockIdx.x];
        __threadfence();
        atomicExch(&lock, 0);
    }
}
#else
CHECK(spin_lock)
{
    std::vector<int> x = ints(20, 100);
    Buffer<int> dx(x), ds(1);
    int e = 0;
    for (int v : x)
        e += v;
    return p.run("spin_lock", 20, 32, 0, ds.at, dx.at) && ds.get()[0] == e;
}
#endif
