/* SPDX-License-Identifier: Apache-2.0
 *
 * x1 += A y1 and x2 += A' y2, one work-item per element: down its own row (neighbours a row
 * apart, 32 lines per load), then down its own column (whole lines).
 */

__kernel void mvt_rows(__global const float *a, __global float *x1, __global const float *y1, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float sum = x1[i];
    for (int j = 0; j < n; j++)
        sum += a[i * n + j] * y1[j];
    x1[i] = sum;
}

__kernel void mvt_columns(__global const float *a, __global float *x2, __global const float *y2,
                          int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float sum = x2[i];
    for (int j = 0; j < n; j++)
        sum += a[j * n + i] * y2[j];
    x2[i] = sum;
}
