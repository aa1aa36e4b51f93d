// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL mandelbrot(int *out, int w, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    double cr = -2 + 3.0 * x / w, ci = -1.5 + 3.0 * y / w, r = 0, i = 0;
    int n = 0;
    while (n < most && r * r + i * i < 4) {
        double t = __dadd_rn(__dsub_rn(__dmul_rn(r, r), __dmul_rn(i, i)), cr);
        i = __dadd_rn(__dmul_rn(2 * r, i), ci);
        r = t;
        n++;
    }
    out[y * w + x] = n;
}
#else
CHECK(mandelbrot)
{
    const int w = 64;
    std::vector<int> e(w * w);
    Buffer<int> d(e.size());
    unsigned g[3] = {2, w, 1}, t[3] = {32, 1, 1};
    int wrong = 0;
    for (int y = 0; y < w; y++)
        for (int x = 0; x < w; x++) {
            double cr = -2 + 3.0 * x / w, ci = -1.5 + 3.0 * y / w, r = 0, i = 0;
            int n = 0;
            while (n < 60 && r * r + i * i < 4) {
                volatile double rr = r * r, ii = i * i, ri = 2 * r * i;
                r = rr - ii + cr;
                i = ri + ci;
                n++;
            }
            e[(size_t)(y * w + x)] = n;
        }
    if (!p.run3("mandelbrot", g, t, 0, d.at, w, 60))
        return false;
    std::vector<int> got = d.get();
    for (size_t i = 0; i < e.size(); i++)
        wrong += got[i] != e[i];
    return wrong < 4; /* points on the edge */
}
#endif
