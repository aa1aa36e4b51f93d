// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL compact(const int *x, int *y, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool keep = i < n && x[i] % 3 == 0;
    unsigned mask = __ballot_sync(~0u, keep);
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(~0u, base, 0);
    if (keep)
        y[base + __popc(mask & ((1u << lane) - 1))] = x[i];
    if (__all_sync(~0u, !keep) && lane == 0)
        atomicAdd(count + 1, 1);
    if (__any_sync(~0u, keep) && lane == 0)
        atomicAdd(count + 2, 1);
}
#else
CHECK(compact)
{
    std::vector<int> x = ints(500, 300), e;
    for (size_t i = 64; i < 96; i++)
        x[i] = 1;
    for (int v : x)
        if (v % 3 == 0)
            e.push_back(v);
    int kept = (int)e.size();
    e.resize(500);
    Buffer<int> dx(x), dy(500), dc(3);
    if (!p.run("compact", 4, 128, 0, dx.at, dy.at, dc.at, 500))
        return false;
    std::vector<int> y = dy.get(); /* warps may take their places in any order */
    std::sort(y.begin(), y.begin() + kept);
    std::sort(e.begin(), e.begin() + kept);
    return y == e &&
           dc.get() == std::vector<int>({kept, 1, 15});
}
#endif
