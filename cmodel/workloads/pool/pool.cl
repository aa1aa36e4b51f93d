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

/* pool_backward like a library kernel: a group of 8 x 8 work-items takes 16 x 16 inputs, two
 * by two each, from windows that it keeps in local memory; what a work-item writes is two cells
 * from its neighbour's.  Dimension 0: tiles of the plane by columns; dimension 1: by rows, planes. */
#define SIDE 8
#define EACH 2
#define OUTS (SIDE * EACH / 2 + 1)
__kernel void pool_backward_tiled(__global const float *dy, __global const uchar *choice,
                                  __global float *dx, int in_side, int out_side)
{
    __local float slope[OUTS * OUTS];
    __local uchar chosen[OUTS * OUTS];
    int tiles = (in_side + SIDE * EACH - 1) / (SIDE * EACH);
    int left = (int)get_group_id(0) * SIDE * EACH, plane = (int)get_group_id(1) / tiles;
    int top = (int)get_group_id(1) % tiles * SIDE * EACH;
    int tx = get_local_id(0), ty = get_local_id(1);
    dy += plane * out_side * out_side;
    choice += plane * out_side * out_side;
    for (int i = ty * SIDE + tx; i < OUTS * OUTS; i += SIDE * SIDE) {
        int y = top / 2 + i / OUTS, x = left / 2 + i % OUTS;
        bool inside = y < out_side && x < out_side;
        slope[i] = inside ? dy[y * out_side + x] : 0.0f;
        chosen[i] = inside ? choice[y * out_side + x] : 255;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < EACH * EACH; k++) {
        int row = top + ty * EACH + k / EACH, column = left + tx * EACH + k % EACH;
        if (row >= in_side || column >= in_side)
            continue;
        float sum = 0.0f;
        for (int y = row / 2; y <= (row + 1) / 2; y++)
            for (int x = column / 2; x <= (column + 1) / 2; x++) {
                int at = (y - top / 2) * OUTS + x - left / 2;
                if (chosen[at] == (row - 2 * y + 1) * WINDOW + column - 2 * x + 1)
                    sum += slope[at];
            }
        dx[(plane * in_side + row) * in_side + column] = sum;
    }
}
