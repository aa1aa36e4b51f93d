// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
/* A histogram whose bins are spread over the shared memory of a cluster's blocks. */
KERNEL cluster_histogram(const int *x, int n, int *bins, int per_block)
{
    extern __shared__ int own[];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    for (int i = t; i < per_block; i += blockDim.x)
        own[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        int bin = x[i];
        atomicAdd(cluster.map_shared_rank(own, bin / per_block) + bin % per_block, 1);
    }
    cluster.sync();
    for (int i = t; i < per_block; i += blockDim.x)
        atomicAdd(&bins[rank * per_block + i], own[i]);
}
#else
CHECK(cluster_histogram)
{
    const int n = 3000, per_block = 50;
    std::vector<int> x = ints(n, 4 * per_block), e(4 * per_block);
    Buffer<int> dx(x), dy(4 * per_block);
    for (int v : x)
        e[v]++;
    return p.run_clusters("cluster_histogram", 8, 4, 96, per_block * 4, dx.at, n, dy.at,
                          per_block) &&
           dy.get() == e;
}
#endif
