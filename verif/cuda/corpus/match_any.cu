// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL match_any(const int *key, unsigned *mask, unsigned *all)
{
    int t = threadIdx.x, same;
    mask[t] = __match_any_sync(~0u, key[t]);
    all[t] = __match_all_sync(~0u, key[t] / 100, &same) + same;
}
#else
CHECK(match_any)
{
    std::vector<int> key = ints(32, 5);
    std::vector<unsigned> e(32), all(32, 0u);
    Buffer<int> dk(key);
    Buffer<unsigned> dm(32), da(32);
    for (size_t i = 0; i < 32; i++)
        for (size_t k = 0; k < 32; k++)
            e[i] |= (unsigned)(key[i] == key[k]) << k;
    return p.run("match_any", 1, 32, 0, dk.at, dm.at, da.at) && dm.get() == e && da.get() == all;
}
#endif
