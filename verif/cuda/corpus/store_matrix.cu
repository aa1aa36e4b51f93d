// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
/* Fragments of 8x8 matrices of halves into rows of shared memory, as they are and transposed. */
KERNEL store_matrix(const unsigned *x, unsigned *y)
{
    __shared__ __align__(16) unsigned short rows[32][16];
    int t = threadIdx.x;
    unsigned at = (unsigned)__cvta_generic_to_shared(&rows[t][8]);
    for (int i = 0; i < 8; i++)
        ((unsigned *)rows[t])[i] = 0xffffffff;
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at),
                 "r"(x[t]), "r"(x[32 + t]), "r"(x[64 + t]), "r"(x[96 + t])
                 : "memory");
    at = (unsigned)__cvta_generic_to_shared(&rows[t][0]);
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 [%0], {%1, %2};" ::"r"(at),
                 "r"(x[128 + t]), "r"(x[160 + t])
                 : "memory");
    __syncwarp();
    for (int i = 0; i < 8; i++)
        y[t * 8 + i] = ((unsigned *)rows[t])[i];
}
#else
CHECK(store_matrix)
{
    std::vector<uint32_t> x(192), e(256, 0xffffffff);
    uint16_t *rows = (uint16_t *)e.data();
    for (uint32_t i = 0; i < 192; i++)
        x[i] = noise(i);
    Buffer<uint32_t> dx(x), dy(256);
    for (uint32_t lane = 0; lane < 32; lane++)
        for (uint32_t half = 0; half < 2; half++) {
            uint32_t row = lane / 4, column = lane % 4 * 2 + half;
            for (uint32_t m = 0; m < 4; m++)
                rows[(m * 8 + row) * 16 + 8 + column] = (uint16_t)(x[m * 32 + lane] >> 16 * half);
            for (uint32_t m = 0; m < 2; m++)
                rows[(m * 8 + column) * 16 + row] = (uint16_t)(x[128 + m * 32 + lane] >> 16 * half);
        }
    return p.run("store_matrix", 1, 32, 0, dx.at, dy.at) && dy.get() == e;
}
#endif
