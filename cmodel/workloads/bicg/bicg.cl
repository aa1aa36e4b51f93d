/* SPDX-License-Identifier: Apache-2.0
 *
 * The two products of a biconjugate gradient step: s = A' r by columns, q = A p by rows.
 */
__kernel void bicg_columns(__global const float *a, __global const float *r, __global float *s,
                           int rows, int columns)
{
    int column = get_global_id(0);
    if (column >= columns)
        return;
    float sum = 0.0f;
    for (int row = 0; row < rows; row++)
        sum += r[row] * a[row * columns + column];
    s[column] = sum;
}

__kernel void bicg_rows(__global const float *a, __global const float *p, __global float *q,
                        int rows, int columns)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int column = 0; column < columns; column++)
        sum += a[row * columns + column] * p[column];
    q[row] = sum;
}
