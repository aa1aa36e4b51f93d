// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
#else
CHECK(saxpy)
{
    std::vector<float> x = floats(1000), y = floats(1000), e = y;
    Buffer<float> dx(x), dy(y);
    for (size_t i = 0; i < x.size(); i++)
        e[i] = fmaf(2.5f, x[i], y[i]);
    return p.run("saxpy", 8, 128, 0, 1000, 2.5f, dx.at, dy.at) && dy.get() == e;
}
#endif
