/* SPDX-License-Identifier: Apache-2.0
 *
 * One of two chained matrix products, out = left right, square matrices of order n: one work-item
 * per element, one operand a broadcast within a warp, the other read by whole lines.
 */
__kernel void mm2_product(__global const float *left, __global const float *right,
                          __global float *out, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    if (row >= n || column >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += left[row * n + k] * right[k * n + column];
    out[row * n + column] = sum;
}
