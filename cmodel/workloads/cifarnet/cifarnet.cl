/* SPDX-License-Identifier: Apache-2.0
 *
 * Inference of a small convolutional network: one kernel per layer kind, tensors
 * [channel][row][column], weights [filter][channel][row][column].
 */
#define KERNEL 5
#define POOL 3

/* 5 x 5 with zero padding, bias and rectifier: one group per filter, one work-item per pixel.
 * Not unrolled, because 1024 work-items of an SM with 32768 registers may have 32 each. */
__kernel void cifarnet_conv(__global const float *in, __global const float *weight,
                            __global const float *bias, __global float *out, int channels)
{
    int x = get_local_id(0), y = get_local_id(1), side = get_local_size(0);
    int filter = get_group_id(0);
    float sum = bias[filter];
    for (int c = 0; c < channels; c++) {
#pragma nounroll
        for (int dy = 0; dy < KERNEL; dy++) {
#pragma nounroll
            for (int dx = 0; dx < KERNEL; dx++) {
                int row = y + dy - KERNEL / 2, column = x + dx - KERNEL / 2;
                if (row >= 0 && row < side && column >= 0 && column < side)
                    sum += in[(c * side + row) * side + column] *
                           weight[((filter * channels + c) * KERNEL + dy) * KERNEL + dx];
            }
        }
    }
    out[(filter * side + y) * side + x] = max(sum, 0.0f);
}

/* 3 x 3 windows two cells apart, maximum or average; the group has one work-item per output. */
__kernel void cifarnet_pool(__global const float *in, __global float *out, int in_side,
                            int average)
{
    int x = get_local_id(0), y = get_local_id(1), side = get_local_size(0);
    int channel = get_group_id(0);
    float most = -INFINITY, sum = 0.0f;
    int cells = 0;
    for (int row = 2 * y; row < min(2 * y + POOL, in_side); row++) {
        for (int column = 2 * x; column < min(2 * x + POOL, in_side); column++) {
            float value = in[(channel * in_side + row) * in_side + column];
            most = max(most, value);
            sum += value;
            cells++;
        }
    }
    out[(channel * side + y) * side + x] = average ? sum / (float)cells : most;
}

/* Fully connected: one work-item per output walks its own row of weights. */
__kernel void cifarnet_dense(__global const float *in, __global const float *weight,
                             __global const float *bias, __global float *out, int inputs)
{
    int o = get_global_id(0);
    float sum = bias[o];
    for (int i = 0; i < inputs; i++)
        sum += in[i] * weight[o * inputs + i];
    out[o] = sum;
}
