/* SPDX-License-Identifier: Apache-2.0
 *
 * Separable 17 x 17 convolution: along rows, then along columns.
 *
 * A work-item computes RESULTS pixels a group's width (or height) apart.  A group first copies
 * its pixels and one group width (height) on either side into local memory, zeros outside the
 * image, so that each pixel passes the cache about once per direction.
 */
#define RADIUS 8
#define RESULTS 8
#define ROW_X 16
#define ROW_Y 4
#define COLUMN_X 16
#define COLUMN_Y 8

__kernel void convsep_rows(__global const float *in, __global float *out, __constant float *filter,
                           int width)
{
    __local float cell[ROW_Y][(RESULTS + 2) * ROW_X];
    int tx = get_local_id(0), ty = get_local_id(1);
    int left = ((int)get_group_id(0) * RESULTS - 1) * ROW_X + tx;
    int row = get_global_id(1);
    in += row * width;
    out += row * width;
    for (int i = 0; i < RESULTS + 2; i++) {
        int x = left + i * ROW_X;
        cell[ty][tx + i * ROW_X] = x >= 0 && x < width ? in[x] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i <= RESULTS; i++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += filter[RADIUS - k] * cell[ty][tx + i * ROW_X + k];
        out[left + i * ROW_X] = sum;
    }
}

__kernel void convsep_columns(__global const float *in, __global float *out,
                              __constant float *filter, int width, int height)
{
    __local float cell[COLUMN_X][(RESULTS + 2) * COLUMN_Y + 1];
    int tx = get_local_id(0), ty = get_local_id(1);
    int top = ((int)get_group_id(1) * RESULTS - 1) * COLUMN_Y + ty;
    int column = get_global_id(0);
    for (int i = 0; i < RESULTS + 2; i++) {
        int y = top + i * COLUMN_Y;
        cell[tx][ty + i * COLUMN_Y] = y >= 0 && y < height ? in[y * width + column] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i <= RESULTS; i++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += filter[RADIUS - k] * cell[tx][ty + i * COLUMN_Y + k];
        out[(top + i * COLUMN_Y) * width + column] = sum;
    }
}
