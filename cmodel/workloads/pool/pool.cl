/* SPDX-License-Identifier: Apache-2.0
 *
 * Maximum pooling, 3 x 3 windows two cells apart, one cell of padding; groups of 256 work-items
 * along a plane, planes (images times channels) along dimension 1.
 */
#define WINDOW 3

/* One work-item per output: neighbouring windows overlap by a column, rows by a row. */
__kernel void pool_forward(__global const float *x, __global float *y, int in_side, int out_side)
{
    int o = get_global_id(0), plane = get_global_id(1);
    if (o >= out_side * out_side)
        return;
    int top = o / out_side * 2 - 1, left = o % out_side * 2 - 1;
    x += plane * in_side * in_side;
    float most = -INFINITY;
    for (int row = max(top, 0); row < min(top + WINDOW, in_side); row++)
        for (int column = max(left, 0); column < min(left + WINDOW, in_side); column++)
            most = max(most, x[row * in_side + column]);
    y[plane * out_side * out_side + o] = most;
}

/* One work-item per input: takes the gradient of each of the up to four windows over it that
 * chose it; choice holds the number 0 .. 8 of the window's largest cell. */
__kernel void pool_backward(__global const float *dy, __global const uchar *choice,
                            __global float *dx, int in_side, int out_side)
{
    int i = get_global_id(0), plane = get_global_id(1);
    if (i >= in_side * in_side)
        return;
    int row = i / in_side, column = i % in_side;
    dy += plane * out_side * out_side;
    choice += plane * out_side * out_side;
    float sum = 0.0f;
    for (int y = row / 2; y <= min((row + 1) / 2, out_side - 1); y++) {
        for (int x = column / 2; x <= min((column + 1) / 2, out_side - 1); x++) {
            int cell = (row - 2 * y + 1) * WINDOW + column - 2 * x + 1;
            if (choice[y * out_side + x] == cell)
                sum += dy[y * out_side + x];
        }
    }
    dx[plane * in_side * in_side + i] = sum;
}
