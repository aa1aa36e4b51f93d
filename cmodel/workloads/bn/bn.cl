/* SPDX-License-Identifier: Apache-2.0
 *
 * Batch normalisation.  Forward: per channel over all images and pixels, one group per channel
 * that goes over its data twice, first for mean and variance, then to normalise.  Backward: per
 * activation over the batch, one work-item per activation, again in two passes.
 */
#define GROUP 256

static float group_sum(float value, __local float *part)
{
    int t = get_local_id(0);
    part[t] = value;
    for (int stride = GROUP / 2; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < stride)
            part[t] += part[t + stride];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

/* x and y are [image][channel][pixel]. */
__kernel void bn_forward(__global const float *x, __global float *y, __global const float *gain,
                         __global const float *bias, int images, int channels, int plane,
                         float epsilon)
{
    __local float part[GROUP];
    int t = get_local_id(0), c = get_group_id(0);
    float sum = 0.0f, squares = 0.0f;
    for (int n = 0; n < images; n++) {
        for (int p = t; p < plane; p += GROUP) {
            float value = x[(n * channels + c) * plane + p];
            sum += value;
            squares += value * value;
        }
    }
    float count = (float)(images * plane);
    float mean = group_sum(sum, part) / count;
    float variance = group_sum(squares, part) / count - mean * mean;
    float factor = gain[c] * rsqrt(variance + epsilon), offset = bias[c];
    for (int n = 0; n < images; n++) {
        for (int p = t; p < plane; p += GROUP) {
            int at = (n * channels + c) * plane + p;
            y[at] = (x[at] - mean) * factor + offset;
        }
    }
}

/* x, dy and dx are [sample][activation]; mean and deviation (inverse standard deviation) were
 * saved by the forward pass. */
__kernel void bn_backward(__global const float *x, __global const float *dy, __global float *dx,
                          __global const float *mean, __global const float *deviation,
                          __global const float *gain, __global float *dgain, __global float *dbias,
                          int samples, int activations)
{
    int a = get_global_id(0);
    if (a >= activations)
        return;
    float center = mean[a], inverse = deviation[a], sum = 0.0f, product = 0.0f;
    for (int n = 0; n < samples; n++) {
        int at = n * activations + a;
        float slope = dy[at];
        sum += slope;
        product += slope * (x[at] - center) * inverse;
    }
    dgain[a] = product;
    dbias[a] = sum;
    float count = (float)samples, factor = gain[a] * inverse / count;
    for (int n = 0; n < samples; n++) {
        int at = n * activations + a;
        float normal = (x[at] - center) * inverse;
        dx[at] = factor * (count * dy[at] - sum - normal * product);
    }
}

/* bn_backward with a group per channel, as library kernels do it: positions of the channel's plane
 * along dimension 0, channels along dimension 1.  A fully connected layer's planes have one
 * position, so that a single work-item of a group has work. */
__kernel void bn_backward_planes(__global const float *x, __global const float *dy,
                                 __global float *dx, __global const float *mean,
                                 __global const float *deviation, __global const float *gain,
                                 __global float *dgain, __global float *dbias, int samples,
                                 int channels)
{
    int plane = 1, position = get_global_id(0), a = (int)get_global_id(1) * plane + position;
    if (position >= plane)
        return;
    float center = mean[a], inverse = deviation[a], sum = 0.0f, product = 0.0f;
    for (int n = 0; n < samples; n++) {
        float slope = dy[n * channels * plane + a];
        sum += slope;
        product += slope * (x[n * channels * plane + a] - center) * inverse;
    }
    float count = (float)samples, factor = gain[a] * inverse / count;
    for (int n = 0; n < samples; n++) {
        int at = n * channels * plane + a;
        dx[at] = factor * (count * dy[at] - sum - (x[at] - center) * inverse * product);
    }
    dgain[a] = product;
    dbias[a] = sum;
}
