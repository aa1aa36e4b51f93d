// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
typedef int (*Op)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__device__ int least(int a, int b) { return a < b ? a : b; }
__device__ Op ops[3] = {plus, times, least};
KERNEL function_pointers(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    c[i] = ops[i % 3](a[i], b[i]);
}
#else
CHECK(function_pointers)
{
    std::vector<int> a = ints(96, 50), b = ints(100, 30), e(96);
    b.erase(b.begin(), b.begin() + 4);
    Buffer<int> da(a), db(b), dc(96);
    for (size_t i = 0; i < 96; i++)
        e[i] = i % 3 == 0 ? a[i] + b[i] : i % 3 == 1 ? a[i] * b[i] : std::min(a[i], b[i]);
    return p.run("function_pointers", 1, 96, 0, da.at, db.at, dc.at) && dc.get() == e;
}
#endif
