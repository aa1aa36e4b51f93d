// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
/* Warps that wait for flags of other warps of their block; the last warp sets the first flag. */
KERNEL block_wait(const int *x, int *y)
{
    __shared__ volatile int flag[5];
    __shared__ volatile int passed;
    int t = threadIdx.x, warp = t / 32, sum = 0;
    if (t < 5)
        flag[t] = t == 4;
    __syncthreads();
    for (int i = 0; i <= warp; i++)
        sum += x[i * 128 + t];
    while (flag[warp + 1] == 0)
        continue;
    if (t % 32 == 0) {
        passed = passed + sum;
        flag[warp] = 1;
    }
    y[t] = sum;
}
#else
CHECK(block_wait)
{
    std::vector<int> x = ints(4 * 128, 1000), e(128);
    Buffer<int> dx(x), dy(128);
    for (int t = 0; t < 128; t++)
        for (int i = 0; i <= t / 32; i++)
            e[t] += x[i * 128 + t];
    return p.run("block_wait", 1, 128, 0, dx.at, dy.at) && dy.get() == e;
}
#endif
