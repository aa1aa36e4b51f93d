// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL bfs(const int *from, const int *to, int *level, int *next, int *count, int edges, int depth)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < edges && level[from[e]] == depth && atomicCAS(&level[to[e]], -1, depth + 1) == -1)
        next[atomicAdd(count, 1)] = to[e];
}
#else
CHECK(bfs)
{
    std::vector<int> from, to, level(100, -1), e(100, -1);
    for (uint32_t i = 0; i < 300; i++) {
        from.push_back((int)(noise(i) % 100));
        to.push_back((int)(noise(i + 5000) % 100));
    }
    level[0] = e[0] = 0;
    Buffer<int> df(from), dt(to), dl(level), dn(100), dc(1);
    for (int d = 0; d < 12; d++) {
        if (!p.run("bfs", 3, 128, 0, df.at, dt.at, dl.at, dn.at, dc.at, 300, d))
            return false;
        for (size_t i = 0; i < 300; i++)
            if (e[(size_t)from[i]] == d && e[(size_t)to[i]] == -1)
                e[(size_t)to[i]] = d + 1;
    }
    return dl.get() == e && dc.get()[0] == 99 - (int)std::count(e.begin(), e.end(), -1);
}
#endif
