// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL spmv_csr(const int *__restrict__ row, const int *__restrict__ col,
                const double *__restrict__ val, const double *__restrict__ x, double *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n)
        return;
    double v = 0;
    for (int k = row[r]; k < row[r + 1]; k++)
        v += val[k] * x[col[k]];
    y[r] = v;
}
#else
CHECK(spmv_csr)
{
    std::vector<int> row(201), col;
    std::vector<double> val, x(300), e(200);
    for (size_t i = 0; i < 300; i++)
        x[i] = (double)(i % 7) - 3;
    for (size_t r = 0; r < 200; r++) {
        for (uint32_t k = 0; k < noise((uint32_t)r) % 12; k++) {
            col.push_back((int)(noise((uint32_t)r * 31 + k) % 300));
            val.push_back(k + 0.5);
            e[r] += val.back() * x[(size_t)col.back()];
        }
        row[r + 1] = (int)col.size();
    }
    Buffer<int> dr(row), dc(col);
    Buffer<double> dv(val), dx(x), dy(200);
    return p.run("spmv_csr", 2, 128, 0, dr.at, dc.at, dv.at, dx.at, dy.at, 200) && dy.get() == e;
}
#endif
