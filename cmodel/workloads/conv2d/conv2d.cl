/* SPDX-License-Identifier: Apache-2.0
 *
 * 3 x 3 convolution straight from global memory, groups of 32 x 8: each word is read nine times,
 * by three rows of work-items, and only the cache can save eight of them.
 */
__kernel void conv2d(__global const float *in, __global float *out, __constant float *weight,
                     int rows, int columns)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= columns - 1 || y >= rows - 1)
        return;
    float sum = 0.0f;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            sum += weight[3 * dy + dx] * in[(y + dy - 1) * columns + x + dx - 1];
    out[y * columns + x] = sum;
}
