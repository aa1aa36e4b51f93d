/* SPDX-License-Identifier: Apache-2.0
 *
 * A model composed of three layers: 5 x 5 convolution, 3 x 3 maximum pooling, fully connected.
 * Tensors are [image][channel][row][column].
 */
#define KERNEL 5
#define WINDOW 3
#define DENSE_GROUP 64

/* Zero padding of two cells.  Dimension 0: pixels of a plane, dimension 1: images x filters. */
__kernel void cm_conv(__global const float *x, __global const float *weight,
                      __global const float *bias, __global float *y, int channels, int filters,
                      int side)
{
    int pixel = get_global_id(0), filter = (int)get_global_id(1) % filters;
    int image = (int)get_global_id(1) / filters;
    if (pixel >= side * side)
        return;
    int top = pixel / side - KERNEL / 2, left = pixel % side - KERNEL / 2;
    float sum = bias[filter];
    for (int c = 0; c < channels; c++) {
#pragma unroll
        for (int dy = 0; dy < KERNEL; dy++) {
#pragma unroll
            for (int dx = 0; dx < KERNEL; dx++) {
                int row = top + dy, column = left + dx;
                if (row >= 0 && row < side && column >= 0 && column < side)
                    sum += x[((image * channels + c) * side + row) * side + column] *
                           weight[((filter * channels + c) * KERNEL + dy) * KERNEL + dx];
            }
        }
    }
    y[(int)get_global_id(1) * side * side + pixel] = sum;
}

/* Windows two cells apart, one cell of padding; dimension 1: images x channels. */
__kernel void cm_pool(__global const float *x, __global float *y, int in_side, int out_side)
{
    int o = get_global_id(0), plane = get_global_id(1);
    if (o >= out_side * out_side)
        return;
    int top = o / out_side * 2 - 1, left = o % out_side * 2 - 1;
    float most = -INFINITY;
    for (int row = max(top, 0); row < min(top + WINDOW, in_side); row++)
        for (int column = max(left, 0); column < min(left + WINDOW, in_side); column++)
            most = max(most, x[(plane * in_side + row) * in_side + column]);
    y[plane * out_side * out_side + o] = most;
}

/* One group per output (dimension 0) and image (dimension 1): the whole image's values times the
 * output's row of weights, partial sums added up in local memory. */
__kernel void cm_dense(__global const float *x, __global const float *weight,
                       __global const float *bias, __global float *y, int inputs)
{
    __local float part[DENSE_GROUP];
    int t = get_local_id(0), output = get_group_id(0), image = get_group_id(1);
    float sum = 0.0f;
    for (int i = t; i < inputs; i += DENSE_GROUP)
        sum += x[image * inputs + i] * weight[output * inputs + i];
    part[t] = sum;
    for (int stride = DENSE_GROUP / 2; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < stride)
            part[t] += part[t + stride];
    }
    if (t == 0)
        y[image * (int)get_num_groups(0) + output] = part[0] + bias[output];
}
