/* SPDX-License-Identifier: Apache-2.0
 *
 * The layers of a SqueezeNet: tensors [channel][row][column], weights
 * [filter][channel][row][column].  Dimension 0 runs over an output plane, dimension 1 over
 * output channels, so weights are broadcasts and pixels are read by lines.
 */

/* k x k convolution with bias and rectifier into channels `base` and up of the output: the two
 * expanding convolutions of a fire module share one. */
__kernel void squeezenet_conv(__global const float *in, __global const float *weight,
                              __global const float *bias, __global float *out, int channels,
                              int in_side, int out_side, int k, int stride, int pad, int base)
{
    int pixel = get_global_id(0), filter = get_global_id(1);
    if (pixel >= out_side * out_side)
        return;
    int top = pixel / out_side * stride - pad, left = pixel % out_side * stride - pad;
    float sum = bias[filter];
    for (int c = 0; c < channels; c++) {
        for (int dy = 0; dy < k; dy++) {
            for (int dx = 0; dx < k; dx++) {
                int row = top + dy, column = left + dx;
                if (row >= 0 && row < in_side && column >= 0 && column < in_side)
                    sum += in[(c * in_side + row) * in_side + column] *
                           weight[((filter * channels + c) * k + dy) * k + dx];
            }
        }
    }
    out[(base + filter) * out_side * out_side + pixel] = max(sum, 0.0f);
}

/* The same for 1 x 1: no window, so one multiply-add per channel, and always the first channels. */
__kernel void squeezenet_conv1(__global const float *in, __global const float *weight,
                               __global const float *bias, __global float *out, int channels,
                               int side)
{
    int pixel = get_global_id(0), filter = get_global_id(1), pixels = side * side;
    if (pixel >= pixels)
        return;
    float sum = bias[filter];
    for (int c = 0; c < channels; c++)
        sum += in[c * pixels + pixel] * weight[filter * channels + c];
    out[filter * pixels + pixel] = max(sum, 0.0f);
}

/* Maximum of 3 x 3 windows two cells apart, all inside the plane. */
__kernel void squeezenet_pool(__global const float *in, __global float *out, int in_side,
                              int out_side)
{
    int pixel = get_global_id(0), channel = get_global_id(1);
    if (pixel >= out_side * out_side)
        return;
    int top = pixel / out_side * 2, left = pixel % out_side * 2;
    float most = -INFINITY;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            most = max(most, in[(channel * in_side + top + dy) * in_side + left + dx]);
    out[channel * out_side * out_side + pixel] = most;
}

/* Average of each plane: one work-item per channel. */
__kernel void squeezenet_average(__global const float *in, __global float *out, int channels,
                                 int cells)
{
    int channel = get_global_id(0);
    if (channel >= channels)
        return;
    float sum = 0.0f;
    for (int i = 0; i < cells; i++)
        sum += in[channel * cells + i];
    out[channel] = sum / (float)cells;
}
