// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL gaussian_elimination(double *a, int n)
{
    extern __shared__ double pivot[];
    for (int k = 0; k < n - 1; k++) {
        int row = threadIdx.x;
        if (row == k)
            for (int j = k; j <= n; j++)
                pivot[j] = a[k * (n + 1) + j];
        __syncthreads();
        if (row > k && row < n) {
            double f = a[row * (n + 1) + k] / pivot[k];
            for (int j = k; j <= n; j++)
                a[row * (n + 1) + j] -= f * pivot[j];
        }
        __syncthreads();
    }
}
#else
CHECK(gaussian_elimination)
{
    const size_t n = 20;
    std::vector<double> a(n * (n + 1)), x(n);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = (double)(noise((uint32_t)i) % 100) / 10 + (i % (n + 2) == 0 ? 50 : 0);
    Buffer<double> da(a);
    if (!p.run("gaussian_elimination", 1, 32, (n + 1) * 8, da.at, (int)n))
        return false;
    std::vector<double> r = da.get();
    for (size_t i = n; i-- > 0;) {
        x[i] = r[i * (n + 1) + n];
        for (size_t j = i + 1; j < n; j++)
            x[i] -= r[i * (n + 1) + j] * x[j];
        x[i] /= r[i * (n + 1) + i];
    }
    for (size_t i = 0; i < n; i++) {
        double sum = -a[i * (n + 1) + n];
        for (size_t j = 0; j < n; j++)
            sum += a[i * (n + 1) + j] * x[j];
        if (fabs(sum) > 1e-9)
            return false;
    }
    return true;
}
#endif
