// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
template <int N> struct Power {
    template <typename T> __device__ static T of(T x) { return x * Power<N - 1>::of(x); }
};
template <> struct Power<0> {
    template <typename T> __device__ static T of(T) { return T(1); }
};
template <typename F> __device__ int apply(F f, int n)
{
    int v = 0;
    for (int i = 0; i < n; i++)
        v += f(i);
    return v;
}
KERNEL recursive_template(int *y)
{
    int t = threadIdx.x;
    y[t] = Power<5>::of(t) + apply([t](int i) { return (i ^ t) & 7; }, t + 1);
}
#else
CHECK(recursive_template)
{
    Buffer<int> dy(32);
    std::vector<int> e(32);
    for (int t = 0; t < 32; t++) {
        e[(size_t)t] = t * t * t * t * t;
        for (int i = 0; i <= t; i++)
            e[(size_t)t] += (i ^ t) & 7;
    }
    return p.run("recursive_template", 1, 32, 0, dy.at) && dy.get() == e;
}
#endif
