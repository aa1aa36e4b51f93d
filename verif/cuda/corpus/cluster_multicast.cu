// SPDX-License-Identifier: Apache-2.0
// nvcc: -arch=sm_90a
#include "corpus.h"
#ifdef __CUDACC__
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
/* Each of a cluster's four blocks loads a box of a tensor and a row of words for all but one of
 * them; a block whose rank is odd also gets a row from its neighbour's shared memory. */
KERNEL cluster_multicast(const __grid_constant__ CUtensorMap map, const int *rows, int *y)
{
    __shared__ alignas(128) int box[4][4][32], row[4][32], moved[32];
    __shared__ alignas(8) uint64_t full, came;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank(), base = (int)blockIdx.x / 4;
    for (int i = t; i < 4 * 4 * 32; i += blockDim.x)
        box[i / 128][i / 32 % 4][i % 32] = row[i / 128][i % 32] = -1;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&came, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    if (t == 0) {
        uint16_t others = (uint16_t)(0xf & ~(1 << (rank + 1) % 4));
        int at[2] = {0, (base * 4 + rank) * 4};
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       3 * (4 * 32 * 4 + 32 * 4));
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box[rank], &map, at, &full,
                                  others);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row[rank],
                           rows + (base * 4 + rank) * 32, 32 * 4, &full, others);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0))
        continue;
    if (t == 0 && rank % 2 == 1)
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &came,
                                       32 * 4);
    if (t == 0 && rank % 2 == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                           cluster.map_shared_rank(moved, rank + 1), row[rank], 32 * 4,
                           cluster.map_shared_rank(&came, rank + 1));
    while (rank % 2 == 1 && !ptx::mbarrier_try_wait_parity(&came, 0))
        continue;
    int sum = rank % 2 == 1 ? moved[t] : 0;
    for (int r = 0; r < 4; r++) {
        for (int k = 0; k < 4; k++)
            sum += box[r][k][t] * (r + 1) * (k + 1);
        sum += row[r][t] * (r + 5);
    }
    y[blockIdx.x * 32 + t] = sum;
    cluster.sync();
}
#else
CHECK(cluster_multicast)
{
    const int blocks = 8;
    std::vector<int> x = ints(blocks * 4 * 32, 1000), rows = ints(blocks * 32, 77);
    std::vector<int> e(blocks * 32);
    Buffer<int> dx(x), dr(rows), dy(blocks * 32);
    TensorMap map(TensorMap::WORDS, dx.at, {32, blocks * 4}, {32 * 4}, {32, 4});
    for (int b = 0; b < blocks; b++)
        for (int t = 0; t < 32; t++) {
            int rank = b % 4, first = b / 4 * 4, &sum = e[b * 32 + t];
            for (int r = 0; r < 4; r++) {
                bool here = (r + 1) % 4 != rank;
                for (int k = 0; k < 4; k++)
                    sum += (here ? x[((first + r) * 4 + k) * 32 + t] : -1) * (r + 1) * (k + 1);
                sum += (here ? rows[(first + r) * 32 + t] : -1) * (r + 5);
            }
            if (rank % 2 == 1)
                sum += rows[(b - 1) * 32 + t];
        }
    return map.good && p.run_clusters("cluster_multicast", blocks, 4, 32, 0, map, dr.at, dy.at) &&
           dy.get() == e;
}
#endif
