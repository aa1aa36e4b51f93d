/* SPDX-License-Identifier: Apache-2.0
 *
 * y = alpha A x + beta B x, one work-item per row: two column walks at once, so a warp keeps 64
 * lines in use.
 */
__kernel void gesummv_rows(__global const float *a, __global const float *b,
                           __global const float *x, __global float *y, float alpha, float beta,
                           int n)
{
    int row = get_global_id(0);
    if (row >= n)
        return;
    float sum_a = 0.0f, sum_b = 0.0f;
    for (int column = 0; column < n; column++) {
        sum_a += a[row * n + column] * x[column];
        sum_b += b[row * n + column] * x[column];
    }
    y[row] = alpha * sum_a + beta * sum_b;
}
