// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda/ptx>
namespace ptx = cuda::ptx;
/* A ring of three buffers by the instructions themselves: bulk copies in, a transformation in place,
 * bulk copies out. */
KERNEL bulk_ring(const float *x, float *y, int tiles)
{
    __shared__ alignas(128) float ring[3][512];
    __shared__ alignas(8) uint64_t full[3];
    int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 3; i++)
            ptx::mbarrier_init(&full[i], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        for (int i = 0; i < 2 && i < tiles; i++) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[i], sizeof(ring[i]));
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring[i], x + i * 512,
                               sizeof(ring[i]), &full[i]);
        }
    }
    __syncthreads();
    for (int i = 0; i < tiles; i++) {
        float *own = ring[i % 3];
        while (!ptx::mbarrier_try_wait_parity(&full[i % 3], i / 3 % 2))
            continue;
        for (int k = t; k < 512; k += blockDim.x)
            own[k] = own[k] * 2 + (float)i;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (t == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + i * 512, own,
                               sizeof(ring[0]));
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
            if (i + 2 < tiles) {
                int next = (i + 2) % 3;
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &full[next], sizeof(ring[0]));
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring[next],
                                   x + (i + 2) * 512, sizeof(ring[0]), &full[next]);
            }
        }
    }
    if (t == 0)
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
#else
CHECK(bulk_ring)
{
    const int tiles = 8;
    std::vector<float> x = floats(tiles * 512), e(x.size());
    Buffer<float> dx(x), dy(x.size());
    for (int i = 0; i < tiles * 512; i++)
        e[i] = x[i] * 2 + (float)(i / 512);
    return p.run("bulk_ring", 1, 128, 0, dx.at, dy.at, tiles) && near(dy.get(), e, 1e-6f);
}
#endif
