/* SPDX-License-Identifier: Apache-2.0
 *
 * c = alpha a b + beta c, square matrices in row order.
 */
#define TILE 16

/* Through the cache: one work-item per element walks a row of a and a column of b.  A warp of 32
 * neighbours in x reads one word of a and a whole line of b per step, as PolyBench's does. */
__kernel void gemm_cache(__global const float *a, __global const float *b, __global float *c,
                         float alpha, float beta, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    if (row >= n || column >= n)
        return;
    float sum = beta * c[row * n + column];
    for (int k = 0; k < n; k++)
        sum += alpha * a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

/* Through local memory: each word is read from global memory n / 16 times only. */
__kernel void gemm_tiled(__global const float *a, __global const float *b, __global float *c,
                         float alpha, float beta, int n)
{
    __local float part_a[TILE][TILE];
    __local float part_b[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;
    for (int tile = 0; tile < n; tile += TILE) {
        part_a[ty][tx] = row < n && tile + tx < n ? a[row * n + tile + tx] : 0.0f;
        part_b[ty][tx] = column < n && tile + ty < n ? b[(tile + ty) * n + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += part_a[ty][k] * part_b[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && column < n)
        c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
