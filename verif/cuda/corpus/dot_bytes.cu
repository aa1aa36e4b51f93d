// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL dot_bytes(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    c[i] = __dp4a(a[i], b[i], (int)__vadd4(a[i], b[i])) + __sad(a[i], b[i], 3u);
}
#else
CHECK(dot_bytes)
{
    std::vector<int> a(64), b(64), e(64);
    for (uint32_t i = 0; i < 64; i++) {
        a[i] = (int)noise(i);
        b[i] = (int)noise(i + 64);
        unsigned sum = 0;
        int dot = 0;
        for (int k = 0; k < 32; k += 8) {
            dot += (int8_t)(a[i] >> k) * (int8_t)(b[i] >> k);
            sum |= ((unsigned)a[i] >> k & 255) + ((unsigned)b[i] >> k & 255) > 255
                       ? (((unsigned)a[i] >> k) + ((unsigned)b[i] >> k) & 255) << k
                       : (((unsigned)a[i] >> k & 255) + ((unsigned)b[i] >> k & 255)) << k;
        }
        e[i] = (int)(sum + (unsigned)dot + 3u +
                     (unsigned)(a[i] > b[i] ? (int64_t)a[i] - b[i] : (int64_t)b[i] - a[i]));
    }
    Buffer<int> da(a), db(b), dc(64);
    return p.run("dot_bytes", 1, 64, 0, da.at, db.at, dc.at) && dc.get() == e;
}
#endif
