/* SPDX-License-Identifier: Apache-2.0
 *
 * C = A B in single and double precision, as matrix libraries block it: groups of 16 x 16
 * work-items for tiles of 64 x 64, four by four per work-item in registers; slices of 16 columns
 * of A and 16 rows of B pass through local memory.  A is m x k, B k x n; m and n are multiples of
 * 64, k one of 16.
 */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define TILE 64
#define DEPTH 16
#define SIDE 16
#define EACH 4

#define MATMUL(name, real)                                                                         \
    __kernel void name(__global const real *a, __global const real *b, __global real *c, int n,    \
                       int k)                                                                      \
    {                                                                                              \
        __local real part_a[TILE][DEPTH + 1], part_b[DEPTH][TILE];                                 \
        int tx = get_local_id(0), ty = get_local_id(1), t = ty * SIDE + tx;                        \
        int row = (int)get_group_id(1) * TILE, column = (int)get_group_id(0) * TILE;               \
        real sum[EACH][EACH] = {{0}};                                                              \
        for (int base = 0; base < k; base += DEPTH) {                                              \
            for (int i = 0; i < EACH; i++) {                                                       \
                int y = t / DEPTH + i * SIDE, d = t / TILE + i * EACH;                             \
                part_a[y][t % DEPTH] = a[(row + y) * k + base + t % DEPTH];                        \
                part_b[d][t % TILE] = b[(base + d) * n + column + t % TILE];                       \
            }                                                                                      \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            __local const real *left = part_a[ty], *right = &part_b[0][tx];                        \
            _Pragma("nounroll")                                                                    \
            for (int d = 0; d < DEPTH; d++, left++, right += TILE) {                               \
                _Pragma("unroll")                                                                  \
                for (int i = 0; i < EACH; i++) {                                                   \
                    _Pragma("unroll")                                                              \
                    for (int j = 0; j < EACH; j++)                                                 \
                        sum[i][j] += left[i * SIDE * (DEPTH + 1)] * right[j * SIDE];               \
                }                                                                                  \
            }                                                                                      \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        }                                                                                          \
        for (int i = 0; i < EACH; i++)                                                             \
            for (int j = 0; j < EACH; j++)                                                         \
                c[(row + ty + i * SIDE) * n + column + tx + j * SIDE] = sum[i][j];                 \
    }
MATMUL(matmul_single, float)
#ifdef cl_khr_fp64
MATMUL(matmul_double, double)
#endif
