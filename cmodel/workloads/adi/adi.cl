/* SPDX-License-Identifier: Apache-2.0
 *
 * Alternating-direction implicit sweeps over a rows x columns grid: forward and backward
 * substitution along every row, one row per work-item, so the lanes of a warp are a row apart;
 * then the same along every column, one launch per row, by whole lines.
 */

__kernel void adi_row_forward(__global const float *a, __global float *b, __global float *x,
                              int rows, int columns)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    for (int c = 1; c < columns; c++) {
        int at = row * columns + c;
        x[at] = x[at] - x[at - 1] * a[at] / b[at - 1];
        b[at] = b[at] - a[at] * a[at] / b[at - 1];
    }
}

__kernel void adi_row_end(__global const float *b, __global float *x, int rows, int columns)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    int at = row * columns + columns - 1;
    x[at] = x[at] / b[at];
}

__kernel void adi_row_backward(__global const float *a, __global const float *b,
                               __global float *x, int rows, int columns)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    for (int c = columns - 2; c > 0; c--) {
        int at = row * columns + c;
        x[at] = (x[at] - x[at - 1] * a[at - 1]) / b[at - 1];
    }
}

__kernel void adi_column_forward(__global const float *a, __global float *b, __global float *x,
                                 int columns, int row)
{
    int column = get_global_id(0);
    if (column >= columns)
        return;
    int at = row * columns + column, north = at - columns;
    x[at] = x[at] - x[north] * a[at] / b[north];
    b[at] = b[at] - a[at] * a[at] / b[north];
}

__kernel void adi_column_end(__global const float *b, __global float *x, int rows, int columns)
{
    int column = get_global_id(0);
    if (column >= columns)
        return;
    int at = (rows - 1) * columns + column;
    x[at] = x[at] / b[at];
}

__kernel void adi_column_backward(__global const float *a, __global const float *b,
                                  __global float *x, int columns, int row)
{
    int column = get_global_id(0);
    if (column >= columns)
        return;
    int at = row * columns + column, north = at - columns;
    x[at] = (x[at] - x[north] * a[north]) / b[at];
}
