/* SPDX-License-Identifier: Apache-2.0
 *
 * y = A' (A x), one work-item per row, then one per column.
 *
 * In the first kernel a warp reads 32 rows side by side: 32 lines per load, each used again by the
 * next 31 iterations.  The second kernel reads whole lines.
 */
__kernel void atax_rows(__global const float *a, __global const float *x, __global float *product,
                        int rows, int columns)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int column = 0; column < columns; column++)
        sum += a[row * columns + column] * x[column];
    product[row] = sum;
}

__kernel void atax_columns(__global const float *a, __global const float *product,
                           __global float *y, int rows, int columns)
{
    int column = get_global_id(0);
    if (column >= columns)
        return;
    float sum = 0.0f;
    for (int row = 0; row < rows; row++)
        sum += a[row * columns + column] * product[row];
    y[column] = sum;
}
