// SPDX-License-Identifier: Apache-2.0
//
// A kernel in which warps write the same cell between two barriers, and one that does the same with
// a barrier after each warp's turn.
#include "corpus.h"
#ifdef __CUDACC__
KERNEL race_writes(int *o)
{
    __shared__ int s[2];
    int t = threadIdx.x;
    if (t % 32 == 0)
        s[1] = t;
    __syncthreads();
    o[t] = s[1];
}
KERNEL ordered_writes(int *o)
{
    __shared__ int s[2];
    int t = threadIdx.x;
    for (int w = 0; w < 4; w++) {
        if (t == 32 * w)
            s[1] = t;
        __syncthreads();
    }
    o[t] = s[1];
}
#else
CHECK(shared_races)
{
    Buffer<int> a(128), b(128);
    return p.run("race_writes", 1, 128, 0, a.at) && a.get()[0] % 32 == 0 &&
           p.run("ordered_writes", 1, 128, 0, b.at) && b.get() == std::vector<int>(128, 96);
}
#endif
