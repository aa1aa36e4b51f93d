// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
/* A matrix transposed by tiles that tensor maps move; those at the edges are cut. */
KERNEL tensor_tile(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to)
{
    __shared__ alignas(128) float tile[16][32], turned[32][16];
    __shared__ alignas(8) uint64_t full;
    int t = threadIdx.x, x = blockIdx.x * 32, y = blockIdx.y * 16;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    if (t == 0) {
        int at[2] = {x, y};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &from, at, &full);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       sizeof(tile));
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0))
        continue;
    for (int i = t; i < 16 * 32; i += blockDim.x)
        turned[i / 16][i % 16] = tile[i % 16][i / 16] * 2;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        int at[2] = {y, x};
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, at, turned);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
#else
CHECK(tensor_tile)
{
    const uint32_t columns = 76, rows = 44;
    std::vector<float> x = floats(columns * rows), e(columns * rows);
    Buffer<float> dx(x), dy(columns * rows);
    TensorMap from(TensorMap::FLOATS, dx.at, {columns, rows}, {columns * 4}, {32, 16});
    TensorMap to(TensorMap::FLOATS, dy.at, {rows, columns}, {rows * 4}, {16, 32});
    unsigned grid[3] = {3, 3, 1}, block[3] = {64, 1, 1};
    for (uint32_t i = 0; i < columns * rows; i++)
        e[i % columns * rows + i / columns] = x[i] * 2;
    return from.good && to.good && p.run3("tensor_tile", grid, block, 0, from, to) &&
           dy.get() == e;
}
#endif
