// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL random_walk(int *end, int steps)
{
    unsigned long long s = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int x = 0;
    for (int i = 0; i < steps; i++) {
        s = s * 6364136223846793005ull + 1442695040888963407ull;
        x += (s >> 33) & 1 ? 1 : -1;
        if (x < -5 || x > 5)
            break;
    }
    end[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
#else
CHECK(random_walk)
{
    std::vector<int> e(256);
    Buffer<int> d(256);
    for (size_t t = 0; t < 256; t++) {
        uint64_t s = t + 1;
        for (int i = 0; i < 200; i++) {
            s = s * 6364136223846793005ull + 1442695040888963407ull;
            e[t] += (s >> 33) & 1 ? 1 : -1;
            if (e[t] < -5 || e[t] > 5)
                break;
        }
    }
    return p.run("random_walk", 2, 128, 0, d.at, 200) && d.get() == e;
}
#endif
