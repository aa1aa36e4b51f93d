// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL wide_multiply(const unsigned long long *a, const unsigned long long *b, unsigned long long *c)
{
    int i = threadIdx.x;
    unsigned __int128 v = (unsigned __int128)a[i] * b[i] + a[i];
    v -= (unsigned __int128)b[i] << 40;
    c[2 * i] = (unsigned long long)v;
    c[2 * i + 1] = (unsigned long long)(v >> 64) + __umul64hi(b[i], b[i]);
}
#else
CHECK(wide_multiply)
{
    std::vector<unsigned long long> a(64), b(64), e(128);
    for (uint32_t i = 0; i < 64; i++) {
        a[i] = (uint64_t)noise(i) << 32 | noise(i + 100);
        b[i] = (uint64_t)noise(i + 200) << 32 | noise(i + 300);
        unsigned __int128 v = (unsigned __int128)a[i] * b[i] + a[i];
        v -= (unsigned __int128)b[i] << 40;
        e[2 * i] = (unsigned long long)v;
        e[2 * i + 1] = (unsigned long long)(v >> 64) +
                       (unsigned long long)((unsigned __int128)b[i] * b[i] >> 64);
    }
    Buffer<unsigned long long> da(a), db(b), dc(128);
    return p.run("wide_multiply", 1, 64, 0, da.at, db.at, dc.at) && dc.get() == e;
}
#endif
