// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
__constant__ char pattern[8];
KERNEL string_search(const char *text, int n, int m, int *found)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + m > n)
        return;
    for (int k = 0; k < m; k++)
        if (text[i + k] != pattern[k])
            return;
    atomicAdd(found, 1);
    atomicMin(found + 1, i);
}
#else
CHECK(string_search)
{
    std::vector<char> text(2000), pattern = {'a', 'b', 'a'};
    std::vector<int> e = {0, 1 << 20};
    for (size_t i = 0; i < text.size(); i++)
        text[i] = (char)('a' + noise((uint32_t)i) % 3);
    Buffer<char> dt(text);
    Buffer<int> df(e);
    for (int i = 0; i + 3 <= 2000; i++)
        if (memcmp(&text[(size_t)i], "aba", 3) == 0) {
            e[0]++;
            e[1] = std::min(e[1], i);
        }
    return p.set("pattern", pattern) && p.run("string_search", 8, 256, 0, dt.at, 2000, 3, df.at) && df.get() == e;
}
#endif
