// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL device_heap(int *y, int n)
{
    int t = threadIdx.x;
    int *list = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        list[i] = i * t;
    for (int i = 1; i < n; i++)
        list[i] += list[i - 1];
    y[t] = list[n - 1];
    free(list);
}
#else
CHECK(device_heap)
{
    Buffer<int> dy(32);
    std::vector<int> e(32);
    for (int t = 0; t < 32; t++)
        e[(size_t)t] = 45 * t;
    return p.run("device_heap", 1, 32, 0, dy.at, 10) && dy.get() == e;
}
#endif
