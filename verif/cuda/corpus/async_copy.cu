// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda_pipeline.h>
KERNEL async_copy(const int4 *x, int *y, int n)
{
    __shared__ int4 buffer[2][64];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&buffer[0][t], &x[t], 16);
    __pipeline_commit();
    for (int i = 0; i < n; i++) {
        if (i + 1 < n)
            __pipeline_memcpy_async(&buffer[(i + 1) % 2][t], &x[(i + 1) * 64 + t], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        int4 v = buffer[i % 2][63 - t];
        sum += v.x + 2 * v.y - v.z + v.w * i;
        __syncthreads();
    }
    y[t] = sum;
}
#else
CHECK(async_copy)
{
    std::vector<int> x = ints(5 * 256, 100), e(64);
    Buffer<int> dx(x), dy(64);
    for (size_t t = 0; t < 64; t++)
        for (size_t i = 0; i < 5; i++) {
            const int *v = &x[(i * 64 + 63 - t) * 4];
            e[t] += v[0] + 2 * v[1] - v[2] + v[3] * (int)i;
        }
    return p.run("async_copy", 1, 64, 0, dx.at, dy.at, 5) && dy.get() == e;
}
#endif
