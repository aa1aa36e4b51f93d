// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
struct Triple {
    float x, y, z;
};
#ifdef __CUDACC__
KERNEL packed_params(char c, Triple t, double d, short s, Triple u, double *y)
{
    y[threadIdx.x] = c + t.x + 10 * t.y + 100 * t.z + d * s + u.z + threadIdx.x;
}
#else
CHECK(packed_params)
{
    struct {
        char c;
        Triple t;
        double d;
        short s;
        Triple u;
        uint64_t y;
    } all = {3, {1, 2, 3}, 0.5, -7, {4, 5, 6}, 0};
    Buffer<double> dy(8);
    std::vector<double> e(8);
    for (size_t i = 0; i < 8; i++)
        e[i] = 3 + 1 + 20 + 300 - 3.5 + 6 + (double)i;
    all.y = dy.at;
    return p.run_packed("packed_params", 8, all) && dy.get() == e;
}
#endif
