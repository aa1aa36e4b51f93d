// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
/* Boxes of one, three and five dimensions that begin before the tensor and end behind it. */
template <int N>
__device__ void load(const CUtensorMap *map, int *y, const int (&at)[N], int words)
{
    __shared__ alignas(128) int box[1024];
    __shared__ alignas(8) uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       words * 4);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, map, at, &full);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&full, 0))
        continue;
    for (int i = t; i < words; i += blockDim.x)
        y[i] = box[i];
}
KERNEL tensor_line(const __grid_constant__ CUtensorMap map, int *y, int words)
{
    load<1>(&map, y, {-2}, words);
}
KERNEL tensor_cube(const __grid_constant__ CUtensorMap map, int *y, int words)
{
    load<3>(&map, y, {1, -1, 2}, words);
}
KERNEL tensor_five(const __grid_constant__ CUtensorMap map, int *y, int words)
{
    load<5>(&map, y, {-1, 1, 0, 1, -1}, words);
}
#else
static bool ranks(Program &p, const char *kernel, const std::vector<uint64_t> &size,
                  const std::vector<uint32_t> &box, const std::vector<int> &at)
{
    size_t all = 1, words = 1;
    std::vector<uint64_t> stride;
    for (size_t d = 0; d < size.size(); d++) {
        all *= size[d];
        words *= box[d];
        stride.push_back(all * 4);
    }
    std::vector<int> x(all), e(words);
    for (size_t i = 0; i < all; i++)
        x[i] = (int)i + 1;
    for (size_t i = 0; i < words; i++) {
        int64_t from = 0, rest = (int64_t)i, step = 1;
        bool inside = true;
        for (size_t d = 0; d < size.size(); d++) {
            int64_t c = at[d] + rest % box[d];
            rest /= box[d];
            inside = inside && c >= 0 && c < (int64_t)size[d];
            from += c * step;
            step *= (int64_t)size[d];
        }
        e[i] = inside ? x[from] : 0;
    }
    Buffer<int> dx(x), dy(words);
    TensorMap map(TensorMap::WORDS, dx.at, size, stride, box);
    return map.good && p.run(kernel, 1, 64, 0, map, dy.at, (int)words) && dy.get() == e;
}
CHECK(tensor_ranks)
{
    return ranks(p, "tensor_line", {29}, {32}, {-2}) &&
           ranks(p, "tensor_cube", {8, 5, 6}, {8, 8, 4}, {1, -1, 2}) &&
           ranks(p, "tensor_five", {4, 3, 2, 3, 2}, {8, 4, 2, 2, 4}, {-1, 1, 0, 1, -1});
}
#endif
