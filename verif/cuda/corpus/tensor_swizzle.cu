// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
/* The box as it is stored in shared memory: its 16-byte pieces are permuted by the row number. */
KERNEL tensor_swizzle(const __grid_constant__ CUtensorMap map, uint4 *y, int bytes)
{
    extern __shared__ __align__(1024) unsigned char box[];
    __shared__ alignas(8) uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        int at[2] = {(int)blockIdx.x * 8, 3};
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       bytes);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &map, at, &full);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&full, 0))
        continue;
    for (int i = t; i < bytes / 16; i += blockDim.x)
        y[blockIdx.x * (bytes / 16) + i] = ((uint4 *)box)[i];
}
#else
static bool swizzle(Program &p, int mode)
{
    const uint32_t columns = 96, rows = 24, width = 8u << mode, height = 16; /* halves */
    const uint32_t pieces = 1u << mode, bytes = width * height * 2, blocks = 3;
    std::vector<uint16_t> x(columns * rows), e(blocks * bytes / 2);
    for (uint32_t i = 0; i < x.size(); i++)
        x[i] = (uint16_t)noise(i);
    Buffer<uint16_t> dx(x), dy(e.size());
    TensorMap map(TensorMap::HALVES, dx.at, {columns, rows}, {columns * 2}, {width, height}, mode);
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t row = 0; row < height; row++)
            for (uint32_t k = 0; k < width; k++) {
                /* The permutation depends on the number of the 128-byte row, which holds several
                 * rows of a narrower box. */
                uint32_t line = row * width * 2 / 128 % pieces, piece = k / 8 ^ line;
                e[b * bytes / 2 + row * width + piece * 8 + k % 8] =
                    x[(row + 3) * columns + b * 8 + k];
            }
    return map.good && p.run("tensor_swizzle", blocks, 64, bytes, map, dy.at, (int)bytes) &&
           dy.get() == e;
}
CHECK(tensor_swizzle)
{
    return swizzle(p, 1) && swizzle(p, 2) && swizzle(p, 3);
}
#endif
