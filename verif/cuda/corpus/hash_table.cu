// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
KERNEL hash_insert(const unsigned *key, unsigned *table, int n, unsigned mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned k = key[i], at = k * 2654435761u >> 7 & mask;
    while (atomicCAS(&table[at], 0u, k) != 0u)
        at = (at + 1) & mask;
}
KERNEL hash_find(const unsigned *key, const unsigned *table, int *found, int n, unsigned mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned k = key[i], at = k * 2654435761u >> 7 & mask;
    while (table[at] != 0 && table[at] != k)
        at = (at + 1) & mask;
    found[i] = table[at] == k;
}
#else
CHECK(hash_table)
{
    std::vector<unsigned> key(600), ask(600);
    std::vector<int> e(600);
    for (uint32_t i = 0; i < 600; i++) {
        key[i] = 2 * i + 1;
        ask[i] = 3 * i + 1;
        e[i] = ask[i] % 2 == 1 && ask[i] < 1200;
    }
    Buffer<unsigned> dk(key), da(ask), table(1024);
    Buffer<int> df(600);
    return p.run("hash_insert", 5, 128, 0, dk.at, table.at, 600, 1023u) &&
           p.run("hash_find", 5, 128, 0, da.at, table.at, df.at, 600, 1023u) && df.get() == e;
}
#endif
