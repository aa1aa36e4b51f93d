/* SPDX-License-Identifier: Apache-2.0
 *
 * Heart wall tracking: one group of 256 finds one point of the wall in the next frame by
 * normalised cross-correlation of the point's template with a window around its last place.
 *
 * template_side = T, window_side = W.  Every intermediate array lies in global memory, a part
 * per point: window (W x W), full correlation (W + T - 1 squared), sliding sums.
 */
#define GROUP 256

/* Sums over T consecutive rows of the window and of its squares; a work-item slides down one
 * column.  Result: (W - T + 1) rows of W. */
static void slide_down(__global const float *window, __global float *sum, __global float *square,
                       int side, int length)
{
    for (int column = get_local_id(0); column < side; column += GROUP) {
        float total = 0.0f, total_square = 0.0f;
        for (int row = 0; row < side; row++) {
            float value = window[row * side + column];
            total += value;
            total_square += value * value;
            if (row >= length) {
                float old = window[(row - length) * side + column];
                total -= old;
                total_square -= old * old;
            }
            if (row >= length - 1) {
                sum[(row - length + 1) * side + column] = total;
                square[(row - length + 1) * side + column] = total_square;
            }
        }
    }
}

/* The same to the right, in place: afterwards the first (W - T + 1) words of a row are the sums
 * over T x T squares.  The word that leaves is read before it is overwritten. */
static void slide_right(__global float *line, int side, int length)
{
    float total = 0.0f;
    for (int column = 0; column < length; column++)
        total += line[column];
    for (int column = 0; column + length <= side; column++) {
        float leaves = line[column];
        line[column] = total;
        if (column + length < side)
            total += line[column + length] - leaves;
    }
}

static void correlate(__global const float *model, __global const float *window,
                      __global float *full, int t_side, int w_side)
{
    int side = w_side + t_side - 1;
    for (int e = get_local_id(0); e < side * side; e += GROUP) {
        int top = e / side - (t_side - 1), left = e % side - (t_side - 1);
        int first_row = max(0, -top), last_row = min(t_side, w_side - top);
        int first_column = max(0, -left), last_column = min(t_side, w_side - left);
        float sum = 0.0f;
        for (int row = first_row; row < last_row; row++)
            for (int column = first_column; column < last_column; column++)
                sum += model[row * t_side + column] * window[(top + row) * w_side + left + column];
        full[e] = sum;
    }
}

/* model_mean and model_spread: mean and sum of squared deviations of each point's template.
 * offset: best place's number among the (W - T + 1) squared ones; score: its coefficient. */
__kernel void heart_track(__global const float *frame, int columns, __global const float *model,
                          __global const float *model_mean, __global const float *model_spread,
                          __global float *window, __global float *full, __global float *sum,
                          __global float *square, __global int *place_row,
                          __global int *place_column, __global int *offset, __global float *score,
                          int t_side, int w_side)
{
    __local float best[GROUP];
    __local int best_at[GROUP];
    int t = get_local_id(0), point = get_group_id(0);
    int valid = w_side - t_side + 1, full_side = w_side + t_side - 1, reach = w_side / 2;
    model += point * t_side * t_side;
    window += point * w_side * w_side;
    full += point * full_side * full_side;
    sum += point * valid * w_side;
    square += point * valid * w_side;

    int top = place_row[point] - reach, left = place_column[point] - reach;
    for (int e = t; e < w_side * w_side; e += GROUP)
        window[e] = frame[(top + e / w_side) * columns + left + e % w_side];
    barrier(CLK_GLOBAL_MEM_FENCE);

    correlate(model, window, full, t_side, w_side);
    slide_down(window, sum, square, w_side, t_side);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int row = t; row < 2 * valid; row += GROUP)
        slide_right(row < valid ? sum + row * w_side : square + (row - valid) * w_side, w_side,
                    t_side);
    barrier(CLK_GLOBAL_MEM_FENCE);

    best[t] = -2.0f;
    best_at[t] = 0;
    for (int e = t; e < valid * valid; e += GROUP) {
        int row = e / valid, column = e % valid;
        float total = sum[row * w_side + column];
        float spread = square[row * w_side + column] - total * total / (float)(t_side * t_side);
        float product =
            full[(row + t_side - 1) * full_side + column + t_side - 1] - total * model_mean[point];
        float r = product / sqrt(fmax(spread * model_spread[point], 1e-20f));
        if (r > best[t]) {
            best[t] = r;
            best_at[t] = e;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int width = GROUP / 2; width > 0; width /= 2) {
        if (t < width && best[t + width] > best[t]) {
            best[t] = best[t + width];
            best_at[t] = best_at[t + width];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) {
        offset[point] = best_at[0];
        score[point] = best[0];
        place_row[point] = top + best_at[0] / valid + t_side / 2;
        place_column[point] = left + best_at[0] % valid + t_side / 2;
    }
}
