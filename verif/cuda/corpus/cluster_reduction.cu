// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
/* Sums of clusters of 2 x 3 blocks in a grid of 4 x 6: the block of rank 0 reads the others' sums.
 * No block ends before its sum has been read. */
KERNEL __cluster_dims__(2, 3, 1) cluster_reduction(const int *x, int *sums, int *places)
{
    __shared__ int sum;
    auto cluster = cg::this_cluster();
    int block = blockIdx.y * gridDim.x + blockIdx.x, t = threadIdx.x;
    int first = cluster.block_index().y * 2 + cluster.block_index().x;
    if (t == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[block * blockDim.x + t]);
    cluster.sync();
    if (cluster.block_rank() == 0 && t == 0) {
        int all = 0, id = blockIdx.y / 3 * 2 + blockIdx.x / 2;
        for (unsigned rank = 0; rank < cluster.num_blocks(); rank++)
            all += *cluster.map_shared_rank(&sum, rank) * (int)(rank + 1);
        sums[id] = all;
    }
    if (t == 0)
        places[block] = (int)cluster.block_rank() * 100 + first * 10 +
                        (int)cluster.query_shared_rank(cluster.map_shared_rank(&sum, 4));
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
}
#else
CHECK(cluster_reduction)
{
    std::vector<int> x = ints(24 * 40, 1000), e(4), places(24);
    Buffer<int> dx(x), dy(4), dp(24);
    unsigned grid[3] = {4, 6, 1}, block[3] = {40, 1, 1};
    for (int b = 0; b < 24; b++) {
        int column = b % 4, row = b / 4, rank = row % 3 * 2 + column % 2;
        places[b] = rank * 100 + rank * 10 + 4;
        for (int t = 0; t < 40; t++)
            e[row / 3 * 2 + column / 2] += x[b * 40 + t] * (rank + 1);
    }
    return p.run3("cluster_reduction", grid, block, 0, dx.at, dy.at, dp.at) && dy.get() == e &&
           dp.get() == places;
}
#endif
