// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL atomics(const int *x, int *r, double *d, unsigned long long *u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
    atomicMin(&r[0], v);
    atomicMax(&r[1], v);
    atomicAnd(&r[2], v | 0xf0);
    atomicOr(&r[3], v);
    atomicXor(&r[4], v);
    atomicSub(&r[5], v);
    atomicInc((unsigned *)&r[6], 9);
    atomicDec((unsigned *)&r[7], 6);
    atomicAdd(d, 0.5 * v);
    atomicAdd(u, (unsigned long long)v << 20);
    atomicMax(u + 1, (unsigned long long)v << 33);
    if (i == 5)
        atomicExch(&r[8], v);
    __shared__ float f;
    if (threadIdx.x == 0)
        f = 1;
    __syncthreads();
    atomicAdd(&f, 0.25f);
    __syncthreads();
    if (i == 0)
        r[9] = (int)(4 * f);
}
#else
CHECK(atomics)
{
    std::vector<int> x = ints(128, 10000), e = {1 << 30, -5, -1, 0, 0, 0, 0, 3, 0, 0};
    Buffer<int> dx(x), dr(e);
    Buffer<double> dd(1);
    Buffer<unsigned long long> du(2);
    double d = 0;
    unsigned long long u = 0, most = 0;
    for (int v : x) {
        e[0] = std::min(e[0], v), e[1] = std::max(e[1], v), e[2] &= v | 0xf0, e[3] |= v, e[4] ^= v;
        e[5] -= v;
        e[6] = e[6] >= 9 ? 0 : e[6] + 1;
        e[7] = e[7] == 0 || e[7] > 6 ? 6 : e[7] - 1;
        d += 0.5 * v;
        u += (unsigned long long)v << 20;
        most = std::max(most, (unsigned long long)v << 33);
    }
    e[8] = x[5];
    e[9] = 4 + 64;
    return p.run("atomics", 2, 64, 0, dx.at, dr.at, dd.at, du.at) && dr.get() == e &&
           dd.get()[0] == d && du.get() == std::vector<unsigned long long>({u, most});
}
#endif
