// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cuda/barrier>
/* cuda::memcpy_async of one thread with a size that the compiler knows to be a multiple of 16: a
 * bulk copy; then one whose bytes the program announces itself. */
KERNEL bulk_copy(const int *x, int *y, int n)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(16) int tile[2][256];
    __shared__ alignas(8) unsigned char place[sizeof(Barrier)];
    Barrier &all = *reinterpret_cast<Barrier *>(place);
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        init(&all, blockDim.x);
    __syncthreads();
    for (int i = 0; i < n; i++) {
        Barrier::arrival_token token;
        if (t == 0) {
            cuda::memcpy_async(tile[0], x + i * 512, cuda::aligned_size_t<16>(1024), all);
            cuda::device::memcpy_async_tx(tile[1], x + i * 512 + 256,
                                          cuda::aligned_size_t<16>(1024), all);
            token = cuda::device::barrier_arrive_tx(all, 1, 1024);
        } else {
            token = all.arrive();
        }
        all.wait(cuda::std::move(token));
        sum = sum * 5 + tile[0][255 - t] - 3 * tile[1][t];
        all.arrive_and_wait();
    }
    y[t] = sum;
}
#else
CHECK(bulk_copy)
{
    std::vector<int> x = ints(3 * 512, 1000), e(256);
    Buffer<int> dx(x), dy(256);
    for (size_t t = 0; t < 256; t++)
        for (size_t i = 0; i < 3; i++)
            e[t] = e[t] * 5 + x[i * 512 + 255 - t] - 3 * x[i * 512 + 256 + t];
    return p.run("bulk_copy", 1, 256, 0, dx.at, dy.at, 3) && dy.get() == e;
}
#endif
