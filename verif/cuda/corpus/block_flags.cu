// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL block_flags(volatile int *flag, int *y)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x != gridDim.x - 1) /* each block waits for the next one */
            while (flag[blockIdx.x + 1] == 0)
                ;
        y[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? 1 : y[blockIdx.x + 1] * 2;
        __threadfence();
        flag[blockIdx.x] = 1;
    }
}
#else
CHECK(block_flags)
{
    Buffer<int> df(12), dy(12);
    std::vector<int> e(12);
    for (size_t i = 0; i < 12; i++)
        e[i] = 1 << (11 - i);
    return p.run("block_flags", 12, 32, 0, df.at, dy.at) && dy.get() == e;
}
#endif
