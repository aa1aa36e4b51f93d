// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL vector_loads(const float4 *a, const int2 *b, float4 *c, short4 *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 v = a[i];
    int2 w = b[i];
    c[i] = make_float4(v.w, v.z * w.x, v.y + w.y, v.x);
    d[i] = make_short4(w.x, w.y, -w.x, -w.y);
}
#else
CHECK(vector_loads)
{
    std::vector<float> a = floats(400), c(400);
    std::vector<int> b = ints(200, 100);
    std::vector<short> d(400);
    Buffer<float> da(a), dc(400);
    Buffer<int> db(b);
    Buffer<short> dd(400);
    for (size_t i = 0; i < 100; i++) {
        int x = b[2 * i], y = b[2 * i + 1];
        c[4 * i] = a[4 * i + 3], c[4 * i + 1] = a[4 * i + 2] * (float)x;
        c[4 * i + 2] = a[4 * i + 1] + (float)y, c[4 * i + 3] = a[4 * i];
        d[4 * i] = (short)x, d[4 * i + 1] = (short)y, d[4 * i + 2] = (short)-x, d[4 * i + 3] = (short)-y;
    }
    return p.run("vector_loads", 2, 64, 0, da.at, db.at, dc.at, dd.at, 100) && dc.get() == c &&
           dd.get() == d;
}
#endif
