// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
struct Node {
    Node *next;
    int value;
};
#ifdef __CUDACC__
__device__ Node pool[64];
__device__ Node *heads[4] = {pool, pool + 16, &pool[32], &pool[48]};
KERNEL linked_list_build(int n)
{
    int t = threadIdx.x;
    pool[t].value = t * t;
    pool[t].next = t % 16 == 15 ? nullptr : &pool[t + 1];
}
KERNEL linked_list(int *sum)
{
    int v = 0;
    for (Node *n = heads[threadIdx.x]; n != nullptr; n = n->next)
        v = v * 2 + n->value;
    sum[threadIdx.x] = v;
}
#else
CHECK(linked_list)
{
    Buffer<int> ds(4);
    std::vector<int> e(4);
    for (int t = 0; t < 64; t++)
        e[(size_t)t / 16] = e[(size_t)t / 16] * 2 + t * t;
    return p.run("linked_list_build", 1, 64, 0, 64) && p.run("linked_list", 1, 4, 0, ds.at) &&
           ds.get() == e;
}
#endif
