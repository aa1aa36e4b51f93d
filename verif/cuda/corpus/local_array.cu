// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL local_array(const int *key, int *out, int n)
{
    int count[10];
    for (int i = 0; i < 10; i++)
        count[i] = 0;
    for (int i = 0; i < n; i++)
        count[(key[i] + threadIdx.x) % 10] += i;
    int v = 0;
    for (int i = 0; i < 10; i++)
        v = v * 3 + count[i];
    out[threadIdx.x] = v;
}
#else
CHECK(local_array)
{
    std::vector<int> key = ints(40, 1000), e(64);
    Buffer<int> dk(key), dout(64);
    for (size_t t = 0; t < 64; t++) {
        int c[10] = {0}, v = 0;
        for (size_t i = 0; i < 40; i++)
            c[((size_t)key[i] + t) % 10] += (int)i;
        for (int i = 0; i < 10; i++)
            v = v * 3 + c[i];
        e[t] = v;
    }
    return p.run("local_array", 1, 64, 0, dk.at, dout.at, 40) && dout.get() == e;
}
#endif
