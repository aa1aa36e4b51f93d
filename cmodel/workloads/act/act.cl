/* SPDX-License-Identifier: Apache-2.0
 *
 * Rectifier layer, four values per work-item: pure streams, every byte used once.
 */

__kernel void act_forward(__global const float4 *x, __global float4 *y, int vectors)
{
    int i = get_global_id(0);
    if (i < vectors)
        y[i] = max(x[i], 0.0f);
}

/* The gradient passes where the input was positive. */
__kernel void act_backward(__global const float4 *x, __global const float4 *dy, __global float4 *dx,
                           int vectors)
{
    int i = get_global_id(0);
    if (i < vectors)
        dx[i] = select((float4)(0.0f), dy[i], x[i] > 0.0f);
}
