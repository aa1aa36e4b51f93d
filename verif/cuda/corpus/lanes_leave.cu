// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp leave a loop of shuffles and votes one after another; the last warp is not full.
#include "corpus.h"
#ifdef __CUDACC__
KERNEL lanes_leave(const int *x, int *y, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int v = x[i];
    for (int k = 0; k < rounds; k++) {
        unsigned here = __ballot_sync(0xffffffff, true);
        int other = __shfl_sync(0xffffffff, v, lane ^ (k + 1));
        if (here >> (lane ^ (k + 1)) & 1)
            v += other;
        v += __popc(__ballot_sync(0xffffffff, v & 1));
        unsigned together = __activemask();
        if (v % 7 == k) {
            y[i] = v ^ (int)together;
            return;
        }
    }
    y[i] = v ^ (int)__ballot_sync(0xffffffff, true);
}
#else
static void one_warp(const int *x, int *y, int lanes, int rounds)
{
    uint32_t here = lanes == 32 ? ~0u : (1u << lanes) - 1;
    int v[32], next[32];

    std::copy(x, x + lanes, v);
    for (int k = 0; k < rounds; k++) {
        uint32_t odd = 0, gone = 0;

        for (int l = 0; l < lanes; l++) {
            next[l] = v[l] + (here >> (l ^ (k + 1)) & 1 ? v[l ^ (k + 1)] : 0);
            odd |= (here >> l & 1) && (next[l] & 1) ? 1u << l : 0;
        }
        for (int l = 0; l < lanes; l++) {
            if (!(here >> l & 1))
                continue;
            v[l] = next[l] + __builtin_popcount(odd);
            y[l] = v[l] ^ (int)here;
            gone |= v[l] % 7 == k ? 1u << l : 0;
        }
        here &= ~gone;
    }
    for (int l = 0; l < lanes; l++)
        if (here >> l & 1)
            y[l] = v[l] ^ (int)here;
}
CHECK(lanes_leave)
{
    const int block = 75, blocks = 3;
    std::vector<int> x = ints(block * blocks, 1000), e(x.size());
    Buffer<int> dx(x), dy(x.size());

    for (int b = 0; b < blocks; b++)
        for (int w = 0; w < block; w += 32)
            one_warp(&x[b * block + w], &e[b * block + w], std::min(32, block - w), 6);
    return p.run("lanes_leave", blocks, block, 0, dx.at, dy.at, 6) && dy.get() == e;
}
#endif
