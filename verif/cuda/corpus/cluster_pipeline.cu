// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
#define STAGES 2
#define STEPS 9
/* One block produces and its neighbour consumes, through a ring in the consumer's shared memory.
 * Values are sent by st.async, which reports to the consumer's barrier; the consumer's warps signal
 * free slots by arriving at the producer's barrier. */
KERNEL cluster_pipeline(const int *x, int *y)
{
    __shared__ alignas(16) int ring[STAGES][64];
    __shared__ unsigned total;
    __shared__ alignas(8) uint64_t full[STAGES], empty[STAGES];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank(), pair = blockIdx.x / 2, sum = 0;
    if (t == 0) {
        total = 0;
        for (int s = 0; s < STAGES; s++) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], 2);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    for (int i = 0; i < STEPS; i++) {
        int stage = i % STAGES, phase = i / STAGES & 1;
        if (rank == 0) {
            while (!ptx::mbarrier_try_wait_parity(&empty[stage], phase ^ 1))
                continue;
            ptx::st_async(cluster.map_shared_rank(&ring[stage][t], 1),
                          x[(pair * STEPS + i) * 64 + t] * 3,
                          cluster.map_shared_rank(&full[stage], 1));
        } else {
            if (t == 0)
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &full[stage], 64 * 4);
            while (!ptx::mbarrier_try_wait_parity(&full[stage], phase))
                continue;
            sum += ring[stage][63 - t];
            __syncwarp();
            if (t % 32 == 0)
                ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                                     cluster.map_shared_rank(&empty[stage], 0));
        }
    }
    if (rank == 1) {
        y[pair * 64 + t] = sum;
        unsigned to = (unsigned)__cvta_generic_to_shared(cluster.map_shared_rank(&total, 0));
        asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(to), "r"(sum)
                     : "memory");
    }
    cluster.sync();
    if (rank == 0 && t == 0)
        y[gridDim.x / 2 * 64 + pair] = (int)total;
}
#else
CHECK(cluster_pipeline)
{
    const int pairs = 3, steps = 9;
    std::vector<int> x = ints(pairs * steps * 64, 1000), e(pairs * 64 + pairs);
    Buffer<int> dx(x), dy(pairs * 64 + pairs);
    for (int b = 0; b < pairs; b++)
        for (int t = 0; t < 64; t++) {
            for (int i = 0; i < steps; i++)
                e[b * 64 + t] += x[(b * steps + i) * 64 + 63 - t] * 3;
            e[pairs * 64 + b] += e[b * 64 + t];
        }
    return p.run_clusters("cluster_pipeline", 2 * pairs, 2, 64, 0, dx.at, dy.at) && dy.get() == e;
}
#endif
