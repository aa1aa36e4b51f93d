/* SPDX-License-Identifier: Apache-2.0
 *
 * Softmax over short rows.  `lanes` work-items, the power of two not below the row length, share
 * a row; a group of 256 holds as many rows as fit.
 */

/* Sum or maximum over the work-items of a row, known to all of them afterwards. */
static float row_reduce(float value, bool largest, __local float *slot, int lanes)
{
    int t = get_local_id(0);
    for (int step = lanes / 2; step > 0; step /= 2) {
        slot[t] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        float other = slot[t ^ step];
        barrier(CLK_LOCAL_MEM_FENCE);
        value = largest ? max(value, other) : value + other;
    }
    return value;
}

__kernel void softmax_forward(__global const float *x, __global float *y, int rows, int columns,
                              int lanes, __local float *slot)
{
    int row = (int)get_global_id(0) / lanes, column = (int)get_global_id(0) % lanes;
    bool inside = row < rows && column < columns;
    int at = row * columns + column;
    float value = inside ? x[at] : -INFINITY;
    float most = row_reduce(value, true, slot, lanes);
    float power = inside ? exp(value - most) : 0.0f;
    float sum = row_reduce(power, false, slot, lanes);
    if (inside)
        y[at] = power / sum;
}

__kernel void softmax_backward(__global const float *y, __global const float *dy,
                               __global float *dx, int rows, int columns, int lanes,
                               __local float *slot)
{
    int row = (int)get_global_id(0) / lanes, column = (int)get_global_id(0) % lanes;
    bool inside = row < rows && column < columns;
    int at = row * columns + column;
    float share = inside ? y[at] : 0.0f, slope = inside ? dy[at] : 0.0f;
    float sum = row_reduce(share * slope, false, slot, lanes);
    if (inside)
        dx[at] = share * (slope - sum);
}
