// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
/* Copies of a block and of tiles of a warp, of sizes that are and are not multiples of 16. */
KERNEL group_copy(const int *x, int *y)
{
    __shared__ alignas(16) int a[2][100];
    __shared__ int b[4][33];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int t = threadIdx.x, w = t / 32;
    cg::memcpy_async(block, a[0], x, cuda::aligned_size_t<16>(400));
    cg::memcpy_async(block, a[1], x + 100, 400);
    cg::memcpy_async(tile, b[w], x + 200 + w * 33, sizeof(int) * 33);
    cg::wait(tile);
    cg::wait_prior<1>(block);
    block.sync();
    int sum = t < 100 ? a[0][99 - t] : 0;
    cg::wait(block);
    y[t] = sum + (t < 100 ? 7 * a[1][t] : 0) + b[w][32 - t % 32];
}
#else
CHECK(group_copy)
{
    std::vector<int> x = ints(340, 1000), e(128);
    Buffer<int> dx(x), dy(128);
    for (int t = 0; t < 128; t++)
        e[t] = (t < 100 ? x[99 - t] + 7 * x[100 + t] : 0) + x[200 + t / 32 * 33 + 32 - t % 32];
    return p.run("group_copy", 1, 128, 0, dx.at, dy.at) && dy.get() == e;
}
#endif
