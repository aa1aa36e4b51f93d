/* SPDX-License-Identifier: Apache-2.0
 *
 * C = A B in half precision with sums in single: tiles of 64 x 64, 32 columns of A at a time
 * through local memory.  The CUDA twin multiplies the tiles with tensor cores; its accesses to
 * global memory are the same.
 */
#define TILE 64
#define DEPTH 32
#define GROUP 128
#define ROWS 8 /* of a work-item's part of the tile */
#define COLUMNS 4

__kernel void hgemm(__global const uint4 *a, __global const uint4 *b, __global uint4 *c, int n,
                    int k)
{
    __local uint4 left[TILE * DEPTH / 8];
    __local uint4 right[DEPTH * TILE / 8];
    __local uint4 result[TILE * TILE / 8];
    __local const half *l = (__local const half *)left;
    __local const half *r = (__local const half *)right;
    int t = get_local_id(0), x = get_group_id(0), y = get_group_id(1);
    int row = t / 16 * ROWS, column = t % 16 * COLUMNS;
    float sum[ROWS][COLUMNS];

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum[i][j] = 0.0f;
    for (int d = 0; d < k; d += DEPTH) {
        for (int i = t; i < TILE * DEPTH / 8; i += GROUP) {
            left[i] = a[((y * TILE + i / (DEPTH / 8)) * k + d) / 8 + i % (DEPTH / 8)];
            right[i] = b[((d + i / (TILE / 8)) * n + x * TILE) / 8 + i % (TILE / 8)];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 0; s < DEPTH; s++) {
            float from[COLUMNS];
            for (int j = 0; j < COLUMNS; j++)
                from[j] = vload_half(s * TILE + column + j, r);
            for (int i = 0; i < ROWS; i++) {
                float factor = vload_half((row + i) * DEPTH + s, l);
                for (int j = 0; j < COLUMNS; j++)
                    sum[i][j] += factor * from[j];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            vstore_half(sum[i][j], (row + i) * TILE + column + j, (__local half *)result);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < TILE * TILE / 8; i += GROUP)
        c[((y * TILE + i / (TILE / 8)) * n + x * TILE) / 8 + i % (TILE / 8)] = result[i];
}
