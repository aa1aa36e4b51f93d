/* SPDX-License-Identifier: Apache-2.0
 *
 * C = A B in half precision with sums in single: tiles of 64 x 64, 32 columns of A at a time
 * through shared memory.  Each of four warps has a quarter of the tile and multiplies it with
 * tensor cores.
 */
#include <mma.h>

using namespace nvcuda;

#define TILE 64
#define DEPTH 32
#define GROUP 128
#define SIDE 16 /* of a product of the tensor cores */

extern "C" __global__ void hgemm(const uint4 *a, const uint4 *b, uint4 *c, int n, int k)
{
    __shared__ uint4 left[TILE * DEPTH / 8];
    __shared__ uint4 right[DEPTH * TILE / 8];
    __shared__ float result[TILE * TILE];
    const half *l = (const half *)left;
    const half *r = (const half *)right;
    int t = (int)threadIdx.x, x = (int)blockIdx.x, y = (int)blockIdx.y;
    int row = t / 64 * 32, column = t / 32 % 2 * 32;
    wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> sum[2][2];

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);
    for (int d = 0; d < k; d += DEPTH) {
        for (int i = t; i < TILE * DEPTH / 8; i += GROUP) {
            left[i] = a[((y * TILE + i / (DEPTH / 8)) * k + d) / 8 + i % (DEPTH / 8)];
            right[i] = b[((d + i / (TILE / 8)) * n + x * TILE) / 8 + i % (TILE / 8)];
        }
        __syncthreads();
        for (int s = 0; s < DEPTH; s += SIDE) {
            wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, half, wmma::row_major> one[2];
            wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, half, wmma::row_major> two[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(one[i], l + (row + i * SIDE) * DEPTH + s, DEPTH);
                wmma::load_matrix_sync(two[i], r + s * TILE + column + i * SIDE, TILE);
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(sum[i][j], one[i], two[j], sum[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(result + (row + i * SIDE) * TILE + column + j * SIDE, sum[i][j],
                                    TILE, wmma::mem_row_major);
    __syncthreads();
    for (int i = t; i < TILE * TILE / 8; i += GROUP) {
        half h[8];
        for (int j = 0; j < 8; j++)
            h[j] = __float2half(result[i * 8 + j]);
        c[((y * TILE + i / (TILE / 8)) * n + x * TILE) / 8 + i % (TILE / 8)] = *(uint4 *)h;
    }
}
