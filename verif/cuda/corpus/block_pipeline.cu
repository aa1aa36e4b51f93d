// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cooperative_groups.h>
#include <cuda/pipeline>
/* A pipeline of a whole block, with two stages in shared memory. */
KERNEL block_pipeline(const int *x, int *y, int tiles)
{
    __shared__ int stage[2][128];
    __shared__ alignas(16) unsigned char
        place[sizeof(cuda::pipeline_shared_state<cuda::thread_scope_block, 2>)];
    auto *state =
        reinterpret_cast<cuda::pipeline_shared_state<cuda::thread_scope_block, 2> *>(place);
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    int t = threadIdx.x, sum = 0;
    for (int ahead = 0, i = 0; i < tiles; i++) {
        for (; ahead < tiles && ahead < i + 2; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[ahead % 2], x + ahead * 128,
                               cuda::aligned_size_t<16>(sizeof(int) * 128), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += (i + 1) * stage[i % 2][127 - t];
        pipe.consumer_release();
    }
    y[t] = sum;
}
/* A quarter of the threads produces, the others consume. */
KERNEL split_pipeline(const int *x, int *y, int tiles)
{
    __shared__ int stage[2][96];
    __shared__ alignas(16) unsigned char
        place[sizeof(cuda::pipeline_shared_state<cuda::thread_scope_block, 2>)];
    auto *state =
        reinterpret_cast<cuda::pipeline_shared_state<cuda::thread_scope_block, 2> *>(place);
    auto block = cooperative_groups::this_thread_block();
    int t = threadIdx.x, sum = 0;
    auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, state, role);
    for (int i = 0; i < tiles; i++) {
        if (t < 32) {
            pipe.producer_acquire();
            for (int k = t; k < 96; k += 32)
                cuda::memcpy_async(&stage[i % 2][k], x + i * 96 + k, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += (i + 1) * stage[i % 2][127 - t];
            pipe.consumer_release();
        }
    }
    if (t >= 32)
        y[t - 32] = sum;
}
#else
CHECK(block_pipeline)
{
    const int tiles = 7;
    std::vector<int> x = ints(tiles * 128, 1000), e(128), s(96);
    Buffer<int> dx(x), dy(128), ds(96);
    for (int i = 0; i < tiles; i++) {
        for (int t = 0; t < 128; t++)
            e[t] += (i + 1) * x[i * 128 + 127 - t];
        for (int t = 0; t < 96; t++)
            s[t] += (i + 1) * x[i * 96 + 95 - t];
    }
    return p.run("block_pipeline", 2, 128, 0, dx.at, dy.at, tiles) && dy.get() == e &&
           p.run("split_pipeline", 1, 128, 0, dx.at, ds.at, tiles) && ds.get() == s;
}
#endif
