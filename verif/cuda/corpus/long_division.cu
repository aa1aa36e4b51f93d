// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL long_division(const long long *a, const long long *b, long long *c)
{
    int i = threadIdx.x;
    c[4 * i] = a[i] / b[i];
    c[4 * i + 1] = a[i] % b[i];
    c[4 * i + 2] = (unsigned long long)a[i] / (unsigned long long)b[i];
    c[4 * i + 3] = (int)a[i] / ((int)b[i] | 1) + (unsigned)a[i] % ((unsigned)b[i] | 1);
}
#else
CHECK(long_division)
{
    std::vector<long long> a(64), b(64), e(256);
    for (uint32_t i = 0; i < 64; i++) {
        a[i] = (long long)((uint64_t)noise(i) << 32 | noise(i + 70));
        b[i] = (long long)(noise(i + 500) >> i % 20) - 1000000 | 1;
        e[4 * i] = a[i] / b[i];
        e[4 * i + 1] = a[i] % b[i];
        e[4 * i + 2] = (long long)((unsigned long long)a[i] / (unsigned long long)b[i]);
        e[4 * i + 3] = (long long)(unsigned)((unsigned)((int)a[i] / ((int)b[i] | 1)) + (unsigned)a[i] % ((unsigned)b[i] | 1));
    }
    Buffer<long long> da(a), db(b), dc(256);
    return p.run("long_division", 1, 64, 0, da.at, db.at, dc.at) && dc.get() == e;
}
#endif
