// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <mma.h>
KERNEL warp_matrix(const float *a, const float *b, float *c)
{
    using namespace nvcuda;
    __shared__ __half sa[256], sb[256];
    for (int i = threadIdx.x; i < 256; i += 32) {
        sa[i] = __float2half(a[i]);
        sb[i] = __float2half(b[i]);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 1.0f);
    wmma::load_matrix_sync(fa, sa, 16);
    wmma::load_matrix_sync(fb, sb, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
#else
CHECK(warp_matrix)
{
    std::vector<float> a(256), b(256), e(256, 1);
    for (size_t i = 0; i < 256; i++) {
        a[i] = (float)(i % 7) - 3;
        b[i] = (float)(i % 5) / 2;
    }
    Buffer<float> da(a), db(b), dc(256);
    for (size_t y = 0; y < 16; y++)
        for (size_t x = 0; x < 16; x++)
            for (size_t k = 0; k < 16; k++)
                e[16 * y + x] += a[16 * y + k] * b[16 * k + x];
    return p.run("warp_matrix", 1, 32, 0, da.at, db.at, dc.at) && dc.get() == e;
}
#endif
