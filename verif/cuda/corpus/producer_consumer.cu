// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda/barrier>
/* Specialized warps: one fills two buffers, three empty them; each buffer has two barriers. */
KERNEL producer_consumer(const int *x, int *sum, int rounds)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int buffer[2][96];
    __shared__ alignas(8) unsigned char place[4][sizeof(Barrier)];
    Barrier *full = reinterpret_cast<Barrier *>(place), *empty = full + 2;
    int t = threadIdx.x, own = 0;
    if (t < 4)
        init(full + t, 128);
    __syncthreads();
    if (t < 32) {
        for (int i = 0; i < rounds; i++) {
            empty[i % 2].arrive_and_wait();
            for (int k = t; k < 96; k += 32)
                buffer[i % 2][k] = x[i * 96 + k];
            (void)full[i % 2].arrive();
        }
        return;
    }
    (void)empty[0].arrive();
    (void)empty[1].arrive();
    for (int i = 0; i < rounds; i++) {
        full[i % 2].arrive_and_wait();
        own += (i + 1) * buffer[i % 2][127 - t];
        (void)empty[i % 2].arrive();
    }
    sum[t - 32] = own;
}
/* The lanes of one warp: lane 0 produces for the others. */
KERNEL producer_lane(int *y)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ volatile int item;
    __shared__ alignas(8) unsigned char place[2][sizeof(Barrier)];
    Barrier *full = reinterpret_cast<Barrier *>(place), *empty = full + 1;
    int t = threadIdx.x, own = 0;
    if (t < 2)
        init(full + t, 32);
    __syncwarp();
    if (t == 0) {
        for (int i = 0; i < 7; i++) {
            item = i * i + 1;
            (void)full->arrive();
            empty->arrive_and_wait();
        }
    } else {
        for (int i = 0; i < 7; i++) {
            full->arrive_and_wait();
            own = own * t + item;
            (void)empty->arrive();
        }
    }
    y[t] = own;
}
#else
CHECK(producer_consumer)
{
    const int rounds = 9;
    std::vector<int> x = ints(rounds * 96, 1000), e(96), lane(32);
    Buffer<int> dx(x), dy(96), dl(32);
    for (int t = 0; t < 96; t++)
        for (int i = 0; i < rounds; i++)
            e[t] += (i + 1) * x[i * 96 + 95 - t];
    for (int t = 1; t < 32; t++) {
        uint32_t own = 0;
        for (uint32_t i = 0; i < 7; i++)
            own = own * (uint32_t)t + i * i + 1;
        lane[t] = (int)own;
    }
    return p.run("producer_consumer", 2, 128, 0, dx.at, dy.at, rounds) && dy.get() == e &&
           p.run("producer_lane", 1, 32, 0, dl.at) && dl.get() == lane;
}
#endif
