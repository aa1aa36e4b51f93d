// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL bitonic(unsigned *x)
{
    extern __shared__ unsigned s[];
    unsigned t = threadIdx.x, n = blockDim.x;
    s[t] = x[t];
    for (unsigned k = 2; k <= n; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            unsigned o = t ^ j;
            if (o > t && (s[t] > s[o]) == ((t & k) == 0)) {
                unsigned v = s[t];
                s[t] = s[o];
                s[o] = v;
            }
        }
    __syncthreads();
    x[t] = s[t];
}
#else
CHECK(bitonic)
{
    std::vector<unsigned> x(512);
    for (size_t i = 0; i < x.size(); i++)
        x[i] = noise((uint32_t)i);
    Buffer<unsigned> dx(x);
    std::sort(x.begin(), x.end());
    return p.run("bitonic", 1, 512, 2048, dx.at) && dx.get() == x;
}
#endif
