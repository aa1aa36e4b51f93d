/* SPDX-License-Identifier: Apache-2.0
 *
 * Fully connected layer, y = x W' + bias, W being [output][input]: groups of 16 x 16 work-items
 * for 32 outputs of 32 samples, two by two per work-item; slices of 16 inputs of both operands
 * pass through local memory.
 */
#define TILE 32
#define DEPTH 16
#define HALF 16

__kernel void fc_forward(__global const float *in, __global const float *weight,
                         __global const float *bias, __global float *y, int samples, int inputs,
                         int outputs)
{
    __local float part_x[TILE][DEPTH + 1], part_w[TILE][DEPTH + 1];
    int tx = get_local_id(0), ty = get_local_id(1);
    int output = (int)get_group_id(0) * TILE, sample = (int)get_group_id(1) * TILE;
    float sum00 = 0.0f, sum01 = 0.0f, sum10 = 0.0f, sum11 = 0.0f;
    for (int base = 0; base < inputs; base += DEPTH) {
        int k = base + tx;
        for (int row = ty; row < TILE; row += HALF) {
            bool inside = k < inputs && sample + row < samples;
            part_x[row][tx] = inside ? in[(sample + row) * inputs + k] : 0.0f;
            inside = k < inputs && output + row < outputs;
            part_w[row][tx] = inside ? weight[(output + row) * inputs + k] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        __local const float *x = part_x[ty], *w = part_w[tx];
#pragma unroll 4
        for (int d = 0; d < DEPTH; d++, x++, w++) {
            float x0 = x[0], x1 = x[HALF * (DEPTH + 1)];
            float w0 = w[0], w1 = w[HALF * (DEPTH + 1)];
            sum00 += x0 * w0;
            sum01 += x0 * w1;
            sum10 += x1 * w0;
            sum11 += x1 * w1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int row = sample + ty, column = output + tx;
    if (row < samples && column < outputs)
        y[row * outputs + column] = sum00 + bias[column];
    if (row < samples && column + HALF < outputs)
        y[row * outputs + column + HALF] = sum01 + bias[column + HALF];
    if (row + HALF < samples && column < outputs)
        y[(row + HALF) * outputs + column] = sum10 + bias[column];
    if (row + HALF < samples && column + HALF < outputs)
        y[(row + HALF) * outputs + column + HALF] = sum11 + bias[column + HALF];
}
