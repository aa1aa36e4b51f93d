// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
__device__ __noinline__ int sum(const int *p, int n)
{
    int v = 0;
    for (int i = 0; i < n; i++)
        v = v * 5 + p[i];
    return v;
}
__constant__ int table[4] = {3, 1, 4, 1};
KERNEL generic_pointers(int *x, int *y)
{
    __shared__ int s[4];
    int local[4], t = threadIdx.x;
    if (t < 4)
        s[t] = x[t] + 1;
    for (int i = 0; i < 4; i++)
        local[i] = x[(i + t) % 4] * 2;
    __syncthreads();
    const int *p = t % 4 == 0 ? x : t % 4 == 1 ? s : t % 4 == 2 ? local : table;
    y[t] = sum(p, 4) + (__isShared(p) ? 1000000 : 0) + (__isGlobal(p) ? 2000000 : 0);
}
#else
CHECK(generic_pointers)
{
    std::vector<int> x = {7, 2, 9, 4}, e(32), table = {3, 1, 4, 1};
    Buffer<int> dx(x), dy(32);
    std::vector<int> got;
    for (size_t t = 0; t < 32; t++) {
        for (size_t i = 0; i < 4; i++)
            e[t] = e[t] * 5 + (t % 4 == 0 ? x[i] : t % 4 == 1 ? x[i] + 1 : t % 4 == 2 ? x[(i + t) % 4] * 2 : table[i]);
        e[t] += t % 4 == 1 ? 1000000 : t % 4 == 0 ? 2000000 : 0;
    }
    if (!p.run("generic_pointers", 1, 32, 0, dx.at, dy.at))
        return false;
    got = dy.get();
    for (size_t t = 0; t < 32; t++) /* constant memory is part of global memory on some devices */
        if (got[t] != e[t] && !(t % 4 >= 2 && got[t] == e[t] + 2000000))
            return false;
    return true;
}
#endif
