// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL dynamic_shared(const double *x, double *y, int n)
{
    extern __shared__ double everything[];
    __shared__ int fixed[32];
    double *a = everything;
    int *order = (int *)(everything + n);
    int t = threadIdx.x;
    a[t] = x[t];
    order[t] = n - 1 - t;
    if (t < 32)
        fixed[t] = t * t;
    __syncthreads();
    y[t] = a[order[t]] + fixed[t % 32];
}
#else
CHECK(dynamic_shared)
{
    std::vector<double> x(4096), e(x.size());
    x.resize(1024), e.resize(1024);
    for (size_t i = 0; i < x.size(); i++)
        x[i] = (double)i / 3;
    for (size_t i = 0; i < x.size(); i++)
        e[i] = x[1023 - i] + (double)(i % 32 * (i % 32));
    Buffer<double> dx(x), dy(x.size());
    return p.run("dynamic_shared", 1, 1024, 1024 * 12, dx.at, dy.at, 1024) && dy.get() == e &&
           p.run("dynamic_shared", 1, 1024, 200 * 1024, dx.at, dy.at, 1024) && dy.get() == e;
}
#endif
