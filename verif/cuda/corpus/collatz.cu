// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL collatz(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long v = i + 1;
    int k = 0;
    for (; v != 1; k++)
        v = v & 1 ? 3 * v + 1 : v / 2;
    steps[i] = k;
}
#else
CHECK(collatz)
{
    std::vector<int> e(700);
    Buffer<int> d(700);
    for (size_t i = 0; i < 700; i++)
        for (uint64_t v = i + 1; v != 1; e[i]++)
            v = v & 1 ? 3 * v + 1 : v / 2;
    return p.run("collatz", 7, 100, 0, d.at, 700) && d.get() == e;
}
#endif
