// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda/barrier>
/* A block's sum by halves: in each step all threads arrive and wait, or wait later with a token. */
KERNEL barrier_phases(const int *x, int *sum)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int v[128];
    __shared__ alignas(8) unsigned char place[sizeof(Barrier)];
    Barrier &all = *reinterpret_cast<Barrier *>(place);
    int t = threadIdx.x, own = x[blockIdx.x * 128 + t];
    if (t == 0)
        init(&all, 128);
    __syncthreads();
    v[t] = own;
    all.arrive_and_wait();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            v[t] += v[t + half];
        auto token = all.arrive();
        own = own * 3 + half;
        all.wait(cuda::std::move(token));
    }
    sum[blockIdx.x * 128 + t] = v[0] + own;
}
/* Half of the threads leave the barrier; the others continue to use it. */
KERNEL barrier_drops(int *y)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int v[64];
    __shared__ alignas(8) unsigned char place[sizeof(Barrier)];
    Barrier &all = *reinterpret_cast<Barrier *>(place);
    int t = threadIdx.x;
    if (t == 0)
        init(&all, 64);
    __syncthreads();
    v[t] = t * t;
    if (t % 2 == 1) {
        all.arrive_and_drop();
        return;
    }
    for (int i = 0; i < 5; i++) {
        all.arrive_and_wait();
        int next = v[(t + 2) % 64] + v[t + 1];
        all.arrive_and_wait();
        v[t] = next;
    }
    y[t / 2] = v[t];
}
#else
CHECK(barrier_phases)
{
    std::vector<int> x = ints(3 * 128, 1000), e(3 * 128), d(32);
    Buffer<int> dx(x), dy(e.size()), dd(32);
    for (size_t b = 0; b < 3; b++)
        for (size_t t = 0; t < 128; t++) {
            int own = x[b * 128 + t];
            for (int half = 64; half > 0; half /= 2)
                own = own * 3 + half;
            for (size_t i = 0; i < 128; i++)
                e[b * 128 + t] += x[b * 128 + i];
            e[b * 128 + t] += own;
        }
    int v[64], next[64];
    for (int t = 0; t < 64; t++)
        v[t] = t * t;
    for (int i = 0; i < 5; i++) {
        for (int t = 0; t < 64; t += 2)
            next[t] = v[(t + 2) % 64] + v[t + 1];
        for (int t = 0; t < 64; t += 2)
            v[t] = next[t];
    }
    for (int t = 0; t < 32; t++)
        d[t] = v[2 * t];
    return p.run("barrier_phases", 3, 128, 0, dx.at, dy.at) && dy.get() == e &&
           p.run("barrier_drops", 1, 64, 0, dd.at) && dd.get() == d;
}
#endif
