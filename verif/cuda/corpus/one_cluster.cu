// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
/* Code for clusters, launched without: each block is a cluster of one. */
KERNEL one_cluster(const int *x, int *y)
{
    __shared__ int v[64];
    __shared__ int total;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    v[t] = x[blockIdx.x * 64 + t];
    if (t == 0)
        total = 0;
    cluster.sync();
    int *other = cluster.map_shared_rank(v, (cluster.block_rank() + 1) % cluster.num_blocks());
    atomicAdd(cluster.map_shared_rank(&total, 0), other[63 - t]);
    cuda::ptx::barrier_cluster_arrive();
    cuda::ptx::barrier_cluster_wait();
    y[blockIdx.x * 64 + t] = total + other[t] * 3 + (int)cluster.num_threads();
}
#else
CHECK(one_cluster)
{
    std::vector<int> x = ints(2 * 64, 1000), e(2 * 64);
    Buffer<int> dx(x), dy(2 * 64);
    for (int b = 0; b < 2; b++)
        for (int t = 0; t < 64; t++) {
            for (int i = 0; i < 64; i++)
                e[b * 64 + t] += x[b * 64 + i];
            e[b * 64 + t] += x[b * 64 + t] * 3 + 64;
        }
    return p.run("one_cluster", 2, 64, 0, dx.at, dy.at) && dy.get() == e;
}
#endif
