/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_wl_layer.c - reference convolution, pooling and fully connected layer.
 */
#include "byw_wl_layer.h"

#include <math.h>

struct span {
    int from, to;
};

/* The part of window number `i` along one axis that lies inside the image. */
static struct span window_span(const struct byw_wl_window *w, int i)
{
    int from = i * w->stride - w->pad, to = from + w->kernel;
    return (struct span){from < 0 ? 0 : from, to > w->in_side ? w->in_side : to};
}

static double conv_cell(const struct byw_wl_window *w, const float *in, const float *weight, int y,
                        int x)
{
    struct span rows = window_span(w, y), columns = window_span(w, x);
    int top = y * w->stride - w->pad, left = x * w->stride - w->pad;
    double sum = 0.0;
    for (int c = 0; c < w->in_channels; c++)
        for (int row = rows.from; row < rows.to; row++)
            for (int column = columns.from; column < columns.to; column++)
                sum += (double)in[(c * w->in_side + row) * w->in_side + column] *
                       (double)weight[(c * w->kernel + row - top) * w->kernel + column - left];
    return sum;
}

void byw_wl_host_conv(const struct byw_wl_window *w, const float *in, const float *weight,
                      const float *bias, bool rectify, float *out)
{
    int taps = w->in_channels * w->kernel * w->kernel;
    for (int o = 0; o < w->out_channels; o++) {
        for (int y = 0; y < w->out_side; y++) {
            for (int x = 0; x < w->out_side; x++) {
                double value = (double)bias[o] + conv_cell(w, in, weight + o * taps, y, x);
                *out++ = (float)(rectify ? fmax(value, 0.0) : value);
            }
        }
    }
}

static float pool_cell(const struct byw_wl_window *w, const float *plane, int y, int x,
                       bool average)
{
    struct span rows = window_span(w, y), columns = window_span(w, x);
    float most = -INFINITY;
    double sum = 0.0;
    for (int row = rows.from; row < rows.to; row++) {
        for (int column = columns.from; column < columns.to; column++) {
            most = fmaxf(most, plane[row * w->in_side + column]);
            sum += (double)plane[row * w->in_side + column];
        }
    }
    int cells = (rows.to - rows.from) * (columns.to - columns.from);
    return average ? (float)(sum / cells) : most;
}

void byw_wl_host_pool(const struct byw_wl_window *w, const float *in, bool average, float *out)
{
    for (int c = 0; c < w->in_channels; c++)
        for (int y = 0; y < w->out_side; y++)
            for (int x = 0; x < w->out_side; x++)
                *out++ = pool_cell(w, in + c * w->in_side * w->in_side, y, x, average);
}

void byw_wl_host_dense(const float *in, const float *weight, const float *bias, int inputs,
                       int outputs, float *out)
{
    for (int o = 0; o < outputs; o++) {
        double sum = (double)bias[o];
        for (int i = 0; i < inputs; i++)
            sum += (double)in[i] * (double)weight[o * inputs + i];
        out[o] = (float)sum;
    }
}
