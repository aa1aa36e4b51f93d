/* SPDX-License-Identifier: Apache-2.0
 *
 * softmax.c - softmax layer over short rows, forward or backward, one launch.
 */
#include "byw_wl.h"
#include "workloads/softmax_cl.h"

#include <math.h>

enum { GROUP = 256 };

static const struct byw_wl_option options[] = {
    {"backward", "0: y from x, 1: dx from y and dy", {0, 0, 0}, 0, 1, 1},
    {"rows", "samples of the batch", {100, 512, 512}, 1, 1 << 20, 1},
    {"columns", "classes", {11, 3, 3}, 1, GROUP, 1},
};
static const struct byw_wl_about about = {"softmax", "softmax layer over short rows", byw_wl_source,
                                          options, sizeof options / sizeof options[0]};

static void host_row(const float *x, const float *dy, float *y, float *dx, int columns)
{
    double sum = 0.0, product = 0.0, most = (double)x[0];
    for (int c = 1; c < columns; c++)
        most = fmax(most, (double)x[c]);
    for (int c = 0; c < columns; c++)
        sum += exp((double)x[c] - most);
    for (int c = 0; c < columns; c++) {
        y[c] = (float)(exp((double)x[c] - most) / sum);
        product += (double)y[c] * (double)dy[c];
    }
    for (int c = 0; c < columns; c++)
        dx[c] = (float)((double)y[c] * ((double)dy[c] - product));
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    bool backward = byw_wl_get(&wl, "backward") != 0;
    int rows = byw_wl_get_int(&wl, "rows"), columns = byw_wl_get_int(&wl, "columns"), lanes = 1;
    while (lanes < columns)
        lanes *= 2;
    size_t values = (size_t)rows * (size_t)columns, bytes = values * sizeof(float);
    float *x = byw_wl_uniforms(&wl, values, -4.0f, 4.0f), *y = byw_wl_floats(&wl, values);
    float *dy = byw_wl_uniforms(&wl, values, -1.0f, 1.0f), *dx = byw_wl_floats(&wl, values);
    float *got = byw_wl_floats(&wl, values);
    for (int r = 0; r < rows; r++)
        host_row(x + r * columns, dy + r * columns, y + r * columns, dx + r * columns, columns);

    cl_mem out = byw_wl_buffer(&wl, bytes, NULL);
    cl_kernel kernel = byw_wl_kernel(&wl, backward ? "softmax_backward" : "softmax_forward");
    size_t slots = GROUP * sizeof(float);
    if (backward)
        byw_wl_args(&wl, kernel, "mmmiiil", byw_wl_buffer(&wl, bytes, y),
                    byw_wl_buffer(&wl, bytes, dy), out, rows, columns, lanes, slots);
    else
        byw_wl_args(&wl, kernel, "mmiiil", byw_wl_buffer(&wl, bytes, x), out, rows, columns, lanes,
                    slots);
    byw_wl_launch(&wl, kernel, byw_wl_groups((size_t)(rows * lanes), GROUP), GROUP);
    byw_wl_read(&wl, out, bytes, got);
    byw_wl_check_f32(&wl, backward ? "dx" : "y", got, backward ? dx : y, values, 1e-4f, 1e-6f);
    return byw_wl_end(&wl);
}
